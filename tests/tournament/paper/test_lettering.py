"""Text fits its box, whatever it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.paper.samples import SIXTY
from tournament.paper.lettering import (
    LARGE_ENOUGH,
    LEADING,
    SMALLER_RATIO,
    FittedText,
    find_common_size,
    fit_text,
    fit_text_at_size,
    make_drawable,
    measure_width,
    wrap_text,
)


@given(
    text=st.text(max_size=90),
    bold=st.booleans(),
    width=st.floats(20, 600),
    height=st.floats(6, 60),
    size=st.floats(4, 40),
)
def test_fit_never_leaves_the_box(text: str, bold: bool, width: float, height: float, size: float) -> None:
    fitted = fit_text(text, bold=bold, width=width, height=height, size=size)

    assert all(measure_width(line, bold=bold) * fitted.size <= width + 0.1 for line in fitted.lines)
    assert len(fitted.lines) * fitted.size * LEADING <= height + 0.1
    assert fitted.size <= size


@given(text=st.text(max_size=90), width=st.floats(20, 300))
def test_fit_keeps_every_letter(text: str, width: float) -> None:
    fitted = fit_text(text, bold=False, width=width, height=40, size=12)

    assert "".join(fitted.lines).replace(" ", "") == make_drawable(text).replace(" ", "")


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


@given(
    text=st.text(max_size=90),
    bold=st.booleans(),
    width=st.floats(20, 600),
    height=st.floats(8, 60),
    size=st.floats(6, 40),
)
def test_set_at_never_leaves_the_box(text: str, bold: bool, width: float, height: float, size: float) -> None:
    size = min(size, height / LEADING)

    fitted = fit_text_at_size(text, bold=bold, width=width, height=height, size=size)

    assert len(fitted.lines) <= 2
    assert len(fitted.lines) * fitted.size * LEADING <= height + 0.1
    assert fitted.size <= size
    wide = [line for line in fitted.lines if measure_width(line, bold=bold) * fitted.size > width + 0.1]
    assert all(len(line) <= 2 for line in wide)  # one letter and the ellipsis, where not even they fit


NAME = "Müller-Lüdenscheidt, Ann-Kathrin"


@pytest.mark.parametrize(
    ("width", "height", "lines", "size"),
    [
        (300, 20, (NAME,), 14),
        (180, 40, ("Müller-Lüdenscheidt,", "Ann-Kathrin"), 14),
        (130, 40, ("Müller-Lüdenscheidt,", "Ann-Kathrin"), 12.4),
        (90, 40, ("Müller-", "Lüdenscheidt, Ann…"), 8.7),
        (90, 12, ("Müller…",), 8.7),
        (20, 12, ("M…",), 8.7),
    ],
)
def test_long_name_takes_two_lines_before_it_is_cut(
    width: float, height: float, lines: tuple[str, ...], size: float
) -> None:
    fitted = fit_text_at_size(NAME, bold=False, width=width, height=height, size=14)

    assert fitted.lines == lines
    assert fitted.size == pytest.approx(size, abs=0.05)


def test_long_name_among_large_ones_is_whole_as_long_as_it_can_be_read_well() -> None:
    fitted = fit_text_at_size(NAME, bold=True, width=180, height=46, size=26)

    assert fitted.lines == ("Müller-Lüdenscheidt,", "Ann-Kathrin")
    assert LARGE_ENOUGH <= fitted.size < 26 * SMALLER_RATIO


def test_one_size_is_that_of_the_longest_text() -> None:
    texts = [("Beispiel, Anna", False, 100.0), ("Beispiel, Annabelle", False, 100.0)]

    size = find_common_size(texts, height=14, size=14)

    assert size == pytest.approx(100 / measure_width("Beispiel, Annabelle", bold=False), abs=0.01)


def test_one_very_long_text_does_not_make_the_others_small() -> None:
    texts = [("Beispiel, Anna", False, 120.0)] * 20 + [(SIXTY, False, 120.0)]

    assert find_common_size(texts, height=17, size=13) == 13


def test_one_size_without_texts_is_the_size_wished_for() -> None:
    assert find_common_size([], height=10, size=9) == 9
