"""The director's knock-out in Chromium: accessible and narrow enough in every state, and a lot drawn by keyboard."""

from typing import Any

import pytest

from tests import factories
from tests.browsers import faults, sign_in
from tests.tournament.knockout import knockouts
from tournament.models import MatchLot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def level() -> str:
    """A knock-out in which one semi-final waits for lots; the address of its page."""
    division = knockouts.seeded(third_place=True)
    knockouts.level(division)
    return f"/director/{division.tournament.slug}/knockout/"


def test_pages_are_accessible_and_fit(live_server: Any, page: Any) -> None:
    played = level()
    none = factories.event("Ohne")
    announced = factories.event("Setzliste", rounds=1)
    factories.played(announced)
    knockouts.announce(announced, 4)
    sign_in(page.context, live_server.url)
    seeds = f"/director/{announced.tournament.slug}/knockout/"
    found = []

    own = knockouts.seeded(criteria=("own",), own_criterion="wer das längste Wort der ganzen Begegnung gelegt hat")
    knockouts.play(own, 1, 1, 1, 400, 400)
    waits = f"/director/{own.tournament.slug}/knockout/"

    for path in (played, waits, f"/director/{none.tournament.slug}/knockout/", seeds, f"{seeds}announce/"):
        page.goto(live_server.url + path)
        found += faults(page)

    assert found == []


def test_a_lot_is_drawn_by_keyboard(live_server: Any, page: Any) -> None:
    address = live_server.url + level()
    sign_in(page.context, live_server.url)
    page.goto(address)

    page.get_by_role("button", name="Let the program draw").focus()
    page.keyboard.press("Enter")
    page.get_by_text("The lot decides for").wait_for()

    assert MatchLot.objects.count() == 1
