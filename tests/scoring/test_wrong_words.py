"""A wrong word that is found after it was laid: what it costs whom, and in which turns there can be one."""

import pytest

from scoring import challenges
from scoring.rulesets.sbnl import SBNL_PUNTEN, SBNL_WEDSTRIJD
from scoring.rulesets.tso import TSO_2017
from scoring.sheet_count import count
from tests.scoring.sheets import FIRST, SECOND, exchange, penalty, play, sheet


@pytest.mark.parametrize(
    ("turn", "points"),
    [
        pytest.param(24, 44, id="Puntenscrabble III-12: the turn and twenty"),
        pytest.param(0, 20, id="Puntenscrabble III-12: blanks alone score nothing"),
        pytest.param(122, 142, id="Puntenscrabble III-12: with the fifty for seven tiles"),
    ],
)
def test_wrong_word_costs_the_turn_and_twenty_more(turn, points):
    found = challenges.wrong_word_cost(turn, SBNL_PUNTEN)

    assert found == points


@pytest.mark.parametrize("ruleset", [SBNL_WEDSTRIJD, TSO_2017])
def test_wrong_word_where_words_are_only_challenged(ruleset):
    assert challenges.wrong_word_cost(24, ruleset) is None


def test_turn_below_zero_is_refused():
    with pytest.raises(ValueError, match="-1"):
        challenges.wrong_word_cost(-1, SBNL_PUNTEN)


def test_turns_in_which_a_word_can_be_wrong():
    lines = (play(FIRST, "8H AB", 99), play(SECOND, "", 12), exchange(FIRST), penalty(SECOND, -5), play(SECOND, "", 9))
    whole = count(sheet(*lines), SBNL_PUNTEN)

    own = {
        side: [(each.number, each.points) for each in challenges.word_turns(whole, side)] for side in (FIRST, SECOND)
    }

    assert own == {FIRST: [(1, whole.lines[0].worked)], SECOND: [(2, 12), (5, 9)]}
