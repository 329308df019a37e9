"""Pairing in plain Python: one matching core, many methods.

`draw(request)` gives a draft, `problems(request)` all faults of a request; the values are in `values`.
"""

from tournament.pairing.faults import problems
from tournament.pairing.values import Draft, Request

__all__ = ["draw", "explain", "problems"]


def draw(request: Request) -> Draft:
    """The draft of a round. Raises `Impossible` with what stands in the way. The only entrance to drawing a round."""
    # The models know this room's vocabulary: numpy is loaded by the first draw, not by every command.
    from tournament.pairing import numbering  # noqa: PLC0415  # as above

    return numbering.draw(request)


def explain(draft: Draft, request: Request) -> Draft:
    """A draft that was changed by hand, with reasons and notes anew; the request names the method that drew it."""
    from tournament.pairing import explaining  # noqa: PLC0415  # as above

    return explaining.explained(draft, request, changed=True)
