"""Who gets the bye: whoever has had the fewest, then by the policy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tournament.pairing.values import ByePolicy, DrawRequest

Ints = npt.NDArray[np.int64]


def distances(standing: Ints, request: DrawRequest) -> Ints:
    """How far each player is from the place that the policy gives the bye to; ties go to the lower player.

    `standing` is everybody's place in the table, from 0.
    """
    from_bottom = len(standing) - 1 - standing
    wanted = min(rounds_left(request), len(standing)) - 1 if request.bye_policy is ByePolicy.GERMAN else 0
    return 2 * np.abs(from_bottom - wanted) - (from_bottom < wanted)


def cheapest(had: Ints, wish: Ints, count: int) -> Ints:
    """The places of those who get the byes if nothing else stands in the way, in order."""
    return np.sort(np.lexsort((wish, had))[:count])


def rounds_left(request: DrawRequest) -> int:
    """Rounds still to be drawn, this one included."""
    return max(1, request.rounds - request.round + 1)
