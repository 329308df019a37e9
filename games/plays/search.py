"""What could have been laid: the best plays with a rack on a board."""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.core.cache import cache

from games.judge.lists import open_word_list
from games.judge.store import ENCODING, open_list_file
from games.models import WordList
from scoring import moves
from scoring.board import Board
from scoring.letters import LETTER_SETS
from scoring.lexicon import Lexicon, NoLexicon

TABLES_SUFFIX = ".tables"

PLAYS_SHOWN = 10  # so many plays are listed

KEPT_SECONDS = 24 * 3600

_SEARCH_LOCK = threading.Lock()
"""Anybody may ask about a public position, and each search takes up to half a second of a processor."""

# Word lists as tables for the search: made once, kept in the data folder, read through a memory map.


def get_tables_folder() -> Path:
    """Where the tables are. No backup needs them: they are made anew from the lists."""
    folder = Path(settings.DATA_DIR) / "word-tables"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def load_lexicon(word_list: WordList) -> Lexicon:
    """The tables of a list. Raises `WordListMissing` or `WordListDamaged`."""
    open_word_list(word_list)
    return _load_tables(word_list.name, word_list.sha256, word_list.letters)


@lru_cache(maxsize=2)
def _load_tables(name: str, sha256: str, letters: str) -> Lexicon:
    path = (get_tables_folder() / name).with_suffix(TABLES_SUFFIX)
    try:
        return Lexicon.load(path, source=sha256)
    except NoLexicon:
        _write_tables(path, name, sha256, letters)
    return Lexicon.load(path, source=sha256)


def _write_tables(path: Path, name: str, sha256: str, letters: str) -> None:
    """Write the tables of a list, and remove those of lists that are gone."""
    words = open_list_file(name, sha256=sha256, title=name).data[:].decode(ENCODING).splitlines()
    beside = path.with_suffix(".new")
    try:
        Lexicon.of(LETTER_SETS[letters], words).save(beside, source=sha256)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    known = {Path(each).stem for each in WordList.objects.values_list("name", flat=True)}
    for other in get_tables_folder().glob(f"*{TABLES_SUFFIX}"):
        if other.stem not in known:
            other.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class BestPlay:
    """A play as it is written on a sheet, `8D WÖRTER`, and its points."""

    text: str
    points: int


@dataclass(frozen=True, slots=True)
class BestPlays:
    """Of all plays that a list (`words`: its title) allows with `rack`: their number, and the best."""

    words: str
    rack: str
    count: int
    plays: tuple[BestPlay, ...]


def find_best_plays(board: Board, rack: str, word_list: WordList) -> BestPlays | None:
    """The best plays, kept for a day; None for an impossible rack. Raises `WordListMissing`, `WordListDamaged`."""
    tiles = sorted((str(square), letter) for square, letter in board.tiles.items())
    position = f"{word_list.sha256} {word_list.letters} {''.join(sorted(rack))} {tiles}"
    key = f"best-plays-{hashlib.sha256(position.encode()).hexdigest()[:32]}"
    found: tuple[int, Sequence[tuple[str, int]]] | None = cache.get(key)
    if found is None:
        try:
            with _SEARCH_LOCK:
                every = moves.find_plays(load_lexicon(word_list), board, rack)
        except moves.BadRack:
            return None
        found = every.count, [(each.play.text(board), each.points) for each in every.top(PLAYS_SHOWN)]
        cache.set(key, found, KEPT_SECONDS)
    count, best = found
    return BestPlays(word_list.title, rack, count, tuple(BestPlay(*each) for each in best))
