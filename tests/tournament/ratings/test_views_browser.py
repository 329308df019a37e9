"""The pages of ratings in Chromium: on every screen, folded and unfolded, all can use them."""

from typing import Any

import pytest
from django.urls import reverse

from tests import factories
from tests.browsers import faults, parts_out_of_sight, sign_in
from tournament.models import Entry
from tournament.ratings.club import list_corrections

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("system", ["tsh-deu", "norwegian"])
def test_preview_unfolds_to_the_games(live_server: Any, page: Any, system: str) -> None:
    division = factories.event(players=24, rounds=0, rating_system=system, ratings_public=True)
    Entry.objects.update(rating=1512, games=73)
    Entry.objects.filter(key="P03").update(rating=None, games=0)
    factories.season(division, 9)
    sign_in(page.context, live_server.url)
    found = []

    for name in ("director:ratings", "public:ratings"):
        page.set_viewport_size({"width": 1366, "height": 768})
        page.goto(live_server.url + reverse(name, args=[division.tournament.slug]))
        found += parts_out_of_sight(page, 1366, 768, ".chance @ 9")
        page.locator(".chance > summary").first.click()
        found += faults(page)

    assert found == []


def test_list_its_history_and_a_correction(live_server: Any, page: Any) -> None:
    division = factories.event(players=24, rounds=1)
    Entry.objects.update(rating=1512, games=73)
    round = factories.played(division, *[(430 - 3 * table, 380) for table in range(12)])
    factories.result(round, 2, 399, 410)
    organiser = division.tournament.organiser
    sign_in(page.context, live_server.url)
    player = Entry.objects.get(division=division, key="P03").player_id
    [correction] = list_corrections(organiser)
    addresses = [
        reverse("director:rating_list"),
        reverse("director:rating_history", args=[player]),
        reverse("director:rating_correction", args=[correction.pk]),
    ]

    found = []
    for address in addresses:
        page.goto(live_server.url + address)
        found += faults(page)

    assert found == []
