"""Players' reports: stored once, official when both say the same, the director's when they do not."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import GameReport
from games.reports.game_reports import GameReports, ReportState, get_game_reports
from games.reports.operations import (
    accept_report,
    hand_in_report,
)
from scoring.awards import AwardReason, Outcome
from tests import factories
from tests.laws import tried_on
from tests.refusals import refuses
from tournament.basics.refusals import Refusals
from tournament.core.reports import PlayerReport, Report
from tournament.models import Entry, JournalEntry, Pairing, Result, Round
from tournament.results.operations import withdraw_result
from tournament.rounds.operations import close_round

KEYS: Iterator[str] = (f"key-{number:08}" for number in range(10**8))


@pytest.fixture(scope="module")
def round_of_module(*, shares_rows: bool) -> Round:
    """A round of two tables, published."""
    return factories.published(factories.event(players=4))


@pytest.fixture
def round(round_of_module: Round, db: None) -> Round:
    return Round.objects.select_related("division__tournament").get(pk=round_of_module.pk)


def table(round: Round, number: int = 1) -> Pairing:
    found = Pairing.objects.with_players().with_results().select_related("round__division__tournament")
    return found.get(round=round, table=number)


def players(pairing: Pairing) -> tuple[Entry, Entry]:
    """Both, as a personal link finds them."""
    assert pairing.second is not None
    pks = (pairing.first.pk, pairing.second.pk)
    found = {each.pk: each for each in Entry.objects.with_names().select_related("tournament", "division")}
    return found[pks[0]], found[pks[1]]


def sheet(first: int, second: int, **more: Any) -> Report:
    one, other = (
        PlayerReport(points, **{name[2:]: value for name, value in more.items() if name.startswith(side)})
        for side, points in (("a_", first), ("b_", second))
    )
    reason = "Uhr nicht gedrückt" if "a_penalty" in more else ""
    return Report(Outcome.PLAYED, one, other, penalty_reason=reason)


def hand_in(entry: Entry, pairing: Pairing, report: Report, key: str = "") -> GameReports:
    return hand_in_report(entry, pairing, sheet=report, key=key or next(KEYS))


def official(pairing: Pairing) -> tuple[int | None, int | None] | None:
    found = Result.objects.filter(pairing=pairing, official=True).first()
    return (found.first_points, found.second_points) if found else None


def test_one_report_waits_for_the_other(round: Round) -> None:
    pairing = table(round)
    one, other = players(pairing)

    assert hand_in(one, pairing, sheet(431, 402)).kind == ReportState.WAITS
    assert get_game_reports(pairing, other).kind == ReportState.ASKED
    assert official(pairing) is None


def test_two_that_say_the_same_are_official(round: Round) -> None:
    pairing = table(round)
    one, other = players(pairing)

    hand_in(one, pairing, sheet(431, 402))
    found = hand_in(other, pairing, sheet(431, 402))

    assert (found.kind, official(pairing)) == (ReportState.OFFICIAL, (431, 402))
    stored = Result.objects.get(pairing=pairing)
    assert (stored.how, stored.by_name) == (Result.How.PHONES, other.name)


def test_time_and_penalties_are_taken_off_once(round: Round) -> None:
    pairing = table(round)
    reported = sheet(431, 402, a_overtime=70, a_penalty=5)

    for entry in players(pairing):
        hand_in(entry, pairing, reported)

    stored = Result.objects.get(pairing=pairing)
    assert (stored.first_points, stored.first_overtime, stored.first_penalty) == (431 - 20 - 5, 70, 5)


def test_overtime_beyond_the_limit_is_the_loss_that_the_rules_name(round: Round) -> None:
    pairing = table(round)
    for entry in players(pairing):
        hand_in(entry, pairing, sheet(431, 402, a_overtime=11 * 60))

    stored = Result.objects.get(pairing=pairing)
    assert (stored.outcome, stored.reason) == (Outcome.FIRST_FORFEITS, AwardReason.OVERTIME)


def test_how_a_penalty_is_explained_does_not_matter(round: Round) -> None:
    pairing = table(round)
    one, other = players(pairing)
    report = sheet(431, 402, a_penalty=5)

    hand_in(one, pairing, report)
    hand_in(other, pairing, Report(Outcome.PLAYED, report.first, report.second, penalty_reason="wegen der Uhr"))

    assert official(pairing) == (426, 402)


def test_two_that_differ_wait_for_the_director(round: Round) -> None:
    pairing = table(round)
    one, other = players(pairing)

    hand_in(one, pairing, sheet(431, 402))
    assert hand_in(other, pairing, sheet(431, 412)).kind == ReportState.DIFFERS
    assert get_game_reports(pairing, one).kind == ReportState.DIFFERS
    assert official(pairing) is None
    theirs = GameReport.objects.get(entry=other)
    accept_report(pairing, report=theirs.pk, actor=factories.director(), seen=(0, (one.pk, other.pk)))

    assert official(pairing) == (431, 412)
    assert get_game_reports(pairing, one).kind == ReportState.CONTRADICTED
    assert get_game_reports(pairing, other).kind == ReportState.OFFICIAL


def test_last_report_of_a_player_counts(round: Round) -> None:
    pairing = table(round)
    one, other = players(pairing)

    hand_in(one, pairing, sheet(413, 402))
    hand_in(other, pairing, sheet(431, 402))
    assert hand_in(one, pairing, sheet(431, 402)).kind == ReportState.OFFICIAL
    assert GameReport.objects.count() == 3


def test_same_key_is_stored_once(round: Round) -> None:
    pairing = table(round)
    one, _other = players(pairing)

    first = hand_in(one, pairing, sheet(431, 402), "phone-123")
    again = hand_in(one, pairing, sheet(431, 402), "phone-123")

    assert first == again
    assert GameReport.objects.count() == 1
    assert JournalEntry.objects.filter(verb="report_game").count() == 1


def test_same_key_is_answered_although_the_round_was_closed_meanwhile(round: Round) -> None:
    pairing = table(round)
    one, other = players(pairing)
    hand_in(one, pairing, sheet(431, 402), "phone-123")
    hand_in(other, pairing, sheet(431, 402))
    factories.result(round, 2, 400, 300)
    close_round(Round.objects.get(pk=round.pk), actor=factories.director())

    assert hand_in(one, pairing, sheet(431, 402), "phone-123").kind == ReportState.OFFICIAL
    with refuses("round_closed"):
        hand_in(one, pairing, sheet(1, 2))


def test_result_that_was_taken_back_does_not_come_again_by_itself(round: Round) -> None:
    pairing = table(round)
    one, other = players(pairing)
    for entry in (one, other):
        hand_in(entry, pairing, sheet(431, 402))
    withdraw_result(pairing, actor=factories.director())

    assert hand_in(one, pairing, sheet(431, 402)).kind == ReportState.TAKEN_BACK
    assert official(pairing) is None


def test_report_after_the_result_is_kept_and_told(round: Round) -> None:
    pairing = table(round)
    one, other = players(pairing)
    factories.result(round, 1, 400, 390)

    assert hand_in(one, pairing, sheet(400, 390)).kind == ReportState.OFFICIAL
    assert hand_in(other, pairing, sheet(400, 391)).kind == ReportState.CONTRADICTED
    assert official(pairing) == (400, 390)


def test_game_of_others_is_refused(round: Round) -> None:
    pairing, elsewhere = table(round), table(round, 2)

    with refuses("not_your_game"):
        hand_in(players(elsewhere)[0], pairing, sheet(431, 402))
    assert not GameReport.objects.exists()


@pytest.mark.parametrize("key", ["", "short", "x" * 37, "with blank", "a;b--------"])
def test_key_that_no_phone_made_is_refused(round: Round, key: str) -> None:
    pairing = table(round)

    with refuses("report_key"):
        hand_in_report(players(pairing)[0], pairing, sheet=sheet(431, 402), key=key)


def test_figures_out_of_range_are_refused_all_at_once(round: Round) -> None:
    pairing = table(round)

    with pytest.raises(Refusals) as refused:
        hand_in(players(pairing)[0], pairing, sheet(99999, -99999))
    assert len(refused.value.refusals) == 2


def test_phone_cannot_fill_the_journal(round: Round) -> None:
    pairing = table(round)
    one, _other = players(pairing)

    for points in range(20):
        hand_in(one, pairing, sheet(400 + points, 300))
    with refuses("too_many_reports"):
        hand_in(one, pairing, sheet(431, 402))
    assert GameReport.objects.count() == 20


def test_report_that_is_not_the_last_cannot_be_taken(round: Round) -> None:
    pairing = table(round)
    one, other = players(pairing)
    hand_in(one, pairing, sheet(413, 402))
    old = GameReport.objects.get()
    hand_in(one, pairing, sheet(431, 402))

    with refuses("report_gone"):
        accept_report(pairing, report=old.pk, actor=factories.director(), seen=(0, (one.pk, other.pk)))


@settings(tried_on(6), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=6))
def test_official_is_what_both_said_last_and_nothing_else(round: Round, said: list[tuple[int, int]]) -> None:
    """Whatever two players report in whatever order: a result comes exactly when both last words are the same."""

    with transaction.atomic():
        pairing = table(round)
        both = players(pairing)
        last: dict[int, int] = {}
        expected: int | None = None
        for who, points in said:
            hand_in(both[who], pairing, sheet(400 + points, 300))
            last[who] = points
            if expected is None and len(last) == 2 and last[0] == last[1]:
                expected = last[0]
        assert official(pairing) == (None if expected is None else (400 + expected, 300))
        transaction.set_rollback(True)
