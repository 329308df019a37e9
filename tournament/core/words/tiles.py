"""A name laid in letter tiles, as on a winner's slide."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from scoring.letters import LETTER_SETS

MOST_NAME_TILES = 16  # a longer name is written in plain letters
TILE_STEPS: Final = (7, 9, 12, MOST_NAME_TILES)  # so many tiles, each step with smaller ones


@dataclass(frozen=True, slots=True)
class LaidName:
    """A name in tiles, and the text above it. `step` is the number of tiles of this size that there is room for. A tile
    has its letter, its value (None for one that the set has no tile for), and whether it is a gap between words."""

    surname: str
    given: str
    tiles: tuple[tuple[str, int | None, bool], ...] = ()
    step: int = 0


def lay_name(name: str, letters: str) -> LaidName:
    """The surname of `Zwölfer, Édith` in tiles of a letter set, ß as SS; without tiles if it is too long."""
    surname, _comma, given_name = (part.strip() for part in name.partition(","))
    values = {tile.letter: tile.value for tile in LETTER_SETS[letters].tiles}
    # Composed first: an ö of two characters has no tile, and its dots would be a gap of their own.
    capitals = unicodedata.normalize("NFC", surname).upper()
    tiles = tuple((letter, values.get(letter), not letter.isalpha()) for letter in capitals)
    if len(tiles) > MOST_NAME_TILES:
        return LaidName(surname, given_name)
    return LaidName(surname, given_name, tiles, next(step for step in TILE_STEPS if len(tiles) <= step))
