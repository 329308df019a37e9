"""Lines matched by likeness, differences found: a missing line shifts nothing."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.compare.comparison import ComparedCell, ComparedSheet, DifferenceTopic, compare_sheets
from games.sheets.lines import ENDING_FIELDS, WrittenLine
from games.sheets.sheet_page import convert_written_line
from scoring import rulesets, sheet_count
from scoring.sheet_values import Sheet
from tests.games.compare.typed import GAME, K
from tests.laws import tried_on


def side(
    lines: Sequence[WrittenLine], totals: tuple[int, int] = (0, 0), **ending: tuple[int | str | None, int | str | None]
) -> ComparedSheet:
    """A sheet with these lines, counted."""
    counted = sheet_count.count(Sheet(tuple(map(convert_written_line, lines))), rulesets.TSO_2017).lines
    cells = tuple(ComparedCell(at, line, count) for at, (line, count) in enumerate(zip(lines, counted, strict=True), 1))
    return ComparedSheet(cells, {name: ending.get(name, (None, None)) for name in ENDING_FIELDS}, totals)


def topics(*sheets: Sequence[WrittenLine]) -> list[tuple[int, tuple[DifferenceTopic, ...]]]:
    """The rows that differ, with what differs."""
    return [(row.number, row.topics) for row in compare_sheets([side(lines) for lines in sheets]).differing_rows]


def changed(number: int, line: WrittenLine) -> list[WrittenLine]:
    return [line if at == number else each for at, each in enumerate(GAME, 1)]


def without(*numbers: int) -> list[WrittenLine]:
    return [each for at, each in enumerate(GAME, 1) if at not in numbers]


def is_same(*written: Sequence[WrittenLine]) -> bool:
    """Whether the sheets say the same in everything that counts."""
    found = compare_sheets([side(lines) for lines in written])
    return not (found.differing_rows or found.differing_ends or found.finals_differ)


def test_nothing_and_one_sheet_have_no_differences() -> None:
    assert compare_sheets([]).rows == ()
    assert is_same(GAME)
    assert len(compare_sheets([side(GAME)]).rows) == len(GAME)


def test_same_sheets() -> None:
    assert is_same(GAME, GAME, GAME)


@pytest.mark.parametrize(
    ("number", "line", "topic"),
    [
        (2, WrittenLine(2, points=71), DifferenceTopic.POINTS),
        (1, WrittenLine(1, word="ABEL", position="8H", points=12), DifferenceTopic.WORD),
        (1, WrittenLine(1, word="ABER", position="8G", points=12), DifferenceTopic.POSITION),
        (4, WrittenLine(1, K.CHALLENGE, words=2, points=-10), DifferenceTopic.GOOD_WORDS),
        (6, WrittenLine(1, K.EXCHANGE, tiles="QXÄ"), DifferenceTopic.TILES),
        (6, WrittenLine(1, K.PASS), DifferenceTopic.KIND),
    ],
)
def test_one_thing_otherwise(number: int, line: WrittenLine, topic: DifferenceTopic) -> None:
    assert topics(GAME, changed(number, line)) == [(number, (topic,))]


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (1, WrittenLine(1, word="ABER", position="8H")),
        (1, WrittenLine(1, points=12)),
        (1, WrittenLine(1, word="(A)BER", position="8h", points=12)),
        (6, WrittenLine(1, K.EXCHANGE, tiles="3")),
        (6, WrittenLine(1, K.EXCHANGE, tiles="")),
        (6, WrittenLine(1, K.EXCHANGE, tiles="YXQ")),
    ],
    ids=["points worked out", "points alone", "brackets", "number of tiles", "tiles not said", "other order"],
)
def test_what_a_sheet_leaves_open_contradicts_nothing(number: int, line: WrittenLine) -> None:
    assert topics(GAME, changed(number, line)) == []


@pytest.mark.parametrize("number", range(1, len(GAME) + 1))
def test_missing_line_shifts_nothing(number: int) -> None:
    assert topics(GAME, without(number)) == [(number, (DifferenceTopic.MISSING,))]
    assert topics(without(number), GAME) == [(number, (DifferenceTopic.MISSING,))]


def test_two_lines_missing_on_different_sheets() -> None:
    assert [found for _row, found in topics(without(2), without(5))] == [
        (DifferenceTopic.MISSING,),
        (DifferenceTopic.MISSING,),
    ]


def test_third_sheet_says_what_is_missing_on_two() -> None:
    found = compare_sheets([side(without(3)), side(without(3)), side(GAME)])

    row = found.differing_rows[0]
    assert [cell is None for cell in row.cells] == [True, True, False]
    assert len(found.rows) == len(GAME)


def test_missing_line_and_other_points_at_once() -> None:
    other = [each for each in changed(7, WrittenLine(2, points=81)) if each is not GAME[2]]

    assert topics(GAME, other) == [(3, (DifferenceTopic.MISSING,)), (7, (DifferenceTopic.POINTS,))]


def test_turn_left_out_gives_the_same_words_to_other_players() -> None:
    words = [WrittenLine(1 + at % 2, word=word, position=place) for at, (word, place) in enumerate(PLACED)]
    swapped = [words[0], *(WrittenLine(3 - each.side, word=each.word, position=each.position) for each in words[1:])]
    other = [words[0], WrittenLine(2, K.PASS), *swapped[1:]]

    assert topics(words, other) == [
        (2, (DifferenceTopic.MISSING,)),
        (3, (DifferenceTopic.PLAYER,)),
        (4, (DifferenceTopic.PLAYER,)),
    ]


PLACED = (("ABER", "8H"), ("BAR", "I8"), ("RAD", "K8"))


def test_worked_out_points_are_the_judge() -> None:
    found = compare_sheets([side(GAME), side(changed(1, WrittenLine(1, word="ABER", position="8H", points=14)))])

    assert found.differing_rows[0].worked == 12
    assert [cell.points for cell in found.differing_rows[0].cells if cell] == [12, 14]


def test_ends_differ_only_where_both_say_something() -> None:
    one = side(GAME, (27, 112), left=("E", None), settlement=(-1, None), final=(27, 112))
    other = side(GAME, (27, 111), left=("EE", "U"), final=(27, 111))

    found = compare_sheets([one, other])

    assert [(end.topic, end.player) for end in found.differing_ends] == [
        (DifferenceTopic.LEFT, 1),
        (DifferenceTopic.FINAL, 2),
    ]
    assert found.finals_differ
    assert [end.worked for end in found.ends if end.topic == DifferenceTopic.FINAL] == [27, None]


LINES = st.lists(
    st.builds(
        WrittenLine,
        side=st.sampled_from((1, 2)),
        kind=st.sampled_from((K.PLAY, K.PASS, K.CHALLENGE)),
        points=st.integers(0, 4),
    ),
    max_size=8,
)


@tried_on(10)
@given(one=LINES, other=LINES)
def test_every_line_stands_in_one_row_and_in_order(one: list[WrittenLine], other: list[WrittenLine]) -> None:
    rows = compare_sheets([side(one), side(other)]).rows

    for at, lines in enumerate((one, other)):
        assert [cell.written for row in rows if (cell := row.cells[at]) is not None] == lines
    assert all({cell.written.side for cell in row.cells if cell} == {row.player} for row in rows)


def test_overtime_on_one_sheet_only_is_a_difference() -> None:
    one = side(GAME, (27, 112), overtime=(61, None))
    other = side(GAME, (27, 112))
    none = side(GAME, (27, 112), overtime=(0, None))

    assert [(end.topic, end.player) for end in compare_sheets([one, other]).differing_ends] == [
        (DifferenceTopic.OVERTIME, 1)
    ]
    assert compare_sheets([none, other]).differing_ends == ()
