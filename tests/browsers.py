"""A real browser in the tests: Doris signed in, and what every page is measured by. Knows no Playwright by itself."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urljoin

import pytest
from django.conf import settings

from tests import factories
from tests.games.conftest import browser
from tournament.core.change import Actor

SCREENS = [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")]
"""Widths and colours in which a page has to be right."""

HEIGHT = 740
"""Pixels of those screens from top to bottom."""

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""Script: by how many pixels a page is wider than the screen."""

DIAGONALS = (SCREENS[::3], SCREENS[1:3])
"""Two screens that are both widths and both schemes, and the two others."""

GLASS_PARTS = "p, img, table, .tiles b, .board-frame, .slide-tile"

OUTSIDE_THE_GLASS = f"""() => [...document.querySelectorAll(":is(.slide, .screen-with-board) :is({GLASS_PARTS})")]
    .filter((each) => !each.closest(".visually-hidden") && !each.closest(".duplicate-clock"))
    .filter((each) => {{ const box = each.getBoundingClientRect();
      return box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1; }})
    .map((each) => each.className + ": " + each.textContent.trim().slice(0, 40))"""
"""Script: what of a slide or a board does not lie wholly on the glass."""

WIDE_GLASSES = ((1280, 720), (1920, 1080), (3840, 2160), (1024, 768))
"""Screens of a hall: 720p, 1080p, 4K, and an old projector."""

COLOURS = ["color-contrast", "link-in-text-block"]

VIOLATIONS = """async (only) => {
  const found = await axe.run({resultTypes: ["violations"], ...(only && {runOnly: only})});
  return found.violations.flatMap(({id, nodes}) => nodes.map(({html}) => `${id}: ${html}`));
}"""
"""Script: what axe finds by these rules, or by all, on a page into which it was laid."""


def sign_in(context: Any, address: str, who: Actor | None = None) -> None:
    """Somebody's session, Doris's unless said otherwise, and English, in a browser that will visit this address."""
    cookies = browser((who or factories.director()).user).cookies
    root = urljoin(address, "/")
    context.add_cookies([{"name": name, "value": morsel.value, "url": root} for name, morsel in cookies.items()])


def read_english(context: Any, address: str) -> None:
    """A visitor's choice of English in a browser that will visit this address."""
    context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "en", "url": urljoin(address, "/")}])


def load_axe_source() -> str:
    """The script that axe is; the test is skipped where it is missing."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="comes with requirements-dev.txt")
    return str(axe.AXE_SCRIPT)


def faults(page: Any, *measures: str, screens: Sequence[tuple[int, str]] = DIAGONALS[0]) -> list[str]:
    """What is wrong with the page as it stands, on these screens: what axe finds, pixels beyond the screen's width,
    and what further scripts list. A light phone and a dark laptop are enough for most pages: the parts that they are
    made of are looked at on all four screens in `tests/config/test_style.py`. Nothing is loaded anew for a screen:
    style sheets alone tell screens apart. Axe asks all that it knows when a width comes first, then about colours
    alone, on which nothing else depends.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(load_axe_source())
    found, widths = [], set[int]()
    for width, scheme in screens:
        if page.viewport_size != {"width": width, "height": HEIGHT}:  # it would be laid out again
            page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no colour on its way to another one
        said = page.evaluate(VIOLATIONS, COLOURS if width in widths else None)
        widths.add(width)
        if beyond := page.evaluate(OVERFLOW):
            said.append(f"{beyond} pixels too wide")
        for script in measures:
            said += page.evaluate(script)
        found += [f"{page.url}, {width} {scheme}: {each}" for each in said]
    return found


def keys(page: Any, *typed: str) -> None:
    """Type texts and press keys: a word of a capital and small letters (`Tab`, `ArrowDown`, `Alt+Delete`) is a key."""
    for each in typed:
        if re.fullmatch(r"(?:[A-Z][a-z]+\+?)+", each):
            page.keyboard.press(each)
        else:
            page.keyboard.type(each)


BOXES = """(selectors) => selectors.map((css) => [...document.querySelectorAll(css)].map((part) => {
  const {left, top, right, bottom} = part.getBoundingClientRect();
  return part.getClientRects().length ? [left, top, right, bottom] : null;
}))"""
"""Script: the edges of all parts that each selector finds, null for one that is not shown."""


def parts_out_of_sight(page: Any, width: int, height: int, *selectors: str) -> list[str]:
    """Which of these parts (CSS selectors; `selector @ 8` means its first eight matches) a screen of this size does not
    show whole before anybody scrolls, each with what is the matter.
    """
    page.set_viewport_size({"width": width, "height": height})
    wanted = [selector.partition(" @ ") for selector in selectors]
    measured = page.evaluate(BOXES, [css for css, _at, _number in wanted])  # at once: a live page may change meanwhile
    found = []
    for (selector, _at, number), listed in zip(wanted, measured, strict=True):
        boxes = listed[: int(number or 1)]
        if len(boxes) < int(number or 1) or None in boxes:
            found.append(f"{selector}: only {len([box for box in boxes if box])} there")
            continue
        found += [
            f"{selector}: ends at {right:.0f} × {bottom:.0f}"
            for left, top, right, bottom in boxes
            if left < 0 or top < 0 or right > width or bottom > height
        ]
    return found
