"""What a ruleset is: the figures and clauses of a book of rules."""

from dataclasses import dataclass
from enum import StrEnum

from scoring import awards, clauses
from scoring.awards import Awards
from scoring.clauses import Clauses
from scoring.standings import Basis


class Leftovers(StrEnum):
    """What happens to tiles that are left at the end."""

    TO_WHO_WENT_OUT = "to_who_went_out"
    """Who went out gains the other's tiles, the other loses them; nobody out: each loses their own."""
    EACH_LOSES_OWN = "each_loses_own"
    TWICE_TO_WHO_WENT_OUT = "twice_to_who_went_out"
    """Who went out gains the other's tiles twice, the other loses nothing; nobody out: each loses their own.

    No ruleset of ours: games from elsewhere that are replayed are counted by it.
    """


class Per(StrEnum):
    """What a penalty for failed challenges is counted by."""

    WORD = "word"
    CHALLENGE = "challenge"


@dataclass(frozen=True, slots=True)
class Challenges:
    """What a challenge costs. An upheld one withdraws the play, for 0 points and `upheld_penalty` points off.

    `failed_penalty` is taken off the challenger for each word or each challenge that failed.
    """

    failed_penalty: int
    per: Per
    upheld_penalty: int = 0
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Exchanges:
    """When tiles may be exchanged.

    `in_bag`: with so many in the bag or more. `after_a_play`: only when the player's turn before placed a tile.
    `before_first_word`: how often in a row until the player's first word; None where nothing is said about it.
    """

    in_bag: int
    after_a_play: bool = False
    before_first_word: int | None = None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The figures of a duplicate session: turns at most, seconds a turn, seconds until the signal, letters a draw."""

    turns: int = 22
    turn_seconds: int = 180
    signal_seconds: int = 150
    letters: int = 7


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The figures of one book of rules. None: the rules do not know it. Times in seconds unless called minutes.

    Raises ValueError on a figure below zero and on steps of overtime that have no length.
    """

    key: str
    name: str
    source: str
    book: str
    """The book of rules that it belongs to, of which there may be several editions."""
    letters: str
    """The key of the letter set."""
    minutes: tuple[int, ...] = ()
    """Minutes per player that may be announced, the usual first; empty without a chess clock."""
    shared_minutes: int | None = None
    """Minutes for the whole game where it is played without a chess clock."""
    overtime_points: int = 0
    """Points off for each step of overtime that has begun."""
    overtime_step: int = 60
    """How long a step of overtime is."""
    overtime_limit: int | None = None
    """More overtime than this loses the game."""
    lateness_limit: int | None = None
    """Who is later than this loses the game without playing."""
    challenges: Challenges | None = None
    wrong_word_penalty: int | None = None
    """Points off, beside those of the turn, for a wrong word found later."""
    leftovers: Leftovers | None = None
    exchanges: Exchanges | None = None
    passes_to_end: int | None = None
    """So many passes in a row by each player end the game; None: passing is not allowed."""
    equal_turns: bool = False
    """Who goes out ends the game only when both have had as many turns."""
    declined_penalty: int = 0
    """Points off for a player who is found able to move and declines."""
    blank_draws_first: bool = True
    """A blank drawn for the start sorts before A; otherwise it does not count."""
    basis: Basis = Basis.WINS
    """What a table is ranked by first unless the announcement says otherwise."""
    awards: Awards = awards.ORGANISERS
    """What byes, absences and forfeits credit, unless the organiser announces other figures for byes and absences."""
    duplicate: Duplicate | None = None
    clauses: Clauses = clauses.NONE

    def __post_init__(self) -> None:
        limits = (self.shared_minutes, self.overtime_limit, self.lateness_limit, self.wrong_word_penalty)
        figures = (*self.minutes, self.overtime_points, self.declined_penalty, *limits)
        if any(figure is not None and figure < 0 for figure in figures):
            raise ValueError(f"a figure of ruleset {self.key} is below zero: {figures}")
        if self.overtime_step < 1:
            raise ValueError(f"a step of overtime is a second at least, not {self.overtime_step}: {self.key}")

    @property
    def default_minutes(self) -> int | None:
        """The usual minutes per player; None without a chess clock."""
        return self.minutes[0] if self.minutes else None
