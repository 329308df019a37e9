"""The board as a page shows or reads it aloud: rows of cells. Drawn by `games/core/_board.html`."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.board import Board
from scoring.squares import CENTRE_SQUARE, GRID, PREMIUMS, Square

COLUMN_LETTERS = "".join(str(square)[-1] for square in GRID[0])

PREMIUM_MARKS: dict[str, str | Promise] = {"dl": _("2L"), "tl": _("3L"), "dw": _("2W"), "tw": _("3W")}
"""What is written on a free premium square."""

PREMIUM_NAMES: dict[str, str | Promise] = {
    "dl": _("double letter"),
    "tl": _("triple letter"),
    "dw": _("double word"),
    "tw": _("triple word"),
}
"""What a premium square is called when read aloud."""


@dataclass(frozen=True, slots=True)
class PictureSquare:
    """One square: its tile (`letter` in capitals, "" where none lies) and worth, or its premium ("" for none)."""

    name: str
    letter: str = ""
    value: int = 0
    is_blank: bool = False
    is_new: bool = False
    premium: str = ""
    is_centre: bool = False

    @property
    def mark(self) -> str | Promise:
        return PREMIUM_MARKS.get(self.premium, "")

    @property
    def premium_name(self) -> str | Promise:
        return PREMIUM_NAMES.get(self.premium, "")


@dataclass(frozen=True, slots=True)
class PictureRow:
    """One row of the board, numbered from 1 at the top."""

    number: int
    cells: tuple[PictureSquare, ...]


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """The whole board: fifteen rows, and the letters over its columns."""

    rows: tuple[PictureRow, ...]
    columns: str = COLUMN_LETTERS


def make_board_picture(board: Board, new: Collection[Square] = ()) -> BoardPicture:
    """The board as it stands; the squares of `new` are marked as those of the last play."""
    rows = (tuple(_make_square(board, square, new) for square in squares) for squares in GRID)
    return BoardPicture(tuple(PictureRow(number, cells) for number, cells in enumerate(rows, 1)))


def _make_square(board: Board, square: Square, new: Collection[Square]) -> PictureSquare:
    name, letter = str(square), board.tiles.get(square, "")
    if not letter:
        premium = PREMIUMS[square.row][square.column]
        code = {2: "dw", 3: "tw"}.get(premium.word) or {1: "", 2: "dl", 3: "tl"}[premium.letter]
        return PictureSquare(name, premium=code, is_centre=square == CENTRE_SQUARE)
    is_blank = letter.islower()
    value = 0 if is_blank else board.letters.tile(letter).value
    return PictureSquare(name, letter.upper(), value, is_blank, square in new, is_centre=square == CENTRE_SQUARE)
