"""The director's knock-out in Chromium: accessible and narrow enough in every state, and a lot drawn by keyboard."""

from typing import Any

import pytest

from tests import factories
from tests.games.conftest import browser
from tests.tournament.operations import knockouts
from tournament.models import MatchLot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def sign_in(page: Any, address: str) -> None:
    """Doris's session and English, in the browser."""
    cookies = browser(factories.director().user).cookies
    page.context.add_cookies([{"name": name, "value": item.value, "url": address} for name, item in cookies.items()])


def level() -> str:
    """A knock-out in which one semi-final waits for lots; the address of its page."""
    division = knockouts.seeded(third_place=True)
    knockouts.play(division, 1, 1, 1, 400, 400)
    return f"/director/{division.tournament.slug}/knockout/"


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")])
def test_pages_are_accessible_and_fit(live_server: Any, page: Any, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    played = level()
    none = factories.event("Ohne")
    announced = factories.event("Setzliste", rounds=1)
    factories.played(announced)
    knockouts.announce(announced, 4)
    sign_in(page, live_server.url)
    page.set_viewport_size({"width": width, "height": 740})
    page.emulate_media(color_scheme=scheme)
    seeds = f"/director/{announced.tournament.slug}/knockout/"
    found = {}

    for path in (played, f"/director/{none.tournament.slug}/knockout/", seeds, f"{seeds}announce/"):
        page.goto(live_server.url + path)
        violations = [violation["id"] for violation in axe.run(page).response["violations"]]
        found[path] = (violations, page.evaluate(OVERFLOW))

    assert found == dict.fromkeys(found, ([], 0))


def test_a_lot_is_drawn_by_keyboard(live_server: Any, page: Any) -> None:
    address = live_server.url + level()
    sign_in(page, live_server.url)
    page.goto(address)

    page.get_by_role("button", name="Let the program draw").focus()
    page.keyboard.press("Enter")
    page.get_by_text("The lot decides for").wait_for()

    assert MatchLot.objects.count() == 1
