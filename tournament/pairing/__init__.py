"""Pairing in plain Python: one matching core, many methods.

`draw(request)` gives a draft, `problems(request)` all faults of a request; the values stand in `values`.
"""

from tournament.pairing.draw import draw
from tournament.pairing.faults import problems

__all__ = ["draw", "problems"]
