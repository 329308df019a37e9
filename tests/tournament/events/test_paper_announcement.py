"""The announcement on paper."""

import pytest
from django.utils import translation

from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, Drawn
from tournament.events.paper import AnnouncementSection, render_announcement
from tournament.paper.hyphens import SOFT_HYPHEN

pytestmark = pytest.mark.usefixtures("english")


@pytest.mark.parametrize("facts", range(38, 52))
@pytest.mark.sampled(4)
def test_heading_is_never_parted_from_its_first_fact(facts: int) -> None:
    filler = AnnouncementSection("Plan of rounds", tuple((f"Round {number}", "Swiss") for number in range(facts)))
    last = AnnouncementSection("Exceptions", (("Beispiel, Anna", "5 minutes more"),))

    pages = samples.pages(render_announcement(HEADER, (filler, last)))

    [with_heading] = [page for page in pages if "Exceptions" in page]
    assert "Exceptions Beispiel, Anna 5 minutes more" in with_heading


@pytest.mark.parametrize("exceptions", range(18, 26))
def test_second_line_of_a_fact_stays_with_the_first(exceptions: int, drawn: list[Drawn]) -> None:
    render_announcement(HEADER, samples.sections(exceptions))

    begins = [each.page for each in drawn if "needs large letters" in each.text]
    ends = [each.page for each in drawn if each.text.endswith("on Saturdays")]
    assert len(begins) == exceptions
    assert begins == ends


def test_text_keeps_its_paragraphs(drawn: list[Drawn]) -> None:
    render_announcement(HEADER, samples.sections(0))

    above, below, *facts = (
        next(each.y for each in drawn if each.text.startswith(text))
        for text in ("Welcome", "The fee", "Ruleset", "Time per player")
    )
    line = facts[0] - facts[1]
    assert above - below == pytest.approx(2 * line)


def test_text_of_many_pages_loses_nothing() -> None:
    words = [f"word{number}" for number in range(4000)]

    pages = samples.pages(render_announcement(HEADER, (AnnouncementSection("", (("", " ".join(words)),)),)))

    assert len(pages) > 5
    assert [word for page in pages for word in page.split() if word.startswith("word")] == words


def test_announcement_of_nothing_is_one_page() -> None:
    assert len(samples.pages(render_announcement(HEADER, ()))) == 1


@pytest.mark.parametrize("hyphens", [True, False])
@pytest.mark.sampled(1)
def test_long_words_of_the_program_are_broken_and_those_of_people_are_not(hyphens: bool, drawn: list[Drawn]) -> None:
    text = " ".join(["Schiedsrichterprotokoll Turnierspielordnung"] * 8)

    with translation.override("de"):
        render_announcement(HEADER, (AnnouncementSection("", (("", text),), hyphens=hyphens),))

    assert any(each.text.endswith("-") for each in drawn) is hyphens
    assert all(SOFT_HYPHEN not in each.text for each in drawn)
