"""What on a score sheet can be read at all. Everything else is accepted as written, and counted as a problem."""

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games import limits
from games.sheets.written import WrittenEnding, WrittenLine
from scoring.plays import BadPlay, Misread, Play
from tournament.limits import OVERTIME, POINTS, SECONDS
from tournament.models.play import SIDES
from tournament.refusals import NotPrintable, Refusal, out_of_range, too_long

POSITION = re.compile(r"(?:[0-9]{1,2}[A-Z])|(?:[A-Z][0-9]{1,2})")

LONGEST = {"word": limits.LINE_WORD, "rack": limits.RACK, "tiles": limits.RACK, "note": limits.LINE_NOTE}
"""The characters that the texts of a line may have."""

FIGURES = {"settlement": limits.LINE_POINTS, "overtime": OVERTIME, "seconds": SECONDS, "final": POINTS}
"""The figures below the last line for each player."""


class NotAPlay(Refusal):
    """A play that nobody can read; `reason` says what is wrong with it."""

    code = "not_a_play"
    messages: Mapping[Misread, str | Promise] = {
        Misread.POSITION: _("“%(text)s” is not a position: 8H (across) and H8 (down) are."),
        Misread.WORD_MISSING: _("“%(text)s” has no word: write it out (ABER), small letters for blanks (ABeR)."),
        Misread.TOO_LONG: _("“%(text)s” is too long for a word: the board has 15 squares in a row."),
        Misread.LETTER: _(
            "“%(part)s” in “%(text)s” is not a letter. Letters are allowed, small for blanks, and a dot or brackets "
            "for what lies there."
        ),
        Misread.BRACKETS: _("“%(text)s” has a bracket without its partner, or one with nothing in it."),
        Misread.SHARP_S: _("“%(text)s” has %(part)s, for which there is no tile; it is SS (general rules 2)."),
    }

    def __init__(self, *, reason: Misread, text: str, part: str) -> None:
        super().__init__(text=text, part=part)
        self.message = self.messages[reason]
        self.field = "position" if reason == Misread.POSITION else "word"


class NotTiles(Refusal):
    code = "not_tiles"
    message = _("“%(text)s” are not tiles: letters are allowed, and ? for a blank.")

    def __init__(self, *, field: str, text: str) -> None:
        super().__init__(text=text)
        self.field = field


def are_tiles(text: str) -> bool:
    """Whether this is letters of any alphabet, and ? for a blank; which of them a set has is for the rules to say.

    A ² is a digit for some and a letter for others, and no tile.
    """
    return all(letter.isalpha() or letter == "?" for letter in text)


def line_problems(line: WrittenLine) -> list[Refusal]:
    """A refusal for each field of a line that nobody could read."""
    found = [fault for name, limit in LONGEST.items() for fault in _text_problems(name, getattr(line, name), limit)]
    found += out_of_range("points", line.points, limits.LINE_POINTS)
    found += out_of_range("word", line.words, limits.GOOD_WORDS)
    if not are_tiles(line.rack):
        found.append(NotTiles(field="rack", text=line.rack))
    return found if any(fault.field == "word" for fault in found) else [*found, *_play_problems(line)]


def _play_problems(line: WrittenLine) -> list[Refusal]:
    """Why a play cannot be read; a word without its position is read as if it stood on 8H."""
    if not line.word and not line.position:
        return []
    try:
        Play.parse(line.position or "8H", line.word)
    except BadPlay as fault:
        text = " ".join(part for part in (line.position, line.word) if part)
        return [NotAPlay(reason=fault.reason, text=text, part=fault.part)]
    return []


def ending_problems(ending: WrittenEnding) -> list[Refusal]:
    """A refusal for each field below the last turn that nobody could read."""
    found: list[Refusal] = []
    for name, allowed in FIGURES.items():
        for side, value in zip(SIDES, getattr(ending, name), strict=True):
            found += out_of_range(f"{side}_{name}", value, allowed)
    for side, left in zip(SIDES, ending.left, strict=True):
        found += _text_problems(f"{side}_left", left or "", limits.RACK)
        if not are_tiles(left or ""):
            found.append(NotTiles(field=f"{side}_left", text=left or ""))
    return found + _text_problems("note", ending.note, limits.SHEET_NOTE)


def play(line: WrittenLine) -> Play | None:
    """The play of a line, read; None where its position or its word is missing. Raises `BadPlay`."""
    return Play.parse(line.position, line.word) if line.position and line.word else None


def _text_problems(field: str, text: str, limit: int) -> list[Refusal]:
    if faults := too_long(field, text, limit):
        return faults
    return [] if text.isprintable() else [NotPrintable(field=field, value=text)]
