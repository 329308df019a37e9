"""A study on paper: what follows from it, the four plots, the figures as a table."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.laboratory.figures import StudyFigures
from tournament.laboratory.plots import Plot, PlotSeries
from tournament.laboratory.tables import ShownPlot, ShownResults, build_results
from tournament.paper.boxes import Box
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.lettering import wrap_text
from tournament.paper.sheet import MM, Align, Paper, PaperHeader

TEXT_SIZE = 10.0
LINE_HEIGHT = 4.8 * MM
PLOT_HEIGHT = 86 * MM
ROW_HEIGHT = 8.5 * MM
LABEL_WIDTH = 82 * MM
DASHES: Sequence[tuple[float, ...]] = ((), (5, 3), (1.2, 2.5), (7, 2, 1.5, 2), (3, 2), (1, 1.5))
"""By plan, as on the page."""


def render_study_pdf(found: StudyFigures, organiser: str) -> bytes:
    """The study as PDF in the active language: sentences and figures on one page, plots on the other."""
    results = build_results(found)
    paper = Paper(PaperHeader(organiser, timezone.now()), _("Pairing laboratory"))
    for draw in paper.pages([_draw_figures, _draw_plots]):
        draw(paper, results)
    return paper.done()


def _draw_figures(paper: Paper, results: ShownResults) -> None:
    box = paper.content
    y = box.y
    for _number, letter, label in results.plans:
        y = _write_lines(paper, Box(box.x, y, box.width, 0), f"{letter}  {label}", bold=True)
    y += 2 * MM
    for sentence in (*(said for shown in results.plots for said in shown.sentences), *results.sentences):
        y = _write_lines(paper, Box(box.x, y, box.width, 0), f"– {sentence}")
    y = _draw_table(paper, results, below=y + 3 * MM - box.y) + 3 * MM
    for sentence in results.model:
        y = _write_lines(paper, Box(box.x, y, box.width, 0), sentence)


def _write_lines(paper: Paper, box: Box, text: str, *, bold: bool = False) -> float:
    """Write a text over the width of a box; where it ends."""
    y = box.y
    for line in wrap_text(text, bold=bold, width=box.width / TEXT_SIZE):
        paper.write(Box(box.x, y, box.width, LINE_HEIGHT), line, size=TEXT_SIZE, bold=bold)
        y += LINE_HEIGHT
    return y


def _draw_table(paper: Paper, results: ShownResults, *, below: float) -> float:
    """The figures with a column for each plan; where the table ends."""
    table = results.tables[0]
    each = (paper.content.width - LABEL_WIDTH) / len(results.plans)
    columns = (
        PrintedColumn(table.head, LABEL_WIDTH, group="labels"),
        *(PrintedColumn(letter, each, Align.RIGHT, group="figures") for _number, letter, _label in results.plans),
    )
    rows = [(label, *cells) for label, _note, cells in table.rows]
    return (
        PrintedTable(columns, ROW_HEIGHT, TEXT_SIZE, head_height=ROW_HEIGHT).even(rows).draw(paper, rows, below=below)
    )


def _draw_plots(paper: Paper, results: ShownResults) -> None:
    left, right = paper.content.columns(1, 1, gap=6 * MM)
    for number, shown in enumerate(results.plots):
        column = (left, right)[number % 2]
        _draw_plot(
            paper, Box(column.x, column.y + number // 2 * (PLOT_HEIGHT + 6 * MM), column.width, PLOT_HEIGHT), shown
        )


def _draw_plot(paper: Paper, box: Box, shown: ShownPlot) -> None:
    plot, scale = shown.plot, box.width / shown.plot.width
    paper.write(Box(box.x, box.y, box.width, 9 * MM), shown.title, size=11, bold=True)
    origin = Box(box.x, box.y + 10 * MM, box.width, plot.height * scale)
    for tick in plot.down:
        y = origin.y + tick.at * scale
        paper.rule(origin.x + plot.left * scale, y, origin.x + plot.right * scale, y, shade=0.75)
        label = Box(origin.x, y - 2 * MM, (plot.left - 8) * scale, 4 * MM)
        paper.write(label, tick.label, size=8, align=Align.RIGHT)
    for tick in plot.across:
        label = Box(origin.x + tick.at * scale - 5 * MM, origin.y + plot.bottom * scale + MM, 10 * MM, 4 * MM)
        paper.write(label, tick.label, size=8, align=Align.CENTRE)
    foot = Box(origin.x, origin.y + plot.bottom * scale + 5 * MM, plot.right * scale, 4 * MM)
    paper.write(foot, shown.across, size=8, align=Align.RIGHT)
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
    paper.course(points, weight=1.4, dash=DASHES[series.number])
    at = Box(origin.x + series.label_x * scale, origin.y + series.label_at * scale - 2 * MM, 6 * MM, 4 * MM)
    paper.write(at, series.letter, size=10, bold=True)
