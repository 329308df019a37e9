"""Tables on paper: columns, a head repeated on each page, rows of equal height."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.layout import lettering
from tournament.layout.boxes import Box
from tournament.printing.paper import MM, Align, Paper

PADDING = 1.2 * MM
GAP = 1.5 * MM
BESIDE = 0.75
"""The size of what stands beside a text, in parts of the row's size."""


@dataclass(frozen=True, slots=True)
class PrintedColumn:
    """A column: its heading, its width, how its cells are aligned; `scale` makes them smaller than the row's size."""

    title: str
    width: float
    align: Align = Align.LEFT
    bold: bool = False
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """A text, with something small `beside` it; `scale` makes the text smaller than its column's."""

    text: str
    beside: str = ""
    bold: bool = False
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table that begins at a box's left edge. `size` is that of the text in rows."""

    columns: tuple[PrintedColumn, ...]
    row_height: float
    size: float
    head_height: float = 8 * MM
    head_size: float = 9

    def head(self, paper: Paper, x: float, y: float) -> float:
        """Draw the columns' headings; return where the first row begins."""
        width = sum(column.width for column in self.columns)
        paper.fill(Box(x, y, width, self.head_height))
        paper.rule(x, y + self.head_height, x + width, y + self.head_height, weight=0.9)
        for column in self.columns:
            box = Box(x, y, column.width, self.head_height).inset(PADDING, 0.4 * MM)
            paper.write(box, column.title, size=self.head_size, bold=True, align=column.align)
            x += column.width
        return y + self.head_height

    def row(self, paper: Paper, x: float, y: float, cells: Sequence[PrintedCell | str]) -> float:
        """Draw a row and the rule under it; return where the next row begins."""
        left = x
        for column, cell in zip(self.columns, cells, strict=True):
            box = Box(x, y, column.width, self.row_height).inset(PADDING, 0.4 * MM)
            self._cell(paper, box, column, cell if isinstance(cell, PrintedCell) else PrintedCell(cell))
            x += column.width
        y += self.row_height
        paper.rule(left, y, x, y, shade=0.45)
        return y

    def _cell(self, paper: Paper, box: Box, column: PrintedColumn, cell: PrintedCell) -> None:
        size = self.size * column.scale * cell.scale
        bold = column.bold or cell.bold
        if not cell.beside:
            paper.write(box, cell.text, size=size, bold=bold, align=column.align)
            return
        aside = Box(box.x, box.y, box.width * 0.45, box.height)
        reserved = lettering.taken(cell.beside, width=aside.width, height=box.height, size=size * BESIDE) + GAP
        text = Box(box.x, box.y, box.width - reserved, box.height)
        taken = paper.write(text, cell.text, size=size, bold=bold)
        paper.write(replace(aside, x=box.x + taken + GAP), cell.beside, size=size * BESIDE)
