"""When the public first sees something of a round: what the director decided, and the moment that follows from it. A
decision is one text, in columns, journal and tournament file alike: `published` or `closed` (as soon as the round is),
either one with minutes to wait (`closed+10`), or `hand` (when the director shows it)."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from tournament.basics import limits


class ShowingStep(StrEnum):
    """What there is to see of a round; each step includes those before it."""

    PAIRINGS = "pairings"
    RESULTS = "results"
    TABLE = "table"

    @property
    def column(self) -> str:
        """The column of rounds and tournaments that says when it is first seen."""
        return f"{self.value}_shown"


SHOWING_STEPS = tuple(ShowingStep)


class ShowingTrigger(StrEnum):
    """What must happen before something is seen."""

    PUBLISHED = "published"
    CLOSED = "closed"
    HAND = "hand"


# No `+0` and no zero in front: each time has one text, as the database compares them as texts.
SHOWING_TIME_PATTERN = re.compile(r"(published|closed)(?:\+([1-9][0-9]{0,3}))?|hand")

LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)  # the moment of what is seen at once: a clock set back cannot hide it again


@dataclass(frozen=True, slots=True)
class ShowingTime:
    """When something is first seen: `minutes` after the round is published or closed, or when the director shows it."""

    since: ShowingTrigger
    minutes: int = 0

    def __str__(self) -> str:
        return f"{self.since}+{self.minutes}" if self.minutes else str(self.since)

    def moment(self, published_at: datetime | None, closed_at: datetime | None) -> datetime | None:
        """The moment from which it is seen, for a public round; None if nobody knows yet."""
        # Whatever the row says of its time: a round that shows everything has no moment before which it is hidden, even
        # if the clock is put back.
        if str(self) == SHOWN_AT_ONCE:
            return LONG_AGO
        begun = {ShowingTrigger.PUBLISHED: published_at, ShowingTrigger.CLOSED: closed_at}.get(self.since)
        if begun is None:
            return None
        return begun + timedelta(minutes=self.minutes) if self.minutes else LONG_AGO


def parse_showing_time(text: str) -> ShowingTime:
    """Read the text form. Raises `ValueError` for anything else, and for too many minutes."""
    match = SHOWING_TIME_PATTERN.fullmatch(text)
    minutes = int(match[2] or 0) if match else 0
    if match is None or not limits.SHOWN_MINUTES.holds(minutes):
        raise ValueError(text)
    return ShowingTime(ShowingTrigger(match[1] or text), minutes)


@dataclass(frozen=True, slots=True)
class ShowingRule:
    """When each step of a round is first seen: a tournament's rule, or that of one round."""

    pairings: ShowingTime = ShowingTime(ShowingTrigger.PUBLISHED)
    results: ShowingTime = ShowingTime(ShowingTrigger.PUBLISHED)
    table: ShowingTime = ShowingTime(ShowingTrigger.PUBLISHED)

    @classmethod
    def of(cls, row: object) -> "ShowingRule":
        """The rule in the columns of a round or a tournament."""
        return cls(*(parse_showing_time(getattr(row, step.column)) for step in SHOWING_STEPS))

    @property
    def columns(self) -> dict[str, str]:
        """The rule as columns of a round or a tournament."""
        return {step.column: str(getattr(self, step.value)) for step in SHOWING_STEPS}


ALL_SHOWN_AT_ONCE = ShowingRule()
SHOWN_AT_ONCE = str(ShowingTrigger.PUBLISHED)  # the usual rule: everything is seen as soon as it is there

SHOWN_BY_HAND = str(ShowingTrigger.HAND)
