"""The final ranking as plain text, of every kind of event."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.final_ranking import PlacedBy
from tests import factories
from tests.games.duplicate.steps import evening
from tests.tournament.paper.samples import final_row
from tournament.ending.files import format_final_report, format_final_row
from tournament.ending.final_ranking import FinalRow
from tournament.ending.operations import add_prize
from tournament.ending.plan import PrizePlan
from tournament.events.operations import add_division, update_settings
from tournament.models import Division

pytestmark = [pytest.mark.usefixtures("english"), pytest.mark.django_db]


@pytest.fixture
def cup() -> Division:
    """One round of four players, over, with a prize."""
    division = factories.event(players=4, rounds=1)
    factories.played(division, (500, 300), (380, 380))
    add_prize(division, plan=PrizePlan(kind="place", place=4, title="Red lantern"), actor=factories.director())
    return factories.fresh(division)


@pytest.mark.parametrize(
    ("row", "placed_by", "said"),
    [
        (final_row(1, "Beispiel, Anna", "SC Fulda", 14, 512), "", "1. Beispiel, Anna (SC Fulda) 7 wins, +512"),
        (final_row(2, "Muster, Jörg", "", 11, -12), "table", "2. Muster, Jörg 5½ wins, −12"),
        (final_row(3, "Muster, Ute", "", 2, 0, withdrawn_after=0), "", "3. Muster, Ute 1 win, 0, withdrawn"),
        (final_row(1, "Ö", "", 9, 3, by=PlacedBy.FINAL), "Final 402 : 377", "1. Ö Final 402 : 377"),
        (final_row(None, "Ö", by=None), "still in the knock-out", "– Ö still in the knock-out"),
        (final_row(None, "Ö"), "table", "– Ö"),
    ],
)
def test_line_says_place_name_club_and_what_gave_the_place(row: FinalRow, placed_by: str, said: str) -> None:
    assert format_final_row(row, placed_by) == said


def test_text_of_an_event_has_places_prizes_and_what_is_to_be_known(cup: Division) -> None:
    text = format_final_report(cup.tournament)

    heading, ranking, won, notes = text.strip().split("\n\n")
    assert heading.startswith("Herbst-Cup")
    assert [line.split(" ")[0] for line in ranking.splitlines()] == ["1.", "2.", "2.", "4."]
    assert "1 win, +200" in ranking
    assert ranking.count("½ win, 0") == 2
    assert won.splitlines() == ["Prizes", "Red lantern: Dvořák, Jana"]
    assert "The places are those of the table" in notes
    assert "Provisional" not in text


def test_every_division_stands_under_its_name(cup: Division) -> None:
    add_division(cup.tournament, name="Masters", actor=factories.director())

    text = format_final_report(cup.tournament)

    assert f"\n\n{cup.name}\n1. " in text
    assert "\n\nMasters\nNobody has been entered yet." in text


def test_players_of_a_knockout_have_their_match(cup: Division) -> None:
    seeded = factories.knockout(cup, 2)
    factories.knockout_game(seeded, (1, 1, 1), 380, 402)

    first, second, third, *_rest = format_final_report(cup.tournament).split("\n\n")[1].splitlines()

    assert "Final 402 : 380 against" in first
    assert "Final 380 : 402 against" in second
    assert "½ win" in third


def test_session_has_its_points() -> None:
    session, _slip = evening("Avond", factories.director())

    text = format_final_report(session.division.tournament)

    assert "A\n1. Speler, 1 14 points, 100.00%\n2. Speler, 2 12 points, 85.71%\n" in text
    assert "After turn 1 of 22." in text


def test_page_shows_the_text_in_the_language_of_the_event(cup: Division, director_client: Client) -> None:
    update_settings(cup.tournament, actor=factories.director(), language="nl")

    page = director_client.get(reverse("director:final_text", args=[cup.tournament.slug])).content.decode()

    assert 'lang="nl">Herbst-Cup' in page
    assert "1 zege, +200" in page
    assert "data-copy" in page
