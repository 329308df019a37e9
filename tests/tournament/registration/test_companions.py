"""Several people on one form, with one address: one letter asks, one click confirms, one letter lists them."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.core.cache import caches
from django.test import Client, override_settings

from tests import factories
from tests.tournament.registration.registering import delivered, open_entry, registered, states, wish
from tests.tournament.registration.test_views_register import FORM, SENT, own_page
from tests.tournament.registration.test_views_registrations import AWAY, SERVER
from tournament.letters.outbox import GATHERED_RULE, deliver_letters
from tournament.models import Contact, Letter, Registration, Tournament
from tournament.registration.forgetting import forget_registration
from tournament.registration.operations import withdraw_registration
from tournament.registration.requests import confirm_party, request_registration

ADA = {"surname": "Amsel", "given_name": "Ada", "email": "ada@example.org", "companions": "2"}
FAMILY = {**ADA, "p2-surname": "Amsel", "p2-given_name": "Bo", "p3-surname": "Amsel", "p3-given_name": "Cy"}


@pytest.fixture(autouse=True)
def mail() -> Iterator[None]:
    caches["attempts"].clear()
    with override_settings(MAIL=SERVER, DEFAULT_FROM_EMAIL=SERVER.sender, NAMED_HOSTS=["testserver"]):
        yield


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament:
    made = factories.event(players=0).tournament
    open_entry(made, places=2)
    return made


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=cup_of_module.pk)


def family_of(cup: Tournament, *names: str) -> Contact:
    """These have typed one form."""
    first, *others = [wish(cup, name, email="ada@example.org") for name in names]
    request_registration(cup, wish=first, companions=others)
    return Contact.objects.select_related("tournament").get(tournament=cup, name=names[0])


def test_one_form_one_letter_one_click_one_answer(cup: Tournament) -> None:
    assert Client().post(FORM, FAMILY)["Location"] == SENT
    [letter] = delivered()
    page = own_page(letter)

    assert "Eine Bestätigung gilt für alle: Ada Amsel; Bo Amsel; Cy Amsel." in letter.body
    assert "Amsel, Bo; Amsel, Cy" in Client().get(page).text
    Client().post(f"{page}confirm/")
    Client().post(f"{page}confirm/")

    told = {each.name: each.state for each in Registration.objects.all()}
    assert told == {"Amsel, Ada": "confirmed", "Amsel, Bo": "confirmed", "Amsel, Cy": "waiting"}
    [answer] = delivered()
    assert answer.to == ["ada@example.org"]
    assert [f"Hallo {name} Amsel" in str(answer.body) for name in ("Ada", "Bo", "Cy")] == [True] * 3
    assert str(answer.body).count("/registration/") == 3


def test_each_is_withdrawn_and_forgotten_alone_and_comes_back_alone(cup: Tournament) -> None:
    confirm_party(family_of(cup, "Amsel, Ada", "Bussard, Bo"))
    doris = factories.director()
    withdraw_registration(Registration.objects.get(name="Bussard, Bo"), actor=doris)

    assert states(cup) == {"Amsel": "confirmed", "Bussard": "withdrawn"}
    forget_registration(Registration.objects.get(name="Amsel, Ada"), actor=doris)
    assert states(cup) == {"Bussard": "withdrawn"}
    assert [contact.name for contact in Contact.objects.all()] == ["Bussard, Bo"]


def test_of_a_letter_that_waits_the_forgotten_one_is_cut_out(cup: Tournament) -> None:
    with override_settings(**AWAY):
        confirm_party(family_of(cup, "Amsel, Ada", "Bussard, Bo"))
        deliver_letters()
    Letter.objects.exclude(text__contains=GATHERED_RULE).delete()
    forget_registration(Registration.objects.get(name="Amsel, Ada"), actor=factories.director())

    [letter] = Letter.objects.all()
    assert "Bo Bussard" in letter.text
    assert "Amsel" not in letter.text
    assert letter.to == "ada@example.org"


def test_one_more_keeps_what_was_typed_and_sends_nothing(cup: Tournament) -> None:
    answer = Client().post(FORM, {**FAMILY, "companions": "1", "more": "1", "p2-club": "SC Fulda"}).text

    assert [f'name="p{number}-surname"' in answer for number in (2, 3, 4)] == [True, True, False]
    assert 'value="SC Fulda"' in answer
    assert answer.count('value="Ada"') == 1
    assert 'value="ada@example.org"' in answer
    assert not Contact.objects.exists()


def test_a_fault_of_one_sends_nothing_and_an_empty_one_does_not_count(cup: Tournament) -> None:
    wrong = Client().post(FORM, {**FAMILY, "p2-surname": "4711", "p2-given_name": ""})
    assert "4711" in wrong.text
    assert not Contact.objects.exists()

    Client().post(FORM, {**FAMILY, "companions": "9", "p2-surname": "", "p2-given_name": " "})
    assert sorted(Contact.objects.values_list("name", flat=True)) == ["Amsel, Ada", "Amsel, Cy"]


def test_who_is_registered_already_stays_so_and_only_the_others_are_confirmed(cup: Tournament) -> None:
    ada = registered(cup, "Amsel, Ada", email="ada@example.org")
    delivered()
    request_registration(
        cup,
        wish=wish(cup, "Amsel, Ada", email="ada@example.org"),
        companions=[replace(wish(cup, "Bussard, Bo", email="ada@example.org"))],
    )
    [letter] = delivered()
    confirm_party(Contact.objects.select_related("tournament").get(name="Bussard, Bo"))

    assert "Mit dieser Adresse schon angemeldet: Ada Amsel." in letter.body
    assert Registration.objects.get(pk=ada.pk).state == "confirmed"
    assert states(cup) == {"Amsel": "confirmed", "Bussard": "confirmed"}


def test_the_same_person_twice_on_a_form_is_one(cup: Tournament) -> None:
    confirm_party(family_of(cup, "Amsel, Ada", "Amsel, Ada"))

    assert Registration.objects.count() == 1
