"""`python -m benchmarks.moves [FILE] [--letters de]`: how long the search for plays takes, and what a list takes.

500 positions of games that the program plays against itself: racks of seven tiles, with one blank, with two. Without a
word list, 400,000 made-up words stand in, as long as a dictionary's. The seed is fixed and printed.
"""

import argparse
import random
import resource
import statistics
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.timing import seconds
from scoring import moves
from scoring.board import RACK_SIZE, Board
from scoring.letters import BLANK, LETTER_SETS, LetterSet
from scoring.lexicon import Lexicon
from scoring.squares import BOARD_SIZE

SEED = 2026
WORDS = 400_000
POSITIONS = 500


def made_up(letters: LetterSet, rng: random.Random) -> list[str]:
    """Words as long as German ones, of letters as frequent as the tiles."""
    bag, found = bag_of(letters), set[str]()
    while len(found) < WORDS:
        length = min(BOARD_SIZE, max(2, round(rng.gauss(9.5, 2.6))))
        found.add("".join(rng.choices(bag, k=length)))
    return sorted(found)


def bag_of(letters: LetterSet) -> list[str]:
    """All tiles but the blanks."""
    return [tile.letter for tile in letters.tiles for _one in range(tile.count) if tile.letter != BLANK]


def positions(lexicon: Lexicon, rng: random.Random) -> Iterator[tuple[Board, list[str]]]:
    """Boards of games in which the best play is always laid, each with seven tiles that are left."""
    while True:
        bag, board = bag_of(lexicon.letters), Board(lexicon.letters)
        rng.shuffle(bag)
        while len(bag) > RACK_SIZE:
            rack = bag[:RACK_SIZE]
            yield board, rack
            found = moves.find_plays(lexicon, board, "".join(rack))
            if not found.count:
                break
            placed = found.top(1)[0].placed
            board = board.with_tiles(placed)
            for _square, tile in placed:
                bag.remove(tile)
            rng.shuffle(bag)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--letters", choices=sorted(LETTER_SETS), default="de")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    chosen = parser.parse_args()
    letters, rng = LETTER_SETS[chosen.letters], random.Random(SEED)
    words = chosen.file.read_text(encoding="utf-8").split() if chosen.file else made_up(letters, rng)
    took, lexicon = seconds(lambda: Lexicon.of(letters, words))
    print(f"seed {SEED}; {len(lexicon)} words; tables built in {took:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables"
        lexicon.save(path, source="")
        took, lexicon = seconds(lambda: Lexicon.load(path, source=""))
        print(f"file {path.stat().st_size / 1e6:.1f} MB, mapped in {1000 * took:.1f} ms")
        times: dict[int, list[float]] = {0: [], 1: [], 2: []}
        for _number, (board, rack) in zip(range(chosen.positions), positions(lexicon, rng), strict=False):
            for blanks, taken in times.items():
                held = "".join(rack[blanks:]) + BLANK * blanks
                taken.append(seconds(partial(moves.find_plays, lexicon, board, held))[0])
        for blanks, taken in times.items():
            print(f"{blanks} blanks: median {statistics.median(taken):.3f} s, slowest {max(taken):.3f} s")
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
