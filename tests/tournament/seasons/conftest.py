"""The event that most seasons of these tests begin with, made once for the tests of a module."""

import pytest

from tests import factories
from tests.tournament.seasons.steps import ANNA, BERT, event
from tournament.models import Division


@pytest.fixture(scope="module")
def january_of_module(*, shares_rows: bool) -> Division | None:
    return event("Januar", ANNA, BERT) if shares_rows else None


@pytest.fixture
def january(january_of_module: Division | None, db: None) -> Division:
    """Anna beats Bert; it is over."""
    return factories.fresh(january_of_module) if january_of_module else event("Januar", ANNA, BERT)
