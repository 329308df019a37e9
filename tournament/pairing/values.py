"""The values that go into a draw and come out of it: who is there, what was played, what is wanted, what was decided.
All of them are frozen. A player is identified by `key`, a whole number of the caller's choice."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, NamedTuple


class Method(StrEnum):
    """How opponents are found."""

    SWISS = "swiss"
    KING_OF_THE_HILL = "king_of_the_hill"
    AUSTRALIAN = "australian"  # from the top of the table down
    ROUND_ROBIN = "round_robin"
    GROUPS = "groups"
    FACTOR = "factor"
    RANDOM = "random"
    CONTENTION = "contention"
    TEAMS = "teams"  # matches of teams, which meet as players do by the Swiss method
    MANUAL = "manual"


UNCHOSEN_METHODS = (Method.MANUAL, Method.TEAMS)
"""The methods by which no pair of players is chosen: the director sets them, or two teams meet."""


class ByePolicy(StrEnum):
    """Who among those with the fewest byes gets the next one."""

    LOWEST = "lowest"
    GERMAN = "german"  # with K rounds left, the K-th from the bottom: the last player's turn is the last round
    BY_HAND = "by_hand"


class StartPolicy(StrEnum):
    """Who starts (TSO §2.2): fixed beforehand so that starts stay even, or drawn at the table."""

    BALANCED = "balanced"
    DRAWN = "drawn"


class PairFlag(StrEnum):
    """What stands out about a pair."""

    REPEAT = "repeat"
    FLOAT = "float"
    SAME_CLUB = "same_club"
    THIRD_START_IN_ROW = "third_start_in_row"
    SECOND_BYE = "second_bye"
    FORBIDDEN = "forbidden"
    LOCKED = "locked"
    MANUAL = "manual"
    CONTENDER = "contender"  # put together for a prize, under `Method.CONTENTION`


class StarterReason(StrEnum):
    """What decided who starts."""

    FEWER_STARTS = "fewer_starts"
    EVENNESS = "evenness"  # the other choice would have left somebody two or more away from even
    REPLIED_LAST = "replied_last"  # when the two last met
    REPLIED_WHEN_DIFFERENT = "replied_when_different"  # where their courses last differ
    LOT = "lot"
    SCHEDULE = "schedule"
    HAND = "hand"
    TABLE = "table"  # drawn there
    EARLIER = "earlier"  # decided when the pair was drawn, by figures that were corrected since


class NoteCode(StrEnum):
    """What a director should be told about the draw as a whole."""

    FORBIDDEN_USED = "forbidden_used"  # keys: the two players; no pairing without two who are kept apart exists
    FORBIDDEN = "forbidden"  # keys: the two players, who meet although they are kept apart
    REPEATS_NEEDED = "repeats_needed"  # keys: all players who meet again; figure: pairs; no pairing without exists
    REPEATS = "repeats"  # keys and figure as above, without that claim
    SECOND_BYE_NEEDED = "second_bye_needed"  # keys: those with a bye who get another; everybody present has had one
    SECOND_BYE = "second_bye"  # keys as above, without that claim
    NOT_IN_SCHEDULE = "not_in_schedule"  # keys: players who joined after the schedule was drawn and found no free place
    TAKES_BYE = "takes_bye"  # keys: a player who joined later and takes a place of the schedule that was free
    # keys: late; figure: rounds until everybody can have met, more than the segment has
    ROUNDS_NEEDED = "rounds_needed"
    LOOKED_AHEAD = "looked_ahead"  # keys: who is paired otherwise for it; figure: the round, see `LookedAhead.by`
    NOT_SEARCHED = "not_searched"  # figure: the last round looked at; the search for the fewest repeats was broken off
    TABLE_TAKEN = "table_taken"  # keys: the two players who both need the table; figure: the table
    TABLES_DIFFER = "tables_differ"  # keys: opponents who need different tables; figure: the table they get
    TABLES_SHORT = "tables_short"  # keys: those who sit elsewhere, as the field's own tables do not suffice


SCHEDULE_NOTES = (NoteCode.NOT_IN_SCHEDULE, NoteCode.TAKES_BYE, NoteCode.ROUNDS_NEEDED)
"""The notes on a schedule, whatever becomes of the pairs."""


class ClaimCondition(StrEnum):
    """What stands before a note's claim: given up, the claim would fall."""

    KEPT_APART = "kept_apart"
    SECOND_BYE = "second_bye"
    LOCKED = "locked"


class ReasonCode(StrEnum):
    """What is said of a pair, each with figures of its own (`predicates` says when it is true)."""

    HAND = "hand"
    LOCKED = "locked"
    RANKS = "ranks"  # first, second
    SEEDING = "seeding"  # first, second, by: before there is a table
    SCORE_GROUP = "score_group"  # half_wins
    HALVES = "halves"  # places, of: upper half against lower half
    PLACES = "places"  # places, of: within the score group
    NEIGHBOURS = "neighbours"  # between: players who play and stand between them
    RANKS_APART = "ranks_apart"  # apart, wanted
    DRAWN = "drawn"
    SCHEDULE = "schedule"
    GROUP = "group"  # group
    # place, leader, player, share, runs, threshold: the lowest who still ends there or better in so many of the runs
    HOPEFUL = "hopeful"
    CONTENDER = "contender"  # as above, where others still lower do as well
    PRIZE_PLACES = "prize_places"  # places: of both, who meet in the last round
    SAFE = "safe"  # player, place: cannot be caught for it
    FLOAT = "float"  # half_wins, because, and what that needs
    PASSED_OVER = "passed_over"  # player, who, because: those nearer whom the player could not meet
    REPEAT = "repeat"  # rounds
    SAME_CLUB = "same_club"
    KEPT_APART = "kept_apart"
    BYE = "bye"  # had, fewest, rank, by, and what that needs
    STARTER = "starter"  # by, starts, replies
    THIRD_START = "third_start"  # row: starts in a row, this one included


class FloatReason(StrEnum):
    """Why two players of different scores meet."""

    ODD_GROUP = "odd_group"
    BYE = "bye"  # without it the number above would be even
    BESIDE_LOCKED = "beside_locked"  # as above, without a pair that the director has set
    MET = "met"  # those above, or those below, cannot all meet each other without a repeat
    KEPT_APART = "kept_apart"  # as above, without two who are kept apart
    TOTAL = "total"  # the differences of all pairs together are the least
    STARTS = "starts"  # as above, among the pairings that keep starts and replies as even as can be
    LOOKED_AHEAD = "looked_ahead"
    LOCKED = "locked"
    HAND = "hand"
    METHOD = "method"  # which does not look at the score
    SCHEDULE = "schedule"
    OTHER = "other"  # nothing that is proven


class ByeReason(StrEnum):
    """How the bye came to its player."""

    LOWEST = "lowest"
    GERMAN = "german"
    MET = "met"  # the policy's own choice would have brought a repeat
    LOCKED = "locked"
    HAND = "hand"
    SCHEDULE = "schedule"
    OTHER = "other"


class DrawRule(StrEnum):
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
    SEGMENT = "segment"  # the round lies outside
    TABLE = "table"  # two of the given pairs ask for it
    BYE_NOT_NAMED = "bye_not_named"  # the number of players is odd and byes are given by hand only


@dataclass(frozen=True, slots=True)
class Competitor:
    """A player who takes part in the round to be drawn, as in the table that it is paired on."""

    key: int
    rank: int  # the order in which the method sees the players, 1 the best; no two share one, gaps are allowed
    half_wins: int = 0
    rating: int | None = None
    seeding: int | None = None  # place before the first round; without one the rating decides, then the rank
    club: Hashable | None = None
    fixed_table: int | None = None
    listed: int | None = None  # the rank that the table shows, shared or missing as there

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
    played: bool = True  # False when the game never began: then they have not met, and nobody started


@dataclass(frozen=True, slots=True)
class ChosenPair:
    """A pair (or, with `second` None, a bye) without its table and reasons: set by the director, or by the method."""

    first: int
    second: int | None = None
    flag: PairFlag | None = PairFlag.LOCKED  # or MANUAL; None where the program has chosen the pair
    starter_by: StarterReason | None = StarterReason.HAND  # why `first` starts; None: still to be decided
    table: int | None = None
    group: int | None = None  # the schedule's group, of a pair that stays

    @property
    def keys(self) -> frozenset[int]:
        """The two players, or the one with the bye."""
        return _get_keys(self)


@dataclass(frozen=True, slots=True)
class ScheduledRounds:
    """The rounds of the plan that a schedule (`groups`, `round_robin`) fills."""

    first_round: int
    last_round: int
    seed: int = 0
    # Those of the draft of the first round; without them they are drawn from `seed`, or, when the rounds have begun,
    # worked out from their games.
    groups: tuple[tuple[int, ...], ...] = ()

    @property
    def total(self) -> int:
        """How many rounds there are."""
        return self.last_round - self.first_round + 1


@dataclass(frozen=True, slots=True)
class LaterRound:
    """A round that the plan still has: who is expected to play in it, and whether opponents meet again at no cost."""

    number: int
    method: Method
    players: frozenset[int]
    repeats: bool = False


class Contender(NamedTuple):
    """A row of the table that a round is fought on, whether the player is there or not. `owed`: games of its rounds
    that have no result yet."""

    key: int
    half_wins: int
    spread: int
    owed: int = 0
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class PrizeContest:
    """What the last rounds are fought for. `table`: everybody, the best first. `places`: how many have a prize. `caps`:
    for this round and each that follows the most that one game's spread counts. `by_spread`: whether who is level in
    wins is ranked by that first. `most_runs`: where a share that decides
    is still too close to the threshold, so many endings are simulated and no more."""

    table: tuple[Contender, ...]
    places: int
    caps: tuple[int | None, ...]
    bye_spread: int = 50
    most_runs: int = 20_000
    by_spread: bool = True

    @property
    def rounds_left(self) -> int:
        """This round included."""
        return len(self.caps)


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """All that a draw depends on. The same request gives the same draft on every machine."""

    competitors: tuple[Competitor, ...]
    meetings: tuple[Meeting, ...] = ()
    round: int = 1
    rounds: int = 1  # planned in total, for the bye policy GERMAN
    method: Method = Method.SWISS
    seed: int = 0
    repeats: bool = False  # the plan allows opponents to meet again at no cost
    within: int = 0  # otherwise, only games of the last so many rounds stand in the way; 0: all of them
    factor: int = 2  # ranks apart, for `Method.FACTOR`
    clubs_apart: bool = False  # before the method's own wish, after the score
    starts: StartPolicy = StartPolicy.BALANCED
    bye_policy: ByePolicy = ByePolicy.LOWEST
    given: tuple[ChosenPair, ...] = ()
    forbidden: frozenset[tuple[int, int]] = frozenset()  # pairs, in either order
    segment: ScheduledRounds | None = None
    missing: tuple[Competitor, ...] = ()  # entered, not withdrawn, but not there in this round: schedules seat them
    later: tuple[LaterRound, ...] = ()  # still to come, in order: no pairing may lead these into a dead end
    contest: PrizeContest | None = None  # of `Method.CONTENTION`; without one it pairs as Swiss does
    numbers: Mapping[int, int] = field(default_factory=dict)  # by which lots are drawn, where that is not by the keys
    tables: tuple[tuple[int, int], ...] = ()  # the field's own, as ranges in order; without any they count from 1
    tables_of_others: frozenset[int] = frozenset()  # at which nobody can be seated who has no fixed table there

    def number(self, key: int) -> int:
        """The number that a player's lots are drawn by."""
        return self.numbers.get(key, key)

    def list_recent(self, rounds: Iterable[int]) -> list[int]:
        """Of rounds in which two have met, those that stand in the way of another meeting."""
        return [number for number in rounds if not self.within or number >= self.round - self.within]


class Reason(NamedTuple):
    """Something that is true of a pair, as a code with figures (whole numbers, words, and lists of them). A tuple, as a
    draw makes hundreds."""

    code: ReasonCode
    # One for all reasons without figures: nobody writes into it, as its type says.
    figures: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class DraftPair:
    """Two opponents at a table, or a player with a bye (`second` and `table` None)."""

    table: int | None
    first: int
    second: int | None
    flags: tuple[PairFlag, ...]
    starter_by: StarterReason | None = None  # None for a bye
    group: int | None = None  # the number, from 1, of the schedule's group that made the pair
    why: tuple[Reason, ...] = ()

    @property
    def keys(self) -> frozenset[int]:
        """The two players, or the one with the bye."""
        return _get_keys(self)

    @property
    def fixed(self) -> bool:
        """Whether the director put these two together, or told the draw to keep the pair."""
        return bool(self.flags) and (PairFlag.MANUAL in self.flags or PairFlag.LOCKED in self.flags)

    @property
    def free(self) -> bool:
        """Whether the program weighed the pair against all others."""
        return self.group is None and (not self.flags or not (self.fixed or PairFlag.CONTENDER in self.flags))


def _get_keys(pair: ChosenPair | DraftPair) -> frozenset[int]:
    return frozenset((pair.first,)) if pair.second is None else frozenset((pair.first, pair.second))


@dataclass(frozen=True, slots=True)
class DrawNote:
    """Something to tell the director about the draw as a whole."""

    code: NoteCode
    keys: tuple[int, ...] = ()
    figure: int = 0
    unless: tuple[ClaimCondition, ...] = ()


@dataclass(frozen=True, slots=True)
class LookAhead:
    """Why the pairing is not the cheapest of this round: that one would be a dead end for the rounds left."""

    keys: tuple[int, ...]  # the players who have other opponents than in the cheapest pairing
    by: int  # the round by which the cheapest needs more second byes or repeats than all rounds do with the chosen one
    through: int  # the last round looked at
    repeats: int  # the fewest that this round and those up to `through` need
    cheapest: tuple[int, ...]  # the cost of the cheapest pairing


@dataclass(frozen=True, slots=True)
class Draft:
    """A complete pairing of the round (of Method.MANUAL: as far as it was given), by table number, byes last."""

    pairs: tuple[DraftPair, ...]
    method: Method
    seed: int
    cost: tuple[int, ...] = ()  # of the pairs that were matched, one sum for each of `costs.COST_COMPONENTS`
    proven: bool = True  # no other complete pairing costs less, of those that are no dead end for the rounds left
    ahead: LookAhead | None = None  # None where the pairing is the cheapest of this round
    notes: tuple[DrawNote, ...] = ()
    unpaired: tuple[int, ...] = ()  # who has no opponent yet, under Method.MANUAL
    groups: tuple[tuple[int, ...], ...] = ()  # of a schedule, to be given back in `ScheduledRounds.groups`


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One rule that an input breaks or that is in the way, and whom it concerns."""

    rule: DrawRule
    keys: tuple[int, ...] = ()
    figure: int = 0
    relaxed: tuple[int, ...] = ()  # what relaxing the rule gives; for BYE_NOT_NAMED whom the policy would choose


class RequestImpossible(Exception):
    """The request cannot be met. `obstacles` names every rule that is in the way."""

    def __init__(self, obstacles: tuple[Obstacle, ...]) -> None:
        super().__init__(", ".join(f"{o.rule} {list(o.keys)}" for o in obstacles))
        self.obstacles = obstacles


# Which figures each reason has: as stored with a pair, as written to the file, and as its sentence may state them.


class FigureKind(Enum):
    """What a figure is."""

    NUMBER = "number"
    NUMBER_OR_NONE = "number_or_none"
    TWO_NUMBERS = "two_numbers"
    NUMBERS = "numbers"
    SWITCH = "switch"
    WORD = "word"
    PLAYER = "player"  # a key
    PLAYERS = "players"
    SHARE = "share"  # from 0 to 1


FigureShape = Mapping[str, FigureKind]

RANK_SHAPE: FigureShape = {"first": FigureKind.NUMBER_OR_NONE, "second": FigureKind.NUMBER_OR_NONE}
PLACES_SHAPE: FigureShape = {"places": FigureKind.TWO_NUMBERS, "of": FigureKind.NUMBER}
HOPE_SHAPE: FigureShape = {
    "place": FigureKind.NUMBER,
    "leader": FigureKind.PLAYER,
    "player": FigureKind.PLAYER,
    "share": FigureKind.SHARE,
    "runs": FigureKind.NUMBER,
    "threshold": FigureKind.SHARE,
}
SIDE_SHAPE: FigureShape = {"from": FigureKind.NUMBER, "above": FigureKind.SWITCH, "left_over": FigureKind.NUMBER}

REASON_SHAPES: Mapping[ReasonCode, FigureShape] = {
    ReasonCode.HAND: {},
    ReasonCode.LOCKED: {},
    ReasonCode.RANKS: RANK_SHAPE,
    ReasonCode.SEEDING: {**RANK_SHAPE, "by": FigureKind.WORD},
    ReasonCode.SCORE_GROUP: {"half_wins": FigureKind.NUMBER},
    ReasonCode.HALVES: PLACES_SHAPE,
    ReasonCode.PLACES: PLACES_SHAPE,
    ReasonCode.NEIGHBOURS: {"between": FigureKind.NUMBER},
    ReasonCode.RANKS_APART: {"apart": FigureKind.NUMBER, "wanted": FigureKind.NUMBER},
    ReasonCode.DRAWN: {},
    ReasonCode.SCHEDULE: {},
    ReasonCode.GROUP: {"group": FigureKind.NUMBER},
    ReasonCode.HOPEFUL: HOPE_SHAPE,
    ReasonCode.CONTENDER: HOPE_SHAPE,
    ReasonCode.PRIZE_PLACES: {"places": FigureKind.TWO_NUMBERS},
    ReasonCode.SAFE: {"player": FigureKind.PLAYER, "place": FigureKind.NUMBER},
    ReasonCode.FLOAT: {"half_wins": FigureKind.TWO_NUMBERS, "because": FigureKind.WORD},
    ReasonCode.PASSED_OVER: {"player": FigureKind.PLAYER, "who": FigureKind.PLAYERS, "because": FigureKind.WORD},
    ReasonCode.REPEAT: {"rounds": FigureKind.NUMBERS},
    ReasonCode.SAME_CLUB: {},
    ReasonCode.KEPT_APART: {},
    ReasonCode.BYE: {"had": FigureKind.NUMBER, "fewest": FigureKind.NUMBER, "by": FigureKind.WORD},
    ReasonCode.STARTER: {"by": FigureKind.WORD, "starts": FigureKind.TWO_NUMBERS, "replies": FigureKind.TWO_NUMBERS},
    ReasonCode.THIRD_START: {"row": FigureKind.NUMBER},
}

FLOAT_SHAPES: Mapping[str, FigureShape] = {
    FloatReason.ODD_GROUP: {"from": FigureKind.NUMBER, "players": FigureKind.NUMBER},
    FloatReason.BYE: {"from": FigureKind.NUMBER, "players": FigureKind.NUMBER},
    FloatReason.BESIDE_LOCKED: {"from": FigureKind.NUMBER},
    FloatReason.MET: SIDE_SHAPE,
    FloatReason.KEPT_APART: SIDE_SHAPE,
    FloatReason.TOTAL: {"bye": FigureKind.SWITCH},
    FloatReason.STARTS: {"bye": FigureKind.SWITCH},
}
"""What else a float has, by its cause."""

BYE_SHAPES: Mapping[str, FigureShape] = {
    ByeReason.GERMAN: {"from_bottom": FigureKind.NUMBER, "rounds_left": FigureKind.NUMBER},
    ByeReason.MET: {"who": FigureKind.PLAYERS},
}
"""What else a bye has, by its cause."""

FIGURE_WORDS: Mapping[tuple[ReasonCode, str], frozenset[str]] = {
    (ReasonCode.SEEDING, "by"): frozenset({"rating", "entry"}),
    (ReasonCode.FLOAT, "because"): frozenset(FloatReason),
    (ReasonCode.PASSED_OVER, "because"): frozenset({FloatReason.MET, FloatReason.KEPT_APART}),
    (ReasonCode.BYE, "by"): frozenset(ByeReason),
    (ReasonCode.STARTER, "by"): frozenset(StarterReason),
}
"""The words that a figure can be."""

PLAYER_FIGURES = ("leader", "player", "who")  # the figures that name players


def get_reason_shape(code: ReasonCode, figures: Mapping[str, Any]) -> FigureShape:
    """The figures that a reason with this code has, by what it says it is because of."""
    more = {
        ReasonCode.FLOAT: FLOAT_SHAPES.get(str(figures.get("because")), {}),
        ReasonCode.BYE: BYE_SHAPES.get(str(figures.get("by")), {}),
    }
    return {**REASON_SHAPES[code], **more.get(code, {})}


def list_figure_players(figures: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The players whom the figures name, each with the figure's name."""
    for name in PLAYER_FIGURES:
        if (value := figures.get(name)) is not None:
            yield from ((name, key) for key in (value if isinstance(value, list) else [value]))


def rename_figure_players(figures: Mapping[str, Any], names: Mapping[Any, Any]) -> dict[str, Any]:
    """The figures with every player under another name; those who have none are left out of lists."""
    renamed = dict(figures)
    for name in figures.keys() & set(PLAYER_FIGURES):
        value = figures[name]
        renamed[name] = [names[key] for key in value if key in names] if isinstance(value, list) else names[value]
    return renamed
