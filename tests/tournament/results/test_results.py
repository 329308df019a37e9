"""The one door to an official result: versions, refusals, who and when."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from scoring.awards import AwardReason, Outcome
from tests import factories
from tests.refusals import refuses
from tournament.basics.refusals import Refusals
from tournament.core.change import TERMINAL_ACTOR, Actor
from tournament.core.reports import PlayerReport, Report
from tournament.models import JournalEntry, Pairing, Result, Round, Tournament
from tournament.results.operations import (
    PlayersChanged,
    ResultChanged,
    RoundNotPublished,
    record_result,
    withdraw_result,
)
from tournament.rounds.operations import close_round, unpublish_round


def score(first: int | None, second: int | None, outcome: Outcome = Outcome.PLAYED, **more: Any) -> Report:
    return Report(outcome, PlayerReport(first), PlayerReport(second), **more)


def game(round: Round, table: int = 1) -> Pairing:
    found = Pairing.objects.select_related("round__division__tournament").with_players()
    return found.get(round=round, table=table)


@pytest.fixture(scope="module")
def round_of_module(*, shares_rows: bool) -> Round:
    return factories.published(factories.event(players=4))


@pytest.fixture
def round(round_of_module: Round, db: None) -> Round:
    return Round.objects.select_related("division__tournament").get(pk=round_of_module.pk)


@pytest.fixture
def pairing(round: Round) -> Pairing:
    return game(round)


def codes(refused: pytest.ExceptionInfo[Refusals]) -> list[tuple[str, str | None]]:
    return [(refusal.code, refusal.field) for refusal in refused.value.refusals]


def test_record_writes_the_first_version(pairing: Pairing, doris: Actor) -> None:
    saved = record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)

    stored = Result.objects.get(pairing=pairing)
    assert stored == saved
    assert (stored.version, stored.official, stored.how) == (1, True, Result.How.TYPED)
    assert (stored.by, stored.by_name) == (doris.user, "doris")
    assert Report.of(stored) == score(412, 398)


def test_record_raises_the_revision_and_writes_one_journal_entry(pairing: Pairing, doris: Actor) -> None:
    before = Tournament.objects.get().revision

    record_result(pairing, report=score(412, 398), actor=doris, expected_version=0, why="nachgetragen")

    entry = JournalEntry.objects.latest("number")
    assert Tournament.objects.get().revision == before + 1 == entry.number
    assert entry.verb == "record_result"
    assert entry.details == {
        "division": "A",
        "round": 1,
        "table": 1,
        "outcome": "played",
        "first_points": 412,
        "second_points": 398,
        "why": "nachgetragen",
    }


def test_record_keeps_every_version(pairing: Pairing, doris: Actor) -> None:
    record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)
    record_result(pairing, report=score(421, 398), actor=TERMINAL_ACTOR, expected_version=1, why="verhört")

    rows = Result.objects.order_by("version").values_list("version", "official", "first_points", "by_name", "why")
    assert list(rows) == [(1, False, 412, "doris", ""), (2, True, 421, "Terminal", "verhört")]


def test_record_of_what_is_official_changes_nothing(pairing: Pairing, doris: Actor) -> None:
    first = record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)
    revision = Tournament.objects.get().revision

    again = record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)

    assert again == first
    assert Result.objects.count() == 1
    assert Tournament.objects.get().revision == revision


@pytest.mark.parametrize("expected", [0, 2, 7])
def test_record_over_another_version_is_refused_with_both(pairing: Pairing, doris: Actor, expected: int) -> None:
    current = record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)

    with pytest.raises(ResultChanged) as refused:
        record_result(pairing, report=score(421, 398), actor=doris, expected_version=expected)

    assert (refused.value.current, refused.value.offered) == (current, score(421, 398))
    assert Result.objects.count() == 1


def test_record_without_an_expectation_takes_whatever_stands_there(pairing: Pairing, doris: Actor) -> None:
    record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)

    saved = record_result(pairing, report=score(421, 398), actor=TERMINAL_ACTOR, expected_version=None)

    assert saved.version == 2


def test_record_after_a_withdrawal_is_refused_to_who_still_saw_the_result(pairing: Pairing, doris: Actor) -> None:
    record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)
    withdraw_result(pairing, actor=doris)

    with pytest.raises(ResultChanged) as refused:
        record_result(pairing, report=score(421, 398), actor=doris, expected_version=1)
    assert refused.value.current is None

    saved = record_result(pairing, report=score(421, 398), actor=doris, expected_version=0)
    assert saved.version == 2


def test_record_for_other_players_is_refused(pairing: Pairing, doris: Actor) -> None:
    seated = tuple(seat.entry_id for seat in pairing.seats.all())

    with pytest.raises(PlayersChanged):
        record_result(pairing, report=score(412, 398), actor=doris, expected_version=0, expected_players=seated[::-1])

    record_result(pairing, report=score(412, 398), actor=doris, expected_version=0, expected_players=seated)


def test_record_into_a_draft_is_refused(doris: Actor, round: Round) -> None:
    unpublish_round(round, actor=doris)

    with pytest.raises(RoundNotPublished):
        record_result(game(round), report=score(412, 398), actor=doris, expected_version=0)

    assert not Result.objects.exists()


def test_record_into_a_closed_round_is_possible(doris: Actor, round: Round) -> None:
    for table in (1, 2):
        factories.result(round, table, 420, 380)
    close_round(round, actor=doris)

    saved = record_result(game(round), report=score(412, 398), actor=doris, expected_version=1)

    assert saved.version == 2


NO_SHOW = {"reason": AwardReason.NO_SHOW}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("report", "refused"),
    [
        (Report(Outcome.PLAYED), [("points_missing", "first_points"), ("points_missing", "second_points")]),
        (score(412, None), [("points_missing", "second_points")]),
        (score(None, 12, Outcome.FIRST_FORFEITS), [("half_a_score", "first_points")]),
        (Report(Outcome.OPEN), [("not_possible", "outcome")]),
        (Report(Outcome.BYE), [("not_possible", "outcome")]),
        (score(-1000, 10000), [("out_of_range", "first_points"), ("out_of_range", "second_points")]),
        (score(412, 398, reason=AwardReason.OTHER), [("reason_without_forfeit", "reason")]),
        (score(412, 398, spread=14), [("spread_with_opponent", "spread")]),
        (score(412, 398, note="x" * 401), [("too_long", "note")]),
        (score(412, 398, penalty_reason="x" * 201), [("too_long", "penalty_reason")]),
        (
            Report(Outcome.PLAYED, PlayerReport(412, penalty=10), PlayerReport(398)),
            [("penalty_reason", "penalty_reason")],
        ),
        (
            Report(
                Outcome.PLAYED,
                PlayerReport(1, penalty=1000, overtime=7201),
                PlayerReport(1, bingos=21, seconds=-1),
                None,
                None,
                "x",
            ),
            [
                ("out_of_range", "first_penalty"),
                ("out_of_range", "first_overtime"),
                ("out_of_range", "second_bingos"),
                ("out_of_range", "second_seconds"),
            ],
        ),
        (
            Report(Outcome.PLAYED, PlayerReport(412, moves=(92, -1)), PlayerReport(398)),
            [("out_of_range", "first_moves")],
        ),
    ],
)
def test_record_refuses_with_every_fault(
    pairing: Pairing, doris: Actor, report: Report, refused: list[tuple[str, str | None]]
) -> None:
    with pytest.raises(Refusals) as found:
        record_result(pairing, report=report, actor=doris, expected_version=0)

    assert codes(found) == refused
    assert not Result.objects.exists()


@pytest.mark.parametrize(
    "report",
    [
        score(-999, 9999),
        score(None, None, Outcome.FIRST_FORFEITS, **NO_SHOW),
        score(430, 340, Outcome.SECOND_FORFEITS, reason=AwardReason.DISQUALIFIED),
        score(None, None, Outcome.BOTH_FORFEIT, **NO_SHOW),
        score(None, None, Outcome.BOTH_FORFEIT),
    ],
)
def test_record_takes_every_outcome_of_a_game(pairing: Pairing, doris: Actor, report: Report) -> None:
    saved = record_result(pairing, report=report, actor=doris, expected_version=0)

    assert Report.of(Result.objects.get(pk=saved.pk)) == report


def test_record_turns_a_bye_into_an_absence_and_back(db: None, doris: Actor) -> None:
    round = factories.published(factories.event("Solo", players=3))
    alone = Pairing.objects.select_related("round__division__tournament").get(round=round, kind=Pairing.Kind.BYE)

    record_result(alone, report=Report(Outcome.ABSENT), actor=doris, expected_version=1)
    assert Pairing.objects.get(pk=alone.pk).kind == Pairing.Kind.ABSENT

    record_result(alone, report=Report(Outcome.BYE, spread=100), actor=doris, expected_version=2)
    assert Pairing.objects.get(pk=alone.pk).kind == Pairing.Kind.BYE

    with pytest.raises(Refusals) as refused:
        record_result(alone, report=score(412, 398), actor=doris, expected_version=3)
    assert codes(refused) == [("not_possible", "outcome")]


def test_withdraw_keeps_the_versions(pairing: Pairing, doris: Actor) -> None:
    record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)

    withdraw_result(pairing, actor=doris, expected_version=1, why="falscher Tisch")

    assert list(Result.objects.values_list("version", "official")) == [(1, False)]
    assert JournalEntry.objects.latest("number").verb == "withdraw_result"


def test_withdraw_of_nothing_is_refused(pairing: Pairing, doris: Actor) -> None:
    with refuses("nothing_to_withdraw"):
        withdraw_result(pairing, actor=doris)


@pytest.mark.parametrize("outcome", [Outcome.BYE, Outcome.ABSENT])
def test_withdraw_of_a_bye_or_an_absence_is_refused(db: None, doris: Actor, outcome: Outcome) -> None:
    round = factories.published(factories.event("Solo", players=3))
    alone = Pairing.objects.select_related("round__division__tournament").get(round=round, kind=Pairing.Kind.BYE)
    record_result(alone, report=Report(outcome), actor=doris, expected_version=1)

    with refuses("result_without_opponent"):
        withdraw_result(alone, actor=doris)

    assert Report.of(Result.objects.get(pairing=alone, official=True)) == Report(outcome)


def test_withdraw_of_a_version_not_seen_is_refused(pairing: Pairing, doris: Actor) -> None:
    record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)

    with pytest.raises(ResultChanged):
        withdraw_result(pairing, actor=doris, expected_version=2)

    assert Result.objects.get().official


def test_database_refuses_a_second_official_result(pairing: Pairing, doris: Actor) -> None:
    first = record_result(pairing, report=score(412, 398), actor=doris, expected_version=0)

    with pytest.raises(IntegrityError), transaction.atomic():
        Result.objects.create(pairing=pairing, version=2, at=first.at, **score(1, 2).fields())
