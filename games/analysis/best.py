"""What could have been laid: the best plays with a rack on a board."""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache

from games.analysis import lexicons
from games.models import WordList
from scoring import moves
from scoring.board import Board

SHOWN = 10
"""So many plays are listed."""

KEPT_SECONDS = 24 * 3600

_one_at_a_time = threading.Lock()
"""Anybody may ask for a position that is public, and each takes up to half a second of a processor."""


@dataclass(frozen=True, slots=True)
class BestPlay:
    """A play as it is written on a sheet, `8D WÖRTER`, and its points."""

    text: str
    points: int


@dataclass(frozen=True, slots=True)
class BestPlays:
    """Of all plays that a list (`words`: its title) allows with `rack`: how many there are, and the best."""

    words: str
    rack: str
    count: int
    plays: tuple[BestPlay, ...]


def plays(board: Board, rack: str, word_list: WordList) -> BestPlays | None:
    """The best plays with these tiles; None for a rack that there cannot be.

    Raises `judge.store.ListMissing` or `ListDamaged`.
    """
    key = _key(board, rack, word_list)
    found: tuple[int, Sequence[tuple[str, int]]] | None = cache.get(key)
    if found is None:
        try:
            with _one_at_a_time:
                every = moves.plays(lexicons.of(word_list), board, rack)
        except moves.BadRack:
            return None
        found = every.count, [(each.play.text(board), each.points) for each in every.top(SHOWN)]
        cache.set(key, found, KEPT_SECONDS)
    count, best = found
    return BestPlays(word_list.title, rack, count, tuple(BestPlay(*each) for each in best))


def _key(board: Board, rack: str, word_list: WordList) -> str:
    tiles = sorted((square.name, letter) for square, letter in board.tiles.items())
    told = f"{word_list.sha256} {word_list.letters} {''.join(sorted(rack))} {tiles}"
    return f"best-plays-{hashlib.sha256(told.encode()).hexdigest()[:32]}"
