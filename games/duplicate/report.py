"""A session as the command `duplicate` tells it: a value for programs, and lines to read."""

from typing import Any

from games.duplicate.reading import SessionState
from games.models import DuplicateTurn
from scoring.duplicate import Judged


def as_json(found: SessionState) -> dict[str, Any]:
    """`{"turns": […], "totals": […], "ended": …}`, players by their ids; a turn that is open is told as it stands."""
    return {
        "turns": [_turn(found, row) for row in found.turns],
        "totals": [
            {
                "rank": total.rank,
                "player": found.by_key[total.player].key,
                "points": total.points,
                "percent": float(total.percent),
                "solos": total.solos,
                "zeroes": total.zeroes,
            }
            for total in found.value.totals(found.closed)
        ],
        "ended": found.ended.value if found.ended else None,
        "stopped": found.session.stopped or None,
    }


def _turn(found: SessionState, row: DuplicateTurn) -> dict[str, Any]:
    result = found.result(row.number)
    slips = {found.by_key[key].key: _slip(judged) for key, judged in result.slips.items()}
    return {"number": row.number, "draw": row.draw, "best": result.best, "master": _master(found, row), "slips": slips}


def _slip(judged: Judged) -> dict[str, Any]:
    fault = judged.fault.value if judged.fault else None
    return {"points": judged.points, "claimed": judged.claimed, "fault": fault}


def _master(found: SessionState, row: DuplicateTurn) -> dict[str, Any] | None:
    if not row.master_word:
        return None
    points = found.master_points(row.number)
    return {"position": row.master_position, "word": row.master_word, "points": points, "reason": row.reason or None}


def as_lines(found: SessionState) -> list[str]:
    """A line for each row of the table: rank, points, percentage, solos, zeroes, name."""
    return [
        f"{total.rank:>4}  {total.points:>5}  {total.percent:>6} %  {total.solos:>2}  {total.zeroes:>2}  "
        f"{found.by_key[total.player].name}"
        for total in found.value.totals(found.closed)
    ]
