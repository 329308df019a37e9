"""A board and a rack read from text, and their plays as JSON or lines. A board is 15 lines of 15, `.` for an empty
square, a small letter for a blank; a rack is up to seven tiles, `?` for a blank."""

import unicodedata
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring import moves
from scoring.board import RACK_SIZE, Board
from scoring.letters import BLANK, LetterSet
from scoring.moves import FoundPlays
from scoring.squares import BOARD_SIZE, GRID, Direction
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.refusals import Refusal, Refusals

EMPTY_SQUARE = "."


class UnreadableRack(Refusal, code="no_rack"):
    message = _(
        "“%(rack)s” is not a rack: “%(tile)s”. Up to %(most)s tiles are allowed, each a letter of the set %(letters)s "
        "or “?” for a blank, of which there are %(blanks)s."
    )


def read_board(text: str, letters: LetterSet) -> Board:
    """The board that is written in 15 lines. Raises `Refusals` with every fault."""
    lines = unicodedata.normalize("NFC", text).rstrip("\r\n ").splitlines()
    faults, tiles = [], {}
    if len(lines) != BOARD_SIZE:
        said = _("Lines of the board: %(found)s; it needs %(needed)s, each with %(needed)s squares.")
        faults.append(Refusal("board_height", said, found=len(lines), needed=BOARD_SIZE))
    for number, line in enumerate(lines[:BOARD_SIZE], 1):
        written = line.strip()
        if len(written) != BOARD_SIZE:
            said = _("Line %(line)s of the board, “%(text)s”, has %(found)s squares; it needs %(needed)s.")
            shown = {"text": written[:QUOTED_TEXT], "found": len(written), "needed": BOARD_SIZE}
            faults.append(Refusal("board_width", said, line=number, **shown))
        for square, mark in zip(GRID[number - 1], written, strict=False):
            if mark != EMPTY_SQUARE and mark.upper() not in {tile.letter for tile in letters.tiles} - {BLANK}:
                said = _("Line %(line)s of the board: “%(mark)s” is neither a letter of the set %(letters)s nor a dot.")
                faults.append(Refusal("no_such_tile", said, line=number, mark=mark, letters=letters.key))
            elif mark != EMPTY_SQUARE:
                tiles[square] = mark
    if faults:
        raise Refusals(faults)
    return Board(letters, tiles)


def read_rack(text: str, letters: LetterSet) -> str:
    """The tiles of a rack, in capitals. Raises `UnreadableRack`."""
    tiles = "".join(unicodedata.normalize("NFC", text).upper().split())
    known = {tile.letter for tile in letters.tiles}
    odd = next((tile for tile in tiles if tile not in known), None)
    if odd is None and (len(tiles) > RACK_SIZE or not tiles):
        odd = tiles[RACK_SIZE:]
    if odd is None and tiles.count(BLANK) > moves.MAX_BLANKS:
        odd = BLANK * tiles.count(BLANK)
    if odd is not None:
        shown = {"rack": text[:QUOTED_TEXT], "tile": odd[:QUOTED_TEXT], "letters": letters.key}
        raise UnreadableRack(most=RACK_SIZE, blanks=moves.MAX_BLANKS, **shown)
    return tiles


def make_plays_json(found: FoundPlays, most: int | None) -> dict[str, Any]:
    """`{"count", "best", "plays"}`: `count` and `best` of all plays, `plays` the best `most`, or all."""
    plays = [
        {
            "position": each.play.position,
            "word": each.play.word,
            "points": each.points,
            "tiles": [[square.position(Direction.DOWN), letter] for square, letter in each.placed],  # ["H8", "A"]
        }
        for each in found.top(most)
    ]
    return {"count": found.count, "best": found.best, "plays": plays}


def format_play_lines(found: FoundPlays, most: int | None) -> list[str]:
    """A line for each of the best `most` plays: points, position, word."""
    return [f"{each.points:>5}  {each.play.position:<3}  {each.play.word}" for each in found.top(most)]
