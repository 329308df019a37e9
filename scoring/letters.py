"""Letter sets: which tiles there are, what they are worth, and how they sort when players draw for the start."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

BLANK = "?"  # the tile that stands for any letter

_UMLAUTS = {"Ä": "A", "Ö": "O", "Ü": "U"}


@dataclass(frozen=True, slots=True)
class Tile:
    """A kind of tile: its letter, how many there are, and what each is worth."""

    letter: str
    count: int
    value: int


@dataclass(frozen=True, slots=True)
class LetterSet:
    """The tiles of a language, in the order in which they sort: the blank, then the alphabet. Raises ValueError if the
    tiles are not `size` in all, worth `points` together, or are not in order."""

    key: str
    tiles: tuple[Tile, ...]
    size: int
    points: int

    def __post_init__(self) -> None:
        counts = sum(tile.count for tile in self.tiles), sum(tile.count * tile.value for tile in self.tiles)
        if counts != (self.size, self.points):
            raise ValueError(
                f"letter set {self.key} has {counts[0]} tiles worth {counts[1]}: {self.size}, {self.points}"
            )
        letters = [tile.letter for tile in self.tiles]
        # The set also finds a letter that is named twice.
        if letters != sorted(set(letters), key=sort_key):
            raise ValueError(f"letter set {self.key} is not in order: {' '.join(letters)}")

    def unaccented(self, text: str) -> str:
        """The text without accents, except on letters that the set has a tile for: CAFÉ is CAFE, but Ä stays Ä."""
        own = {tile.letter for tile in self.tiles}
        marks = unicodedata.normalize("NFC", text)
        # The letter comes first in its parts, its marks behind it. What has no parts, as Ø, stays as it is.
        return "".join(mark if mark.upper() in own else unicodedata.normalize("NFD", mark)[0] for mark in marks)

    def tile(self, letter: str) -> Tile:
        """The tile with that letter. Raises KeyError if the set has none."""
        return {tile.letter: tile for tile in self.tiles}[letter]


def sort_key(letter: str) -> tuple[str, bool]:
    """How letters sort when drawn for the start: the blank first, umlauts right after A, O, U (General rules 3)."""
    return ("" if letter == BLANK else _UMLAUTS.get(letter, letter)), letter in _UMLAUTS


def _build_letter_set(key: str, by_value: Mapping[int, str], *, size: int, points: int) -> LetterSet:
    """Make a letter set from its tiles by value, each letter followed by its number of tiles: `{1: "E15 N9 …"}`."""
    tiles = (
        Tile(letter_code[0], int(letter_code[1:]), value)
        for value, line in by_value.items()
        for letter_code in line.split()
    )
    return LetterSet(key, tuple(sorted(tiles, key=lambda tile: sort_key(tile.letter))), size, points)


GERMAN_LETTERS = _build_letter_set(
    "de",
    {
        0: "?2",
        1: "E15 N9 S7 I6 R6 T6 U6 A5 D4",
        2: "H4 G3 L3 O3",
        3: "M4 B2 W1 Z1",
        4: "C2 F2 K2 P1",
        6: "Ä1 J1 Ü1 V1",
        8: "Ö1 X1",
        10: "Q1 Y1",
    },
    size=102,
    points=202,
)

DUTCH_LETTERS = _build_letter_set(
    "nl",
    {
        0: "?2",
        1: "E18 N10 A6 O6 I4",
        2: "D5 R5 S5 T5",
        3: "G3 K3 L3 M3 B2 P2",
        4: "U3 F2 H2 J2 V2 Z2",
        5: "C2 W2",
        8: "X1 Y1",
        10: "Q1",
    },
    size=102,
    points=230,
)

ENGLISH_LETTERS = _build_letter_set(
    "en",
    {
        0: "?2",
        1: "E12 A9 I9 O8 N6 R6 T6 L4 S4 U4",
        2: "D4 G3",
        3: "B2 C2 M2 P2",
        4: "F2 H2 V2 W2 Y2",
        5: "K1",
        8: "J1 X1",
        10: "Q1 Z1",
    },
    size=100,
    points=187,
)

LETTER_SETS: Mapping[str, LetterSet] = MappingProxyType(
    {letters.key: letters for letters in (GERMAN_LETTERS, DUTCH_LETTERS, ENGLISH_LETTERS)}
)
