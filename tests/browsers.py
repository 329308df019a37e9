"""A real browser in the tests: Doris signed in, and what every page is measured by. Knows no Playwright by itself."""

import re
from typing import Any
from urllib.parse import urljoin

from django.conf import settings

from tests import factories
from tests.games.conftest import browser

SCREENS = [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")]
"""Widths and colours in which a page has to be right."""

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
"""Script: by how many pixels a page is wider than the screen."""


def sign_in(context: Any, address: str) -> None:
    """Doris's session, and English, in a browser that will visit this address."""
    cookies = browser(factories.director().user).cookies
    root = urljoin(address, "/")
    context.add_cookies([{"name": name, "value": morsel.value, "url": root} for name, morsel in cookies.items()])


def read_english(context: Any, address: str) -> None:
    """A visitor's choice of English in a browser that will visit this address."""
    context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "en", "url": urljoin(address, "/")}])


def keys(page: Any, *typed: str) -> None:
    """Type texts and press keys: a word of a capital and small letters (`Tab`, `ArrowDown`, `Alt+Delete`) is a key."""
    for each in typed:
        if re.fullmatch(r"(?:[A-Z][a-z]+\+?)+", each):
            page.keyboard.press(each)
        else:
            page.keyboard.type(each)
