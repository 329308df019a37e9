"""A machine's clock that jumps between any two acts costs no event a row."""

import random
from collections.abc import Iterable
from datetime import timedelta
from http import HTTPStatus

import pytest
import time_machine
from django.test import Client
from django.utils.timezone import localdate

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
@pytest.mark.sampled(1)
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


FILES = (
    *("/t/{}/", "/t/{}/table/", "/t/{}/table.pdf", "/t/{}/table.xlsx", "/t/{}/table.csv", "/t/{}/feed.atom"),
    *("/t/{}/event.ics", "/t/{}/card.png", "/api/v1/events", "/api/v1/events/{}/table", "/director/{}/journal/"),
    *("/director/", "/director/{}/", "/director/{}/entries/", "/director/{}/results/1/", "/director/{}/hall/"),
    *("/director/{}/print/scoresheets.pdf", "/director/{}/export/tournament/"),
    *("/director/{}/export/website.zip", "/director/{}/journal/journal.csv"),
)


FEW_FILES = (
    *("/t/{}/", "/t/{}/table.pdf", "/t/{}/table.xlsx", "/t/{}/feed.atom", "/t/{}/event.ics", "/director/{}/journal/"),
    *("/director/{}/", "/director/{}/export/tournament/"),
)
"""One of each kind that says when it was made."""


@pytest.mark.django_db
@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("1970-01-02 12:00 +0100", marks=pytest.mark.long),  # a machine without a battery
        pytest.param("1999-12-31 23:59:59 +0100", marks=pytest.mark.long),
        pytest.param("2026-10-25 02:30 +0200", marks=pytest.mark.long),  # comes again an hour later
        pytest.param("2027-03-28 03:00 +0200", marks=pytest.mark.long),  # the second after 1:59:59
        pytest.param("2038-01-19 04:14:08 +0100", marks=pytest.mark.long),  # 2³¹ seconds
        pytest.param("2108-01-01 12:00 +0100", marks=pytest.mark.long),  # no zip knows this year
    ],
)
def test_pages_and_files_at_an_odd_hour(moment: str, client: Client) -> None:
    require_answers(client, moment, FILES)


@pytest.mark.django_db
def test_few_files_of_a_machine_without_a_battery(client: Client) -> None:
    require_answers(client, "1970-01-02 12:00 +0100", FEW_FILES)


def require_answers(client: Client, moment: str, files: Iterable[str]) -> None:
    """At that moment a round is played, and each of the files is there."""
    with time_machine.travel(moment):
        factories.sign_in(client)
        division = factories.event(players=4, rounds=0, starts_on=localdate(), ends_on=localdate())
        factories.played(division)
        slug = division.tournament.slug
        faults = []
        for path in files:
            answer = client.get(path.format(slug))
            if not b"".join(answer) or answer.status_code != HTTPStatus.OK:
                faults.append((path, answer.status_code))

    assert faults == []
    assert find_journal_differences(Tournament.objects.get()) == []
