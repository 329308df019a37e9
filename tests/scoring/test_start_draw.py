"""Who begins by the letters drawn."""

from itertools import pairwise

import pytest

from scoring import start_draw
from scoring.letters import LETTER_SETS
from scoring.rulesets import GENERAL_DE, SBNL_PUNTEN, TSO_2017
from scoring.sheet import Side
from scoring.start_draw import Fault, Problem


@pytest.mark.parametrize(
    ("drawn", "side"),
    [
        pytest.param(("A", "B"), Side.FIRST, id="general rules 3: the letter nearer to A"),
        pytest.param(("Ä", "A"), Side.SECOND, id="general rules 3: Ä right behind A"),
        pytest.param(("Ö", "P"), Side.FIRST, id="general rules 3: Ö before P"),
        pytest.param(("Z", "Ü"), Side.SECOND, id="general rules 3: Ü is not behind Z"),
        pytest.param(("A", "?"), Side.SECOND, id="general rules 3: a blank before A"),
    ],
)
def test_who_begins(drawn, side):
    assert start_draw.begins(drawn, GENERAL_DE) is side
    assert start_draw.begins(drawn[::-1], TSO_2017) is side.other


def test_order_is_that_of_the_set():
    order = [tile.letter for tile in LETTER_SETS["de"].tiles]

    assert order[:4] == ["?", "A", "Ä", "B"]
    assert {start_draw.begins(pair, GENERAL_DE) for pair in pairwise(order)} == {Side.FIRST}


@pytest.mark.parametrize(
    ("drawn", "ruleset", "expected"),
    [
        (("E", "E"), GENERAL_DE, (Problem(Fault.EQUAL, "E"),)),
        (("É", "AB"), GENERAL_DE, (Problem(Fault.NOT_IN_SET, "É"), Problem(Fault.NOT_IN_SET, "AB"))),
        (("?", "B"), SBNL_PUNTEN, (Problem(Fault.BLANK_DRAWN, "?"),)),
        (("?", "?"), SBNL_PUNTEN, (Problem(Fault.BLANK_DRAWN, "?"),)),
        (("?", "?"), GENERAL_DE, (Problem(Fault.EQUAL, "?"),)),
    ],
)
def test_draw_that_says_nothing(drawn, ruleset, expected):
    assert start_draw.problems(drawn, ruleset) == expected
    with pytest.raises(ValueError, match="not a draw"):
        start_draw.begins(drawn, ruleset)
