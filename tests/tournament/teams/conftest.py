"""Four teams that meet at two boards, made once for the tests of a module."""

import pytest

from tests import factories
from tests.tournament.teams.test_team_matches import FOUR, league
from tournament.models import Division


@pytest.fixture(scope="module")
def four_teams_of_module(*, shares_rows: bool) -> Division | None:
    return league(*FOUR) if shares_rows else None


@pytest.fixture
def four_teams(four_teams_of_module: Division | None, db: None) -> Division:
    """Aachen with a reserve, Berlin, Celle and Dresden; no round is drawn."""
    return factories.fresh(four_teams_of_module) if four_teams_of_module else league(*FOUR)
