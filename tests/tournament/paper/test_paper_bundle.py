"""Everything for a round in one file."""

import io

import pytest
from pypdf import PdfReader

from tests import factories
from tournament.files.print_room import render_document
from tournament.models import Division

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=5)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def read(content: bytes) -> tuple[str, list[str]]:
    """The file's title and what its pages begin with."""
    reader = PdfReader(io.BytesIO(content))
    title = reader.metadata.title if reader.metadata else None
    return title or "", [page.extract_text() for page in reader.pages]


def test_round_has_lists_table_and_slips(division: Division) -> None:
    factories.played(division)
    second = factories.published(division)

    title, pages = read(render_document("round", division, second))

    assert title == "Round 2 – Herbst-Cup"
    wanted = ["Round 2: Pairings by table", "Round 2: Pairings by name", "Standings after round 1", "Table"]
    assert [want in page for want, page in zip(wanted, pages, strict=True)] == [True] * 4


def test_first_round_has_no_table_before_it(division: Division) -> None:
    factories.draft(division)

    _title, pages = read(render_document("round", division))

    assert len(pages) == 3
    assert not any("Standings after" in page for page in pages)


def test_without_a_round_the_page_says_so(division: Division) -> None:
    _title, pages = read(render_document("round", division))

    assert "There is no round to print yet." in pages[0]


def test_same_rows_give_the_same_bytes(division: Division) -> None:
    made = factories.published(division)
    at = made.published_at

    assert len({render_document("round", division, made, printed_at=at) for _again in range(2)}) == 1
