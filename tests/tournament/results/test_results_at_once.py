"""Two who enter the result of one table at once."""

from typing import Any

import pytest

from scoring.awards import Outcome
from tests import factories
from tests.threads import at_once
from tournament.core.change import TERMINAL_ACTOR, Actor
from tournament.core.reports import PlayerReport, Report
from tournament.models import Pairing, Result, Round
from tournament.results.operations import (
    ResultChanged,
    record_result,
)


def score(first: int | None, second: int | None, outcome: Outcome = Outcome.PLAYED, **more: Any) -> Report:
    return Report(outcome, PlayerReport(first), PlayerReport(second), **more)


def game(round: Round, table: int = 1) -> Pairing:
    found = Pairing.objects.select_related("round__division__tournament").with_players()
    return found.get(round=round, table=table)


@pytest.mark.django_db(transaction=True)
def test_record_by_two_at_once_makes_one_official_and_shows_the_other_both() -> None:
    round = factories.published(factories.event(players=4))
    doris, eva = factories.director(), Actor(name="eva")

    found = at_once(
        lambda: record_result(game(round), report=score(412, 398), actor=doris, expected_version=0),
        lambda: record_result(game(round), report=score(421, 389), actor=eva, expected_version=0),
    )

    official = Result.objects.get(official=True)
    assert Result.objects.count() == 1
    refused = next(each for each in found if isinstance(each, ResultChanged))
    assert refused.current == official
    assert {(official.first_points, refused.offered.first.points)} <= {(412, 421), (421, 412)}


@pytest.mark.django_db(transaction=True)
def test_record_of_the_same_by_two_at_once_is_one_version() -> None:
    round = factories.published(factories.event(players=4))

    def enter() -> Result:
        return record_result(game(round), report=score(412, 398), actor=TERMINAL_ACTOR, expected_version=0)

    found = at_once(enter, enter, enter)

    assert [each for each in found if isinstance(each, Exception)] == []
    assert Result.objects.count() == 1
