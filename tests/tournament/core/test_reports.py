"""Reports: from the score sheets to the final score and back, and what is odd."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import rulesets
from scoring.awards import AwardReason, Outcome
from tournament.core.reports import (
    Oddity,
    PlayerReport,
    Report,
    find_oddities,
    make_final_report,
    restore_sheet_report,
)
from tournament.models import Result

TSO_2010, TSO_2017, GENERAL = rulesets.TSO_2010, rulesets.TSO_2017, rulesets.GENERAL_DE


def sheet(first: PlayerReport, second: PlayerReport, **more: Any) -> Report:
    return replace(Report(Outcome.PLAYED, first, second), **more)


@pytest.mark.parametrize(
    ("overtime", "final"),
    [(None, 412), (0, 412), (1, 402), (60, 402), (61, 392), (600, 312)],
    ids=["no overtime", "TSO 5.2 b: 0 s", "TSO 5.2 b: 1 s", "TSO 5.2 b: 60 s", "TSO 5.2 b: 61 s", "TSO 5.2 c: 600 s"],
)
def test_from_sheet_takes_the_time_penalty_off(overtime: int | None, final: int) -> None:
    made = make_final_report(TSO_2010, sheet(PlayerReport(412, overtime=overtime), PlayerReport(398)))

    assert made == sheet(PlayerReport(final, overtime=overtime), PlayerReport(398))


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        (601, None, Outcome.FIRST_FORFEITS),
        (None, 601, Outcome.SECOND_FORFEITS),
        (601, 700, Outcome.BOTH_FORFEIT),
        (601, 60, Outcome.FIRST_FORFEITS),
    ],
    ids=["TSO 5.3 c: first", "TSO 5.3 c: second", "TSO 5.3 c: both", "TSO 5.3 c: the other's penalty does not count"],
)
def test_from_sheet_awards_beyond_the_limit_with_the_score_as_it_stood(
    first: int | None, second: int | None, outcome: Outcome
) -> None:
    stated = sheet(PlayerReport(430, overtime=first), PlayerReport(340, overtime=second))

    assert make_final_report(TSO_2010, stated) == replace(stated, outcome=outcome, reason=AwardReason.OVERTIME)


def test_from_sheet_follows_the_ruleset() -> None:
    stated = sheet(PlayerReport(430, overtime=301), PlayerReport(340))

    assert make_final_report(TSO_2010, stated).outcome == Outcome.PLAYED
    assert make_final_report(TSO_2017, stated).outcome == Outcome.FIRST_FORFEITS
    assert make_final_report(GENERAL, stated) == stated


def test_from_sheet_takes_penalty_points_off_and_never_clamps() -> None:
    made = make_final_report(
        TSO_2017, sheet(PlayerReport(15, penalty=20, overtime=1), PlayerReport(398), penalty_reason="zu laut")
    )

    assert made.first == PlayerReport(-15, penalty=20, overtime=1)


def test_from_sheet_leaves_an_award_as_it_is_stated() -> None:
    stated = Report(
        Outcome.SECOND_FORFEITS, PlayerReport(430, overtime=61, penalty=5), PlayerReport(340), AwardReason.DISQUALIFIED
    )

    assert make_final_report(TSO_2017, stated) == stated


sides = st.builds(
    PlayerReport,
    points=st.integers(-500, 2000),
    penalty=st.integers(0, 99),
    overtime=st.none() | st.integers(0, 1000),
)


@given(first=sides, second=sides, rules=st.sampled_from([TSO_2010, TSO_2017, GENERAL, rulesets.SBNL_WEDSTRIJD]))
def test_to_sheet_undoes_from_sheet(first: PlayerReport, second: PlayerReport, rules: rulesets.Ruleset) -> None:
    stated = sheet(first, second, penalty_reason="zu laut")

    assert restore_sheet_report(rules, make_final_report(rules, stated)) == stated


@pytest.mark.parametrize(
    "stated",
    [
        Report(Outcome.SECOND_FORFEITS, reason=AwardReason.NO_SHOW),
        Report(Outcome.FIRST_FORFEITS, PlayerReport(430), PlayerReport(340), AwardReason.OVERTIME),
        Report(Outcome.BYE, spread=100),
    ],
    ids=["no-show", "overtime without its seconds", "bye"],
)
def test_to_sheet_leaves_what_no_clock_decided(stated: Report) -> None:
    assert restore_sheet_report(TSO_2017, stated) == stated


@pytest.mark.parametrize(
    ("first", "second", "odd"),
    [
        (200, 550, []),
        (600, 250, []),
        (199, 300, [(Oddity.LOW, 199)]),
        (400, 601, [(Oddity.HIGH, 601)]),
        (551, 200, [(Oddity.SPREAD, 351)]),
        (-5, 700, [(Oddity.LOW, -5), (Oddity.HIGH, 700), (Oddity.SPREAD, 705)]),
    ],
)
def test_oddities_name_each_figure(first: int, second: int, odd: list[tuple[Oddity, int]]) -> None:
    assert find_oddities(sheet(PlayerReport(first), PlayerReport(second))) == odd


def test_oddities_concern_played_games_only() -> None:
    assert find_oddities(Report(Outcome.FIRST_FORFEITS, PlayerReport(12), PlayerReport(0), AwardReason.OTHER)) == []
    assert find_oddities(Report(Outcome.PLAYED)) == []


def test_report_and_columns_say_the_same() -> None:
    report = Report(
        Outcome.SECOND_FORFEITS,
        PlayerReport(430, penalty=5, overtime=61, bingos=2, moves=(92, 70), seconds=1500),
        PlayerReport(340),
        AwardReason.DISQUALIFIED,
        penalty_reason="zu laut",
        note="Brett 7",
    )

    assert Report.of(Result(**report.fields())) == report


def test_best_plays_are_kept_with_the_highest_first() -> None:
    given_in_any_order = sheet(PlayerReport(430, moves=(70, 92, 81)), PlayerReport(398))

    assert given_in_any_order.fields()["first_moves"] == [92, 81, 70]
    assert given_in_any_order == sheet(PlayerReport(430, moves=(92, 81, 70)), PlayerReport(398))
