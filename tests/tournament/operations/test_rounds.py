"""Publishing, closing and taking back rounds."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction

from scoring.awards import Outcome
from tests.tournament.operations import steps
from tournament.models import Division, Entry, Pairing, Result, Round, Seat
from tournament.operations import attendance, draft_edits, drafts, entries, reopening, results, rounds
from tournament.operations.change import Actor, Gone
from tournament.operations.players import Person
from tournament.queries import league
from tournament.reports import PlayerReport, Report


@pytest.fixture
def draft(division: Division, four: list[Entry], doris: Actor) -> Round:
    return drafts.draft_round(division, actor=doris)


def state(round: Round) -> str:
    return Round.objects.get(pk=round.pk).state


def test_publish_round_credits_bye_and_absence(division: Division, four: list[Entry], doris: Actor) -> None:
    for name in ("Fuchs, Emil", "Eriksen, Åse"):
        entries.enter(division, person=Person(name), actor=doris)
    attendance.set_absence(four[0], number=1, actor=doris)
    draft = drafts.draft_round(division, actor=doris)

    rounds.publish_round(draft, actor=doris)

    found = Result.objects.filter(official=True).order_by("outcome").values_list("outcome", "how")
    assert list(found) == [("absent", "pairing"), ("bye", "pairing")]
    assert league.table(division).rows[-1].standing.spread == -100


def test_publish_round_twice_changes_nothing(draft: Round, doris: Actor) -> None:
    rounds.publish_round(draft, actor=doris)
    revision = draft.division.tournament.revision

    rounds.publish_round(draft, actor=doris)

    assert draft.division.tournament.revision == revision


def test_publish_round_with_somebody_unpaired_is_refused(division: Division, four: list[Entry], doris: Actor) -> None:
    draft = drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(method="manual"))

    with pytest.raises(rounds.NotPaired) as refused:
        rounds.publish_round(draft, actor=doris)

    assert "Beispiel, Anna; Muster, Jörg" in str(refused.value)
    assert state(draft) == "draft"


def test_publish_round_closes_the_complete_one_before(division: Division, four: list[Entry], doris: Actor) -> None:
    first = steps.played(division, doris)

    second = steps.published(division, doris)

    assert (state(first), state(second)) == ("closed", "published")


def test_close_round_with_open_games_is_refused(draft: Round, doris: Actor) -> None:
    rounds.publish_round(draft, actor=doris)

    with pytest.raises(reopening.GamesOpen) as refused:
        rounds.close_round(draft, actor=doris)

    assert refused.value.figures == {"number": 1, "missing": 2}


def test_close_round_and_reopen(division: Division, four: list[Entry], doris: Actor) -> None:
    played = steps.played(division, doris)

    rounds.close_round(played, actor=doris)
    closed = state(played)
    rounds.reopen_round(played, actor=doris)

    assert (closed, state(played)) == ("closed", "published")


@pytest.mark.parametrize("act", [rounds.close_round, rounds.reopen_round, rounds.unpublish_round])
def test_state_of_a_draft_is_wrong_for(act: Callable[..., None], draft: Round, doris: Actor) -> None:
    with pytest.raises(rounds.RoundStateWrong):
        act(draft, actor=doris)


def test_unpublish_round_makes_it_a_draft_again(draft: Round, doris: Actor) -> None:
    rounds.publish_round(draft, actor=doris)

    rounds.unpublish_round(draft, actor=doris)

    assert state(draft) == "draft"
    assert league.table(draft.division).rows[0].standing.games == 0


def test_unpublish_round_with_a_result_is_refused(division: Division, four: list[Entry], doris: Actor) -> None:
    played = steps.played(division, doris)

    with pytest.raises(rounds.HasResults) as refused:
        rounds.unpublish_round(played, actor=doris)

    assert refused.value.figures == {"number": 1, "results": 2}


def test_unpublish_round_with_a_withdrawn_version_is_refused(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    played = steps.played(division, doris)
    for pairing in league.pairings(played):
        results.withdraw_result(pairing, actor=doris)

    with pytest.raises(rounds.HasResults):
        rounds.unpublish_round(played, actor=doris)

    assert Result.objects.count() == 2


def test_unpublish_round_before_a_later_one_is_refused(division: Division, four: list[Entry], doris: Actor) -> None:
    first = steps.published(division, doris)
    drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(based_on=0))

    with pytest.raises(rounds.LaterRoundExists):
        rounds.unpublish_round(first, actor=doris)


def test_discard_draft_removes_it(draft: Round, doris: Actor) -> None:
    rounds.discard_draft(draft, actor=doris)

    assert not Round.objects.exists()
    assert not Seat.objects.exists()


def test_discard_of_a_published_round_is_refused(draft: Round, doris: Actor) -> None:
    rounds.publish_round(draft, actor=doris)

    with pytest.raises(rounds.RoundStateWrong):
        rounds.discard_draft(draft, actor=doris)

    assert state(draft) == "published"


def test_result_of_a_draft_is_refused(draft: Round, doris: Actor) -> None:
    report = Report(Outcome.PLAYED, PlayerReport(points=400), PlayerReport(points=380))

    with pytest.raises(results.RoundNotPublished):
        results.record_result(league.pairings(draft)[0], report=report, actor=doris, expected_version=0)


def test_database_refuses_a_player_twice_in_a_round(draft: Round, four: list[Entry]) -> None:
    pairing = Pairing.objects.create(round=draft, kind="game", table=77)

    with pytest.raises(IntegrityError, match="seat"), transaction.atomic():
        Seat.objects.create(pairing=pairing, round=draft, entry=four[0], side=1)


def test_database_refuses_a_second_draft(draft: Round) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.create(division=draft.division, number=2)


def test_database_refuses_a_table_twice(draft: Round) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Pairing.objects.create(round=draft, kind="game", table=1)


@pytest.mark.parametrize(
    "columns",
    [
        {"first_points": 10000},
        {"second_points": -1000},
        {"first_points": None},
        {"first_penalty": -1},
        {"second_overtime": 7201},
        {"outcome": "lost"},
        {"outcome": "open"},
        {"version": 1, "official": False},
        {"official": True},
        {"spread": 50},
    ],
)
def test_database_refuses_a_wrong_result(columns: dict[str, object], draft: Round) -> None:
    pairing = Pairing.objects.filter(round=draft).first()
    assert pairing is not None
    right = {"pairing": pairing, "outcome": "played", "first_points": 400, "second_points": 380}
    at = draft.division.tournament.created_at
    Result.objects.create(**right, version=1, at=at)

    with pytest.raises(IntegrityError), transaction.atomic():
        Result.objects.create(**(right | {"version": 2, "official": False, "at": at} | columns))


def test_draft_discarded_meanwhile(draft: Round, doris: Actor) -> None:
    seen = Round.objects.get(pk=draft.pk)
    rounds.discard_draft(draft, actor=doris)

    with pytest.raises(Gone):
        rounds.publish_round(seen, actor=doris)

    assert not Round.objects.exists()


def test_pairing_drawn_anew_meanwhile(draft: Round, doris: Actor) -> None:
    seen = league.pairings(draft)[0]
    draft_edits.pair_rest_anew(draft, actor=doris)

    with pytest.raises(Gone):
        draft_edits.set_locked(seen, locked=True, actor=doris)
