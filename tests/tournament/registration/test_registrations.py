"""Who gets a place, who waits, who moves up; and what becomes of an entry."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from tests import factories
from tests.refusals import refuses
from tests.tournament.conftest import make_cup
from tests.tournament.registration.registering import asked, open_entry, registered, states, subjects_to, wish
from tournament.archive.replaying import find_journal_differences
from tournament.basics import limits
from tournament.basics.refusals import Refusals
from tournament.core.change import Actor
from tournament.entries.operations.attendance import (
    AbsenteeDecision,
    settle_absentees,
    withdraw_absentees,
    withdraw_entry,
)
from tournament.entries.operations.entries import MoveOutsideTournament, enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import delete_tournament, remove_division
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Contact, Division, Entry, Letter, OnlineEntry, Registration, Tournament
from tournament.registration.operations import (
    confirm_registration,
    list_ready_registrations,
    mark_registration_paid,
    move_registration,
    put_on_waiting_list,
    refuse_registration,
    set_up_online_entry,
    take_over_registrations,
    withdraw_registration,
)
from tournament.registration.requests import (
    RegistrationRequest,
    confirm_request,
    delete_old_requests,
    request_registration,
)


@pytest.fixture(scope="module")
def open_cup_of_module(*, shares_rows: bool) -> Tournament:
    cup = make_cup()
    open_entry(cup, places=2)
    return cup


@pytest.fixture
def open_cup(open_cup_of_module: Tournament, db: None) -> Tournament:
    """Two places."""
    return Tournament.objects.get(pk=open_cup_of_module.pk)


@pytest.fixture
def cup(open_cup: Tournament) -> Tournament:
    """The same, for tests with terms of their own."""
    return open_cup


def of(tournament: Tournament, name: str) -> Registration:
    return Registration.objects.select_related("tournament").get(tournament=tournament, name=name)


def test_a_place_is_taken_only_once_the_address_is_confirmed(open_cup: Tournament) -> None:
    for name in ("Amsel, Ada", "Bussard, Bo", "Cranich, Cem"):
        asked(open_cup, name)

    assert states(open_cup) == {}
    confirm_request(Contact.objects.select_related("tournament").get(name="Cranich, Cem"))
    assert states(open_cup) == {"Cranich": "confirmed"}
    assert subjects_to("Cranich, Cem") == ["Bitte bestätigen", "Platz bestätigt"]
    assert find_journal_differences(open_cup) == []


def test_confirming_twice_is_one_registration(open_cup: Tournament) -> None:
    contact = asked(open_cup, "Amsel, Ada")

    first, second = confirm_request(contact), confirm_request(contact)

    assert first == second
    assert Registration.objects.count() == 1
    assert subjects_to("Amsel, Ada") == ["Bitte bestätigen", "Platz bestätigt"]


def test_who_comes_when_all_places_are_taken_waits(open_cup: Tournament) -> None:
    for name in ("Amsel, Ada", "Bussard, Bo", "Cranich, Cem", "Dohle, Di"):
        registered(open_cup, name)

    assert states(open_cup) == {"Amsel": "confirmed", "Bussard": "confirmed", "Cranich": "waiting", "Dohle": "waiting"}
    assert (
        "Nummer 2 der Warteliste"
        in Letter.objects.get(subject__startswith="Auf der Warteliste", to="dohle@example.org").text
    )


def test_the_first_who_waits_moves_up_by_itself_and_gets_a_letter(open_cup: Tournament, doris: Actor) -> None:
    for name in ("Amsel, Ada", "Bussard, Bo", "Cranich, Cem", "Dohle, Di"):
        registered(open_cup, name)

    withdraw_registration(of(open_cup, "Amsel, Ada"), actor=Actor(name="Amsel, Ada"))

    assert states(open_cup) == {
        "Amsel": "withdrawn", "Bussard": "confirmed", "Cranich": "confirmed", "Dohle": "waiting",
    }  # fmt: skip
    letter = Letter.objects.filter(to="cranich@example.org").order_by("-pk")[0]
    assert "Ein Platz ist frei geworden." in letter.text
    assert find_journal_differences(open_cup) == []


def test_whoever_comes_late_does_not_overtake_who_waits(open_cup: Tournament, doris: Actor) -> None:
    for name in ("Amsel, Ada", "Bussard, Bo", "Cranich, Cem"):
        registered(open_cup, name)
    Registration.objects.filter(name="Amsel, Ada").delete()

    assert registered(open_cup, "Dohle, Di").state == "waiting"


def test_players_the_director_entered_take_places_too(open_cup: Tournament, division: Division, doris: Actor) -> None:
    anna = enter_player(division, person=Person("Beispiel, Anna"), actor=doris)
    enter_player(division, person=Person("Muster, Jörg"), actor=doris)
    registered(open_cup, "Amsel, Ada")
    assert states(open_cup) == {"Amsel": "waiting"}

    withdraw_entry(anna, actor=doris)

    assert states(open_cup) == {"Amsel": "confirmed"}


def test_taking_a_withdrawal_back_takes_no_place_from_who_moved_up(
    open_cup: Tournament, division: Division, doris: Actor
) -> None:
    anna = enter_player(division, person=Person("Beispiel, Anna"), actor=doris)
    registered(open_cup, "Amsel, Ada")
    registered(open_cup, "Bussard, Bo")
    withdraw_entry(anna, actor=doris)

    undo_journal_entry(open_cup.journal.get(verb="withdraw"), actor=doris)

    assert states(open_cup) == {"Amsel": "confirmed", "Bussard": "confirmed"}
    assert not Entry.objects.get(pk=anna.pk).is_withdrawn
    assert find_journal_differences(open_cup) == []


def test_absentees_who_are_withdrawn_make_room(open_cup: Tournament, doris: Actor) -> None:
    division = open_cup.divisions.order_by("position")[0]
    enter_player(division, person=Person("Beispiel, Anna"), actor=doris)
    ben = enter_player(division, person=Person("Beispiel, Ben"), actor=doris)
    for name in ("Amsel, Ada", "Bussard, Bo"):
        registered(open_cup, name)
    assert states(open_cup) == {"Amsel": "waiting", "Bussard": "waiting"}

    settle_absentees(division, number=1, decided={ben.pk: AbsenteeDecision.WITHDRAWN}, actor=doris)
    assert states(open_cup) == {"Amsel": "confirmed", "Bussard": "waiting"}

    withdraw_absentees(division, actor=doris)
    assert states(open_cup) == {"Amsel": "confirmed", "Bussard": "confirmed"}
    assert find_journal_differences(open_cup) == []


def test_more_places_go_to_the_waiting_list_and_fewer_take_none_away(open_cup: Tournament, doris: Actor) -> None:
    for name in ("Amsel, Ada", "Bussard, Bo", "Cranich, Cem", "Dohle, Di"):
        registered(open_cup, name)

    set_up_online_entry(open_cup, terms=OnlineEntry(is_on=True, places=3), actor=doris)
    assert states(open_cup)["Cranich"] == "confirmed"

    set_up_online_entry(open_cup, terms=OnlineEntry(is_on=True, places=1), actor=doris)
    assert list(states(open_cup).values()).count("confirmed") == 3


def test_the_director_confirms_each_one_where_they_said_so(cup: Tournament, doris: Actor) -> None:
    open_entry(cup, places=1, by_director=True)
    registered(cup, "Amsel, Ada")
    registered(cup, "Bussard, Bo")
    assert states(cup) == {"Amsel": "asked", "Bussard": "waiting"}

    refuse_registration(of(cup, "Amsel, Ada"), why="nur für Mitglieder", actor=doris)

    assert states(cup) == {"Amsel": "refused", "Bussard": "asked"}
    assert "nur für Mitglieder" in Letter.objects.filter(to="amsel@example.org").order_by("-pk")[0].text
    confirm_registration(of(cup, "Bussard, Bo"), actor=doris)
    assert states(cup)["Bussard"] == "confirmed"


def test_the_director_may_give_a_place_beyond_the_limit(open_cup: Tournament, doris: Actor) -> None:
    for name in ("Amsel, Ada", "Bussard, Bo", "Cranich, Cem"):
        registered(open_cup, name)

    confirm_registration(of(open_cup, "Cranich, Cem"), actor=doris)

    assert set(states(open_cup).values()) == {"confirmed"}


def test_nobody_is_made_to_wait_while_places_are_free(open_cup: Tournament, doris: Actor) -> None:
    registered(open_cup, "Amsel, Ada")

    with refuses("places_free"):
        put_on_waiting_list(of(open_cup, "Amsel, Ada"), actor=doris)

    assert states(open_cup) == {"Amsel": "confirmed"}


def test_nobody_moves_up_once_a_round_is_published(open_cup: Tournament, division: Division, doris: Actor) -> None:
    for name in ("Amsel, Ada", "Bussard, Bo", "Cranich, Cem"):
        registered(open_cup, name)
    take_over_registrations(open_cup, chosen=[of(open_cup, "Amsel, Ada").pk], actor=doris)
    factories.entry(division, "Muster, Jörg")
    factories.published(division)

    withdraw_registration(of(open_cup, "Bussard, Bo"), actor=doris)

    assert states(open_cup)["Cranich"] == "waiting"
    with refuses("registration_plays"):
        withdraw_registration(of(open_cup, "Amsel, Ada"), actor=doris)


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"is_on": False}, "switched_off"),
        ({"opens_at": timedelta(hours=1)}, "not_open_yet"),
        ({"closes_at": timedelta(seconds=-1)}, "closed_already"),
    ],
)
def test_nobody_registers_out_of_time(cup: Tournament, doris: Actor, terms: dict[str, Any], code: str) -> None:
    now = timezone.now()  # not when the tests are collected: a slow machine takes an hour from there to here
    moments = {name: now + value for name, value in terms.items() if name != "is_on"}
    set_up_online_entry(cup, terms=OnlineEntry(**{"is_on": True, **terms, **moments}), actor=doris)

    with refuses(code):
        request_registration(cup, wish=wish(cup, "Amsel, Ada"))

    assert not Contact.objects.exists()


def test_what_was_typed_in_time_can_be_confirmed_after_the_close(cup: Tournament) -> None:
    open_entry(cup, closes_at=timezone.now() + timedelta(hours=1))
    contact = asked(cup, "Amsel, Ada")

    with time_machine.travel(timezone.now() + timedelta(hours=3)):
        assert confirm_request(contact).state == "confirmed"


def test_link_is_too_old_after_two_days_and_what_was_typed_goes(open_cup: Tournament) -> None:
    contact = asked(open_cup, "Amsel, Ada")
    with time_machine.travel(timezone.now() + timedelta(hours=49)):
        with refuses("link_too_old"):
            confirm_request(contact)
        assert delete_old_requests(timezone.now()) == 1

    assert not Contact.objects.exists()
    assert not Letter.objects.exists()


def test_nobody_can_confirm_once_the_tournament_has_begun(open_cup: Tournament, division: Division) -> None:
    contact = asked(open_cup, "Amsel, Ada")
    factories.enter(division, 2)
    factories.published(division)

    with refuses("has_begun"):
        confirm_request(contact)


def test_the_same_form_sent_twice_brings_one_letter(open_cup: Tournament) -> None:
    asked(open_cup, "Amsel, Ada")
    asked(open_cup, "Amsel, Ada", club="SC Fulda")

    assert Contact.objects.get().club == "SC Fulda"
    assert subjects_to("Amsel, Ada") == ["Bitte bestätigen"]


def test_who_is_registered_is_told_by_letter_alone(open_cup: Tournament) -> None:
    registered(open_cup, "Amsel, Ada")
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        request_registration(open_cup, wish=wish(open_cup, "Amsel, Ada", email="AMSEL@example.org"))

    assert states(open_cup) == {"Amsel": "confirmed"}
    assert subjects_to("Amsel, Ada")[-1] == "Schon angemeldet"


def test_who_has_withdrawn_registers_again(open_cup: Tournament) -> None:
    """At once, with something else typed; the place is lost to who waited, so the list is waited on from its end."""
    for name in ("Amsel, Ada", "Bussard, Bo", "Cranich, Cem"):
        registered(open_cup, name)
    ada = of(open_cup, "Amsel, Ada")
    withdraw_registration(ada, actor=Actor(name="Amsel, Ada"))
    registered(open_cup, "Dohle, Di")

    again = asked(open_cup, "Amsel, Ada", club="SC Fulda")
    assert subjects_to("Amsel, Ada")[-1] == "Bitte bestätigen"
    assert states(open_cup)["Amsel"] == "withdrawn"
    assert confirm_request(again) == ada
    assert confirm_request(again) == ada

    ada.refresh_from_db()
    assert (ada.state, ada.club) == ("waiting", "SC Fulda")
    assert [each.name for each in Registration.objects.waiting()] == ["Dohle, Di", "Amsel, Ada"]
    assert subjects_to("Amsel, Ada")[-1].startswith("Auf der Warteliste")
    assert find_journal_differences(open_cup) == []


def test_who_was_refused_does_not_get_in_by_registering_again(open_cup: Tournament, doris: Actor) -> None:
    registered(open_cup, "Amsel, Ada")
    refuse_registration(of(open_cup, "Amsel, Ada"), why="Voll", actor=doris)

    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        confirm_request(asked(open_cup, "Amsel, Ada"))

    assert states(open_cup) == {"Amsel": "refused"}
    assert subjects_to("Amsel, Ada")[-1] == "Schon angemeldet"


def test_two_of_a_family_register_with_one_address(open_cup: Tournament) -> None:
    registered(open_cup, "Amsel, Ada")
    registered(open_cup, "Amsel, Udo", email="amsel@example.org")

    assert Registration.objects.count() == 2
    letters = Letter.objects.filter(subject__startswith="Bitte").order_by("pk")
    assert "Mit dieser Adresse schon angemeldet: Ada Amsel." in letters[1].text


@pytest.mark.parametrize("email", ["", "nirgendwo", "a b@example.org"])
def test_an_address_is_needed_that_letters_can_go_to(open_cup: Tournament, email: str) -> None:
    typed = wish(open_cup, "Amsel, Ada")
    typed = RegistrationRequest(Person("Amsel, Ada", email=email), typed.division)

    with pytest.raises(Refusals):
        request_registration(open_cup, wish=typed)


def test_terms_have_to_be_possible(cup: Tournament, doris: Actor) -> None:
    now = timezone.now()
    terms = OnlineEntry(opens_at=now, closes_at=now - timedelta(hours=1), places=0, fee="x" * 401, note="x" * 2001)

    with pytest.raises(Refusals) as refused:
        set_up_online_entry(cup, terms=terms, actor=doris)

    assert {each.field for each in refused.value.refusals} == {"closes_at", "places", "fee", "note"}


def test_confirmed_registrations_become_entries_once(open_cup: Tournament, doris: Actor) -> None:
    registered(open_cup, "Amsel, Ada", club="SC Fulda", rating=1500)
    registered(open_cup, "Bussard, Bo")
    mark_registration_paid(of(open_cup, "Bussard, Bo"), paid=True, actor=doris)
    chosen = [each.pk for each in list_ready_registrations(open_cup)]

    done = take_over_registrations(open_cup, chosen=chosen, actor=doris)
    again = take_over_registrations(open_cup, chosen=chosen, actor=doris)

    assert [(each.name, each.rating, each.fee_paid) for each in done.new] == [
        ("Amsel, Ada", 1500, False),
        ("Bussard, Bo", None, True),
    ]
    assert (again.new, again.known, again.left) == ([], [], [])
    assert [each.player.email for each in done.new] == ["", ""]
    assert find_journal_differences(open_cup) == []


def test_whoever_is_entered_already_is_not_entered_twice(
    open_cup: Tournament, division: Division, doris: Actor
) -> None:
    twin = enter_player(division, person=Person("Amsel, Ada", club="SC Fulda"), actor=doris)
    registration = registered(open_cup, "Amsel, Ada", club="sc fulda")

    done = take_over_registrations(open_cup, chosen=[registration.pk], actor=doris)

    assert (done.known, done.new) == ([twin], [])
    assert Registration.objects.get().entry == twin


def test_somebody_else_of_the_same_name_is_entered_all_the_same(
    open_cup: Tournament, division: Division, doris: Actor
) -> None:
    enter_player(division, person=Person("Amsel, Ada"), actor=doris)
    registration = registered(open_cup, "Amsel, Ada")

    done = take_over_registrations(open_cup, chosen=[registration.pk], anyway=[registration.pk], actor=doris)

    assert len(done.new) == 1
    assert Entry.objects.count() == 2


def test_an_entry_that_is_removed_withdraws_its_registration(open_cup: Tournament, doris: Actor) -> None:
    registration = registered(open_cup, "Amsel, Ada")
    done = take_over_registrations(open_cup, chosen=[registration.pk], actor=doris)
    with refuses("registration_entered"):
        refuse_registration(registration, why="", actor=doris)

    withdraw_registration(of(open_cup, "Amsel, Ada"), actor=Actor(name="Amsel, Ada"))

    assert states(open_cup) == {"Amsel": "withdrawn"}
    assert not Entry.objects.filter(pk=done.new[0].pk).exists()
    undo_journal_entry(open_cup.journal.get(verb="remove_entry"), actor=doris)
    assert Registration.objects.get().entry_id == done.new[0].pk
    assert find_journal_differences(open_cup) == []


def test_a_registration_moves_to_another_division(open_cup: Tournament, doris: Actor, other_cup: Tournament) -> None:
    registration = registered(open_cup, "Amsel, Ada")

    move_registration(registration, division=open_cup.divisions.get(name="B"), actor=doris)

    assert Registration.objects.get().division.name == "B"
    with refuses("division_registered_for"):
        remove_division(open_cup.divisions.get(name="B"), actor=doris)
    with pytest.raises(MoveOutsideTournament):
        move_registration(registration, division=other_cup.divisions.get(), actor=doris)


def test_a_tournament_with_registrations_can_be_deleted(open_cup: Tournament, doris: Actor) -> None:
    registered(open_cup, "Amsel, Ada")

    delete_tournament(open_cup, typed_name=open_cup.name, actor=doris)

    assert (Contact.objects.count(), Letter.objects.count(), Registration.objects.count()) == (0, 0, 0)


def test_who_sends_many_requests_pushes_out_their_own_alone(
    open_cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REQUESTS", 4)
    asked(open_cup, "Amsel, Ada")
    for number, address in enumerate(("10.9.0.1", "10.9.0.2", "10.9.0.1", "10.9.0.1", "10.9.0.2", "10.9.0.1")):
        typed = replace(wish(open_cup, f"Niemand{number}, Nina"), client_address=address)
        request_registration(open_cup, wish=typed)

    left = list(Contact.objects.order_by("pk").values_list("name", flat=True))

    assert left == ["Amsel, Ada", "Niemand3, Nina", "Niemand4, Nina", "Niemand5, Nina"]
    assert confirm_request(Contact.objects.get(name="Amsel, Ada")).name == "Amsel, Ada"
    assert Contact.objects.get(name="Amsel, Ada").origin == ""
