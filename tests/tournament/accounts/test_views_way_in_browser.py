"""Codes and links where no phone can open them, in Chromium: nothing empty beside them, and a code on one line."""

from typing import Any

import pytest
from django.urls import reverse

from tests import factories
from tests.browsers import sign_in
from tournament.accounts.views import way_in
from tournament.basics.addresses import NetworkReach

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MEASURE = """text => {
    const box = document.querySelector(text).getBoundingClientRect(), range = document.createRange();
    range.selectNodeContents(document.querySelector(text));
    const around = document.querySelector('.code-beside').getBoundingClientRect();
    return {left: box.left - around.left, over: range.getBoundingClientRect().right - around.right,
            lines: new Set([...range.getClientRects()].map(line => Math.round(line.top))).size};
}"""


@pytest.mark.parametrize("width", [360, 1366])
def test_code_and_link_take_the_whole_width_without_a_picture(
    width: int, live_server: Any, page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(way_in, "get_reach", lambda: NetworkReach.THIS_MACHINE)
    division = factories.event(players=2)
    slug, entry = division.tournament.slug, division.entries.in_order()[0]
    sign_in(page.context, live_server.url)
    page.set_viewport_size({"width": width, "height": 740})

    page.goto(live_server.url + reverse("director:entry", args=[slug, entry.pk]))
    link = page.evaluate(MEASURE, ".code-address")
    page.goto(live_server.url + reverse("director:way_in", args=[slug]))
    page.fill("[name=name]", "Hanna")
    page.click("main form button[type=submit].btn-primary")
    page.wait_for_selector(".code-text")
    code = page.evaluate(MEASURE, ".code-text")

    assert (link["left"], code["left"]) == (0, 0)
    assert link["over"] <= 0.5
    assert (code["lines"], code["over"] <= 0.5) == (1, True)
