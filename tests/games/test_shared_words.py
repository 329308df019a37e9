"""What a table's page says of time and penalties is what is taken off, whatever was recorded."""

import itertools

import pytest
from django.utils import translation

from games.core.words import describe_deductions
from scoring import clock
from scoring.awards import AWARDED_OUTCOMES, AwardReason, Outcome
from tests import factories
from tournament.core.reports import PlayerReport, Report, make_final_report, restore_sheet_report
from tournament.models import Pairing
from tournament.table.league import list_round_pairings

OVERTIMES = (None, 61, 301)
PENALTIES = (0, 5)
OUTCOMES = (Outcome.PLAYED, Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS, Outcome.BOTH_FORFEIT)


@pytest.fixture
def pairing(db: None) -> Pairing:
    return list_round_pairings(factories.published(factories.event(players=2, ruleset="tso-2017")))[0]


def sheets() -> list[Report]:
    """Every combination of outcome, overtime and penalty points of both players, with and without a score."""
    halves = list(itertools.product(OVERTIMES, PENALTIES))
    return [
        Report(
            outcome,
            PlayerReport(points=points and points[0], overtime=one[0], penalty=one[1]),
            PlayerReport(points=points and points[1], overtime=other[0], penalty=other[1]),
            reason=None if outcome == Outcome.PLAYED else AwardReason.OTHER,
            penalty_reason="Handy",
        )
        for outcome, one, other in itertools.product(OUTCOMES, halves, halves)
        for points in ([(450, 380)] if outcome == Outcome.PLAYED else [(450, 380), None])
    ]


def test_deductions_are_what_is_taken_off(pairing: Pairing) -> None:
    rules = pairing.round.division.tournament.rules
    names = (pairing.first.name, pairing.second.name if pairing.second else "")
    for sheet in sheets():
        report = make_final_report(rules, sheet)
        with translation.override("en"):
            said = describe_deductions(pairing, sheet)

        for name, typed, final in zip(names, (sheet.first, sheet.second), (report.first, report.second), strict=True):
            mine = [sentence for sentence in said if sentence.startswith(name)]
            off = 0 if typed.points is None else typed.points - (final.points or 0)
            stated = sum(
                int(part.split()[0])
                for sentence in mine
                for part in sentence.split(", ")[1:]
                if "off" in part and part[0].isdigit()
            )
            stated += sum(typed.penalty for sentence in mine if "penalty points off" in sentence)
            if report.outcome == Outcome.PLAYED:
                assert stated == off == typed.penalty + clock.overtime(typed.overtime or 0, rules).points
            else:
                assert stated == 0, mine
                assert any("are already in the score" in sentence for sentence in mine) == bool(
                    typed.penalty and typed.points is not None
                )


def test_award_by_the_clock_takes_penalties_into_the_score_and_comes_back_as_typed(pairing: Pairing) -> None:
    rules = pairing.round.division.tournament.rules
    for sheet in sheets():
        report = make_final_report(rules, sheet)

        assert restore_sheet_report(rules, report) == sheet
        if sheet.outcome == Outcome.PLAYED and report.outcome in AWARDED_OUTCOMES:
            assert report.first.points == 450 - sheet.first.penalty
            assert report.second.points == 380 - sheet.second.penalty
