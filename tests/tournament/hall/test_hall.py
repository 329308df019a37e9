"""The hall: screens set up and told what to show, the clock of the round, what is said."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from tests import factories
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.basics import limits
from tournament.basics.refusals import Refusals
from tournament.core.change import Actor, RowDeleted
from tournament.events.operations import remove_division
from tournament.hall.desk import describe_running_round
from tournament.hall.operations import (
    NothingInTurn,
    add_clock_minutes,
    add_screen,
    clear_hall_message,
    hold_screen_pages,
    pause_round_clock,
    remove_screen,
    reset_round_clock,
    set_clock_sound,
    set_countdown,
    set_hall_message,
    set_round_clock,
    show_on_screen,
    start_round_clock,
    update_screen,
)
from tournament.hall.queries import get_hall, list_screens
from tournament.hall.words import describe_round_start
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, Hall, JournalEntry, Screen, Tournament

TABLE, CLOCK = Screen.Shows.TABLE, Screen.Shows.CLOCK


def listed(cup: Tournament) -> list[tuple[int, str, str]]:
    return [(each.number, each.name, each.shows) for each in list_screens(cup)]


def codes(refused: Any) -> list[str]:
    return [each.code for each in refused.value.refusals]


def test_one_screen_is_there_by_itself_and_stored_when_it_is_told_something(cup: Tournament, doris: Actor) -> None:
    assert (listed(cup), Screen.objects.count()) == ([(1, "", "pairings")], 0)

    show_on_screen(cup, 1, shows=TABLE, actor=doris)

    assert (listed(cup), Screen.objects.count()) == ([(1, "", "table")], 1)


def test_screens_take_the_lowest_free_number_and_the_first_one_comes_back(cup: Tournament, doris: Actor) -> None:
    add_screen(cup, name=" Flur  oben ", actor=doris)
    add_screen(cup, name="", actor=doris)
    remove_screen(cup, 2, actor=doris)
    add_screen(cup, name="Bar", actor=doris)

    assert listed(cup) == [(1, "", "pairings"), (2, "Bar", "pairings"), (3, "", "pairings")]

    for number in (1, 2, 3):
        remove_screen(cup, number, actor=doris)
    assert listed(cup) == [(1, "", "pairings")]
    with pytest.raises(RowDeleted):
        remove_screen(cup, 1, actor=doris)


def test_screens_are_refused_with_all_faults(cup: Tournament, doris: Actor) -> None:
    add_screen(cup, name="Bar", actor=doris)
    plan = Screen(name="BAR", seconds=1, turns=((TABLE, 1),))

    with pytest.raises(Refusals) as refused:
        update_screen(cup, 1, plan=plan, actor=doris)
    assert codes(refused) == ["out_of_range", "out_of_range", "screen_twice"]

    for _each in range(limits.SCREEN.high - 2):
        add_screen(cup, name="", actor=doris)
    with refuses("too_many_screens"):
        add_screen(cup, name="", actor=doris)


def test_in_turn_needs_something_to_show(cup: Tournament, division: Division, doris: Actor) -> None:
    with pytest.raises(NothingInTurn):
        show_on_screen(cup, 1, shows=Screen.Shows.IN_TURN, actor=doris)

    update_screen(cup, 1, plan=Screen(turns=((TABLE, 20), (CLOCK, 5)), division=division), actor=doris)
    show_on_screen(cup, 1, shows=Screen.Shows.IN_TURN, actor=doris)

    (screen,) = list_screens(cup)
    assert screen.shown == [(TABLE, 20), (CLOCK, 5)]
    with pytest.raises(Refusals) as refused:
        update_screen(cup, 1, plan=Screen(), actor=doris)
    assert codes(refused) == ["nothing_in_turn"]


def test_screen_of_a_removed_division_shows_all(cup: Tournament, doris: Actor) -> None:
    other = cup.divisions.get(name="B")
    update_screen(cup, 1, plan=Screen(division=other), actor=doris)

    remove_division(other, actor=doris)

    assert [screen.division for screen in list_screens(cup)] == [None]
    assert find_journal_differences(cup) == []


def test_pages_stand_until_something_else_is_shown(cup: Tournament, doris: Actor) -> None:
    hold_screen_pages(cup, 1, paused=True, actor=doris)
    assert [screen.is_paused for screen in list_screens(cup)] == [True]

    show_on_screen(cup, 1, shows=TABLE, actor=doris)
    assert [screen.is_paused for screen in list_screens(cup)] == [False]


def test_clock_runs_stands_and_goes_on_by_the_time_here(cup: Tournament, doris: Actor) -> None:
    with time_machine.travel("2026-10-03 14:00 +0200", tick=False) as now:
        assert get_hall(cup).left_at(timezone.now()) == 3600
        start_round_clock(cup, actor=doris)
        now.shift(100)
        start_round_clock(cup, actor=doris)  # pressed twice
        assert get_hall(cup).left_at(timezone.now()) == 3500
        pause_round_clock(cup, actor=doris)
        now.shift(1000)
        assert get_hall(cup).left_at(timezone.now()) == 3500
        add_clock_minutes(cup, actor=doris)
        start_round_clock(cup, actor=doris)
        now.shift(60)
        add_clock_minutes(cup, minutes=-1, actor=doris)
        assert get_hall(cup).left_at(timezone.now()) == 3440
        now.shift(4000)
        assert get_hall(cup).left_at(timezone.now()) == 0
        start_round_clock(cup, actor=doris)
        assert get_hall(cup).left_at(timezone.now()) == 3600
        reset_round_clock(cup, actor=doris)
        assert (get_hall(cup).clock_is_begun, get_hall(cup).clock_left) == (False, 3600)


def test_clock_can_be_paused_after_the_machines_own_was_put_back(cup: Tournament, doris: Actor) -> None:
    with time_machine.travel("2026-10-04 14:00 +0200", tick=False) as now:
        start_round_clock(cup, actor=doris)
        now.shift(-24 * 3600)

        pause_round_clock(cup, actor=doris)
        left = get_hall(cup).clock_left
        reset_round_clock(cup, actor=doris)

        assert (left, get_hall(cup).clock_left) == (limits.CLOCK_LEFT.high, 3600)


@pytest.mark.parametrize("minutes", [0, -5, 301])
def test_clock_is_set_to_possible_minutes_only(minutes: int, cup: Tournament, doris: Actor) -> None:
    with refuses("clock_minutes"):
        set_round_clock(cup, minutes=minutes, actor=doris)

    assert Hall.objects.count() == 0


def test_more_minutes_than_the_clock_has_room_for_are_left_out(cup: Tournament, doris: Actor) -> None:
    set_round_clock(cup, minutes=300, actor=doris)
    add_clock_minutes(cup, actor=doris)
    assert get_hall(cup).clock_left == limits.CLOCK_LEFT.high

    set_round_clock(cup, minutes=1, actor=doris)
    add_clock_minutes(cup, minutes=-1, actor=doris)
    add_clock_minutes(cup, minutes=-1, actor=doris)
    assert get_hall(cup).clock_left == 0


def test_message_is_said_and_taken_back(cup: Tournament, doris: Actor) -> None:
    set_hall_message(cup, message=" Kaffee  steht hinten. ", covers=True, actor=doris)
    assert (get_hall(cup).message, get_hall(cup).message_covers) == ("Kaffee steht hinten.", True)

    clear_hall_message(cup, actor=doris)
    assert (get_hall(cup).message, get_hall(cup).message_covers) == ("", False)


def test_emptied_message_is_taken_back(cup: Tournament, doris: Actor) -> None:
    set_hall_message(cup, message="Kaffee", covers=True, actor=doris)

    set_hall_message(cup, message=" ", covers=True, actor=doris)

    assert (get_hall(cup).message, get_hall(cup).message_covers) == ("", False)


@pytest.mark.parametrize(
    ("message", "code"), [("  ", "message_missing"), ("x" * 201, "too_long"), ("\x07", "not_printable")]
)
def test_message_that_cannot_be_said_is_refused(message: str, code: str, cup: Tournament, doris: Actor) -> None:
    with pytest.raises(Refusals) as refused:
        set_hall_message(cup, message=message, covers=False, actor=doris)

    assert codes(refused) == [code]


def test_countdown_is_to_a_moment_or_to_nothing(cup: Tournament, doris: Actor) -> None:
    at = datetime.fromisoformat("2026-10-03T14:40:00+02:00")
    set_countdown(cup, at=at, countdown_for="Runde 7 beginnt", actor=doris)
    assert (get_hall(cup).countdown_to, get_hall(cup).countdown_for) == (at, "Runde 7 beginnt")

    set_countdown(cup, at=None, countdown_for="Runde 7 beginnt", actor=doris)
    assert (get_hall(cup).countdown_to, get_hall(cup).countdown_for) == (None, "")
    with pytest.raises(Refusals):
        set_countdown(cup, at=at + timedelta(1), countdown_for="x" * 201, actor=doris)


def test_removed_screen_comes_back_from_the_journal(cup: Tournament, doris: Actor) -> None:
    add_screen(cup, name="Bar", actor=doris)
    set_clock_sound(cup, sounds=True, actor=doris)
    remove_screen(cup, 2, actor=doris)

    undo_journal_entry(JournalEntry.objects.get(tournament=cup, verb="remove_screen"), actor=doris)

    assert [name for _number, name, _shows in listed(cup)] == ["", "Bar"]
    assert find_journal_differences(cup) == []


@pytest.mark.django_db
def test_round_began_when_its_clock_was_started_else_when_it_was_published() -> None:
    division, doris = factories.event(players=4), factories.director()
    afternoon = datetime(2026, 10, 3, 14, 5, tzinfo=timezone.get_default_timezone())
    with time_machine.travel(afternoon, tick=False):
        start_round_clock(division.tournament, actor=doris)  # of an earlier round
    with time_machine.travel(afternoon + timedelta(minutes=5), tick=False):
        published = factories.published(division).published_at
        assert published is not None
        told = describe_round_start(division.tournament, published)
        assert told == f"seit {timezone.localtime(published):%H:%M} Uhr"
        assert describe_running_round(division) == ""
    with time_machine.travel(published + timedelta(minutes=3), tick=False):
        reset_round_clock(division.tournament, actor=doris)
        start_round_clock(division.tournament, actor=doris)
    started = timezone.localtime(published + timedelta(minutes=3))
    with time_machine.travel(started + timedelta(minutes=10), tick=False):
        pause_round_clock(division.tournament, actor=doris)
        start_round_clock(division.tournament, actor=doris)
        assert describe_round_start(division.tournament, published) == f"Beginn war {started:%H:%M}"
        assert describe_running_round(division) == f"Beginn war {started:%H:%M}"
