"""What a helper types, as the pages post it."""

from typing import Any

from games.core.pages import format_seen_state
from games.entry.forms import get_row_prefix
from tournament.models import Pairing, Result


def fresh(pairing: Pairing) -> Pairing:
    """The pairing as a page would fetch it now."""
    found = Pairing.objects.select_related("round__division__tournament").with_players().with_results()
    return found.get(pk=pairing.pk)


def row(pairing: Pairing, first: str, second: str, **more: str) -> dict[str, str]:
    """The fields of one row of the grid, opened now and filled like this."""
    prefix = get_row_prefix(pairing)
    values = {"first_points": first, "second_points": second, "seen": format_seen_state(fresh(pairing)), **more}
    return {f"{prefix}-{name}": value for name, value in values.items()}


def page(pairing: Pairing, first: str = "", second: str = "", **more: Any) -> dict[str, str]:
    """The fields of a table's own page, opened now and filled like this."""
    values = {"first_points": first, "second_points": second, "outcome": "played", "figure": "gross"}
    return {**values, "seen": format_seen_state(fresh(pairing)), **more}


def versions(pairing: Pairing) -> list[tuple[int, bool, int | None, int | None]]:
    """Every version of a table's result: number, official, points."""
    rows = Result.objects.filter(pairing=pairing).order_by("version")
    return [(each.version, each.official, each.first_points, each.second_points) for each in rows]


def official(pairing: Pairing) -> Result:
    """The official result; there must be one."""
    return Result.objects.get(pairing=pairing, official=True)
