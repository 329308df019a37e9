"""The squares of the board (general rules 2, 4 d)."""

from collections import Counter
from pathlib import Path

import pytest

from scoring.squares import CENTRE_SQUARE, GRID, PREMIUMS, Direction, Premium, Square

SHARED = Path(__file__).resolve().parents[3] / "shared/data/board.txt"
MARKS = {
    ".": Premium.NONE,
    "'": Premium.DOUBLE_LETTER,
    '"': Premium.TRIPLE_LETTER,
    "-": Premium.DOUBLE_WORD,
    "=": Premium.TRIPLE_WORD,
}


def test_premium_squares_are_as_many_as_the_board_has():
    assert Counter(premium for row in PREMIUMS for premium in row) == {
        Premium.TRIPLE_WORD: 8,
        Premium.DOUBLE_WORD: 17,
        Premium.TRIPLE_LETTER: 12,
        Premium.DOUBLE_LETTER: 24,
        Premium.NONE: 164,
    }


def test_board_looks_the_same_from_all_sides():
    columns = tuple(zip(*PREMIUMS, strict=True))

    assert columns == PREMIUMS
    assert PREMIUMS[::-1] == PREMIUMS
    assert tuple(row[::-1] for row in PREMIUMS) == PREMIUMS


@pytest.mark.skipif(not SHARED.exists(), reason="the board as a file lies beside the product, not in it")
def test_board_is_the_one_that_was_handed_over():
    rows = SHARED.read_text(encoding="utf-8").split()

    assert tuple(tuple(MARKS[mark] for mark in row) for row in rows) == PREMIUMS


@pytest.mark.parametrize(
    ("name", "premium", "letter", "word"),
    [
        ("1A", Premium.TRIPLE_WORD, 1, 3),
        ("8H", Premium.DOUBLE_WORD, 1, 2),
        ("2F", Premium.TRIPLE_LETTER, 3, 1),
        ("1D", Premium.DOUBLE_LETTER, 2, 1),
        ("1B", Premium.NONE, 1, 1),
    ],
)
def test_premium(name, premium, letter, word):
    square = next(square for row in GRID for square in row if str(square) == name)

    found = PREMIUMS[square.row][square.column]

    assert (found, found.letter, found.word) == (premium, letter, word)


def test_square_has_a_name_and_a_position():
    square = Square(11, 1)

    assert str(square) == "12B"
    assert (square.position(Direction.ACROSS), square.position(Direction.DOWN)) == ("12B", "B12")
    assert (str(CENTRE_SQUARE), str(GRID[14][14])) == ("8H", "15O")


def test_directions_are_at_right_angles():
    assert (Direction.ACROSS.other, Direction.DOWN.other) == (Direction.DOWN, Direction.ACROSS)


def test_squares_sort_as_one_reads():
    assert sorted([Square(1, 0), Square(0, 14), Square(0, 1)]) == [Square(0, 1), Square(0, 14), Square(1, 0)]


@pytest.mark.parametrize(("row", "column"), [(-1, 0), (0, -1), (99, 0), (0, 26)])
def test_square_without_a_name(row, column):
    with pytest.raises(ValueError, match=f"row {row}, column {column}"):
        Square(row, column)


def test_step():
    assert Square(7, 7).step(Direction.ACROSS) == Square(7, 8)
    assert Square(7, 7).step(Direction.DOWN, -2) == Square(5, 7)
    assert Square(14, 14).step(Direction.ACROSS) == Square(14, 15)
    assert not Square(14, 15).is_on_board
    assert Square(0, 0).step(Direction.DOWN, -1) is None
    assert Square(98, 0).step(Direction.DOWN) is None
    assert Square(14, 0).step(Direction.DOWN) == Square(15, 0)
    assert Square(0, 14).step(Direction.ACROSS) == Square(0, 15)
