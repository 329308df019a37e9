"""Stored sheets as the values that `scoring.sheet` counts."""

from collections.abc import Iterable

from games.models import Line, Scoresheet
from games.sheets import legible
from scoring import sheet


def line(row: Line) -> sheet.Line:
    """A stored line as a value. What is only counted (three tiles exchanged) has no letters."""
    return sheet.Line(
        side=sheet.Side(row.side),
        kind=sheet.Kind(row.kind),
        play=legible.play(row),
        points=row.points,
        rack=row.rack,
        tiles="" if row.tiles.isdigit() else row.tiles,
        words=row.words,
        note=row.note,
    )


def sheet_of(scoresheet: Scoresheet, rows: Iterable[Line]) -> sheet.Sheet:
    """A stored sheet with these lines, in order of their numbers, as the value to count and to check."""
    return sheet.Sheet(
        lines=tuple(line(row) for row in rows),
        left=(scoresheet.first_left, scoresheet.second_left),
        settlement=(scoresheet.first_settlement, scoresheet.second_settlement),
        overtime=(scoresheet.first_overtime or 0, scoresheet.second_overtime or 0),
        final=(scoresheet.first_final, scoresheet.second_final),
        is_finished=scoresheet.is_finished,
    )
