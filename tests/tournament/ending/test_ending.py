"""The end of an event: by the director's word, and back."""

import pytest

from tests import factories
from tournament.basics.refusals import Refusal
from tournament.ending.operations import end_tournament, reopen_tournament
from tournament.knockout.operations import announce_knockout
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Round, Tournament


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(rounds=2, players=4)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def end(division: Division, *, accept_open: bool = False) -> bool:
    end_tournament(division.tournament, accept_open=accept_open, actor=factories.director())
    return Tournament.objects.get(pk=division.tournament_id).is_ended


def test_event_ends_when_everything_is_played(division: Division) -> None:
    factories.played(division)
    factories.played(division)

    assert end(division)
    assert {round.state for round in Round.objects.all()} == {Round.State.CLOSED}


@pytest.mark.parametrize("rounds", [0, 1])
def test_event_with_rounds_to_come_ends_only_on_purpose(division: Division, rounds: int) -> None:
    for _round in range(rounds):
        factories.played(division)

    with pytest.raises(Refusal) as question:
        end(division)

    assert question.value.code == "not_over"
    assert question.value.figures == {"divisions": "A"}
    assert not Tournament.objects.get().is_ended
    assert end(division, accept_open=True)


def test_open_result_is_asked_about(division: Division) -> None:
    factories.played(division)
    factories.published(division)

    with pytest.raises(Refusal, match="noch nicht alles gespielt"):
        end(division)


def test_event_without_a_plan_ends_after_any_round(db: None) -> None:
    division = factories.event(rounds=0, players=4)
    with pytest.raises(Refusal, match="noch nicht alles gespielt"):
        end(division)
    factories.played(division)

    assert end(division)


def test_announced_knockout_is_to_be_played(db: None) -> None:
    division = factories.event(rounds=0, players=4)
    factories.played(division)
    announce_knockout(division, plan=KnockoutPlan(2), actor=factories.director())

    with pytest.raises(Refusal, match="noch nicht alles gespielt"):
        end(division)

    factories.knockout_game(factories.knockout(division, 2), (1, 1, 1), 420, 380)
    assert end(division)


def test_ending_twice_and_reopening_twice_leave_one_trace_each(division: Division) -> None:
    end(division, accept_open=True)
    revision = Tournament.objects.get().revision

    end(division)
    reopen_tournament(division.tournament, actor=factories.director())
    reopen_tournament(division.tournament, actor=factories.director())

    assert Tournament.objects.get().revision == revision + 1
    assert not Tournament.objects.get().is_ended
