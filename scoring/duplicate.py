"""Duplicate (SBNL, Duplicatescrabble): everybody plays alone with the same draw. What slips score, and who leads. A
session is a list of turns as they were written down; everything else follows from it. After each turn the master word
is added to the board, whatever the slips say."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from random import Random

from scoring import board as board_rules
from scoring.board import RACK_SIZE, Board, PlayFault
from scoring.extents import MAX_TURNS
from scoring.letters import BLANK, LetterSet
from scoring.plays import BadPlay, Play
from scoring.rulesets.values import DuplicateRules
from scoring.squares import Square

DEFAULT_DUPLICATE_RULES = DuplicateRules()  # the figures of a session by the rules (Duplicatescrabble, Verloop)

VOWELS = frozenset("AEIOUÄÖÜ")
VOWEL_OR_CONSONANT = frozenset({BLANK, "Y"})
"""These count as a vowel or as a consonant, whichever is missing (Spelregels 1)."""

WordCheck = Callable[[str], bool]  # whether the list allows a word in capitals


class SlipFault(StrEnum):
    """Why a slip scores nothing, in the order of checking (Spelregels 5 to 7)."""

    LATE = "late"
    BLANK = "blank"  # it was handed in with nothing on it
    MISSING = "missing"  # there is no slip, or it lacks the word or its place
    UNREADABLE = "unreadable"
    """The place is not one (it includes the direction), or something in the word is not a letter."""
    POSITION = "position"
    """The word does not fit there: it runs off the board, meets other letters, touches nothing, or is not all of it."""
    LETTERS = "letters"  # it needs letters that were not drawn
    WORD = "word"  # the list does not have it, or the jury refused it
    CROSS_WORD = "cross_word"  # the list does not have a word that it forms across


class SessionEnding(StrEnum):
    """Why a session is over (Verloop; Spelregels 10)."""

    TURNS = "turns"
    TILES = "tiles"  # fewer than seven tiles are left
    VOWELS = "vowels"  # no vowel is left
    CONSONANTS = "consonants"  # no consonant is left


@dataclass(frozen=True, slots=True)
class Slip:
    """What a player handed in for a turn; None for what is missing on it. `refused`: the jury refuses the word."""

    player: str
    position: str | None = None
    word: str | None = None
    claimed: int | None = None
    late: bool = False
    refused: bool = False


@dataclass(frozen=True, slots=True)
class JudgedSlip:
    """What a slip scores. `play`: as it counts, with blanks in small letters; None if it cannot be laid. `words`: those
    that are not in the list."""

    points: int
    claimed: int | None
    fault: SlipFault | None
    play: Play | None = None
    words: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the word scores, but not what was claimed."""
        return self.fault is None and self.claimed not in (None, self.points)


@dataclass(frozen=True, slots=True)
class SessionTurn:
    """A turn as it was written down: the draw, the slips, the master word, and players' corrected points."""

    draw: str
    slips: tuple[Slip, ...] = ()
    master: Play | None = None
    corrected: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What came of a turn: the board before it, every player's slip judged, and the most points of a slip."""

    before: Board
    slips: Mapping[str, JudgedSlip]
    best: int

    def is_solo(self, player: str) -> bool:
        """Whether this player alone has the best word."""
        level = [key for key, judged in self.slips.items() if judged.points == self.best]
        return self.best > 0 and level == [player]


@dataclass(frozen=True, slots=True)
class SessionTotal:
    """A player's row of the table. `percent`: of the best words handed in; `zeroes`: turns without points. `club`: the
    player's, in a table over several clubs."""

    rank: int
    player: str
    points: int
    percent: Decimal
    solos: int
    zeroes: int
    club: str = ""


def judge(board: Board, draw: str, slip: Slip | None, allows: WordCheck | None = None) -> JudgedSlip:
    """What a slip scores on the board before its turn. Without `allows` only the jury refuses words. Which letters were
    marked as blanks does not matter: the best way to lay the word with the draw counts (Spelregels 5)."""
    if slip is None:
        return JudgedSlip(0, None, SlipFault.MISSING)
    if slip.late:
        return JudgedSlip(0, slip.claimed, SlipFault.LATE)
    if not slip.position or not slip.word:
        has_something = slip.position or slip.word
        return JudgedSlip(0, slip.claimed, SlipFault.MISSING if has_something else SlipFault.BLANK)
    try:
        written = Play.parse(slip.position, slip.word.upper())
    except BadPlay:
        return JudgedSlip(0, slip.claimed, SlipFault.UNREADABLE)
    faults = {problem.fault for problem in board_rules.problems(board, written)}
    # Too many of a letter, or of all, is no fault of the place: whether the draw has the letters is asked next. Eight
    # new tiles cannot even be scored, which would refuse them.
    is_misplaced = bool(faults - {PlayFault.USED_UP, PlayFault.TOO_MANY})
    if not is_misplaced and PlayFault.TOO_MANY not in faults:
        is_misplaced = board_rules.score(_with_endless_tiles(board), written).is_longer
    if is_misplaced:
        return JudgedSlip(0, slip.claimed, SlipFault.POSITION)
    return _judge_word(board, draw, slip, written, allows)


def _judge_word(board: Board, draw: str, slip: Slip, written: Play, allows: WordCheck | None) -> JudgedSlip:
    readings = list(_find_readings(board, draw, written))
    if not readings:
        return JudgedSlip(0, slip.claimed, SlipFault.LETTERS, written)
    # Of equal readings `max` keeps the first, which has the fewest blanks.
    best, points, words = max(readings, key=lambda reading: reading[1])
    unknown = tuple(word for word in words if allows is not None and not allows(word))
    if not (slip.refused or unknown):
        return JudgedSlip(points, slip.claimed, None, best)
    fault = SlipFault.WORD if slip.refused or words[0] in unknown else SlipFault.CROSS_WORD
    return JudgedSlip(0, slip.claimed, fault, best, unknown)


def _find_readings(board: Board, draw: str, written: Play) -> Iterator[tuple[Play, int, list[str]]]:
    """Every way to lay the word with the tiles drawn, with its points and the words that it makes, its own first."""
    squares = list(written.squares())
    new = [place for place, square in enumerate(squares) if board.at(square) is None]
    wide = _with_endless_tiles(board)
    for count in range(draw.count(BLANK) + 1):
        for blanks in combinations(new, count):
            text = "".join(mark.lower() if place in blanks else mark for place, mark in enumerate(written.word))
            play = Play(written.start, written.direction, text)
            if not board_rules.problems(wide, play, rack=draw):
                scored = board_rules.score(wide, play)
                yield play, scored.points, [word.text.upper() for word in scored.words]


def _with_endless_tiles(board: Board) -> Board:
    """The board with a set that never runs out: what was drawn was in the bag."""
    tiles = tuple(type(tile)(tile.letter, 100, tile.value) for tile in board.letters.tiles)
    size, points = sum(tile.count for tile in tiles), sum(tile.count * tile.value for tile in tiles)
    return Board(LetterSet(board.letters.key, tiles, size, points), board.tiles)


def lay_master_word(board: Board, master: Play) -> Board:
    """The board with the master word. A blank is replaced by its letter if one is left in the bag (Spelregels 3).
    Raises `IllegalPlay` if the word cannot be laid there."""
    after = board.after(master)
    lying = board_rules.count_tiles(after.tiles.values())
    tiles: dict[Square, str] = dict(after.tiles)
    for square, mark in board_rules.new_tiles(board, master):
        letter = mark.upper()
        if mark.islower() and board.letters.tile(letter).count > lying[letter]:
            tiles[square] = letter
            # Counted on: of two blanks for the same letter only one may be replaced when a single tile of it is left.
            lying[letter] += 1
    return Board(board.letters, tiles)


def lacking_kind(tiles: Iterable[str]) -> SessionEnding | None:
    """Whether these tiles have no vowel or no consonant; blanks and Y count as whichever is missing (Spelregels 1)."""
    held = Counter(
        "either" if tile in VOWEL_OR_CONSONANT else "vowel" if tile in VOWELS else "consonant" for tile in tiles
    )
    # With neither a vowel nor a consonant two are needed: one blank cannot be both.
    if not held["vowel"] and held["either"] < (1 if held["consonant"] else 2):
        return SessionEnding.VOWELS
    if not held["consonant"] and held["either"] < (1 if held["vowel"] else 2):
        return SessionEnding.CONSONANTS
    return None


def draw_tiles(bag: str, rng: Random) -> tuple[str, tuple[str, ...]]:
    """Draw seven tiles from the bag, in the letter set's order. Returns them and the draws that had to be put back. A
    draw without a vowel or a consonant is put back, and drawn again (Spelregels 1). Raises ValueError if the bag cannot
    give such a draw."""
    if len(bag) < RACK_SIZE or lacking_kind(bag):
        raise ValueError(f"no draw out of {bag!r}")
    put_back: list[str] = []
    # Ends with certainty: a bag of seven tiles or more that lacks neither kind holds a draw that lacks neither.
    while True:
        drawn = "".join(bag[place] for place in sorted(rng.sample(range(len(bag)), RACK_SIZE)))
        if not lacking_kind(drawn):
            return drawn, tuple(put_back)
        put_back.append(drawn)


def is_same_word(one: Play, other: Play) -> bool:
    """Whether two plays are the same word at the same place, whichever letters are blanks."""
    return (one.start, one.direction, one.word.upper()) == (other.start, other.direction, other.word.upper())


def find_master_word(result: TurnResult) -> Play | None:
    """The master word by the rules: the highest score, then the fewest new tiles, then the first in reading order. None
    if nobody scored (Spelregels 4)."""
    # A corrected slip can have the most points without a play that could be laid.
    best = [judged.play for judged in result.slips.values() if judged.play and 0 < judged.points == result.best]
    if not best:
        return None
    return min(
        best, key=lambda play: (len(board_rules.new_tiles(result.before, play)), play.start, play.direction, play.word)
    )


SlipJudge = Callable[[Board, str, Slip | None, WordCheck | None], JudgedSlip]  # `judge`, or something that caches it


@dataclass(frozen=True)
class SessionRecord:
    """A session as it was written down. `players`: their keys in the order of entry."""

    letters: LetterSet
    players: tuple[str, ...]
    turns: tuple[SessionTurn, ...]
    max_turns: int = MAX_TURNS
    allows: WordCheck | None = None
    judging: SlipJudge = judge

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """The board before each turn, and after the last. Raises `IllegalPlay` if a master word cannot be laid."""
        stood = [Board(self.letters)]
        for turn in self.turns:
            stood.append(lay_master_word(stood[-1], turn.master) if turn.master else stood[-1])
        return tuple(stood)

    @cached_property
    def results(self) -> tuple[TurnResult, ...]:
        return tuple(self.result(number) for number in range(1, len(self.turns) + 1))

    def result(self, number: int) -> TurnResult:
        """What came of turn `number` (from 1)."""
        board, turn = self.boards[number - 1], self.turns[number - 1]
        by_player = {slip.player: slip for slip in turn.slips}
        judged = {key: self.judging(board, turn.draw, by_player.get(key), self.allows) for key in self.players}
        for key, points in turn.corrected.items():
            # Without its fault: what was corrected counts, whatever was wrong with the slip.
            judged[key] = JudgedSlip(points, judged[key].claimed, None, judged[key].play)
        return TurnResult(board, judged, max((points.points for points in judged.values()), default=0))

    @property
    def bag(self) -> str:
        """The tiles that are not on the board."""
        return self.boards[-1].unseen()

    @property
    def ended(self) -> SessionEnding | None:
        """Why the session is over; None while it goes on."""
        if self.turns and len(self.turns) >= self.max_turns:
            return SessionEnding.TURNS
        return SessionEnding.TILES if len(self.bag) < RACK_SIZE else lacking_kind(self.bag)

    def totals(self, after: int | None = None) -> list[SessionTotal]:
        """The table after so many turns, or all: by points; level players share the rank, in the order of entry."""
        results = self.results[:after]
        best = sum(result.best for result in results)
        points = {key: sum(result.slips[key].points for result in results) for key in self.players}
        return sorted(
            (
                SessionTotal(
                    rank=1 + sum(other > points[key] for other in points.values()),
                    player=key,
                    points=points[key],
                    percent=percentage(points[key], best),
                    solos=sum(result.is_solo(key) for result in results),
                    zeroes=sum(result.slips[key].points == 0 for result in results),
                )
                for key in self.players
            ),
            key=lambda total: total.rank,
        )


def percentage(points: int, best: int) -> Decimal:
    """Points as a percentage of the best words handed in, with two decimals, halves up; 0 if nobody scored."""
    share = Decimal(100 * points) / best if best else Decimal(0)
    return share.quantize(Decimal("0.01"), ROUND_HALF_UP)
