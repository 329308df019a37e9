"""What a director states about a season before it is stored, and how its events stand."""

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from scoring.season import SeasonRule, SharedPlaces
from tournament.models import Division, Season, SeasonEvent

USUAL_PLACE_POINTS = (20, 17, 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
"""What a form offers for the places, until the director types others."""


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """A season's name and address (without a slug it is made from the name), and how its events count together."""

    name: str = ""
    slug: str = ""
    rule: str = SeasonRule.PLACES.value
    points: tuple[int, ...] = ()
    shared: str = SharedPlaces.EACH.value
    best: int | None = None
    with_running: bool = False
    is_public: bool = False

    @classmethod
    def of(cls, season: Season) -> "SeasonPlan":
        stored = {field.name: getattr(season, field.name) for field in fields(cls)}
        return cls(**{**stored, "points": tuple(season.points)})

    def columns(self) -> dict[str, Any]:
        """The columns of a season."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"points": list(self.points)}


class EventState(StrEnum):
    """How an event of a season stands."""

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
