"""Which browsers (by a word of their own) have a screen of the hall open, in the cache alone."""

import re
import time
from dataclasses import dataclass

from django.core.cache import cache

LISTENING_SECONDS = 8.0  # without a question; a screen asks every second or two
LISTENERS_KEPT_SECONDS = 12 * 3600
MOST_LISTENERS = 12  # of one screen
BROWSER_PATTERN = re.compile("[0-9a-z]{1,16}")
LARGEST_PIXELS = 20_000  # wider than any glass


@dataclass(frozen=True, slots=True)
class ScreenListener:
    """A browser: width and height of its page in pixels, when it last asked, in seconds since 1970, and how large the
    names on its page are, in pixels (0: there are none)."""

    width: int
    height: int
    at: float
    letters: int = 0

    @property
    def listens(self) -> bool:
        """Whether it has asked just now."""
        return time.time() - self.at < LISTENING_SECONDS


def _make_cache_key(tournament: int, screen: int) -> str:
    return f"screen:{tournament}:{screen}"


def note_listener(tournament: int, screen: int, *, browser: str, width: int, height: int, letters: int = 0) -> None:
    """Note that a browser with this screen has asked; of two at the same moment, one may be missed until next time."""
    # Anybody can send this, and it stands in the cache and on the desk: a short word and possible sizes only.
    if not (BROWSER_PATTERN.fullmatch(browser) and 0 < width <= LARGEST_PIXELS and 0 < height <= LARGEST_PIXELS):
        return
    key, now = _make_cache_key(tournament, screen), time.time()
    listeners = cache.get(key, {}).items()
    others = [(name, row) for name, row in listeners if name != browser and now - row[2] < LISTENERS_KEPT_SECONDS]
    # One fewer than there may be: the browser that asks now comes on top.
    newest = sorted(others, key=lambda named_row: named_row[1][2])[1 - MOST_LISTENERS :]
    cache.set(key, {**dict(newest), browser: (width, height, now, min(letters, height))}, LISTENERS_KEPT_SECONDS)


def list_listeners(tournament: int, screens: list[int]) -> dict[int, list[ScreenListener]]:
    """The browsers of each screen, the one heard last at the front. One question to the cache."""
    keys = {screen: _make_cache_key(tournament, screen) for screen in screens}
    cached_listeners = cache.get_many(keys.values())
    heard = {
        screen: [ScreenListener(*row) for row in cached_listeners.get(key, {}).values()] for screen, key in keys.items()
    }
    return {screen: sorted(listeners, key=lambda listener: -listener.at) for screen, listeners in heard.items()}
