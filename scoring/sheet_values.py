"""The values of a score sheet: what it holds, what it comes to, and what can be wrong with it (TSO 3, 5)."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from scoring import board as board_rules
from scoring.board import Board
from scoring.plays import Play


class Side(IntEnum):
    """Whose turn: the player who starts, or the one who replies."""

    FIRST = 1
    SECOND = 2

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.SECOND if self is Side.FIRST else Side.FIRST


class LineKind(StrEnum):
    """What a line of a score sheet records."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"
    WITHDRAWN = "withdrawn"
    """A play taken back after a challenge: 0 points, the turn is over (TSO 3.1.4)."""
    CHALLENGE = "challenge"
    """Points for a challenge that failed: taken off the challenger; no turn of its own."""
    PENALTY = "penalty"
    """Other penalty points, with a reason; no turn of its own."""

    @property
    def is_turn(self) -> bool:
        """Whether it uses the player's turn; the other lines stand between two turns."""
        return self not in (LineKind.CHALLENGE, LineKind.PENALTY)


@dataclass(frozen=True, slots=True)
class ScoreSheetLine:
    """One line as it was written.

    `points` is what it adds to the side's score, None where nothing was written: **below zero for points taken off**
    (a failed challenge −10, a penalty −5). `side` of a challenge is the challenger's. `rack`: the tiles in hand before
    the turn, "" unknown; `tiles`: those exchanged, "" unknown; `?` for a blank. `words`: how many challenged words
    were good. `note`: the reason of a penalty; on a challenge or a withdrawn play, a note says that points which differ
    from the rules' are the referee's decision. `jury`: the player saw no word and asked it before this turn: it let an
    exchange be made, or refused one; then a word was found after all, or the turn was lost (Wedstrijdscrabble III-8).
    """

    side: Side
    kind: LineKind
    play: Play | None = None
    points: int | None = None
    rack: str = ""
    tiles: str = ""
    words: int = 0
    note: str = ""
    jury: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A written record of one game. Pairs are (first, second); None: not written down.

    `left`: the tiles held at the end, "" none. `settlement`: what they came to, signed. `overtime`: whole seconds past
    zero. `final`: the final scores that the sheet claims. `is_finished`: its keeper says that the game is over.
    """

    lines: tuple[ScoreSheetLine, ...]
    left: tuple[str | None, str | None] = (None, None)
    settlement: tuple[int | None, int | None] = (None, None)
    overtime: tuple[int, int] = (0, 0)
    final: tuple[int | None, int | None] = (None, None)
    is_finished: bool = False


@dataclass(frozen=True, slots=True)
class CountedLine:
    """One line and what came of it.

    `points` is what counts, `total` the side's running total after it (before settlement and time). `worked` is what
    the rules or the board make of it, None where they say nothing; `difference` is written minus worked, None where
    one of the two is missing or `worked` is doubtful. `scored` is None where word and place of a play are missing or
    rest on tiles that are not known. `placement`: why the play cannot be laid.

    Before the turn: `bag` tiles in the bag, `held` in the side's hand, None unknown; `least` the fewest that can be in
    the bag; `turn` is whose turn it was, None for an adjustment and after the end; `over`: after which line the game
    was over; `gave_up`: at which line the side could no longer lay a tile (SBNL).
    """

    number: int
    line: ScoreSheetLine
    points: int
    total: int
    clause: str
    worked: int | None = None
    difference: int | None = None
    scored: board_rules.PlayScore | None = None
    placement: tuple[board_rules.PlayProblem, ...] = ()
    bag: int | None = None
    held: int | None = None
    least: int = 0
    turn: Side | None = None
    over: int | None = None
    gave_up: int | None = None

    @property
    def is_sure(self) -> bool:
        """Whether word and place of a play are certain."""
        return self.scored is not None

    @property
    def laid(self) -> str:
        """The tiles that a play has put on the board, `?` for a blank; none where word and place are not certain."""
        return "" if self.scored is None else "".join(board_rules.get_tile(letter) for _, letter in self.scored.placed)

    @property
    def is_overruled(self) -> bool:
        """Whether the referee decided otherwise than the rules say, with a reason."""
        return bool(self.difference) and self.points == self.line.points


class Ending(StrEnum):
    """Why a game is over."""

    OUT = "out"
    """Somebody laid the last tile, and the bag is empty (TSO 5.1 a)."""
    PASSES = "passes"
    """Each passed as often in a row as the ruleset says (TSO 5.1 b)."""
    STUCK = "stuck"
    """Neither can lay a tile any more (SBNL)."""
    STATED = "stated"
    """The sheet says so: both agreed that nobody will lay another word, or time is up."""
    TIME = "time"
    """Overtime beyond the limit: the game is broken off (TSO 5.2 c)."""


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game: why, after which line (None: not known), and who went out."""

    ending: Ending
    clause: str
    number: int | None = None
    out: Side | None = None


@dataclass(frozen=True, slots=True)
class SheetHalf:
    """One player's part of a sheet.

    `plays`, `challenges`, `penalties`, `settlement` are signed as they count; `time` is the time penalty, 0 or below.
    `settlement_worked` is what the rules make of the tiles left, None where these are not known; what is written
    counts then. `left`: the tiles held at the end, as written or, once all others lie on the board, worked out.
    `bingos` counts the plays of seven tiles among those whose word and place are known, `wordless` those whose are not.
    `moves`: the best single plays, descending. `lost`: overtime beyond the limit; the game is the opponent's then,
    and both final scores stay as they stood (TSO 5.2 c).
    """

    side: Side
    plays: int
    challenges: int
    penalties: int
    settlement: int
    settlement_worked: int | None
    settlement_clause: str
    time: int
    time_clause: str
    lost: bool
    left: str | None
    bingos: int
    wordless: int
    moves: tuple[int, ...]
    turns: int

    @property
    def total(self) -> int:
        """The running total at the end: plays, challenges and penalties, before settlement and time."""
        return self.plays + self.challenges + self.penalties

    @property
    def final(self) -> int:
        """The final score."""
        return self.total + self.settlement + self.time

    @property
    def stood(self) -> int:
        """Plays and settlement: the score before time and other penalties, as an official result is made from."""
        return self.plays + self.settlement

    @property
    def taken_off(self) -> int:
        """Penalty points without the time penalty, as a figure of 0 or more (below zero if points were added)."""
        return -(self.challenges + self.penalties)


@dataclass(frozen=True, slots=True)
class SheetCount:
    """What a sheet comes to.

    `boards`: the board before the first line, and after each one; a play that has no place leaves it as it was.
    `unseen`: tiles not on the board; `bag`: how many are in the bag, `racks` how many each holds. These three are
    None as soon as a play without word and place, or one that has no place, was written. `turn`: whose turn is next,
    None when the game is over.
    """

    lines: tuple[CountedLine, ...]
    boards: tuple[Board, ...]
    unseen: str | None
    bag: int | None
    racks: tuple[int, int] | None
    first: SheetHalf
    second: SheetHalf
    turn: Side | None
    over: GameEnd | None

    @property
    def board(self) -> Board:
        """The board at the end."""
        return self.boards[-1]

    @property
    def halves(self) -> tuple[SheetHalf, SheetHalf]:
        """Both players' parts."""
        return self.first, self.second

    @property
    def final(self) -> tuple[int, int]:
        """Both final scores."""
        return self.first.final, self.second.final


class SheetFault(StrEnum):
    """What on a sheet breaks the rules, or does not add up."""

    PLACEMENT = "placement"
    """The play cannot be laid there; `placement` says why."""
    POINTS_DIFFER = "points_differ"
    """Written `found`, worked out `needed`."""
    POINTS_MISSING = "points_missing"
    """Neither points nor anything to work them out from."""
    WITHDRAWN_SCORES = "withdrawn_scores"
    """A play that was taken back has points."""
    OUT_OF_TURN = "out_of_turn"
    """It was the other side's turn."""
    AFTER_THE_END = "after_the_end"
    """The game was over after line `found`."""
    GAVE_UP_BEFORE = "gave_up_before"
    """A player who could not lay a tile at line `found` may not lay any more (SBNL)."""
    BAG_TOO_SMALL = "bag_too_small"
    """An exchange needs `needed` tiles in the bag; there were `found`."""
    NO_TILE_BEFORE = "no_tile_before"
    """An exchange needs a tile placed in the player's previous turn (SBNL)."""
    TOO_OFTEN_BEFORE_WORD = "too_often_before_word"
    """Before the first word `needed` exchanges are allowed; this is number `found` (SBNL)."""
    NO_EXCHANGES = "no_exchanges"
    """The ruleset has no exchanges."""
    NO_CONSENT = "no_consent"
    """The jury was asked for an exchange, which the ruleset does not have."""
    PASSING_NOT_ALLOWED = "passing_not_allowed"
    """A turn may not be passed (SBNL); `needed` is what declining costs."""
    NO_CHALLENGES = "no_challenges"
    """The ruleset has no challenges."""
    NOTHING_TO_CHALLENGE = "nothing_to_challenge"
    """The opponent's last turn was no play; `found` is how many turns the opponent has had."""
    MORE_WORDS_THAN_MADE = "more_words_than_made"
    """`found` words are said to have been challenged in vain; the play made `needed`."""
    PENALTY_ADDS = "penalty_adds"
    """Penalty points that add to the score."""
    REASON_MISSING = "reason_missing"
    """Penalty points need a reason."""
    TOO_MANY_IN_HAND = "too_many_in_hand"
    """`text` is more than a rack holds."""
    NOT_IN_SET = "not_in_set"
    """Rack, exchange or leftovers name `text`, which the letter set does not have."""
    NOT_ON_RACK = "not_on_rack"
    """`text` was exchanged but is not on the rack as written."""
    MORE_THAN_SET = "more_than_set"
    """Board and racks, with what the opponent must have kept, have `found` of `text`; the set has `needed`."""
    MORE_THAN_HELD = "more_than_held"
    """`found` tiles were laid or exchanged where the player held `needed`."""
    SETTLEMENT_DIFFERS = "settlement_differs"
    """Written `found`, worked out `needed`."""
    SETTLEMENT_UNKNOWN = "settlement_unknown"
    """The game is over, but neither leftovers nor settlement are written, and they cannot be worked out."""
    LEFTOVERS_DIFFER = "leftovers_differ"
    """The tiles left, `text`, are not the unseen ones, `other`."""
    NOT_OVER = "not_over"
    """The sheet is finished, but nobody went out, and of the `needed` passes that end a game `found` are written: fine
    if both agreed (TSO 5.1 b)."""
    FINAL_DIFFERS = "final_differs"
    """Claimed `found`, worked out `needed`."""


@dataclass(frozen=True, slots=True)
class SheetProblem:
    """One thing that is wrong: on which line (from 1; None: the sheet as a whole), whose, and its figures.

    `by_consent`: it would be right with the consent of the jury.
    """

    line: int | None
    fault: SheetFault
    side: Side | None = None
    clause: str = ""
    needed: int | None = None
    found: int | None = None
    text: str = ""
    other: str = ""
    placement: board_rules.PlayProblem | None = None
    by_consent: bool = False
