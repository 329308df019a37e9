"""The table of a season as files: JSON by docs/formats.md, CSV for people, and PDF."""

import textwrap
from fractions import Fraction
from typing import Any

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from scoring.season import EventScore, SeasonRule
from tournament.basics.cells import CellValue, build_csv
from tournament.paper.documents import join_documents, render_notice
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader
from tournament.seasons.season_table import QualifiedLine, SeasonLine, SeasonTable
from tournament.seasons.words import (
    describe_qualification,
    describe_season_rules,
    format_event_name,
    format_season_score,
    format_season_value,
)


def build_season_json(found: SeasonTable) -> dict[str, Any]:
    """The events that count and the rows, as `season --format json` prints them."""
    counting = found.season.counting
    return {
        "season": found.season.slug,
        "rule": counting.rule.value,
        "best": counting.best,
        "events": [
            {"tournament": each.division.tournament.slug, "division": each.division.name, "standing": each.standing}
            for each in found.counted
        ],
        "rows": [_build_json_row(line, len(found.counted)) for line in found.lines],
        **(
            {"qualified": [_build_json_qualified(each, found) for each in found.qualified]}
            if has_qualifying_places(found)
            else {}
        ),
    }


def has_qualifying_places(found: SeasonTable) -> bool:
    """Whether one may qualify by the season."""
    return found.season.counting.rule == SeasonRule.QUALIFYING


def _build_json_qualified(line: QualifiedLine, found: SeasonTable) -> dict[str, Any]:
    """Who qualifies, by what, with the figures, and whether that is still open."""
    own, direct = line.qualified, line.qualified.direct
    return {
        "name": line.player.called,
        "by": own.by.value,
        "open": own.is_open,
        "direct": {"event": direct.event, "place": direct.place} if direct else None,
        "places": sorted(score.showing.place or 0 for score in own.row.scores if score.counts),
        "rating": own.candidate.rating,
        "games": own.candidate.games,
        "events": len(own.row.scores),
        "sentence": describe_qualification(line, found),
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


def convert_fraction(value: Fraction) -> int | float:
    """A figure as programs read it: whole, or rounded to four places."""
    return int(value) if value.denominator == 1 else round(float(value), 4)


def build_season_csv(found: SeasonTable) -> bytes:
    """The table in the form usual for the reader's language; what does not count stands in brackets."""
    rule = found.season.counting.rule
    heads: list[CellValue] = [_("Rank"), _("Name"), _("Total"), *map(format_event_name, found.counted)]
    rows = [[*heads, _("Qualifies by")] if has_qualifying_places(found) else heads]
    reasons = {each.qualified.row.player: describe_qualification(each, found) for each in found.qualified}
    for line in found.lines:
        scores = [_format_csv_score(line.row.score_in(event), rule) for event in range(len(found.counted))]
        why: list[CellValue] = [reasons.get(line.row.player, "")] if has_qualifying_places(found) else []
        rows.append([line.row.rank, line.player.called, convert_fraction(line.row.total), *scores, *why])
    return build_csv(rows)


def _format_csv_score(score: EventScore | None, rule: SeasonRule) -> CellValue:
    """What an event brought; in brackets where it does not count, so that nobody adds it up."""
    if score is None:
        return None
    if not score.counts:
        return f"({format_season_score(score, rule)})"
    return score.showing.place if rule == SeasonRule.QUALIFYING else convert_fraction(score.value)


# On paper, with as many rows on a page as can be read; events are headed by numbers, which a note explains.

EVENTS_UPRIGHT = 7  # so many fit beside the names on an upright page
LETTERS_UPRIGHT, LETTERS_WIDE = 105, 155  # of a note on one line
LOWEST_ROW, TALLEST_ROW = 6.6 * MM, 9 * MM
LARGEST_SIZE = 12
RANK_WIDTH, TOTAL_WIDTH, WIDEST_EVENT = 13 * MM, 20 * MM, 15 * MM
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
    rows = [(rank, name, total, *scores) for rank, name, total, scores in list_season_rows(found)]
    grid = PrintedTable(_build_columns(events, paper.content.width), LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW)
    table = grid.compose(rows, paper.content.height).document(paper)
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
    rows = [
        (str(number), line.player.called, describe_qualification(line, found))
        for number, line in enumerate(found.qualified, 1)
    ]
    grid = PrintedTable(columns, LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW)
    return grid.compose(rows, paper.content.height).document(paper)


def list_season_rows(found: SeasonTable) -> list[tuple[str, str, str, list[str]]]:
    """Rank, name, total and scores of each row, as texts; scores that do not count are in brackets."""
    rule, rows = found.season.counting.rule, []
    for line in found.lines:
        scores = []
        for number in range(len(found.counted)):
            score = line.row.score_in(number)
            text = format_season_score(score, rule) if score else ""
            scores.append(text if score is None or score.counts else f"({text})")
        rows.append((str(line.row.rank), line.player.called, format_season_value(line.row.total, rule), scores))
    return rows


def _list_notes(found: SeasonTable) -> tuple[str, str]:
    """The events with their numbers and days, and how the season counts."""
    season, events = found.season, []
    for number, counted in enumerate(found.counted, 1):
        day = counted.division.tournament.starts_on
        shown_day = f" ({formats.date_format(day, 'SHORT_DATE_FORMAT')})" if day else ""
        events.append(f"{number}\N{NO-BREAK SPACE}{format_event_name(counted)}{shown_day}")
    facts = describe_season_rules(season.counting, with_running=season.with_running)
    bracketed = (
        [_("What stands in brackets does not count.")]
        if season.best is not None or has_qualifying_places(found)
        else []
    )
    return " · ".join(events), " ".join([*facts, *bracketed])


def _build_columns(events: int, width: float) -> tuple[PrintedColumn, ...]:
    each = min(WIDEST_EVENT, (width - RANK_WIDTH - LEAST_NAME_WIDTH - TOTAL_WIDTH) / max(events, 1))
    return (
        PrintedColumn(_("Rank"), RANK_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), width - RANK_WIDTH - TOTAL_WIDTH - each * events, wraps=True),
        PrintedColumn(_("Total"), TOTAL_WIDTH, Align.RIGHT, bold=True),
        *(PrintedColumn(str(number), each, Align.RIGHT) for number in range(1, events + 1)),
    )
