"""What is stored of a sheet, and how lines come there."""

from games.models import Line, Scoresheet
from games.sheets.lines import WrittenLine, parse_typed_line
from games.sheets.operations import write_line
from tests import factories


def line(text: str, side: int = 1) -> WrittenLine:
    """A line as somebody types it into the first field; it must be readable."""
    reading = parse_typed_line(side, "", text, "", "")
    assert reading.faults == {}
    return reading.line


def write(paper: Scoresheet, *texts: str) -> None:
    """Doris writes these lines below the last one, the players in turn from the first."""
    for at, text in enumerate(texts):
        write_line(paper, line=line(text, 1 + at % 2), actor=factories.director(), expected_version=None)


def lines(paper: Scoresheet) -> list[str]:
    """Number, side and text of every line that is stored."""
    rows = Line.objects.filter(scoresheet=paper).order_by("number")
    return [f"{row.number}: {row.side} {WrittenLine.of(row)}" for row in rows]


def version(paper: Scoresheet) -> int:
    return Scoresheet.objects.values_list("version", flat=True).get(pk=paper.pk)
