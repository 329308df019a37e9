"""The example event."""

import json
from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command

from games.models import Scoresheet
from games.round_play.positions import load_shown_position
from games.sheets.sheet_page import SheetPage
from scoring.awards import Outcome
from tournament.archive.replaying import find_journal_differences
from tournament.basics.likeness import list_possible_pairs
from tournament.basics.refusals import Refusals
from tournament.core.change import TERMINAL_ACTOR
from tournament.events.demo import DEMO_PLAYERS, GIVEN_NAMES, SURNAMES, DemoSize, make_demo_tournament
from tournament.models import Division, Entry, Pairing, Result, Round, Tournament
from tournament.table.league import count_planned_rounds, list_league_rounds

TODAY = date(2026, 10, 3)
USUAL = DemoSize()


def loaded(size: DemoSize = USUAL) -> Division:
    made = make_demo_tournament(actor=TERMINAL_ACTOR, today=TODAY, size=size)
    division = made.divisions.get()
    division.tournament = made
    return division


def written(division: Division) -> list[tuple[object, ...]]:
    """Who met whom with which result, round by round, without what differs from event to event."""
    pairings = Pairing.objects.filter(round__division=division).with_players().with_results()
    return [
        (
            pairing.round.number,
            pairing.table,
            pairing.first.key,
            pairing.second.key if pairing.second else None,
            pairing.result and (pairing.result.outcome, pairing.result.first_points, pairing.result.second_points),
        )
        for pairing in pairings.select_related("round").order_by("round__number", "table", "kind", "pk")
    ]


@pytest.mark.long
@pytest.mark.django_db
def test_load_is_half_way_through_the_sixth_round() -> None:
    division = loaded()

    progress = list_league_rounds(division, drafts=True)

    assert [(item.round.number, item.round.state, item.missing) for item in progress] == [
        *((number, Round.State.CLOSED, 0) for number in range(1, 6)),
        (6, Round.State.PUBLISHED, 4),
    ]
    assert (count_planned_rounds(division), division.entries.count()) == (7, 24)


@pytest.mark.long
@pytest.mark.django_db
def test_load_has_something_of_everything() -> None:
    division = loaded()

    official = Result.objects.filter(pairing__round__division=division, official=True)
    entered = Entry.objects.filter(division=division)
    assert official.filter(outcome=Outcome.BYE.value).count() == 4
    assert official.filter(outcome=Outcome.SECOND_FORFEITS.value, reason="no_show").count() == 1
    assert official.filter(second_overtime=75).count() == 1
    assert official.filter(outcome=Outcome.ABSENT.value).count() == 1
    assert entered.exclude(withdrawn_after=None).values_list("withdrawn_after", flat=True).get() == 3
    assert entered.filter(first_round=2).count() == 1
    assert entered.filter(player__name="Müller-Lüdenscheidt, Ann-Kathrin").exists()


@pytest.mark.long
@pytest.mark.django_db
def test_load_of_the_same_size_gives_the_same_event_elsewhere() -> None:
    one, other = loaded(), loaded()

    assert (one.tournament.slug, other.tournament.slug) == ("herbst-cup", "herbst-cup-2")
    assert written(one) == written(other)


@pytest.mark.long
@pytest.mark.django_db
def test_load_of_another_seed_gives_another_event() -> None:
    assert written(loaded()) != written(loaded(DemoSize(seed=2)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "size",
    [DemoSize(6, 1, 0), DemoSize(6, 1, 1), DemoSize(7, 5, 5), DemoSize(8, 3, 2), DemoSize(50, 3, 0)],
    ids=str,
)
@pytest.mark.django_db
def test_load_of_any_size(size: DemoSize) -> None:
    division = loaded(size)

    complete = [item for item in list_league_rounds(division) if not item.missing]
    assert len(complete) == size.played
    assert find_journal_differences(division.tournament) == []


def test_no_two_invented_names_are_alike() -> None:
    """Else the largest event would not be made: alike names are asked about."""
    names = [*DEMO_PLAYERS, *(f"{surname}, {given}" for surname in SURNAMES for given in GIVEN_NAMES)]

    assert list_possible_pairs(dict(enumerate(names))) == []


@pytest.mark.django_db
def test_load_of_an_impossible_size_names_every_fault() -> None:
    with pytest.raises(Refusals) as refused:
        loaded(DemoSize(players=2, rounds=31, played=40))

    assert [fault.code for fault in refused.value.refusals] == ["size", "size", "size", "played_too_many"]
    assert not Tournament.objects.exists()


@pytest.mark.django_db
def test_command_prints_the_address() -> None:
    out = StringIO()

    call_command("demo", "--players", "6", "--rounds", "3", "--played", "1", "--format", "json", stdout=out)

    assert json.loads(out.getvalue()) == {"slug": "herbst-cup"}


@pytest.mark.django_db
def test_command_with_a_bad_size_prints_each_fault_and_leaves_with_1() -> None:
    errors = StringIO()

    with pytest.raises(SystemExit) as left:
        call_command("demo", "--players", "1", "--rounds", "3", "--played", "4", stderr=errors)

    assert left.value.code == 1
    assert len(errors.getvalue().splitlines()) == 2


@pytest.mark.long
@pytest.mark.django_db
def test_example_has_sheets_public_games_and_a_play_of_the_round() -> None:
    division = loaded()

    sheets = Scoresheet.objects.filter(pairing__round__division=division).select_related("pairing__round")
    assert [(sheet.pairing.round.number, sheet.agreed, sheet.is_public) for sheet in sheets] == [(5, True, True)] * 2
    for sheet in sheets:
        assert SheetPage(sheet).problems == ()
    shown = load_shown_position(division)
    assert shown is not None
    assert shown["rack"] == "CEHIKNS"
    official = Result.objects.filter(official=True, how=Result.How.SHEET).order_by("pairing__table")
    assert list(official.values_list("first_points", "second_points")) == [(342, 285), (429, 298)]


@pytest.mark.django_db
def test_example_without_a_whole_round_has_no_sheets() -> None:
    loaded(DemoSize(played=0))

    assert not Scoresheet.objects.exists()
