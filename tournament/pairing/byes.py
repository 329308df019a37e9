"""Who gets the bye, and what it costs: whoever has had the fewest, then by the policy. A bye costs two figures, the
earlier byes of its player (component `byes`) and how far that player is from where the policy gives it (`bye_policy`);
where each stands among the others is said in `costs.COST_COMPONENTS`."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tournament.pairing.values import ByePolicy, DrawRequest

IntArray = npt.NDArray[np.int64]
Figures = TypeVar("Figures", int, IntArray)


def measure_earlier_byes(had: Figures) -> Figures:
    """The cost of another bye for somebody who has had this many, squared: two players with a second bye are better
    than one with a third."""
    return had * had


def measure_bye_distances(standing: IntArray, request: DrawRequest) -> IntArray:
    """How far each player, by place from 0, is from where the policy gives the bye; the lower wins ties."""
    from_bottom = len(standing) - 1 - standing
    # With three rounds left the third from below rests, so that the two below can have the byes of the rounds to come.
    usual_distance = min(count_rounds_left(request), len(standing)) - 1 if request.bye_policy is ByePolicy.GERMAN else 0
    return 2 * np.abs(from_bottom - usual_distance) - (from_bottom < usual_distance)


def choose_bye_places(had: IntArray, wish: IntArray, count: int) -> IntArray:
    """The places of those who get the byes if nothing else stands in the way, in order."""
    return np.sort(np.lexsort((wish, had))[:count])


def count_rounds_left(request: DrawRequest) -> int:
    """Rounds still to be drawn, this one included."""
    return max(1, request.rounds - request.round + 1)
