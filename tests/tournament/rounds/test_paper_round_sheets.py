"""A round from its rows to what is printed of it."""

import pytest

from tests import factories
from tests.tournament.paper import samples
from tournament.entries.operations.attendance import set_absence
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.rounds.paper import draw_pairings_by_table, list_printed_pairings

pytestmark = [pytest.mark.usefixtures("english"), pytest.mark.django_db]


def test_bye_and_absence_credit_what_the_tournament_says() -> None:
    division = factories.event(players=4, bye_spread=30, bye_points=350, loss_spread=-80)
    set_absence(division.entries.get(position=4), number=1, counts_as_loss=True, actor=factories.director())

    pairings = list_printed_pairings(division, draft_round(division, actor=factories.director(), wish=DrawWish()))
    [page] = samples.pages(draw_pairings_by_table(samples.HEADER, pairings))

    bye, absent = "Bye: counts as a win with +30 and 350 points.", "Absent: counts as a loss with −80."
    assert 0 < page.find(bye) < page.find(absent)
