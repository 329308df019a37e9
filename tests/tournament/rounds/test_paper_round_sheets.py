"""A round from its rows to what is printed of it."""

import pytest

from tests import factories
from tournament.entries.operations.attendance import set_absence
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.paper import build_round_sheet

pytestmark = [pytest.mark.usefixtures("english"), pytest.mark.django_db]


def test_bye_and_absence_credit_what_the_tournament_says() -> None:
    division = factories.event(players=4, bye_spread=30, bye_points=350, loss_spread=-80)
    set_absence(division.entries.get(position=4), number=1, counts_as_loss=True, actor=factories.director())

    sheet = build_round_sheet(division, draft_round(division, actor=factories.director(), wish=DrawWish()))

    assert sheet is not None
    notes = [line.note for line in sheet.lines if line.second is None]
    assert notes == [
        "Bye: counts as a win with +30 and 350 points.",
        "Absent: counts as a loss with −80.",
    ]
