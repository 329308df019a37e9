"""QR codes on pages and in the terminal."""

import io
import re

import pytest
from PIL import Image

from tournament.basics.pixels import find_codes
from tournament.basics.qr import QUIET_MODULES, format_qr_for_terminal, make_qr_modules, make_qr_picture

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


@pytest.mark.parametrize(
    "text",
    [
        ADDRESS,
        f"{ADDRESS}me/abcdefghjkmn/" * 6,
        "WIFI:T:WPA;S:Müllers Netz;P:gehe1m;;",
        "WIFI:S:Łódź;;",
        "otpauth://totp/x?a=%C3%B6",
    ],
)
def test_code_on_a_page_is_read_back(text: str) -> None:
    picture = make_qr_picture(text)
    drawn = Image.new("L", (picture["side"], picture["side"]), "white")
    for column, row in re.findall(r"M(\d+) (\d+)h1v1h-1z", picture["path"]):
        drawn.putpixel((int(column), int(row)), 0)
    taken = io.BytesIO()
    drawn.resize((picture["side"] * 5, picture["side"] * 5), Image.Resampling.NEAREST).save(taken, "PNG")

    assert find_codes(taken.getvalue()) == [text]


def test_terminal_text_draws_the_modules() -> None:
    upper_light, lower_light = "█▀", "█▄"
    lines = format_qr_for_terminal(ADDRESS).splitlines()

    drawn = [[mark not in light for mark in line] for line in lines for light in (upper_light, lower_light)]

    size = len(make_qr_modules(ADDRESS))
    inner = [row[QUIET_MODULES : QUIET_MODULES + size] for row in drawn[QUIET_MODULES : QUIET_MODULES + size]]
    assert inner == make_qr_modules(ADDRESS)
    assert not any(drawn[0])
    assert not any(row[0] or row[-1] for row in drawn)
