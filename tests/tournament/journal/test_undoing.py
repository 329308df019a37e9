"""What taking an entry of the journal back would change, before it is done."""

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from scoring.prizes import PrizeKind
from tests import factories
from tournament.core.change import Actor
from tournament.ending.operations import add_prize, edit_prize
from tournament.ending.plan import PrizePlan
from tournament.entries.operations.attendance import check_in_entries, set_absence, withdraw_entry
from tournament.entries.operations.entries import keep_apart, move_entry, remove_entry
from tournament.events.operations import add_division, update_settings
from tournament.journal.consequences import MOST_ROWS_TOLD, UndoEffects, find_undo_effects
from tournament.knockout.operations import cancel_knockout, take_back_seeds
from tournament.models import Division, Entry, JournalEntry, Round
from tournament.pairing.values import Method
from tournament.results.league_games import list_division_entries
from tournament.rounds.drafts import DrawWish, draft_round, swap_players
from tournament.rounds.operations import discard_draft
from tournament.rounds.plan import PlanSegment, set_plan
from tournament.table.league import list_round_pairings


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=8)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


def effects(division: Division, verb: str) -> UndoEffects:
    """What undoing the last entry of that verb would do."""
    entry = JournalEntry.objects.filter(tournament=division.tournament, verb=verb).latest("number")
    return find_undo_effects(entry, division.tournament, actor=factories.director())


def told(found: UndoEffects) -> list[str]:
    return [str(each) for each in found.rows]


def anna(division: Division) -> Entry:
    return Entry.objects.filter(division=division).with_names().earliest("pk")


def test_old_result_tells_ranks_later_rounds_and_what_is_open_again(division: Division, doris: Actor) -> None:
    factories.played(division)
    made = draft_round(division, actor=doris, wish=DrawWish(seed=1))

    found = effects(division, "record_result")

    assert found.consequences is not None
    assert [later.number for later in found.consequences.later] == [made.number]
    assert len(found.consequences.players) == 2
    assert [(each.number, each.tables, each.again) for each in found.open_again] == [(1, (4,), True)]
    assert found.since == ()


def test_game_of_the_knockout_tells_who_would_not_play_on(division: Division, doris: Actor) -> None:
    made = factories.knockout(division)
    factories.knockout_game(made, (1, 1, 1), 420, 380)

    found = effects(made, "record_result")

    assert found.consequences is not None
    assert found.consequences.knockout is not None
    assert str(found.consequences.knockout.match.after) == "offen"


def test_later_game_of_the_knockout_says_why_not(division: Division, doris: Actor) -> None:
    made = factories.knockout(division)
    factories.knockout_game(made, (1, 1, 1), 420, 380)
    first = JournalEntry.objects.latest("number")
    factories.knockout_game(made, (1, 2, 1), 420, 380)
    factories.knockout_game(made, (2, 1, 1), 420, 380)

    found = find_undo_effects(first, made.tournament, actor=doris)

    assert found.refusal is not None
    assert found.refusal.code == "undo_disturbs"


def test_swap_in_a_draft_tells_the_pairs(division: Division, doris: Actor) -> None:
    draft = draft_round(division, actor=doris, wish=DrawWish(seed=1))
    one, other = list_round_pairings(draft)[:2]
    was = [f"{each.first.name} – {each.second.name}" for each in (one, other) if each.second]
    swap_players(draft, one=one.first, other=other.first, actor=doris)

    found = effects(division, "swap")

    assert [sentence.partition(" → ")[2] for sentence in told(found)[:2]] == was
    assert [sentence.partition(":")[0] for sentence in told(found)[:2]] == ["Tisch 1", "Tisch 2"]


def test_withdrawal_with_rounds_since_says_that_they_stay(division: Division, doris: Actor) -> None:
    withdraw_entry(anna(division), actor=doris)
    factories.published(division)

    found = effects(division, "withdraw")

    assert told(found) == ["Aumann, Klara, zurückgezogen nach Runde: 0 → –"]
    assert [round.number for round in found.since] == [1]


def test_figures_and_lists_are_told(division: Division, doris: Actor) -> None:
    update_settings(division.tournament, actor=doris, place="Fulda", minutes=25)
    set_plan(division, segments=[PlanSegment(1, 5, Method.RANDOM)], actor=doris)

    settings, plan = effects(division, "update_settings"), effects(division, "set_plan")

    assert told(settings) == ["Ort: Fulda → –", "Minuten je Spieler: 25 → 30"]
    assert [sentence.rpartition(": ")[2] for sentence in told(plan)] == ["wie vorher"]


def test_seeding_goes_with_its_games(division: Division, doris: Actor) -> None:
    made = factories.knockout(division)

    found = effects(made, "confirm_seeds")

    assert any("Entfällt" in sentence and "4" in sentence for sentence in told(found))


def test_thrown_away_draft_comes_back(division: Division, doris: Actor) -> None:
    draft = draft_round(division, actor=doris)
    discard_draft(draft, actor=doris)

    assert any("Gilt wieder: Runde (Runde 1)" in sentence for sentence in told(effects(division, "discard_draft")))
    assert not Round.objects.exists()


def test_absence_is_named(division: Division, doris: Actor) -> None:
    set_absence(anna(division), number=2, actor=doris)

    assert told(effects(division, "set_absence")) == ["Entfällt: Abwesenheit (Aumann, Klara, Runde 2)"]


def test_many_changes_are_counted(doris: Actor, director_client: Client) -> None:
    division = factories.event("Viele", players=30)
    pks = [entry.pk for entry in list_division_entries(division)]
    check_in_entries(division.tournament, shown=pks, present=pks, actor=doris)

    undone = effects(division, "check_in")

    assert (len(undone.rows), undone.more) == (MOST_ROWS_TOLD, 15)
    number = JournalEntry.objects.filter(tournament=division.tournament, verb="check_in").latest("number").number
    page = director_client.get(reverse("director:undo", args=[division.tournament.slug, number]))
    assert "und 15 weitere Änderungen" in page.text


@pytest.mark.parametrize("players", [4, 12])
def test_queries_do_not_grow_with_the_field(
    players: int, db: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    division = factories.event("Viele", players=players)
    factories.played(division)

    # SQLite makes 61: it checks the keys of the result in one question, PostgreSQL in two.
    with django_assert_max_num_queries(62):
        effects(division, "record_result")


def test_seeds_taken_back_come_back(division: Division, doris: Actor) -> None:
    made = factories.knockout(division)
    take_back_seeds(made, actor=doris)

    assert told(effects(made, "take_back_seeds")) == [
        "Gilt wieder: Setzplätze (4)",
        "Gilt wieder: Runde (Halbfinale)",
        "Gilt wieder: Paarungen (Dvořák, Jana – Müller-Lüdenscheidt, Ann-Kathrin; Aumann, Klara – Öztürk, Cem)",
    ]


def test_division_is_told_by_its_name(division: Division, doris: Actor) -> None:
    other = add_division(division.tournament, name="B", actor=doris)
    move_entry(anna(division), division=other, actor=doris)

    assert told(effects(division, "move_entry")) == ["Aumann, Klara, Gruppe: B → A"]


def test_winner_of_a_prize_is_told_by_name(division: Division, doris: Actor) -> None:
    plan = PrizePlan(kind=PrizeKind.OWN, title="Pechvogel", winner=anna(division))
    prize = add_prize(division, plan=plan, actor=doris)
    edit_prize(prize, plan=replace(plan, winner=None), actor=doris)

    assert told(effects(division, "edit_prize")) == ["Pechvogel, Sieger: – → Aumann, Klara"]


def test_removed_entry_comes_back_by_name(division: Division, doris: Actor) -> None:
    klara = anna(division)
    peter = Entry.objects.with_names().get(division=division, player__name="Baum, Peter")
    keep_apart(klara, other=peter, actor=doris)
    set_absence(klara, number=2, actor=doris)
    remove_entry(klara, actor=doris)

    assert told(effects(division, "remove_entry")) == [
        "Gilt wieder: Teilnehmer (Aumann, Klara)",
        "Gilt wieder: auseinandergehaltenes Paar (Aumann, Klara – Baum, Peter)",
        "Gilt wieder: Abwesenheit (Aumann, Klara, Runde 2)",
    ]


def test_seeds_do_not_come_back_without_their_knockout(division: Division, doris: Actor) -> None:
    made = factories.knockout(division)
    take_back_seeds(made, actor=doris)
    cancel_knockout(made, actor=doris)

    found = effects(made, "take_back_seeds")

    assert found.refusal is not None
    assert found.refusal.code == "changed_since"
