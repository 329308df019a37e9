"""Entering, correcting, moving and taking back entries."""

import threading
from dataclasses import replace

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from scoring.awards import Outcome
from tests.refusals import refuses
from tests.tournament.rounds import steps
from tournament.basics.refusals import NumberOutOfRange, Refusals
from tournament.core.change import Actor
from tournament.entries.operations.attendance import set_absence
from tournament.entries.operations.entries import (
    AlreadyEntered,
    EntryAlreadyPaired,
    EntryDetails,
    EntryNotRemovable,
    LateEntry,
    MoveOutsideTournament,
    NewEntry,
    allow_to_meet,
    edit_entry,
    enter_player,
    enter_players,
    keep_apart,
    move_entry,
    remove_entry,
)
from tournament.entries.operations.register import MayBeKnown, Person, SeveralPlayersKnown, add_player
from tournament.models import Absence, Division, Entry, JournalEntry, KeptApart, Player, Result, SamePerson, Tournament
from tournament.table.league import load_table

pytestmark = pytest.mark.usefixtures("four_of_module")


def test_enter_gives_numbers_in_order(four: list[Entry]) -> None:
    assert [(entry.key, entry.position) for entry in four] == [("P01", 1), ("P02", 2), ("P03", 3), ("P04", 4)]


def test_enter_after_p99_goes_on_with_p100(four: list[Entry], division: Division, doris: Actor) -> None:
    Entry.objects.filter(pk=four[3].pk).update(key="P99")

    entry = enter_player(division, person=Person("Fuchs, Emil"), actor=doris)

    assert entry.key == "P100"


def test_enter_does_not_reuse_the_number_of_another(division: Division, doris: Actor, four: list[Entry]) -> None:
    remove_entry(four[1], actor=doris)

    entry = enter_player(division, person=Person("Fuchs, Emil"), actor=doris)

    assert entry.key == "P05"


def test_enter_a_known_player_takes_club_and_figures_of_the_register(division: Division, doris: Actor) -> None:
    known = add_player(person=Person("Beispiel, Anna", club="SC Fulda", rating=1512, games=73), actor=doris)

    entry = enter_player(division, person=Person("beispiel, anna"), actor=doris)

    assert (entry.player, str(entry.club), entry.rating, entry.games) == (known, "SC Fulda", 1512, 73)
    assert Player.objects.count() == 1


def test_enter_with_other_figures_keeps_the_register(division: Division, doris: Actor) -> None:
    known = add_player(person=Person("Beispiel, Anna", rating=1512), actor=doris)

    entry = enter_player(division, person=Person("Beispiel, Anna", club="SC Fulda", rating=1550), actor=doris)

    known.refresh_from_db()
    assert (entry.rating, known.rating, str(known.club)) == (1550, 1512, "SC Fulda")


def test_enter_the_same_person_twice_asks(division: Division, doris: Actor, four: list[Entry]) -> None:
    with pytest.raises(AlreadyEntered) as refused:
        enter_player(division, person=Person(" BEISPIEL, anna", club="sc fulda"), actor=doris)

    assert refused.value.figures == {"who": "BEISPIEL, anna (sc fulda)", "key": "P01"}
    assert division.entries.count() == 4


def test_enter_the_same_name_without_a_club_asks(division: Division, doris: Actor, four: list[Entry]) -> None:
    with pytest.raises(AlreadyEntered):
        enter_player(division, person=Person("Beispiel, Anna"), actor=doris)


def test_enter_the_same_person_in_the_other_division_asks(cup: Tournament, doris: Actor, four: list[Entry]) -> None:
    with pytest.raises(AlreadyEntered):
        enter_player(cup.divisions.get(name="B"), person=Person("Beispiel, Anna"), actor=doris)


def test_enter_the_same_person_anyway_makes_somebody_else(division: Division, doris: Actor, four: list[Entry]) -> None:
    entry = enter_player(division, person=Person("Beispiel, Anna", club="SC Fulda"), actor=doris, anyway=True)

    assert entry.player_id != four[0].player_id
    assert (entry.key, entry.name) == ("P05", "Beispiel, Anna (P05)")


def test_enter_the_same_name_of_another_club_is_another_person(
    division: Division, doris: Actor, four: list[Entry]
) -> None:
    entry = enter_player(division, person=Person("Beispiel, Anna", club="SC Kassel"), actor=doris)

    assert entry.player_id != four[0].player_id


def test_enter_an_ambiguous_name_anyway_makes_somebody_new(division: Division, doris: Actor) -> None:
    for club in ("SC Fulda", "SC Kassel"):
        add_player(person=Person("Meier, Hans", club=club), actor=doris)

    with pytest.raises(SeveralPlayersKnown):
        enter_player(division, person=Person("Meier, Hans"), actor=doris)
    entry = enter_player(division, person=Person("Meier, Hans"), actor=doris, anyway=True)

    assert (entry.club, Player.objects.count()) == (None, 3)


def test_enter_names_every_fault(division: Division, doris: Actor) -> None:
    with pytest.raises(Refusals) as refused:
        enter_player(
            division,
            person=Person("", rating=20000),
            details=EntryDetails(fixed_table=0, exception="x" * 201),
            actor=doris,
        )

    fields = [fault.field for fault in refused.value.refusals]
    assert fields == ["name", "rating", "fixed_table", "exception"]
    assert not Player.objects.exists()


def test_enter_is_one_change_with_all_its_rows(division: Division, doris: Actor) -> None:
    before = division.tournament.revision

    enter_player(division, person=Person("Fuchs, Emil", club="SC Fulda"), actor=doris)

    line = JournalEntry.objects.get(tournament=division.tournament, number=before + 1)
    assert line.verb == "enter"
    assert line.details == {"division": "A", "name": "Fuchs, Emil", "club": "SC Fulda", "key": "P01"}
    assert [row[0] for row in line.rows] == ["club", "player", "entry"]


def test_enter_a_name_that_is_markup_keeps_it_as_text(division: Division, doris: Actor) -> None:
    names = ["<script>alert(1)</script>", '=HYPERLINK("http://example.org")']

    made = [enter_player(division, person=Person(name), actor=doris) for name in names]

    assert [entry.name for entry in made] == names


def test_enter_late_plays_from_the_next_round(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)

    late = enter_player(division, person=Person("Fuchs, Emil"), actor=doris)

    assert (late.first_round, late.seats.count()) == (2, 0)


def test_enter_late_in_a_published_round_is_refused(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)

    with refuses("round_already_published") as refused:
        enter_player(division, person=Person("Fuchs, Emil"), late=LateEntry(first_round=1), actor=doris)

    assert refused.value.figures == {"number": 1, "next": 2}


def test_enter_late_with_missed_rounds_as_losses(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)
    steps.play_next_round(division, doris)

    late = enter_player(
        division, person=Person("Fuchs, Emil"), late=LateEntry(first_round=4, missed_are_losses=True), actor=doris
    )

    results = Result.objects.filter(pairing__seats__entry=late).order_by("pairing__round__number")
    assert [(result.pairing.round.number, result.outcome) for result in results] == [
        (1, Outcome.ABSENT.value),
        (2, Outcome.ABSENT.value),
    ]
    assert list(Absence.objects.filter(entry=late).values_list("number", "counts_as_loss")) == [(3, True)]
    row = next(row for row in load_table(division).rows if row.entry == late)
    assert (row.standing.half_wins, row.standing.spread, row.standing.games) == (0, -200, 2)


def test_enter_late_out_of_range_is_refused(division: Division, doris: Actor) -> None:
    with pytest.raises(NumberOutOfRange):
        enter_player(division, person=Person("Fuchs, Emil"), late=LateEntry(first_round=201), actor=doris)


def test_enter_all_is_one_change_and_leaves_out_who_is_in(
    cup: Tournament, division: Division, doris: Actor, four: list[Entry]
) -> None:
    before = Tournament.objects.get().revision
    other = cup.divisions.get(name="B")
    newcomers = [
        NewEntry(Person("Beispiel, Anna"), division),
        NewEntry(Person("Fuchs, Emil"), other, EntryDetails(guest=True)),
        NewEntry(Person("fuchs, emil"), division),
    ]

    entered, entered_before = enter_players(cup, newcomers=newcomers, actor=doris)

    assert [(entry.name, entry.division, entry.guest) for entry in entered] == [("Fuchs, Emil", other, True)]
    assert [person.name for person in entered_before] == ["Beispiel, Anna", "fuchs, emil"]
    cup.refresh_from_db()
    assert cup.revision == before + 1
    assert cup.journal.filter(verb="enter_all").latest("number").details["count"] == 1


def test_enter_all_with_a_fault_enters_nobody(cup: Tournament, division: Division, doris: Actor) -> None:
    newcomers = [NewEntry(Person("Fuchs, Emil"), division), NewEntry(Person("Baum, Peter", rating=-1), division)]

    with pytest.raises(Refusals):
        enter_players(cup, newcomers=newcomers, actor=doris)

    assert not Entry.objects.exists()


def test_enter_all_into_another_tournament_is_refused(
    cup: Tournament, doris: Actor, four: list[Entry], other_cup: Tournament
) -> None:
    newcomers = [NewEntry(Person("Fuchs, Emil"), other_cup.divisions.get())]

    with pytest.raises(MoveOutsideTournament):
        enter_players(cup, newcomers=newcomers, actor=doris)


def test_edit_entry_keeps_the_registers_figures_but_corrects_the_name(doris: Actor, four: list[Entry]) -> None:
    anna = four[0]

    edit_entry(
        anna,
        person=Person("Beispiel, Anne", club="SC Kassel", rating=1600, email="anne@example.org", phone="0661 12345"),
        details=EntryDetails(exception="25 minutes more"),
        actor=doris,
    )

    anna.refresh_from_db()
    player = anna.player
    assert (anna.rating, str(anna.club), anna.games, anna.exception) == (1600, "SC Kassel", 0, "25 minutes more")
    assert (player.name, player.rating, str(player.club)) == ("Beispiel, Anne", 1512, "SC Fulda")
    assert (player.email, player.phone) == ("anne@example.org", "0661 12345")


def test_move_entry_before_play(cup: Tournament, doris: Actor, four: list[Entry]) -> None:
    other = cup.divisions.get(name="B")
    keep_apart(four[0], other=four[1], actor=doris)

    move_entry(four[0], division=other, actor=doris)

    assert Entry.objects.get(pk=four[0].pk).division == other
    assert not KeptApart.objects.exists()


def test_move_entry_once_paired_is_refused(
    cup: Tournament, division: Division, doris: Actor, four: list[Entry]
) -> None:
    steps.publish_next_round(division, doris)

    with pytest.raises(EntryAlreadyPaired) as refused:
        move_entry(four[0], division=cup.divisions.get(name="B"), actor=doris)

    assert refused.value.figures == {"name": "Beispiel, Anna", "number": 1}


def test_move_entry_to_another_tournament_is_refused(doris: Actor, four: list[Entry], other_cup: Tournament) -> None:
    with pytest.raises(MoveOutsideTournament):
        move_entry(four[0], division=other_cup.divisions.get(), actor=doris)


def test_remove_entry_keeps_the_player(doris: Actor, four: list[Entry]) -> None:
    set_absence(four[0], number=2, actor=doris)

    remove_entry(four[0], actor=doris)
    remove_entry(four[0], actor=doris)

    assert not Entry.objects.filter(pk=four[0].pk).exists()
    assert Player.objects.filter(name="Beispiel, Anna").exists()


def test_remove_entry_once_paired_is_refused(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.publish_next_round(division, doris)

    with pytest.raises(EntryNotRemovable):
        remove_entry(four[0], actor=doris)


def test_keep_apart_twice_in_either_order_is_one_pair(doris: Actor, four: list[Entry]) -> None:
    keep_apart(four[2], other=four[0], actor=doris)
    keep_apart(four[0], other=four[2], actor=doris)

    pair = KeptApart.objects.get()
    assert (pair.one, pair.other) == (four[0], four[2])
    allow_to_meet(pair, actor=doris)
    assert not KeptApart.objects.exists()


def test_keep_apart_from_oneself_is_refused(doris: Actor, four: list[Entry]) -> None:
    with refuses("against_oneself"):
        keep_apart(four[0], other=four[0], actor=doris)


@pytest.mark.django_db(transaction=True)
def test_enter_two_at_once_gives_two_numbers(division: Division, doris: Actor) -> None:
    names = ["Fuchs, Emil", "Baum, Peter", "Eriksen, Åse", "Bianchi, Ugo"]
    ready = threading.Barrier(len(names))

    def enter(name: str) -> None:
        ready.wait()
        enter_player(division, person=Person(name, club="SC Fulda"), actor=doris)
        connection.close()

    threads = [threading.Thread(target=enter, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    entered = Entry.objects.filter(division=division).order_by("key")
    assert [entry.key for entry in entered] == ["P01", "P02", "P03", "P04"]
    assert sorted(entry.name for entry in entered) == sorted(names)


@pytest.mark.django_db(transaction=True)
def test_enter_the_same_person_twice_at_once_enters_once(division: Division, doris: Actor) -> None:
    refused: list[Exception] = []
    ready = threading.Barrier(2)

    def enter() -> None:
        ready.wait()
        try:
            enter_player(division, person=Person("Fuchs, Emil"), actor=doris)
        except AlreadyEntered as refusal:
            refused.append(refusal)
        connection.close()

    threads = [threading.Thread(target=enter) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (Entry.objects.count(), len(refused)) == (1, 1)


@pytest.mark.parametrize(("club", "queries"), [("", 29), ("SC Fulda", 33)])
def test_list_of_people_asks_for_their_club_once(
    club: str, queries: int, division: Division, doris: Actor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Looked for, and made within a savepoint: four more."""
    newcomers = [NewEntry(Person(f"Gast {number}", club), division) for number in range(10)]

    with django_assert_num_queries(queries):
        enter_players(division.tournament, newcomers=newcomers, actor=doris)


def test_name_corrected_to_one_like_another_is_asked_about(four: list[Entry], doris: Actor) -> None:
    anna, other = four[0], four[1]
    corrected = Person(f"{other.player.name[:-1]}", club="SC Ulm")

    with pytest.raises(MayBeKnown):
        edit_entry(anna, person=corrected, details=EntryDetails(), actor=doris)
    assert Entry.objects.get(pk=anna.pk).player.name == anna.player.name
    edit_entry(anna, person=corrected, details=EntryDetails(), actor=doris, anyway=True)
    edit_entry(anna, person=replace(corrected, rating=1300), details=EntryDetails(), actor=doris)

    assert Entry.objects.get(pk=anna.pk).player.name == corrected.name
    decision = SamePerson.objects.get()
    assert {decision.one_id, decision.other_id} == {anna.player_id, other.player_id}
