"""A finished sheet of players with long names in Chromium, on a phone."""

from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse

from games.models import Scoresheet
from games.sheets.lines import WrittenEnding
from games.sheets.operations import finish_sheet, open_sheet
from tests import factories
from tests.games.conftest import browser
from tests.games.sheets.games import TYPED
from tests.games.sheets.steps import version, write
from tournament.models import Pairing

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def paper() -> Scoresheet:
    """The finished sheet of table 2, where Ann-Kathrin Müller-Lüdenscheidt starts."""
    round = factories.published(factories.event(players=4, ruleset="tso-2017"))
    table = Pairing.objects.select_related("round__division__tournament").get(round=round, table=2)
    made = open_sheet(table, keeper=Scoresheet.Keeper.FIRST, actor=factories.director())
    write(made, *TYPED)
    ending = WrittenEnding(left=("ST", ""), settlement=(None, None), final=(999, 999), is_finished=True)
    finish_sheet(made, ending=ending, actor=factories.director(), expected_version=version(made))
    return made


def test_end_and_totals_fit_a_phone_whatever_the_names(live_server: Any, page: Any, paper: Scoresheet) -> None:
    client = browser(factories.director().user)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"  # its words are the longer ones
    page.context.add_cookies(
        [{"name": name, "value": morsel.value, "url": live_server.url} for name, morsel in client.cookies.items()]
    )
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(live_server.url + reverse("games:sheet", args=[paper.pairing.round.division.tournament.slug, paper.pk]))

    assert page.locator(".sheet-totals th").get_by_text("Müller-Lüdenscheidt").is_visible()
    assert page.locator(".sheet-ending th").get_by_text("Müller-Lüdenscheidt").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_lines_that_wait_for_the_network_fit_a_phone(live_server: Any, page: Any, paper: Scoresheet) -> None:
    client = browser(factories.director().user)
    page.context.add_cookies(
        [{"name": name, "value": morsel.value, "url": live_server.url} for name, morsel in client.cookies.items()]
    )
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(live_server.url + reverse("games:sheet", args=[paper.pairing.round.division.tournament.slug, paper.pk]))

    page.context.set_offline(True)
    page.locator("[name=word]").fill("8H " + "UNGESPEICHERTESWORT" * 5)
    page.keyboard.press("Enter")
    page.locator("#sheet-pending li").first.wait_for()

    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.context.set_offline(False)
