"""The Herbst-Cup with its four players, made once for the tests of a module: all of them see it so."""

import pytest

from tests.tournament.conftest import enter_four, make_cup
from tournament.models import Tournament


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament | None:
    if not shares_rows:
        return None
    cup = make_cup()
    enter_four(cup.divisions.get(name="A"))
    return cup
