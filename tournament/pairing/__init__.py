"""Pairing in plain Python: one matching core, many methods.

`draw(request)` gives a draft, `problems(request)` all faults of a request; the values are in `values`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tournament.pairing.faults import problems
from tournament.pairing.values import Draft, DrawRequest, Given

if TYPE_CHECKING:
    from tournament.pairing.why_not import CostComparison

__all__ = ["compare", "draw", "explain", "problems"]


def draw(request: DrawRequest) -> Draft:
    """The draft of a round. Raises `Impossible` with what stands in the way. The only entrance to drawing a round."""
    # The models know this room's vocabulary: numpy is loaded by the first draw, not by every command.
    from tournament.pairing import numbering  # noqa: PLC0415  # as above

    return numbering.draw(request)


def explain(draft: Draft, request: DrawRequest) -> Draft:
    """A draft that was changed by hand, with reasons and notes anew; the request names the method that drew it."""
    from tournament.pairing import explaining  # noqa: PLC0415  # as above

    return explaining.explained(draft, request, changed=True)


def compare(request: DrawRequest, stored: Sequence[Given], one: int, other: int) -> "CostComparison":
    """What it would cost to let the two meet instead of the pairs stored. Raises `Impossible`."""
    from tournament.pairing import why_not  # noqa: PLC0415  # as above

    return why_not.compare(request, stored, one, other)
