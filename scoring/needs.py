"""What a player needs: what bounds of ranks say about the places that count, as values for a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.chances import Prospect


class NeedKind(StrEnum):
    """What is said of a place. Each follows from the bounds alone, and holds where they are not exact as well."""

    CERTAIN = "certain"  # the place or a better one, whatever happens
    ENOUGH = "enough"  # so many own wins make it certain, whatever the others do
    AT_LEAST = "at_least"  # with fewer own wins it is out of reach
    OPEN = "open"  # it can be reached, and be missed
    OUT_OF_REACH = "out_of_reach"  # no place as good as this or better


@dataclass(frozen=True, slots=True)
class Need:
    """One statement on a place. `half_wins`: own half wins, from games that are left."""

    kind: NeedKind
    place: int
    half_wins: int = 0

    def holds(self, rank: int, own: int) -> bool:
        """Whether a completion with that rank and so many own half wins agrees with it."""
        match self.kind:
            case NeedKind.CERTAIN:
                return rank <= self.place
            case NeedKind.ENOUGH:
                return rank <= self.place or own < self.half_wins
            case NeedKind.AT_LEAST:
                return rank > self.place or own >= self.half_wins
            case NeedKind.OUT_OF_REACH:
                return rank > self.place
            case _:
                return True  # that it is open says nothing of one completion


def list_needs(prospect: Prospect, places: Sequence[int]) -> list[Need]:
    """What is worth saying to a player about the places that count, the best one first."""
    if prospect.best > places[-1]:
        return [Need(NeedKind.OUT_OF_REACH, prospect.best - 1)]
    return list(_find_needs(prospect, places))


def _find_needs(prospect: Prospect, places: Sequence[int]) -> Iterator[Need]:
    if prospect.worst <= places[-1]:
        yield Need(NeedKind.CERTAIN, prospect.worst)
    best = next(place for place in places if prospect.best <= place)
    if best > places[0]:
        yield Need(NeedKind.OUT_OF_REACH, prospect.best - 1)
    if prospect.worst <= best:
        return
    fewest, enough = prospect.possible_with(best), prospect.certain_with(best)
    if fewest and fewest != enough:
        yield Need(NeedKind.AT_LEAST, best, fewest)
    elif not fewest and prospect.is_exact:
        yield Need(NeedKind.OPEN, best)
    for place in places:
        enough = prospect.certain_with(place)
        if place >= best and enough:
            yield Need(NeedKind.ENOUGH, place, enough)
            return
