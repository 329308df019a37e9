"""QR codes in the terminal."""

import pytest

from tournament.laptop import qr

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
    rows = qr.modules(ADDRESS)
    size = len(rows)
    top, left = down % size, right % size

    corner = [row[left : left + 7] for row in rows[top : top + 7]]

    assert corner == FINDER


def test_modules_grow_with_the_text() -> None:
    assert len(qr.modules(ADDRESS)) < len(qr.modules(ADDRESS * 5))


def test_modules_differ_by_text() -> None:
    assert qr.modules(ADDRESS) != qr.modules(ADDRESS.replace("23", "24"))


def test_terminal_text_draws_the_modules() -> None:
    upper_light, lower_light = "█▀", "█▄"
    lines = qr.terminal_text(ADDRESS).splitlines()

    drawn = [[mark not in light for mark in line] for line in lines for light in (upper_light, lower_light)]

    size = len(qr.modules(ADDRESS))
    inner = [row[qr.QUIET : qr.QUIET + size] for row in drawn[qr.QUIET : qr.QUIET + size]]
    assert inner == qr.modules(ADDRESS)
    assert not any(drawn[0])
    assert not any(row[0] or row[-1] for row in drawn)
