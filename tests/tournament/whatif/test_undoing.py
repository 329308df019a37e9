"""What taking an entry of the journal back would change, before it is done."""

from dataclasses import replace

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.prizes import PrizeKind
from tests import factories
from tournament.models import Division, Entry, JournalEntry, Round
from tournament.operations import attendance, draft_edits, drafts, entries, knockout, plans, prizes, rounds, tournaments
from tournament.operations.change import Actor
from tournament.pairing.values import Method
from tournament.plan.prizes import PrizePlan
from tournament.plan.segments import Segment
from tournament.queries import league
from tournament.whatif import undoing
from tournament.whatif.undoing import Effects


@pytest.fixture
def division(db: None) -> Division:
    return factories.event(players=8)


@pytest.fixture
def doris(division: Division) -> Actor:
    return factories.director()


def effects(division: Division, verb: str) -> Effects:
    """What undoing the last entry of that verb would do."""
    entry = JournalEntry.objects.filter(tournament=division.tournament, verb=verb).latest("number")
    return undoing.of(entry, division.tournament, actor=factories.director())


def told(found: Effects) -> list[str]:
    return [str(each) for each in found.rows]


def anna(division: Division) -> Entry:
    return Entry.objects.filter(division=division).with_names().earliest("pk")


def test_old_result_tells_ranks_later_rounds_and_what_is_open_again(division: Division, doris: Actor) -> None:
    factories.played(division)
    made = drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(seed=1))

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

    found = undoing.of(first, made.tournament, actor=doris)

    assert found.refusal is not None
    assert found.refusal.code == "undo_disturbs"


def test_swap_in_a_draft_tells_the_pairs(division: Division, doris: Actor) -> None:
    draft = drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(seed=1))
    one, other = league.pairings(draft)[:2]
    was = [f"{each.first.name} – {each.second.name}" for each in (one, other) if each.second]
    draft_edits.swap(draft, one=one.first, other=other.first, actor=doris)

    found = effects(division, "swap")

    assert [sentence.partition(" → ")[2] for sentence in told(found)[:2]] == was
    assert [sentence.partition(":")[0] for sentence in told(found)[:2]] == ["Tisch 1", "Tisch 2"]


def test_withdrawal_with_rounds_since_says_that_they_stay(division: Division, doris: Actor) -> None:
    attendance.withdraw(anna(division), actor=doris)
    factories.published(division)

    found = effects(division, "withdraw")

    assert told(found) == ["Aumann, Klara, zurückgezogen nach Runde: 0 → –"]
    assert [round.number for round in found.since] == [1]


def test_figures_and_lists_are_told(division: Division, doris: Actor) -> None:
    tournaments.update_settings(division.tournament, actor=doris, place="Fulda", minutes=25)
    plans.set_plan(division, segments=[Segment(1, 5, Method.RANDOM)], actor=doris)

    settings, plan = effects(division, "update_settings"), effects(division, "set_plan")

    assert told(settings) == ["Ort: Fulda → –", "Minuten je Spieler: 25 → 30"]
    assert [sentence.rpartition(": ")[2] for sentence in told(plan)] == ["wie vorher"]


def test_seeding_goes_with_its_games(division: Division, doris: Actor) -> None:
    made = factories.knockout(division)

    found = effects(made, "confirm_seeds")

    assert any("Entfällt" in sentence and "4" in sentence for sentence in told(found))


def test_thrown_away_draft_comes_back(division: Division, doris: Actor) -> None:
    draft = drafts.draft_round(division, actor=doris)
    rounds.discard_draft(draft, actor=doris)

    assert any("Gilt wieder: Runde (Runde 1)" in sentence for sentence in told(effects(division, "discard_draft")))
    assert not Round.objects.exists()


def test_absence_is_named(division: Division, doris: Actor) -> None:
    attendance.set_absence(anna(division), number=2, actor=doris)

    assert told(effects(division, "set_absence")) == ["Entfällt: Abwesenheit (Aumann, Klara, Runde 2)"]


def test_many_changes_are_counted(doris: Actor) -> None:
    division = factories.event("Viele", players=30)
    pks = [entry.pk for entry in league.entries(division)]
    attendance.check_in(division.tournament, shown=pks, present=pks, actor=doris)

    rows = told(effects(division, "check_in"))

    assert (len(rows), rows[-1]) == (undoing.SHOWN + 1, "und 15 weitere Änderungen")


@pytest.mark.parametrize("players", [4, 40])
def test_queries_do_not_grow_with_the_field(
    players: int, db: None, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    division = factories.event("Viele", players=players)
    factories.played(division)

    with django_assert_max_num_queries(60):
        effects(division, "record_result")


def test_seeds_taken_back_come_back(division: Division, doris: Actor) -> None:
    made = factories.knockout(division)
    knockout.take_back_seeds(made, actor=doris)

    assert told(effects(made, "take_back_seeds")) == [
        "Gilt wieder: Setzplätze (4)",
        "Gilt wieder: Runde (Halbfinale)",
        "Gilt wieder: Paarungen (Dvořák, Jana – Müller-Lüdenscheidt, Ann-Kathrin; Aumann, Klara – Öztürk, Cem)",
    ]


def test_division_is_told_by_its_name(division: Division, doris: Actor) -> None:
    other = tournaments.add_division(division.tournament, name="B", actor=doris)
    entries.move_entry(anna(division), division=other, actor=doris)

    assert told(effects(division, "move_entry")) == ["Aumann, Klara, Gruppe: B → A"]


def test_winner_of_a_prize_is_told_by_name(division: Division, doris: Actor) -> None:
    plan = PrizePlan(kind=PrizeKind.OWN, title="Pechvogel", winner=anna(division))
    prize = prizes.add_prize(division, plan=plan, actor=doris)
    prizes.edit_prize(prize, plan=replace(plan, winner=None), actor=doris)

    assert told(effects(division, "edit_prize")) == ["Pechvogel, Sieger: – → Aumann, Klara"]


def test_removed_entry_comes_back_by_name(division: Division, doris: Actor) -> None:
    klara = anna(division)
    peter = Entry.objects.with_names().get(division=division, player__name="Baum, Peter")
    entries.keep_apart(klara, other=peter, actor=doris)
    attendance.set_absence(klara, number=2, actor=doris)
    entries.remove_entry(klara, actor=doris)

    assert told(effects(division, "remove_entry")) == [
        "Gilt wieder: Teilnehmer (Aumann, Klara)",
        "Gilt wieder: auseinandergehaltenes Paar (Aumann, Klara – Baum, Peter)",
        "Gilt wieder: Abwesenheit (Aumann, Klara, Runde 2)",
    ]


def test_seeds_do_not_come_back_without_their_knockout(division: Division, doris: Actor) -> None:
    made = factories.knockout(division)
    knockout.take_back_seeds(made, actor=doris)
    knockout.cancel_knockout(made, actor=doris)

    found = effects(made, "take_back_seeds")

    assert found.refusal is not None
    assert found.refusal.code == "changed_since"
