"""What score sheets and slips state of a ruleset."""

import pytest

from scoring.letters import LETTER_SETS
from tournament.models import Tournament
from tournament.rounds.paper import get_printed_rules

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
    rules = get_printed_rules(Tournament(ruleset=ruleset))

    price = rules.challenges.failed_penalty if rules.challenges else 0
    assert (rules.passes_to_end is not None, price, rules.overtime_points) == (passing, failed, overtime)
    assert sum(tile.count for tile in LETTER_SETS[rules.letters].tiles) == tiles
