"""An event made anew from its journal is the same event: every row, the next draw, what can be taken back."""

import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import OperationalError, connection

from tests import factories
from tests.refusals import refuses
from tests.tournament.exchange.terminal import run
from tests.tournament.rounds import steps
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import (
    find_journal_differences,
)
from tournament.core.change import Actor
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import enter_player, keep_apart, remove_entry
from tournament.entries.operations.register import Person
from tournament.events.operations import create_tournament, delete_tournament, update_settings
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.values import EventData
from tournament.journal.undoing import undo_journal_entry
from tournament.knockout.operations import announce_knockout, confirm_seeds
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Club, Division, Entry, JournalEntry, Player, Result, Tournament
from tournament.models.event import list_named_entries
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.table.league import load_table
from tournament.table.lots import find_level_groups, settle_tie_by_lot

pytestmark = pytest.mark.usefixtures("played_cup_of_module")


def value(tournament: Tournament) -> EventData:
    """The event as its file says it, whatever its address."""
    return replace(load_event_data(tournament), slug="")


def next_round(tournament: Tournament, actor: Actor) -> EventData:
    """The event with the next round drawn by the same lots."""
    division = tournament.divisions.select_related("tournament").get(name="A")
    draft_round(division, actor=actor, wish=DrawWish(seed=5, accept_missing=True))
    return value(tournament)


@pytest.fixture(scope="module")
def played_cup_of_module(cup_of_module: Tournament | None, four_of_module: None) -> Tournament:
    """The cup after a round with lots, an entry removed and one withdrawn; its journal took some things back."""
    assert cup_of_module is not None
    doris, cup, division = factories.director(), cup_of_module, cup_of_module.divisions.get(name="A")
    four = list(list_named_entries().filter(division=division).in_order())
    gone = enter_player(division, person=Person("Weg, Wanda", club="SC Fort"), actor=doris)
    keep_apart(four[0], other=four[1], actor=doris)
    remove_entry(gone, actor=doris)
    steps.play_next_round(division, doris)
    settle_tie_by_lot(division, after=1, order=find_level_groups(load_table(division, after=1))[0], actor=doris)
    withdraw_entry(four[3], actor=doris)
    undo_journal_entry(cup.journal.latest("number"), actor=doris)
    return cup


@pytest.fixture
def played_cup(cup: Tournament) -> Tournament:
    return cup


def test_event_made_anew_is_the_same(played_cup: Tournament, doris: Actor) -> None:
    made = rebuild_event("herbst-cup", "neu", actor=doris)

    copy = made.tournament
    assert (copy.slug, made.entries, made.set_aside) == ("neu", played_cup.revision, "")
    assert value(copy) == value(played_cup)
    assert (copy.created_at, copy.organiser) == (played_cup.created_at, doris.organiser)
    assert find_journal_differences(copy) == []
    assert next_round(copy, doris) == next_round(played_cup, doris)


def test_journal_comes_along_and_ends_with_the_rebuilding(played_cup: Tournament, doris: Actor) -> None:
    copy = rebuild_event("herbst-cup", "neu", actor=doris).tournament

    columns = ("number", "at", "by", "by_name", "verb", "details")
    old = list(played_cup.journal.order_by("number").values_list(*columns))
    new = list(copy.journal.order_by("number").values_list(*columns))
    assert new[:-1] == old
    assert (new[-1][4], copy.revision) == ("rebuild_tournament", len(old) + 1)


def test_versions_of_results_keep_who_and_when(played_cup: Tournament, doris: Actor) -> None:
    rebuild_event("herbst-cup", "neu", actor=doris)

    columns = ("version", "official", "how", "by", "by_name", "at", "first_points")
    old, new = (
        list(
            Result.objects.filter(pairing__round__division__tournament__slug=slug).order_by("pk").values_list(*columns)
        )
        for slug in ("herbst-cup", "neu")
    )
    assert old == new
    assert len(old) == 2


def test_earlier_steps_can_be_taken_back_in_the_event_made_anew(played_cup: Tournament, doris: Actor) -> None:
    copy = rebuild_event("herbst-cup", "neu", actor=doris).tournament

    for each in (played_cup, copy):
        undo_journal_entry(each.journal.get(verb="remove_entry"), actor=doris)

    assert value(copy) == value(played_cup)
    assert [each.entries.count() for each in (played_cup, copy)] == [5, 5]


def test_settings_changed_before_can_be_taken_back_after(cup: Tournament, doris: Actor) -> None:
    update_settings(cup, place="Fulda", actor=doris)
    copy = rebuild_event("herbst-cup", "neu", actor=doris).tournament

    undo_journal_entry(copy.journal.get(verb="update_settings"), actor=doris)

    assert Tournament.objects.get(pk=copy.pk).place == ""


def test_knockout_comes_along(division: Division, four: list[Entry], doris: Actor) -> None:
    steps.play_next_round(division, doris)
    announce_knockout(division, plan=KnockoutPlan(4, "double"), actor=doris)
    confirm_seeds(division, accept_missing=True, actor=doris)

    copy = rebuild_event("herbst-cup", "neu", actor=doris).tournament

    assert value(copy) == value(division.tournament)
    assert find_journal_differences(copy) == []


def test_deleted_event_returns_to_its_address(played_cup: Tournament, doris: Actor) -> None:
    before = value(played_cup)
    delete_tournament(played_cup, typed_name="Herbst-Cup", actor=doris)

    made = rebuild_event("herbst-cup", "herbst-cup", actor=doris)

    assert (value(made.tournament), made.set_aside) == (before, "")


def test_last_of_several_deleted_events_is_meant(doris: Actor) -> None:
    for place in ("Köln", "Fulda"):
        made = create_tournament(actor=doris, name="Winter-Cup", place=place)
        delete_tournament(made, typed_name="Winter-Cup", actor=doris)

    assert rebuild_event("winter-cup", "neu", actor=doris).tournament.place == "Fulda"


def test_damaged_rows_are_moved_aside(played_cup: Tournament, doris: Actor) -> None:
    before, entries_before = value(played_cup), played_cup.revision
    Result.objects.filter(pairing__round__division__tournament=played_cup).update(first_points=1)

    made = rebuild_event("herbst-cup", "herbst-cup", actor=doris)

    aside = Tournament.objects.get(slug=made.set_aside)
    assert (value(made.tournament), made.entries) == (before, entries_before)
    assert (aside.pk, aside.is_public, made.set_aside) == (played_cup.pk, False, "herbst-cup-alt")
    assert aside.journal.latest("number").verb == "set_aside"


def test_players_whom_the_register_has_lost_are_made_again(played_cup: Tournament, doris: Actor) -> None:
    before = value(played_cup)
    delete_tournament(played_cup, typed_name="Herbst-Cup", actor=doris)
    Player.objects.all().delete()
    Club.objects.all().delete()

    copy = rebuild_event("herbst-cup", "neu", actor=doris).tournament

    assert value(copy) == replace(before, players=tuple(replace(each, club=None) for each in before.players))
    assert Player.objects.get(name="Beispiel, Anna").club == Club.objects.get(name="SC Fulda")


def test_journal_keeps_the_name_of_whoever_has_no_account_any_more(played_cup: Tournament, doris: Actor) -> None:
    assert doris.user is not None
    doris.user.delete()

    copy = rebuild_event("herbst-cup", "neu", actor=Actor(name="Terminal")).tournament

    assert set(copy.journal.values_list("by_name", flat=True)) == {"doris", "Terminal"}
    assert not copy.journal.exclude(by=None).exists()


def test_what_is_not_there_is_refused(cup: Tournament, doris: Actor) -> None:
    with refuses("no_journal", match="herbst-cup"):
        rebuild_event("sommer-cup", "neu", actor=doris)


@pytest.mark.parametrize("new_slug", ["herbst-cup", "anderer-cup"])
def test_address_that_is_taken_is_refused(cup: Tournament, other_cup: Tournament, doris: Actor, new_slug: str) -> None:
    with refuses("address_taken"):
        rebuild_event("herbst-cup", new_slug, actor=doris)

    assert Tournament.objects.count() == 2


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("missing", "code", "said"),
    [
        ((3,), "journal_gap", ": 3."),
        ((3, 5, 6, 7), "journal_gap", ": 3, 5–7."),
        ((1,), "journal_no_beginning", " 2."),
        (range(1, 100), "journal_empty", "herbst-cup"),
    ],
)
def test_journal_that_is_not_whole_is_refused(
    played_cup: Tournament, doris: Actor, missing: Any, code: str, said: str
) -> None:
    JournalEntry.objects.filter(tournament=played_cup, number__in=missing).delete()

    with refuses(code, match=said):
        rebuild_event("herbst-cup", "neu", actor=doris)

    assert Tournament.objects.count() == 1


def _unknown_table(rows: list[Any]) -> None:
    rows[0][0] = "spaceship"


def _unknown_key(rows: list[Any]) -> None:
    rows[0][3]["entry_id"] = 10**9


def _no_number(rows: list[Any]) -> None:
    rows[0][3]["side"] = "left"


def _twice(rows: list[Any]) -> None:
    rows[1][3] |= {"side": rows[0][3]["side"], "pairing_id": rows[0][3]["pairing_id"]}


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (_unknown_table, "journal_table"),
        (_unknown_key, "journal_contradiction"),
        (_no_number, "journal_contradiction"),
        (_twice, "journal_contradiction"),
    ],
)
def test_broken_rows_are_refused(played_cup: Tournament, doris: Actor, damage: Any, code: str) -> None:
    entry = next(each for each in played_cup.journal.order_by("number") if each.verb == "draft_round")
    damage([row for row in entry.rows if row[0] == "seat"])
    JournalEntry.objects.filter(pk=entry.pk).update(rows=entry.rows)

    with refuses(code):
        rebuild_event("herbst-cup", "neu", actor=doris)

    assert Tournament.objects.count() == 1


def test_command_makes_it_anew_and_says_what_no_journal_holds(played_cup: Tournament) -> None:
    status, out, err = run("journal", "herbst-cup", "--rebuild", "neu", "--format", "json")

    assert (status, json.loads(out)) == (0, {"slug": "neu", "entries": played_cup.revision})
    assert "Wortlisten" in err
    assert run("journal", "neu", "--verify")[0] == 0


@pytest.mark.parametrize("address", ["Ümläut", "x" * 81])
def test_command_refuses_what_is_no_address(cup: Tournament, address: str) -> None:
    status, out, err = run("journal", "herbst-cup", "--rebuild", address)

    assert (status, out, len(err.splitlines())) == (1, "", 1)


def test_full_disk_is_not_laid_at_the_journals_door(played_cup: Tournament, doris: Actor) -> None:
    def full(execute: Any, sql: str, *statement: Any) -> Any:
        if sql.startswith('INSERT INTO "tournament_pairing"'):
            raise OperationalError("database or disk is full")
        return execute(sql, *statement)

    with connection.execute_wrapper(full), pytest.raises(OperationalError, match="disk is full"):
        rebuild_event(played_cup.slug, "neu", actor=doris)

    assert not Tournament.objects.filter(slug="neu").exists()
