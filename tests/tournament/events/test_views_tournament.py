"""A tournament's first page."""

import datetime as dt

import pytest
from django.test import Client

from tests import factories
from tests.markup import tidy
from tournament.ending.operations import add_prize, end_tournament, publish_prizes
from tournament.ending.plan import PrizePlan
from tournament.events.operations import add_division
from tournament.models import Division
from tournament.rounds.operations import close_round

CUP = "/t/herbst-cup/"
ANNOUNCEMENT = f"{CUP}announcement/"


@pytest.fixture
def public_cup(db: None) -> Division:
    """As usual, but a test's own: others here make an event of the same name."""
    return factories.public_cup()


def test_announcement_states_what_the_rules_ask_for(reader: Client) -> None:
    division = factories.event(
        players=1,
        place="Fulda",
        starts_on=dt.date(2026, 10, 3),
        ends_on=dt.date(2026, 10, 4),
        announcement="Einlass ab 9 Uhr.\n\nhttps://example.org",
    )
    factories.entry(division, "Baum, Peter", exception="spielt mit Lupe")

    page = tidy(reader.get(ANNOUNCEMENT).content.decode())

    for words in (
        "3–4 October 2026 · Fulda",
        "Einlass ab 9 Uhr.",
        '<a href="https://example.org" rel="nofollow">',
        "wins, then spread, points, head-to-head, highest game (TSO 6.1)",
        "30 minutes",
        "Fixed beforehand, so that starts and replies stay even (TSO 2.2 a)",
        "<dt>Rounds 1–7</dt><dd>Swiss: the upper half of players with equal wins meets the lower half</dd>",
        '<dt translate="no">Baum, Peter</dt><dd>spielt mit Lupe</dd>',
    ):
        assert words in page


def test_tournament_before_the_first_round_says_so(reader: Client) -> None:
    division = factories.event(players=2)
    factories.draft(division)

    page = reader.get(CUP).content.decode()

    assert "Before the first round" in page
    assert "2 players" in page
    assert f'href="{ANNOUNCEMENT}"' in page
    assert "btn-primary" not in page


def test_tournament_under_way_says_how_far(public_cup: Division, reader: Client) -> None:
    page = reader.get(CUP).content.decode()

    assert "Round 3 of 7 is under way" in page
    assert '<progress class="progress-line" value="1" max="2" aria-label="1 of 2 results">' in page
    assert 'href="/t/herbst-cup/rounds/3/"' in page


def test_tournament_played_to_the_end_says_so(reader: Client) -> None:
    division = factories.event(players=2, rounds=1)
    made = factories.played(division)
    close_round(made, actor=factories.director())

    assert "2 players · 1 round · all is played" in tidy(reader.get(CUP).content.decode())


def test_announcement_without_a_plan_says_so(reader: Client) -> None:
    factories.event(players=0, rounds=0)

    assert "Not announced yet." in reader.get(ANNOUNCEMENT).content.decode()


def test_each_division_is_shown_its_own_plan_and_stage(public_cup: Division, reader: Client) -> None:
    add_division(public_cup.tournament, name="B", actor=factories.director())

    assert "Not announced yet." in reader.get(f"{ANNOUNCEMENT}?division=B").content.decode()
    assert "Before the first round" in reader.get(f"{CUP}?division=B").content.decode()


def over(name: str = "Herbst-Cup") -> Division:
    """One round of four players and a final: P02 beats P01, who led the table."""
    division = factories.event(name, players=4, rounds=1)
    factories.played(division, (500, 300), (450, 310))
    seeded = factories.knockout(division, 2)
    factories.knockout_game(seeded, (1, 1, 1), 380, 402)
    return seeded


def test_tournament_that_is_over_begins_with_the_final_ranking(reader: Client) -> None:
    over()

    page = tidy(reader.get(CUP).content.decode())

    for words in (
        '<h1><span class="name">Winner: Dvořák, Jana</span></h1>',
        "4 players · 1 round, then the knock-out: 2 players, one game (TSO 6.2.1) · all is played",
        "Final 402 : 380 against Aumann, Klara · seed 2",
        "Final 380 : 402 against Dvořák, Jana · seed 1",
        "First the places of the knock-out, then those of the table: wins, then spread",
    ):
        assert words in page


def test_tournament_with_its_knockout_open_has_no_final_ranking(reader: Client) -> None:
    division = factories.event(players=4, rounds=1)
    factories.played(division)
    factories.knockout(division, 2)

    page = reader.get(CUP)

    assert "end" not in page.context
    assert "<h1>Knock-out</h1>" in tidy(page.content.decode())


def test_tournament_ended_early_shows_the_final_ranking_of_what_was_played(reader: Client) -> None:
    division = factories.event(players=4, rounds=7)
    factories.played(division, (500, 300), (450, 310))
    end_tournament(division.tournament, accept_open=True, actor=factories.director())

    page = tidy(reader.get(CUP).content.decode())

    assert '<h1><span class="name">Winner: Aumann, Klara</span></h1>' in page
    assert "4 players · 1 round · ended" in page
    assert "The places are those of the table: wins, then spread" in page


def test_tournament_ended_without_a_round_has_no_winner(reader: Client) -> None:
    division = factories.event(players=4, rounds=7)
    end_tournament(division.tournament, accept_open=True, actor=factories.director())

    page = reader.get(CUP)

    assert "end" not in page.context
    assert '<h1><span translate="no">Herbst-Cup</span></h1>' in tidy(page.content.decode())


def test_prizes_are_shown_once_they_are_public_and_their_winners_at_the_end(reader: Client) -> None:
    division = factories.event(players=4, rounds=1)
    doris = factories.director()
    add_prize(division, plan=PrizePlan(kind="highest_game", award="1 kg Nougat"), actor=doris)
    hidden = reader.get(ANNOUNCEMENT).content.decode()

    publish_prizes(division, public=True, actor=doris)
    announced = tidy(reader.get(ANNOUNCEMENT).content.decode())
    factories.played(division, (500, 300), (500, 310))
    won = tidy(reader.get(CUP).content.decode())

    assert "Nougat" not in hidden
    assert '<li>Highest game <span class="why">1 kg Nougat</span></li>' in announced
    assert "500 points against Dvořák, Jana" in won
    assert "500 points against Öztürk, Cem" in won
    assert "shared: they are level" in won


def test_each_division_has_a_final_ranking_of_its_own(reader: Client) -> None:
    division = over()
    add_division(division.tournament, name="B", actor=factories.director())

    assert "end" in reader.get(f"{CUP}?division=A").context
    assert "end" not in reader.get(f"{CUP}?division=B").context


def test_without_a_plan_no_round_is_called_the_last(reader: Client) -> None:
    factories.played(factories.event(players=2, rounds=0))

    page = tidy(reader.get(CUP).content.decode())

    assert "<h1>Round 1 is played</h1>" in page
    assert "All rounds are played" not in page


def test_open_game_of_an_earlier_round_keeps_the_rounds_from_being_over(reader: Client) -> None:
    division = factories.event(players=4, rounds=2)
    factories.result(factories.published(division), 1, 420, 380)
    factories.played(division)

    page = tidy(reader.get(CUP).content.decode())

    assert "<h1>Round 2 of 2 is played</h1>" in page
