"""The table of a season as files: JSON by docs/formats.md, CSV for people."""

from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from scoring.season import Score, SeasonRule
from tournament.exchange import cells
from tournament.queries.seasons import SeasonLine, SeasonTable
from tournament.words import seasons as words


def as_json(found: SeasonTable) -> dict[str, Any]:
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
        "rows": [_row(line, len(found.counted)) for line in found.lines],
    }


def _row(line: SeasonLine, events: int) -> dict[str, Any]:
    row = line.row
    return {
        "rank": row.rank,
        "name": line.player.name,
        "total": number(row.total),
        "wins": row.half_wins / 2,
        "spread": row.spread,
        "decided_by": row.decided_by.value if row.decided_by else None,
        "scores": [_score(row.score_in(event)) for event in range(events)],
    }


def _score(score: Score | None) -> dict[str, Any] | None:
    return None if score is None else {"value": number(score.value), "counts": score.counts}


def number(value: Fraction) -> int | float:
    """A figure as programs read it: whole, or rounded to four places."""
    return int(value) if value.denominator == 1 else round(float(value), 4)


def as_csv(found: SeasonTable) -> bytes:
    """The table in the form usual for the reader's language; what does not count stands in brackets."""
    heads: list[cells.Cell] = [_("Rank"), _("Name"), _("Total"), *(words.event_name(each) for each in found.counted)]
    return cells.csv_file(
        [heads, *(_line(line, len(found.counted), found.season.counting.rule) for line in found.lines)]
    )


def _line(line: SeasonLine, events: int, rule: SeasonRule) -> list[cells.Cell]:
    scores = [_cell(line.row.score_in(event), rule) for event in range(events)]
    return [line.row.rank, line.player.name, number(line.row.total), *scores]


def _cell(score: Score | None, rule: SeasonRule) -> cells.Cell:
    """What an event brought; in brackets where it does not count, so that nobody adds it up."""
    if score is None:
        return None
    return number(score.value) if score.counts else f"({words.worth(score.value, rule)})"
