"""A table by Keizer wherever it is shown: points and values, and nothing of them in other tables."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from scoring.standings import RankingBasis
from tests import factories
from tests.tournament.paper import samples
from tournament.chances.queries import load_chances
from tournament.core.words.figures import format_sixths
from tournament.files.print_room import render_document
from tournament.hall.contents import make_standings_part
from tournament.models import Division
from tournament.sharing.event_summary import load_event_summary

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def nights_of_module(*, shares_rows: bool) -> Division:
    division = factories.event(players=4, basis=RankingBasis.KEIZER)
    factories.played(division, (380, 420), (400, 400))
    return division


@pytest.fixture
def nights(nights_of_module: Division, db: None) -> Division:
    """Aumann, Dvořák, Müller-Lüdenscheidt and Öztürk after a round: the first lost, the others drew. So the worked case
    of docs/formats.md: Dvořák 9, Müller-Lüdenscheidt 7, Öztürk 6½, Aumann 3."""
    return factories.fresh(nights_of_module)


@pytest.mark.parametrize(("sixths", "text"), [(0, "0"), (1, "⅙"), (3, "½"), (12, "2"), (40, "6⅔"), (6005, "1.000⅚")])
def test_sixths_are_written_as_people_do(sixths: int, text: str) -> None:
    assert format_sixths(sixths) == text


def test_table_page_shows_points_and_values(nights: Division, client: Client) -> None:
    page = client.get(reverse("public:table", args=[nights.tournament.slug]))

    rows = [row.record.standing for row in page.context["table"].rows]
    assert [(row.keizer, row.value) for row in rows] == [(54, 6), (42, 5), (39, 4), (18, 3)]
    assert "Keizer-Punkte 6½ gegen 7" in page.content.decode()
    assert "Wert des Gegners" in page.content.decode()


def test_files_have_points_and_values_behind_the_rest(nights: Division, client: Client) -> None:
    address = reverse("public:table_file", args=[nights.tournament.slug, "csv"])
    lines = client.get(address).content.decode("utf-8-sig").splitlines()

    assert lines[0].endswith(";Keizer-Punkte;Wert")
    assert [line.split(";")[-2:] for line in lines[1:]] == [["9", "6"], ["7", "5"], ["6,5", "4"], ["3", "3"]]
    rows = json.loads(client.get(address.replace("csv", "json")).content)
    assert [(row["keizer_sixths"], row["keizer_value"]) for row in rows] == [(54, 6), (42, 5), (39, 4), (18, 3)]


def test_other_tables_have_none(client: Client) -> None:
    division = factories.event(players=4)
    factories.played(division)
    address = reverse("public:table_file", args=[division.tournament.slug, "csv"])

    assert "Keizer" not in client.get(address).content.decode("utf-8-sig")
    assert "keizer_sixths" not in json.loads(client.get(address.replace("csv", "json")).content)[0]
    assert "Keizer" not in client.get(reverse("public:table", args=[division.tournament.slug])).content.decode()


def test_screens_frames_and_the_front_page_go_by_the_points(nights: Division, client: Client) -> None:
    part = make_standings_part(nights)

    assert [heading.text for heading in part.headings][3:] == ["Keizer-Punkte", "Siege", "Differenz"]
    assert part.rows[2].cells[3] == "6½"
    assert [place.figure for place in load_event_summary(nights).places] == ["9", "7", "6½"]
    assert "9 Keizer-Punkte" in client.get("/").content.decode()


def test_what_can_still_happen_is_not_said_and_the_page_says_why(nights: Division, client: Client) -> None:
    why = "Nach Keizer wird nichts vorhergesagt: Jedes Ergebnis verschiebt, was alle anderen Partien zählen."

    assert load_chances(nights).prospects == {}
    assert why in client.get(reverse("public:chances", args=[nights.tournament.slug])).content.decode()
    assert why in " ".join(samples.pages(render_document("chances", nights))[0].split())
    answer = client.get(f"/api/v1/events/{nights.tournament.slug}/chances").json()
    assert answer["items"] == []


def test_announcement_says_what_counts(nights: Division, client: Client) -> None:
    page = client.get(reverse("public:announcement", args=[nights.tournament.slug])).content.decode()

    assert "von 10 Spielern hat der Erste 15".casefold() in page.casefold()
    assert "Keizer-Punkte, dann Differenz" in page
