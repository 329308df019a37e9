"""A tournament's first page."""

import datetime as dt

from django.test import Client

from tests import factories
from tests.markup import tidy
from tournament.models import Division
from tournament.operations import rounds, tournaments

CUP = "/t/herbst-cup/"


def test_tournament_states_what_the_rules_ask_for(reader: Client) -> None:
    division = factories.event(
        players=1,
        place="Fulda",
        starts_on=dt.date(2026, 10, 3),
        ends_on=dt.date(2026, 10, 4),
        announcement="Einlass ab 9 Uhr.\n\nhttps://example.org",
    )
    factories.entry(division, "Baum, Peter", exception="spielt mit Lupe")

    page = tidy(reader.get(CUP).content.decode())

    for words in (
        "10/03/2026 – 10/04/2026 · Fulda",
        "Einlass ab 9 Uhr.",
        '<a href="https://example.org" rel="nofollow">',
        "wins, then spread, points, direct meeting, highest game (TSO 6.1)",
        "30 minutes",
        "Fixed beforehand, so that starts and replies stay even (TSO 2.2 a)",
        "<dt>Rounds 1–7</dt><dd>Swiss: the upper half of players with equal wins meets the lower half</dd>",
        "<dt>Baum, Peter</dt><dd>spielt mit Lupe</dd>",
    ):
        assert words in page


def test_tournament_before_the_first_round_says_so(reader: Client) -> None:
    division = factories.event(players=2)
    factories.draft(division)

    page = reader.get(CUP).content.decode()

    assert "Before the first round" in page
    assert "2 players" in page
    assert "btn-primary" not in page


def test_tournament_under_way_says_how_far(cup: Division, reader: Client) -> None:
    page = reader.get(CUP).content.decode()

    assert "Round 3 of 7" in page
    assert '<progress class="progress-line" value="1" max="2" aria-label="1 of 2 results">' in page
    assert 'href="/t/herbst-cup/rounds/3/"' in page


def test_tournament_played_to_the_end_says_so(reader: Client) -> None:
    division = factories.event(players=2, rounds=1)
    made = factories.played(division)
    rounds.close_round(made, actor=factories.director())

    assert "All rounds are played" in reader.get(CUP).content.decode()


def test_tournament_without_a_plan_says_so(reader: Client) -> None:
    factories.event(players=0, rounds=0)

    assert "Not announced yet." in reader.get(CUP).content.decode()


def test_tournament_shows_each_division_its_plan(cup: Division, reader: Client) -> None:
    tournaments.add_division(cup.tournament, name="B", actor=factories.director())

    page = reader.get(CUP + "?division=B").content.decode()

    assert "Not announced yet." in page
    assert "Before the first round" in page
