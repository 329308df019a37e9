"""Which browsers have a screen of the hall before them just now: how large their glass is, when they last asked.

Kept in the cache alone: it is nobody's record, and nothing depends on it. A browser is known by a word that its page
has made up for itself.
"""

import re
import time
from dataclasses import dataclass

from django.core.cache import cache

LISTENS = 8.0
"""Seconds without a question after which a screen counts as gone; it asks every second or two."""

KEPT = 12 * 3600
"""Seconds for which it is remembered when a screen was last heard."""

MOST = 12
"""Browsers that are remembered of one screen."""

BROWSER = re.compile("[0-9a-z]{1,16}")
LARGEST = 20_000
"""Pixels; no glass is wider."""


@dataclass(frozen=True, slots=True)
class Listener:
    """A browser: width and height of its page in pixels, and when it last asked, in seconds since 1970."""

    width: int
    height: int
    at: float

    @property
    def listens(self) -> bool:
        """Whether it has asked just now."""
        return time.time() - self.at < LISTENS


def _key(tournament: int, screen: int) -> str:
    return f"screen:{tournament}:{screen}"


def heard(tournament: int, screen: int, *, browser: str, width: int, height: int) -> None:
    """Note that a browser with this screen has asked. What no page of ours would send is left out.

    Two that ask at the same moment may miss each other until the next time.
    """
    if not (BROWSER.fullmatch(browser) and 0 < width <= LARGEST and 0 < height <= LARGEST):
        return
    found = cache.get(_key(tournament, screen), {})
    others = [(name, each) for name, each in found.items() if name != browser and time.time() - each[2] < KEPT]
    newest = sorted(others, key=lambda each: each[1][2])[1 - MOST :]
    cache.set(_key(tournament, screen), {**dict(newest), browser: (width, height, time.time())}, KEPT)


def listeners(tournament: int, screens: list[int]) -> dict[int, list[Listener]]:
    """The browsers of each screen, the one heard last at the front. One question to the cache."""
    kept = cache.get_many([_key(tournament, screen) for screen in screens])
    return {
        screen: sorted(
            (Listener(*each) for each in kept.get(_key(tournament, screen), {}).values()), key=lambda each: -each.at
        )
        for screen in screens
    }
