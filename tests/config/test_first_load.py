"""What a browser that comes for the first time loads over the hall's radio, beside photos: page, styles and scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests import factories
from tests.browsers import sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

MOST_BYTES = 60_000
DIRECTED = (
    *("", "entries/", "entries/check-in/", "rounds/", "rounds/2/", "results/2/"),
    *("table/", "end/", "settings/", "print/", "hall/"),
)
PUBLIC = ("", "table/", "crosstable/", "rounds/2/", "players/P01/", "announcement/")


def transferred(browser: Browser, address: str, *, signed_in: bool) -> int:
    """The bytes that a browser with an empty cache gets for a page, as they come over the wire."""
    context = browser.new_context()
    if signed_in:
        sign_in(context, address)
    page, sizes = context.new_page(), {}
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda told: sizes.update({told["requestId"]: told["encodedDataLength"]}))
    page.goto(address, wait_until="load")
    context.close()
    return int(sum(sizes.values()))


def test_no_page_is_heavy_for_whoever_comes_first(browser: Browser, live_server: Any) -> None:
    division = factories.event(players=24, rounds=7)
    factories.played(division)
    factories.published(division)
    root = f"{live_server.url}/director/herbst-cup/"
    pages = {f"director: {path}": transferred(browser, root + path, signed_in=True) for path in DIRECTED}
    shown = f"{live_server.url}/t/herbst-cup/"
    pages |= {f"public: {path}": transferred(browser, shown + path, signed_in=False) for path in PUBLIC}

    assert {page: size for page, size in pages.items() if not 0 < size <= MOST_BYTES} == {}
