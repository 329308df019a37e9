"""What a screen shows, as values: parts one after the other, each with rows, pairs, a slide or a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.safestring import SafeString

from tournament.models import Entry


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

    @property
    def is_empty(self) -> bool:
        return self.kind == "sentence"

    @property
    def lines(self) -> list[tuple[bool, list[tuple[ScreenHeading, str]]]]:
        """Each row as the template writes it: whether it is soft, and its cells with their headings."""
        return [(row.is_soft, list(zip(self.headings, row.cells, strict=True))) for row in self.rows]


def make_sentence_part(title: str, text: str) -> ScreenPart:
    """A part that says why there is nothing to show yet."""
    return ScreenPart("sentence", title=title, sentence=text)
