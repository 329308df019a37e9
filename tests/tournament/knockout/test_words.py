"""The knock-out's words: every stage has a name, every decision a phrase."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from scoring.knockout_forms import find_full_form
from scoring.knockout_values import DecidedBy, KnockoutSystem, WaitsFor
from tournament.core.words.rounds import format_match_stage, format_stage_name
from tournament.knockout.words import describe_awaited_decision, describe_match_decision, describe_unusual_decision


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def test_stages_are_named_from_the_final_back() -> None:
    assert [format_stage_name(stage) for stage in find_full_form(KnockoutSystem.SINGLE, 6).stages] == [
        "Round of 64", "Round of 32", "Round of 16", "Quarter-finals", "Semi-finals", "Final",
    ]  # fmt: skip
    assert format_stage_name(find_full_form(KnockoutSystem.SINGLE, 1).stages[0]) == "Final"


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ((1, 3), "Round of 16"),
        ((2, 4), "Quarter-final"),
        ((3, 2), "Semi-final"),
        ((4, 1), "Final"),
        ((4, 2), "Match for third place"),
    ],
)
def test_match_is_named_by_its_stage(place: tuple[int, int], name: str) -> None:
    slots = {slot.place: slot for slot in find_full_form(KnockoutSystem.SINGLE, 4).matches}
    assert format_match_stage(slots[place]) == name


def test_every_decision_has_its_own_words() -> None:
    words = [describe_match_decision(by, "who laid the longest word") for by in DecidedBy]

    assert len({*words}) == len(DecidedBy)
    assert words[[*DecidedBy].index(DecidedBy.OWN)] == "by the criterion “who laid the longest word”"
    assert describe_match_decision(None, "") == ""


def test_what_the_score_says_is_not_said_again() -> None:
    said = {by for by in DecidedBy if describe_unusual_decision(by, 1, "")}

    assert said == {*DecidedBy} - {DecidedBy.POINTS, DecidedBy.WINS}
    assert describe_unusual_decision(None, 1, "") == ""


def test_only_a_match_that_was_played_says_what_it_lacks() -> None:
    said = {reason for reason in (*WaitsFor, None) if describe_awaited_decision(reason, "")}

    assert said == {WaitsFor.FACTS, WaitsFor.OWN, WaitsFor.LOT}
