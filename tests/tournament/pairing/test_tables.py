"""Table numbers, fixed tables among them."""

import pytest

from tests.tournament.pairing import events
from tournament.pairing.drafting import draw_round
from tournament.pairing.seating import assign_tables
from tournament.pairing.values import ChosenPair, DrawNote, DrawRequest, NoteCode

CASES = {
    "nobody is bound": ([(), (), ()], [1, 2, 3], []),
    "one keeps table 1 and the others move down": ([(), (), (1,)], [2, 3, 1], []),
    "a table far away": ([(), (40,), ()], [1, 40, 2], []),
    "both need the same one": ([(), (2, 2), ()], [1, 2, 3], []),
    "opponents need different tables: the better player's": (
        [(3, 7), (), ()],
        [3, 1, 2],
        [DrawNote(NoteCode.TABLES_DIFFER, (10, 11), 3)],
    ),
    "two pairs need one table: the better pair's": (
        [(), (2,), (2,)],
        [1, 2, 3],
        [DrawNote(NoteCode.TABLE_TAKEN, (14, 15, 12, 13), 2)],
    ),
    "a taken table, but the opponent has one too": (
        [(2,), (2, 9)],
        [2, 9],
        [DrawNote(NoteCode.TABLE_TAKEN, (12, 13, 10, 11), 2)],
    ),
}


@pytest.mark.parametrize(("bound", "numbers", "notes"), CASES.values(), ids=CASES)
def test_tables_go_by_rank_around_the_fixed_ones(
    bound: list[tuple[int, ...]], numbers: list[int], notes: list[DrawNote]
) -> None:
    wishes = [(tables_, (10 + 2 * index, 11 + 2 * index)) for index, tables_ in enumerate(bound)]

    assert assign_tables(wishes) == (numbers, notes)


OWN_CASES = {
    "in the order of the ranges": ([(), (), ()], [(5, 6), (11, 14)], set(), [5, 6, 11], []),
    "tables of others are left out": ([(), (), ()], [(5, 9)], {5, 7}, [6, 8, 9], []),
    "a fixed table lies elsewhere": ([(), (2,), ()], [(5, 9)], {2}, [5, 2, 6], []),
    "too few: the lowest that are free in the hall": (
        [(), (), (), ()],
        [(2, 3)],
        {1, 5},
        [2, 3, 4, 6],
        [DrawNote(NoteCode.TABLES_SHORT, (14, 15, 16, 17))],
    ),
}


@pytest.mark.parametrize(("bound", "own", "of_others", "numbers", "notes"), OWN_CASES.values(), ids=OWN_CASES)
def test_field_sits_at_its_own_tables(
    bound: list[tuple[int, ...]],
    own: list[tuple[int, int]],
    of_others: set[int],
    numbers: list[int],
    notes: list[DrawNote],
) -> None:
    wishes = [(tables_, (10 + 2 * index, 11 + 2 * index)) for index, tables_ in enumerate(bound)]

    assert assign_tables(wishes, own, frozenset(of_others)) == (numbers, notes)


def test_player_keeps_the_fixed_table_whoever_the_opponent_is() -> None:
    players = events.table(4, 4, 2, 2, 0, 0)
    bound = (*players[:5], *events.table(0, 0, 0, 0, 0, 0, fixed_table=1)[5:])

    draft = draw_round(DrawRequest(bound, seed=4))

    assert [pair.table for pair in draft.pairs if 6 in (pair.first, pair.second)] == [1]
    assert sorted(pair.table or 0 for pair in draft.pairs) == [1, 2, 3]


def test_directors_table_for_a_pair_is_kept() -> None:
    draft = draw_round(DrawRequest(events.table(0, 0, 0, 0), given=(ChosenPair(3, 4, table=1),)))

    assert [(pair.table, {pair.first, pair.second}) for pair in draft.pairs] == [(1, {3, 4}), (2, {1, 2})]
