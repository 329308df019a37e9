"""The public state holds what a stranger may read on the event's pages, and nothing else that is stored of it."""

import json
from datetime import date, timedelta

import pytest
from django.utils import timezone

from scoring.awards import Outcome
from tests import factories
from tournament.core.fees import FeeKind, FeeTerms
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.hall.operations import start_round_clock
from tournament.models import Absence, Division, Entry, KeptApart, Prize, Result, Round, RoundState, Tournament
from tournament.public_state import PublicState, load_public_state, make_public_state_json

pytestmark = pytest.mark.django_db

SECRET = "Geheim-7141"
"""Stands in every column that nobody outside may read."""


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    division = factories.event(players=6, public_reasons=False)
    factories.played(division, (400, 380), (410, 300), (350, 349))
    return division


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def load(division: Division) -> PublicState:
    state = load_public_state(Tournament.objects.get(pk=division.tournament_id))
    assert state is not None
    return state


def text_of(state: PublicState) -> str:
    return json.dumps(make_public_state_json(state), ensure_ascii=False)


def test_public_state_is_a_tournament_file_that_can_be_read(division: Division) -> None:
    state = load(division)

    assert read_tournament_file(format_tournament_file(state.event)) == state.event


def test_hidden_event_has_no_public_state(division: Division) -> None:
    Tournament.objects.update(is_public=False)

    assert load_public_state(Tournament.objects.get(pk=division.tournament_id)) is None


def test_draft_is_not_in_the_public_state(division: Division) -> None:
    factories.draft(division)

    assert [each.number for each in load(division).event.divisions[0].rounds] == [1]


def test_private_columns_are_not_in_the_public_state(division: Division) -> None:
    first, second = Entry.objects.order_by("pk")[:2]
    Result.objects.update(note=SECRET, penalty_reason=SECRET, why=SECRET, by_name=SECRET, first_overtime=7141)
    Entry.objects.update(fee_paid=True, fee_kind=SECRET, paid_cents=71417, paid_on=date(1714, 1, 1), fee_waived=True)
    Entry.objects.update(present=True, expected=True, fixed_table=9)
    Absence.objects.create(entry=first, number=5)
    KeptApart.objects.create(one=first, other=second)
    Prize.objects.create(division=division, position=1, kind="own", title=SECRET, award=SECRET)
    Tournament.objects.update(certificate={"above": SECRET}, fees=FeeTerms((FeeKind("K1", SECRET, 71417),)).stored())
    Round.objects.update(notes=[], seed=71417141)
    Division.objects.update(announced={"round": 2, "seed": 71417141, "pairs": [["P01", "P02"]]})

    event = load(division).event

    assert "7141" not in text_of(load(division))
    assert event.divisions[0].kept_apart == ()
    assert event.divisions[0].announced is None
    assert all(not each.absences and each.fixed_table is None for each in event.players)
    assert event.fees == FeeTerms()
    assert not any(
        each.fee_paid or each.fee_waived or each.paid_on or each.present or each.expected for each in event.players
    )


@pytest.mark.parametrize("step", ["results_shown", "table_shown"])
def test_held_back_results_are_open_until_they_are_shown(division: Division, step: str) -> None:
    Round.objects.update(**{step: "hand"})

    outcomes = {each.outcome for each in load(division).event.divisions[0].rounds[0].pairings}

    assert outcomes == {Outcome.OPEN if step == "results_shown" else Outcome.PLAYED}


def test_round_whose_pairings_are_held_back_is_not_told(division: Division) -> None:
    Round.objects.update(pairings_shown="hand")

    state = load(division)
    assert state.event.divisions[0].rounds == ()
    assert state.rounds == ()


def test_round_before_one_that_is_seen_is_told_by_its_number(division: Division) -> None:
    factories.published(division)
    Round.objects.filter(number=1).update(pairings_shown="hand")

    first, second = load(division).event.divisions[0].rounds
    assert (first.number, first.pairings) == (1, ())
    assert second.pairings != ()


def test_end_of_a_round_is_not_told_before_its_results(division: Division) -> None:
    Round.objects.update(state="closed", closed_at=timezone.now(), results_shown="hand", table_shown="hand")

    state = load(division)
    assert state.event.divisions[0].rounds[0].state == RoundState.PUBLISHED
    assert state.rounds[0]["closed_at"] is None


def test_state_changes_by_itself_when_a_moment_has_come(division: Division) -> None:
    Round.objects.update(results_shown="published+10", published_at=timezone.now() - timedelta(minutes=9))
    tournament = Tournament.objects.get(pk=division.tournament_id)

    before = load_public_state(tournament)
    after = load_public_state(tournament, timezone.now() + timedelta(minutes=2))

    assert before
    assert after
    assert before.state != after.state
    assert after.event.divisions[0].rounds[0].pairings[0].outcome == Outcome.PLAYED


def test_clock_is_told_once_it_was_started(division: Division) -> None:
    before = load(division).clock
    start_round_clock(division.tournament, actor=factories.director())

    clock = load(division).clock
    assert before is None
    assert clock
    assert clock["ends"]
