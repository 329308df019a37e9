"""QR codes in the terminal."""

import pytest
from reportlab.graphics.barcode import qrencoder

from tournament.basics.qr import MASKS, QUIET_MODULES, format_qr_for_terminal, make_qr_modules

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


@pytest.mark.parametrize("number", range(12))
def test_code_is_one_that_the_encoder_could_choose(number: int) -> None:
    text = f"{ADDRESS}me/{number}-{'abcdefghjkmn'[number:]}/" * (1 + number % 3)
    own = qrencoder.QRCode(None, qrencoder.QRErrorCorrectLevel.M)
    own.addData(text)
    own.make()
    least, found = qrencoder.QRUtil.getLostPoint(own), make_qr_modules(text)
    possible = []
    for mask in MASKS:
        own.makeImpl(False, mask)
        possible.append(own.modules)

    assert found in possible
    own.modules = found
    assert qrencoder.QRUtil.getLostPoint(own) < least + 100  # it counts finders in rows only


def test_terminal_text_draws_the_modules() -> None:
    upper_light, lower_light = "█▀", "█▄"
    lines = format_qr_for_terminal(ADDRESS).splitlines()

    drawn = [[mark not in light for mark in line] for line in lines for light in (upper_light, lower_light)]

    size = len(make_qr_modules(ADDRESS))
    inner = [row[QUIET_MODULES : QUIET_MODULES + size] for row in drawn[QUIET_MODULES : QUIET_MODULES + size]]
    assert inner == make_qr_modules(ADDRESS)
    assert not any(drawn[0])
    assert not any(row[0] or row[-1] for row in drawn)
