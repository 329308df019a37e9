"""Score sheets."""

from collections import Counter
from dataclasses import replace

import pytest

from scoring import letters
from scoring.clauses import Clauses
from scoring.rulesets.values import ChallengeRules, PenaltyUnit
from tests.tournament.paper import samples
from tests.tournament.paper.samples import BARE_RULES, HEADER, RULES, Drawn
from tournament.models import Tournament
from tournament.rounds.paper import get_printed_rules
from tournament.rounds.scoresheets import TURN_ROWS, draw_scoresheets

pytestmark = pytest.mark.usefixtures("english")


def test_each_game_has_a_page_with_its_names() -> None:
    pages = samples.pages(draw_scoresheets(HEADER, samples.round_pairings(5), RULES))

    assert len(pages) == 2
    assert "Round 5 Table 2" in pages[1]
    assert "Nguyễn, Thị Hương starts" in pages[1]
    assert "Иванова, Мария replies" in pages[1]


def test_every_page_has_the_form() -> None:
    pages = samples.pages(draw_scoresheets(HEADER, samples.round_pairings(6), RULES))

    for page in pages:
        assert page.count("No. Word Points Total") == 2
        assert page.count("Signature:") == 2
        assert page.count("+ or − leftover tiles") == 2
        assert page.count("− failed challenges (10 for each word)") == 2
        assert page.count("− time penalty (10 per minute begun)") == 2
        assert page.count("Final score") == 2
        assert "The blanks stand for:" in page


@pytest.mark.parametrize("key", sorted(letters.LETTER_SETS))
def test_strip_holds_every_tile_of_the_set(key: str, drawn: list[Drawn]) -> None:
    tiles = letters.LETTER_SETS[key].tiles

    draw_scoresheets(HEADER, (), replace(BARE_RULES, letters=key))

    lowest = min(each.y for each in drawn if each.text == "The blanks stand for:")
    shown = Counter(each.text for each in drawn if each.y < lowest and each.text in {tile.letter for tile in tiles})
    assert shown == {tile.letter: tile.count for tile in tiles if tile.letter != letters.BLANK}
    assert list(samples.overlapping(drawn)) == []


def test_blank_sheet_has_lines_for_the_names() -> None:
    [page] = samples.pages(draw_scoresheets(HEADER, (), RULES))

    assert page.count("Name:") == 2
    assert page.count("starts") == 2


def test_round_without_games_gives_a_blank_sheet() -> None:
    [page] = samples.pages(draw_scoresheets(HEADER, samples.round_pairings(1), RULES))

    assert page.count("Name:") == 2


def test_rules_without_clock_challenges_and_passing_leave_them_out(drawn: list[Drawn]) -> None:
    draw_scoresheets(HEADER, (), BARE_RULES)

    lowest = min(each.y for each in drawn if each.text == "The blanks stand for:")
    texts = [each.text for each in drawn if each.y > lowest]  # above the tiles
    assert not [text for text in texts if "time penalty" in text or "challenges" in text]
    assert "P" not in texts
    assert texts.count("E") == 2 * TURN_ROWS


def test_challenge_is_priced_once_where_the_rules_say_so() -> None:
    [page] = samples.pages(
        draw_scoresheets(HEADER, (), replace(BARE_RULES, challenges=ChallengeRules(5, PenaltyUnit.CHALLENGE)))
    )

    assert "− failed challenges (5 each)" in page


def test_rows_can_be_written_in_by_hand(drawn: list[Drawn]) -> None:
    draw_scoresheets(HEADER, (), RULES)

    one, two = (next(each.y for each in drawn if each.text == number) for number in ("21", "22"))
    assert one - two >= 6.2 * 72 / 25.4


PUNTEN = get_printed_rules(Tournament(ruleset="sbnl-punten", minutes=None))


def test_sheet_of_puntenscrabble_has_what_the_book_has() -> None:
    """Nobody passes, challenges or signs; a wrong word found later costs the turn's points and twenty more (III-12)."""
    [page] = samples.pages(draw_scoresheets(HEADER, (), PUNTEN))

    assert page.count("− wrong words (the turn's points and 20)") == 2
    assert "with 16 tiles or more in the bag, after a turn that laid a tile." in page
    assert "Before the first word: up to 3 times in a row. 90 minutes for the whole game." in page
    assert [word for word in ("pass", "challenge", "time penalty", "Signature", "sign;", "jury") if word in page] == []


@pytest.mark.parametrize(("signing", "times"), [("TSO 5.4", 2), ("", 0)])
def test_players_sign_where_the_book_says_so(signing: str, times: int) -> None:
    [page] = samples.pages(draw_scoresheets(HEADER, (), replace(BARE_RULES, clauses=Clauses(signing=signing))))

    assert (page.count("Signature:"), "Both sign" in page) == (times, bool(times))
