"""Two helpers who save the same table in the same moment."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from tests import factories
from tests.games import steps
from tests.games.conftest import browser
from tests.threads import at_once
from tournament.models import Pairing, Result

pytestmark = pytest.mark.django_db(transaction=True)


def both(page: str, first: dict[str, str], second: dict[str, str]) -> list[HttpResponse]:
    """Doris and Eva press Enter together; the answers they get."""
    doris, eva = browser(factories.director().user), browser(factories.director("eva").user)
    answers = at_once(lambda: doris.post(page, first), lambda: eva.post(page, second))
    assert all(isinstance(answer, HttpResponse) for answer in answers), answers
    return [answer for answer in answers if isinstance(answer, HttpResponse)]


@pytest.fixture
def table() -> Pairing:
    round = factories.published(factories.event(players=8))
    return Pairing.objects.select_related("round__division__tournament").with_players().get(round=round, table=1)


def test_grid_saves_one_and_shows_the_other_both(table: Pairing) -> None:
    page = reverse("games:grid", args=[table.round.division.tournament.slug, 1])

    answers = both(page, steps.row(table, "412", "398"), steps.row(table, "421", "389"))

    assert sorted(answer.status_code for answer in answers) == [200, 302]
    (official,) = Result.objects.all()
    refused = next(answer.content.decode() for answer in answers if answer.status_code == 200)
    assert f"{official.first_points} : {official.second_points}" in refused
    assert ('value="421"' if official.first_points == 412 else 'value="412"') in refused


def test_grid_saves_the_same_from_both_once(table: Pairing) -> None:
    page = reverse("games:grid", args=[table.round.division.tournament.slug, 1])

    answers = both(page, steps.row(table, "412", "398"), steps.row(table, "412", "398"))

    assert [answer.status_code for answer in answers] == [302, 302]
    assert steps.versions(table) == [(1, True, 412, 398)]


def test_page_saves_one_and_shows_the_other_both(table: Pairing) -> None:
    page = reverse("games:result", args=[table.round.division.tournament.slug, table.pk])

    answers = both(page, steps.page(table, "412", "398"), steps.page(table, "421", "389"))

    assert sorted(answer.status_code for answer in answers) == [200, 302]
    (official,) = Result.objects.all()
    refused = next(answer.content.decode() for answer in answers if answer.status_code == 200)
    assert f"{official.first_points} : {official.second_points}" in refused
    assert ('value="421"' if official.first_points == 412 else 'value="412"') in refused
