"""A play as people write it: where it starts, which way it runs, and the word, in both notations (TSO 3.4, GCG)."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from scoring.squares import Direction, Square

LYING_TILE = "."  # written for a tile that is already on the board

MAX_WORD_LENGTH = 30  # longer than any row, so that a word that runs off the board can still be reported

_POSITION = re.compile(r"0*([1-9][0-9]?)([A-Z])|([A-Z])0*([1-9][0-9]?)")
# Looked for in what is written, before any capitals are made: `upper` turns ß into SS, two letters for one square.
_SHARP = frozenset("ßẞ")


class BadPlayReason(StrEnum):
    """Why a text is no play."""

    POSITION = "position"  # not a square like 8H or H8
    WORD_MISSING = "word_missing"
    TOO_LONG = "too_long"
    LETTER = "letter"  # something in the word is neither a letter nor a dot
    BRACKETS = "brackets"  # an unmatched bracket, or a pair with nothing in it
    SHARP_S = "sharp_s"  # there is no tile for ß, and a blank may not stand for it (general rules 2): SS


class BadPlay(ValueError):
    """Not a play: `text` is what was written, `reason` what is wrong with it, `part` the piece that is wrong."""

    def __init__(self, text: str, reason: BadPlayReason, part: str = "") -> None:
        super().__init__(f"not a play like 8H ABER: {text!r} ({reason}{f': {part!r}' if part else ''})")
        self.text = text
        self.reason = reason
        self.part = part


class TileLookup(Protocol):
    """What a play needs of a board: the letter on a square, small for a blank; None where nothing lies."""

    def at(self, square: Square) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Play:
    """A word and where it is laid: one value, however it was written down. `word`: a capital is a tile, a small letter
    a blank that stands for it, `.` a tile already on the board. Such a tile may also be written as its letter, in
    either case. `bracketed`: the places in the word (from 0) of letters that were written in brackets, which must
    already lie there. Raises `BadPlay` if `word` is not a word."""

    start: Square
    direction: Direction
    word: str
    bracketed: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        _check_word(self.word, self.word)
        if not all(0 <= place < len(self.word) and self.word[place] != LYING_TILE for place in self.bracketed):
            raise BadPlay(self.word, BadPlayReason.BRACKETS)

    @classmethod
    def parse(cls, text: str, word: str | None = None) -> "Play":
        """Read `12B ABER` (number first: across) or `K4 ABER` (letter first: down), or position and word as two texts.
        The position may be in small letters. Brackets, `(AB)ER`, and dots, `..ER`, stand for tiles already on the
        board; a dot in brackets is a dot. Raises `BadPlay`, which quotes what was written."""
        written = text if word is None else f"{text} {word}"
        position, _, rest = text.strip().partition(" ") if word is None else (text.strip(), "", word)
        match = _POSITION.fullmatch(position.upper())
        if match is None:
            raise BadPlay(written, BadPlayReason.POSITION, position)
        if match[1]:
            start, direction = Square(int(match[1]) - 1, ord(match[2]) - ord("A")), Direction.ACROSS
        else:
            start, direction = Square(int(match[4]) - 1, ord(match[3]) - ord("A")), Direction.DOWN
        # Ä may come as A and a combining mark: two signs for one tile, and the second is no letter.
        letters, bracketed = _parse_brackets(unicodedata.normalize("NFC", rest.strip()), written)
        # `Play` would refuse it as well, but knows the word alone; from here the refusal quotes all that was written.
        _check_word(letters, written)
        return cls(start, direction, letters, bracketed)

    @property
    def position(self) -> str:
        """`8D` across, `D8` down."""
        return self.start.position(self.direction)

    def squares(self) -> Iterator[Square]:
        """The squares that the word covers; some may be off the board, and those without a name are left out."""
        square: Square | None = self.start
        for _ in self.word:
            if square is None:
                return
            yield square
            square = square.step(self.direction)

    def text(self, board: TileLookup | None = None) -> str:
        """The play as a German score sheet has it, `12B ABER`; `parse` reads it. Dots become the letters on `board`."""
        return f"{self.position} {self.word_on(board)}"

    def word_on(self, board: TileLookup | None = None) -> str:
        """The word with its brackets, and with dots filled in from `board`."""
        letters = list(self.word)
        if board is not None:
            for place, square in enumerate(self.squares()):
                if letters[place] == LYING_TILE:
                    # Where nothing lies the dot stays: the play is at fault, and is shown as it was written.
                    letters[place] = board.at(square) or LYING_TILE
        signs = (f"({letter})" if place in self.bracketed else letter for place, letter in enumerate(letters))
        # Neighbours share a pair of brackets: (AB)ER, not (A)(B)ER.
        return "".join(signs).replace(")(", "")

    def gcg(self, board: TileLookup) -> str:
        """The play as a GCG file has it, `8D .BER`: a dot for each tile on the board before the play."""
        lying = {place for place, square in enumerate(self.squares()) if board.at(square) is not None}
        word = "".join(
            LYING_TILE if place in lying | self.bracketed else letter for place, letter in enumerate(self.word)
        )
        return f"{self.position} {word}"

    def __str__(self) -> str:
        return self.text()


def _parse_brackets(text: str, whole: str) -> tuple[str, frozenset[int]]:
    """The letters of a word without its brackets, and the places of those that were in brackets."""
    letters: list[str] = []
    bracketed: set[int] = set()
    opened: int | None = None
    for sign in text:
        if sign == "(" and opened is None:
            opened = len(letters)
        elif sign == ")" and opened is not None and opened < len(letters):
            bracketed.update(place for place in range(opened, len(letters)) if letters[place] != LYING_TILE)
            opened = None
        elif sign in "()":
            raise BadPlay(whole, BadPlayReason.BRACKETS, text)
        else:
            letters.append(sign)
    if opened is not None:
        raise BadPlay(whole, BadPlayReason.BRACKETS, text)
    return "".join(letters), frozenset(bracketed)


def _check_word(word: str, whole: str) -> None:
    if not word:
        raise BadPlay(whole, BadPlayReason.WORD_MISSING)
    if len(word) > MAX_WORD_LENGTH:
        raise BadPlay(whole, BadPlayReason.TOO_LONG, word)
    for sign in word:
        if sign in _SHARP:
            raise BadPlay(whole, BadPlayReason.SHARP_S, sign)
        if sign != LYING_TILE and not sign.isalpha():
            raise BadPlay(whole, BadPlayReason.LETTER, sign)
