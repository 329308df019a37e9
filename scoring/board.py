"""The board: where a play may be laid, the words it makes, and what they score (general rules 2, 4). No dictionary."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from scoring.letters import BLANK, LetterSet
from scoring.plays import LYING_TILE, Play
from scoring.squares import CENTRE_SQUARE, PREMIUMS, Direction, Square

RACK_SIZE = 7  # tiles on a full rack

BINGO_POINTS = 50  # extra points for laying all seven tiles of the rack in one play (general rules 4 d)


class PlayFault(StrEnum):
    """What can be wrong with the place or the tiles of a play."""

    OFF_BOARD = "off_board"
    """`square` is the first that is not on the board, `found` the number of letters beyond the edge."""
    GAP = "gap"  # `letter` is written as lying on `square`, but nothing lies there
    TAKEN = "taken"  # `square` holds `lying`, not `letter`
    NO_NEW_TILE = "no_new_tile"  # the whole word lies there already
    TOO_MANY = "too_many"  # more new tiles, `found`, than a rack holds, `needed`
    CENTRE_MISSED = "centre_missed"  # the first play does not cover the centre
    ONE_TILE = "one_tile"  # the first play has only one tile
    NOT_JOINED = "not_joined"  # no new tile touches one on the board
    NOT_IN_SET = "not_in_set"  # the letter set has no `letter`; a blank may not stand for it either
    USED_UP = "used_up"  # with this play `found` of `letter` would be on the board; the set has `needed`. `?`: blanks.
    NOT_ON_RACK = "not_on_rack"  # the play needs `needed` of `letter`, the rack has `found`. `?`: blanks.


UNPLACEABLE_FAULTS = frozenset(
    {PlayFault.OFF_BOARD, PlayFault.GAP, PlayFault.TAKEN, PlayFault.NO_NEW_TILE, PlayFault.NOT_IN_SET}
)
"""Faults that leave the tiles without a place. With any other fault they can lie there, though against the rules."""


@dataclass(frozen=True, slots=True)
class PlayProblem:
    """One fault with its figures; `PlayFault` says what each of them means."""

    fault: PlayFault
    square: Square | None = None
    letter: str = ""
    lying: str = ""
    needed: int | None = None
    found: int | None = None

    def __str__(self) -> str:
        parts = (self.square, self.letter, self.lying, self.found, self.needed)
        return " ".join([self.fault.value, *(str(part) for part in parts if part not in (None, ""))])


class IllegalPlay(ValueError):
    """The play may not be laid there; `problems` holds every fault."""

    def __init__(self, play: Play, faults: tuple[PlayProblem, ...]) -> None:
        super().__init__(f"{play}: {'; '.join(map(str, faults))}")
        self.play = play
        self.problems = faults


@dataclass(frozen=True, slots=True)
class Board:
    """A letter set and the tiles on the board: capitals, or small letters for blanks that stand for them. `values`:
    what each tile of the set is worth, the blank included. Raises ValueError for a tile off the board, and for one that
    is not a single letter."""

    letters: LetterSet
    tiles: Mapping[Square, str] = field(default_factory=dict)
    values: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for square, letter in self.tiles.items():
            if not (square.is_on_board and len(letter) == 1 and letter.isalpha()):
                raise ValueError(f"{letter!r} cannot lie on {square}")
        # Copied, not only closed: a caller who went on filling the dictionary would change a board that was kept.
        object.__setattr__(self, "tiles", MappingProxyType(dict(self.tiles)))
        object.__setattr__(self, "values", {tile.letter: tile.value for tile in self.letters.tiles})

    def at(self, square: Square) -> str | None:
        """The letter on that square, small for a blank; None if it is empty or off the board."""
        return self.tiles.get(square)

    def after(self, play: Play) -> "Board":
        """The board with the play on it. Raises `IllegalPlay`."""
        if faults := problems(self, play):
            raise IllegalPlay(play, faults)
        return self.with_tiles(new_tiles(self, play))

    def with_tiles(self, placed: Iterable[tuple[Square, str]]) -> "Board":
        """The board with these tiles added, allowed or not. A square that is taken keeps its tile."""
        return Board(self.letters, {**dict(placed), **self.tiles})

    def unseen(self) -> str:
        """The tiles of the set that are not on the board, in the set's order: on the racks and in the bag. If more of a
        letter lie there than the set has, none of it is left."""
        lying = count_tiles(self.tiles.values())
        return "".join(tile.letter * (tile.count - lying[tile.letter]) for tile in self.letters.tiles)

    def value(self, tiles: str) -> int:
        """What these tiles are worth together; `?` and small letters are blanks. Unknown tiles count 0."""
        return sum(self.values.get(get_tile(letter), 0) for letter in tiles)


@dataclass(frozen=True, slots=True)
class FormedWord:
    """A word that a play makes, blanks in small letters, and what it scores without the 50."""

    text: str
    points: int
    start: Square
    direction: Direction


@dataclass(frozen=True, slots=True)
class PlayScore:
    """What a play scores. `words`: first the word laid, then those that cross it. `placed`: the new tiles. `is_longer`:
    the word includes tiles before or after what was written, and counts as that longer word."""

    points: int
    words: tuple[FormedWord, ...]
    placed: tuple[tuple[Square, str], ...]
    is_bingo: bool
    is_longer: bool


def get_tile(letter: str) -> str:
    """The tile that lies where `letter` is written: a small letter is a blank."""
    return BLANK if letter == BLANK or letter.islower() else letter


def count_tiles(letters: Iterable[str]) -> Counter[str]:
    """How many of each tile lie where these letters are written."""
    return Counter(map(get_tile, letters))


def new_tiles(board: Board, play: Play) -> tuple[tuple[Square, str], ...]:
    """The tiles that the play would add: its letters on empty squares of the board."""
    # Not strict: past row 99 or column Z there is no square for a letter, and `squares` ends there.
    return tuple(
        (square, letter)
        for square, letter in zip(play.squares(), play.word, strict=False)
        if letter != LYING_TILE and square.is_on_board and board.at(square) is None
    )


def problems(board: Board, play: Play, *, rack: str | None = None) -> tuple[PlayProblem, ...]:
    """Everything that is wrong with a play; nothing if it may be laid. `rack`: the tiles in hand, `?` for a blank. A
    letter written where that letter already lies is that tile, even if only one of the two is a blank: the board is
    certain, and few people write a blank small a second time. Words are not looked up."""
    placed = new_tiles(board, play)
    faults = list(_square_problems(board, play))
    # Only by itself: of a word off the board, or across other letters, this is not what is wrong.
    if not placed and not faults:
        faults.append(PlayProblem(PlayFault.NO_NEW_TILE))
    if len(placed) > RACK_SIZE:
        faults.append(PlayProblem(PlayFault.TOO_MANY, needed=RACK_SIZE, found=len(placed)))
    faults += _connection_problems(board, placed)
    faults += _letter_set_problems(board, play, placed)
    if rack is not None:
        # In hand a small letter is a letter: the blank is `?` there. On the board it would be a blank.
        held = Counter(rack.upper())
        for letter, needed in count_tiles(letter for _, letter in placed).items():
            if held[letter] < needed:
                faults.append(PlayProblem(PlayFault.NOT_ON_RACK, letter=letter, needed=needed, found=held[letter]))
    return tuple(faults)


def score(board: Board, play: Play) -> PlayScore:
    """The words that the play makes and its points. Raises `IllegalPlay` with every fault."""
    if faults := problems(board, play):
        raise IllegalPlay(play, faults)
    return _score_placed(board, play, new_tiles(board, play))


@dataclass(frozen=True, slots=True)
class LaidPlay:
    """A play as it was laid, allowed or not: the board before it, everything wrong with it, its score. `scored` is None
    if a problem leaves its tiles without a place; `after` has those tiles for which there is room."""

    play: Play
    before: Board
    problems: tuple[PlayProblem, ...]
    scored: PlayScore | None
    after: Board


def lay(board: Board, play: Play, *, rack: str | None = None) -> LaidPlay:
    """Lay a play whatever is wrong with it: the next plays of a sheet build on it."""
    faults, placed = problems(board, play, rack=rack), new_tiles(board, play)
    has_place = all(problem.fault not in UNPLACEABLE_FAULTS for problem in faults)
    scored = _score_placed(board, play, placed) if has_place else None
    return LaidPlay(play, board, faults, scored, board.with_tiles(placed))


def _square_problems(board: Board, play: Play) -> Iterator[PlayProblem]:
    """What is wrong square by square."""
    for place, (square, letter) in enumerate(zip(play.squares(), play.word, strict=False)):
        if not square.is_on_board:
            # One fault for all that follows: nothing lies beyond the edge, and `found` counts what is written there.
            yield PlayProblem(PlayFault.OFF_BOARD, square, found=len(play.word) - place)
            return
        lying = board.at(square)
        if lying is None and (letter == LYING_TILE or place in play.bracketed):
            yield PlayProblem(PlayFault.GAP, square, "" if letter == LYING_TILE else letter)
        elif lying is not None and letter != LYING_TILE and letter.upper() != lying.upper():
            yield PlayProblem(PlayFault.TAKEN, square, letter, lying)


def _connection_problems(board: Board, placed: tuple[tuple[Square, str], ...]) -> Iterator[PlayProblem]:
    """Whether the first play covers the centre with at least two tiles, and a later one touches another tile."""
    if not placed:
        return
    if not board.tiles:
        if all(square != CENTRE_SQUARE for square, _ in placed):
            yield PlayProblem(PlayFault.CENTRE_MISSED, CENTRE_SQUARE)
        if len(placed) == 1:
            yield PlayProblem(PlayFault.ONE_TILE)
    elif not any(near in board.tiles for square, _ in placed for near in neighbours(square)):
        yield PlayProblem(PlayFault.NOT_JOINED)


def neighbours(square: Square) -> Iterator[Square]:
    """The squares of the board to the left and right, above and below."""
    for direction in Direction:
        for by in (-1, 1):
            near = square.step(direction, by)
            if near is not None and near.is_on_board:
                yield near


def _letter_set_problems(board: Board, play: Play, placed: tuple[tuple[Square, str], ...]) -> Iterator[PlayProblem]:
    """Letters that the set does not have, or does not have so many of."""
    # Also those that blanks stand for: a blank may not be a letter that the set does not have (general rules 2).
    for letter in dict.fromkeys(letter.upper() for letter in play.word if letter != LYING_TILE):
        if letter not in board.values:
            yield PlayProblem(PlayFault.NOT_IN_SET, letter=letter)
    laid = count_tiles(letter for _, letter in placed)
    lying = count_tiles(board.tiles.values())
    for tile in board.letters.tiles:
        count = laid[tile.letter] + lying[tile.letter]
        # Only of what this play adds: a letter that an earlier play has used up is not this player's fault.
        if laid[tile.letter] and count > tile.count:
            yield PlayProblem(PlayFault.USED_UP, letter=tile.letter, needed=tile.count, found=count)


def _score_placed(board: Board, play: Play, placed: tuple[tuple[Square, str], ...]) -> PlayScore:
    new = dict(placed)
    main = _find_run(board, new, placed[0][0], play.direction)
    across = play.direction.other
    runs = [(play.direction, main), *((across, _find_run(board, new, square, across)) for square, _ in placed)]
    # A run of one square is no word: one tile written across may make its only word downwards.
    words = tuple(_score_word(board, new, run, direction) for direction, run in runs if len(run) > 1)
    # Not “==”: a play of eight tiles breaks the rules, but `lay` counts it as it lies.
    is_bingo = len(placed) >= RACK_SIZE
    points = sum(word.points for word in words) + (BINGO_POINTS if is_bingo else 0)
    return PlayScore(points, words, placed, is_bingo, len(main) > len(play.word))


def _find_run(board: Board, new: Mapping[Square, str], square: Square, direction: Direction) -> list[Square]:
    """The unbroken run of covered squares that contains `square`."""
    run = [square]
    for by in (-1, 1):
        near = square.step(direction, by)
        while near is not None and (near in new or near in board.tiles):
            run.append(near)
            near = near.step(direction, by)
    return sorted(run)


def _score_word(board: Board, new: Mapping[Square, str], run: list[Square], direction: Direction) -> FormedWord:
    """A word and its points: letter premiums first, then word premiums, both for new tiles only."""
    points, factor, text = 0, 1, ""
    for square in run:
        letter = new.get(square)
        if letter is None:
            letter = board.tiles[square]
            # What lies there may be no tile of the set, in a game from elsewhere; a new tile was looked up before.
            points += board.values.get(get_tile(letter), 0)
        else:
            premium = PREMIUMS[square.row][square.column]
            points += board.values[get_tile(letter)] * premium.letter
            factor *= premium.word
        text += letter
    return FormedWord(text, points * factor, run[0], direction)
