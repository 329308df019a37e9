"""The table of a season on paper: the events numbered, what each brought, what does not count in brackets."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from tournament.plan.seasons import CountedEvent
from tournament.printing import notice
from tournament.printing.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.printing.paper import MM, Align, Paper, share
from tournament.printing.values import Header
from tournament.queries.seasons import SeasonLine, SeasonTable
from tournament.words import seasons as words

UPRIGHT = 7
"""So many events fit beside the names on an upright page."""
LETTERS_UPRIGHT, LETTERS_WIDE = 105, 155
"""How many letters of a note fit on one line."""
LOWEST_ROW, TALLEST_ROW = 6.6 * MM, 9 * MM
HEAD = 8 * MM
RANK, TOTAL, WIDEST = 13 * MM, 20 * MM, 15 * MM
NAME = 46 * MM
"""The least that a name has; what the events leave is added."""


@dataclass(frozen=True, slots=True)
class SeasonSheet:
    """What is drawn: the events' names, and for each row rank, name, total and scores."""

    events: tuple[str, ...]
    rows: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    notes: tuple[str, ...]


def season(found: SeasonTable, printed_at: datetime | None = None) -> bytes:
    """The season's table as PDF in the active language."""
    header = Header(found.season.name, printed_at or timezone.now(), place=found.season.organiser.name)
    sheet = sheet_of(found)
    if not sheet.rows:
        return notice.nothing(header, _("Standings of the season"), _("No event of this season counts yet."))
    return draw(header, sheet)


def sheet_of(found: SeasonTable) -> SeasonSheet:
    """The season as texts."""
    season = found.season
    events = tuple(f"{words.event_name(each)}{_day(each)}" for each in found.counted)
    facts = words.facts(season.counting, with_running=season.with_running)
    rows = tuple(_row(line, found) for line in found.lines)
    bracketed = [_("What stands in brackets does not count.")] if season.best is not None else []
    return SeasonSheet(events, rows, (*facts, *bracketed))


def _day(counted: CountedEvent) -> str:
    day = counted.division.tournament.starts_on
    return f" ({formats.date_format(day, 'SHORT_DATE_FORMAT')})" if day else ""


def _row(line: SeasonLine, found: SeasonTable) -> tuple[str, str, str, tuple[str, ...]]:
    rule = found.season.counting.rule
    scores = []
    for number in range(len(found.counted)):
        score = line.row.score_in(number)
        text = words.worth(score.value, rule) if score else ""
        scores.append(text if score is None or score.counts else f"({text})")
    return str(line.row.rank), line.player.name, words.worth(line.row.total, rule), tuple(scores)


def draw(header: Header, sheet: SeasonSheet) -> bytes:
    """The rows on as few pages as hold them, upright as long as the events fit."""
    wide = len(sheet.events) > UPRIGHT
    letters = LETTERS_WIDE if wide else LETTERS_UPRIGHT
    numbered = " · ".join(f"{number}\N{NO-BREAK SPACE}{name}" for number, name in enumerate(sheet.events, 1))
    notes = [line for text in (numbered, " ".join(sheet.notes)) for line in textwrap.wrap(text, letters)]
    paper = Paper(header, _("Standings of the season"), notes=notes, wide=wide)
    box = paper.content
    rows = [_cells(row) for row in sheet.rows]
    pages = share(rows, int((box.height - HEAD) // LOWEST_ROW))
    height = min(TALLEST_ROW, (box.height - HEAD) / len(pages[0]))
    grid = PrintedTable(_columns(len(sheet.events), box.width), height, min(12, height * 0.52), head_height=HEAD)
    return grid.even(rows).document(paper, pages)


def _columns(events: int, width: float) -> tuple[PrintedColumn, ...]:
    each = min(WIDEST, (width - RANK - NAME - TOTAL) / max(events, 1))
    name = width - RANK - TOTAL - each * events
    return (
        PrintedColumn(_("Rank"), RANK, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), name, group="names"),
        PrintedColumn(_("Total"), TOTAL, Align.RIGHT, bold=True),
        *(PrintedColumn(str(number), each, Align.RIGHT, group="events") for number in range(1, events + 1)),
    )


def _cells(row: tuple[str, str, str, Sequence[str]]) -> list[PrintedCell | str]:
    rank, name, total, scores = row
    return [rank, name, total, *scores]
