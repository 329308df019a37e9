"""A machine's clock that jumps between any two acts costs no event a row."""

import random
from datetime import timedelta

import pytest
import time_machine

from tests import factories
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import TERMINAL_ACTOR
from tournament.entries.operations.attendance import withdraw_entry
from tournament.models import Entry, JournalEntry, Tournament
from tournament.table.files import build_standings_json
from tournament.table.league import load_table

START = "2026-10-03 14:00 +0200"
JUMPS = [timedelta(days=-400), timedelta(hours=-2), timedelta(seconds=-1), timedelta(hours=1), timedelta(days=3650)]


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
def test_event_goes_on_while_the_clock_jumps(seed: int) -> None:
    chance = random.Random(seed)
    with time_machine.travel(START, tick=False) as now:
        division = factories.event(players=6, rounds=0).tournament.divisions.get()
        for _round in range(3):
            now.shift(chance.choice(JUMPS))
            factories.played(factories.fresh(division))
        now.move_to("2026-10-03 20:00 +0200")
        now.shift(chance.choice(JUMPS))
        withdraw_entry(Entry.objects.filter(division=division).in_order()[0], after=3, actor=factories.director())
        event = Tournament.objects.get(pk=division.tournament_id)

        numbers = list(JournalEntry.objects.filter(tournament=event).order_by("pk").values_list("number", flat=True))
        assert numbers == list(range(1, event.revision + 1))
        assert find_journal_differences(event) == []
        anew = rebuild_event(event.slug, "anew", actor=TERMINAL_ACTOR).tournament
        assert [build_standings_json(load_table(each)) for each in anew.divisions.all()] == [
            build_standings_json(load_table(factories.fresh(division)))
        ]
