"""The final ranking as other programs read it."""

from typing import Any

from tournament.queries.final import FinalRanking


def as_json(found: FinalRanking) -> list[dict[str, Any]]:
    """Each row in order: place, player, name, and what gave the place; null for both while somebody still plays."""
    return [
        {
            "place": row.ranked.place,
            "player": row.entry.key,
            "name": row.entry.name,
            "by": row.ranked.by.value if row.ranked.by else None,
        }
        for row in found.rows
    ]
