"""Agreeing on a sheet: its result becomes official through the one door, with all that it knows."""

from typing import Any

import pytest

from games.compare.agreement import SheetMoved, agree_sheet, copy_sheet_line
from games.models import Incident, Scoresheet
from games.referee.catalogue import IncidentEffect
from games.referee.operations import list_waiting_incidents, withdraw_incident
from games.sheets.lines import WrittenLine
from games.sheets.operations import SheetChanged, change_line
from scoring.awards import Outcome
from tests import factories
from tests.games import steps
from tests.games.compare.typed import FIRST, GAME, SECOND, K, passed, sheet
from tests.games.referee.steps import log
from tests.refusals import refuses
from tournament.archive.replaying import find_journal_differences
from tournament.core.reports import PlayerReport, Report
from tournament.models import Pairing, Result, Round, Tournament
from tournament.results.operations import ResultChanged, record_result


def agree(scoresheet: Scoresheet, **more: Any) -> Result:
    told = {"expected_version": None, "expected_sheet": scoresheet.version, **more}
    return agree_sheet(scoresheet, actor=factories.director(), **told)


def test_agreed_sheet_is_the_official_result_with_its_facts(tables: list[Pairing], cup: Tournament) -> None:
    made = sheet(tables[0], overtime=(61, None), seconds=(1861, 1500))

    saved = agree(made)

    # 12 + 35 − 10 − 1 for E, 20 off for two minutes begun; 70 + 24 + 18 − 1 for U
    assert (saved.first_points, saved.second_points, saved.how) == (16, 111, "sheet")
    assert (saved.first_overtime, saved.first_seconds, saved.second_seconds) == (61, 1861, 1500)
    assert (saved.first_moves, saved.second_moves) == ([35, 12], [70, 24, 18])
    assert (saved.first_penalty, saved.first_bingos) == (0, None)
    assert Scoresheet.objects.get(agreed=True) == made
    assert [fault for fault in find_journal_differences(cup) if ".plan" not in fault] == []


def test_seven_tiles_are_counted_where_every_word_is_known(tables: list[Pairing]) -> None:
    lines = passed(WrittenLine(1, word="ABENDER", position="8D"), WrittenLine(2, word="AB", position="D8"))

    saved = agree(sheet(tables[0], lines))

    assert (saved.first_bingos, saved.second_bingos) == (1, 0)
    assert saved.first_moves[0] > 50
    assert saved.first_points == saved.first_moves[0] - 1


def test_overtime_beyond_the_limit_is_an_award(tables: list[Pairing]) -> None:
    saved = agree(sheet(tables[0], overtime=(None, 301)))

    assert (saved.outcome, saved.reason) == ("second_forfeits", "overtime")
    assert (saved.first_points, saved.second_points) == (36, 111)


def test_penalty_lines_are_taken_off_with_their_reason(tables: list[Pairing]) -> None:
    lines = passed(*GAME, WrittenLine(2, K.PENALTY, points=-15, note="Telefon"))

    saved = agree(sheet(tables[0], lines))

    assert (saved.second_points, saved.second_penalty, saved.penalty_reason) == (96, 15, "Telefon")


def test_points_of_the_referees_log_are_taken_off_once(tables: list[Pairing]) -> None:
    made = log(tables[0], IncidentEffect.POINTS, 2, points=20)
    lines = passed(*GAME, WrittenLine(2, K.PENALTY, points=-15, note="Telefon"))

    saved = agree(sheet(tables[0], lines))

    assert (saved.second_points, saved.second_penalty) == (91, 20)
    assert list_waiting_incidents(tables[0]) == []
    assert Incident.objects.get(pk=made.pk).version == saved.version
    assert agree(Scoresheet.objects.select_related("pairing__round__division__tournament").get()).pk == saved.pk


def test_game_that_the_referee_awarded_stays_awarded(tables: list[Pairing]) -> None:
    log(tables[0], IncidentEffect.AWARD, 1)

    saved = agree(sheet(tables[0]))

    assert (saved.outcome, saved.reason) == ("first_forfeits", "other")
    assert (saved.first_points, saved.second_points) == (36, 111)


def test_equal_result_gets_the_facts(tables: list[Pairing], round: Round) -> None:
    factories.result(round, 1, 36, 111)

    saved = agree(sheet(tables[0], seconds=(1800, 1700)))

    assert (saved.version, saved.first_moves, saved.first_seconds) == (2, [35, 12], 1800)
    again = agree(Scoresheet.objects.select_related("pairing__round__division__tournament").get())
    assert again.version == 2


def test_facts_that_are_official_stay(tables: list[Pairing], round: Round) -> None:
    before = factories.result(round, 1, 36, 111)
    report = Report.of(before)
    record_result(
        tables[0],
        report=Report(
            report.outcome,
            type(report.first)(36, bingos=2, seconds=1700),
            type(report.first)(111),
            note="Tisch 1 wackelt",
        ),
        actor=factories.director(),
        expected_version=1,
    )

    saved = agree(sheet(tables[0]))

    assert (saved.first_bingos, saved.first_seconds, saved.note) == (2, 1700, "Tisch 1 wackelt")
    assert saved.second_moves == [70, 24, 18]


def test_other_result_is_replaced_by_a_version(tables: list[Pairing], round: Round) -> None:
    factories.result(round, 1, 420, 380)

    agree(sheet(tables[0]), expected_version=1, why="Bögen verglichen")

    assert steps.versions(tables[0]) == [(1, False, 420, 380), (2, True, 36, 111)]
    assert steps.official(tables[0]).why == "Bögen verglichen"


def test_only_one_sheet_is_agreed(tables: list[Pairing]) -> None:
    agree(sheet(tables[0]))
    other = sheet(tables[0], keeper=SECOND)

    agree(other)

    assert [each.keeper for each in Scoresheet.objects.filter(agreed=True)] == [SECOND]


@pytest.mark.parametrize(
    ("lines", "ending"),
    [
        ((), {}),
        (GAME, {"is_finished": False, "left": (None, None)}),
        (passed(*GAME, WrittenLine(1, word="ABER")), {"left": (None, None)}),
    ],
    ids=["empty", "goes on", "points missing"],
)
@pytest.mark.sampled(1)
def test_sheet_without_a_final_score(
    lines: tuple[WrittenLine, ...], ending: dict[str, Any], tables: list[Pairing]
) -> None:
    made = sheet(tables[0], lines, **ending)

    with refuses("no_final_score"):
        agree(made)

    assert not Result.objects.filter(pairing=tables[0]).exists()
    assert not Scoresheet.objects.filter(agreed=True).exists()


def test_sheet_that_was_written_on_meanwhile(tables: list[Pairing]) -> None:
    made = sheet(tables[0])

    with pytest.raises(SheetMoved):
        agree(made, expected_sheet=made.version - 1)


def test_result_that_came_meanwhile_keeps_the_sheet_from_being_agreed(tables: list[Pairing], round: Round) -> None:
    made = sheet(tables[0])
    factories.result(round, 1, 420, 380)

    with pytest.raises(ResultChanged):
        agree(made, expected_version=0)

    assert not Scoresheet.objects.filter(agreed=True).exists()


def test_changed_sheet_is_agreed_no_more(tables: list[Pairing]) -> None:
    made = sheet(tables[0])
    agree(made)

    change_line(
        made, number=2, line=WrittenLine(2, points=72), actor=factories.director(), expected_version=made.version
    )

    assert not Scoresheet.objects.filter(agreed=True).exists()
    assert steps.official(tables[0]).second_points == 111


@pytest.mark.parametrize(
    ("number", "before", "source", "wanted"),
    [
        (1, None, 1, [14, 70, 35]),
        (None, 2, 1, [12, 14, 70, 35]),
        (None, None, 1, [12, 70, 35, 14]),
        (2, None, None, [12, 35]),
        (None, None, None, [12, 70, 35]),
    ],
    ids=["change", "insert", "append", "leave out", "nothing"],
)
@pytest.mark.sampled(1)
def test_line_is_taken_over(
    number: int | None, before: int | None, source: int | None, wanted: list[int], tables: list[Pairing]
) -> None:
    target = sheet(tables[0], GAME[:3], keeper=FIRST)
    other = sheet(tables[0], [WrittenLine(1, word="ABER", position="8H", points=14)], keeper=SECOND)

    copy_sheet_line(
        target,
        number=number,
        before=before,
        source=None if source is None else other.lines.get(number=source),
        actor=factories.director(),
        expected_version=target.version,
    )

    assert list(target.lines.order_by("number").values_list("points", flat=True)) == wanted
    with pytest.raises(SheetChanged):
        copy_sheet_line(
            target, number=1, before=None, source=None, actor=factories.director(), expected_version=target.version - 1
        )


@pytest.mark.parametrize("is_typed", [False, True])
def test_struck_points_that_came_in_with_a_sheet_leave_its_result(is_typed: bool, tables: list[Pairing]) -> None:
    waiting = [log(tables[0], IncidentEffect.POINTS, 2, points=20), log(tables[0], IncidentEffect.POINTS, 2, points=5)]
    if is_typed:
        stated = Report(
            Outcome.PLAYED, PlayerReport(points=36), PlayerReport(points=86, penalty=25), penalty_reason="Telefon"
        )
        record_result(tables[0], report=stated, actor=factories.director(), expected_version=None)
    agree(sheet(tables[0]))

    told: dict[str, Any] = {"why": "verwechselt", "actor": factories.director(), "expected_version": None}
    withdraw_incident(Incident.objects.get(pk=waiting[0].pk), **told)

    result = steps.official(tables[0])
    assert (result.first_points, result.second_points, result.second_penalty) == (36, 106, 5)

    withdraw_incident(Incident.objects.get(pk=waiting[1].pk), **told)

    result = steps.official(tables[0])
    assert (result.second_points, result.second_penalty, result.penalty_reason) == (111, 0, "")
