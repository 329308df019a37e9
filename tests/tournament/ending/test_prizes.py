"""Prizes: announced, changed, put in order, published."""

from typing import Any

import pytest

from scoring.prizes import PrizeKind
from tests.refusals import refuses
from tournament.basics import limits
from tournament.basics.refusals import Refusals
from tournament.core.change import Actor
from tournament.ending.operations import (
    add_prize,
    add_usual_prizes,
    edit_prize,
    move_prize_up,
    publish_prizes,
)
from tournament.ending.plan import PrizePlan
from tournament.entries.operations.entries import move_entry, remove_entry
from tournament.events.operations import copy_tournament, remove_division
from tournament.models import Division, Entry, JournalEntry, Prize, Tournament


def listed(division: Division) -> list[tuple[str, int | None]]:
    return [(prize.kind, prize.place) for prize in Prize.objects.filter(division=division).in_order()]


def refused(division: Division, doris: Actor, **plan: Any) -> list[str]:
    with pytest.raises(Refusals) as refusals:
        add_prize(division, plan=PrizePlan(**plan), actor=doris)
    return sorted(refusal.code for refusal in refusals.value.refusals)


def test_prize_keeps_what_belongs_to_its_kind(division: Division, doris: Actor) -> None:
    plan = PrizePlan(
        kind=PrizeKind.CLUB, place=3, club=" SC  Fulda ", lowest_rating=1, title="Fuldas\u200b Bester ", award="Buch"
    )

    made = add_prize(division, plan=plan, actor=doris)

    assert PrizePlan.of(made) == PrizePlan(kind="club", club="SC Fulda", title="Fuldas Bester", award="Buch")


def test_rating_class_may_be_of_one_rating(division: Division, doris: Actor) -> None:
    plan = PrizePlan(kind="rating_class", lowest_rating=1400, highest_rating=1400)

    assert PrizePlan.of(add_prize(division, plan=plan, actor=doris)) == plan


@pytest.mark.parametrize(
    ("plan", "codes"),
    [
        ({"kind": "beauty"}, ["prize_unknown"]),
        ({"kind": "place"}, ["place_missing"]),
        ({"kind": "place", "place": 0}, ["out_of_range"]),
        ({"kind": "place", "place": 1000}, ["out_of_range"]),
        ({"kind": "club"}, ["prize_club_missing"]),
        ({"kind": "club", "club": "x" * 81}, ["too_long"]),
        ({"kind": "rating_class"}, ["ratings_missing"]),
        ({"kind": "rating_class", "lowest_rating": 10_000}, ["out_of_range"]),
        ({"kind": "rating_class", "lowest_rating": 1400, "highest_rating": 1399}, ["ratings_reversed"]),
        ({"kind": "own"}, ["prize_title_missing"]),
        ({"kind": "own", "award": "x" * 121}, ["prize_title_missing", "too_long"]),
        ({"kind": "highest_game", "title": "x" * 81}, ["too_long"]),
    ],
)
@pytest.mark.sampled(4)
def test_prize_that_makes_no_sense_is_refused(
    division: Division, doris: Actor, plan: dict[str, Any], codes: list[str]
) -> None:
    assert refused(division, doris, **plan) == codes
    assert listed(division) == []


def test_winner_plays_in_the_division(cup: Tournament, four: list[Entry], doris: Actor) -> None:
    other = cup.divisions.get(name="B")

    assert refused(other, doris, kind="own", title="Schönstes Wort", winner=four[0]) == ["winner_of_another"]


def test_usual_prizes_are_added_once(division: Division, doris: Actor) -> None:
    add_prize(division, plan=PrizePlan(kind="place", place=2), actor=doris)

    add_usual_prizes(division, actor=doris)
    add_usual_prizes(division, actor=doris)

    assert listed(division) == [
        ("place", 2),
        ("place", 1),
        ("place", 3),
        ("newcomer", None),
        ("highest_game", None),
        ("highest_losing_score", None),
    ]


def test_prize_moves_up_until_it_is_first(division: Division, doris: Actor) -> None:
    add_usual_prizes(division, actor=doris)
    last = Prize.objects.get(kind="newcomer")

    for _step in range(5):
        move_prize_up(last, actor=doris)

    assert listed(division)[:4] == [("newcomer", None), ("place", 1), ("place", 2), ("place", 3)]


def test_change_that_changes_nothing_leaves_no_trace(division: Division, doris: Actor) -> None:
    made = add_prize(division, plan=PrizePlan(kind="highest_game"), actor=doris)
    before = JournalEntry.objects.count()

    edit_prize(made, plan=PrizePlan(kind="highest_game", place=4), actor=doris)
    publish_prizes(division, public=False, actor=doris)

    assert JournalEntry.objects.count() == before


def test_no_more_prizes_than_allowed(division: Division, doris: Actor) -> None:
    for _prize in limits.PRIZES.numbers[1:]:
        add_prize(division, plan=PrizePlan(kind="highest_game"), actor=doris)

    with refuses("too_many_prizes"):
        add_prize(division, plan=PrizePlan(kind="best_move"), actor=doris)

    assert len(listed(division)) == limits.PRIZES.high


@pytest.mark.parametrize("leaving", ["removed", "moved"])
def test_who_leaves_the_division_wins_nothing_there(
    leaving: str, cup: Tournament, division: Division, four: list[Entry], doris: Actor
) -> None:
    own = PrizePlan(kind="own", title="Schönstes Wort", winner=four[0])
    made = add_prize(division, plan=own, actor=doris)

    if leaving == "removed":
        remove_entry(four[0], actor=doris)
    else:
        move_entry(four[0], division=cup.divisions.get(name="B"), actor=doris)

    assert Prize.objects.get(pk=made.pk).winner is None


def test_copied_tournament_has_the_prizes_without_winners(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor
) -> None:
    add_prize(division, plan=PrizePlan(kind="own", title="Wort", winner=four[0]), actor=doris)

    copied = copy_tournament(cup, name="Winter-Cup", actor=doris)

    assert [PrizePlan.of(prize) for prize in Prize.objects.filter(division__tournament=copied)] == [
        PrizePlan(kind="own", title="Wort")
    ]


def test_empty_division_goes_with_its_prizes(cup: Tournament, doris: Actor) -> None:
    other = cup.divisions.get(name="B")
    add_usual_prizes(other, actor=doris)

    remove_division(other, actor=doris)

    assert not Prize.objects.exists()
