"""The page of the next round before the last result in Chromium: accessible and narrow enough in every state."""

from typing import Any

import pytest

from tests.browsers import faults, sign_in
from tests.tournament.rounds.test_outlook import change_everything, evening, stands
from tournament.pairing.values import Method

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_pages_are_accessible_and_fit(live_server: Any, page: Any) -> None:
    division = evening(12, 3, 1, method=Method.KING_OF_THE_HILL)
    address = f"{live_server.url}/director/{division.tournament.slug}/"
    sign_in(page.context, live_server.url)
    found = []

    page.goto(f"{address}rounds/outlook/")
    found += faults(page)
    stands(division)
    page.reload()
    found += faults(page)
    change_everything(division)
    for path in ("rounds/outlook/", ""):
        page.goto(address + path)
        assert page.get_by_text("Announced, but now paired otherwise.").is_visible()
        found += faults(page)

    assert found == []
