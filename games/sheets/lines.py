"""A line of a score sheet and its end as values, as text, and what in them nobody could read. The text: `8H ABER 24` a
play (`ABER 24` without its position, `24` points alone), `8H ABER 24 --` a withdrawn play, `-ENR` an exchange (`-3`:
only the number is known), `-` a pass, `!2` a failed challenge of two good words, `#20 reason` penalty points. `*` after
a turn: the jury was asked before it (`-ENR *` it consented, `- *` it refused). What can be read is accepted as is."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import limits
from games.models import Line, Scoresheet
from scoring.plays import BadPlay, BadPlayReason, Play
from tournament.basics.limits import OVERTIME, POINTS, SECONDS
from tournament.basics.refusals import NotPrintable, Refusal, find_length_refusals, find_range_refusals
from tournament.models.play import SIDES
from tournament.pages.forms import parse_whole_number, quote_input

ENDING_FIELDS = ("left", "settlement", "overtime", "seconds", "final")
"""What a score sheet holds for each player below the last line; the fields are `first_left` …"""

JURY_MARK = "*"  # follows a turn before which the jury was asked


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """One line as it stands on paper, as `games.models.Line`; `points` are what it adds, also below zero."""

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
        # A row from the database has a plain text there, which `fields` could not ask for its value.
        return cls(**{**values, "kind": Line.Kind(line.kind)})

    def fields(self) -> dict[str, Any]:
        """The values as a line stores them."""
        return {**asdict(self), "kind": self.kind.value}

    def __str__(self) -> str:
        points = "" if self.points is None else str(self.points)
        # As people write it: 20 for what is taken off, and a plus where points are given.
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


# By `[0-9]`: `\d` takes the digits of other scripts for figures, too.
POSITION_PATTERN = re.compile(r"(?:[0-9]{1,2}[A-Z])|(?:[A-Z][0-9]{1,2})")

LINE_TEXT_LIMITS = {"word": limits.LINE_WORD, "rack": limits.RACK, "tiles": limits.RACK, "note": limits.LINE_NOTE}
"""The characters that the texts of a line may have."""

ENDING_FIGURE_LIMITS = {"settlement": limits.LINE_POINTS, "overtime": OVERTIME, "seconds": SECONDS, "final": POINTS}
"""The figures below the last line for each player."""


class NotAPlay(Refusal, code="not_a_play"):
    """A play that nobody can read; `reason` says what is wrong with it."""

    messages: Mapping[BadPlayReason, str | Promise] = {
        BadPlayReason.POSITION: _("“%(text)s” is not a position: write 8H (across) or H8 (down)."),
        BadPlayReason.WORD_MISSING: _(
            "“%(text)s” has no word: write it in full (ABER), with small letters for blanks (ABeR)."
        ),
        BadPlayReason.TOO_LONG: _("“%(text)s” is too long for a word: the board has 15 squares in a row."),
        BadPlayReason.LETTER: _(
            "“%(part)s” in “%(text)s” is not a letter. Write letters, small ones for blanks, and a dot or brackets "
            "for tiles on the board."
        ),
        BadPlayReason.BRACKETS: _("“%(text)s” has an unmatched or an empty bracket."),
        BadPlayReason.SHARP_S: _("“%(text)s” has %(part)s, for which there is no tile; it is SS (general rules 2)."),
    }

    def __init__(self, *, reason: BadPlayReason, text: str, part: str) -> None:
        super().__init__(text=text, part=part)
        self.message = self.messages[reason]
        self.field = "position" if reason == BadPlayReason.POSITION else "word"


class NotTiles(Refusal, code="not_tiles"):
    message = _("“%(text)s” are not tiles: write letters, and ? for a blank.")


def has_only_tiles(text: str) -> bool:
    """Whether this is letters of any alphabet, and ? for a blank. A ² is a digit or a letter for some, and no tile."""
    # By a pattern, “²” passed for a letter when it was typed and for a number when it was shown: the sheet's page was
    # a 500 from then on.
    return all(letter.isalpha() or letter == "?" for letter in text)


def find_line_problems(line: WrittenLine) -> list[Refusal]:
    """A refusal for each field of a line that nobody could read."""
    problems: list[Refusal] = []
    for name, limit in LINE_TEXT_LIMITS.items():
        problems += _find_text_problems(name, getattr(line, name), limit)
    problems += find_range_refusals("points", line.points, limits.LINE_POINTS)
    problems += find_range_refusals("word", line.words, limits.GOOD_WORDS)
    if not has_only_tiles(line.rack):
        problems.append(NotTiles(field="rack", text=line.rack))
    # A word that is too long or cannot be shown has its message: read as a play, it would be blamed twice in one field.
    return problems if any(fault.field == "word" for fault in problems) else [*problems, *_find_play_problems(line)]


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
    problems: list[Refusal] = []
    for name, allowed in ENDING_FIGURE_LIMITS.items():
        for side, value in zip(SIDES, getattr(ending, name), strict=True):
            problems += find_range_refusals(f"{side}_{name}", value, allowed)
    for side, tiles in zip(SIDES, ending.left, strict=True):
        problems += _find_text_problems(f"{side}_left", tiles or "", limits.RACK)
        if not has_only_tiles(tiles or ""):
            problems.append(NotTiles(field=f"{side}_left", text=tiles or ""))
    return problems + _find_text_problems("note", ending.note, limits.SHEET_NOTE)


def parse_line_play(line: WrittenLine) -> Play | None:
    """The play of a line, read; None where its position or its word is missing. Raises `BadPlay`."""
    return Play.parse(line.position, line.word) if line.position and line.word else None


# Reading what somebody types for one line, in three fields or all in the first: `8H ABER 24`, `-ENR`, `-`, `- *`.

TAKEN_BACK_MARKS = ("--", "−−", "––", "—")
"""Marks after a play that was taken back; some keyboards turn two hyphens into a dash."""

DASHES = ("-", "−", "–")
KIND_MARKS = {Line.Kind.EXCHANGE: DASHES, Line.Kind.CHALLENGE: ("!",), Line.Kind.PENALTY: ("#",)}
"""What the text of these lines begins with; a dash alone is a pass."""

TURN_KINDS = (Line.Kind.PLAY, Line.Kind.EXCHANGE, Line.Kind.PASS, Line.Kind.WITHDRAWN)
"""Kinds after which it is the other player's turn."""

TILE_COUNT_PATTERN = re.compile(r"[1-7]")


@dataclass(slots=True)
class TypedLine:
    """The line that was read, and by field what could not be read."""

    line: WrittenLine
    faults: dict[str, str] = field(default_factory=dict)


def parse_typed_line(
    side: int, kind: str, position: str, word: str, points: str, *, rack: str = "", note: str = "", jury: bool = False
) -> TypedLine:
    """The line that somebody typed. `kind` and `jury` were chosen, or marked in the text; blanks separate fields."""
    chosen = Line.Kind(kind) if kind in Line.Kind.values else Line.Kind.PLAY
    tokens, points = [*position.split(), *word.split()], " ".join(points.split())
    # Wherever it stands: behind the points it is in a field of its own.
    if JURY_MARK in (*tokens, *points.split()):
        tokens = [token for token in tokens if token != JURY_MARK]
        points, jury = " ".join(token for token in points.split() if token != JURY_MARK), True
    is_back = any(mark in (*tokens, *points.split()) for mark in TAKEN_BACK_MARKS)
    if is_back:
        tokens = [token for token in tokens if token not in TAKEN_BACK_MARKS]
        points = " ".join(token for token in points.split() if token not in TAKEN_BACK_MARKS)
        chosen = Line.Kind.WITHDRAWN
    # After a withdrawal was looked for, since “--” also begins as an exchange does.
    marked, tokens = (None, tokens) if is_back else _split_mark(tokens)
    line = WrittenLine(side=side, kind=marked or chosen, rack=rack.strip(), note=" ".join(note.split()), jury=jury)
    readers = {
        Line.Kind.PLAY: _parse_play,
        Line.Kind.WITHDRAWN: _parse_play,
        Line.Kind.EXCHANGE: _parse_exchange,
        Line.Kind.PASS: _parse_pass,
        Line.Kind.CHALLENGE: _parse_challenge,
        Line.Kind.PENALTY: _parse_penalty,
    }
    return readers[line.kind](line, tokens, points)


def _split_mark(tokens: list[str]) -> tuple[Line.Kind | None, list[str]]:
    """The kind that the first token's mark says, and the tokens without the mark."""
    if len(tokens) == 1 and tokens[0] in DASHES:
        return Line.Kind.PASS, []
    # So “-3” in the first field is an exchange of three tiles, never points below zero; these are typed in their own
    # field.
    for kind, marks in KIND_MARKS.items():
        if tokens and tokens[0].startswith(marks):
            return kind, [token for token in (tokens[0][1:], *tokens[1:]) if token]
    return None, tokens


def _parse_play(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    """A position, a word, points; each of them may be missing, but not all three unless the play was withdrawn."""
    position = tokens.pop(0).upper() if tokens and POSITION_PATTERN.fullmatch(tokens[0].upper()) else ""
    # Not if the points have their own field filled in: then a number behind the word is a slip of the keyboard, and is
    # told.
    if tokens and not points and parse_whole_number(tokens[-1]) is not None:
        points = tokens.pop()
    word = "".join(tokens)
    # Typed without capitals. ß is left as it is, so that the sheet says there is no such tile: `upper` would make it
    # two.
    if len(word) > 1 and word.isalpha() and word.islower() and "ß" not in word:
        word = word.upper()  # small letters are blanks, and no play is made of blanks alone
    reading = TypedLine(replace(line, position=position, word=word))
    if len(tokens) > 1:
        message = gettext("“%(text)s” is several words: one play has one word.")
        reading.faults["word"] = message % {"text": quote_input(" ".join(tokens))}
    elif position and not tokens:
        reading.faults["word"] = gettext("The word at %(position)s is missing.") % {"position": position}
    elif not tokens and not points and line.kind == Line.Kind.PLAY:
        reading.faults["position"] = gettext(
            "Nothing is written here: enter a position and a word (8H ABER), points, an exchange (-ENR) or a pass (-)."
        )
    return _parse_points(reading, points)


def _parse_exchange(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    tiles = "".join(tokens).upper()
    reading = TypedLine(replace(line, tiles=tiles))
    if not tiles:
        reading.faults["word"] = gettext("Which tiles were exchanged? Their letters, or how many (-ENR, -3).")
    elif not (has_only_tiles(tiles) or TILE_COUNT_PATTERN.fullmatch(tiles)):
        message = gettext("“%(text)s” are not tiles: letters, ? for a blank, or a number from 1 to 7.")
        reading.faults["word"] = message % {"text": quote_input(tiles)}
    return _parse_points(reading, points)


def _parse_pass(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    reading = TypedLine(line)
    if tokens:
        message = gettext("“%(text)s” does not belong to a pass.")
        reading.faults["word"] = message % {"text": quote_input(" ".join(tokens))}
    return _parse_points(reading, points)


def _parse_challenge(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    """How many of the challenged words were good, one without a number; then the points that the sheet takes off."""
    counted = parse_whole_number(tokens[0]) if tokens else 1
    reading = TypedLine(replace(line, words=counted or 0))
    if counted is None or not 1 <= counted <= 8 or len(tokens) > 2:
        message = gettext("“%(text)s” is not a number of good words: 1 to 8 (!2).")
        reading.faults["word"] = message % {"text": quote_input(" ".join(tokens))}
    points = tokens[1] if len(tokens) > 1 else points
    return _negate_points(_parse_points(reading, points), points)


def _parse_penalty(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    """The points taken off, then the reason; the reason may stand in its own field."""
    if tokens and not points:
        points = tokens.pop(0)
    note = " ".join(tokens) or line.note
    return _negate_points(_parse_points(TypedLine(replace(line, note=note)), points), points)


def _negate_points(reading: TypedLine, typed: str) -> TypedLine:
    """The points as what they do to the score: taken off, unless somebody typed a plus."""
    points = reading.line.points
    if points is not None and not typed.startswith("+"):
        reading.line = replace(reading.line, points=-abs(points))
    return reading


def _parse_points(reading: TypedLine, points: str) -> TypedLine:
    """The points as the sheet states them; nothing written is None."""
    value = parse_whole_number(points) if points else None
    if points and (value is None or not limits.LINE_POINTS.holds(value)):
        message = gettext("“%(text)s” is not valid: enter a whole number from %(low)s to %(high)s.")
        reading.faults["points"] = message % {"text": quote_input(points), **limits.LINE_POINTS.ends}
    elif reading.line.kind == Line.Kind.PENALTY and value is None:
        reading.faults["points"] = gettext("How many points are taken off? (#20 and the reason)")
    else:
        reading.line = replace(reading.line, points=value)
    return reading


def format_typed_fields(line: WrittenLine) -> dict[str, str]:
    """What somebody would type into each field for this line; `parse_typed_line` reads it back."""
    points = "" if line.points is None else str(line.points)
    words = {Line.Kind.EXCHANGE: line.tiles, Line.Kind.CHALLENGE: str(line.words)}
    if line.kind in (Line.Kind.CHALLENGE, Line.Kind.PENALTY) and line.points is not None:
        points = str(-line.points).replace("-", "+")
    return {
        "side": str(line.side),
        "kind": line.kind.value,
        "position": line.position,
        "word": words.get(line.kind, line.word),
        "points": points,
        "rack": line.rack,
        "note": line.note,
        "jury": "asked" if line.jury else "",
    }
