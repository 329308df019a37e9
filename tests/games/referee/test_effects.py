"""What decisions make of results, by TSO 6.1.1."""

import pytest

from games.referee.catalogue import IncidentEffect
from games.referee.effects import RefereeDecision, apply_decision, get_stopped_score
from scoring import awards, rulesets
from scoring.awards import AwardReason, Outcome
from tournament.basics.limits import PENALTY_REASON
from tournament.core.reports import PlayerReport, Report

ONE, TWO = frozenset({1}), frozenset({2})
PLAYED = Report(Outcome.PLAYED, PlayerReport(430, overtime=61), PlayerReport(340))


def test_points_are_taken_off_with_their_reason() -> None:
    found = apply_decision(PLAYED, RefereeDecision(IncidentEffect.POINTS, ONE, points=15, words="Telefon (TSO 1.5 e)"))

    assert found is not None
    assert (found.first.points, found.first.penalty, found.second) == (415, 15, PLAYED.second)
    assert found.penalty_reason == "Telefon (TSO 1.5 e)"


def test_second_penalty_joins_the_first() -> None:
    once = apply_decision(PLAYED, RefereeDecision(IncidentEffect.POINTS, ONE | TWO, points=10, words="eins"))
    twice = apply_decision(once, RefereeDecision(IncidentEffect.POINTS, ONE, points=5, words="x" * 300))

    assert twice is not None
    assert (twice.first.penalty, twice.second.penalty) == (15, 10)
    assert twice.penalty_reason.startswith("eins; x")
    assert len(twice.penalty_reason) == PENALTY_REASON


@pytest.mark.parametrize(
    "current", [None, Report(Outcome.FIRST_FORFEITS, reason=AwardReason.LATE)], ids=["open", "award"]
)
def test_points_wait_for_a_played_game(current: Report | None) -> None:
    decision = RefereeDecision(IncidentEffect.POINTS, ONE, points=10)

    assert apply_decision(current, decision) is None


@pytest.mark.parametrize("effect", [IncidentEffect.NOTE, IncidentEffect.CLOCK])
def test_notes_and_time_off_the_clock_change_no_result(effect: IncidentEffect) -> None:
    assert apply_decision(PLAYED, RefereeDecision(effect, ONE)) is None


@pytest.mark.parametrize(
    ("effect", "reason"),
    [(IncidentEffect.AWARD, AwardReason.OTHER), (IncidentEffect.EXPELLED, AwardReason.DISQUALIFIED)],
)
def test_award_goes_by_the_score_when_the_game_stopped(effect: IncidentEffect, reason: AwardReason) -> None:
    stopped = get_stopped_score(rulesets.TSO_2017, PLAYED)

    found = apply_decision(PLAYED, RefereeDecision(effect, TWO, stopped_at=stopped))

    assert stopped == (450, 340)
    assert found is not None
    assert (found.outcome, found.reason, found.first.points) == (Outcome.SECOND_FORFEITS, reason, 450)
    credits = awards.credit(found.outcome, found.first.points, found.second.points, rulesets.TSO_2017.awards)
    assert [(each.spread, each.points) for each in credits if each] == [(110, 450), (-160, 0)]


def test_award_of_a_game_that_never_began() -> None:
    found = apply_decision(None, RefereeDecision(IncidentEffect.AWARD, ONE, reason=AwardReason.NO_SHOW))

    assert found == Report(Outcome.FIRST_FORFEITS, reason=AwardReason.NO_SHOW)
    assert get_stopped_score(rulesets.TSO_2017, None) == (None, None)


@pytest.mark.parametrize(
    ("before", "sides"), [(Outcome.SECOND_FORFEITS, ONE), (Outcome.FIRST_FORFEITS, TWO), (Outcome.BOTH_FORFEIT, ONE)]
)
def test_second_one_at_fault_makes_it_both(before: Outcome, sides: frozenset[int]) -> None:
    found = apply_decision(Report(before, reason=AwardReason.LATE), RefereeDecision(IncidentEffect.AWARD, sides))

    assert found is not None
    assert found.outcome == Outcome.BOTH_FORFEIT


def test_double_forfeit_has_a_reason_for_each() -> None:
    absent = apply_decision(None, RefereeDecision(IncidentEffect.AWARD, ONE, reason=AwardReason.NO_SHOW))

    both = apply_decision(absent, RefereeDecision(IncidentEffect.EXPELLED, TWO))
    same = apply_decision(absent, RefereeDecision(IncidentEffect.AWARD, TWO, reason=AwardReason.NO_SHOW))

    assert both is not None
    assert same is not None
    assert (both.outcome, both.reason, both.second_reason) == (
        Outcome.BOTH_FORFEIT,
        AwardReason.NO_SHOW,
        AwardReason.DISQUALIFIED,
    )
    assert (same.reasons, same.second_reason) == ((AwardReason.NO_SHOW, AwardReason.NO_SHOW), None)


def test_score_when_the_game_stopped_has_penalties_in_it_but_no_time_penalty() -> None:
    penalised = Report(
        Outcome.PLAYED,
        PlayerReport(points=425, penalty=5, overtime=61),
        PlayerReport(points=340),
        penalty_reason="Handy",
    )

    assert get_stopped_score(rulesets.TSO_2017, penalised) == (445, 340)
