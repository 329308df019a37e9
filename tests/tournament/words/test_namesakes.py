"""Two players of one name find the right table on every list of a round."""

import re

import pytest
from django.test import Client
from django.utils import translation

from tests import factories
from tests.tournament.printing import samples
from tournament.models import Division, Entry
from tournament.operations import entries
from tournament.operations.players import Person
from tournament.printing import documents
from tournament.words import namesakes

pytestmark = pytest.mark.django_db


@pytest.fixture
def division() -> Division:
    """Two of one name in two clubs, three of another of whom two share a club; one more alone with hers."""
    division = factories.event(players=0)
    clubs = ("SC Köln", "SC Bonn")
    people = [("Aal, Udo", club) for club in clubs] + [("Bär, Eva", club) for club in (*clubs, clubs[1])]
    for name, club in [*people, ("Cox, Ida", "SC Köln")]:
        entries.enter(division, person=Person(name, club=club), actor=factories.director(), anyway=True)
    return division


EXPECTED = [
    *["Aal, Udo (SC Köln)", "Aal, Udo (SC Bonn)"],
    *["Bär, Eva (SC Köln)", "Bär, Eva (P04)", "Bär, Eva (P05)", "Cox, Ida"],
]


def test_club_tells_namesakes_apart_or_else_the_number(division: Division) -> None:
    found = list(Entry.objects.filter(division=division).with_names().in_order())

    assert list(namesakes.called(found).values()) == EXPECTED


@pytest.mark.parametrize("path", ["rounds/1/", "rounds/1/?by=name", "screen/1/"])
def test_lists_of_a_round_tell_them_apart(division: Division, client: Client, path: str) -> None:
    factories.published(division)

    page = client.get(f"/t/{division.tournament.slug}/{path}").content.decode()

    assert all(name in page for name in EXPECTED)
    assert not re.search(r"(Aal, Udo|Bär, Eva)<", page.partition("<table")[2].partition("</table")[0])


@pytest.mark.parametrize("name", ["pairings", "pairings-by-name", "result-slips"])
def test_paper_of_a_round_tells_them_apart(division: Division, name: str) -> None:
    factories.published(division)

    with translation.override("de"):
        text = " ".join(" ".join(samples.pages(documents.render(name, division))).split())

    assert all(name in text for name in EXPECTED)
