"""What the earlier rounds say about the players: starts, replies, byes, and who met whom, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter

from tournament.pairing.values import Meeting


@dataclass(frozen=True, slots=True)
class PlayerHistory:
    """One player's past. `course` says for each game with a known starter, in order, whether the player started."""

    byes: int = 0
    starts: int = 0
    replies: int = 0
    course: tuple[bool, ...] = ()

    @property
    def balance(self) -> int:
        """Starts less replies."""
        return self.starts - self.replies


_NEWCOMER = PlayerHistory()


@dataclass(frozen=True, slots=True)
class History:
    """The records of everybody who has played, and the meetings of any two of them in order of rounds."""

    records: dict[int, PlayerHistory]
    met: dict[tuple[int, int], list[Meeting]]

    def record(self, key: int) -> PlayerHistory:
        """The player's past, an empty one for a newcomer."""
        return self.records.get(key, _NEWCOMER)

    def between(self, one: int, other: int) -> list[Meeting]:
        """The two players' meetings in order of rounds."""
        return self.met.get((one, other) if one < other else (other, one), [])


def read(meetings: Iterable[Meeting]) -> History:
    """Count the meetings up, whatever their order. Two whose game never began have not met."""
    courses: dict[int, list[bool]] = {}
    byes: dict[int, int] = {}
    met: dict[tuple[int, int], list[Meeting]] = {}
    for meeting in sorted(meetings, key=attrgetter("round")):
        first, second = meeting.first, meeting.second
        if second is None:
            byes[first] = byes.get(first, 0) + 1
            continue
        if not meeting.played:
            continue
        met.setdefault((first, second) if first < second else (second, first), []).append(meeting)
        if meeting.starter_known:
            courses.setdefault(first, []).append(True)
            courses.setdefault(second, []).append(False)
    return History({key: _record(byes.get(key, 0), courses.get(key, [])) for key in byes.keys() | courses.keys()}, met)


def _record(byes: int, course: list[bool]) -> PlayerHistory:
    starts = sum(course)
    return PlayerHistory(byes, starts, len(course) - starts, tuple(course))
