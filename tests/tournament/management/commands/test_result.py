"""`manage.py result`: one result from the terminal."""

from io import StringIO

import pytest
from django.core.management import call_command

from scoring.awards import AwardReason, Outcome
from tests import factories
from tests.tournament.knockout import knockouts
from tournament.core.reports import PlayerReport, Report
from tournament.models import Pairing, Result, Round
from tournament.rounds.operations import unpublish_round


@pytest.fixture(scope="module")
def round_of_module(*, shares_rows: bool) -> Round:
    return factories.published(factories.event(players=5))


@pytest.fixture
def round(round_of_module: Round, db: None) -> Round:
    return Round.objects.select_related("division__tournament").get(pk=round_of_module.pk)


def result(*words: object) -> tuple[int, str, list[str]]:
    """Run the command: exit status, what it says, and its faults by line."""
    out, err = StringIO(), StringIO()
    try:
        call_command("result", *map(str, words), stdout=out, stderr=err)
        status = 0
    except SystemExit as end:
        status = int(end.code or 0)
    return status, out.getvalue(), err.getvalue().splitlines()


def official(table: int) -> Report:
    return Report.of(Result.objects.get(pairing__table=table, official=True))


def test_result_makes_the_scores_official(round: Round) -> None:
    status, said, faults = result("herbst-cup", 1, 2, 431, 388)

    assert (status, faults) == (0, [])
    assert "431 : 388 (Version 1)" in said
    assert official(2) == Report(Outcome.PLAYED, PlayerReport(431), PlayerReport(388))
    saved = Result.objects.get(pairing__table=2)
    assert (saved.how, saved.by_name) == (Result.How.TERMINAL, "Terminal")


def test_result_takes_negative_scores(round: Round) -> None:
    assert result("herbst-cup", 1, 1, -5, 431)[0] == 0
    assert official(1).first.points == -5


def test_result_adds_a_version_over_what_stands_there(round: Round) -> None:
    result("herbst-cup", 1, 1, 431, 388)

    assert result("herbst-cup", 1, 1, 413, 388)[0] == 0
    rows = Result.objects.filter(pairing__table=1).order_by("version")
    assert [(each.version, each.official, each.first_points) for each in rows] == [(1, False, 431), (2, True, 413)]


@pytest.mark.parametrize(("first", "second"), [("0", "0"), ("-", "-")])
def test_result_of_a_no_show_has_no_score(round: Round, first: str, second: str) -> None:
    status, _said, faults = result(
        "herbst-cup", 1, 1, first, second, "--outcome", "second_forfeits", "--reason", "no_show"
    )

    assert (status, faults) == (0, [])
    assert official(1) == Report(Outcome.SECOND_FORFEITS, reason=AwardReason.NO_SHOW)


def test_result_of_a_forfeit_keeps_the_score_when_it_stopped(round: Round) -> None:
    result("herbst-cup", 1, 1, 430, 340, "--outcome", "second_forfeits", "--reason", "disqualified")

    assert official(1) == Report(
        Outcome.SECOND_FORFEITS, PlayerReport(430), PlayerReport(340), AwardReason.DISQUALIFIED
    )


def test_result_finds_the_division(round: Round) -> None:
    assert result("herbst-cup", 1, 1, 431, 388, "--division", "A")[0] == 0
    assert result("herbst-cup", 1, 1, 413, 388, "--division", "Z")[0] == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (["anderswo", 1, 1, 431, 388], ["anderswo"]),
        (["herbst-cup", 2, 1, 431, 388], ["2"]),
        (["herbst-cup", "zwei", 1, 431, 388], ["zwei"]),
        (["herbst-cup", 1, 9, 431, 388], ["9"]),
        (["herbst-cup", 1, 1, "4l2", "12.5"], ["4l2", "12.5"]),
        (["herbst-cup", 1, 1, "٤٠٠", 388], ["٤٠٠"]),
        (["herbst-cup", 1, 1, -1000, 10000], ["-1000", "10000"]),
        (["herbst-cup", 1, 1, 431, "-"], [""]),
        (["herbst-cup", 1, 1, 431, 388, "--outcome", "bye"], ["bye"]),
        (["herbst-cup", 1, 1, 431, 388, "--outcome", "won", "--reason", "luck"], ["won", "luck"]),
        (["herbst-cup", 1, 1, 431, 388, "--reason", "late"], ["15"]),
        (["herbst-cup", "x", "y", "a", "b"], ["x", "y", "a", "b"]),
    ],
)
def test_result_names_every_fault_on_a_line_of_its_own(round: Round, words: list[object], quoted: list[str]) -> None:
    status, said, faults = result(*words)

    assert (status, said, len(faults)) == (1, "", len(quoted))
    for fault, text in zip(faults, quoted, strict=True):
        assert text in fault
    assert not Result.objects.filter(pairing__kind=Pairing.Kind.GAME).exists()


def test_result_into_a_draft_is_refused(round: Round) -> None:
    unpublish_round(round, actor=factories.director())

    status, _said, faults = result("herbst-cup", 1, 1, 431, 388)

    assert (status, len(faults)) == (1, 1)


def test_result_of_the_knockout_goes_by_its_round(db: None) -> None:
    division = knockouts.seeded()

    status, _said, faults = result(division.tournament.slug, 1101, 2, 431, 388)

    assert (status, faults) == (0, [])
    assert knockouts.match(division, 1, 2).winner == knockouts.field(division)[1].pk


def test_result_that_disturbs_the_final_asks_for_the_option(db: None) -> None:
    division = knockouts.seeded()
    knockouts.semis(division)
    knockouts.play(division, 2, 1, 1, 431, 388)

    refused = result(division.tournament.slug, 1101, 1, 380, 420)
    agreed = result(division.tournament.slug, 1101, 1, 380, 420, "--disturb")

    assert refused[0] == 1
    assert "431 : 388" in refused[2][0]
    assert "--disturb" in refused[2][0]
    assert agreed[0] == 0
    assert knockouts.games(division)[2, 1, 1] == ("P04", "P02")
