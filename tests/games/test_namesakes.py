"""Two of one name who play each other: whoever types what happened at their table sees whose field is whose."""

import re

import pytest
from django.test import Client

from games.referee.catalogue import list_incident_kinds
from scoring.awards import Outcome
from tests import factories
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.models import Pairing

pytestmark = pytest.mark.django_db


@pytest.fixture
def pairing() -> Pairing:
    """A published game of two of one name, from different clubs."""
    division = factories.event(players=0)
    for club in ("SC Köln", "SC Bonn"):
        enter_player(division, person=Person("Aal, Udo", club=club), actor=factories.director())
    return Pairing.objects.get(round=factories.published(division))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "path",
    [
        "results/1/",
        "result/{pk}/",
        "result/{pk}/referee/",
        "result/{pk}/referee/{kind}/",
        "result/{pk}/sheets/",
        "result/{pk}/photos/",
    ],
)
def test_page_of_a_table_says_which_of_two_namesakes(pairing: Pairing, client: Client, path: str) -> None:
    factories.sign_in(client)
    kind = list_incident_kinds(pairing.round.division.tournament.rules)[0].key
    address = f"/director/{pairing.round.division.tournament.slug}/{path.format(pk=pairing.pk, kind=kind)}"

    page = client.get(address).content.decode()

    assert {"Aal, Udo (SC Köln)", "Aal, Udo (SC Bonn)"} <= set(re.findall(r"Aal, Udo \(.*?\)", page))
    assert not re.search(r"Aal, Udo(?! \(SC)", page)


def test_forfeit_says_which_of_two_namesakes(pairing: Pairing, client: Client) -> None:
    factories.result(pairing.round, 1, None, None, outcome=Outcome.FIRST_FORFEITS)
    factories.sign_in(client)

    page = client.get(f"/director/{pairing.round.division.tournament.slug}/result/{pairing.pk}/").content.decode()

    assert "Aal, Udo (SC Köln): nicht angetreten" in page
    assert "Aal, Udo (SC Bonn) +50" in page
