"""The squares of the board: what they are called, and what covering one is worth (general rules 4 d)."""

from dataclasses import dataclass
from enum import Enum, StrEnum

BOARD_SIZE = 15  # rows and columns of the board

# As far as two digits and a letter can name: beyond that a play cannot even be told to run off the board.
_MOST_ROWS, _MOST_COLUMNS = 99, 26


class Direction(StrEnum):
    """Which way a word runs."""

    ACROSS = "across"
    DOWN = "down"

    @property
    def other(self) -> "Direction":
        """The direction at right angles."""
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """A square: row 0 is the row called 1, column 0 the column called A. They sort in reading order. It may lie off the
    board (16P), so that a play that runs off it can be described in full. Raises ValueError for a square without a
    name: before row 1 or column A, after row 99 or column Z."""

    row: int
    column: int

    def __post_init__(self) -> None:
        if not (0 <= self.row < _MOST_ROWS and 0 <= self.column < _MOST_COLUMNS):
            raise ValueError(f"no such square: row {self.row}, column {self.column}")

    @property
    def is_on_board(self) -> bool:
        return self.row < BOARD_SIZE and self.column < BOARD_SIZE

    def position(self, direction: Direction) -> str:
        """How a play that starts here is written down: `8H` across, `H8` down."""
        name = str(self)
        return name if direction is Direction.ACROSS else name[-1] + name[:-1]

    def step(self, direction: Direction, by: int = 1) -> "Square | None":
        """The square `by` steps further (below zero: back) in that direction; None if it would have no name."""
        across = direction is Direction.ACROSS
        row, column = (self.row, self.column + by) if across else (self.row + by, self.column)
        # Taken and not made: making a square checks its figures anew, and every step of every word comes here.
        if 0 <= row < BOARD_SIZE and 0 <= column < BOARD_SIZE:
            return GRID[row][column]
        return Square(row, column) if 0 <= row < _MOST_ROWS and 0 <= column < _MOST_COLUMNS else None

    def __str__(self) -> str:
        return f"{self.row + 1}{chr(ord('A') + self.column)}"


GRID: tuple[tuple[Square, ...], ...] = tuple(
    tuple(Square(row, column) for column in range(BOARD_SIZE)) for row in range(BOARD_SIZE)
)
"""The 225 squares of the board, row by row."""

CENTRE_SQUARE = GRID[7][7]  # the square that the first play covers


class Premium(Enum):
    """What the first tile on a square multiplies: its own value by `letter`, the word's by `word`."""

    NONE = (1, 1)
    DOUBLE_LETTER = (2, 1)
    TRIPLE_LETTER = (3, 1)
    DOUBLE_WORD = (1, 2)
    TRIPLE_WORD = (1, 3)

    @property
    def letter(self) -> int:
        return self.value[0]

    @property
    def word(self) -> int:
        return self.value[1]


_MARKS = {
    ".": Premium.NONE,
    "'": Premium.DOUBLE_LETTER,
    '"': Premium.TRIPLE_LETTER,
    "-": Premium.DOUBLE_WORD,
    "=": Premium.TRIPLE_WORD,
}

_ROWS = """\
=..'...=...'..=
.-..."..."...-.
..-...'.'...-..
'..-...'...-..'
....-.....-....
."..."..."...".
..'...'.'...'..
=..'...-...'..=
..'...'.'...'..
."..."..."...".
....-.....-....
'..-...'...-..'
..-...'.'...-..
.-..."..."...-.
=..'...=...'..=
"""

PREMIUMS: tuple[tuple[Premium, ...], ...] = tuple(tuple(_MARKS[mark] for mark in row) for row in _ROWS.splitlines())
"""The premiums of the board, row by row."""
