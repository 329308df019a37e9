"""Finds every play that a word list allows with a rack on a board, and what it scores. The board is searched row by row
and column by column. For each word length, and each place in the line where no tile would lie directly before or after
the word, all words of that length are compared with the line at once: with the letters on the board, with the letters
that crossing words leave possible, and with the rack. Blanks are assigned last."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from scoring.board import BINGO_POINTS, RACK_SIZE, Board
from scoring.letters import BLANK
from scoring.lexicon import Lexicon, WordTable
from scoring.plays import Play
from scoring.squares import BOARD_SIZE, CENTRE_SQUARE, GRID, PREMIUMS, Direction, Square

Ints = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]

ANY_LETTER = np.uint32(0xFFFFFFFF)  # the bits of a square where any letter may lie

LETTER_FACTOR = np.array([[premium.letter for premium in row] for row in PREMIUMS])
WORD_FACTOR = np.array([[premium.word for premium in row] for row in PREMIUMS])  # the premiums, square by square

MAX_BLANKS = 2  # the most blanks on a rack: no set has more


class BadRack(ValueError):
    """These tiles are no rack: `tile` is not in the letter set, or is one too many."""

    def __init__(self, rack: str, tile: str) -> None:
        super().__init__(f"{rack!r} is no rack: {tile!r}")
        self.rack = rack
        self.tile = tile


@dataclass(frozen=True, slots=True)
class ScoredPlay:
    """A play, its points, and the tiles that it adds: in lower case for a blank."""

    play: Play
    points: int
    placed: tuple[tuple[Square, str], ...]


@dataclass(frozen=True, slots=True)
class EncodedLine:
    """A row or a column as numbers, square by square; letters are the lexicon's codes. `number`: which row or column,
    from 0. `codes`: the letter on the square, 0 for none; `points`: its value. `allowed`: the letters that may lie
    there, as bits. `crossed`: whether a tile there would form a word in the other direction, and `crossing`: what that
    word's other letters are worth. `joins`: whether a tile there would touch another one, or is the centre of an empty
    board. `letter_factor`, `word_factor`: the premiums."""

    number: int
    direction: Direction
    codes: Ints
    points: Ints
    allowed: Bits
    crossed: Flags
    crossing: Ints
    joins: Flags
    letter_factor: Ints
    word_factor: Ints


@dataclass(frozen=True, slots=True)
class FittingWords:
    """Words that fit at some place, before blanks are assigned: one row for each word, one column for each letter.
    `codes`: the letters, 0 beyond the end. `weight`: how many times a new tile's value counts, 0 where a tile lies
    already. `new`: where a tile is laid. `lacking`: how many more of this letter the rack would need; `short`: how many
    letters more in all. `points`: what the play would score without blanks. `start`: the number of the line, the place
    of the first letter in it, and 1 for a column."""

    codes: npt.NDArray[np.uint8]
    weight: npt.NDArray[np.int16]
    new: Flags
    lacking: npt.NDArray[np.int8]
    short: npt.NDArray[np.int8]
    points: npt.NDArray[np.int32]
    start: npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class FoundPlays:
    """All plays: `count` of them, the best scores `best` points (0 if there is none). `_chosen`: for each play its row
    in `_fits`, then the places of its blanks in the word, -1 for none."""

    count: int
    best: int
    _lexicon: Lexicon
    _board: Board
    _fits: FittingWords
    _chosen: Ints
    _points: Ints

    def top(self, most: int | None = None) -> list[ScoredPlay]:
        """The best `most` plays, or all. With equal points: fewer blanks first, then by their places in the word, then
        rows before columns, one after another; in each by length, by word, then by place."""
        order = np.argsort(-self._points, kind="stable")[:most]
        return [self._scored(self._chosen[at], int(self._points[at])) for at in order]

    def _scored(self, chosen: Ints, points: int) -> ScoredPlay:
        fit, *blanks = (int(index) for index in chosen)
        number, first, is_down = (int(index) for index in self._fits.start[fit])
        direction = Direction.DOWN if is_down else Direction.ACROSS
        letters = [self._lexicon.letter[code] for code in self._fits.codes[fit] if code]
        squares = [GRID[at][number] if is_down else GRID[number][at] for at in range(first, first + len(letters))]
        # What lies there is taken from the board, which knows whether it is a blank.
        word = [
            self._board.at(square) or (letter.lower() if place in blanks else letter)
            for place, (square, letter) in enumerate(zip(squares, letters, strict=True))
        ]
        placed = tuple(pair for pair in zip(squares, word, strict=True) if self._board.at(pair[0]) is None)
        return ScoredPlay(Play(squares[0], direction, "".join(word)), points, placed)


def find_plays(lexicon: Lexicon, board: Board, rack: str) -> FoundPlays:
    """Every play with the tiles of the rack (`?`: a blank). The same tiles on the same squares count as one play.
    Raises `BadRack` for more than seven tiles, and for tiles that the lexicon's letter set does not have."""
    held = Counter(rack)
    for tile, count in held.items():
        if count > MAX_BLANKS if tile == BLANK else tile not in lexicon.code:
            raise BadRack(rack, tile)
    if len(rack) > RACK_SIZE:
        raise BadRack(rack, rack[RACK_SIZE])
    hand = RackCounts(np.array([held[letter] for letter in lexicon.code]), held[BLANK])
    fits = _join_fits(
        [fits for line in _find_lines(lexicon, board) for fits in _find_fits_on_line(lexicon, line, hand)]
    )
    chosen, points = _place_blanks(lexicon, fits, hand.blanks)
    return FoundPlays(len(points), int(points.max(initial=0)), lexicon, board, fits, chosen, points)


@dataclass(frozen=True, slots=True)
class RackCounts:
    """A rack as numbers: how many of each letter, in the order of their codes, and how many blanks."""

    counts: Ints
    blanks: int


def _find_lines(lexicon: Lexicon, board: Board) -> Iterator[EncodedLine]:
    """The rows, then the columns, in which a new tile can touch those on the board."""
    tables = *_encode_board(lexicon, board), LETTER_FACTOR, WORD_FACTOR
    yield from _lines_from_rows(lexicon, Direction.ACROSS, *tables)
    yield from _lines_from_rows(lexicon, Direction.DOWN, *(table.T for table in tables))


def _lines_from_rows(
    lexicon: Lexicon, direction: Direction, codes: Ints, points: Ints, *factors: Ints
) -> Iterator[EncodedLine]:
    """The lines of one direction; for columns the board is transposed, so that they are rows here."""
    joins = _find_joining_squares(codes)
    allowed, crossed, crossing = _find_crossings(lexicon, codes, points)
    for row in np.flatnonzero(joins.any(axis=1)).tolist():
        crosses = allowed[row], crossed[row], crossing[row]
        yield EncodedLine(
            row, direction, codes[row], points[row], *crosses, joins[row], *(factor[row] for factor in factors)
        )


def _encode_board(lexicon: Lexicon, board: Board) -> tuple[Ints, Ints]:
    """The letters on the board as codes, and their values. A letter that is not in the set gets a code no word has."""
    codes, points = np.zeros((BOARD_SIZE, BOARD_SIZE), np.int64), np.zeros((BOARD_SIZE, BOARD_SIZE), np.int64)
    for square, letter in board.tiles.items():
        codes[square.row, square.column] = lexicon.code.get(letter.upper(), len(lexicon.code) + 1)
        points[square.row, square.column] = board.value(letter)
    return codes, points


def _find_joining_squares(codes: Ints) -> Flags:
    """The empty squares next to a tile; on an empty board, the centre."""
    # With nothing all round, so that squares at the edge have four neighbours as well.
    lies = np.pad(codes > 0, 1)
    beside = lies[:-2, 1:-1] | lies[2:, 1:-1] | lies[1:-1, :-2] | lies[1:-1, 2:]
    if not codes.any():
        beside[CENTRE_SQUARE.row, CENTRE_SQUARE.column] = True
    return np.asarray(beside & (codes == 0))


def _find_crossings(lexicon: Lexicon, codes: Ints, points: Ints) -> tuple[Bits, Flags, Ints]:
    """For rows: the letters that crossing words allow, where there is such a word, and what its tiles are worth."""
    allowed = np.where(codes > 0, np.uint32(1) << np.minimum(codes, 31).astype(np.uint32), ANY_LETTER).astype(np.uint32)
    crossed, worth = np.zeros_like(codes, bool), np.zeros_like(points)
    for column in range(BOARD_SIZE):
        for row in np.flatnonzero(codes[:, column] == 0):
            above, below = _find_run_end(codes[:, column], int(row), -1), _find_run_end(codes[:, column], int(row), 1)
            if above == below:
                continue
            pattern = codes[above : below + 1, column]
            crossed[row, column] = True
            worth[row, column] = points[above : below + 1, column].sum()
            allowed[row, column] = _find_completing_letters(lexicon, pattern, int(row) - above)
    return allowed, crossed, worth


def _find_run_end(column: Ints, at: int, step: int) -> int:
    """The last square of the unbroken run of tiles that begins next to `at`; `at` itself if there is none."""
    while 0 <= at + step < BOARD_SIZE and column[at + step]:
        at += step
    return at


def _find_completing_letters(lexicon: Lexicon, pattern: Ints, place: int) -> np.uint32:
    """The letters, as bits, that complete the pattern to a word when they fill its empty place."""
    words = lexicon.words.get(len(pattern))
    # Beside a letter that the set does not have, as in a game from elsewhere, no letter makes a word.
    if words is None or pattern.max() > len(lexicon.code):
        return np.uint32(0)
    patterns = np.repeat(pattern[None, :].astype(np.uint8), len(lexicon.code), axis=0)
    patterns[:, place] = range(1, len(lexicon.code) + 1)
    fitting = np.flatnonzero(words.holds(patterns)).astype(np.uint32) + np.uint32(1)
    return np.uint32(np.bitwise_or.reduce(np.uint32(1) << fitting))


def _find_fits_on_line(lexicon: Lexicon, line: EncodedLine, hand: RackCounts) -> Iterator[FittingWords]:
    """The words that fit on a line, length by length."""
    letters = len(hand.counts)
    # As if all tiles of the line could be used: what lacks more letters than there are blanks even then fits nowhere.
    held = hand.counts + _count_letters(line.codes, letters)
    for length, words in lexicon.words.items():
        starts = _find_starts(line, length, int(hand.counts.sum()) + hand.blanks)
        if len(starts):
            near = _find_words_within_reach(words, held, hand.blanks)
            yield _find_fits_of_length(lexicon, line, hand, words, near, starts)


def _count_letters(codes: Ints, letters: int) -> Ints:
    """How many of each letter are among these codes."""
    # Cut off: a letter on the board that the set does not have has the code behind the last one.
    return np.bincount(codes[codes > 0] - 1, minlength=letters)[:letters]


def _find_starts(line: EncodedLine, length: int, tiles: int) -> Ints:
    """Where a word may start: no tile before or after it, joined to the others, at most `tiles` new ones."""
    free = line.codes == 0
    at = np.arange(BOARD_SIZE - length + 1)
    # One longer at either end: edge[at] is the square before the word, and beyond the board nothing lies.
    edge = np.concatenate([[True], free, [True]])
    new = _count_within(free, at, length)
    may = edge[at] & edge[at + length + 1] & (new > 0) & (new <= tiles) & (_count_within(line.joins, at, length) > 0)
    if line.direction is Direction.DOWN:  # a single tile that also forms a word across was found as a row
        may &= ~((new == 1) & (_count_within(line.crossed, at, length) == 1))
    return np.flatnonzero(may)


def _count_within(flags: Flags, at: Ints, length: int) -> Ints:
    """For words that begin at these places: how many of their squares have the flag."""
    counted = np.concatenate([[0], np.cumsum(flags)])
    return np.asarray(counted[at + length] - counted[at])


def _find_words_within_reach(words: WordTable, held: Ints, blanks: int) -> Ints:
    """The rows of the words that lack no more letters than there are blanks."""
    # By the kinds of letters first, one number for each word: few words are left whose letters have to be counted.
    kinds = np.uint32(sum(1 << code for code in np.flatnonzero(held).tolist()) << 1)
    rows = np.flatnonzero(np.bitwise_count(words.kinds & ~kinds) <= blanks)
    # Signed, since a rack may hold more of a letter than the word has: unsigned, the difference would wrap to 255.
    lacking = np.maximum(words.counts[rows].view(np.int8) - held.astype(np.int8), 0).sum(axis=1)
    return np.asarray(rows[lacking <= blanks])


def _find_fits_of_length(
    lexicon: Lexicon, line: EncodedLine, hand: RackCounts, words: WordTable, near: Ints, starts: Ints
) -> FittingWords:
    """The words of one length, at every place of the line where they fit."""
    codes = words.codes[near]
    length = codes.shape[1]
    bits = np.uint32(1) << codes.astype(np.uint32)
    fitting = np.ones((len(near), len(starts)), bool)
    for place in range(length):
        fitting &= (bits[:, place, None] & line.allowed[starts + place]) != 0
    rows, slots = np.nonzero(fitting)
    lying = np.stack([_count_letters(line.codes[at : at + length], len(hand.counts)) for at in starts]) + hand.counts
    lacking = np.maximum(words.counts[near[rows]].view(np.int8) - lying.astype(np.int8)[slots], 0)
    short = lacking.sum(axis=1, dtype=np.int8)
    usable = np.flatnonzero(short <= hand.blanks)
    rows, slots = rows[usable], slots[usable]
    letters = codes[rows]
    new, weight, fixed = _weigh_slots(line, starts, length)
    points = (lexicon.values[letters] * weight[slots]).sum(axis=1) + fixed[slots]
    own = np.take_along_axis(lacking[usable], letters.astype(np.int64) - 1, axis=1)
    start = np.zeros((len(slots), 3), np.int8)
    start[:] = line.number, 0, line.direction is Direction.DOWN
    start[:, 1] = starts[slots]
    return FittingWords(
        letters, weight[slots].astype(np.int16), new[slots], own, short[usable], points.astype(np.int32), start
    )


def _weigh_slots(line: EncodedLine, starts: Ints, length: int) -> tuple[Flags, Ints, Ints]:
    """For each place of a word: where new tiles lie, how many times each counts, and what the other tiles score."""
    places = starts[:, None] + np.arange(length)
    new = line.codes[places] == 0
    factors = line.word_factor[places]
    word_factor = np.where(new, factors, 1).prod(axis=1)
    crossed = np.where(new & line.crossed[places], factors, 0)
    # A tile counts in its own word and in the one that crosses it, in each with that word's premium; its own letter
    # premium counts in both.
    weight = np.where(new, line.letter_factor[places] * (word_factor[:, None] + crossed), 0)
    # Tiles that lie there count their bare value: their premiums were used up when they were laid.
    fixed = line.points[places].sum(axis=1) * word_factor + (line.crossing[places] * crossed).sum(axis=1)
    return new, weight, fixed + BINGO_POINTS * (new.sum(axis=1) >= RACK_SIZE)


def _join_fits(found: Sequence[FittingWords]) -> FittingWords:
    """All of them in one table, with words padded to the width of the board."""
    total = sum(len(fits.short) for fits in found)
    wide = (np.uint8, np.int16, bool, np.int8)
    codes, weight, new, lacking = (np.zeros((total, BOARD_SIZE), kind) for kind in wide)
    at = 0
    for line_fits in found:
        rows, length = slice(at, at + len(line_fits.short)), line_fits.codes.shape[1]
        codes[rows, :length], weight[rows, :length] = line_fits.codes, line_fits.weight
        new[rows, :length], lacking[rows, :length] = line_fits.new, line_fits.lacking
        at = rows.stop
    short = np.concatenate([np.zeros(0, np.int8), *(fits.short for fits in found)])
    points = np.concatenate([np.zeros(0, np.int32), *(fits.points for fits in found)])
    start = np.concatenate([np.zeros((0, 3), np.int8), *(fits.start for fits in found)])
    return FittingWords(codes, weight, new, lacking, short, points, start)


def _place_blanks(lexicon: Lexicon, fits: FittingWords, blanks: int) -> tuple[Ints, Ints]:
    """Every way to lay each word: its row, the places of the blanks (-1: none), and the points. A blank may also stand
    for a letter that is on the rack."""
    # Turned, and copied in that order: below, each step reads one place of all words at once.
    lost = np.ascontiguousarray((lexicon.values.astype(np.int16)[fits.codes] * fits.weight).T)
    codes, new, lacking = (np.ascontiguousarray(table.T) for table in (fits.codes, fits.new, fits.lacking))
    helps = np.minimum(lacking, 1)
    chosen, points = [], []
    for count in range(blanks + 1):
        for places in combinations(range(BOARD_SIZE), count):
            replaced = sum(helps[place] for place in places)
            if count == MAX_BLANKS:
                one, other = places
                # Two blanks for the same letter, of which one is lacking, replace one letter and not two.
                replaced = np.where(codes[one] == codes[other], np.minimum(lacking[one], 2), replaced)
            # Beyond the end of a word nothing is new, so that no blank is laid there.
            rows = np.flatnonzero((fits.short == replaced) & new[list(places)].all(axis=0))
            points.append(fits.points[rows] - sum(lost[place][rows] for place in places))
            choice = np.full((len(rows), 1 + MAX_BLANKS), -1, np.int32)
            choice[:, 0], choice[:, 1 : 1 + count] = rows, places
            chosen.append(choice)
    return np.concatenate(chosen), np.concatenate(points)
