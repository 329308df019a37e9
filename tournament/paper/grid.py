"""Tables on paper: one size for all rows, at which long texts take two lines or three and their rows grow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournament.paper.boxes import Box
from tournament.paper.lettering import LEADING, MAX_LINES, break_text, measure_fitted_width
from tournament.paper.sheet import MM, Align, Paper

CELL_PADDING = 1.2 * MM
BESIDE_GAP = 1.5 * MM
BESIDE_SCALE = 0.75  # the size of what stands beside a text, in parts of the row's size
MAX_BESIDE_WIDTH = 0.36  # the part of a cell that it may take
BELOW_SCALE = 0.62  # the size of what stands below a text, in parts of its own
EDGE_HEIGHT = 0.4 * MM  # what stays free above and below a text

LEAST_SIZE = 10.0  # of a name in points
SMALL_LINES = 2  # of a text in a column of smaller letters before it gets smaller still
SIZE_STEP = 0.25
MOST_WRAPPED, MOST_BROKEN = 0.5, 0.1
"""The part of the rows in which a name may take more lines, and in which one may be too long for three, before all
letters get smaller."""


@dataclass(frozen=True, slots=True)
class PrintedColumn:
    """A column. `scale` makes its cells smaller than the row's size. Texts of a column that `wraps` all have that size
    and take as many lines as they need; others get smaller until they fit their cell."""

    title: str
    width: float
    align: Align = Align.LEFT
    bold: bool = False
    scale: float = 1.0
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """A text, with something small `beside` it, or `below` it where its column wraps; `scale` makes it smaller than its
    column's."""

    text: str
    beside: str = ""
    below: str = ""
    scale: float = 1.0


PrintedRow = Sequence[PrintedCell | str]  # a row: a cell for each column


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table's layout in points: the letters' size at most and at least, the height of rows with one line likewise.
    `air` is what a row has above and below its lines, in parts of the size."""

    columns: tuple[PrintedColumn, ...]
    size: float
    lowest_row: float
    tallest_row: float = 0
    least_size: float = LEAST_SIZE
    air: float = 0.6
    head_height: float = 8 * MM
    head_size: float = 9

    @property
    def width(self) -> float:
        return sum(column.width for column in self.columns)

    def compose(
        self, rows: Sequence[PrintedRow], room: float, *, side_by_side: int = 1, reserved: float = 0
    ) -> "ComposedTable":
        """The rows on as few pages as they need, each with `room` for its head and rows, in the largest letters that
        take no more pages, break no word and leave the names of every other row on one line.
        `side_by_side`: so many of these pages stand on one sheet. `reserved`: the room that the first page has less."""
        room -= self.head_height
        heights = self._measure_rows(rows, self.least_size, small=False)
        fewest = -(-len(_fill_pages(heights, room, reserved)) // side_by_side) * side_by_side
        size = self.least_size
        for step in range(round((self.size - self.least_size) / SIZE_STEP), -1, -1):
            tried = self.least_size + step * SIZE_STEP
            higher = self._measure_rows(rows, tried)
            if (self._suits(rows, tried) or not step) and len(_fill_pages(higher, room, reserved)) <= fewest:
                size, heights = tried, higher
                break
        return self._spread(rows, heights, size, room, fewest, reserved)

    def fix(self, rows: Iterable[PrintedRow]) -> "ComposedTable":
        """The rows on one page, all as low as a row may be, in letters of the table's size."""
        return ComposedTable(self, self.size, (tuple(ComposedRow(row, self.lowest_row) for row in rows),))

    def _suits(self, rows: Sequence[PrintedRow], size: float) -> bool:
        """Whether few texts of full-sized columns take more than one line at this size, and next to none more than
        three or a broken word: these get smaller alone."""
        wrapped = broken_up = 0
        for row in rows:
            broken = [
                self._break_cell(column, _make_cell(cell), size)
                for column, cell in zip(self.columns, row, strict=True)
                if column.wraps and column.scale == 1
            ]
            broken_up += not all(is_whole for _lines, is_whole in broken)
            wrapped += any(len(lines) > 1 for lines, _whole in broken)
        return broken_up <= len(rows) * MOST_BROKEN and wrapped <= len(rows) * MOST_WRAPPED

    def _break_cell(self, column: PrintedColumn, cell: PrintedCell, size: float) -> tuple[tuple[str, ...], bool]:
        """The cell's text on lines, in rows of this size, and whether no word is broken."""
        own = size * column.scale * cell.scale
        width = column.width - 2 * CELL_PADDING - _measure_beside(cell, column.width, own)
        return break_text(cell.text, bold=column.bold, width=width, size=own)

    def _count_lines(self, row: PrintedRow, size: float, *, small: bool) -> float:
        """How many lines of this size the highest cell of a row needs, those of smaller columns only if `small`."""
        most = 1.0
        for column, content in zip(self.columns, row, strict=True):
            if not column.wraps or (column.scale < 1 and not small):
                continue
            cell = _make_cell(content)
            own = size * column.scale * cell.scale
            lines: float = min(
                len(self._break_cell(column, cell, size)[0]), MAX_LINES if column.scale == 1 else SMALL_LINES
            )
            if cell.below:
                width = column.width - 2 * CELL_PADDING
                below = break_text(cell.below, bold=False, width=width, size=own * BELOW_SCALE)[0]
                lines += BELOW_SCALE * min(len(below), MAX_LINES)
            most = max(most, lines * own / size)
        return most

    def _measure_rows(self, rows: Sequence[PrintedRow], size: float, *, small: bool = True) -> list[float]:
        """The heights of the rows in letters of this size."""
        return [
            max(self.lowest_row, (self._count_lines(row, size, small=small) * LEADING + self.air) * size)
            for row in rows
        ]

    def _spread(
        self,
        rows: Sequence[PrintedRow],
        heights: Sequence[float],
        size: float,
        room: float,
        pages: int,
        reserved: float,
    ) -> "ComposedTable":
        """The rows evenly on so many pages, higher where there is room left, all by the same factor."""
        limit = (reserved + sum(heights)) / max(pages, 1)
        filled = _fill_pages(heights, min(limit, room), reserved)
        while len(filled) > pages and limit < room:
            limit += self.least_size / 2
            filled = _fill_pages(heights, min(limit, room), reserved)
        factor = self.tallest_row / max(self.lowest_row, (LEADING + self.air) * size)
        for number, part in enumerate(filled):
            free = room - (0 if number else reserved)
            factor = max(1.0, min(factor, free / sum(heights[part])))
        composed = [ComposedRow(row, height * factor) for row, height in zip(rows, heights, strict=True)]
        return ComposedTable(self, size, tuple(tuple(composed[part]) for part in filled))


def _fill_pages(heights: Sequence[float], room: float, reserved: float) -> list[slice]:
    """Which rows stand on each page, each as full as it can be; the first has `reserved` less room."""
    begins, used = [0], reserved
    for number, height in enumerate(heights):
        if number > begins[-1] and used + height > room + 0.01:
            begins.append(number)
            used = 0.0
        used += height
    return (
        [slice(begin, end) for begin, end in zip(begins, [*begins[1:], len(heights)], strict=True)] if heights else []
    )


@dataclass(frozen=True, slots=True)
class ComposedRow:
    """A row and its height in points."""

    cells: PrintedRow
    height: float


@dataclass(frozen=True, slots=True)
class ComposedTable:
    """A table's rows on pages, and the size of their letters."""

    table: PrintedTable
    size: float
    pages: tuple[tuple[ComposedRow, ...], ...]

    def document(self, paper: Paper) -> bytes:
        """The PDF with each page's rows under a head of their own."""
        for rows in paper.pages(self.pages):
            self.draw(paper, rows)
        return paper.done()

    def draw(self, paper: Paper, rows: Iterable[ComposedRow], *, x: float | None = None, below: float = 0) -> float:
        """Draw the head and these rows, `below` the top of the content; return where they end."""
        x_left = paper.content.x if x is None else x
        y = self.draw_head(paper, x_left, paper.content.y + below)
        for row in rows:
            y = self.draw_row(paper, x_left, y, row)
        return y

    def draw_head(self, paper: Paper, x: float, y: float) -> float:
        """Draw the headings; return where the first row begins."""
        table = self.table
        paper.fill(Box(x, y, table.width, table.head_height))
        paper.rule(x, y + table.head_height, x + table.width, y + table.head_height, weight=0.9)
        for column in table.columns:
            box = _inset_cell(Box(x, y, column.width, table.head_height))
            paper.write(box, column.title, size=table.head_size, bold=True, align=column.align, hyphens=True)
            x += column.width
        return y + table.head_height

    def draw_row(self, paper: Paper, x: float, y: float, row: ComposedRow) -> float:
        """Draw a row and the rule under it; return where the next row begins."""
        x_left = x
        for column, cell in zip(self.table.columns, row.cells, strict=True):
            self._draw_cell(paper, _inset_cell(Box(x, y, column.width, row.height)), column, _make_cell(cell))
            x += column.width
        paper.rule(x_left, y + row.height, x, y + row.height, shade=0.45)
        return y + row.height

    def _draw_cell(self, paper: Paper, box: Box, column: PrintedColumn, cell: PrintedCell) -> None:
        size = self.size * column.scale * cell.scale
        write = paper.write_wrapped if column.wraps else paper.write
        if cell.below:
            lines, below = (
                min(len(break_text(text, bold=bold, width=box.width, size=own)[0]), MAX_LINES) * own
                for text, bold, own in ((cell.text, column.bold, size), (cell.below, False, size * BELOW_SCALE))
            )
            upper = replace(box, height=box.height * lines / (lines + below))
            write(upper.below(box.height - upper.height), cell.below, size=size * BELOW_SCALE)
            box = upper
        if not cell.beside:
            write(box, cell.text, size=size, bold=column.bold, align=column.align)
            return
        text = replace(box, width=box.width - _measure_beside(cell, column.width, size))
        text_width = write(text, cell.text, size=size, bold=column.bold)
        aside = Box(box.x + text_width + BESIDE_GAP, box.y, box.width * MAX_BESIDE_WIDTH, box.height)
        paper.write(aside, cell.beside, size=size * BESIDE_SCALE)


def _inset_cell(box: Box) -> Box:
    return box.inset(CELL_PADDING, EDGE_HEIGHT)


def _measure_beside(cell: PrintedCell, width: float, size: float) -> float:
    """The width that the small text beside takes in a cell of this width."""
    if not cell.beside:
        return 0.0
    aside, height = (width - 2 * CELL_PADDING) * MAX_BESIDE_WIDTH, 2 * LEADING * size * BESIDE_SCALE
    return measure_fitted_width(cell.beside, width=aside, height=height, size=size * BESIDE_SCALE) + BESIDE_GAP


def _make_cell(cell: PrintedCell | str) -> PrintedCell:
    return cell if isinstance(cell, PrintedCell) else PrintedCell(cell)
