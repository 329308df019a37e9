"""A prize as its director announces it, and the prizes that most events have."""

from dataclasses import dataclass, fields
from typing import Any

from scoring.prizes import PrizeKind
from tournament.models import Entry, Prize


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizePlan:
    """What a prize is for, and what there is to win.

    `place` belongs to a place in the final ranking, `club` to the best of a club, the ratings (one of them at least) to
    the best of a rating class, `winner` to a prize of the organiser's own, which needs a `title`.
    """

    kind: str
    place: int | None = None
    club: str = ""
    lowest_rating: int | None = None
    highest_rating: int | None = None
    title: str = ""
    award: str = ""
    winner: Entry | None = None

    @classmethod
    def of(cls, prize: Prize) -> "PrizePlan":
        """What a stored prize says. Reads its club and its winner."""
        values: dict[str, Any] = {each.name: getattr(prize, each.name) for each in fields(cls)}
        return cls(**{**values, "club": prize.club.name if prize.club else ""})


USUAL = (
    *(PrizePlan(kind=PrizeKind.PLACE, place=place) for place in (1, 2, 3)),
    PrizePlan(kind=PrizeKind.NEWCOMER),
    PrizePlan(kind=PrizeKind.HIGHEST_GAME),
    PrizePlan(kind=PrizeKind.HIGHEST_LOSING_SCORE),
)
"""The prizes that most events have."""
