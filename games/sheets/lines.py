"""A line of a score sheet and its end as values, as one line of text, and what in them nobody could read.

The text is what people type and the journal shows: `8H ABER 24` a play (`ABER 24` without its position, `24` points
alone), `8H ABER 24 --` a play that was withdrawn, `-ENR` an exchange (`-3`: only the number is known), `-` a pass, `!2`
a failed challenge of two good words, `#20 reason` penalty points. `*` after a turn: the jury was asked before it
(`-ENR *` it consented, `- *` it refused). Whatever can be read is accepted as written, right or wrong.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import limits
from games.models import Line, Scoresheet
from scoring.plays import BadPlay, BadPlayReason, Play
from tournament.basics.limits import OVERTIME, POINTS, SECONDS
from tournament.basics.refusals import NotPrintable, Refusal, find_length_refusals, find_range_refusals
from tournament.models.play import SIDES

ENDING_FIELDS = ("left", "settlement", "overtime", "seconds", "final")
"""What a score sheet holds for each player below the last line; the fields are `first_left` …"""

JURY_MARK = "*"
"""Follows a turn before which the jury was asked."""


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """One line as it stands on paper; the fields are those of `games.models.Line`.

    `points` is what the line adds to the score: below zero for points taken off.
    """

    side: int
    kind: Line.Kind = Line.Kind.PLAY
    position: str = ""
    word: str = ""
    rack: str = ""
    tiles: str = ""
    words: int = 0
    points: int | None = None
    note: str = ""
    jury: bool = False

    @classmethod
    def of(cls, line: Line) -> Self:
        """What a stored line says."""
        values = {name: getattr(line, name) for name in cls.__slots__}
        return cls(**{**values, "kind": Line.Kind(line.kind)})

    def fields(self) -> dict[str, Any]:
        """The values as a line stores them."""
        return {**asdict(self), "kind": self.kind.value}

    def __str__(self) -> str:
        points = "" if self.points is None else str(self.points)
        taken_off = points and str(-int(points)).replace("-", "+")
        parts = {
            Line.Kind.PLAY: (self.position, self.word, points),
            Line.Kind.WITHDRAWN: (self.position, self.word, points, "--"),
            Line.Kind.EXCHANGE: (f"-{self.tiles}", points),
            Line.Kind.PASS: ("-", points),
            Line.Kind.CHALLENGE: (f"!{self.words or ''}", taken_off),
            Line.Kind.PENALTY: (f"#{taken_off}", self.note),
        }
        return " ".join(part for part in (*parts[self.kind], JURY_MARK if self.jury else "") if part)


@dataclass(frozen=True, slots=True)
class WrittenEnding:
    """What a score sheet says below its last turn, each field for both players. None: not written down."""

    left: tuple[str | None, str | None] = (None, None)
    settlement: tuple[int | None, int | None] = (None, None)
    overtime: tuple[int | None, int | None] = (None, None)
    seconds: tuple[int | None, int | None] = (None, None)
    final: tuple[int | None, int | None] = (None, None)
    is_finished: bool = False
    note: str = ""

    @classmethod
    def of(cls, scoresheet: Scoresheet) -> Self:
        """What stands below a stored sheet."""
        pairs = {name: tuple(getattr(scoresheet, f"{side}_{name}") for side in SIDES) for name in ENDING_FIELDS}
        return cls(**pairs, is_finished=scoresheet.is_finished, note=scoresheet.note)

    def fields(self) -> dict[str, Any]:
        """The values as a score sheet stores them."""
        pairs = {f"{side}_{name}": getattr(self, name)[at] for name in ENDING_FIELDS for at, side in enumerate(SIDES)}
        return {**pairs, "is_finished": self.is_finished, "note": self.note}


POSITION_PATTERN = re.compile(r"(?:[0-9]{1,2}[A-Z])|(?:[A-Z][0-9]{1,2})")

LINE_TEXT_LIMITS = {"word": limits.LINE_WORD, "rack": limits.RACK, "tiles": limits.RACK, "note": limits.LINE_NOTE}
"""The characters that the texts of a line may have."""

ENDING_FIGURE_LIMITS = {"settlement": limits.LINE_POINTS, "overtime": OVERTIME, "seconds": SECONDS, "final": POINTS}
"""The figures below the last line for each player."""


class NotAPlay(Refusal):
    """A play that nobody can read; `reason` says what is wrong with it."""

    code = "not_a_play"
    messages: Mapping[BadPlayReason, str | Promise] = {
        BadPlayReason.POSITION: _("“%(text)s” is not a position: 8H (across) and H8 (down) are."),
        BadPlayReason.WORD_MISSING: _("“%(text)s” has no word: write it out (ABER), small letters for blanks (ABeR)."),
        BadPlayReason.TOO_LONG: _("“%(text)s” is too long for a word: the board has 15 squares in a row."),
        BadPlayReason.LETTER: _(
            "“%(part)s” in “%(text)s” is not a letter. Letters are allowed, small for blanks, and a dot or brackets "
            "for what lies there."
        ),
        BadPlayReason.BRACKETS: _("“%(text)s” has a bracket without its partner, or one with nothing in it."),
        BadPlayReason.SHARP_S: _("“%(text)s” has %(part)s, for which there is no tile; it is SS (general rules 2)."),
    }

    def __init__(self, *, reason: BadPlayReason, text: str, part: str) -> None:
        super().__init__(text=text, part=part)
        self.message = self.messages[reason]
        self.field = "position" if reason == BadPlayReason.POSITION else "word"


class NotTiles(Refusal):
    code = "not_tiles"
    message = _("“%(text)s” are not tiles: letters are allowed, and ? for a blank.")

    def __init__(self, *, field: str, text: str) -> None:
        super().__init__(text=text)
        self.field = field


def has_only_tiles(text: str) -> bool:
    """Whether this is letters of any alphabet, and ? for a blank; which of them a set has is for the rules to say. A ²
    is a digit for some and a letter for others, and no tile."""
    return all(letter.isalpha() or letter == "?" for letter in text)


def find_line_problems(line: WrittenLine) -> list[Refusal]:
    """A refusal for each field of a line that nobody could read."""
    found = [
        fault
        for name, limit in LINE_TEXT_LIMITS.items()
        for fault in _find_text_problems(name, getattr(line, name), limit)
    ]
    found += find_range_refusals("points", line.points, limits.LINE_POINTS)
    found += find_range_refusals("word", line.words, limits.GOOD_WORDS)
    if not has_only_tiles(line.rack):
        found.append(NotTiles(field="rack", text=line.rack))
    return found if any(fault.field == "word" for fault in found) else [*found, *_find_play_problems(line)]


def _find_play_problems(line: WrittenLine) -> list[Refusal]:
    """Why a play cannot be read; a word without its position is read as if it stood on 8H."""
    if not line.word and not line.position:
        return []
    try:
        Play.parse(line.position or "8H", line.word)
    except BadPlay as fault:
        text = " ".join(part for part in (line.position, line.word) if part)
        return [NotAPlay(reason=fault.reason, text=text, part=fault.part)]
    return []


def _find_text_problems(field: str, text: str, limit: int) -> list[Refusal]:
    if faults := find_length_refusals(field, text, limit):
        return faults
    return [] if text.isprintable() else [NotPrintable(field=field, value=text)]


def find_ending_problems(ending: WrittenEnding) -> list[Refusal]:
    """A refusal for each field below the last turn that nobody could read."""
    found: list[Refusal] = []
    for name, allowed in ENDING_FIGURE_LIMITS.items():
        for side, value in zip(SIDES, getattr(ending, name), strict=True):
            found += find_range_refusals(f"{side}_{name}", value, allowed)
    for side, left in zip(SIDES, ending.left, strict=True):
        found += _find_text_problems(f"{side}_left", left or "", limits.RACK)
        if not has_only_tiles(left or ""):
            found.append(NotTiles(field=f"{side}_left", text=left or ""))
    return found + _find_text_problems("note", ending.note, limits.SHEET_NOTE)


def parse_line_play(line: WrittenLine) -> Play | None:
    """The play of a line, read; None where its position or its word is missing. Raises `BadPlay`."""
    return Play.parse(line.position, line.word) if line.position and line.word else None
