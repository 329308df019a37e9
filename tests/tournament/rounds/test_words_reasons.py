"""Pairings in words."""

import re
from typing import Any

import pytest
from django.utils import translation

from scoring import rulesets
from tests import factories
from tournament.core.change import Actor
from tournament.core.words.figures import name_round_players
from tournament.models import Division, Entry
from tournament.pairing.values import ByeReason, FloatReason, PairFlag, ReasonCode, StarterReason, get_reason_shape
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.words import describe_pairing, describe_reasons, get_flag_name, list_pairing_reasons
from tournament.table.league import list_round_pairings


@pytest.fixture(autouse=True)
def english() -> object:
    with translation.override("en"):
        yield


def test_sentence_of_a_drafted_pair(division: Division, four: list[Entry], doris: Actor) -> None:
    round = draft_round(division, actor=doris, wish=DrawWish(seed=1))

    pairings = list_round_pairings(round)
    sentence = describe_pairing(pairings[0], name_round_players(pairings), rulesets.TSO_2017)

    assert sentence == (
        "Number 1 meets number 4 by rating, then by entry. Upper half against lower half (numbers 1 and 4 of 4). "
        "Linh Nguyễn starts by lot: level on starts."
    )


@pytest.mark.parametrize("flag", list(PairFlag))
def test_every_flag_has_a_name(flag: PairFlag) -> None:
    assert get_flag_name(flag).replace(" ", "").isalpha()


SAMPLES: list[dict[str, Any]] = [
    {"code": "hand"},
    {"code": "locked"},
    {"code": "ranks", "first": 13, "second": 27},
    {"code": "ranks", "first": None, "second": 27},
    {"code": "ranks", "first": None, "second": None},
    *(
        {"code": "seeding", "first": 13, "second": second, "by": by}
        for second in (27, None)
        for by in ("rating", "entry")
    ),
    *({"code": "score_group", "half_wins": wins} for wins in (0, 1, 2, 26)),
    {"code": "halves", "places": [13, 27], "of": 31},
    {"code": "places", "places": [13, 27], "of": 31},
    *({"code": "neighbours", "between": between} for between in (0, 1, 13)),
    {"code": "ranks_apart", "apart": 13, "wanted": 13},
    {"code": "ranks_apart", "apart": 13, "wanted": 27},
    {"code": "drawn"},
    {"code": "schedule"},
    {"code": "group", "group": 13},
    *({"code": "float", "half_wins": [26, 54], "because": because} for because in FloatReason),
    {"code": "passed_over", "player": 1, "who": [2, 3], "because": "met"},
    {"code": "passed_over", "player": 1, "who": [2], "because": "kept_apart"},
    {"code": "repeat", "rounds": [13]},
    {"code": "repeat", "rounds": [13, 27]},
    {"code": "same_club"},
    {"code": "kept_apart"},
    *({"code": "bye", "had": had, "fewest": 13, "by": by} for had in (0, 13, 27) for by in ByeReason),
    *({"code": "starter", "by": by, "starts": [13, 27], "replies": [31, 44]} for by in StarterReason),
    {"code": "third_start", "row": 13},
]
MORE = {"from": 62, "players": 47, "above": True, "left_over": 58, "bye": True, "who": [2], "from_bottom": 47}
MORE |= {"rounds_left": 58}
PEOPLE = {1: "Beispiel, Anna", 2: "Muster, Jörg", 3: "Nguyễn, Linh"}


def complete(reason: dict[str, Any], **others: Any) -> dict[str, Any]:
    """The sample with every figure that its code asks for."""
    wanted = get_reason_shape(ReasonCode(reason["code"]), reason)
    return reason | {name: (MORE | others)[name] for name in wanted if name not in reason}


def numbers(figures: Any) -> set[str]:
    """All figures as a sentence may write them: half wins as wins too."""
    if isinstance(figures, dict):
        return set().union(*(numbers(figure) for figure in figures.values()))
    if isinstance(figures, list):
        return set().union(*(numbers(figure) for figure in figures))
    return {str(figures), str(figures // 2)} if isinstance(figures, int) else set()


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("reason", SAMPLES, ids=lambda reason: "-".join(str(figure) for figure in reason.values()))
def test_sentence_states_the_figures_of_its_code_and_no_others(reason: dict[str, Any], language: str) -> None:
    for others in ({}, {"above": False, "bye": False, "players": 1, "from_bottom": 58}):
        whole = complete(reason, **others)
        with translation.override(language):
            said = describe_reasons([whole], "Beispiel, Anna", PEOPLE)

        assert set(re.findall(r"\d+", said)) <= numbers(whole)
        assert "%(" not in said
        assert "–" not in said
        assert not said or said[-1] == "."


def test_every_code_has_a_sample() -> None:
    assert {sample["code"] for sample in SAMPLES} == set(ReasonCode)


def test_names_are_said_with_the_given_name_first() -> None:
    said = describe_reasons(
        [complete({"code": "passed_over", "player": 1, "who": [2, 3], "because": "met"})], "", PEOPLE
    )

    assert said == "Anna Beispiel has already played Jörg Muster and Linh Nguyễn."


def test_event_of_a_file_without_reasons_says_nothing(division: Division, four: list[Entry]) -> None:
    pairings = list_round_pairings(factories.draft(division))

    assert list_pairing_reasons(pairings, name_round_players(pairings), rulesets.TSO_2017) == []
