"""Boards and racks as people write them; every fault is told with what was written."""

import pytest

from games.plays import read_board, read_rack
from scoring.letters import DUTCH_LETTERS, GERMAN_LETTERS
from scoring.squares import GRID
from tests.refusals import refuses
from tournament.basics.refusals import Refusals

EMPTY = ["." * 15] * 15


def board(*lines: str) -> str:
    return "\n".join([*lines, *EMPTY[len(lines) :]]) + "\n"


def test_board() -> None:
    read = read_board(board("AbÄ............"), GERMAN_LETTERS)

    assert dict(read.tiles) == {GRID[0][0]: "A", GRID[0][1]: "b", GRID[0][2]: "Ä"}
    assert read.letters is GERMAN_LETTERS


def test_marks_written_apart_and_windows_line_ends_are_read() -> None:
    read = read_board(board("A\u0308..............").replace("\n", "\r\n"), GERMAN_LETTERS)

    assert dict(read.tiles) == {GRID[0][0]: "Ä"}


def test_every_fault_of_a_board_is_told() -> None:
    with pytest.raises(Refusals) as refused:
        read_board("A?.............\n...\n" + "." * 15, DUTCH_LETTERS)

    assert [refusal.code for refusal in refused.value.refusals] == ["board_height", "no_such_tile", "board_width"]
    assert "„?“" in str(refused.value)
    assert "„...“" in str(refused.value)


@pytest.mark.parametrize(("written", "tiles"), [("AEINRS?", "AEINRS?"), ("a b ä", "ABÄ"), ("??", "??")])
def test_rack(written: str, tiles: str) -> None:
    assert read_rack(written, GERMAN_LETTERS) == tiles


@pytest.mark.parametrize(
    ("written", "odd"), [("", ""), ("ABCDEFGH", "H"), ("A???", "???"), ("AB1", "1"), ("ÄB\u0301", "\u0301")]
)
def test_what_is_no_rack_is_quoted(written: str, odd: str) -> None:
    with refuses("no_rack") as refused:
        read_rack(written, GERMAN_LETTERS)

    assert f"„{written}“" in str(refused.value)
    assert refused.value.figures["tile"] == odd
