"""Seasons: what is refused, and that each change is an entry of the register's journal."""

from typing import Any

import pytest

from tests import factories
from tests.refusals import refuses
from tests.tournament.seasons.steps import ANNA, BERT, CORA, event, season, uncount
from tournament.basics import limits
from tournament.basics.refusals import Refusal, Refusals
from tournament.events.operations import add_division, delete_tournament, remove_division
from tournament.models import Division, JournalEntry, Season
from tournament.seasons.operations import (
    EventNotPaired,
    add_season_event,
    choose_season_events,
    decide_same_person,
    delete_season,
    edit_season,
    find_last_choice,
    find_season_problems,
    make_season,
    take_back_choice,
    take_back_same_person,
)
from tournament.seasons.season_table import list_possible_events

pytestmark = pytest.mark.django_db

FINE: dict[str, Any] = {"name": "Pokal", "points": (3, 2, 1)}


@pytest.mark.parametrize(
    ("stated", "code"),
    [
        ({"name": ""}, "season_name_missing"),
        ({"name": "x" * 121}, "too_long"),
        ({"name": "a\0b"}, "not_printable"),
        ({"slug": "Ä"}, "season_address"),
        ({"rule": "laune"}, "season_rule"),
        ({"shared": "streit"}, "season_rule"),
        ({"points": ()}, "season_points_missing"),
        ({"points": (3, 4)}, "season_points_rise"),
        ({"points": (-1,)}, "out_of_range"),
        ({"points": (1,) * 201}, "season_points_many"),
        ({"best": 0}, "out_of_range"),
        ({"best": 31}, "out_of_range"),
    ],
)
def test_faulty_season_is_refused_and_nothing_stored(stated: dict[str, Any], code: str) -> None:
    with pytest.raises(Refusals) as refused:
        make_season(plan=Season(**{**FINE, **stated}), actor=factories.director())

    assert [each.code for each in refused.value.refusals] == [code]
    assert not Season.objects.exists()


def test_wins_need_no_points() -> None:
    assert find_season_problems(Season(name="Pokal", rule="wins")) == []


def test_address_is_made_from_the_name_and_taken_once() -> None:
    doris = factories.director()
    made = [make_season(plan=Season(**FINE), actor=doris).slug for _each in "12"]

    assert made == ["pokal", "pokal-2"]
    with pytest.raises(Refusals) as refused:
        edit_season(Season.objects.get(slug="pokal-2"), plan=Season(**FINE, slug="pokal"), actor=doris)
    assert [each.code for each in refused.value.refusals] == ["season_address_taken"]


def test_event_counts_once_and_belongs_to_the_same_organiser(january: Division) -> None:
    doris, own = factories.director(), january
    found = season(own)
    elsewhere = factories.director("otto", factories.organiser("Anderswo"))
    foreign = factories.event("Fremd", players=2, by=elsewhere)

    for division, code in (
        (own, "event_counts_already"),
        (foreign, "event_of_somebody_else"),
    ):
        with refuses(code):
            add_season_event(found, division=division, actor=doris)


def test_session_counts_by_places_alone() -> None:
    doris = factories.director()
    session = factories.event("Duplicate", players=2, ruleset="sbnl-duplicate", rounds=0)
    wins, places = season(name="Siege", rule="wins"), season(name="Pokal")

    with pytest.raises(EventNotPaired):
        add_season_event(wins, division=session, actor=doris)
    add_season_event(places, division=session, actor=doris)

    assert session not in list_possible_events(wins)
    with pytest.raises(EventNotPaired):
        edit_season(places, plan=Season(name="Pokal", rule="spread"), actor=doris)


def test_season_counts_so_many_events_at_most(january: Division, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEASON_EVENTS", limits.Range(0, 1))
    found = season(january)

    with refuses("season_full"):
        add_season_event(found, division=event("Februar", ANNA, BERT), actor=factories.director())


def test_two_who_met_are_not_one_person_and_nobody_is_joined_to_themselves(january: Division) -> None:
    found = season(january)
    anna, bert = [entry.player for entry in january.entries.order_by("pk")]

    with refuses("both_played", match=r"Beispiel, Anna und Muster, Bert haben beide bei Januar gespielt"):
        decide_same_person(found, one=bert, other=anna, is_same=True, actor=factories.director())
    with refuses("one_player_twice"):
        decide_same_person(found, one=anna, other=anna, is_same=False, actor=factories.director())


def test_each_change_is_an_entry_of_the_registers_journal_with_its_rows(january: Division) -> None:
    doris = factories.director()
    found = season(january, event("Februar", CORA, BERT))
    one, other = (
        january.entries.order_by("pk")[0].player,
        found.events.all()[1].division.entries.order_by("pk")[0].player,
    )
    decision = decide_same_person(found, one=one, other=other, is_same=True, actor=doris)
    decide_same_person(found, one=one, other=other, is_same=False, actor=doris)
    take_back_same_person(decision, actor=doris)
    uncount(found.events.all()[0])
    delete_season(found, actor=doris)

    noted = JournalEntry.objects.filter(organiser=found.organiser, verb__contains="s").order_by("number")
    assert [entry.verb for entry in noted if "season" in entry.verb or "same_person" in entry.verb] == [
        "make_season",
        "add_season_event",
        "add_season_event",
        "decide_same_person",
        "decide_same_person",
        "take_back_same_person",
        "choose_season_events",
        "delete_season",
    ]
    last = noted.last()
    assert last is not None
    assert [(table, after) for table, _pk, _before, after in last.rows] == [("seasonevent", None), ("season", None)]


def list_counted(found: Season) -> dict[str, int]:
    return dict(found.events.values_list("division__tournament__name", "direct"))


def test_events_are_chosen_in_one_step_and_the_step_is_taken_back() -> None:
    january, february, march = (event(name, ANNA, BERT) for name in ("Januar", "Februar", "März"))
    found, doris = season(january), factories.director()
    assert find_last_choice(found) is None
    entries = JournalEntry.objects.filter(organiser=found.organiser, verb="choose_season_events")

    for _time in range(2):  # a second click does nothing
        choose_season_events(found, chosen={february: 2, march: None}, actor=doris)
    (entry,) = entries
    assert list_counted(found) == {"Februar": 2, "März": 0}
    assert (entry.details["added"], entry.details["removed"]) == (["Februar", "März"], ["Januar"])

    choose_season_events(found, chosen={february: None, march: 3}, actor=doris)
    assert list_counted(found) == {"Februar": 2, "März": 3}
    with refuses("choice_not_last"):
        take_back_choice(found, number=entry.number, actor=doris)
    for left in ({"Februar": 2, "März": 0}, {"Februar": 2, "März": 3}):  # taken back, and that as well
        last = find_last_choice(found)
        assert last is not None
        take_back_choice(found, number=last.number, actor=doris)
        assert list_counted(found) == left


def test_choice_is_not_taken_back_over_what_came_after_it(january: Division) -> None:
    february = event("Februar", ANNA, BERT)
    found, doris = season(january), factories.director()
    choose_season_events(found, chosen={february: None}, actor=doris)
    last = find_last_choice(found)
    assert last is not None

    delete_tournament(january.tournament, typed_name="Januar", actor=doris)
    take_back_choice(found, number=last.number, actor=doris)
    assert list_counted(found) == {}  # what is gone cannot count again
    choose_season_events(found, chosen={february: None}, actor=doris)
    delete_tournament(february.tournament, typed_name="Februar", actor=doris)

    assert find_last_choice(found) is None


def test_choice_refuses_as_a_single_event_does_and_keeps_nothing(january: Division) -> None:
    found = season()
    foreign = factories.event("Fremd", players=2, by=factories.director("dora", of=factories.organiser("Woanders")))

    with refuses("event_of_somebody_else"):
        choose_season_events(found, chosen={january: None, foreign: None}, actor=factories.director())
    with pytest.raises(Refusals):
        choose_season_events(found, chosen={january: 100}, actor=factories.director())

    assert list_counted(found) == {}


def test_division_that_counts_stays_until_it_is_taken_out() -> None:
    division = factories.event("Januar", players=2)
    other = add_division(division.tournament, name="B", actor=factories.director())
    found = season(other)

    with pytest.raises(Refusal, match="zählt in der Saisonwertung Vereinspokal"):
        remove_division(other, actor=factories.director())

    uncount(found.events.get())
    remove_division(other, actor=factories.director())
    assert division.tournament.divisions.count() == 1
