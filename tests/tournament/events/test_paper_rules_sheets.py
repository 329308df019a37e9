"""What score sheets and slips state of a ruleset."""

import pytest

from tournament.models import Tournament
from tournament.rounds.paper import build_printed_rules

pytestmark = pytest.mark.usefixtures("english")


@pytest.mark.parametrize(
    ("ruleset", "passing", "failed", "overtime", "tiles"),
    [
        ("tso-2010", True, 10, 10, 102),
        ("general-de", True, 5, 0, 102),
        ("sbnl-punten", False, 0, 0, 102),
        ("sbnl-wedstrijd", False, 20, 10, 102),
        ("sbnl-duplicate", False, 0, 0, 102),
    ],
)
def test_forms_follow_the_ruleset(ruleset: str, passing: bool, failed: int, overtime: int, tiles: int) -> None:
    rules = build_printed_rules(Tournament(ruleset=ruleset))

    assert (rules.passing, rules.failed_challenge, rules.overtime_points) == (passing, failed, overtime)
    assert sum(tile.count for tile in rules.tiles) == tiles
