"""The board as a page shows or reads it aloud: rows of cells. Drawn by `games/core/_board.html`."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.board import Board
from scoring.squares import CENTRE_SQUARE, GRID, PREMIUMS, Square

PREMIUM_LABELS: dict[str, tuple[str | Promise, str | Promise]] = {
    "": ("", ""),
    "dl": (_("2L"), _("double letter")),
    "tl": (_("3L"), _("triple letter")),
    "dw": (_("2W"), _("double word")),
    "tw": (_("3W"), _("triple word")),
}
"""What is written on a free premium square, and what it is called when read aloud."""


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
        return PREMIUM_LABELS[self.premium][0]

    @property
    def premium_name(self) -> str | Promise:
        return PREMIUM_LABELS[self.premium][1]


BoardPicture = tuple[tuple[PictureSquare, ...], ...]  # the fifteen rows of the board


def make_board_picture(board: Board, new: Collection[Square] = ()) -> BoardPicture:
    """The board as it stands; the squares of `new` are marked as those of the last play."""
    return tuple(tuple(_make_square(board, square, new) for square in squares) for squares in GRID)


def _make_square(board: Board, square: Square, new: Collection[Square]) -> PictureSquare:
    name, letter = str(square), board.tiles.get(square, "")
    if not letter:
        premium = PREMIUMS[square.row][square.column]
        # A square multiplies its word or its letter, never both.
        code = {2: "dw", 3: "tw"}.get(premium.word) or {1: "", 2: "dl", 3: "tl"}[premium.letter]
        return PictureSquare(name, premium=code, is_centre=square == CENTRE_SQUARE)
    is_blank = letter.islower()
    value = 0 if is_blank else board.letters.tile(letter).value
    return PictureSquare(name, letter.upper(), value, is_blank, is_new=square in new)
