"""What a ruleset is: the figures and clauses of a book of rules."""

from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.awards import DEFAULT_AWARDS, Awards
from scoring.clauses import NO_CLAUSES, Clauses
from scoring.standings import RankingBasis


class LeftoversRule(StrEnum):
    """What happens to tiles that are left at the end."""

    TO_WHO_WENT_OUT = "to_who_went_out"
    """Whoever went out gains the other's tiles, the other loses them; nobody out: each loses their own."""
    EACH_LOSES_OWN = "each_loses_own"
    TWICE_TO_WHO_WENT_OUT = "twice_to_who_went_out"
    """Whoever went out gains the other's tiles twice, the other loses nothing; nobody out: each loses their own.

    None of our rulesets has this; replayed games from elsewhere are counted by it.
    """


class BoardTurning(StrEnum):
    """Whether boards are turned towards the player whose turn it is."""

    AGREED = "agreed"
    """Not turned, unless both players agree (TSO 2.1)."""
    TURNED = "turned"
    FIXED = "fixed"
    """Not turned, whatever the players agree on."""


class PenaltyUnit(StrEnum):
    """What is counted when challenges fail."""

    WORD = "word"
    CHALLENGE = "challenge"


@dataclass(frozen=True, slots=True)
class ChallengeRules:
    """What a challenge costs. An upheld one withdraws the play, for 0 points and `upheld_penalty` points off.

    `failed_penalty` is taken off the challenger for each word, or each challenge, that failed. `within`: how many
    seconds after the clock was pressed it may still be made; None where the rules name no such time. `in_play_only`:
    the rules say that no word is looked at after the game.
    """

    failed_penalty: int
    per: PenaltyUnit
    upheld_penalty: int = 0
    clause: str = ""
    within: int | None = None
    in_play_only: bool = False


@dataclass(frozen=True, slots=True)
class ExchangeRules:
    """When tiles may be exchanged.

    `in_bag`: how many tiles the bag must hold. `after_a_play`: only if the player's previous turn placed a tile.
    `before_first_word`: how often in a row before the player's first word; None where the rules do not say.
    `by_consent`: beyond these two, the jury may let a player exchange who finds no word.
    """

    in_bag: int
    after_a_play: bool = False
    before_first_word: int | None = None
    by_consent: bool = False


@dataclass(frozen=True, slots=True)
class DuplicateRules:
    """The figures of a duplicate session: the most turns, seconds a turn, seconds until the signal, letters a draw."""

    turns: int = 22
    turn_seconds: int = 180
    signal_seconds: int = 150
    letters: int = 7

    @property
    def writing_seconds(self) -> int:
        """What is left of a turn at the signal, for writing the slip."""
        return self.turn_seconds - self.signal_seconds


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The figures of one book of rules. None: the rules do not have it. Times in seconds unless called minutes.

    `book`: the book of rules that it belongs to, of which there may be several editions. `letters`: the key of the
    letter set.

    Clock. `minutes`: those per player that may be announced, the usual one first; empty without a chess clock.
    `shared_minutes`: those for the whole game where it is played without one. Each `overtime_step` that has begun takes
    `overtime_points` off; more than `overtime_limit` loses the game. Whoever is later than `lateness_limit` loses it
    without playing.

    Play. `wrong_word_penalty`: points off, besides those of the turn, for a wrong word found later. `questions`: how
    many words each player may show to the jury in a game of a national tournament before laying them; None: the rules
    do not have it. `stated_tiles`: how many tiles the book speaks of where the set has another number.
    `passes_to_end`: how many passes in a row by each player end the game; None: passing is not allowed. `equal_turns`:
    going out ends the game only when both have had equally many turns. `declined_penalty`: points off for a player who
    is found able to move and declines. `blank_draws_first`: a blank drawn for the start sorts before A; otherwise it
    does not count. `folds_accents`: words with an accent are laid with the letters without it. `own_sheets`: each
    player keeps a sheet of their own, with the letters they drew and the coordinates of each word; the starter's is
    white, the other's coloured.

    Table. `basis`: what it is ranked by first unless the announcement says otherwise. `awards`: what byes, absences and
    forfeits credit, unless the organiser announces other figures for byes and absences.

    Raises ValueError on a figure below zero and on steps of overtime that have no length.
    """

    key: str
    name: str
    source: str
    book: str
    letters: str
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
        """Whether two players meet at a board; in a duplicate session all play alone against the same draw."""
        return self.duplicate is None

    @property
    def draws_start(self) -> bool:
        """Whether the book has the start drawn, and knows nothing of starts that are fixed beforehand."""
        return bool(self.clauses.drawn_starts) and not self.clauses.fixed_starts

    @property
    def without_clock(self) -> "Ruleset":
        """The same rules for an event without chess clocks: nobody can exceed their time or press a clock."""
        challenges = None if self.challenges is None else replace(self.challenges, within=None)
        return replace(self, overtime_points=0, overtime_limit=None, challenges=challenges)

    @property
    def default_minutes(self) -> int | None:
        """The usual minutes per player; None without a chess clock."""
        return self.minutes[0] if self.minutes else None
