"""QR codes in the terminal."""

import pytest

from tournament.basics.qr import QUIET_MODULES, format_qr_for_terminal, make_qr_modules

ADDRESS = "http://192.168.178.23:8000/"
FINDER = [
    [True, True, True, True, True, True, True],
    [True, False, False, False, False, False, True],
    [True, False, True, True, True, False, True],
    [True, False, True, True, True, False, True],
    [True, False, True, True, True, False, True],
    [True, False, False, False, False, False, True],
    [True, True, True, True, True, True, True],
]


@pytest.mark.parametrize(("down", "right"), [(0, 0), (0, -7), (-7, 0)])
def test_modules_have_three_finders(down: int, right: int) -> None:
    rows = make_qr_modules(ADDRESS)
    size = len(rows)
    top, left = down % size, right % size

    corner = [row[left : left + 7] for row in rows[top : top + 7]]

    assert corner == FINDER


def test_modules_grow_with_the_text() -> None:
    assert len(make_qr_modules(ADDRESS)) < len(make_qr_modules(ADDRESS * 5))


def test_modules_differ_by_text() -> None:
    assert make_qr_modules(ADDRESS) != make_qr_modules(ADDRESS.replace("23", "24"))


def test_terminal_text_draws_the_modules() -> None:
    upper_light, lower_light = "█▀", "█▄"
    lines = format_qr_for_terminal(ADDRESS).splitlines()

    drawn = [[mark not in light for mark in line] for line in lines for light in (upper_light, lower_light)]

    size = len(make_qr_modules(ADDRESS))
    inner = [row[QUIET_MODULES : QUIET_MODULES + size] for row in drawn[QUIET_MODULES : QUIET_MODULES + size]]
    assert inner == make_qr_modules(ADDRESS)
    assert not any(drawn[0])
    assert not any(row[0] or row[-1] for row in drawn)
