"""Lots: numbers that look random and depend only on the seed and the players, so that any machine repeats them. A
number from a generator would depend on the order of the calls; a lot does not."""

from typing import Any

import numpy as np
import numpy.typing as npt

_MASK = (1 << 64) - 1

TILES_OF_A_SEED = 7
SEED_LETTERS = "?ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜ"  # `?`: a blank; the place of a letter is its digit
SEED_LETTER_BITS = 5
FIRST_TILE_SEED = 1 << 40  # beyond all that the program draws by itself


def make_tile_seed(tiles: str) -> int:
    """The seed that seven tiles stand for, in the order in which they were drawn; each seven have one of their own.
    Raises ValueError for anything but seven letters."""
    if len(tiles) != TILES_OF_A_SEED:
        raise ValueError(tiles)
    seed = 0
    for letter in tiles:
        seed = seed << SEED_LETTER_BITS | SEED_LETTERS.index(letter)
    # The letters are the number, and it is them: no column is needed, and journal, archive and file carry both.
    return FIRST_TILE_SEED + seed


def find_seed_tiles(seed: int) -> str:
    """The tiles that a seed was made of; "" for any other seed."""
    places = [(seed - FIRST_TILE_SEED) >> SEED_LETTER_BITS * place for place in reversed(range(TILES_OF_A_SEED))]
    digits = [place & ((1 << SEED_LETTER_BITS) - 1) for place in places]
    # The first place is looked at without its mask: a seed that is too large, or below the first of tiles, shows there
    # alone.
    if not 0 <= places[0] < len(SEED_LETTERS) or max(digits) >= len(SEED_LETTERS):
        return ""
    return "".join(SEED_LETTERS[digit] for digit in digits)


def draw_player_lot(seed: int, key: int) -> int:
    """A player's lot, 64 bits."""
    return _mix_value(_mix_value(seed & _MASK) ^ (key & _MASK))


def draw_pair_lot(seed: int, one: int, other: int) -> int:
    """The lot of two players, 64 bits, whichever comes first."""
    return _mix_value(draw_player_lot(seed, min(one, other)) ^ _mix_value(draw_player_lot(seed, max(one, other)) ^ 1))


def draw_pair_lots(seed: int, ones: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    """The lots of pairs, for arrays of keys."""
    start = np.uint64(_mix_value(seed & _MASK))
    low = _mix_array(np.minimum(ones, others).astype(np.uint64) ^ start)
    high = _mix_array(np.maximum(ones, others).astype(np.uint64) ^ start)
    return _mix_array(low ^ _mix_array(high ^ np.uint64(1)))


def draw_pair_lot_bits(
    seed: int, ones: npt.NDArray[np.int64], others: npt.NDArray[np.int64], bits: int
) -> npt.NDArray[np.int64]:
    """The first `bits` bits of each lot of `draw_pair_lots`."""
    shortened: npt.NDArray[np.int64] = (draw_pair_lots(seed, ones, others) >> np.uint64(64 - bits)).astype(np.int64)
    return shortened


def _mix_value(value: int) -> int:
    """One step of SplitMix64 (Steele, Lea, Flood 2014)."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def _mix_array(values: npt.NDArray[np.uint64]) -> npt.NDArray[Any]:
    """`_mix_value` for arrays."""
    # NumPy's sums and products of 64 bits wrap round by themselves, as the mask makes Python's do.
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
