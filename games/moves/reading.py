"""A board and a rack as somebody writes them.

A board is 15 lines of 15, `.` for an empty square, a small letter for a blank; a rack is up to seven tiles, `?` for a
blank.
"""

import unicodedata

from django.utils.translation import gettext_lazy as _

from scoring import moves
from scoring.board import HAND, Board
from scoring.letters import BLANK, LetterSet
from scoring.squares import GRID, SIZE
from tournament.limits import QUOTED
from tournament.refusals import Refusal, Refusals

EMPTY = "."


class WrongHeight(Refusal):
    code = "board_height"
    message = _("The board has %(found)s lines; it needs %(needed)s, each with %(needed)s squares.")


class WrongWidth(Refusal):
    code = "board_width"
    message = _("Line %(line)s of the board, “%(text)s”, has %(found)s squares; it needs %(needed)s.")


class NoSuchTile(Refusal):
    code = "no_such_tile"
    message = _("Line %(line)s of the board: “%(mark)s” is neither a letter of the set %(letters)s nor a dot.")


class NoRack(Refusal):
    code = "no_rack"
    message = _(
        "“%(rack)s” is no rack: “%(tile)s”. Up to %(most)s tiles are allowed, each a letter of the set %(letters)s or "
        "“?” for a blank, of which there are %(blanks)s."
    )


def board(text: str, letters: LetterSet) -> Board:
    """The board that is written in 15 lines. Raises `Refusals` with every fault."""
    lines = unicodedata.normalize("NFC", text).rstrip("\r\n ").splitlines()
    faults: list[Refusal] = [] if len(lines) == SIZE else [WrongHeight(found=len(lines), needed=SIZE)]
    tiles = {}
    for number, line in enumerate(lines[:SIZE], 1):
        written = line.strip()
        if len(written) != SIZE:
            faults.append(WrongWidth(line=number, text=written[:QUOTED], found=len(written), needed=SIZE))
        for square, mark in zip(GRID[number - 1], written, strict=False):
            if mark != EMPTY and mark.upper() not in {tile.letter for tile in letters.tiles} - {BLANK}:
                faults.append(NoSuchTile(line=number, mark=mark, letters=letters.key))
            elif mark != EMPTY:
                tiles[square] = mark
    if faults:
        raise Refusals(faults)
    return Board(letters, tiles)


def rack(text: str, letters: LetterSet) -> str:
    """The tiles of a rack, in capitals. Raises `NoRack`."""
    tiles = "".join(unicodedata.normalize("NFC", text).upper().split())
    known = {tile.letter for tile in letters.tiles}
    odd = next((tile for tile in tiles if tile not in known), None)
    if odd is None and (len(tiles) > HAND or not tiles):
        odd = tiles[HAND:]
    if odd is None and tiles.count(BLANK) > moves.BLANKS:
        odd = BLANK * tiles.count(BLANK)
    if odd is not None:
        raise NoRack(rack=text[:QUOTED], tile=odd[:QUOTED], most=HAND, letters=letters.key, blanks=moves.BLANKS)
    return tiles
