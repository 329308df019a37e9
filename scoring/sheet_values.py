"""The values of a score sheet: what it holds, what it comes to, and what can be wrong with it (TSO 3, 5)."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from scoring import board as board_rules
from scoring.board import Board
from scoring.plays import Play


class Side(IntEnum):
    """A player: the one who starts, or the one who replies."""

    FIRST = 1
    SECOND = 2

    @property
    def other(self) -> "Side":
        return Side.SECOND if self is Side.FIRST else Side.FIRST


class LineKind(StrEnum):
    """What a line of a score sheet records."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"
    WITHDRAWN = "withdrawn"  # A play taken back after a challenge: 0 points, the turn is over (TSO 3.1.4)
    CHALLENGE = "challenge"  # points for a challenge that failed: taken off the challenger; no turn of its own
    PENALTY = "penalty"  # other penalty points, with a reason; no turn of its own

    @property
    def is_turn(self) -> bool:
        """Whether it uses the player's turn; other lines stand between two turns."""
        return self not in (LineKind.CHALLENGE, LineKind.PENALTY)


@dataclass(frozen=True, slots=True)
class ScoreSheetLine:
    """One line as it was written.

    `points`: what it adds to the side's score, None if nothing was written; **points taken off are below zero** (a
    failed challenge −10, a penalty −5). `side` of a challenge is the challenger's. `rack`: the tiles in hand before the
    turn; `tiles`: those exchanged; "" if unknown, `?` for a blank. `words`: how many challenged words were good.
    `note`: the reason for a penalty; on a challenge or a withdrawn play it says that points which differ from the rules
    are the referee's decision. `jury`: the player saw no word and asked the jury before this turn. It allowed an
    exchange, or refused it; then a word was found after all, or the turn was lost (Wedstrijdscrabble III-8).
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
    """A written record of one game. Pairs are (first, second); None: not written down. `left`: the tiles held at the
    end, "" for none. `settlement`: what they came to, signed. `overtime`: whole seconds past zero. `final`: the final
    scores that the sheet claims. `is_finished`: whoever kept it says the game is over."""

    lines: tuple[ScoreSheetLine, ...]
    left: tuple[str | None, str | None] = (None, None)
    settlement: tuple[int | None, int | None] = (None, None)
    overtime: tuple[int, int] = (0, 0)
    final: tuple[int | None, int | None] = (None, None)
    is_finished: bool = False


@dataclass(frozen=True, slots=True)
class CountedLine:
    """One line and what came of it.

    `points`: what counts; `total`: the side's running total after it (before settlement and time). `worked`: what it is
    worth by the rules and the board, None if they do not say; `difference`: written minus worked, None if one of the
    two is missing or `worked` is doubtful. `scored` is None if word and place of a play are missing or depend on tiles
    that are not known. `placement`: why the play cannot be laid.

    Before the turn: `bag` tiles in the bag and `held` in the side's hand, None if unknown; `least`: the fewest that can
    be in the bag; `turn`: whose turn it was, None for an adjustment and after the end; `over`: the line after which the
    game was over; `gave_up`: the line at which the side could no longer lay a tile (SBNL).
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
    def laid(self) -> str:
        """The tiles that a play put on the board, `?` for a blank; none if word and place are not certain."""
        return "" if self.scored is None else "".join(board_rules.get_tile(letter) for _, letter in self.scored.placed)

    @property
    def is_overruled(self) -> bool:
        """Whether the referee departed from the rules, with a reason."""
        # What differs from the rules and counts all the same is the referee's: of a play in doubt no difference is
        # told.
        return bool(self.difference) and self.points == self.line.points


class Ending(StrEnum):
    """Why a game is over."""

    OUT = "out"  # somebody laid the last tile, and the bag is empty (TSO 5.1 a)
    PASSES = "passes"  # each passed as many times in a row as the ruleset says (TSO 5.1 b)
    STUCK = "stuck"  # neither can lay another tile (SBNL)
    STATED = "stated"  # the sheet says so: both agreed that nobody will lay another word, or time is up
    TIME = "time"  # overtime beyond the limit: the game is stopped (TSO 5.2 c)


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The end of a game: why, after which line (None: unknown), and who went out."""

    ending: Ending
    clause: str
    number: int | None = None
    out: Side | None = None


@dataclass(frozen=True, slots=True)
class SheetHalf:
    """One player's part of a sheet.

    `plays`, `challenges`, `penalties` and `settlement` are signed as they count; `time`: the time penalty, 0 or below.
    `settlement_worked`: what the tiles left come to, None if they are not known; then what is written counts. `left`:
    the tiles held at the end, as written or, if all others lie on the board, worked out. `bingos`: the plays of seven
    tiles among those whose word and place are known; `wordless`: how many are not known. `moves`: the points of the
    plays, highest first. `lost`: overtime beyond the limit; the opponent wins, and both final scores stay as they were
    (TSO 5.2 c).
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

    @property
    def total(self) -> int:
        """The running total at the end: plays, challenges and penalties, before settlement and time."""
        return self.plays + self.challenges + self.penalties

    @property
    def final(self) -> int:
        return self.total + self.settlement + self.time


@dataclass(frozen=True, slots=True)
class SheetCount:
    """What a sheet comes to. `boards`: the board before the first line and after each one; a play that has no place
    leaves it as it was. `unseen`: the tiles not on the board; `bag`: how many are in the bag; `racks`: how many each
    player holds. These three are None after a play without word and place, or without a place on the board. `turn`:
    whose turn is next, None when the game is over."""

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
        return self.first, self.second

    @property
    def final(self) -> tuple[int, int]:
        return self.first.final, self.second.final


class SheetFault(StrEnum):
    """What on a sheet breaks the rules, or does not add up."""

    PLACEMENT = "placement"  # the play cannot be laid there; `placement` says why
    WORD_IS_LONGER = "word_is_longer"  # with tiles that lie before or after it the word written, `text`, is `other`
    POINTS_DIFFER = "points_differ"  # written `found`, worked out `needed`
    POINTS_MISSING = "points_missing"  # neither points nor anything to work them out from
    WITHDRAWN_SCORES = "withdrawn_scores"  # A play that was taken back has points
    OUT_OF_TURN = "out_of_turn"  # it was the other side's turn
    AFTER_THE_END = "after_the_end"  # the game was over after line `found`
    GAVE_UP_BEFORE = "gave_up_before"  # A player who could not lay a tile at line `found` may not lay any more (SBNL)
    BAG_TOO_SMALL = "bag_too_small"  # an exchange needs `needed` tiles in the bag; there were `found`
    NO_TILE_BEFORE = "no_tile_before"  # an exchange needs a tile placed in the player's previous turn (SBNL)
    TOO_OFTEN_BEFORE_WORD = "too_often_before_word"
    """Before the first word `needed` exchanges are allowed; this is number `found` (SBNL)."""
    NO_EXCHANGES = "no_exchanges"  # the ruleset has no exchanges
    NO_CONSENT = "no_consent"  # the jury was asked for an exchange, which the ruleset does not have
    PASSING_NOT_ALLOWED = "passing_not_allowed"  # passing is not allowed (SBNL); `needed`: what declining costs
    NO_CHALLENGES = "no_challenges"  # the ruleset has no challenges
    NOTHING_TO_CHALLENGE = "nothing_to_challenge"
    """The opponent's last turn was no play; `found`: how many turns the opponent has had."""
    MORE_WORDS_THAN_MADE = "more_words_than_made"
    """`found` words were challenged in vain, it says; the play made `needed`."""
    PENALTY_ADDS = "penalty_adds"  # penalty points that add to the score
    REASON_MISSING = "reason_missing"  # penalty points need a reason
    TOO_MANY_IN_HAND = "too_many_in_hand"  # `text` is more than a rack holds
    NOT_IN_SET = "not_in_set"  # rack, exchange or leftovers name `text`, which the letter set does not have
    NOT_ON_RACK = "not_on_rack"  # `text` was exchanged but is not on the rack as written
    MORE_THAN_SET = "more_than_set"
    """`found` of `text` are on the board and the racks, or kept by the opponent; the set has `needed`."""
    MORE_THAN_HELD = "more_than_held"  # `found` tiles were laid or exchanged where the player held `needed`
    SETTLEMENT_DIFFERS = "settlement_differs"  # written `found`, worked out `needed`
    SETTLEMENT_UNKNOWN = "settlement_unknown"
    """The game is over, but neither leftovers nor settlement are written, and they cannot be worked out."""
    LEFTOVERS_DIFFER = "leftovers_differ"  # the tiles left, `text`, are not the unseen ones, `other`
    NOT_OVER = "not_over"
    """The sheet is finished, but nobody went out, and only `found` of the `needed` passes that end a game are written:
    right if both agreed (TSO 5.1 b)."""
    FINAL_DIFFERS = "final_differs"  # claimed `found`, worked out `needed`


@dataclass(frozen=True, slots=True)
class SheetProblem:
    """One thing that is wrong: on which line (from 1; None: the sheet as a whole), whose, and its figures.
    `by_consent`: with the jury's consent it would be right."""

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
