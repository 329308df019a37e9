"""What came of a game, in words: nothing that can come of one is without them."""

import pytest
from django.utils import translation

from scoring import awards, standings
from scoring.awards import Outcome
from scoring.knockout_values import DecidedBy, MatchCriterion
from tournament.core.reports import PlayerReport, Report
from tournament.core.words.outcomes import (
    abbreviate_outcome,
    describe_announced_credit,
    format_missing_opponent,
    format_outcome_choice,
    format_outcome_mark,
    format_short_report,
)
from tournament.knockout.words import MATCH_CRITERION_NAMES, MATCH_DECISION_NAMES
from tournament.table.words import ANNOUNCED_CRITERIA, TABLE_CRITERION_NAMES


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
        assert format_outcome_choice(outcome, ("Anna", "Bert")) == statement


@pytest.mark.parametrize(
    ("report", "text"),
    [
        (Report(Outcome.PLAYED, PlayerReport(412), PlayerReport(398)), "412 : 398"),
        (Report(Outcome.SECOND_FORFEITS, PlayerReport(430), PlayerReport(340)), "430 : 340, Jörg loses by award"),
        (Report(Outcome.BOTH_FORFEIT), "both lose by award"),
        (Report(Outcome.BYE), "Bye"),
    ],
)
def test_in_short_says_scores_or_who_loses(report: Report, text: str) -> None:
    with translation.override("en"):
        assert format_short_report(report, ("Anna", "Jörg")) == text


def test_every_outcome_has_its_words() -> None:
    assert all(format_outcome_choice(outcome, ("Anna", "Bert")) for outcome in awards.TWO_PLAYER_OUTCOMES)
    chips = {outcome: format_outcome_mark(outcome) for outcome in Outcome}
    assert {outcome for outcome, chip in chips.items() if not chip} == {Outcome.OPEN, Outcome.PLAYED}


def test_every_outcome_without_an_opponent_says_so_in_its_place() -> None:
    credits = {
        outcome: awards.credit(outcome, None, None, awards.DEFAULT_AWARDS)[0]
        for outcome in awards.OUTCOMES_WITHOUT_OPPONENT
    }

    assert all(format_missing_opponent(outcome) for outcome in awards.OUTCOMES_WITHOUT_OPPONENT)
    assert all(describe_announced_credit(outcome, credit) for outcome, credit in credits.items() if credit)
    assert {outcome for outcome in Outcome if abbreviate_outcome(outcome)} == awards.OUTCOMES_WITHOUT_OPPONENT


def test_every_criterion_has_its_words() -> None:
    assert set(TABLE_CRITERION_NAMES) == set(standings.Criterion)
    assert tuple(ANNOUNCED_CRITERIA) == standings.DEFAULT_CRITERIA
    assert set(MATCH_CRITERION_NAMES) == set(MatchCriterion)
    assert set(MATCH_DECISION_NAMES) == set(DecidedBy)
