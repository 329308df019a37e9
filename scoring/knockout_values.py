"""The values of a knock-out: rules, games and facts go in, matches and the bracket come out (TSO 6.2)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.awards import DEFAULT_AWARDS, Awards, Outcome
from scoring.clauses import NO_CLAUSES, KnockoutClauses
from scoring.extents import LONGEST_SERIES
from scoring.standings import PlayerKey


class KnockoutSystem(StrEnum):
    """Who is out of a knock-out when, and which places are played for. `knockout_forms` has the matches of each."""

    SINGLE = "single_elimination"
    PLACES_TO_EIGHT = "places_to_eight"  # single elimination in which the places 3 to 8 are played for
    DOUBLE = "double_elimination"
    PAGE = "page_playoff"


class MatchFormat(StrEnum):
    """How a match is played."""

    SINGLE = "single"
    DOUBLE = "double"
    BEST_OF = "best_of"


class MatchCriterion(StrEnum):
    """What the announcement may name to decide a level match."""

    MOST_BINGOS = "most_bingos"
    PRELIMINARY_RANK = "preliminary_rank"
    PLAYING_TIME = "playing_time"
    DECIDER_GAME = "decider_game"
    OWN = "own"  # the announcement's own, in its words; the director enters who wins by it


class FactKind(StrEnum):
    """What has to be written down before a criterion can be applied: of each game, by the own criterion of the match"""

    MOST_BINGOS = MatchCriterion.MOST_BINGOS.value
    PLAYING_TIME = MatchCriterion.PLAYING_TIME.value
    HIGHEST_MOVE = "highest_move"
    OWN = MatchCriterion.OWN.value


class DecidedBy(StrEnum):
    """What decided a match."""

    POINTS = "points"
    WINS = "wins"
    MOST_BINGOS = MatchCriterion.MOST_BINGOS.value
    PRELIMINARY_RANK = MatchCriterion.PRELIMINARY_RANK.value
    PLAYING_TIME = MatchCriterion.PLAYING_TIME.value
    DECIDER_GAME = MatchCriterion.DECIDER_GAME.value
    HIGHEST_GAME = "highest_game"
    HIGHEST_MOVE = FactKind.HIGHEST_MOVE.value
    OWN = MatchCriterion.OWN.value
    FORFEIT = "forfeit"
    WALKOVER = "walkover"
    LOT = "lot"


class WaitsFor(StrEnum):
    """What a match is waiting for."""

    PLAYERS = "players"
    GAMES = "games"
    FACTS = "facts"
    OWN = "own"
    LOT = "lot"


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What one player did in one game, as far as it was written down, whoever was at fault. `bingos`: plays of all
    seven tiles; `moves`: the points of single plays, in any order; `seconds`: time used. None or empty: not
    recorded."""

    bingos: int | None = None
    moves: tuple[int, ...] = ()
    seconds: int | None = None


@dataclass(frozen=True, slots=True)
class KnockoutGame:
    """A game of a match; `first` starts. Points are final scores; in a forfeit, the scores when the game stopped."""

    first: PlayerKey
    second: PlayerKey
    outcome: Outcome = Outcome.OPEN
    first_points: int | None = None
    second_points: int | None = None
    first_facts: GameFacts = GameFacts()
    second_facts: GameFacts = GameFacts()

    @property
    def is_open(self) -> bool:
        return self.outcome == Outcome.OPEN


@dataclass(frozen=True, slots=True)
class KnockoutRules:
    """How the knock-out is played, as announced. `best_of`: the odd number of games in the form of that name.
    `criteria` decide a level match in this order, before the highest game and the highest move; `own_criterion` are the
    words of the announcement's own. `third_place`: in single elimination, the losers of the semi-finals play each
    other; the other systems settle that place themselves. Raises
    ValueError if `best_of` does not go with the form, and if a criterion is named twice."""

    form: MatchFormat
    best_of: int | None = None
    criteria: tuple[MatchCriterion, ...] = ()
    third_place: bool = False
    awards: Awards = DEFAULT_AWARDS
    clauses: KnockoutClauses = NO_CLAUSES.knockout
    own_criterion: str = ""
    system: KnockoutSystem = KnockoutSystem.SINGLE

    def __post_init__(self) -> None:
        if self.form == MatchFormat.BEST_OF:
            if self.best_of is None or self.best_of % 2 == 0 or not 1 <= self.best_of <= LONGEST_SERIES:
                raise ValueError(f"best of N needs an odd number from 1 to {LONGEST_SERIES}: {self.best_of}")
        elif self.best_of is not None:
            raise ValueError(f"best of {self.best_of} is no {self.form}")
        if len(set(self.criteria)) != len(self.criteria):
            raise ValueError(f"a criterion is named twice: {self.criteria}")

    @property
    def scheduled(self) -> int:
        """How many games a match has without a deciding one; in best of N, the most it can have."""
        return self.best_of or (2 if self.form == MatchFormat.DOUBLE else 1)

    @property
    def most_games(self) -> int:
        """The most games that a match can have, with a deciding one."""
        return self.scheduled + (MatchCriterion.DECIDER_GAME in self.criteria)


class SourceKind(StrEnum):
    """Where a player of a match comes from."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"


MatchPlace = tuple[int, int]  # A match's stage (1 is played first) and its position in it from the top


@dataclass(frozen=True, slots=True)
class PlayerSource:
    """Where a player comes from: "seed 5", "winner of match 3", "loser of match 3". `number`: of the seed or the match.
    `match`: the place of the match before, None in the first stage; a player who had a bye is still called by what they
    were before it: by the seed, or as the loser of a match."""

    origin: SourceKind
    number: int
    match: MatchPlace | None = None


class BracketPart(StrEnum):
    """Which part of a bracket a match belongs to."""

    MAIN = "main"  # whoever loses is out, or plays for a lower place
    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"  # of the winners' rounds and the losers' rounds
    SECOND_FINAL = "second_final"
    FIRST_TWO = "first_two"  # seed 1 against seed 2: whoever loses has another chance
    LAST_TWO = "last_two"
    THIRD_PLACE = "third_place"
    PLACES_TO_EIGHT = "places_to_eight"
    FIFTH_PLACE = "fifth_place"
    SEVENTH_PLACE = "seventh_place"


@dataclass(frozen=True, slots=True)
class Feed:
    """What fills a place of a match: a seed, or the winner or the loser of the match at a place."""

    origin: SourceKind
    seed: int = 0
    match: MatchPlace = (0, 0)


@dataclass(frozen=True, slots=True)
class FormMatch:
    """A match as a form has it, whoever plays it. `feeds`: what fills its two places, None for one that stays empty (a
    bye). `round` counts the rounds of its part from 1, in the main part those that follow. `number` of `count` such
    matches, from the top. `winner_place`, `loser_place`: the places in the knock-out that it decides; None for players
    who play on. `repeats`: the final that it repeats if that is lost by the upper player; else it is not played."""

    place: MatchPlace
    part: BracketPart
    feeds: tuple[Feed | None, Feed | None]
    round: int = 0
    number: int = 1
    count: int = 1
    winner_place: int | None = None
    loser_place: int | None = None
    repeats: MatchPlace | None = None


@dataclass(frozen=True)
class KnockoutForm:
    """A form of the knock-out: the matches of each stage, which are played at the same time, from the top."""

    stages: tuple[tuple[FormMatch, ...], ...]

    @property
    def matches(self) -> Iterator[FormMatch]:
        """All matches, stage by stage from the top."""
        return (match for stage in self.stages for match in stage)

    def find_loser_place(self, match: FormMatch) -> int:
        """The place of whoever is out after a match for good: by losing it, or since both players forfeited it and so
        the place stays empty that its loser would have taken; then it is that of the loser there."""
        if match.loser_place is not None:
            return match.loser_place
        following = self._find_next(SourceKind.LOSER, match)
        while None in following.feeds and following.winner_place is None:  # a bye: nobody loses there
            following = self._find_next(SourceKind.WINNER, following)
        if None in following.feeds and following.winner_place is not None:
            return following.winner_place
        return self.find_loser_place(following)

    def keeps_loser_in(self, match: FormMatch) -> bool:
        """Whether whoever loses a match before the final may still win the knock-out."""
        return match.loser_place is None and self._leads_to_title(self._find_next(SourceKind.LOSER, match))

    def _leads_to_title(self, match: FormMatch) -> bool:
        if match.winner_place is not None:
            return match.winner_place == 1
        return self._leads_to_title(self._find_next(SourceKind.WINNER, match))

    def _find_next(self, origin: SourceKind, match: FormMatch) -> FormMatch:
        return next(other for other in self.matches if Feed(origin, match=match.place) in other.feeds)


@dataclass(frozen=True, slots=True)
class DueGame:
    """A game that a match must have now: its number, who starts, who replies, and whether it has no result yet."""

    number: int
    first: PlayerKey
    second: PlayerKey
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A fact that a criterion needs: whose it is, and in which game of the match (from 1)."""

    criterion: FactKind
    game: int
    player: PlayerKey


MatchFigure = int | float  # points, or wins in halves: 1, 1.5. Whole numbers are always `int`.


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it stands. Everything given in pairs is the upper player's first.

    `slot` is what its form says of it. `number` counts the matches from 1 by stages and positions; None for one
    that is never played because a place in it stays empty. `players`: None for one who is not known yet or, if
    `nobody` is true there, for nobody: a bye, or nobody advanced from the match before. `games`: those that count,
    in order; `surplus`: how many were played after the decision. `score`: the total points, or in best of N the
    wins; None before the first result and for a walkover. `winner` and `loser` are None while they are not known
    and if both players forfeited. `compared`: the two figures that decided, one of them None if a list ran out;
    None if there are no figures (forfeit, walkover, lot); `nth`: their place in the lists. `clause`: the clause for
    `decided_by`.
    `waits_for` is None once the match is over. `missing`: the facts it waits for. `unrecorded`: criteria passed over
    because the director said that what they compare was never written down, or that they do not decide. `needed`: the
    games that must exist, those played included. `own_criterion`: the words of the announcement's own.
    """

    slot: FormMatch
    number: int | None
    players: tuple[PlayerKey | None, PlayerKey | None]
    sources: tuple[PlayerSource | None, PlayerSource | None]
    nobody: tuple[bool, bool]
    games: tuple[KnockoutGame, ...] = ()
    surplus: int = 0
    score: tuple[MatchFigure, MatchFigure] | None = None
    winner: PlayerKey | None = None
    loser: PlayerKey | None = None
    decided_by: DecidedBy | None = None
    compared: tuple[MatchFigure | None, MatchFigure | None] | None = None
    nth: int = 1
    clause: str = ""
    waits_for: WaitsFor | None = None
    missing: tuple[MissingFact, ...] = ()
    unrecorded: tuple[FactKind, ...] = ()
    needed: tuple[DueGame, ...] = ()
    own_criterion: str = ""

    @property
    def place(self) -> MatchPlace:
        return self.slot.place

    @property
    def stage(self) -> int:
        return self.slot.place[0]

    @property
    def position(self) -> int:
        return self.slot.place[1]

    @property
    def is_third_place(self) -> bool:
        return self.slot.part == BracketPart.THIRD_PLACE

    @property
    def is_needless(self) -> bool:
        """Whether it is a second final that is not played, since the first one has decided."""
        return self.slot.repeats is not None and all(self.nobody)

    @property
    def is_void(self) -> bool:
        """Whether both of its places stay empty from the start, so that there is nothing to show of it."""
        return self.sources == (None, None)

    @property
    def is_over(self) -> bool:
        """Whether it is settled who advances, or that nobody does."""
        return self.waits_for is None

    @property
    def awaited_fact(self) -> FactKind | None:
        """What the match waits for that the director may enter, or note as not recorded or not deciding."""
        if self.waits_for == WaitsFor.OWN:
            return FactKind.OWN
        return self.missing[0].criterion if self.missing else None

    @property
    def is_bye(self) -> bool:
        """Whether the match is never played, because a place in it stays empty."""
        return self.number is None


@dataclass(frozen=True, slots=True)
class Bracket:
    """The knock-out as it stands: its stages in order, their matches from the top as the form has them."""

    rules: KnockoutRules
    form: KnockoutForm
    seeds: tuple[PlayerKey | None, ...]
    stages: tuple[tuple[Match, ...], ...]

    @property
    def matches(self) -> Iterator[Match]:
        """All matches, stage by stage from the top."""
        return (match for stage in self.stages for match in stage)

    @property
    def final(self) -> Match:
        """The match that decides who is first: the second final as soon as it must be played."""
        finals = [match for match in self.matches if match.slot.winner_place == 1]
        # Of two finals the second has no players while the first is open, and none if it is not needed.
        return finals[-1] if None not in finals[-1].players else finals[0]

    @property
    def third_place(self) -> Match | None:
        """The match for third place; None if there is none."""
        return next((match for match in self.matches if match.is_third_place), None)

    @property
    def champion(self) -> PlayerKey | None:
        """Who won the final; None while it is open, and if nobody did."""
        return self.final.winner

    @property
    def is_over(self) -> bool:
        return all(match.is_over for match in self.matches)

    def match(self, stage: int, position: int) -> Match:
        """The match at a place. Raises KeyError if there is none."""
        return {match.place: match for match in self.matches}[stage, position]


class KnockoutFault(StrEnum):
    """What can be wrong with a knock-out's seeds, games and lots."""

    SIZE = "size"
    SEEDED_TWICE = "seeded_twice"
    NO_SUCH_MATCH = "no_such_match"
    NOT_READY = "not_ready"  # A game of a match whose players are not both known, or that has fewer than two
    OTHER_PLAYERS = "other_players"  # A game that is not between the match's two players
    TOO_MANY_GAMES = "too_many_games"
    NO_OPPONENT = "no_opponent"  # A bye or an absence, which a match cannot have
    POINTS_MISSING = "points_missing"
    LOT_OF_OTHERS = "lot_of_others"  # A lot won by somebody who does not play the match


@dataclass(frozen=True, slots=True)
class KnockoutProblem:
    """One fault: what it is, in which match, in which of its games (from 1), whose."""

    fault: KnockoutFault
    place: MatchPlace | None = None
    game: int | None = None
    player: PlayerKey | None = None

    def __str__(self) -> str:
        figures = {"match": self.place, "game": self.game, "player": self.player}
        details = ", ".join(f"{name} {value}" for name, value in figures.items() if value is not None)
        return f"{self.fault}: {details}"


class InvalidKnockout(ValueError):
    """The knock-out contradicts itself; `problems` holds every fault."""

    def __init__(self, faults: Sequence[KnockoutProblem]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.problems = tuple(faults)


MatchGames = Mapping[MatchPlace, Sequence[KnockoutGame]]
"""The games of each match, in the order in which they are played."""

LotsByMatch = Mapping[MatchPlace, PlayerKey]  # the winners drawn by lot, or entered by the announcement's own criterion

UnrecordedFacts = Mapping[MatchPlace, Collection[FactKind]]
"""What was never written down in a match or does not decide it, as the director said; the next criterion does."""
