"""Personal data deleted on request: nothing of the person is left, and the journal still gives the event."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import override_settings

from games.models import Photo
from games.photos import attach_photos
from tests import factories
from tests.games.conftest import browser
from tests.games.photos import samples
from tests.tournament.registration.registering import open_entry, registered, states
from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import find_journal_differences, find_noted_differences
from tournament.backup.noting import note_journal_entry, read_notes
from tournament.backup.places import NOTES_FOLDER, Installation
from tournament.core.change import TERMINAL_ACTOR, Actor, take_snapshot
from tournament.entries.operations.entries import EntryDetails, edit_entry, enter_player, remove_entry
from tournament.entries.operations.register import Person, edit_player
from tournament.events.operations import copy_tournament, delete_tournament
from tournament.models import Contact, Entry, JournalEntry, Letter, Pairing, Player, Registration, Tournament
from tournament.registration.forgetting import (
    ForgottenPerson,
    answer_forget_request,
    forget_player,
    forget_registration,
)
from tournament.registration.operations import take_over_registrations

NAME, CLUB, EMAIL = "Vergißmein, Özge", "Einödhof am Kliff", "vergissmein@example.org"
PHONE = "+49 (0)221 4711 0815"
TRACES = (
    "vergissmein",
    "vergißmein",
    "vergi\\u00dfmein",
    "özge",
    "\\u00d6zge",
    "ozge",
    "oezge",
    "einöd",
    "einod",
    "ein\\u00f6d",
    "4711 0815",
)


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament:
    made = factories.event(players=3, rounds=0).tournament
    open_entry(made)
    return made


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=cup_of_module.pk)


def everything() -> str:
    """Every column of every table, as the database has it, in lower case."""
    told = []
    with connection.cursor() as cursor:
        for model in apps.get_models():
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')
            told += [json.dumps(row, default=str, ensure_ascii=False) for row in cursor.fetchall()]
    return "\n".join(told).lower()


def traces() -> list[str]:
    """What is left of the person."""
    found = everything()
    return [trace for trace in TRACES if trace.lower() in found]


def taken_over(cup: Tournament) -> Entry:
    """The person has registered and is an entry."""
    registration = registered(cup, NAME, email=EMAIL, phone=PHONE, club=CLUB, rating=1712)
    take_over_registrations(cup, chosen=[registration.pk], actor=factories.director())
    return Entry.objects.with_names().select_related("tournament", "division").get(registration=registration)


def fresh(cup: Tournament) -> Tournament:
    return Tournament.objects.get(pk=cup.pk)


def rows_of(cup: Tournament) -> list[dict[str, Any]]:
    return [take_snapshot(row) for row in (fresh(cup), *cup.divisions.all(), *Pairing.objects.order_by("pk"))]


@pytest.mark.parametrize("name", ["herbst-cup", "german_scrabble", "A", "table", "swiss", "game", "played", "de"])
@pytest.mark.sampled(2)
def test_whoever_is_called_like_a_word_of_the_program_takes_none_of_them_along(name: str, cup: Tournament) -> None:
    doris = factories.director()
    entry = enter_player(cup.divisions.get(), person=Person(name, club=name), actor=doris, anyway=True)
    factories.played(entry.division)
    before, told = rows_of(cup), list(JournalEntry.objects.order_by("pk").values_list("verb", flat=True))

    forget_player(entry.player, actor=doris)

    assert [row | {"revision": 0} for row in rows_of(cup)] == [row | {"revision": 0} for row in before]
    assert list(JournalEntry.objects.order_by("pk").values_list("verb", flat=True))[: len(told)] == told
    assert find_journal_differences(fresh(cup)) == []
    assert browser(doris.user).get(f"/director/{cup.slug}/journal/").status_code == 200


@pytest.mark.parametrize("is_taken_over", [True, False])
def test_whoever_registers_under_somebody_elses_name_deletes_nobody_else(is_taken_over: bool, cup: Tournament) -> None:
    doris = factories.director()
    entry = enter_player(cup.divisions.get(), person=Person(NAME, CLUB, 1712), actor=doris)
    remove_entry(entry, actor=doris)
    registration = registered(cup, NAME, email=EMAIL, club=CLUB)
    if is_taken_over:
        take_over_registrations(cup, chosen=[registration.pk], actor=doris)

    answer = answer_forget_request(Contact.objects.get(email=EMAIL))

    assert (answer is None) == is_taken_over  # then the directors are asked
    assert Player.objects.get(pk=entry.player_id).name == NAME


@pytest.mark.django_db
def test_whoever_registers_under_the_name_of_the_event_and_deletes_it_changes_nothing_of_it() -> None:
    announcement = "Zum Herbst Cup laden wir ein."
    cup = factories.event("Herbst Cup 2026", players=3, rounds=0, announcement=announcement).tournament
    open_entry(cup)
    registered(cup, "Herbst Cup", email=EMAIL)

    answer_forget_request(Contact.objects.get(email=EMAIL))

    assert (fresh(cup).name, fresh(cup).announcement) == ("Herbst Cup 2026", announcement)
    assert find_journal_differences(fresh(cup)) == []


def test_who_has_played_stays_under_a_pseudonym_and_the_journal_gives_the_event(cup: Tournament) -> None:
    doris = factories.director()
    entry = taken_over(cup)
    edit_player(entry.player, person=Person(NAME, CLUB, 1712, email=EMAIL, phone=PHONE), actor=doris)
    details = EntryDetails(exception=f"{NAME} darf später kommen, sonst {PHONE} anrufen")
    edit_entry(entry, person=Person(NAME, club=CLUB, rating=1712), details=details, actor=Actor(name=NAME))
    factories.played(entry.division)
    table = Pairing.objects.filter(seats__entry=entry).get()
    before = [str(row) for row in table.results.all()]
    assert traces() != []

    pseudonym = forget_player(entry.player, actor=doris)

    assert traces() == []
    assert pseudonym.startswith("Spieler ")
    kept = Entry.objects.with_names().get(pk=entry.pk)
    assert (kept.name, kept.club, kept.rating, kept.exception) == (pseudonym, None, 1712, "")
    assert [str(row) for row in Pairing.objects.get(pk=table.pk).results.all()] == before
    assert Player.objects.get(pk=entry.player_id).search_name.startswith("spieler ")
    assert not Contact.objects.exists()
    assert find_journal_differences(fresh(cup)) == []
    made = rebuild_event(cup.slug, "noch-einmal", actor=TERMINAL_ACTOR)
    assert sorted(each.name for each in made.tournament.entries.with_names()) == sorted(
        each.name for each in cup.entries.with_names()
    )
    assert traces() == []


def test_every_former_name_goes_in_every_event_of_the_organiser(cup: Tournament) -> None:
    doris = factories.director()
    other = copy_tournament(cup, actor=doris, name="Frühjahrs-Cup")
    entry = enter_player(cup.divisions.get(), person=Person("Früher, Özge", club=CLUB), actor=doris)
    edit_player(entry.player, person=Person(NAME, club=CLUB), actor=doris)
    enter_player(other.divisions.get(), person=Person(NAME, club=CLUB), actor=doris)
    deleted = copy_tournament(other, actor=doris, name="Alter Cup", with_entries=True)
    delete_tournament(deleted, typed_name="Alter Cup", actor=doris)
    factories.played(factories.fresh(cup.divisions.get()))

    pseudonym = forget_player(Player.objects.get(pk=entry.player_id), actor=doris)

    assert (traces(), "früher" in everything()) == ([], False)
    assert {each.name for each in Entry.objects.with_names().filter(player=entry.player_id)} == {pseudonym}
    for tournament in (cup, other):
        assert find_journal_differences(fresh(tournament)) == []


def test_who_never_played_is_gone_altogether_and_who_waits_moves_up(cup: Tournament) -> None:
    open_entry(cup, places=4)
    entry = taken_over(cup)
    registered(cup, "Amsel, Ada")
    contact = Contact.objects.select_related("tournament", "registration").get(email=EMAIL)

    assert answer_forget_request(contact) is not None

    assert traces() == []
    assert not Player.objects.filter(pk=entry.player_id).exists()
    assert states(cup)["Amsel"] == "confirmed"
    assert find_journal_differences(fresh(cup)) == []


@pytest.mark.parametrize("state", ["registered", "removed", "asked"])
def test_registration_is_deleted_with_all_that_was_said_of_it(cup: Tournament, state: str) -> None:
    if state == "removed":
        remove_entry(taken_over(cup), actor=factories.director())
    else:
        registered(cup, NAME, email=EMAIL, club=CLUB)
    if state == "asked":
        Contact.objects.update(registration=None)
        Registration.objects.all().delete()
    contact = Contact.objects.select_related("tournament", "registration").get()

    answer_forget_request(contact)

    assert not Registration.objects.exists()
    assert not Contact.objects.exists()
    assert state == "asked" or traces() == []


def test_directors_are_asked_while_games_hang_on_it(cup: Tournament) -> None:
    user = factories.director().user
    assert user is not None
    user.email = "doris@example.org"
    user.save()
    entry = taken_over(cup)
    factories.played(entry.division)
    contact = Contact.objects.select_related("tournament", "registration").get()

    assert answer_forget_request(contact) is None
    assert answer_forget_request(contact) is None

    assert Contact.objects.get().forget_asked_at is not None
    [letter] = Letter.objects.filter(to="doris@example.org")
    assert "Vergi" not in letter.text
    forget_registration(Registration.objects.get(), actor=factories.director())
    assert traces() == []


def test_photos_of_the_games_go_and_others_stay(cup: Tournament, tmp_path: Path) -> None:
    entry = taken_over(cup)
    factories.published(entry.division)
    with override_settings(DATA_DIR=tmp_path):
        for table in Pairing.objects.select_related("round__division__tournament").with_players().by_table():
            attach_photos(table, sent=[samples.sent("bogen.jpg", samples.from_phone())], actor=factories.director())

        forget_player(entry.player, actor=factories.director())

    assert Photo.objects.count() == 1
    assert not Photo.objects.filter(pairing__seats__entry=entry).exists()
    assert find_journal_differences(fresh(cup)) == []


def test_club_that_others_have_stays_theirs(cup: Tournament) -> None:
    entry = enter_player(cup.divisions.get(), person=Person(NAME, club="SC Fulda"), actor=factories.director())
    others = list(Entry.objects.exclude(pk=entry.pk).filter(club__name="SC Fulda").values_list("pk", flat=True))
    assert others

    forget_player(entry.player, actor=factories.director())

    assert list(Entry.objects.filter(club__name="SC Fulda").values_list("pk", flat=True)) == others


FORGOTTEN = ForgottenPerson(
    "Spieler 1", frozenset({"Muster, Max", "Anna"}), frozenset({"max@example.org"}), clubs={1: "SC Nur"}
)


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ("Muster, Max", "Spieler 1"),
        ("Max Muster war da", "Spieler 1 war da"),
        ("Muster, Maximilian", "Muster, Maximilian"),
        ("Anna", "Spieler 1"),
        ("Anna (P04)", "Spieler 1"),
        ("Beispiel, Anna", "Beispiel, Anna"),
        ("an MAX@example.org", "an Spieler 1"),
        ("Muster, Max (SC Nur)", "Spieler 1"),
        ({"name": "Muster, Max", "club": "SC Fulda"}, {"name": "Spieler 1", "club": ""}),
        ({"name": "Beispiel, Anna", "club": "SC Fulda"}, {"name": "Beispiel, Anna", "club": "SC Fulda"}),
        ([1, None, "muster, max"], [1, None, "Spieler 1"]),
    ],
)
def test_a_name_is_found_by_its_words(told: Any, left: Any) -> None:
    assert FORGOTTEN.value(told) == left


def test_notes_beside_the_database_forget_as_well(
    cup: Tournament, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    entry, path = taken_over(cup), tmp_path / NOTES_FOLDER / "00001.jsonl"
    for stored in JournalEntry.objects.order_by("pk"):
        note_journal_entry(Installation(tmp_path), take_snapshot(stored))
    with path.open("a") as file:
        file.write('\n{"id":99,"by_name":"Vergissmein, \\u00d6zge", "cut o')
    assert "vergi" in path.read_text().lower()

    with override_settings(DATA_DIR=tmp_path), django_capture_on_commit_callbacks(execute=True):
        forget_player(entry.player, actor=factories.director())

    left = read_notes(tmp_path / NOTES_FOLDER)
    assert [trace for trace in TRACES if trace in path.read_text().lower()] == []
    assert find_noted_differences(left) == []
    assert "rows" not in left[-1]
