"""When somebody may exchange (TSO 3.2, SBNL): what the sheets' own tests do not ask."""

import pytest

from scoring import exchanges
from scoring.rulesets.sbnl import SBNL_DUPLICATE
from scoring.rulesets.tso import TSO_2010
from scoring.sheet_values import LineKind


@pytest.mark.parametrize("in_bag", [None, 0, 7])
def test_where_no_rule_speaks_of_exchanges_everybody_can(in_bag: int | None) -> None:
    assert exchanges.can_exchange(SBNL_DUPLICATE, [LineKind.PLAY], in_bag)


@pytest.mark.parametrize(("in_bag", "can"), [(None, True), (6, False), (7, True)])
def test_bag_needs_seven_tiles(in_bag: int | None, can: bool) -> None:
    """TSO 3.2.1."""
    assert exchanges.can_exchange(TSO_2010, [LineKind.PLAY], in_bag) == can
