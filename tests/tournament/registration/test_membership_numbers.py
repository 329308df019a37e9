"""A membership number that is asked for: beside the register, whatever differs is asked of the director."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.core.cache import caches
from django.test import Client, override_settings

from tests import factories
from tests.tournament.registration.registering import open_entry, wish
from tests.tournament.registration.test_views_register import ADA, FORM, SENT
from tests.tournament.registration.test_views_registrations import SERVER
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import Actor
from tournament.entries.operations.numbers import FederationNumber, set_number
from tournament.entries.operations.register import Person, add_player
from tournament.models import Contact, Player, Registration, Tournament
from tournament.people.merging import merge_players
from tournament.registration.forgetting import forget_registration
from tournament.registration.numbers import count_number_questions
from tournament.registration.operations import take_over_registrations
from tournament.registration.requests import confirm_request, request_registration

LIST = "/director/herbst-cup/registrations/"


@pytest.fixture(autouse=True)
def mail() -> Iterator[None]:
    caches["attempts"].clear()
    with override_settings(MAIL=SERVER, DEFAULT_FROM_EMAIL=SERVER.sender, NAMED_HOSTS=["testserver"]):
        yield


@pytest.fixture
def doris(db: None) -> Actor:
    return factories.director()


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament:
    doris = factories.director()
    made = factories.event(players=0, rounds=0).tournament
    open_entry(made, number_system="sdev")
    set_number(add_known(doris, "Amsel, Ada"), stated=FederationNumber("SDeV", "4711"), actor=doris)
    return made


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    """It asks for the number of the SDeV, whose list knows Ada Amsel as 4711."""
    return Tournament.objects.get(pk=cup_of_module.pk)


def add_known(doris: Actor, name: str) -> Player:
    return add_player(person=Person(name), actor=doris)


def registered_as(cup: Tournament, name: str, number: str) -> Registration:
    request_registration(cup, wish=replace(wish(cup, name), number=number))
    return confirm_request(Contact.objects.select_related("tournament").get(tournament=cup, name=name))


@pytest.mark.parametrize(
    ("name", "number", "asked"),
    [
        ("Amsel, Ada", "4711", 0),
        ("AMSEL, ada", " 4711", 0),
        ("Amsel, Ada", "", 0),
        ("Amsel, Ada", "4712", 1),
        ("Bussard, Bo", "4711", 1),
    ],
)
@pytest.mark.sampled(1)
def test_only_what_differs_is_asked_and_nobody_is_refused(cup: Tournament, name: str, number: str, asked: int) -> None:
    registration = registered_as(cup, name, number.strip())

    assert registration.state == "confirmed"
    assert count_number_questions(cup) == asked


def test_the_director_sees_whose_number_it_is_and_looks_at_it(cup: Tournament, doris: Actor, client: Client) -> None:
    registration = registered_as(cup, "Bussard, Bo", "4711")
    factories.sign_in(client, doris)

    assert "Nummer 4711 hat Amsel, Ada" in client.get(LIST).text
    assert "1 Mitgliedsnummer ist nicht bekannt" in client.get("/director/herbst-cup/").text
    assert "die Nummer von Amsel, Ada" in client.get(f"{LIST}{registration.pk}/").text
    client.post(f"{LIST}{registration.pk}/number/")

    assert count_number_questions(cup) == 0
    assert "4711" in client.get(f"{LIST}registrations.csv").text
    assert Registration.objects.get().state == "confirmed"


def test_without_a_list_nothing_is_asked(cup: Tournament, doris: Actor) -> None:
    Player.objects.get(name="Amsel, Ada").numbers.all().delete()
    registered_as(cup, "Bussard, Bo", "4711")

    assert count_number_questions(cup) == 0


def test_who_was_merged_is_known_by_either_name(cup: Tournament, doris: Actor) -> None:
    merge_players(Player.objects.get(name="Amsel, Ada"), other=add_known(doris, "Meise, Ada"), actor=doris)
    registered_as(cup, "Meise, Ada", "4711")

    assert count_number_questions(cup) == 0


def test_a_number_that_is_required_is_missed_on_the_form_alone(cup: Tournament, client: Client) -> None:
    assert "Mitgliedsnummer, SDeV" not in client.get(FORM).text  # as the organiser wrote it
    open_entry(cup, number_system="SDeV", number_required=True)

    assert "Die Nummer fehlt." in client.post(FORM, ADA).text
    assert client.post(FORM, {**ADA, "number": "9"})["Location"] == SENT
    assert Contact.objects.get().number == "9"


def test_who_is_forgotten_takes_the_number_along(cup: Tournament, doris: Actor) -> None:
    registration = registered_as(cup, "Bussard, Bo", "08154711")
    take_over_registrations(cup, chosen=[registration.pk], actor=doris)
    forget_registration(Registration.objects.get(), actor=doris)

    told = "".join(str(entry.rows) for entry in cup.journal.all())
    assert "08154711" not in told
    assert find_journal_differences(Tournament.objects.get(pk=cup.pk)) == []
