"""The table of a season as files: JSON by docs/formats.md, and PDF."""

import textwrap
from typing import Any

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from scoring.qualification import Qualified
from tournament.paper.documents import join_documents, render_notice
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader
from tournament.seasons.season_table import SeasonLine, SeasonTable
from tournament.seasons.tables import RANK_WIDTH, TOTAL_WIDTH, WIDEST_EVENT, SeasonRows, list_qualified_lines
from tournament.seasons.words import (
    convert_fraction,
    describe_qualification,
    describe_season_rules,
    format_event_name,
)


def build_season_json(found: SeasonTable) -> dict[str, Any]:
    """The events that count and the rows, as `season --format json` prints them."""
    counting = found.season.counting
    return {
        "season": found.season.slug,
        "rule": counting.rule.value,
        "best": counting.best,
        "events": [
            {
                "tournament": season_event.division.tournament.slug,
                "division": season_event.division.name,
                "standing": season_event.standing,
            }
            for season_event in found.counted
        ],
        "rows": [_build_json_row(line, len(found.counted)) for line in found.lines],
        **(
            {"qualified": [_build_json_qualified(qualified, found) for qualified in found.qualified]}
            if found.has_qualifying_places
            else {}
        ),
    }


def _build_json_qualified(qualified: Qualified, found: SeasonTable) -> dict[str, Any]:
    """Who qualifies, by what, with the figures, and whether that is still open."""
    row, direct, candidate = qualified.row, qualified.direct, qualified.candidate
    return {
        "name": found.players[row.player].called,
        "by": qualified.by.value,
        "open": qualified.is_open,
        "direct": {"event": direct.event, "place": direct.place} if direct else None,
        "places": sorted(score.showing.place or 0 for score in row.scores if score.counts),
        "rating": candidate.rating,
        "games": candidate.games,
        "events": len(row.scores),
        "sentence": describe_qualification(qualified, found),
    }


def _build_json_row(line: SeasonLine, events: int) -> dict[str, Any]:
    row = line.row
    scores = [row.score_in(event) for event in range(events)]
    return {
        "rank": row.rank,
        "name": line.player.called,
        "total": convert_fraction(row.total),
        "wins": row.half_wins / 2,
        "spread": row.spread,
        "decided_by": row.decided_by.value if row.decided_by else None,
        "scores": [
            {"value": convert_fraction(score.value), "counts": score.counts} if score else None for score in scores
        ],
    }


# On paper, with as many rows on a page as can be read; events are headed by numbers, which a note explains.

EVENTS_UPRIGHT = 7  # so many fit beside the names on an upright page
LETTERS_UPRIGHT, LETTERS_WIDE = 105, 155  # of a note on one line
LEAST_NAME_WIDTH = 46 * MM  # what the events leave is added


def render_season_pdf(found: SeasonTable) -> bytes:
    """The season's table as PDF in the active language: as few pages as hold it, upright as long as the events fit."""
    header = PaperHeader(found.season.name, timezone.now(), place=found.season.organiser.name)
    if not found.lines:
        return render_notice(header, _("Standings of the season"), _("No event of this season counts yet."))
    events = len(found.counted)
    wide = events > EVENTS_UPRIGHT
    letters = LETTERS_WIDE if wide else LETTERS_UPRIGHT
    notes = [line for text in _list_notes(found) for line in textwrap.wrap(text, letters)]
    paper = Paper(header, _("Standings of the season"), notes=notes, wide=wide)
    room = paper.content.width - RANK_WIDTH - LEAST_NAME_WIDTH - TOTAL_WIDTH
    table = SeasonRows(found, event_width=min(WIDEST_EVENT, room / max(events, 1))).print_on(paper)
    if not found.qualified:
        return table
    return join_documents([_render_qualified(header, found), table], f"{paper.title} – {found.season.name}")


def _render_qualified(header: PaperHeader, found: SeasonTable) -> bytes:
    """Who qualifies as things stand, and by what."""
    paper = Paper(header, _("Who qualifies"))
    columns = (
        PrintedColumn(_("No."), RANK_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), 62 * MM, wraps=True),
        PrintedColumn(_("Qualifies by"), paper.content.width - RANK_WIDTH - 62 * MM, scale=0.85, wraps=True),
    )
    rows = [(str(number), name, why) for number, (name, why) in enumerate(list_qualified_lines(found), 1)]
    grid = PrintedTable(columns, *SeasonRows.print_size)
    return grid.compose(rows, paper.content.height).document(paper)


def _list_notes(found: SeasonTable) -> tuple[str, str]:
    """The events with their numbers and days, and how the season counts."""
    season, events = found.season, []
    for number, counted in enumerate(found.counted, 1):
        day = counted.division.tournament.starts_on
        shown_day = f" ({formats.date_format(day, 'SHORT_DATE_FORMAT')})" if day else ""
        # Held together by a fixed space: the note is wrapped, and a number at the end of a line would be taken for that
        # of the event before it.
        events.append(f"{number}\N{NO-BREAK SPACE}{format_event_name(counted)}{shown_day}")
    facts = describe_season_rules(season.counting, with_running=season.with_running)
    bracketed = (
        [_("What stands in brackets does not count.")] if season.best is not None or found.has_qualifying_places else []
    )
    return " · ".join(events), " ".join([*facts, *bracketed])
