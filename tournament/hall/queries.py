"""The hall: its clock, its screens, and, in the cache alone, which browsers (by a word of their own) have one open."""

import re
import time
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache

from tournament.models import Division, Hall, JournalEntry, Screen, StreamedTable, Tournament

LISTENING_SECONDS = 8.0  # without a question; a screen asks every second or two
LISTENERS_KEPT_SECONDS = 12 * 3600
MOST_LISTENERS = 12  # of one screen
BROWSER_PATTERN = re.compile("[0-9a-z]{1,16}")
LARGEST_PIXELS = 20_000  # wider than any glass
USUAL_MINUTES = 60  # the time of a round where neither the rules nor the announcement name any


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
    if not (BROWSER_PATTERN.fullmatch(browser) and 0 < width <= LARGEST_PIXELS and 0 < height <= LARGEST_PIXELS):
        return
    key, now = _make_cache_key(tournament, screen), time.time()
    known = cache.get(key, {}).items()
    others = [(name, each) for name, each in known if name != browser and now - each[2] < LISTENERS_KEPT_SECONDS]
    newest = sorted(others, key=lambda each: each[1][2])[1 - MOST_LISTENERS :]
    cache.set(key, {**dict(newest), browser: (width, height, now, min(letters, height))}, LISTENERS_KEPT_SECONDS)


def list_listeners(tournament: int, screens: list[int]) -> dict[int, list[ScreenListener]]:
    """The browsers of each screen, the one heard last at the front. One question to the cache."""
    keys = {screen: _make_cache_key(tournament, screen) for screen in screens}
    kept = cache.get_many(keys.values())
    heard = {screen: [ScreenListener(*each) for each in kept.get(key, {}).values()] for screen, key in keys.items()}
    return {screen: sorted(listeners, key=lambda each: -each.at) for screen, listeners in heard.items()}


def find_clock_start(tournament: Tournament, since: datetime) -> datetime | None:
    """When the clock of the round was started first since a moment. One query."""
    if tournament.mirror is not None:  # its journal is in the hall
        told = map(datetime.fromisoformat, tournament.mirror.load_part("hall").get("clock_starts", []))
        return next((moment for moment in told if moment >= since), None)
    return next(iter(list_clock_starts(tournament, since)), None)


def list_clock_starts(tournament: Tournament, since: datetime | None = None) -> list[datetime]:
    """When the clock of the round was started, the earliest first. One query."""
    started = JournalEntry.objects.filter(tournament=tournament, verb="start_round_clock")
    if since is not None:
        started = started.filter(at__gte=since)
    return list(started.order_by("number").values_list("at", flat=True))


def get_hall(tournament: Tournament) -> Hall:
    """Clock and message, unstored until somebody says something; the clock starts with the minutes announced. One
    query."""
    found = Hall.objects.filter(tournament=tournament).first()
    if found is not None:
        found.tournament = tournament
        return found
    minutes = tournament.shared_minutes
    if minutes is None:
        minutes = 2 * tournament.minutes if tournament.minutes else USUAL_MINUTES
    return Hall(tournament=tournament, clock_seconds=60 * minutes, clock_left=60 * minutes)


def list_screens(tournament: Tournament) -> list[Screen]:
    """The screens in order, with their divisions; a first one, not stored, where nobody has set up any. One query."""
    found = list(Screen.objects.filter(tournament=tournament).select_related("division").in_order())
    for screen in found:
        screen.tournament = tournament
        if screen.division is not None:
            screen.division.tournament = tournament
    return found or [make_first_screen(tournament)]


def make_first_screen(tournament: Tournament) -> Screen:
    """The screen that there is by itself."""
    shows = Screen.Shows.PAIRINGS if tournament.rules.is_paired else Screen.Shows.DUPLICATE
    return Screen(tournament=tournament, number=1, shows=shows)


def list_streamed_tables(tournament: Tournament) -> list[StreamedTable]:
    """The tables whose boards are streamed, by division. One query."""
    found = StreamedTable.objects.filter(division__tournament=tournament).select_related("division")
    return list(found.order_by("division__position", "table", "pk"))


def is_table_streamed(division: Division, table: int) -> bool:
    """Whether the board of a table is streamed. One query."""
    return StreamedTable.objects.filter(division=division, table=table).exists()
