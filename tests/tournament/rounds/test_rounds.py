"""Publishing, closing and taking back rounds."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, transaction
from pytest_django import DjangoAssertNumQueries

from scoring.awards import Outcome
from tests import factories
from tests.refusals import refuses
from tests.tournament.rounds import steps
from tournament.core.change import Actor, RowDeleted
from tournament.core.reports import PlayerReport, Report
from tournament.entries.operations.attendance import set_absence
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.models import Division, Entry, Pairing, Result, Round, Seat
from tournament.results.operations import GamesOpen, RoundNotPublished, record_result, withdraw_result
from tournament.rounds.drafts import DrawWish, draft_round, pair_rest_anew, set_pair_locked
from tournament.rounds.operations import (
    RoundStateWrong,
    close_round,
    discard_draft,
    publish_round,
    reopen_round,
    unpublish_round,
)
from tournament.table.league import list_round_pairings, load_table

pytestmark = pytest.mark.usefixtures("four_of_module")


@pytest.fixture
def draft(division: Division, four: list[Entry], doris: Actor) -> Round:
    return draft_round(division, actor=doris)


def state(round: Round) -> str:
    return Round.objects.get(pk=round.pk).state


def test_publish_round_credits_bye_and_absence(division: Division, four: list[Entry], doris: Actor) -> None:
    for name in ("Fuchs, Emil", "Eriksen, Åse"):
        enter_player(division, person=Person(name), actor=doris)
    set_absence(four[0], number=1, actor=doris)
    draft = draft_round(division, actor=doris)

    publish_round(draft, actor=doris)

    found = Result.objects.filter(official=True).order_by("outcome").values_list("outcome", "how")
    assert list(found) == [("absent", "pairing"), ("bye", "pairing")]
    assert load_table(division).rows[-1].standing.spread == -100


def test_publish_round_twice_changes_nothing(draft: Round, doris: Actor) -> None:
    publish_round(draft, actor=doris)
    revision = draft.division.tournament.revision

    publish_round(draft, actor=doris)

    assert draft.division.tournament.revision == revision


def test_publish_round_with_somebody_unpaired_is_refused(division: Division, four: list[Entry], doris: Actor) -> None:
    draft = draft_round(division, actor=doris, wish=DrawWish(method="manual"))

    with refuses("not_paired") as refused:
        publish_round(draft, actor=doris)

    assert "Beispiel, Anna; Muster, Jörg" in str(refused.value)
    assert state(draft) == "draft"


def test_publish_round_closes_the_complete_one_before(division: Division, four: list[Entry], doris: Actor) -> None:
    first = steps.play_next_round(division, doris)

    second = steps.publish_next_round(division, doris)

    assert (state(first), state(second)) == ("closed", "published")


def test_close_round_with_open_games_is_refused(draft: Round, doris: Actor) -> None:
    publish_round(draft, actor=doris)

    with pytest.raises(GamesOpen) as refused:
        close_round(draft, actor=doris)

    assert refused.value.figures == {"number": 1, "missing": 2}


def test_close_round_and_reopen(division: Division, four: list[Entry], doris: Actor) -> None:
    played = steps.play_next_round(division, doris)

    close_round(played, actor=doris)
    closed = state(played)
    reopen_round(played, actor=doris)

    assert (closed, state(played)) == ("closed", "published")


@pytest.mark.parametrize("act", [close_round, reopen_round, unpublish_round])
@pytest.mark.sampled(1)
def test_state_of_a_draft_is_wrong_for(act: Callable[..., None], draft: Round, doris: Actor) -> None:
    with pytest.raises(RoundStateWrong):
        act(draft, actor=doris)


def test_unpublish_round_makes_it_a_draft_again(draft: Round, doris: Actor) -> None:
    publish_round(draft, actor=doris)

    unpublish_round(draft, actor=doris)

    assert state(draft) == "draft"
    assert load_table(draft.division).rows[0].standing.games == 0


def test_unpublish_round_with_a_result_is_refused(division: Division, four: list[Entry], doris: Actor) -> None:
    played = steps.play_next_round(division, doris)

    with refuses("has_results") as refused:
        unpublish_round(played, actor=doris)

    assert refused.value.figures == {"number": 1, "results": 2}


def test_unpublish_round_with_a_withdrawn_version_is_refused(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    played = steps.play_next_round(division, doris)
    for pairing in list_round_pairings(played):
        withdraw_result(pairing, actor=doris)

    with refuses("has_results"):
        unpublish_round(played, actor=doris)

    assert Result.objects.count() == 2


def test_unpublish_round_before_a_later_one_is_refused(division: Division, four: list[Entry], doris: Actor) -> None:
    first = steps.publish_next_round(division, doris)
    draft_round(division, actor=doris, wish=DrawWish(based_on=0))

    with refuses("later_round"):
        unpublish_round(first, actor=doris)


def test_discard_draft_removes_it(draft: Round, doris: Actor) -> None:
    discard_draft(draft, actor=doris)

    assert not Round.objects.exists()
    assert not Seat.objects.exists()


def test_discard_of_a_published_round_is_refused(draft: Round, doris: Actor) -> None:
    publish_round(draft, actor=doris)

    with pytest.raises(RoundStateWrong):
        discard_draft(draft, actor=doris)

    assert state(draft) == "published"


def test_result_of_a_draft_is_refused(draft: Round, doris: Actor) -> None:
    report = Report(Outcome.PLAYED, PlayerReport(points=400), PlayerReport(points=380))

    with pytest.raises(RoundNotPublished):
        record_result(list_round_pairings(draft)[0], report=report, actor=doris, expected_version=0)


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


@pytest.mark.sampled(2)
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
    discard_draft(draft, actor=doris)

    with pytest.raises(RowDeleted):
        publish_round(seen, actor=doris)

    assert not Round.objects.exists()


def test_pairing_drawn_anew_meanwhile(draft: Round, doris: Actor) -> None:
    seen = list_round_pairings(draft)[0]
    pair_rest_anew(draft, actor=doris)

    with pytest.raises(RowDeleted):
        set_pair_locked(seen, locked=True, actor=doris)


@pytest.mark.parametrize("players", [4, 12])
def test_publishing_takes_the_same_queries_for_any_number_of_tables(
    players: int, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    draft, doris = factories.draft(factories.event(players=players)), factories.director()

    with django_assert_num_queries(14):
        publish_round(draft, actor=doris)
