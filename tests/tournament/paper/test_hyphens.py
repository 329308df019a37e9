"""Long words are broken by the rules of their language, and only where a text has one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.paper.hyphens import SHORTEST_WORD, SOFT_HYPHEN, mark_hyphens
from tournament.paper.lettering import ELLIPSIS, fit_text, make_drawable, measure_width, wrap_text

WORDS = "Wertungszahlen Schiedsrichterprotokoll Turnierspielordnung"


@pytest.mark.parametrize(
    ("language", "text", "marked"),
    [
        ("de", "Schiedsrichterprotokoll", "Schieds|rich|ter|pro|to|koll"),
        ("de", "Best-of-Wertungszahlen (TSO 6.1)", "Best-of-Wer|tungs|zah|len (TSO 6.1)"),
        ("nl", "scheidsrechter", "scheids|rech|ter"),
        ("en", "competition", "com|pet|i|tion"),
        ("de", "Differenz", "Differenz"),
        ("xx", "Schiedsrichterprotokoll", "Schiedsrichterprotokoll"),
        ("", "Schiedsrichterprotokoll", "Schiedsrichterprotokoll"),
    ],
)
def test_words_of_ten_letters_are_broken_by_their_language(language: str, text: str, marked: str) -> None:
    assert len("Differenz") < SHORTEST_WORD
    assert mark_hyphens(text, language).replace(SOFT_HYPHEN, "|") == marked


@given(
    text=st.text("abcdeSchlungz -/", max_size=90) | st.just(WORDS),
    language=st.sampled_from(["de", "nl", "en"]),
    width=st.floats(20, 300),
    height=st.floats(10, 60),
)
def test_hyphened_text_stays_in_its_box_and_keeps_every_letter(
    text: str, language: str, width: float, height: float
) -> None:
    fitted = fit_text(text, bold=True, width=width, height=height, size=12, language=language)

    assert all(measure_width(line, bold=True) * fitted.size <= width + 0.1 for line in fitted.lines)
    shown, whole = "".join(fitted.lines).translate(BARE), make_drawable(text).translate(BARE)
    assert whole.startswith(shown) if fitted.is_cut else shown == whole


BARE = str.maketrans("", "", f" -{ELLIPSIS}")


def test_a_heading_is_broken_at_a_syllable_with_a_hyphen_and_a_name_gets_none() -> None:
    box = {"bold": True, "width": 70.0, "height": 30.0, "size": 10.0}

    assert fit_text("Schiedsrichterprotokoll", **box, language="de").lines == ("Schiedsrich-", "terprotokoll")
    assert fit_text("Schiedsrichterprotokoll", **box).lines == ("Schiedsricht", "erprotokoll")


def test_lines_are_filled_up_to_a_syllable() -> None:
    lines = wrap_text(mark_hyphens(WORDS, "de"), bold=False, width=13)

    assert lines == ("Wertungszahlen Schieds-", "richterprotokoll Turnier-", "spielordnung")
