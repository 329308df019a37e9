"""A study on paper: what follows from it, the four plots, the figures as a table."""

from collections.abc import Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.laboratory.figures import StudyFigures
from tournament.laboratory.plots import Plot, PlotSeries
from tournament.laboratory.tables import build_results
from tournament.paper.boxes import Box
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.lettering import wrap_text
from tournament.paper.sheet import MM, Align, Paper, PaperHeader

TEXT_SIZE, LINE_HEIGHT = 10.0, 4.8 * MM
PLOT_HEIGHT = 66 * MM
ROW_HEIGHT = 7 * MM
LABEL_WIDTH = 82 * MM
DASHES: Sequence[tuple[float, ...]] = ((), (5, 3), (1.2, 2.5), (7, 2, 1.5, 2), (3, 2), (1, 1.5))
"""By plan, as on the page."""


def render_study_pdf(found: StudyFigures, organiser: str) -> bytes:
    """The study as PDF in the active language: plots and how they came about on one page, what follows and the figures
    on the other."""
    results = build_results(found)
    paper = Paper(PaperHeader(organiser, timezone.now()), _("Pairing laboratory"))
    for draw in paper.pages([_draw_plots, _draw_figures]):
        draw(paper, results)
    return paper.done()


def _draw_plots(paper: Paper, results: dict[str, Any]) -> None:
    box = paper.content
    verdict_end = _write_lines(paper, box, [results["verdict"]] if results["verdict"] else []) + 1 * MM
    y = (
        _write_lines(paper, Box(box.x, verdict_end, box.width, box.bottom - verdict_end), [results["interval"]])
        + 2 * MM
    )
    plans = [f"{letter}  {label}" for _number, letter, label in results["plans"]]
    y = _write_lines(paper, Box(box.x, y, box.width, box.bottom - y), plans, bold=True) + 4 * MM
    for number, plot in enumerate(results["plots"]):
        column = box.columns(1, 1, gap=6 * MM)[number % 2]
        _draw_plot(paper, Box(column.x, y + number // 2 * PLOT_HEIGHT, column.width, PLOT_HEIGHT), plot)
    y += (len(results["plots"]) + 1) // 2 * PLOT_HEIGHT
    _write_lines(paper, Box(box.x, y, box.width, box.bottom - y), results["model"])


def _draw_figures(paper: Paper, results: dict[str, Any]) -> None:
    box = paper.content
    table_height = ROW_HEIGHT * (len(results["tables"][0]["rows"]) + 1)
    of_plots = (sentence for plot in results["plots"] for sentence in (*plot["sentences"], plot["note"]) if sentence)
    sentences = [*of_plots, *results["sentences"]]
    # The table has its height in any case: sentences that need more than is left get smaller.
    room = Box(box.x, box.y, box.width, box.height - table_height - 4 * MM)
    y = _write_lines(paper, room, [f"– {sentence}" for sentence in sentences])
    _draw_table(paper, results, below=y + 4 * MM - box.y)


def _write_lines(paper: Paper, box: Box, texts: Sequence[str], *, bold: bool = False) -> float:
    """Write texts over the width of a box, smaller where they need more than its height; where they end."""
    lines = [line for text in texts for line in wrap_text(text, bold=bold, width=box.width / TEXT_SIZE)]
    height = min(LINE_HEIGHT, box.height / max(1, len(lines)))
    for number, line in enumerate(lines):
        at = Box(box.x, box.y + number * height, box.width, height)
        paper.write(at, line, size=TEXT_SIZE * height / LINE_HEIGHT, bold=bold)
    return box.y + len(lines) * height


def _draw_table(paper: Paper, results: dict[str, Any], *, below: float) -> float:
    """The figures with a column for each plan; where the table ends."""
    table = results["tables"][0]
    column_width = (paper.content.width - LABEL_WIDTH) / len(results["plans"])
    columns = (
        PrintedColumn(table["head"], LABEL_WIDTH),
        *(PrintedColumn(letter, column_width, Align.RIGHT) for _number, letter, _label in results["plans"]),
    )
    rows = [(label, *cells) for label, _note, cells in table["rows"]]
    composed = PrintedTable(columns, TEXT_SIZE, ROW_HEIGHT, head_height=ROW_HEIGHT).fix(rows)
    return composed.draw(paper, composed.pages[0], below=below)


def _draw_plot(paper: Paper, box: Box, shown: dict[str, Any]) -> None:
    plot: Plot = shown["plot"]
    scale = box.width / plot.width
    paper.write(Box(box.x, box.y, box.width, 9 * MM), shown["title"], size=11, bold=True)
    origin = Box(box.x, box.y + 10 * MM, box.width, plot.height * scale)
    for tick in plot.down:
        y = origin.y + tick["at"] * scale
        paper.rule(origin.x + plot.left * scale, y, origin.x + plot.right * scale, y, shade=0.75)
        label = Box(origin.x, y - 2 * MM, (plot.left - 8) * scale, 4 * MM)
        paper.write(label, tick["label"], size=8, align=Align.RIGHT)
    for tick in plot.across:
        label = Box(origin.x + tick["at"] * scale - 5 * MM, origin.y + plot.bottom * scale + MM, 10 * MM, 4 * MM)
        paper.write(label, tick["label"], size=8, align=Align.CENTRE)
    foot = Box(origin.x, origin.y + plot.bottom * scale + 5 * MM, plot.right * scale, 4 * MM)
    paper.write(foot, shown["across"], size=8, align=Align.RIGHT)
    paper.write(Box(origin.x, origin.y, origin.width, 4 * MM), shown["down"], size=8)
    for series in plot.series:
        _draw_series(paper, origin, scale, plot, series)


def _draw_series(paper: Paper, origin: Box, scale: float, plot: Plot, series: PlotSeries) -> None:
    """A line with the bars of its intervals, and its letter."""
    points = [(origin.x + point.x * scale, origin.y + point.y * scale) for point in series.points]
    for point, (x, _y) in zip(series.points, points, strict=True):
        paper.rule(x, origin.y + point.top * scale, x, origin.y + point.bottom * scale, weight=0.5, shade=0.5)
        if not plot.is_line:
            level = origin.y + point.y * scale
            paper.rule(
                origin.x + point.left * scale, level, origin.x + point.right * scale, level, weight=0.5, shade=0.5
            )
        if not plot.is_line:
            paper.fill(Box(x - MM, level - MM, 2 * MM, 2 * MM), shade=0)
    paper.course(points, weight=1.4, dash=DASHES[series.number])
    at = Box(origin.x + series.label_x * scale, origin.y + series.label_at * scale - 2 * MM, 6 * MM, 4 * MM)
    paper.write(at, series.letter, size=10, bold=True)
