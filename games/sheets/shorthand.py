"""Reading what somebody types for one line, in three fields or all in the first: `8H ABER 24`, `-ENR`, `-`, `- *`."""

import re
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext as _

from games.limits import LINE_POINTS
from games.models import Line
from games.sheets.lines import JURY_MARK, POSITION_PATTERN, WrittenLine, has_only_tiles
from tournament.pages.forms import parse_whole_number, quote_input

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
    """The line that somebody typed. `kind` and `jury` are what was chosen; a mark in the text does the same. What is
    separated by blanks in the first field is read as if it stood in fields of its own."""
    chosen = Line.Kind(kind) if kind in Line.Kind.values else Line.Kind.PLAY
    tokens, points = [*position.split(), *word.split()], " ".join(points.split())
    if JURY_MARK in (*tokens, *points.split()):
        tokens = [token for token in tokens if token != JURY_MARK]
        points, jury = " ".join(token for token in points.split() if token != JURY_MARK), True
    is_back = any(mark in (*tokens, *points.split()) for mark in TAKEN_BACK_MARKS)
    if is_back:
        tokens = [token for token in tokens if token not in TAKEN_BACK_MARKS]
        points = " ".join(token for token in points.split() if token not in TAKEN_BACK_MARKS)
        chosen = Line.Kind.WITHDRAWN
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
    for kind, marks in KIND_MARKS.items():
        if tokens and tokens[0].startswith(marks):
            return kind, [token for token in (tokens[0][1:], *tokens[1:]) if token]
    return None, tokens


def _parse_play(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    """A position, a word, points; each of them may be missing, but not all three unless the play was withdrawn."""
    position = tokens.pop(0).upper() if tokens and POSITION_PATTERN.fullmatch(tokens[0].upper()) else ""
    if tokens and not points and parse_whole_number(tokens[-1]) is not None:
        points = tokens.pop()
    word = "".join(tokens)
    if len(word) > 1 and word.isalpha() and word.islower() and "ß" not in word:
        word = word.upper()  # small letters are blanks, and no play is made of blanks alone
    reading = TypedLine(replace(line, position=position, word=word))
    if len(tokens) > 1:
        reading.faults["word"] = _("“%(text)s” are several words: one play has one word.") % {
            "text": quote_input(" ".join(tokens))
        }
    elif position and not tokens:
        reading.faults["word"] = _("The word at %(position)s is missing.") % {"position": position}
    elif not tokens and not points and line.kind == Line.Kind.PLAY:
        reading.faults["position"] = _(
            "Nothing is written here: a position and a word (8H ABER), points, an exchange (-ENR) or a pass (-)."
        )
    return _parse_points(reading, points)


def _parse_exchange(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    tiles = "".join(tokens).upper()
    reading = TypedLine(replace(line, tiles=tiles))
    if not tiles:
        reading.faults["word"] = _("Which tiles were exchanged? Their letters, or how many (-ENR, -3).")
    elif not (has_only_tiles(tiles) or TILE_COUNT_PATTERN.fullmatch(tiles)):
        reading.faults["word"] = _("“%(text)s” are not tiles: letters, ? for a blank, or a number from 1 to 7.") % {
            "text": quote_input(tiles)
        }
    return _parse_points(reading, points)


def _parse_pass(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    reading = TypedLine(line)
    if tokens:
        reading.faults["word"] = _("“%(text)s” does not belong to a pass.") % {"text": quote_input(" ".join(tokens))}
    return _parse_points(reading, points)


def _parse_challenge(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    """How many of the challenged words were good, one without a number; then the points that the sheet takes off."""
    counted = parse_whole_number(tokens[0]) if tokens else 1
    reading = TypedLine(replace(line, words=counted or 0))
    if counted is None or not 1 <= counted <= 8 or len(tokens) > 2:
        reading.faults["word"] = _("“%(text)s” is not a number of good words: 1 to 8 (!2).") % {
            "text": quote_input(" ".join(tokens))
        }
    return _negate_points(_parse_points(reading, tokens[1] if len(tokens) > 1 else points), points)


def _parse_penalty(line: WrittenLine, tokens: list[str], points: str) -> TypedLine:
    """The points taken off, then the reason; the reason may stand in its own field."""
    if tokens and not points:
        points = tokens.pop(0)
    said = " ".join(tokens) or line.note
    return _negate_points(_parse_points(TypedLine(replace(line, note=said)), points), points)


def _negate_points(reading: TypedLine, typed: str) -> TypedLine:
    """The points as what they do to the score: taken off, unless somebody typed a plus."""
    points = reading.line.points
    if points is not None and not typed.startswith("+"):
        reading.line = replace(reading.line, points=-abs(points))
    return reading


def _parse_points(reading: TypedLine, points: str) -> TypedLine:
    """The points as the sheet states them; nothing written is None."""
    value = parse_whole_number(points) if points else None
    if points and (value is None or not LINE_POINTS.holds(value)):
        reading.faults["points"] = _(
            "“%(text)s” is not possible: whole numbers from %(low)s to %(high)s are allowed."
        ) % {"text": quote_input(points), **LINE_POINTS.ends}
    elif reading.line.kind == Line.Kind.PENALTY and value is None:
        reading.faults["points"] = _("How many points are taken off? (#20 and the reason)")
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
