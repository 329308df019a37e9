"""What a new season is given, and how its events stand."""

from dataclasses import dataclass
from enum import StrEnum

from tournament.models import Division, SeasonEvent

USUAL_PLACE_POINTS = [20, 17, 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
"""What a form offers for the places, until the director types others."""


class EventState(StrEnum):
    OVER = "over"
    RUNNING = "running"
    NOT_BEGUN = "not_begun"
    HIDDEN = "hidden"  # its tournament is not public, so nothing of it may be seen


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event of a season, how it stands, and whether it counts. `one_of_several`: its tournament has others."""

    event: SeasonEvent
    standing: EventState
    counts: bool
    one_of_several: bool = False

    @property
    def division(self) -> Division:
        return self.event.division
