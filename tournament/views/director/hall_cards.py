"""The cards of the hall's desk: each screen with a small picture of what it shows, and who listens."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournament import listening
from tournament.listening import Listener
from tournament.models import Hall, Screen, Tournament
from tournament.views.screens.contents import Contents, possible
from tournament.views.screens.values import Part
from tournament.words import hall as words

PREVIEWED = 3
"""Rows of the small picture."""


@dataclass(frozen=True, slots=True)
class ScreenPreview:
    """A small picture of a screen: the title of what it shows first, and the first rows or a sentence."""

    title: str
    lines: tuple[str, ...]
    kind: str
    more: int = 0


@dataclass(frozen=True, slots=True)
class ScreenCard:
    """A screen at the desk."""

    screen: Screen
    name: str
    preview: ScreenPreview
    choices: tuple[Screen.Shows, ...]
    listening: str
    lost: str


@dataclass(frozen=True, slots=True)
class CeremonyCard:
    """Where the ceremony stands: the slide shown, of how many, what it says, and whether the next ones come alone."""

    slide: int
    of: int
    title: str
    runs: bool

    @property
    def before(self) -> int:
        """The slide before it; the same on the first one."""
        return max(0, self.slide - 1)

    @property
    def after(self) -> int:
        """The slide after it; the same on the last one."""
        return min(self.of - 1, self.slide + 1)


def ceremony(hall: Hall, screens: list[Screen]) -> CeremonyCard | None:
    """Where the ceremony stands; None unless a screen shows it and there is something to show."""
    if not any(screen.shows_ceremony for screen in screens):
        return None
    slides = Contents(hall).slides
    if not slides:
        return None
    at = min(hall.ceremony_slide, len(slides) - 1)
    return CeremonyCard(at, len(slides), slides[at].title, hall.ceremony_runs)


def now() -> int:
    """The time here in milliseconds, for the clocks of a page that is not kept."""
    return round(time.time() * 1000)


def cards(hall: Hall, screens: list[Screen]) -> list[ScreenCard]:
    """A card for each screen."""
    contents = Contents(hall)
    heard = listening.listeners(hall.tournament.pk, [screen.number for screen in screens])
    return [_card(screen, contents.of(screen), heard[screen.number]) for screen in screens]


def _card(screen: Screen, parts: list[Part], heard: list[Listener]) -> ScreenCard:
    listens = [each for each in heard if each.listens]
    return ScreenCard(
        screen=screen,
        name=words.screen_name(screen),
        preview=_preview(parts),
        choices=tuple(possible(screen)),
        listening=words.listening([(each.width, each.height) for each in listens]),
        lost="" if listens or not heard else words.not_heard(_clock_time(heard[0].at)),
    )


def _clock_time(at: float) -> str:
    return date_format(timezone.localtime(datetime.fromtimestamp(at, UTC)), "TIME_FORMAT")


def _preview(parts: list[Part]) -> ScreenPreview:
    if not parts:
        return ScreenPreview(_("Nothing"), (), "nothing")
    part = parts[0]
    lines = [" · ".join(cell for cell in row.cells if cell) for row in part.rows[:PREVIEWED]]
    return ScreenPreview(part.title, tuple(lines or filter(None, [part.sentence])), part.kind, len(parts) - 1)


def state(tournament: Tournament, screens: list[Screen]) -> str:
    """What changes whenever the desk shows something else: the event's revision, and who listens."""
    heard = listening.listeners(tournament.pk, [screen.number for screen in screens])
    listed = [
        f"{number}:{'+'.join(sorted(f'{each.width}x{each.height}' for each in found if each.listens))}"
        for number, found in heard.items()
    ]
    return f"{tournament.revision}-{','.join(listed)}"
