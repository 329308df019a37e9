"""Two directors who act on one knock-out in the same moment."""

import pytest

from tests import factories
from tests.threads import at_once
from tests.tournament.knockout import knockouts
from tournament.knockout.operations import SeedsConfirmed, confirm_seeds
from tournament.models import Pairing, Result, Round, Seed
from tournament.results.knockout_games import LaterGamesDisturbed

pytestmark = pytest.mark.django_db(transaction=True)


def test_both_semifinals_at_once_lay_out_one_final() -> None:
    division = knockouts.seeded()

    found = at_once(
        lambda: knockouts.play(division, 1, 1, 1, 420, 380), lambda: knockouts.play(division, 1, 2, 1, 380, 420)
    )

    assert all(isinstance(each, Result) for each in found), found
    assert knockouts.games(division)[2, 1, 1] == ("P01", "P03")
    assert Round.objects.filter(number=1201).count() == 1
    assert knockouts.replayed(division) == []


def test_seeding_at_once_confirms_one_and_tells_the_other() -> None:
    division = factories.event(players=6, rounds=1)
    factories.played(division)
    knockouts.announce(division, 2)
    field, actor = knockouts.field(division), factories.director()

    found = at_once(
        lambda: confirm_seeds(division, seeds=field[:2], actor=actor),
        lambda: confirm_seeds(factories.fresh(division), seeds=field[2:4], actor=actor),
    )

    assert sum(isinstance(each, SeedsConfirmed) for each in found) == 1, found
    assert Seed.objects.count() == 2
    assert Pairing.objects.filter(round__stage=1).count() == 1


def test_the_final_and_a_correction_under_it_at_once_lose_nothing_unasked() -> None:
    division = knockouts.seeded()
    knockouts.semis(division)
    final = knockouts.game(division, 2)

    found = at_once(
        lambda: knockouts.play(division, 2, 1, 1, 431, 388), lambda: knockouts.play(division, 1, 1, 1, 380, 420)
    )

    corrected = [each for each in found if isinstance(each, LaterGamesDisturbed)]
    if corrected:
        assert Result.objects.filter(pairing=final, official=True).exists()
    else:
        assert knockouts.games(division)[2, 1, 1] == ("P04", "P02")
        assert not Result.objects.filter(pairing__round__stage=2).exists()
    assert knockouts.replayed(division) == []
