"""What a ruleset holds: the figures and clauses of a rule book."""

from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.awards import DEFAULT_AWARDS, Awards
from scoring.clauses import NO_CLAUSES, Clauses
from scoring.extents import MAX_TURNS
from scoring.standings import RankingBasis


class LeftoversRule(StrEnum):
    """What happens to the tiles left at the end."""

    TO_WHO_WENT_OUT = "to_who_went_out"
    """Whoever went out gains the other's tiles, and the other loses them; if nobody did, each loses their own."""
    EACH_LOSES_OWN = "each_loses_own"
    TWICE_TO_WHO_WENT_OUT = "twice_to_who_went_out"
    """Whoever went out gains the other's tiles twice, and the other loses nothing; if nobody did, each loses their own.

    None of our rulesets says so; games from elsewhere are replayed by it.
    """


class BoardTurning(StrEnum):
    """Whether the board is turned towards the player whose turn it is."""

    AGREED = "agreed"  # not turned, unless both players agree (TSO 2.1)
    TURNED = "turned"
    FIXED = "fixed"  # not turned, even if both players agree


class PenaltyUnit(StrEnum):
    """What a penalty for failed challenges is counted by."""

    WORD = "word"
    CHALLENGE = "challenge"


@dataclass(frozen=True, slots=True)
class ChallengeRules:
    """What a challenge costs. If it is upheld, the play is withdrawn for 0 points, and `upheld_penalty` is taken off.
    `failed_penalty`: taken off the challenger for each word, or each challenge, that failed. `within`: the seconds
    after the clock was pressed in which a play may be challenged; None if the rules set no limit. `in_play_only`: no
    word is checked after the game. `hold`: the seconds in which an opponent who holds a play decides whether to
    challenge it, by `hold_clause`."""

    failed_penalty: int
    per: PenaltyUnit
    upheld_penalty: int = 0
    clause: str = ""
    within: int | None = None
    in_play_only: bool = False
    hold: int | None = None
    hold_clause: str = ""


@dataclass(frozen=True, slots=True)
class ExchangeRules:
    """When tiles may be exchanged. `in_bag`: how many tiles the bag must hold. `after_a_play`: only if the player's
    previous turn placed a tile. `before_first_word`: how many times in a row before the player's first word; None if
    the rules do not say. `by_consent`: apart from these two, the jury may allow an exchange to a player who finds no
    word."""

    in_bag: int
    after_a_play: bool = False
    before_first_word: int | None = None
    by_consent: bool = False


@dataclass(frozen=True, slots=True)
class DuplicateRules:
    """The figures of a duplicate session: the most turns, seconds for each, seconds until the signal, tiles drawn."""

    turns: int = MAX_TURNS
    turn_seconds: int = 180
    signal_seconds: int = 150
    letters: int = 7

    @property
    def writing_seconds(self) -> int:
        """The seconds that are left at the signal for writing the slip."""
        return self.turn_seconds - self.signal_seconds


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The figures of one rule book. None: the rules do not have it. Times are in seconds unless called minutes.

    `book`: the rule book, of which there may be several editions. `letters`: the key of the letter set. `federation`:
    whose players' numbers an event is reported with; "" where any federation's will do.

    Clock. `minutes`: those per player that may be announced, the usual ones first; empty without a chess clock.
    `shared_minutes`: those for the whole game if it is played without a clock. Each `overtime_step` begun takes
    `overtime_points` off; more than `overtime_limit` loses the game. Being more than `lateness_limit` late loses it
    without playing.

    Play. `wrong_word_penalty`: points off, besides those of the turn, for a word found wrong later. `questions`: how
    many words each player may show to the jury in a game of a national tournament before laying them. `stated_tiles`:
    how many tiles the book speaks of if its set has another number. `word_list_days`: how many days before the first
    one players are given an announced word list at the latest. `passes_to_end`: how many passes in a row
    by each player end the game; None: passing is not allowed. `equal_turns`: going out ends the game only when both
    have had as many turns. `declined_penalty`: points off for a player who declines although the jury saw a word.
    `blank_draws_first`: a blank drawn for the start sorts before A; otherwise it does not count. `folds_accents`: words
    with accents are laid without them. `own_sheets`: each player keeps a sheet, with the letters drawn and the
    coordinates of each word; the starter's is white, the other's coloured.

    Table. `basis`: what it is ranked by first, unless the announcement says otherwise. `awards`: what byes, absences
    and forfeits credit; an organiser may announce other figures for byes and absences.

    Raises ValueError for a figure below zero and for an overtime step without length.
    """

    key: str
    name: str
    source: str
    book: str
    letters: str
    federation: str = ""
    minutes: tuple[int, ...] = ()
    shared_minutes: int | None = None
    overtime_points: int = 0
    overtime_step: int = 60
    overtime_limit: int | None = None
    lateness_limit: int | None = None
    challenges: ChallengeRules | None = None
    wrong_word_penalty: int | None = None
    questions: int | None = None
    stated_tiles: int | None = None
    word_list_days: int | None = None
    leftovers: LeftoversRule | None = None
    exchanges: ExchangeRules | None = None
    passes_to_end: int | None = None
    equal_turns: bool = False
    declined_penalty: int = 0
    blank_draws_first: bool = True
    folds_accents: bool = False
    own_sheets: bool = False
    basis: RankingBasis = RankingBasis.WINS
    awards: Awards = DEFAULT_AWARDS
    duplicate: DuplicateRules | None = None
    clauses: Clauses = NO_CLAUSES

    def __post_init__(self) -> None:
        limits = (self.shared_minutes, self.overtime_limit, self.lateness_limit, self.wrong_word_penalty)
        figures = (*self.minutes, self.overtime_points, self.declined_penalty, *limits)
        if any(figure is not None and figure < 0 for figure in figures):
            raise ValueError(f"a figure of ruleset {self.key} is below zero: {figures}")
        if self.overtime_step < 1:
            raise ValueError(f"a step of overtime is at least a second, not {self.overtime_step}: {self.key}")

    @property
    def is_paired(self) -> bool:
        """Whether two players meet at a board; in duplicate everybody plays alone with the same draw."""
        return self.duplicate is None

    @property
    def draws_start(self) -> bool:
        """Whether the book has the start drawn, and knows nothing of starts that are fixed beforehand."""
        return bool(self.clauses.drawn_starts) and not self.clauses.fixed_starts

    @property
    def without_clock(self) -> "Ruleset":
        """The same rules for an event without chess clocks: there is no overtime, and no clock to press."""
        # `within` is counted from the moment in which the clock is pressed; without clocks there is no such moment.
        challenges = None if self.challenges is None else replace(self.challenges, within=None)
        return replace(self, overtime_points=0, overtime_limit=None, challenges=challenges)

    @property
    def default_minutes(self) -> int | None:
        """The usual minutes per player; None without a chess clock."""
        return self.minutes[0] if self.minutes else None
