"""The bracket on paper: one page up to 32 players, legible, nothing over anything else, winners marked."""

from dataclasses import replace

import pytest

from scoring.knockout_values import KnockoutRules, MatchFormat
from tests.tournament import brackets
from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, Drawn
from tournament.knockout.layout import WINNER, BracketPicture, lay_out_bracket
from tournament.knockout.paper import build_bracket_pages, draw_bracket, fit_bracket_measures
from tournament.knockout.words import build_bracket_picture
from tournament.paper.boxes import Box
from tournament.paper.sheet import Paper

pytestmark = pytest.mark.usefixtures("english")


FACTS = [("Each match", "two games, the points of both together (TSO 6.2.2)"), ("Level matches", "highest game, lot")]
LEGIBLE = 7
"""Points: names of usual length on a bracket of 32."""


def picture(size: int, *, games: int = 1000) -> BracketPicture:
    rules = KnockoutRules(MatchFormat.DOUBLE, third_place=size > 3)
    return build_bracket_picture(brackets.play_bracket(size, rules, games=games), brackets.names(size))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("size", "count"), [(2, 1), (3, 1), (8, 1), (16, 1), (17, 3), (32, 3), (64, 7)])
def test_pages(size: int, count: int) -> None:
    pages = samples.pages(draw_bracket(HEADER, picture(size), FACTS))

    assert len(pages) == count
    assert all(page.startswith("Herbst-Cup 2026 · A · Fulda") for page in pages)
    assert all(f"Page {number} of {count}" in page for number, page in enumerate(pages, 1))
    assert all("Each match: two games" in page for page in pages)


def test_bracket_of_32_takes_one_page_where_all_names_have_room() -> None:
    rules = KnockoutRules(MatchFormat.DOUBLE)
    names = dict.fromkeys(brackets.names(32), "Beispiel, Jörg")
    shown = build_bracket_picture(brackets.play_bracket(32, rules, games=1000), names)

    assert len(samples.pages(draw_bracket(HEADER, shown, FACTS))) == 1


def test_halves_say_which_they_are_and_the_last_page_shows_the_end() -> None:
    upper, lower, end = samples.pages(draw_bracket(HEADER, picture(32), FACTS))
    parts = samples.pages(draw_bracket(HEADER, picture(64), FACTS))

    assert ("Upper half" in upper, "Lower half" in lower) == (True, True)
    assert ("Upper half 1" in parts[0], "Lower half" in parts[-2]) == (True, True)
    assert [stage in end for stage in ("Round of 16", "Quarter-finals", "Match for third place")] == [False, True, True]
    assert "Winner of the knock-out" in end


@pytest.mark.parametrize("size", range(2, 65))
@pytest.mark.sampled(21)
def test_bracket_fits_its_page(size: int) -> None:
    content = Paper(HEADER, "", wide=True).content
    room = Box(0, 0, content.width, content.height)
    whole = build_bracket_picture(
        brackets.open_bracket(size, KnockoutRules(MatchFormat.SINGLE, third_place=size > 3)), brackets.names(size)
    )

    for _title, part in build_bracket_pages(replace(whole, champion="Řezníček, Tomáš"), content):
        layout = lay_out_bracket(part, fit_bracket_measures(part, content))
        assert layout.width <= room.width + 0.01
        assert layout.height <= room.height + 0.01
        assert layout.measures.size >= LEGIBLE


@pytest.mark.sampled(4)
@pytest.mark.parametrize("games", [0, 9, 1000])
@pytest.mark.parametrize("size", [2, 5, 12, 32, 33, 64])
def test_nothing_is_printed_over_anything_else(size: int, games: int, drawn: list[Drawn]) -> None:
    draw_bracket(HEADER, picture(size, games=games), FACTS)

    assert list(samples.overlapping(drawn)) == []


def test_names_are_whole_and_the_usual_ones_have_one_size(drawn: list[Drawn]) -> None:
    draw_bracket(HEADER, picture(16), FACTS)

    shown = "".join(line.text for line in drawn).replace(" ", "")
    people = [name.replace(" ", "") for name in brackets.names(16).values() if name != samples.SIXTY]
    assert [name for name in people if name not in shown] == []
    assert len({line.size for line in drawn if line.text in ("Křížová, Zoë", "GROẞ, ÅSE", "Beispiel 010, Jörg")}) == 1


def test_names_of_a_large_bracket_are_legible(drawn: list[Drawn]) -> None:
    draw_bracket(HEADER, picture(32), FACTS)

    assert min(line.size for line in drawn if line.text == "Křížová, Zoë") >= LEGIBLE


def test_winner_is_bold_and_marked_and_open_places_are_named(drawn: list[Drawn]) -> None:
    stands = brackets.play_bracket(4, games=1)

    draw_bracket(HEADER, build_bracket_picture(stands, brackets.names(4)), FACTS)

    texts = [line.text for line in drawn]
    winner = stands.match(1, 1).winner
    assert winner is not None
    assert brackets.names(4)[winner].startswith(texts[texts.index(WINNER) + 1])
    assert texts.count(WINNER) == 1
    assert "winner of Semi-final 2" in texts


def test_byes_are_printed_as_byes(drawn: list[Drawn]) -> None:
    draw_bracket(HEADER, picture(5, games=0), FACTS)

    assert [line.text for line in drawn].count("bye") == 3
