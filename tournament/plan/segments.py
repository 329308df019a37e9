"""The plan of rounds: which method pairs which rounds, as the announcement says it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournament.models.choices import METHODS
from tournament.pairing.values import Method

DEFAULT_FACTOR = 2


@dataclass(frozen=True, slots=True)
class Segment:
    """Consecutive rounds that one method pairs.

    `behind` says how many rounds the table in use lags behind (1: round 7 is paired on the table after round 5);
    `factor` is the ranks apart for the method of that name.
    """

    first: int
    last: int
    method: str = Method.SWISS
    repeats: bool = False
    factor: int = DEFAULT_FACTOR
    behind: int = 0

    @property
    def label(self) -> str:
        """The method's name in the reader's language."""
        return str(METHODS[Method(self.method)])

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Segment":
        """The segment as `Division.plan` and the tournament file hold it."""
        first, last = stored["rounds"]
        return cls(
            first,
            last,
            stored.get("method", Method.SWISS),
            stored.get("repeats", False),
            stored.get("factor", DEFAULT_FACTOR),
            stored.get("behind", 0),
        )

    def stored(self) -> dict[str, Any]:
        """The segment as JSON, defaults left out."""
        more = {"repeats": self.repeats, "behind": self.behind}
        if self.method == Method.FACTOR:
            more["factor"] = self.factor
        return {
            "rounds": [self.first, self.last],
            "method": str(self.method),
            **{key: value for key, value in more.items() if value},
        }


def read(stored: Iterable[Mapping[str, Any]]) -> tuple[Segment, ...]:
    """All segments of a stored plan, in order of rounds."""
    return tuple(sorted((Segment.read(item) for item in stored), key=lambda segment: segment.first))


def for_round(segments: Sequence[Segment], number: int) -> Segment:
    """The segment that covers round `number`; beyond the plan, one more round with the last segment's method.

    A schedule (round robin, groups) cannot be extended, so Swiss follows it.
    """
    for segment in segments:
        if segment.first <= number <= segment.last:
            return segment
    before = [segment for segment in segments if segment.last < number]
    method: str = before[-1].method if before else Method.SWISS
    if method in (Method.ROUND_ROBIN, Method.GROUPS):
        method = Method.SWISS
    return Segment(number, number, method, repeats=before[-1].repeats if before else False)
