"""What is written on a score sheet as the values that `scoring.sheet` counts."""

from collections.abc import Iterable

from games.models import Line, Scoresheet
from games.sheets import legible
from games.sheets.written import WrittenEnding, WrittenLine
from scoring import sheet


def line(written: WrittenLine) -> sheet.Line:
    """A line as a value to count. Tiles known only by their number (three exchanged) have no letters.

    Raises `BadPlay` if the word is not one.
    """
    return sheet.Line(
        side=sheet.Side(written.side),
        kind=sheet.LineKind(written.kind),
        play=legible.play(written),
        points=written.points,
        rack=written.rack,
        tiles="" if written.tiles.isdecimal() else written.tiles,
        words=written.words,
        note=written.note,
        jury=written.jury,
    )


def to_sheet(lines: Iterable[WrittenLine], ending: WrittenEnding) -> sheet.Sheet:
    """These lines and what stands below them as the value to count and to check. Raises `BadPlay` as `line` does."""
    first, second = ending.overtime
    return sheet.Sheet(
        lines=tuple(line(each) for each in lines),
        left=ending.left,
        settlement=ending.settlement,
        overtime=(first or 0, second or 0),
        final=ending.final,
        is_finished=ending.is_finished,
    )


def sheet_of(scoresheet: Scoresheet, rows: Iterable[Line]) -> sheet.Sheet:
    """A stored sheet with these lines, in order of their numbers, as the value to count and to check."""
    return to_sheet(map(WrittenLine.of, rows), WrittenEnding.of(scoresheet))
