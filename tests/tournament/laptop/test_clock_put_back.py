"""The clock of a round goes on as it was when the machine's own clock is put back."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone

from tests import factories
from tournament.archive.replaying import find_journal_differences
from tournament.backup.places import Installation, find_last_write_time
from tournament.core.change import Actor
from tournament.hall.operations import pause_round_clock, set_clock_sound, start_round_clock
from tournament.hall.queries import get_hall
from tournament.laptop.clock_put_back import ClockWatch, correct_clocks_at_start
from tournament.models import Tournament

pytestmark = pytest.mark.django_db
START = "2026-10-03 14:00 +0200"


@pytest.fixture
def cup(doris: Actor) -> Tournament:
    return factories.event(by=doris).tournament


def left(cup: Tournament) -> int:
    return get_hall(cup).left_at(timezone.now())


@pytest.mark.parametrize("back", [timedelta(minutes=10), timedelta(days=400)])
def test_clock_goes_on_while_the_program_runs(cup: Tournament, doris: Actor, back: timedelta) -> None:
    with time_machine.travel(START, tick=False) as now:
        start_round_clock(cup, actor=doris)
        look = ClockWatch()
        now.shift(600)
        look.again()
        now.shift(-back)
        look.again()
        look.again()

        assert abs(left(cup) - 3000) <= 1
        pause_round_clock(cup, actor=doris)
        assert abs(left(cup) - 3000) <= 1
    assert cup.journal.filter(verb="keep_round_clock").count() == 1
    assert [fault for fault in find_journal_differences(cup) if fault.startswith("hall")] == []


def test_clock_set_right_by_seconds_or_forward_is_left_alone(cup: Tournament, doris: Actor) -> None:
    with time_machine.travel(START, tick=False) as now:
        start_round_clock(cup, actor=doris)
        look = ClockWatch()
        for seconds in (-2, 1800, -1):
            now.shift(seconds)
            look.again()

    assert not cup.journal.filter(verb="keep_round_clock").exists()


def test_clock_that_stands_or_is_over_is_left_alone(cup: Tournament, doris: Actor) -> None:
    other = factories.event("Frühlings-Cup", by=doris).tournament
    with time_machine.travel(START, tick=False) as now:
        start_round_clock(cup, actor=doris)
        pause_round_clock(cup, actor=doris)
        start_round_clock(other, actor=doris)
        now.shift(5000)
        look = ClockWatch()
        now.shift(-600)
        look.again()

        assert (left(cup), left(other)) == (3600, 0)


def test_at_a_start_no_more_is_left_than_when_something_was_entered_last(cup: Tournament, doris: Actor) -> None:
    with time_machine.travel(START, tick=False) as now:
        start_round_clock(cup, actor=doris)
        now.shift(600)
        set_clock_sound(cup, sounds=True, actor=doris)
        now.shift(-86_400)

        correct_clocks_at_start(written=0.0)

        assert left(cup) == 3000


def test_at_a_start_no_more_is_left_than_when_the_database_was_written_last(
    cup: Tournament, doris: Actor, tmp_path: Path
) -> None:
    home = Installation(tmp_path)
    never = find_last_write_time(home)
    with time_machine.travel(START, tick=False) as now:
        start_round_clock(cup, actor=doris)
        home.database.touch()
        at = timezone.now().timestamp() + 1200
        os.utime(home.database, (at, at))
        now.shift(-300)

        correct_clocks_at_start(find_last_write_time(home))

        assert left(cup) == 2400
    assert never == 0.0
