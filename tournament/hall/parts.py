"""What a screen shows, as values: parts one after the other, each with rows, pairs, a slide or a sentence."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import SafeString

from tournament.basics import limits
from tournament.models import Entry, Hall


@dataclass(frozen=True, slots=True)
class ScreenHeading:
    """A column's heading. `kind`: "num", "name" or "" for other text; `spare`: left out where there is no room."""

    text: str
    kind: str = ""
    spare: bool = False
    heads_row: bool = False


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """A row: its cells as text, in the order of the headings; `is_soft` for somebody who is not playing."""

    cells: tuple[str, ...]
    is_soft: bool = False


@dataclass(frozen=True, slots=True)
class ScreenSide:
    """A player of a pair, with the points of a game that is over."""

    name: str
    points: str = ""
    has_won: bool = False


@dataclass(frozen=True, slots=True)
class ScreenPair:
    """Who plays at a table, the one who starts first; `missing`: what somebody has instead of an opponent. `said`: what
    happened instead of a game."""

    table: str
    first: ScreenSide
    second: ScreenSide | None = None
    missing: str = ""
    said: str = ""

    @property
    def is_over(self) -> bool:
        return bool(self.said or self.first.points)


@dataclass(frozen=True, slots=True)
class ScreenPart:
    """Something that a screen shows by itself for a while. `kind`: rows, pairs, sentence, picture, clock, countdown,
    board, slide, nothing. A `sentence` says why there is nothing to show yet; among others in turn it is passed over.
    `portraits`: the photos on it; `people`: the players whom a slide's presenter names; `is_pause`: a slide that says a
    place and does not name anybody yet; `said`: what a slide says, as its template knows it."""

    kind: str
    title: str = ""
    lead: str = ""
    seconds: int = 0
    headings: tuple[ScreenHeading, ...] = ()
    rows: tuple[ScreenRow, ...] = ()
    pairs: tuple[ScreenPair, ...] = ()
    sentence: str = ""
    html: SafeString = field(default_factory=SafeString)
    portraits: frozenset[int] = frozenset()
    people: tuple[Entry, ...] = ()
    is_pause: bool = False
    said: Mapping[str, Any] = field(default_factory=dict)
    division: int | None = None

    @property
    def key(self) -> str:
        """What a slide is of, whatever its number and the language: its look, place, players and division."""
        people = sorted(entry.pk for entry in self.people)
        what = repr((self.said.get("look"), self.said.get("place"), people, self.is_pause, self.division))
        return hashlib.sha256(what.encode()).hexdigest()[: limits.SLIDE_KEY]

    @property
    def is_empty(self) -> bool:
        return self.kind == "sentence"

    @property
    def lines(self) -> list[tuple[bool, list[tuple[ScreenHeading, tuple[str, str, str]]]]]:
        """Each row as the template writes it: whether it is soft, and its cells with their headings. Of a name the club
        behind it stands by itself where a column has it, too, beside what is before and after it."""
        return [(row.is_soft, list(zip(self.headings, self._part_cells(row), strict=True))) for row in self.rows]

    def _part_cells(self, row: ScreenRow) -> list[tuple[str, str, str]]:
        cells = list(zip(self.headings, row.cells, strict=True))
        club = next((text for heading, text in cells if heading.kind == "club"), "")
        return [
            text.partition(f" ({club})") if heading.heads_row and club else (text, "", "") for heading, text in cells
        ]


def find_shown_slide(hall: Hall, slides: Sequence[ScreenPart]) -> int:
    """The number of the slide that is shown: the nearest of what it was of when it was called up, since a prize that is
    made public, or another division that is over, adds slides before it."""
    # Fewer slides than there were: a prize that is not public any more takes its own along.
    at = min(hall.ceremony_slide, len(slides) - 1)
    numbers = [number for number, slide in enumerate(slides) if slide.key == hall.ceremony_key]
    return min(numbers, key=lambda number: abs(number - at), default=at)


def make_sentence_part(title: str, text: str) -> ScreenPart:
    """A part that says why there is nothing to show yet."""
    return ScreenPart("sentence", title=title, sentence=text)
