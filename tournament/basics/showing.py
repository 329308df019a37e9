"""From when the public sees something of a round: what is said about that, and the moment that it comes to.

What the director says has one text form, which columns, journal and tournament file share: `published` (with the
round), `closed` (when it is closed), either with minutes to wait (`closed+10`), or `hand` (not before the director
shows it).
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from tournament.basics import limits


class ShowingStep(StrEnum):
    """What there is to see of a round, each with all before it."""

    PAIRINGS = "pairings"
    RESULTS = "results"
    TABLE = "table"

    @property
    def column(self) -> str:
        """Where rounds and tournaments say from when it is seen."""
        return f"{self.value}_shown"


SHOWING_STEPS = tuple(ShowingStep)


class ShowingTrigger(StrEnum):
    """What has to happen before something is seen."""

    PUBLISHED = "published"
    CLOSED = "closed"
    HAND = "hand"


SHOWING_TIME_PATTERN = re.compile(r"(published|closed)(?:\+([1-9][0-9]{0,3}))?|hand")

LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)  # when something is seen at once: no clock that is set back hides it again


@dataclass(frozen=True, slots=True)
class ShowingTime:
    """From when something is seen: `minutes` after the round is published or closed, or when the director shows it."""

    since: ShowingTrigger
    minutes: int = 0

    def __str__(self) -> str:
        return f"{self.since}+{self.minutes}" if self.minutes else str(self.since)

    def moment(self, published_at: datetime | None, closed_at: datetime | None) -> datetime | None:
        """From when it is seen of a public round, as far as anybody knows by now; None: nobody does."""
        if str(self) == SHOWN_AT_ONCE:
            return LONG_AGO
        begun = {ShowingTrigger.PUBLISHED: published_at, ShowingTrigger.CLOSED: closed_at}.get(self.since)
        if begun is None:
            return None
        return begun + timedelta(minutes=self.minutes) if self.minutes else LONG_AGO


def parse_showing_time(text: str) -> ShowingTime:
    """What is said in the text form. Raises `ValueError` for anything else, and for more minutes than allowed."""
    found = SHOWING_TIME_PATTERN.fullmatch(text)
    minutes = int(found[2] or 0) if found else 0
    if found is None or not limits.SHOWN_MINUTES.holds(minutes):
        raise ValueError(text)
    return ShowingTime(ShowingTrigger(found[1] or text), minutes)


@dataclass(frozen=True, slots=True)
class ShowingRule:
    """From when each step of a round is seen: a tournament's rule, or what holds for one round."""

    pairings: ShowingTime = ShowingTime(ShowingTrigger.PUBLISHED)
    results: ShowingTime = ShowingTime(ShowingTrigger.PUBLISHED)
    table: ShowingTime = ShowingTime(ShowingTrigger.PUBLISHED)

    @classmethod
    def of(cls, row: object) -> "ShowingRule":
        """What the columns of a round or a tournament say."""
        return cls(*(parse_showing_time(getattr(row, step.column)) for step in SHOWING_STEPS))

    @property
    def columns(self) -> dict[str, str]:
        """The same as columns."""
        return {step.column: str(getattr(self, step.value)) for step in SHOWING_STEPS}


ALL_SHOWN_AT_ONCE = ShowingRule()
SHOWN_AT_ONCE = str(ShowingTrigger.PUBLISHED)
"""What holds where nobody has said anything: everything is seen as soon as it is there."""

SHOWN_BY_HAND = str(ShowingTrigger.HAND)
