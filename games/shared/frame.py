"""What every page about one table needs: the bar, the way back, and whose table it is."""

from typing import Any

from games.shared.seen import seen
from tournament.models import Pairing
from tournament.views.director.shell import shell


def of(pairing: Pairing) -> dict[str, Any]:
    """The context of a page about one table, with what a post sends back of what it showed (`seen`). One query.

    It has no tabs, because the table belongs to one division. `pairing` has its players and result fetched.
    """
    division = pairing.round.division
    return {
        **shell(division.tournament, division, "results", tabs=False),
        "pairing": pairing,
        "round": pairing.round,
        "seen": seen(pairing),
    }
