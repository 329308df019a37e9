"""What could have been laid: the best plays with a rack on a board. A board is 15 lines of 15, `.` for an empty square,
a small letter for a blank; a rack is up to seven tiles, `?` for a blank."""

import hashlib
import threading
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext_lazy, ngettext_lazy

from games.judge.lists import open_word_list
from games.judge.store import ENCODING, open_list_file
from games.models import WordList
from scoring import moves
from scoring.board import RACK_SIZE, Board
from scoring.letters import BLANK, LETTER_SETS, LetterSet
from scoring.lexicon import Lexicon, NoLexicon
from scoring.moves import FoundPlays
from scoring.squares import BOARD_SIZE, GRID, Direction
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.refusals import Refusal, Refusals

EMPTY_SQUARE = "."


def read_board(text: str, letters: LetterSet) -> Board:
    """The board that is written in 15 lines. Raises `Refusals` with every fault."""
    lines = unicodedata.normalize("NFC", text).rstrip("\r\n ").splitlines()
    faults, tiles = [], {}
    if len(lines) != BOARD_SIZE:
        message = gettext_lazy("Lines of the board: %(found)s; it needs %(needed)s, each with %(needed)s squares.")
        faults.append(Refusal("board_height", message, found=len(lines), needed=BOARD_SIZE))
    for number, line in enumerate(lines[:BOARD_SIZE], 1):
        written = line.strip()
        if len(written) != BOARD_SIZE:
            message = ngettext_lazy(
                "Line %(line)s of the board, “%(text)s”, has %(found)s square; it needs %(needed)s.",
                "Line %(line)s of the board, “%(text)s”, has %(found)s squares; it needs %(needed)s.",
                len(written),
            )
            figures = {"text": written[:QUOTED_TEXT], "found": len(written), "needed": BOARD_SIZE}
            faults.append(Refusal("board_width", message, line=number, **figures))
        # Not strict: a line of another length has its fault already.
        for square, mark in zip(GRID[number - 1], written, strict=False):
            if mark != EMPTY_SQUARE and mark.upper() not in {tile.letter for tile in letters.tiles} - {BLANK}:
                message = gettext_lazy(
                    "Line %(line)s of the board: “%(mark)s” is neither a letter of the set %(letters)s nor a dot."
                )
                faults.append(Refusal("no_such_tile", message, line=number, mark=mark, letters=letters.key))
            elif mark != EMPTY_SQUARE:
                tiles[square] = mark
    if faults:
        raise Refusals(faults)
    return Board(letters, tiles)


def read_rack(text: str, letters: LetterSet) -> str:
    """The tiles of a rack, in capitals. Raises `no_rack`."""
    tiles = "".join(unicodedata.normalize("NFC", text).upper().split())
    tile_letters = {tile.letter for tile in letters.tiles}
    odd = next((tile for tile in tiles if tile not in tile_letters), None)
    if odd is None and (len(tiles) > RACK_SIZE or not tiles):
        odd = tiles[RACK_SIZE:]
    if odd is None and tiles.count(BLANK) > moves.MAX_BLANKS:
        odd = BLANK * tiles.count(BLANK)
    if odd is not None:
        figures = {"rack": text[:QUOTED_TEXT], "tile": odd[:QUOTED_TEXT], "letters": letters.key}
        raise Refusal(
            "no_rack",
            gettext_lazy(
                "“%(rack)s” is not a rack: “%(tile)s”. Up to %(most)s tiles are allowed, each a letter of "
                "the set %(letters)s or “?” for a blank, of which there are %(blanks)s."
            ),
            most=RACK_SIZE,
            blanks=moves.MAX_BLANKS,
            **figures,
        )
    return tiles


def make_plays_json(found: FoundPlays, most: int | None) -> dict[str, Any]:
    """`{"count", "best", "plays"}`: `count` and `best` of all plays, `plays` the best `most`, or all."""
    plays = [
        {
            "position": scored_play.play.position,
            "word": scored_play.play.word,
            "points": scored_play.points,
            "tiles": [
                [square.position(Direction.DOWN), letter] for square, letter in scored_play.placed
            ],  # ["H8", "A"]
        }
        for scored_play in found.top(most)
    ]
    return {"count": found.count, "best": found.best, "plays": plays}


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
    # First, though its tables may be in memory still: by a list whose file is damaged or gone nothing is judged, and
    # nothing found.
    open_word_list(word_list)
    return _load_tables(word_list.name, word_list.sha256, word_list.letters)


@lru_cache(maxsize=2)
def _load_tables(name: str, sha256: str, letters: str) -> Lexicon:
    path = (get_tables_folder() / name).with_suffix(TABLES_SUFFIX)
    try:
        return Lexicon.load(path, source=sha256)
    except NoLexicon:
        words = open_list_file(name, sha256=sha256, title=name).data[:].decode(ENCODING).splitlines()
        # Under another name until it is whole: another process may map the file at any moment.
        beside = path.with_suffix(".new")
        try:
            Lexicon.of(LETTER_SETS[letters], words).save(beside, source=sha256)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        # Tables of lists that were deleted since; nobody else removes them.
        stems = {Path(name).stem for name in WordList.objects.values_list("name", flat=True)}
        for other in get_tables_folder().glob(f"*{TABLES_SUFFIX}"):
            if other.stem not in stems:
                other.unlink(missing_ok=True)
    # From the file and not as they were made: mapped, they take next to no memory.
    return Lexicon.load(path, source=sha256)


def find_best_plays(board: Board, rack: str, word_list: WordList) -> dict[str, Any] | None:
    """Of all plays that a list (`words`: its title) allows with `rack`, their `count` and the best, each with its
    `text` as it is written on a sheet, `8D WÖRTER`, and its `points`. Kept for a day; None for an impossible rack.
    Raises `WordListMissing`, `WordListDamaged`."""
    tiles = sorted((str(square), letter) for square, letter in board.tiles.items())
    # Of the list by its content and of the rack in order: the same tiles the other way round are the same question.
    position = f"{word_list.sha256} {word_list.letters} {''.join(sorted(rack))} {tiles}"
    key = f"best-plays-{hashlib.sha256(position.encode()).hexdigest()[:32]}"
    plays: tuple[int, Sequence[tuple[str, int]]] | None = cache.get(key)
    if plays is None:
        try:
            with _SEARCH_LOCK:
                every = moves.find_plays(load_lexicon(word_list), board, rack)
        except moves.BadRack:
            return None
        # Plain values: a cache outlives an upgrade, and classes in it would name modules that have moved.
        plays = (
            every.count,
            [(scored_play.play.text(board), scored_play.points) for scored_play in every.top(PLAYS_SHOWN)],
        )
        cache.set(key, plays, KEPT_SECONDS)
    count, best = plays
    return {
        "words": word_list.title,
        "rack": rack,
        "count": count,
        "plays": [{"text": text, "points": points} for text, points in best],
    }
