"""Tables on paper: one size for all rows, at which long texts take two lines or three and their rows grow."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count

from tournament.paper.boxes import Box
from tournament.paper.lettering import (
    LEADING,
    SMALLEST_SIZE,
    break_text,
    fit_text,
    fits_on_line,
    make_drawable,
    measure_fitted_height,
    measure_fitted_width,
    measure_width,
    split_evenly,
)
from tournament.paper.sheet import MM, Align, Paper

CELL_PADDING = 1.2 * MM
BESIDE_GAP = 1.5 * MM
BESIDE_SCALE = 0.75  # the size of what stands beside a text, in parts of the row's size
MAX_BESIDE_WIDTH = 0.36  # the part of a cell that it may take
BELOW_SCALE = 0.62  # the size of what stands below a text, in parts of its own
EDGE_HEIGHT = 0.4 * MM  # what stays free above and below a text

LEAST_SIZE = 10.0  # of a name in points
SMALL_LINES = 2  # of a text in a column of smaller letters before it gets smaller still
EASY_SIZE = 9.0  # of whatever else stands in a row, where there is room
SIZE_STEP = 0.25
FEW_LONG = 0.1  # the part of a column's texts for which it does not get wider: they take two lines
MOST_WRAPPED, MOST_BROKEN = 0.5, 0.1
"""The part of the rows in which a name may take more lines, and in which one may be too long for three, before all
letters get smaller."""


@dataclass(frozen=True, slots=True)
class PrintedColumn:
    """A column. `scale` makes its cells smaller than the row's size. Texts of a column that `wraps` all have that size
    and take as many lines as they need; others get smaller until they fit their cell. What is `written_by_hand` keeps
    its width."""

    title: str
    width: float
    align: Align = Align.LEFT
    bold: bool = False
    scale: float = 1.0
    wraps: bool = False
    written_by_hand: bool = False


@dataclass(frozen=True, slots=True)
class PrintedCell:
    """A text, with something small `beside` it, or `below` it where its column wraps; `scale` makes it smaller than its
    column's."""

    text: str
    beside: str = ""
    below: str = ""
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class MeasuredCell:
    """A cell, and how wide at size 1 its texts are in one line, `half` the wider of two even lines; `gap` lies between
    the text and what stands beside it."""

    content: PrintedCell
    scale: float
    text: float
    half: float
    beside: float
    gap: float
    below: float


MeasuredColumns = Sequence[Sequence[MeasuredCell]]


def measure_column(texts: Iterable[str], size: float, room: tuple[float, float]) -> float:
    """How wide a column must be for these texts in one line, at least and at most so much."""
    widest = max((measure_width(make_drawable(text), bold=False) * size for text in texts), default=0.0)
    return min(max(widest + 2 * CELL_PADDING + 0.5, room[0]), room[1])


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
    head_height: float = 8.4 * MM
    head_size: float = 9

    @property
    def width(self) -> float:
        return sum(column.width for column in self.columns)

    def compose(
        self, rows: Sequence[PrintedRow], room: float, *, side_by_side: int = 1, reserved: float = 0
    ) -> "ComposedTable":
        """The rows on as few pages as they need, each with `room` for its head and rows, in the largest letters that
        take no more pages, break no word and leave the names of every other row on one line; columns give what they do
        not need to those whose texts need more.
        `side_by_side`: so many of these pages stand on one sheet. `reserved`: the room that the first page has less."""
        room -= self.head_height
        # Each text once, at size 1: up to fifty sizes are tried, and for each of them all texts would be measured anew.
        measured = [
            [_measure_cell(row[place], bold=column.bold) for row in rows] for place, column in enumerate(self.columns)
        ]
        table = self._balance(measured, self.least_size)
        size, heights = self.least_size, table._measure_rows(measured, self.least_size, SMALLEST_SIZE)
        # Rounded up to whole sheets: side by side, half a sheet costs the same paper, and its room may as well make the
        # letters larger.
        fewest = -(-len(_fill_pages(heights, room, reserved)) // side_by_side) * side_by_side

        def fits(tried_heights: Sequence[float]) -> bool:
            return len(_fill_pages(tried_heights, room, reserved)) <= fewest

        # The largest first: the first that fits is taken, and the rows are not measured at any smaller size.
        for wider, tried, small in self._list_layouts(measured, fits):
            higher = wider._measure_rows(measured, tried, small)
            if fits(higher):
                table, size, heights = wider, tried, higher
                break
        return table._spread(rows, heights, size, room, fewest, reserved)

    def _list_layouts(
        self, measured: MeasuredColumns, fits: Callable[[Sequence[float]], bool]
    ) -> Iterator[tuple["PrintedTable", float, float]]:
        """The sizes to try, the largest first, each with the table balanced for it and the least size of smaller
        columns: those at which everything is read with ease before those at which it can just be read. A size at which
        even rows of one line have no room is left out."""
        suiting = []
        for step in range(round((self.size - self.least_size) / SIZE_STEP), -1, -1):
            tried = self.least_size + step * SIZE_STEP
            if step and not fits([self._get_least_height(tried)] * len(measured[0])):
                continue
            wider = self._balance(measured, tried)
            # The smallest size is taken whether it suits or not: there has to be one.
            if not step or wider._suits(measured, tried):
                suiting.append((wider, tried))
                yield wider, tried, EASY_SIZE
        # Where no column has smaller letters, the second round would try the sizes of the first once more.
        if any(column.wraps and column.scale < 1 for column in self.columns):
            yield from ((wider, tried, SMALLEST_SIZE) for wider, tried in suiting)

    def fix(self, rows: Iterable[PrintedRow]) -> "ComposedTable":
        """The rows on one page, all as low as a row may be, in letters of the table's size."""
        return ComposedTable(self, self.size, (tuple(ComposedRow(row, self.lowest_row) for row in rows),))

    def _balance(self, measured: MeasuredColumns, size: float) -> "PrintedTable":
        """The table with the width that columns have to spare in those which lack it: figures and headings first, then
        texts that would need more than one line; whoever lacks little gets all of it."""
        needs = [
            (column.width, column.width) if column.written_by_hand else self._measure_need(column, cells, size)
            for column, cells in zip(self.columns, measured, strict=True)
        ]
        musts = [
            max(0.0, (heading if column.wraps else need) - column.width)
            for column, (heading, need) in zip(self.columns, needs, strict=True)
        ]
        lacks = [
            need - column.width - must for column, must, (_head, need) in zip(self.columns, musts, needs, strict=True)
        ]
        spare = -sum(lack for lack in lacks if lack < 0)
        rest = spare - sum(musts)
        # Whoever lacks least comes first: what it does not take of its equal share is there for those who lack more.
        texts = sorted((lack, place) for place, lack in enumerate(lacks) if lack > 0)
        shares, breadth = dict[int, float](), sum(self.columns[place].width for _lack, place in texts)
        for number, (lack, place) in enumerate(texts):
            # Figures and headings need more than there is to spare: then texts give it, each by its width.
            if rest < 0:
                shares[place] = (spare - sum(musts)) * self.columns[place].width / breadth
                continue
            shares[place] = min(lack, rest / (len(texts) - number))
            rest -= shares[place]
        unused = max(rest, 0) / spare if spare else 0.0
        return replace(
            self,
            columns=tuple(
                replace(column, width=column.width + must + shares.get(place, min(lack, 0) * (1 - unused)))
                for place, (column, must, lack) in enumerate(zip(self.columns, musts, lacks, strict=True))
            ),
        )

    def _measure_need(self, column: PrintedColumn, cells: Sequence[MeasuredCell], size: float) -> tuple[float, float]:
        """The width at which a column has its heading on two lines, and that at which it has all of its figures and
        next to all of its texts on one as well, and the longest names on two."""
        title = make_drawable(column.title)
        lines = split_evenly(title, bold=True) or (title,)
        heading = max(measure_width(line, bold=True) for line in lines) * self.head_size
        owns = {scale: _get_cell_size(column, scale, size) for scale in {cell.scale for cell in cells}}
        widths, halves = [0.0], [0.0]
        for cell in cells:
            own = owns[cell.scale]
            beside = cell.beside * _scale_down(own, BESIDE_SCALE) + cell.gap if cell.gap else 0.0
            below = cell.below * _scale_down(own, BELOW_SCALE) if cell.below else 0.0
            widths.append(max(cell.text * own + beside, below))
            halves.append(cell.half * own + beside)
        if column.wraps:
            # Not the widest of all: one name of forty letters would take the room that every other column needs.
            most = sorted(widths)[round((len(widths) - 1) * (1 - FEW_LONG))]
            widths = [most, *(halves if column.scale == 1 else ())]
        padding = 2 * CELL_PADDING + 0.5
        return heading + padding, max(heading, *widths) + padding

    def _suits(self, measured: MeasuredColumns, size: float) -> bool:
        """Whether few texts of full-sized columns take more than one line at this size, and next to none more than
        three or a broken word: these get smaller alone."""
        columns = [pair for pair in zip(self.columns, measured, strict=True) if pair[0].wraps and pair[0].scale == 1]
        wrapped, broken_up = set[int](), set[int]()
        for column, cells in columns:
            for number, cell in enumerate(cells):
                own = _get_cell_size(column, cell.scale, size)
                width = _get_text_width(column, cell, own)
                if fits_on_line(cell.text, width=width, size=own):
                    continue
                # By rows and not by cells: a row with two long texts is as high as one with a single one.
                wrapped.add(number)
                if len(wrapped) > len(cells) * MOST_WRAPPED:
                    return False
                if not break_text(cell.content.text, bold=column.bold, width=width, size=own)[1]:
                    broken_up.add(number)
        return len(broken_up) <= len(measured[0]) * MOST_BROKEN

    def _get_least_height(self, size: float) -> float:
        """The height of a row with one line in letters of this size."""
        return max(self.lowest_row, (LEADING + self.air) * size)

    def _measure_rows(self, measured: MeasuredColumns, size: float, small: float) -> list[float]:
        """The heights of the rows in letters of this size; those of smaller columns have `small` or more."""
        heights = [self._get_least_height(size)] * len(measured[0])
        for column, cells in zip(self.columns, measured, strict=True):
            if column.wraps:
                needs = (self._measure_height(column, cell, size, small) for cell in cells)
                heights = [max(height, need) for height, need in zip(heights, needs, strict=True)]
        return heights

    def _measure_height(self, column: PrintedColumn, cell: MeasuredCell, size: float, small: float) -> float:
        """The height that a cell needs. Texts of smaller columns get smaller before they take a third line, with less
        air."""
        content, is_small = cell.content, column.scale < 1
        own = SMALLEST_SIZE if is_small and small < EASY_SIZE else _get_cell_size(column, cell.scale, size)
        width = _get_text_width(column, cell, own)
        height = own * LEADING
        if not fits_on_line(cell.text, width=width, size=own):
            height = measure_fitted_height(content.text, bold=column.bold, width=width, size=own)
        if is_small and height > (room := SMALL_LINES * own * LEADING):
            fitted = fit_text(content.text, bold=column.bold, width=width, height=room, size=own)
            if not fitted.is_cut and fitted.size >= small:
                height = len(fitted.lines) * fitted.size * LEADING
        air = 2 * EDGE_HEIGHT + 1 if is_small else self.air * size
        height += _measure_below(content, column.width, own)
        return max(height + air, _measure_beside_height(content, column.width, own) + 2 * EDGE_HEIGHT)

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
        # An even share of all heights is a little too low wherever a high row does not go into the rest of a page.
        while len(filled) > pages and limit < room:
            limit += self.least_size / 2
            filled = _fill_pages(heights, min(limit, room), reserved)
        factor = self.tallest_row / max(self.lowest_row, (LEADING + self.air) * size)
        for number, part in enumerate(filled):
            # The factor of the fullest page holds for all: rows of two heights in one document look like two tables.
            free = room - (0 if number else reserved)
            factor = max(1.0, min(factor, free / sum(heights[part])))
        composed = [ComposedRow(row, height * factor) for row, height in zip(rows, heights, strict=True)]
        return ComposedTable(self, size, tuple(tuple(composed[part]) for part in filled))


def _fill_pages(heights: Sequence[float], room: float, reserved: float) -> list[slice]:
    """Which rows stand on each page, each as full as it can be; the first has `reserved` less room."""
    begins, used = [0], reserved
    for number, height in enumerate(heights):
        # The first row of a page goes on it in any case: one that is higher than a page would otherwise be put off for
        # ever.
        if number > begins[-1] and used + height > room + 0.01:
            begins.append(number)
            used = 0.0
        used += height
    return (
        [slice(begin, end) for begin, end in zip(begins, [*begins[1:], len(heights)], strict=True)] if heights else []
    )


@dataclass(frozen=True, slots=True)
class ComposedRow:
    """A row and its height in points. `ends_part`: the line below it is a heavy one."""

    cells: PrintedRow
    height: float
    ends_part: bool = False


@dataclass(frozen=True, slots=True)
class ComposedTable:
    """A table's rows on pages, and the size of their letters."""

    table: PrintedTable
    size: float
    pages: tuple[tuple[ComposedRow, ...], ...]

    def end_parts_at(self, places: Collection[int]) -> "ComposedTable":
        """The table with a heavy line below the rows at these places, counted from 0 over all pages."""
        numbers = count()
        # Counted over all pages: where a part ends is asked of the table, which knows nothing of its pages.
        pages = tuple(tuple(replace(row, ends_part=next(numbers) in places) for row in page) for page in self.pages)
        return replace(self, pages=pages)

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
            box = _inset_cell(x, y, column.width, table.head_height)
            paper.write(box, column.title, size=table.head_size, bold=True, align=column.align, hyphens=True)
            x += column.width
        return y + table.head_height

    def draw_row(self, paper: Paper, x: float, y: float, row: ComposedRow) -> float:
        """Draw a row and the rule under it; return where the next row begins."""
        x_left = x
        for column, cell in zip(self.table.columns, row.cells, strict=True):
            self._draw_cell(paper, _inset_cell(x, y, column.width, row.height), column, cell)
            x += column.width
        weight, shade = (2.0, 0.0) if row.ends_part else (0.4, 0.45)
        paper.rule(x_left, y + row.height, x, y + row.height, weight=weight, shade=shade)
        return y + row.height

    def _draw_cell(self, paper: Paper, box: Box, column: PrintedColumn, cell: PrintedCell | str) -> None:
        write = paper.write_wrapped if column.wraps else paper.write
        if isinstance(cell, str):
            size = _get_cell_size(column, 1, self.size)
            write(box, cell, size=size, bold=column.bold, align=column.align)
            return
        size = _get_cell_size(column, cell.scale, self.size)
        if cell.below:
            lines = measure_fitted_height(cell.text, bold=column.bold, width=box.width, size=size)
            below = _measure_below(cell, column.width, size)
            upper = replace(box, height=box.height * lines / (lines + below))
            write(upper.below(box.height - upper.height), cell.below, size=_scale_down(size, BELOW_SCALE))
            box = upper
        if not cell.beside:
            write(box, cell.text, size=size, bold=column.bold, align=column.align)
            return
        text = replace(box, width=box.width - _measure_beside(cell, column.width, size))
        text_width = write(text, cell.text, size=size, bold=column.bold)
        aside = Box(box.x + text_width + BESIDE_GAP, box.y, box.width * MAX_BESIDE_WIDTH, box.height)
        paper.write(aside, cell.beside, size=_scale_down(size, BESIDE_SCALE))


def _inset_cell(x: float, y: float, width: float, height: float) -> Box:
    """The room for a cell's text, of a cell that begins here."""
    return Box(x + CELL_PADDING, y + EDGE_HEIGHT, width - 2 * CELL_PADDING, height - 2 * EDGE_HEIGHT)


@lru_cache(maxsize=8192)
def _measure_cell(content: PrintedCell | str, *, bold: bool) -> MeasuredCell:
    """The cell with its widths. Kept, as a table tries many sizes, and names and figures come again."""
    cell = content if isinstance(content, PrintedCell) else PrintedCell(content)
    text = make_drawable(cell.text)
    halves = split_evenly(text, bold=bold) or (text,)
    return MeasuredCell(
        cell,
        cell.scale,
        text=measure_width(text, bold=bold),
        half=max(measure_width(half, bold=bold) for half in halves),
        beside=measure_width(make_drawable(cell.beside), bold=False),
        gap=BESIDE_GAP if cell.beside else 0.0,
        below=measure_width(make_drawable(cell.below), bold=False),
    )


def _get_cell_size(column: PrintedColumn, scale: float, size: float) -> float:
    """The size of a cell's letters in rows of this size, if there is room."""
    return max(size * column.scale * scale, min(size, EASY_SIZE))


def _get_text_width(column: PrintedColumn, cell: MeasuredCell, own: float) -> float:
    """The width that a text of its own size has in its cell."""
    return column.width - 2 * CELL_PADDING - _measure_beside(cell.content, column.width, own)


def _scale_down(size: float, scale: float) -> float:
    """The size of what stands beside or below letters of this size."""
    return max(size * scale, min(size, EASY_SIZE))


def _measure_beside(cell: PrintedCell, width: float, size: float) -> float:
    """The width that the small text beside takes in a cell of this width."""
    if not cell.beside:
        return 0.0
    own, aside = _scale_down(size, BESIDE_SCALE), (width - 2 * CELL_PADDING) * MAX_BESIDE_WIDTH
    return measure_fitted_width(cell.beside, width=aside, height=2 * LEADING * own, size=own) + BESIDE_GAP


def _measure_beside_height(cell: PrintedCell, width: float, size: float) -> float:
    """The height that the small text beside takes in a cell of this width."""
    if not cell.beside:
        return 0.0
    own, aside = _scale_down(size, BESIDE_SCALE), (width - 2 * CELL_PADDING) * MAX_BESIDE_WIDTH
    return measure_fitted_height(cell.beside, bold=False, width=aside, size=own)


def _measure_below(cell: PrintedCell, width: float, size: float) -> float:
    """The height that the small text below takes in a cell of this width."""
    if not cell.below:
        return 0.0
    width, own = width - 2 * CELL_PADDING, _scale_down(size, BELOW_SCALE)
    return measure_fitted_height(cell.below, bold=False, width=width, size=own)
