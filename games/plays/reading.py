"""A board and a rack as somebody writes them.

A board is 15 lines of 15, `.` for an empty square, a small letter for a blank; a rack is up to seven tiles, `?` for a
blank.
"""

import unicodedata
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring import moves
from scoring.board import RACK_SIZE, Board
from scoring.letters import BLANK, LetterSet
from scoring.moves import FoundPlays, ScoredPlay
from scoring.squares import BOARD_SIZE, GRID, Direction, Square
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.refusals import Refusal, Refusals

EMPTY_SQUARE = "."


class WrongBoardHeight(Refusal):
    code = "board_height"
    message = _("The board has %(found)s lines; it needs %(needed)s, each with %(needed)s squares.")


class WrongBoardWidth(Refusal):
    code = "board_width"
    message = _("Line %(line)s of the board, “%(text)s”, has %(found)s squares; it needs %(needed)s.")


class UnknownBoardTile(Refusal):
    code = "no_such_tile"
    message = _("Line %(line)s of the board: “%(mark)s” is neither a letter of the set %(letters)s nor a dot.")


class UnreadableRack(Refusal):
    code = "no_rack"
    message = _(
        "“%(rack)s” is no rack: “%(tile)s”. Up to %(most)s tiles are allowed, each a letter of the set %(letters)s or "
        "“?” for a blank, of which there are %(blanks)s."
    )


def read_board(text: str, letters: LetterSet) -> Board:
    """The board that is written in 15 lines. Raises `Refusals` with every fault."""
    lines = unicodedata.normalize("NFC", text).rstrip("\r\n ").splitlines()
    faults: list[Refusal] = [] if len(lines) == BOARD_SIZE else [WrongBoardHeight(found=len(lines), needed=BOARD_SIZE)]
    tiles = {}
    for number, line in enumerate(lines[:BOARD_SIZE], 1):
        written = line.strip()
        if len(written) != BOARD_SIZE:
            faults.append(
                WrongBoardWidth(line=number, text=written[:QUOTED_TEXT], found=len(written), needed=BOARD_SIZE)
            )
        for square, mark in zip(GRID[number - 1], written, strict=False):
            if mark != EMPTY_SQUARE and mark.upper() not in {tile.letter for tile in letters.tiles} - {BLANK}:
                faults.append(UnknownBoardTile(line=number, mark=mark, letters=letters.key))
            elif mark != EMPTY_SQUARE:
                tiles[square] = mark
    if faults:
        raise Refusals(faults)
    return Board(letters, tiles)


def read_rack(text: str, letters: LetterSet) -> str:
    """The tiles of a rack, in capitals. Raises `NoRack`."""
    tiles = "".join(unicodedata.normalize("NFC", text).upper().split())
    known = {tile.letter for tile in letters.tiles}
    odd = next((tile for tile in tiles if tile not in known), None)
    if odd is None and (len(tiles) > RACK_SIZE or not tiles):
        odd = tiles[RACK_SIZE:]
    if odd is None and tiles.count(BLANK) > moves.MAX_BLANKS:
        odd = BLANK * tiles.count(BLANK)
    if odd is not None:
        raise UnreadableRack(
            rack=text[:QUOTED_TEXT],
            tile=odd[:QUOTED_TEXT],
            most=RACK_SIZE,
            letters=letters.key,
            blanks=moves.MAX_BLANKS,
        )
    return tiles


# What was found, as a value for programs and as lines to read.


def make_plays_json(found: FoundPlays, most: int | None) -> dict[str, Any]:
    """`{"count", "best", "plays"}`: `count` and `best` of all plays, `plays` the best `most`, or all."""
    return {"count": found.count, "best": found.best, "plays": [_make_play_json(each) for each in found.top(most)]}


def _make_play_json(scored: ScoredPlay) -> dict[str, Any]:
    return {
        "position": scored.play.position,
        "word": scored.play.word,
        "points": scored.points,
        "tiles": [[_get_square_name(square), letter] for square, letter in scored.placed],
    }


def _get_square_name(square: Square) -> str:
    """The column's letter first: `H8`."""
    return square.position(Direction.DOWN)


def format_play_lines(found: FoundPlays, most: int | None) -> list[str]:
    """A line for each of the best `most` plays: points, position, word."""
    return [f"{each.points:>5}  {each.play.position:<3}  {each.play.word}" for each in found.top(most)]
