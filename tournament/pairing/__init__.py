"""Pairing in plain Python: one matching core, many methods.

`draw(request)` gives a draft, `problems(request)` all faults of a request; the values are in `values`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tournament.pairing.drafting import find_draw_request_problems
from tournament.pairing.values import Draft, DrawRequest, GivenPair

if TYPE_CHECKING:
    from tournament.pairing.why_not import CostComparison

__all__ = ["compare_pairings", "draw_round", "explain_draft", "find_draw_request_problems"]


def draw_round(request: DrawRequest) -> Draft:
    """Draw a round: the only way in. Raises `RequestImpossible` with what stands in the way."""
    # The models know this room's vocabulary: numpy is loaded by the first draw, not by every command.
    from tournament.pairing.drafting import draw_with_reasons  # noqa: PLC0415  # as above

    return draw_with_reasons(request)


def explain_draft(draft: Draft, request: DrawRequest) -> Draft:
    """A draft that was changed by hand, with reasons and notes anew; the request names the method that drew it."""
    from tournament.pairing.explaining import add_reasons  # noqa: PLC0415  # as above

    return add_reasons(draft, request, changed=True)


def compare_pairings(request: DrawRequest, stored: Sequence[GivenPair], one: int, other: int) -> "CostComparison":
    """What it would cost to let the two meet instead of the pairs stored. Raises `RequestImpossible`."""
    from tournament.pairing.why_not import compare_with_held_pair  # noqa: PLC0415  # as above

    return compare_with_held_pair(request, stored, one, other)
