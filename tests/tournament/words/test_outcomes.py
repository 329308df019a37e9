"""What came of a game, in words: nothing that can come of one is without them."""

import pytest
from django.utils import translation

from scoring import awards, standings
from scoring.awards import Outcome
from scoring.knockout import DecidedBy, MatchCriterion
from tournament.words import criteria, knockout_plan, matches, outcomes


@pytest.mark.parametrize(
    ("outcome", "statement"),
    [
        (Outcome.PLAYED, "The game was played"),
        (Outcome.FIRST_FORFEITS, "Anna loses by award"),
        (Outcome.SECOND_FORFEITS, "Bert loses by award"),
        (Outcome.BOTH_FORFEIT, "Both lose by award"),
    ],
)
def test_statement_says_who_loses(outcome: Outcome, statement: str) -> None:
    with translation.override("en"):
        assert outcomes.statement(outcome, ("Anna", "Bert")) == statement


def test_every_outcome_has_its_words() -> None:
    assert all(outcomes.statement(outcome, ("Anna", "Bert")) for outcome in awards.OF_TWO)
    chips = {outcome: outcomes.chip(outcome) for outcome in Outcome}
    assert {outcome for outcome, chip in chips.items() if not chip} == {Outcome.OPEN, Outcome.PLAYED}


def test_every_outcome_without_an_opponent_says_so_in_its_place() -> None:
    credits = {outcome: awards.credit(outcome, None, None, awards.ORGANISERS)[0] for outcome in awards.ALONE}

    assert all(outcomes.without_opponent(outcome) for outcome in awards.ALONE)
    assert all(outcomes.announced(outcome, credit) for outcome, credit in credits.items() if credit)
    assert {outcome for outcome in Outcome if outcomes.abbreviated(outcome)} == awards.ALONE


def test_every_criterion_has_its_words() -> None:
    assert set(criteria.CRITERIA) == set(standings.Criterion)
    assert tuple(criteria.ANNOUNCED) == standings.DEFAULT_ORDER
    assert set(knockout_plan.CRITERIA) == set(MatchCriterion)
    assert set(matches.DECIDED) == set(DecidedBy)
