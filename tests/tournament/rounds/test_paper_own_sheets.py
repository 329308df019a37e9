"""Score sheets that each player keeps: letters drawn, coordinates, a white page for the starter, a marked one."""

from dataclasses import replace
from typing import Any

import pytest

from scoring.rulesets.values import Ruleset
from tests.tournament.paper import samples
from tests.tournament.paper.samples import HEADER, Drawn
from tournament.models import Tournament
from tournament.pairing.values import StartPolicy
from tournament.paper.sheet import Paper
from tournament.rounds.paper import get_printed_rules
from tournament.rounds.scoresheets import draw_own_sheets, draw_scoresheets

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def rules() -> Ruleset:
    """What the forms state of Wedstrijdscrabble with clocks."""
    return get_printed_rules(Tournament(ruleset="sbnl-wedstrijd", minutes=35))


def test_each_player_of_a_game_has_a_page_the_starter_first(rules: Ruleset) -> None:
    pages = samples.pages(draw_own_sheets(HEADER, samples.round_pairings(4), rules))

    assert ["White sheet: starts" in page for page in pages] == [True, False, True, False]
    assert ["Marked sheet: replies" in page for page in pages] == [False, True, False, True]
    assert all("Round 5 Table 2" in page for page in pages[2:])
    assert "Name: Nguyễn, Thị Hương Opponent: Иванова, Мария" in pages[2]
    assert "Name: Иванова, Мария Opponent: Nguyễn, Thị Hương" in pages[3]


def test_own_turns_have_the_letters_drawn_and_both_players_the_coordinates(rules: Ruleset) -> None:
    for page in samples.pages(draw_own_sheets(HEADER, (), rules)):
        assert page.count("No. Letters drawn Position Word Points Total") == 1
        assert page.count("No. Position Word Points Total") == 1


def test_sums_and_hints_are_those_of_the_book(rules: Ruleset) -> None:
    page, _marked = samples.pages(draw_own_sheets(HEADER, (), rules))

    assert page.count("− challenges that failed or hit a word of one's own (20 each)") == 2
    assert page.count("− turns lost by the jury's word (20 each)") == 2
    assert page.count("− time penalty (10 per minute begun); overtime ___:___") == 2
    assert "Before the first word: once. J: the jury was asked for an exchange." in page
    assert [word for word in ("pass", "Signature", "sign;", "minutes for the whole") if word in page] == []


def test_sheet_without_clocks_states_the_time_of_the_game() -> None:
    untimed = get_printed_rules(Tournament(ruleset="sbnl-wedstrijd", minutes=None))

    page, _marked = samples.pages(draw_own_sheets(HEADER, (), untimed))

    assert "70 minutes for the whole game." in page
    assert "time penalty" not in page


def test_names_are_left_to_the_table_where_the_start_is_drawn(rules: Ruleset) -> None:
    pages = samples.pages(draw_own_sheets(HEADER, samples.round_pairings(2, starts=StartPolicy.DRAWN), rules))

    assert len(pages) == 2
    assert not [page for page in pages if samples.name(0) in page or samples.name(1) in page]


def test_mark_is_hatching_that_survives_grey(rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    slanting: list[float] = []
    rule = Paper.rule

    def watch(paper: Paper, x: float, y: float, to_x: float, to_y: float, *, weight: float = 0.4, **rest: Any) -> None:
        if x != to_x and y != to_y:
            slanting.append(weight)
        rule(paper, x, y, to_x, to_y, weight=weight, **rest)

    monkeypatch.setattr(Paper, "rule", watch)

    draw_own_sheets(HEADER, (), rules)

    assert len(slanting) > 20
    assert min(slanting) >= 1


def test_nothing_overlaps(rules: Ruleset, drawn: list[Drawn]) -> None:
    draw_own_sheets(HEADER, samples.round_pairings(20), rules)

    assert list(samples.overlapping(drawn)) == []


def test_rows_can_be_written_in_by_hand(rules: Ruleset, drawn: list[Drawn]) -> None:
    draw_own_sheets(HEADER, (), rules)

    one, two = (next(each.y for each in drawn if each.text == number) for number in ("21", "22"))
    assert one - two >= 6.2 * 72 / 25.4


def test_documents_take_the_form_of_the_book(rules: Ruleset) -> None:
    whole = get_printed_rules(Tournament(ruleset="sbnl-punten", minutes=None))

    assert (rules.own_sheets, whole.own_sheets) == (True, False)
    assert len(samples.pages(draw_scoresheets(HEADER, (), replace(rules, own_sheets=False)))) == 1
