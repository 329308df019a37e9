"""Text fits its box, whatever it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.paper.samples import SIXTY
from tournament.paper.lettering import (
    ELLIPSIS,
    LEADING,
    MAX_LINES,
    SMALLEST_SIZE,
    FittedText,
    break_text,
    fit_text,
    make_drawable,
    measure_width,
    wrap_text,
)


@given(
    text=st.text(max_size=90),
    bold=st.booleans(),
    width=st.floats(20, 600),
    height=st.floats(SMALLEST_SIZE * LEADING, 60),
    size=st.floats(SMALLEST_SIZE, 40),
)
def test_fit_never_leaves_the_box(text: str, bold: bool, width: float, height: float, size: float) -> None:
    fitted = fit_text(text, bold=bold, width=width, height=height, size=size)

    assert all(measure_width(line, bold=bold) * fitted.size <= width + 0.1 for line in fitted.lines)
    assert len(fitted.lines) * fitted.size * LEADING <= height + 0.1
    assert SMALLEST_SIZE <= fitted.size <= size


@given(text=st.text(max_size=90), width=st.floats(20, 300), height=st.floats(9, 60))
def test_fit_keeps_every_letter_or_says_that_it_does_not(text: str, width: float, height: float) -> None:
    fitted = fit_text(text, bold=False, width=width, height=height, size=12)

    shown, whole = "".join(fitted.lines).replace(" ", ""), make_drawable(text).replace(" ", "")
    if fitted.is_cut:
        assert fitted.size == SMALLEST_SIZE
        assert shown.endswith(ELLIPSIS)
        assert whole.startswith(shown.removesuffix(ELLIPSIS))
    else:
        assert shown == whole


def test_fit_takes_more_lines_before_letters_cannot_be_read() -> None:
    fitted = fit_text("Beispiel " * 9, bold=False, width=80, height=60, size=12)

    assert (fitted.size, len(fitted.lines), fitted.is_cut) == (SMALLEST_SIZE, 5, False)


def test_fit_keeps_the_size_of_what_fits() -> None:
    fitted = fit_text("Beispiel, Anna", bold=False, width=200, height=20, size=12)

    assert fitted == FittedText(("Beispiel, Anna",), 12)


def test_fit_breaks_a_long_name_at_the_blank() -> None:
    fitted = fit_text("Müller-Lüdenscheidt, Ann-Kathrin", bold=True, width=150, height=30, size=16)

    assert fitted.lines == ("Müller-Lüdenscheidt,", "Ann-Kathrin")


def test_fit_shrinks_sixty_letters_to_something_readable() -> None:
    fitted = fit_text(SIXTY, bold=True, width=226, height=26, size=15)

    assert fitted.size >= 8


def test_wrap_breaks_a_word_that_is_wider_than_the_line() -> None:
    lines = wrap_text("W" * 30, bold=False, width=measure_width("W" * 10, bold=False))

    assert lines == ("W" * 10,) * 3


def test_wrap_keeps_a_number_with_the_shortened_word_before_it() -> None:
    lines = wrap_text(
        "Sieger Achtelfinale, Nr. 3", bold=False, width=measure_width("Sieger Achtelfinale, Nr.", bold=False)
    )

    assert lines == ("Sieger Achtelfinale,", "Nr. 3")


@pytest.mark.parametrize(
    "text",
    ["Żółkiewska", "Kőszegi Řezníček", "GROẞ", "Nguyễn Thị Hương", "Иванова", "Παπαδόπουλος", "Þórður Ð", "½ − ✂"],
)
def test_printable_keeps_european_and_vietnamese_letters(text: str) -> None:
    assert make_drawable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Nguye\N{COMBINING CIRCUMFLEX ACCENT}\N{COMBINING TILDE}n", "Nguyễn"),
        ("漢字, Wang", "□□, Wang"),
        ("Anna\N{RIGHT-TO-LEFT OVERRIDE}annA", "AnnaannA"),
        ("Anna\N{ZERO WIDTH SPACE}\x07", "Anna"),
        ("  Anna\n\tBeispiel\N{NO-BREAK SPACE}", "Anna Beispiel"),
        ("\ud800", "□"),
        ("", ""),
    ],
)
def test_printable_shows_what_it_can(text: str, shown: str) -> None:
    assert make_drawable(text) == shown


@given(text=st.text(max_size=90), bold=st.booleans(), width=st.floats(60, 600), size=st.floats(6, 40))
def test_broken_text_keeps_every_letter_and_the_width(text: str, bold: bool, width: float, size: float) -> None:
    lines, whole = break_text(text, bold=bold, width=width, size=size)

    assert "".join(lines).replace(" ", "") == make_drawable(text).replace(" ", "")
    wide = [line for line in lines if measure_width(line, bold=bold) * size > width + 0.1]
    assert all(len(line) <= 1 for line in wide)  # one letter that is wider than the box
    assert not whole or len(lines) <= MAX_LINES


NAME = "Müller-Lüdenscheidt, Ann-Kathrin"


@pytest.mark.parametrize(
    ("width", "lines", "whole"),
    [
        (300, (NAME,), True),
        (180, ("Müller-Lüdenscheidt,", "Ann-Kathrin"), True),
        (110, ("Müller-", "Lüdenscheidt,", "Ann-Kathrin"), True),
        (60, ("Müller-", "Lüdensc", "heidt,", "Ann-", "Kathrin"), False),
    ],
)
def test_long_name_is_broken_at_a_blank_before_a_hyphen(width: float, lines: tuple[str, ...], whole: bool) -> None:
    assert break_text(NAME, bold=False, width=width, size=14) == (lines, whole)
