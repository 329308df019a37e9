"""Rows of a printed table: one size, names on as many lines as they need, pages that are evenly full."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.paper.samples import SIXTY
from tournament.paper.grid import LEAST_SIZE, PrintedColumn, PrintedTable
from tournament.paper.sheet import MM

ROOM = 250 * MM
LOWEST, TALLEST = 6.8 * MM, 14 * MM
TABLE = PrintedTable((PrintedColumn("Rank", 12 * MM), PrintedColumn("Name", 54 * MM, wraps=True)), 14, LOWEST, TALLEST)

names = st.lists(st.text("abcdefg -,", min_size=1, max_size=40), min_size=1, max_size=120)


@given(names=names)
def test_pages_hold_all_rows_in_order_and_stay_in_their_room(names: list[str]) -> None:
    rows = [(str(number), name) for number, name in enumerate(names)]

    composed = TABLE.compose(rows, ROOM)

    assert [row.cells for page in composed.pages for row in page] == rows
    assert all(sum(row.height for row in page) <= ROOM - TABLE.head_height + 0.1 for page in composed.pages)
    assert LEAST_SIZE <= composed.size <= TABLE.size


def test_long_name_takes_lines_and_leaves_the_others_their_size() -> None:
    rows = [("1", "Beispiel, Anna")] * 9 + [("10", "Müller-Lüdenscheidt, Ann-Kathrin")]

    composed = TABLE.compose(rows, ROOM)

    *others, long = composed.pages[0]
    assert composed.size == TABLE.size
    assert long.height > others[0].height


def test_letters_get_smaller_before_a_page_is_added() -> None:
    rows = [(str(number), "Beispiel, Anna") for number in range(34)]

    composed = TABLE.compose(rows, ROOM)

    assert len(composed.pages) == 1
    assert LEAST_SIZE <= composed.size < TABLE.size


@pytest.mark.parametrize(("count", "pages"), [(35, [35]), (36, [18, 18]), (80, [27, 27, 26])])
def test_rows_are_spread_evenly(count: int, pages: list[int]) -> None:
    composed = TABLE.compose([(str(number), "Beispiel, Anna") for number in range(count)], ROOM)

    assert [len(page) for page in composed.pages] == pages


def test_first_page_leaves_room_for_what_stands_above() -> None:
    rows = [(str(number), "Beispiel, Anna") for number in range(34)]

    composed = TABLE.compose(rows, ROOM, reserved=60 * MM)

    first, second = composed.pages
    assert sum(row.height for row in first) <= ROOM - TABLE.head_height - 60 * MM + 0.1
    assert len(first) < len(second)


def test_pages_side_by_side_use_all_of_their_sheets() -> None:
    rows = [(str(number), "Beispiel, Anna") for number in range(40)]

    composed = TABLE.compose(rows, ROOM, side_by_side=2)

    assert [len(page) for page in composed.pages] == [20, 20]


def test_sixty_letters_do_not_make_the_others_unreadable() -> None:
    composed = TABLE.compose([("1", "Beispiel, Anna")] * 20 + [("21", SIXTY)], ROOM)

    assert composed.size >= LEAST_SIZE


def test_long_name_has_one_line_where_the_column_beside_is_empty() -> None:
    columns = (PrintedColumn("Name", 54 * MM, wraps=True), PrintedColumn("Club", 90 * MM, wraps=True))
    table = PrintedTable(columns, 11, LOWEST, TALLEST)

    [empty] = table.compose([(SIXTY, "")], ROOM).pages
    [full] = table.compose([(SIXTY, "Scrabblefreunde " * 7)], ROOM).pages

    assert empty[0].height < full[0].height


def test_figures_and_headings_come_first_and_what_is_written_by_hand_keeps_its_room() -> None:
    columns = (
        PrintedColumn("Name", 50 * MM, wraps=True),
        PrintedColumn("Remark", 40 * MM, wraps=True, written_by_hand=True),
        PrintedColumn("Tournament games", 10 * MM),
    )
    table = PrintedTable(columns, 11, LOWEST, TALLEST)

    name, remark, games = table.compose([(SIXTY, "", "12.345.678")], ROOM).table.columns

    assert remark.width == 40 * MM
    assert games.width > 20 * MM
    assert name.width + games.width == pytest.approx(60 * MM)
