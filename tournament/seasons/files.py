"""The table of a season as files: JSON by docs/formats.md, CSV for people."""

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from scoring.season import EventScore, SeasonRule
from tournament.basics.cells import CellValue, build_csv
from tournament.seasons.queries import SeasonLine, SeasonTable
from tournament.seasons.words import format_event_name, format_season_value


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
        "scores": [{"value": convert_fraction(each.value), "counts": each.counts} if each else None for each in scores],
    }


def convert_fraction(value: Fraction) -> int | float:
    """A figure as programs read it: whole, or rounded to four places."""
    return int(value) if value.denominator == 1 else round(float(value), 4)


def build_season_csv(found: SeasonTable) -> bytes:
    """The table in the form usual for the reader's language; what does not count stands in brackets."""
    rule = found.season.counting.rule
    rows: list[list[CellValue]] = [
        [_("Rank"), _("Name"), _("Total"), *(format_event_name(each) for each in found.counted)]
    ]
    for line in found.lines:
        scores = [_format_csv_score(line.row.score_in(event), rule) for event in range(len(found.counted))]
        rows.append([line.row.rank, line.player.called, convert_fraction(line.row.total), *scores])
    return build_csv(rows)


def _format_csv_score(score: EventScore | None, rule: SeasonRule) -> CellValue:
    """What an event brought; in brackets where it does not count, so that nobody adds it up."""
    if score is None:
        return None
    return convert_fraction(score.value) if score.counts else f"({format_season_value(score.value, rule)})"
