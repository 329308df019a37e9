"""The hall: screens set up and told what to show, the clock of the round, what is said."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from tournament import journal, limits
from tournament.models import Division, Hall, JournalEntry, Screen, Tournament
from tournament.operations import hall, hall_clock, hall_message, tournaments, undo
from tournament.operations.change import Actor, Gone
from tournament.operations.hall import NothingInTurn, ScreenPlan
from tournament.operations.hall_clock import ClockMinutes
from tournament.queries.hall import hall_of, screens
from tournament.refusals import Refusals

TABLE, CLOCK = Screen.Shows.TABLE, Screen.Shows.CLOCK


def listed(cup: Tournament) -> list[tuple[int, str, str]]:
    return [(each.number, each.name, each.shows) for each in screens(cup)]


def codes(refused: Any) -> list[str]:
    return [each.code for each in refused.value.refusals]


def test_one_screen_is_there_by_itself_and_stored_when_it_is_told_something(cup: Tournament, doris: Actor) -> None:
    assert (listed(cup), Screen.objects.count()) == ([(1, "", "pairings")], 0)

    hall.show_on_screen(cup, 1, shows=TABLE, actor=doris)

    assert (listed(cup), Screen.objects.count()) == ([(1, "", "table")], 1)


def test_screens_take_the_lowest_free_number_and_the_first_one_comes_back(cup: Tournament, doris: Actor) -> None:
    hall.add_screen(cup, name=" Flur  oben ", actor=doris)
    hall.add_screen(cup, name="", actor=doris)
    hall.remove_screen(cup, 2, actor=doris)
    hall.add_screen(cup, name="Bar", actor=doris)

    assert listed(cup) == [(1, "", "pairings"), (2, "Bar", "pairings"), (3, "", "pairings")]

    for number in (1, 2, 3):
        hall.remove_screen(cup, number, actor=doris)
    assert listed(cup) == [(1, "", "pairings")]
    with pytest.raises(Gone):
        hall.remove_screen(cup, 1, actor=doris)


def test_screens_are_refused_with_all_faults(cup: Tournament, doris: Actor) -> None:
    hall.add_screen(cup, name="Bar", actor=doris)
    plan = ScreenPlan(name="BAR", seconds=1, turns=((TABLE, 1),))

    with pytest.raises(Refusals) as refused:
        hall.set_up_screen(cup, 1, plan=plan, actor=doris)
    assert codes(refused) == ["out_of_range", "out_of_range", "screen_twice"]

    for _each in range(limits.SCREEN.high - 2):
        hall.add_screen(cup, name="", actor=doris)
    with pytest.raises(hall.TooManyScreens):
        hall.add_screen(cup, name="", actor=doris)


def test_in_turn_needs_something_to_show(cup: Tournament, division: Division, doris: Actor) -> None:
    with pytest.raises(NothingInTurn):
        hall.show_on_screen(cup, 1, shows=Screen.Shows.IN_TURN, actor=doris)

    hall.set_up_screen(cup, 1, plan=ScreenPlan(turns=((TABLE, 20), (CLOCK, 5)), division=division), actor=doris)
    hall.show_on_screen(cup, 1, shows=Screen.Shows.IN_TURN, actor=doris)

    (screen,) = screens(cup)
    assert screen.shown == [(TABLE, 20), (CLOCK, 5)]
    with pytest.raises(Refusals) as refused:
        hall.set_up_screen(cup, 1, plan=ScreenPlan(), actor=doris)
    assert codes(refused) == ["nothing_in_turn"]


def test_screen_of_a_removed_division_shows_all(cup: Tournament, doris: Actor) -> None:
    other = cup.divisions.get(name="B")
    hall.set_up_screen(cup, 1, plan=ScreenPlan(division=other), actor=doris)

    tournaments.remove_division(other, actor=doris)

    assert [screen.division for screen in screens(cup)] == [None]
    assert journal.replay(cup) == []


def test_pages_stand_until_something_else_is_shown(cup: Tournament, doris: Actor) -> None:
    hall.hold_pages(cup, 1, paused=True, actor=doris)
    assert [screen.is_paused for screen in screens(cup)] == [True]

    hall.show_on_screen(cup, 1, shows=TABLE, actor=doris)
    assert [screen.is_paused for screen in screens(cup)] == [False]


def test_clock_runs_stands_and_goes_on_by_the_time_here(cup: Tournament, doris: Actor) -> None:
    with time_machine.travel("2026-10-03 14:00 +0200", tick=False) as now:
        assert hall_of(cup).left_at(timezone.now()) == 3600
        hall_clock.start_clock(cup, actor=doris)
        now.shift(100)
        hall_clock.start_clock(cup, actor=doris)  # pressed twice
        assert hall_of(cup).left_at(timezone.now()) == 3500
        hall_clock.pause_clock(cup, actor=doris)
        now.shift(1000)
        assert hall_of(cup).left_at(timezone.now()) == 3500
        hall_clock.add_minute(cup, actor=doris)
        hall_clock.start_clock(cup, actor=doris)
        now.shift(60)
        hall_clock.add_minute(cup, minutes=-1, actor=doris)
        assert hall_of(cup).left_at(timezone.now()) == 3440
        now.shift(4000)
        assert hall_of(cup).left_at(timezone.now()) == 0
        hall_clock.start_clock(cup, actor=doris)
        assert hall_of(cup).left_at(timezone.now()) == 3600
        hall_clock.reset_clock(cup, actor=doris)
        assert (hall_of(cup).clock_is_begun, hall_of(cup).clock_left) == (False, 3600)


def test_clock_can_be_paused_after_the_machines_own_was_put_back(cup: Tournament, doris: Actor) -> None:
    with time_machine.travel("2026-10-04 14:00 +0200", tick=False) as now:
        hall_clock.start_clock(cup, actor=doris)
        now.shift(-24 * 3600)

        hall_clock.pause_clock(cup, actor=doris)
        left = hall_of(cup).clock_left
        hall_clock.reset_clock(cup, actor=doris)

        assert (left, hall_of(cup).clock_left) == (limits.CLOCK_LEFT.high, 3600)


@pytest.mark.parametrize("minutes", [0, -5, 301])
def test_clock_is_set_to_possible_minutes_only(minutes: int, cup: Tournament, doris: Actor) -> None:
    with pytest.raises(ClockMinutes):
        hall_clock.set_clock(cup, minutes=minutes, actor=doris)

    assert Hall.objects.count() == 0


def test_more_minutes_than_the_clock_has_room_for_are_left_out(cup: Tournament, doris: Actor) -> None:
    hall_clock.set_clock(cup, minutes=300, actor=doris)
    hall_clock.add_minute(cup, actor=doris)
    assert hall_of(cup).clock_left == limits.CLOCK_LEFT.high

    hall_clock.set_clock(cup, minutes=1, actor=doris)
    hall_clock.add_minute(cup, minutes=-1, actor=doris)
    hall_clock.add_minute(cup, minutes=-1, actor=doris)
    assert hall_of(cup).clock_left == 0


def test_message_is_said_and_taken_back(cup: Tournament, doris: Actor) -> None:
    hall_message.say(cup, message=" Kaffee  steht hinten. ", covers=True, actor=doris)
    assert (hall_of(cup).message, hall_of(cup).message_covers) == ("Kaffee steht hinten.", True)

    hall_message.take_back(cup, actor=doris)
    assert (hall_of(cup).message, hall_of(cup).message_covers) == ("", False)


@pytest.mark.parametrize(
    ("message", "code"), [("  ", "message_missing"), ("x" * 201, "too_long"), ("\x07", "not_printable")]
)
def test_message_that_cannot_be_said_is_refused(message: str, code: str, cup: Tournament, doris: Actor) -> None:
    with pytest.raises(Refusals) as refused:
        hall_message.say(cup, message=message, covers=False, actor=doris)

    assert codes(refused) == [code]


def test_countdown_is_to_a_moment_or_to_nothing(cup: Tournament, doris: Actor) -> None:
    at = datetime.fromisoformat("2026-10-03T14:40:00+02:00")
    hall_message.count_down(cup, to=at, what="Runde 7 beginnt", actor=doris)
    assert (hall_of(cup).countdown_to, hall_of(cup).countdown_for) == (at, "Runde 7 beginnt")

    hall_message.count_down(cup, to=None, what="Runde 7 beginnt", actor=doris)
    assert (hall_of(cup).countdown_to, hall_of(cup).countdown_for) == (None, "")
    with pytest.raises(Refusals):
        hall_message.count_down(cup, to=at + timedelta(1), what="x" * 201, actor=doris)


def test_removed_screen_comes_back_from_the_journal(cup: Tournament, doris: Actor) -> None:
    hall.add_screen(cup, name="Bar", actor=doris)
    hall_clock.let_sound(cup, sounds=True, actor=doris)
    hall.remove_screen(cup, 2, actor=doris)

    undo.undo(JournalEntry.objects.get(tournament=cup, verb="remove_screen"), actor=doris)

    assert [name for _number, name, _shows in listed(cup)] == ["", "Bar"]
    assert journal.replay(cup) == []
