"""Who begins by the letters drawn."""

from itertools import pairwise

import pytest

from scoring import start_draw
from scoring.letters import LETTER_SETS
from scoring.rulesets.general import GENERAL_DE
from scoring.rulesets.sbnl import SBNL_PUNTEN
from scoring.rulesets.tso import TSO_2017
from scoring.sheet_values import Side
from scoring.start_draw import StartDrawFault, StartDrawProblem


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
    assert start_draw.starting_side(drawn, GENERAL_DE) is side
    assert start_draw.starting_side(drawn[::-1], TSO_2017) is side.other


def test_order_is_that_of_the_set():
    order = [tile.letter for tile in LETTER_SETS["de"].tiles]

    assert order[:4] == ["?", "A", "Ä", "B"]
    assert {start_draw.starting_side(pair, GENERAL_DE) for pair in pairwise(order)} == {Side.FIRST}


@pytest.mark.parametrize(
    ("drawn", "ruleset", "expected"),
    [
        (("E", "E"), GENERAL_DE, (StartDrawProblem(StartDrawFault.EQUAL, "E"),)),
        (
            ("É", "AB"),
            GENERAL_DE,
            (StartDrawProblem(StartDrawFault.NOT_IN_SET, "É"), StartDrawProblem(StartDrawFault.NOT_IN_SET, "AB")),
        ),
        (("?", "B"), SBNL_PUNTEN, (StartDrawProblem(StartDrawFault.BLANK_DRAWN, "?"),)),
        (("?", "?"), SBNL_PUNTEN, (StartDrawProblem(StartDrawFault.BLANK_DRAWN, "?"),)),
        (("?", "?"), GENERAL_DE, (StartDrawProblem(StartDrawFault.EQUAL, "?"),)),
    ],
)
def test_draw_that_says_nothing(drawn, ruleset, expected):
    assert start_draw.problems(drawn, ruleset) == expected
    with pytest.raises(ValueError, match="not a draw"):
        start_draw.starting_side(drawn, ruleset)
