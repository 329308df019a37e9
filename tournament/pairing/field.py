"""The players to be matched as arrays, in the order of the table, with the history's figures beside them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as default
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from tournament.pairing.byes import IntArray, choose_bye_places, measure_bye_distances
from tournament.pairing.values import Competitor, DrawRequest, Meeting

BoolArray = npt.NDArray[np.bool_]

# What the earlier rounds say about the players: starts, replies, byes, and who met whom, and when.


@dataclass(slots=True, kw_only=True)
class PlayerHistory:
    """One player's past. `course` says for each game with a known starter, in order, whether the player started."""

    byes: int = 0
    course: tuple[bool, ...] = ()
    starts: int = default(init=False)

    def __post_init__(self) -> None:
        self.starts = self.course.count(True)

    @property
    def replies(self) -> int:
        return len(self.course) - self.starts

    @property
    def balance(self) -> int:
        """Starts less replies."""
        return 2 * self.starts - len(self.course)


_NEWCOMER = PlayerHistory()


@dataclass(frozen=True, slots=True)
class PairingHistory:
    """The records of everybody who has played, and the meetings of any two of them in order of rounds."""

    records: dict[int, PlayerHistory]
    met: dict[tuple[int, int], list[Meeting]]

    def record(self, key: int) -> PlayerHistory:
        """The player's past, an empty one for a newcomer."""
        return self.records.get(key, _NEWCOMER)

    def between(self, one: int, other: int) -> list[Meeting]:
        """The two players' meetings in order of rounds."""
        return self.met.get((one, other) if one < other else (other, one), [])


def build_pairing_history(meetings: Iterable[Meeting]) -> PairingHistory:
    """Count the meetings up, whatever their order. Two whose game never began have not met."""
    courses: dict[int, list[bool]] = {}
    byes: dict[int, int] = {}
    met: dict[tuple[int, int], list[Meeting]] = {}
    for meeting in sorted(meetings, key=attrgetter("round")):
        first, second = meeting.first, meeting.second
        if second is None:
            byes[first] = byes.get(first, 0) + 1
            continue
        # No meeting and no start: the two may be paired again, and whoever won without a game has not begun one.
        if not meeting.played:
            continue
        met.setdefault((first, second) if first < second else (second, first), []).append(meeting)
        if meeting.starter_known:
            courses.setdefault(first, []).append(True)
            courses.setdefault(second, []).append(False)
    records = {
        key: PlayerHistory(byes=byes.get(key, 0), course=tuple(courses.get(key, ())))
        for key in byes.keys() | courses.keys()
    }
    return PairingHistory(records, met)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreGroups:
    """Each player's score group, by place in the field. Its numbers leave out those who are next for a bye."""

    number: IntArray  # the group's, from 0
    place: IntArray  # the player's inside the group, from 0
    size: IntArray
    half: IntArray  # half the number of players who can be paired inside the group
    in_upper: npt.NDArray[np.bool_]  # whether the player belongs to the upper half of those


@dataclass(frozen=True, slots=True, eq=False)
class PairingField:
    """Places 0 … n−1 are the players in the order of the table; the bye vertices follow. Where the score counts, all
    players with the same half-wins are a score group, and the order is by group first (a table that ranks by points can
    mix them). Seats count only the players expected to play: whoever is next for a bye does not shift the others."""

    players: tuple[Competitor, ...]
    byes: int  # how many bye vertices there are
    by_score: bool  # whether the score distance counts
    numbers: IntArray  # by which lots are drawn
    half_wins: IntArray
    club: IntArray  # −1 without a club
    balance: IntArray  # starts less replies
    had_byes: IntArray
    bye_wish: IntArray  # see `measure_bye_distances`
    resting: IntArray  # places of those expected to get the byes
    seat: IntArray  # how many of the players above play
    groups: ScoreGroups
    met_codes: IntArray  # sorted codes (see `code`) of those whose meetings stand in the way
    met_costs: IntArray
    forbidden_codes: IntArray

    @property
    def n(self) -> int:
        """Number of players."""
        return len(self.players)

    def code(self, low: IntArray, high: IntArray) -> IntArray:
        """One number for each pair of places, `low` above `high` in the table."""
        return low * self.n + high

    def keep_even(self, upper: IntArray, lower: IntArray) -> BoolArray:
        """Which of the pairs can be in a pairing that keeps starts and replies as even as can be: those of two who have
        not both started more than replied, or both less. Where one of these kinds is more than half, everybody else
        meets one of it, and what is left of it those who leave one of the two further off by one start."""
        sign, playing = np.sign(self.balance), np.delete(self.balance, self.resting)
        for kind in (1, -1):
            if 2 * np.count_nonzero(playing * kind > 0) > len(playing):
                one, other = sign[upper] == kind, sign[lower] == kind
                once = np.minimum(np.abs(self.balance)[upper], np.abs(self.balance)[lower]) == 1
                frequent: BoolArray = np.where(one & other, once, one | other)
                return frequent
        even: BoolArray = sign[upper] * sign[lower] <= 0
        return even

    def float_height(self, upper: IntArray, lower: IntArray) -> IntArray:
        """The better player's half-wins where the scores differ: of equal score distance, the lower floats are better.
        So whoever has to leave their group does so further down."""
        return measure_float_height(self.half_wins[upper], self.half_wins[lower])


def measure_float_height(one: IntArray, other: IntArray) -> IntArray:
    """The better player's half-wins, of two arrays of them, where the two differ."""
    height: IntArray = np.where(one == other, 0, np.maximum(one, other))
    return height


def build_field(
    players: Sequence[Competitor],
    byes: int,
    history: PairingHistory,
    request: DrawRequest,
    by_score: bool,
    in_groups: bool,
) -> PairingField:
    """Put the players in order and look up their figures."""
    ordered = tuple(sorted(players, key=lambda p: (-p.half_wins if in_groups else 0, p.rank)))
    half_wins = np.array([p.half_wins for p in ordered], np.int64)
    # Twice: once gives who stands at each place, twice the place of each; ranks may have gaps.
    standing = np.argsort(np.argsort(np.array([p.rank for p in ordered], np.int64)))
    records = [history.record(p.key) for p in ordered]
    had_byes = np.array([r.byes for r in records], np.int64)
    bye_wish = measure_bye_distances(standing, request)
    resting = choose_bye_places(had_byes, bye_wish, byes)
    plays = np.ones(len(ordered), np.int64)
    plays[resting] = 0
    where = {p.key: index for index, p in enumerate(ordered)}
    # Without a club everybody is −1, which is no club's number: two of them are no clubmates.
    clubs: dict[object, int] = {None: -1}
    apart = (sorted((where[a], where[b])) for a, b in request.forbidden if a in where and b in where)
    met_codes, met_costs = _calculate_repeat_costs(history, where, request)
    return PairingField(
        players=ordered,
        byes=byes,
        # A table by points can rank somebody with fewer wins higher; score groups that are no runs of places have no
        # boundaries.
        by_score=by_score and bool((half_wins[1:] <= half_wins[:-1]).all()),
        numbers=np.array([request.number(p.key) for p in ordered], np.int64),
        half_wins=half_wins,
        club=np.array([clubs.setdefault(p.club, len(clubs)) for p in ordered], np.int64),
        balance=np.array([r.balance for r in records], np.int64),
        had_byes=had_byes,
        bye_wish=bye_wish,
        resting=resting,
        seat=np.cumsum(plays) - plays,
        groups=_halve_score_groups(half_wins, plays),
        met_codes=met_codes,
        met_costs=met_costs,
        forbidden_codes=np.array(sorted({low * len(where) + high for low, high in apart}), np.int64),
    )


def _halve_score_groups(half_wins: IntArray, plays: IntArray) -> ScoreGroups:
    """Halve the score groups. Where an odd number plays above a group, its first player meets somebody from there;
    where an odd number plays down to its end, its last player leaves for the next one."""
    begins = np.flatnonzero(np.concatenate(([True], half_wins[1:] != half_wins[:-1])))[: len(half_wins)]
    number = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(half_wins))))
    # Whoever is next for the bye plays nobody and is not counted: counted, they would move the middle of their group by
    # one, and each player below it would be due another opponent.
    above = np.concatenate(([0], np.cumsum(plays)))
    top, end = above[begins][number], above[np.append(begins, len(half_wins))][number + 1]
    place = above[:-1] - top
    half = (end - top - top % 2 - end % 2) // 2
    return ScoreGroups(number, place, end - top, half, place - top % 2 < half)


def measure_repeats(rounds: Sequence[int], number: int) -> int:
    """What it costs two who met in these rounds, in order, to meet in round `number`: twice the square of their
    meetings, one more if the last was in the round before; nothing if there was none."""
    return 2 * len(rounds) ** 2 + (rounds[-1] == number - 1) if rounds else 0


def _calculate_repeat_costs(
    history: PairingHistory, where: dict[int, int], request: DrawRequest
) -> tuple[IntArray, IntArray]:
    """What it costs each two to meet again whose meetings stand in the way."""
    costs_by_code: dict[int, int] = {}
    n = len(where)
    for (one, other), meetings in history.met.items():
        here, there = where.get(one), where.get(other)
        rounds = request.list_recent(meeting.round for meeting in meetings)
        if here is not None and there is not None and rounds:
            code = here * n + there if here < there else there * n + here
            costs_by_code[code] = measure_repeats(rounds, request.round)
    codes = np.array(sorted(costs_by_code), np.int64)
    return codes, np.array([costs_by_code[code] for code in codes.tolist()], np.int64)
