"""The values that go into a draw and come out of it: who is there, what was played, what is wanted, what was decided.

All of them are frozen. A player is identified by `key`, a whole number of the caller's choice.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum


class Method(StrEnum):
    """How opponents are found."""

    SWISS = "swiss"
    KING_OF_THE_HILL = "king_of_the_hill"
    ROUND_ROBIN = "round_robin"
    GROUPS = "groups"
    FACTOR = "factor"
    RANDOM = "random"
    MANUAL = "manual"


class ByePolicy(StrEnum):
    """Who among those with the fewest byes gets the next one."""

    LOWEST = "lowest"
    GERMAN = "german"  # with K rounds left, the K-th from the bottom: the last player's turn is the last round
    BY_HAND = "by_hand"


class Starts(StrEnum):
    """Who starts (TSO §2.2): fixed beforehand so that starts stay even, or drawn at the table."""

    BALANCED = "balanced"
    DRAWN = "drawn"


class Clubs(StrEnum):
    """What it is worth to keep clubmates apart."""

    IGNORED = "ignored"
    TIES = "ties"  # only between pairings that the method finds equally good
    APART = "apart"  # before the method's own wish, after the score


class Flag(StrEnum):
    """What stands out about a pair."""

    REPEAT = "repeat"
    FLOAT = "float"
    SAME_CLUB = "same_club"
    THIRD_START_IN_ROW = "third_start_in_row"
    SECOND_BYE = "second_bye"
    FORBIDDEN = "forbidden"
    LOCKED = "locked"
    MANUAL = "manual"


class StarterBy(StrEnum):
    """What decided who starts."""

    FEWER_STARTS = "fewer_starts"
    EVENNESS = "evenness"  # the other choice would have left somebody two or more away from even
    REPLIED_AGAINST_EACH_OTHER = "replied_against_each_other"
    REPLIED_WHEN_LAST_DIFFERENT = "replied_when_last_different"
    LOT = "lot"
    SCHEDULE = "schedule"
    GIVEN = "given"
    DRAWN_AT_TABLE = "drawn_at_table"
    NOBODY = "nobody"  # a bye


class NoteCode(StrEnum):
    """What a director should be told about the draw as a whole."""

    FORBIDDEN_USED = "forbidden_used"  # keys: the two players; no pairing without it exists
    REPEATS_NEEDED = "repeats_needed"  # keys: all players who meet again; figure: pairs
    SECOND_BYE_NEEDED = "second_bye_needed"  # keys: those with a bye who get another
    NOT_IN_SCHEDULE = "not_in_schedule"  # keys: players who joined after the schedule was drawn and found no free place
    TAKES_BYE = "takes_bye"  # keys: a player who joined later and takes a place of the schedule that was free
    ROUNDS_NEEDED = (
        "rounds_needed"  # figure: rounds until everybody can have met, more than the segment has; keys: late
    )
    TABLE_TAKEN = "table_taken"  # keys: the two players who both need the table; figure: the table
    TABLES_DIFFER = "tables_differ"  # keys: opponents who need different tables; figure: the table they get


class Rule(StrEnum):
    """A rule that can stand in the way of a complete pairing, or that an input breaks."""

    DUPLICATE_KEY = "duplicate_key"
    DUPLICATE_RANK = "duplicate_rank"
    UNKNOWN_PLAYER = "unknown_player"
    PLAYER_TWICE = "player_twice"  # in the locked pairs and named byes
    AGAINST_ONESELF = "against_oneself"
    HISTORY_BEFORE = "history_before"  # a meeting of this round or a later one
    HISTORY_TWICE = "history_twice"  # a player is twice in one earlier round
    ROUND_NUMBER = "round_number"  # below 1
    FACTOR = "factor"  # below 1
    EXTRA_BYES = "extra_byes"  # more byes than players
    SEGMENT = "segment"  # the round lies outside
    TABLE = "table"  # two of the given pairs ask for it
    BYE_NOT_NAMED = "bye_not_named"  # the number of players is odd and byes are given by hand only


@dataclass(frozen=True, slots=True)
class Competitor:
    """A player who takes part in the round to be drawn, as in the table that it is paired on."""

    key: int
    rank: int  # 1 is the best; no two players share one, gaps are allowed
    half_wins: int = 0
    rating: int | None = None
    seeding: int | None = None  # place before the first round; without one the rating decides, then the rank
    club: Hashable | None = None
    fixed_table: int | None = None

    def __post_init__(self) -> None:
        """Refuse figures that no table has."""
        if self.rank < 1 or self.half_wins < 0 or (self.fixed_table is not None and self.fixed_table < 1):
            raise ValueError(f"not a competitor: {self}")


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game of an earlier round, or a bye (`second` is None). Absences are not meetings and are left out."""

    round: int
    first: int
    second: int | None = None
    starter_known: bool = True  # False when the start was drawn at the table and nobody wrote down who started


@dataclass(frozen=True, slots=True)
class Given:
    """A pair (or, with `second` None, a bye) that the director has set and the draw must keep."""

    first: int
    second: int | None = None
    flag: Flag = Flag.LOCKED  # or Flag.MANUAL
    starter_fixed: bool = True  # False: the draw decides who of the two starts
    starter_by: StarterBy = StarterBy.GIVEN  # why `first` starts, where that is fixed
    table: int | None = None


@dataclass(frozen=True, slots=True)
class ScheduledRounds:
    """The rounds of the plan that a schedule (`groups`, `round_robin`) fills.

    `groups` are those of the draft of the segment's first round; without them they are drawn from `seed`, or,
    when the segment has begun, worked out from its games.
    """

    first_round: int
    last_round: int
    seed: int = 0
    groups: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """All that a draw depends on. The same request gives the same draft on every machine."""

    competitors: tuple[Competitor, ...]
    meetings: tuple[Meeting, ...] = ()
    round: int = 1
    rounds: int = 1  # planned in total, for the german bye policy
    method: Method = Method.SWISS
    seed: int = 0
    repeats: bool = False  # the plan allows opponents to meet again at no cost
    factor: int = 2  # for Method.FACTOR: ranks apart
    clubs: Clubs = Clubs.IGNORED
    starts: Starts = Starts.BALANCED
    bye_policy: ByePolicy = ByePolicy.LOWEST
    byes: frozenset[int] = frozenset()  # players who get a bye by name
    extra_byes: int = 0  # byes given by the policy, beyond the one that an odd number needs
    given: tuple[Given, ...] = ()
    forbidden: frozenset[tuple[int, int]] = frozenset()  # in either order
    segment: ScheduledRounds | None = None
    missing: tuple[Competitor, ...] = ()  # entered and not withdrawn, but not there in this round: schedules seat them


@dataclass(frozen=True, slots=True)
class PairFigures:
    """The figures behind a pair, for one sentence in the reader's language."""

    first_rank: int
    second_rank: int | None = None
    score_gap: int = 0  # half-wins
    meetings: int = 0  # earlier ones of the two
    last_met: int | None = None  # round
    first_starts: int = 0  # before this round
    first_replies: int = 0
    second_starts: int = 0
    second_replies: int = 0
    starter_by: StarterBy = StarterBy.NOBODY
    byes: int = 0  # earlier byes of a player who gets one
    group: int | None = None  # 1 …, for schedules


@dataclass(frozen=True, slots=True)
class Pair:
    """Two opponents at a table, or a player with a bye (`second` and `table` None)."""

    table: int | None
    first: int
    second: int | None
    flags: tuple[Flag, ...]
    reason: PairFigures


@dataclass(frozen=True, slots=True)
class Note:
    """Something to tell the director about the draw as a whole."""

    code: NoteCode
    keys: tuple[int, ...] = ()
    figure: int = 0


@dataclass(frozen=True, slots=True)
class Draft:
    """A complete pairing of the round (of Method.MANUAL: as far as it was given), by table number, byes last."""

    pairs: tuple[Pair, ...]
    method: Method
    seed: int
    cost: tuple[int, ...] = ()  # of the pairs that were matched, one sum for each of `costs.COMPONENTS`
    proven: bool = True  # no other complete pairing costs less
    notes: tuple[Note, ...] = ()
    unpaired: tuple[int, ...] = ()  # Method.MANUAL: who has no opponent yet
    groups: tuple[tuple[int, ...], ...] = ()  # to be kept and given back in `ScheduledRounds.groups`


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One rule that an input breaks or that is in the way, and whom it concerns."""

    rule: Rule
    keys: tuple[int, ...] = ()
    figure: int = 0
    relaxed: tuple[int, ...] = ()  # what relaxing the rule gives: for BYE_NOT_NAMED the player the policy would choose


class Impossible(Exception):
    """The request cannot be met. `obstacles` names every rule that is in the way."""

    def __init__(self, obstacles: tuple[Obstacle, ...]) -> None:
        super().__init__(", ".join(f"{o.rule} {list(o.keys)}" for o in obstacles))
        self.obstacles = obstacles
