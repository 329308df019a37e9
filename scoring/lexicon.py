"""A word list as tables of numbers, one for each word length, for finding plays and completing words. It is not a graph
of letters: Python would walk it one letter at a time, while numpy compares a letter with all words of a length at once.
The tables of 400,000 words take 20 MB on disk. They are memory-mapped, so that only the pages needed are read."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from scoring.letters import BLANK, LETTER_SETS, LetterSet
from scoring.squares import BOARD_SIZE

WORD_LENGTHS = range(2, BOARD_SIZE + 1)  # how many letters a word on the board can have

LEXICON_FORMAT = 1  # increased whenever the tables are written differently


class NoLexicon(ValueError):
    """The file does not hold the tables of this word list in this format."""


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of one length, in order. The code of a letter is its place in the letter set, counted from 1. `codes`:
    a row for each word, a column for each place. `counts`: how many of each letter of the set (columns) a word (row)
    has. `kinds`: for each word the set of its codes, code c as bit c."""

    codes: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.uint8]
    kinds: npt.NDArray[np.uint32]

    @classmethod
    def of(cls, rows: npt.NDArray[np.uint8], letters: int) -> "WordTable":
        """The table of words given as rows of codes, in any order; words may be repeated."""
        length = rows.shape[1]
        # As byte strings, which sort fast; numpy drops zero bytes at their end, so no letter may have the code 0.
        ordered = np.unique(np.ascontiguousarray(rows).view(f"S{length}").ravel())
        codes = ordered.view(np.uint8).reshape(-1, length)
        counts = np.stack([(codes == code).sum(axis=1, dtype=np.uint8) for code in range(1, letters + 1)], axis=1)
        kinds = np.bitwise_or.reduce(np.uint32(1) << codes.astype(np.uint32), axis=1)
        return cls(codes, counts, kinds)

    def holds(self, rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
        """For each row of codes, whether it is one of the words."""
        length = self.codes.shape[1]
        own_codes = self.codes.view(f"S{length}").ravel()
        sought_codes = np.ascontiguousarray(rows).view(f"S{length}").ravel()
        # What sorts after the last word has the place behind it: the last word stands in there, and is another one.
        places = np.minimum(np.searchsorted(own_codes, sought_codes), len(own_codes) - 1)
        return np.asarray(own_codes[places] == sought_codes)


@dataclass(frozen=True)
class Lexicon:
    """The words of a list that can be laid with a letter set, by length; a length without words is not there."""

    letters: LetterSet
    words: Mapping[int, WordTable]

    @classmethod
    def of(cls, letters: LetterSet, words: Iterable[str]) -> "Lexicon":
        """The tables of words in capitals. Words of other lengths, or with letters not in the set, are left out."""
        tiles = set(alphabet(letters))
        words_by_length: dict[int, list[str]] = defaultdict(list)
        for word in words:
            if len(word) in WORD_LENGTHS and tiles.issuperset(word):
                words_by_length[len(word)].append(word)
        table = str.maketrans({letter: chr(code) for code, letter in enumerate(alphabet(letters), 1)})
        tables = {}
        for length, listed in sorted(words_by_length.items()):
            # One byte a letter. Codes above 127 would raise here, where another encoding would shift the rows.
            rows = np.frombuffer("".join(listed).translate(table).encode("ascii"), np.uint8).reshape(-1, length)
            tables[length] = WordTable.of(rows, len(tiles))
        return cls(letters, tables)

    def __len__(self) -> int:
        return sum(len(words.kinds) for words in self.words.values())

    @cached_property
    def code(self) -> Mapping[str, int]:
        """The code of each letter, counted from 1."""
        return {letter: code for code, letter in enumerate(alphabet(self.letters), 1)}

    @cached_property
    def letter(self) -> Mapping[int, str]:
        """The letter of each code."""
        return {code: letter for letter, code in self.code.items()}

    @cached_property
    def values(self) -> npt.NDArray[np.int64]:
        """What a tile is worth, by its code; 0 at place 0."""
        return np.array([0, *(self.letters.tile(letter).value for letter in self.code)])

    def holds(self, word: str) -> bool:
        """Whether the list has this word, in capitals."""
        words = self.words.get(len(word))
        if words is None or not self.code.keys() >= set(word):
            return False
        return bool(words.holds(np.array([[self.code[letter] for letter in word]], np.uint8))[0])

    def save(self, path: Path, *, source: str) -> None:
        """Write the tables to a file; `source` is the fingerprint of the list they were made from."""
        head = {"format": LEXICON_FORMAT, "letters": self.letters.key, "source": source, "lengths": list(self.words)}
        with path.open("wb") as file:
            _write_table(file, np.frombuffer(json.dumps(head).encode(), np.uint8))
            for words in self.words.values():
                for table in (words.codes, words.counts, words.kinds):
                    _write_table(file, table)

    @classmethod
    def load(cls, path: Path, *, source: str) -> "Lexicon":
        """Memory-map the tables of a file. Raises `NoLexicon` unless they were made from that list."""
        try:
            with path.open("rb") as file:
                head = json.loads(bytes(_map_next_table(path, file)))
                if (head["format"], head["source"]) != (LEXICON_FORMAT, source):
                    raise NoLexicon(f"{path.name}: {head}")
                tables = {
                    length: WordTable(*(_map_next_table(path, file) for _table in range(3)))
                    for length in head["lengths"]
                }
                return cls(LETTER_SETS[head["letters"]], tables)
        except (OSError, ValueError, KeyError, TypeError) as fault:
            # A file that is cut short, or none of ours, may fail at any line above; the tables are then made anew.
            raise NoLexicon(f"{path.name}: {fault}") from fault


def alphabet(letters: LetterSet) -> list[str]:
    """The letters of a set without the blank, in its order."""
    return [tile.letter for tile in letters.tiles if tile.letter != BLANK]


def _write_table(file: BinaryIO, table: npt.NDArray[Any]) -> None:
    # In one version, whatever numpy would choose: `_map_next_table` reads the header of that one only.
    np.lib.format.write_array(file, table, version=(1, 0), allow_pickle=False)


def _map_next_table(path: Path, file: BinaryIO) -> npt.NDArray[Any]:
    """Map the next table of the file, and move past it."""
    np.lib.format.read_magic(file)
    shape, _by_columns, kind = np.lib.format.read_array_header_1_0(file)
    begin = file.tell()
    file.seek(begin + int(np.prod(shape)) * kind.itemsize)
    # As a plain array: every slice of a `memmap` runs Python code of its own, and a search takes thousands.
    return np.memmap(path, kind, mode="r", offset=begin, shape=shape).view(np.ndarray)
