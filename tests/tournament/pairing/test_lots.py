"""Lots are the same on every machine, in either order, and for arrays as for single players."""

import numpy as np

from tournament.pairing.lots import draw_pair_lot, draw_pair_lot_bits, draw_pair_lots, draw_player_lot


def test_lots_are_the_same_for_ever() -> None:
    drawn = [draw_player_lot(1, 1), draw_player_lot(2, 1), draw_pair_lot(1, 1, 2), draw_pair_lot(-5, 7, 2**40)]

    assert drawn == [
        16860738450190168606,
        16171810823986729605,
        7171696036561055386,
        15217825172612425362,
    ]


def test_lot_of_a_pair_does_not_depend_on_the_order() -> None:
    assert draw_pair_lot(3, 11, 4) == draw_pair_lot(3, 4, 11)


def test_lots_of_arrays_are_those_of_the_pairs() -> None:
    ones, others = [1, 9, 2**40, 5], [2, 3, 1, 5]

    drawn = draw_pair_lots(2**31, np.array(ones), np.array(others))

    assert drawn.tolist() == [draw_pair_lot(2**31, one, other) for one, other in zip(ones, others, strict=True)]


def test_first_bits_are_the_front_of_the_lot() -> None:
    drawn = draw_pair_lot_bits(1, np.array([1]), np.array([2]), 20)

    assert drawn.tolist() == [draw_pair_lot(1, 1, 2) >> 44]


def test_lots_spread_evenly() -> None:
    drawn = [draw_pair_lot(8, one, other) >> 61 for one in range(100) for other in range(one)]

    counts = [drawn.count(eighth) for eighth in range(8)]

    assert min(counts) > 500
    assert max(counts) < 740
