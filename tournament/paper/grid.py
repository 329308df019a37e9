"""Tables on paper: columns, a head on each page, rows of equal height."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournament.paper.boxes import Box
from tournament.paper.lettering import find_common_size, measure_fitted_width
from tournament.paper.sheet import MM, Align, Paper

CELL_PADDING = 1.2 * MM
BESIDE_GAP = 1.5 * MM
BESIDE_SCALE = 0.75  # the size of what stands beside a text, in parts of the row's size
MAX_BESIDE_WIDTH = 0.36  # the part of a cell that it may take
EDGE_HEIGHT = 0.4 * MM  # what stays free above and below a text


@dataclass(frozen=True, slots=True)
class PrintedColumn:
    """A column. `scale` makes its cells smaller than the row's size. All cells of the columns in one `group` get one
    size (see `even`), on one or two `lines`."""

    title: str
    width: float
    align: Align = Align.LEFT
    bold: bool = False
    scale: float = 1.0
    group: str = ""
    lines: int = 2


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """A text, with something small `beside` it; `scale` makes it smaller than its column's."""

    text: str
    beside: str = ""
    scale: float = 1.0


PrintedRow = Sequence[PrintedCell | str]  # a row: a cell for each column


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table's layout. `size` is that of text in rows, `sizes` that of each group's."""

    columns: tuple[PrintedColumn, ...]
    row_height: float
    size: float
    head_height: float = 8 * MM
    head_size: float = 9
    sizes: Mapping[str, float] = field(default_factory=dict)

    def even(self, rows: Sequence[PrintedRow]) -> "PrintedTable":
        """The table with one size for each group of columns at which all texts of these rows fit, apart from a few that
        would make the others too small."""
        grouped = [(index, column) for index, column in enumerate(self.columns) if column.group]
        texts: dict[str, list[tuple[str, bool, float]]] = {}
        heights: dict[str, float] = {}
        most: dict[str, float] = {}
        for index, column in grouped:
            box = self._inside(Box(0, 0, column.width, self.row_height))
            most[column.group] = self.size * column.scale
            heights[column.group] = box.height * column.lines / 2
            for cell in (_make_cell(row[index]) for row in rows):
                if cell.scale == 1:
                    width = box.width - self._reserved(box, cell, most[column.group])
                    texts.setdefault(column.group, []).append((cell.text, column.bold, width))
        found = {
            group: find_common_size(texts.get(group, ()), height=heights[group], size=most[group]) for group in most
        }
        return replace(self, sizes=found)

    def document(self, paper: Paper, pages: Sequence[Iterable[PrintedRow]]) -> bytes:
        """The PDF with each of these runs of rows on a page of its own."""
        for rows in paper.pages(pages):
            self.draw(paper, rows)
        return paper.done()

    def draw(self, paper: Paper, rows: Iterable[PrintedRow], *, below: float = 0) -> float:
        """Draw the head and these rows, `below` the top of the content; return where they end."""
        box = paper.content
        y = self.head(paper, box.x, box.y + below)
        for cells in rows:
            y = self.row(paper, box.x, y, cells)
        return y

    def head(self, paper: Paper, x: float, y: float) -> float:
        """Draw the headings; return where the first row begins."""
        width = sum(column.width for column in self.columns)
        paper.fill(Box(x, y, width, self.head_height))
        paper.rule(x, y + self.head_height, x + width, y + self.head_height, weight=0.9)
        for column in self.columns:
            box = self._inside(Box(x, y, column.width, self.head_height))
            paper.write(box, column.title, size=self.head_size, bold=True, align=column.align)
            x += column.width
        return y + self.head_height

    def row(self, paper: Paper, x: float, y: float, cells: PrintedRow) -> float:
        """Draw a row and the rule under it; return where the next row begins."""
        left = x
        for column, cell in zip(self.columns, cells, strict=True):
            self._draw(paper, self._inside(Box(x, y, column.width, self.row_height)), column, _make_cell(cell))
            x += column.width
        y += self.row_height
        paper.rule(left, y, x, y, shade=0.45)
        return y

    @staticmethod
    def _inside(box: Box) -> Box:
        return box.inset(CELL_PADDING, EDGE_HEIGHT)

    @staticmethod
    def _reserved(box: Box, cell: PrintedCell, size: float) -> float:
        """The width that the small text beside takes."""
        if not cell.beside:
            return 0.0
        aside = box.width * MAX_BESIDE_WIDTH
        return measure_fitted_width(cell.beside, width=aside, height=box.height, size=size * BESIDE_SCALE) + BESIDE_GAP

    def _draw(self, paper: Paper, box: Box, column: PrintedColumn, cell: PrintedCell) -> None:
        size = self.sizes.get(column.group, self.size * column.scale) * cell.scale
        write = paper.write_at if column.group in self.sizes and cell.scale == 1 else paper.write
        if not cell.beside:
            write(box, cell.text, size=size, bold=column.bold, align=column.align)
            return
        text = replace(box, width=box.width - self._reserved(box, cell, size))
        taken = write(text, cell.text, size=size, bold=column.bold)
        aside = Box(box.x + taken + BESIDE_GAP, box.y, box.width * MAX_BESIDE_WIDTH, box.height)
        paper.write(aside, cell.beside, size=size * BESIDE_SCALE)


def _make_cell(cell: PrintedCell | str) -> PrintedCell:
    return cell if isinstance(cell, PrintedCell) else PrintedCell(cell)
