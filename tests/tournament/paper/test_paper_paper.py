"""Pages: their size, head and foot, the fonts, and equal files for equal values."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, RULES, Drawn
from tournament.events.paper import render_announcement
from tournament.paper.documents import render_notice
from tournament.paper.lettering import make_drawable
from tournament.paper.sheet import Paper, PaperHeader, split_into_pages
from tournament.rounds.paper import draw_pairings_by_name, draw_pairings_by_table, draw_result_slips
from tournament.rounds.scoresheets import draw_scoresheets
from tournament.table.paper import draw_cross_table, draw_standings

pytestmark = pytest.mark.usefixtures("english")


DRAWN: dict[str, Callable[[PaperHeader], bytes]] = {
    "pairings": lambda header: draw_pairings_by_table(header, samples.round_pairings(31)),
    "pairings-by-name": lambda header: draw_pairings_by_name(header, samples.round_pairings(31)),
    "standings": lambda header: draw_standings(header, samples.public_table(40), ()),
    "crosstable": lambda header: draw_cross_table(header, samples.cross_sheet(23, 17)),
    "matrix": lambda header: draw_cross_table(header, samples.cross_sheet(9, 8, matrix=True)),
    "result-slips": lambda header: draw_result_slips(header, samples.round_pairings(15), RULES),
    "scoresheets": lambda header: draw_scoresheets(header, samples.round_pairings(5), RULES),
    "blank-slips": lambda header: draw_result_slips(header, (), RULES),
    "blank-sheet": lambda header: draw_scoresheets(header, (), RULES),
    "announcement": lambda header: render_announcement(header, samples.sections(30)),
    "notice": lambda header: render_notice(header, "Table", "Nobody has been entered yet."),
}
ACROSS = {"crosstable", "matrix"}
every_document = pytest.mark.parametrize("name", DRAWN)


@every_document
@pytest.mark.sampled(3)
def test_pages_are_a4(name: str) -> None:
    found = samples.reader(DRAWN[name](HEADER))

    sizes = {(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in found.pages}
    assert sizes == {(842, 595) if name in ACROSS else (595, 842)}


@every_document
@pytest.mark.sampled(3)
def test_fonts_are_embedded(name: str) -> None:
    found = samples.reader(DRAWN[name](HEADER))

    fonts = [font.get_object() for page in found.pages for font in page["/Resources"]["/Font"].values()]
    drawn_with = [font for font in fonts if "DejaVu" in font["/BaseFont"]]
    assert drawn_with
    assert all("/FontFile2" in font["/FontDescriptor"] for font in drawn_with)


def test_more_letters_than_a_part_of_a_font_holds_are_all_read_back() -> None:
    """Parts hold some 250 letters: these are 560, and the last line is of the first, the second and the third part."""
    letters = [
        letter for letter in map(chr, range(0x21, 0x500)) if letter.isalpha() and make_drawable(letter) == letter
    ]
    lines = ["".join(letters[start : start + 30]) for start in range(0, 560, 30)] + [
        "A(\\)" + letters[400] + letters[550]
    ]
    paper = Paper(HEADER, "Letters")

    for line in paper.pages(lines):
        paper.write(paper.content, line, size=9)

    pages = samples.pages(paper.done())
    assert len(letters) > 560
    assert [line in page for line, page in zip(lines, pages, strict=True)] == [True] * len(lines)


@pytest.mark.sampled(4)
@every_document
def test_equal_values_give_equal_files(name: str) -> None:
    assert DRAWN[name](HEADER) == DRAWN[name](HEADER)


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that take turns all the time, so that what they share shows."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.long
@pytest.mark.usefixtures("hasty_threads")
def test_documents_drawn_at_once_are_those_drawn_one_by_one() -> None:
    names = list(DRAWN) * 3
    alone = [DRAWN[name](HEADER) for name in names]

    with ThreadPoolExecutor(max_workers=8) as threads:
        at_once = list(threads.map(lambda name: _in_english(DRAWN[name]), names))

    assert at_once == alone


def _in_english(draw: Callable[[PaperHeader], bytes]) -> bytes:
    with translation.override("en"):
        return draw(HEADER)


@pytest.mark.sampled(4)
@every_document
def test_another_time_of_printing_gives_another_file(name: str) -> None:
    later = replace(HEADER, printed_at=datetime(2026, 10, 3, 12, 6, tzinfo=UTC))

    assert DRAWN[name](HEADER) != DRAWN[name](later)


@every_document
@pytest.mark.sampled(3)
def test_file_says_what_it_is(name: str) -> None:
    found = samples.reader(DRAWN[name](HEADER))

    assert "Herbst-Cup 2026" in found.metadata.title
    assert found.metadata.author == "Herbst-Cup 2026"
    assert found.metadata.creation_date == HEADER.printed_at
    assert found.trailer["/Root"]["/Lang"] == "en"


@every_document
@pytest.mark.sampled(3)
def test_file_is_in_the_active_language(name: str) -> None:
    with translation.override("de"):
        found = samples.reader(DRAWN[name](HEADER))

    assert found.trailer["/Root"]["/Lang"] == "de"


@pytest.mark.sampled(4)
@every_document
def test_text_stays_on_the_page_and_apart(name: str, drawn: list[Drawn]) -> None:
    DRAWN[name](HEADER)

    width, height = (842, 595) if name in ACROSS else (595, 842)
    assert all(each.x >= 0 and each.x + each.width <= width for each in drawn)
    assert all(each.y >= 8 and each.y + each.size <= height for each in drawn)
    assert list(samples.overlapping(drawn)) == []


@pytest.mark.sampled(4)
@every_document
def test_text_stays_apart_under_a_long_name_of_the_event(name: str, drawn: list[Drawn]) -> None:
    DRAWN[name](replace(HEADER, event="Internationale Scrabble-Meisterschaft von Deutschland und seinen Nachbarn " * 2))

    assert list(samples.overlapping(drawn)) == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", sorted(DRAWN.keys() - {"result-slips", "blank-slips"}))
def test_every_page_has_event_time_and_number(name: str) -> None:
    pages = samples.pages(DRAWN[name](HEADER))

    for number, page in enumerate(pages, 1):
        assert "Herbst-Cup 2026 · A · Fulda · 3–4 October 2026" in page
        assert "Printed 3 October 2026, 14:05" in page
        assert f"Page {number} of {len(pages)}" in page


@given(items=st.lists(st.integers(), max_size=400), most=st.integers(1, 60))
def test_share_spreads_items_evenly(items: list[int], most: int) -> None:
    shared = split_into_pages(items, most)

    assert [item for page in shared for item in page] == items
    assert len(shared) == -(-len(items) // most)
    assert all(page and len(page) <= most for page in shared)
    assert max(map(len, shared), default=0) - min(map(len, shared), default=0) <= 1
