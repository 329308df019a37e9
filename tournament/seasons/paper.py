"""The table of a season on paper: the events numbered, what each brought, what does not count in brackets."""

import textwrap
from dataclasses import dataclass
from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from tournament.paper.documents import render_notice
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, split_into_pages
from tournament.seasons.queries import SeasonTable
from tournament.seasons.words import describe_season_rules, format_event_name, format_season_value

EVENTS_UPRIGHT = 7  # so many fit beside the names on an upright page
LETTERS_UPRIGHT, LETTERS_WIDE = 105, 155  # of a note on one line
LOWEST_ROW, TALLEST_ROW = 6.6 * MM, 9 * MM
SEASON_HEAD_HEIGHT = 8 * MM
RANK_WIDTH, TOTAL_WIDTH, WIDEST_EVENT = 13 * MM, 20 * MM, 15 * MM
LEAST_NAME_WIDTH = 46 * MM  # what the events leave is added


@dataclass(frozen=True, slots=True)
class SeasonSheet:
    """What is drawn: the events' names, and for each row rank, name, total and scores."""

    events: tuple[str, ...]
    rows: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    notes: tuple[str, ...]


def render_season_pdf(found: SeasonTable, printed_at: datetime | None = None) -> bytes:
    """The season's table as PDF in the active language."""
    header = PaperHeader(found.season.name, printed_at or timezone.now(), place=found.season.organiser.name)
    sheet = build_season_sheet(found)
    if not sheet.rows:
        return render_notice(header, _("Standings of the season"), _("No event of this season counts yet."))
    return draw_season_sheet(header, sheet)


def build_season_sheet(found: SeasonTable) -> SeasonSheet:
    """The season as texts."""
    season, events = found.season, []
    for counted in found.counted:
        day = counted.division.tournament.starts_on
        shown_day = f" ({formats.date_format(day, 'SHORT_DATE_FORMAT')})" if day else ""
        events.append(f"{format_event_name(counted)}{shown_day}")
    facts = describe_season_rules(season.counting, with_running=season.with_running)
    rows = []
    for line in found.lines:
        scores = []
        for number in range(len(found.counted)):
            score = line.row.score_in(number)
            text = format_season_value(score.value, season.counting.rule) if score else ""
            scores.append(text if score is None or score.counts else f"({text})")
        total = format_season_value(line.row.total, season.counting.rule)
        rows.append((str(line.row.rank), line.player.name, total, tuple(scores)))
    bracketed = [_("What stands in brackets does not count.")] if season.best is not None else []
    return SeasonSheet(tuple(events), tuple(rows), (*facts, *bracketed))


def draw_season_sheet(header: PaperHeader, sheet: SeasonSheet) -> bytes:
    """The rows on as few pages as hold them, upright as long as the events fit."""
    wide = len(sheet.events) > EVENTS_UPRIGHT
    letters = LETTERS_WIDE if wide else LETTERS_UPRIGHT
    numbered = " · ".join(f"{number}\N{NO-BREAK SPACE}{name}" for number, name in enumerate(sheet.events, 1))
    notes = [line for text in (numbered, " ".join(sheet.notes)) for line in textwrap.wrap(text, letters)]
    paper = Paper(header, _("Standings of the season"), notes=notes, wide=wide)
    box = paper.content
    rows = [(rank, name, total, *scores) for rank, name, total, scores in sheet.rows]
    pages = split_into_pages(rows, int((box.height - SEASON_HEAD_HEIGHT) // LOWEST_ROW))
    height = min(TALLEST_ROW, (box.height - SEASON_HEAD_HEIGHT) / len(pages[0]))
    columns = _build_columns(len(sheet.events), box.width)
    grid = PrintedTable(columns, height, min(12, height * 0.52), head_height=SEASON_HEAD_HEIGHT)
    return grid.even(rows).document(paper, pages)


def _build_columns(events: int, width: float) -> tuple[PrintedColumn, ...]:
    each = min(WIDEST_EVENT, (width - RANK_WIDTH - LEAST_NAME_WIDTH - TOTAL_WIDTH) / max(events, 1))
    name = width - RANK_WIDTH - TOTAL_WIDTH - each * events
    return (
        PrintedColumn(_("Rank"), RANK_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), name, group="names"),
        PrintedColumn(_("Total"), TOTAL_WIDTH, Align.RIGHT, bold=True),
        *(PrintedColumn(str(number), each, Align.RIGHT, group="events") for number in range(1, events + 1)),
    )
