"""Online entry as the director sees it: setting it up, the list, taking over."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client, override_settings

from config.mail import MailServer
from tests import factories
from tests.tournament.registration.registering import open_entry, registered, states, wish
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.letters.outbox import deliver_letters
from tournament.models import Entry, Letter, OnlineEntry, Registration, Tournament
from tournament.registration.requests import request_registration

LIST, SET_UP = "/director/herbst-cup/registrations/", "/director/herbst-cup/registrations/set-up/"
SERVER = MailServer("smtps", "mail.example.org", 465, "tso", "x", "TSO <tso@example.org>")
AWAY = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "EMAIL_HOST": "localhost", "EMAIL_PORT": 1}


@pytest.fixture(autouse=True)
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, NAMED_HOSTS=["tso.example.org"]):
        yield


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament:
    return factories.event(players=0).tournament


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=cup_of_module.pk)


@pytest.fixture
def doris_client(cup: Tournament, client: Client) -> Client:
    factories.sign_in(client)
    return client


def of(name: str) -> Registration:
    return Registration.objects.get(name=name)


def test_director_sets_it_up_and_is_told_the_address(doris_client: Client) -> None:
    assert doris_client.get(LIST)["Location"] == SET_UP

    typed = {"is_on": "on", "opens_at": "1.10.26 18 Uhr", "closes_at": "31.12.2099", "places": "40", "fee": "15 €"}
    answer = doris_client.post(SET_UP, typed, follow=True)

    stored = OnlineEntry.objects.get()
    assert (stored.places, stored.fee) == (40, "15 €")
    assert f"{stored.opens_at:%d.%m.%Y %H:%M} UTC" == "01.10.2026 16:00 UTC"
    assert f"{stored.closes_at:%d.%m.%Y %H:%M} UTC" == "31.12.2099 22:59 UTC"
    assert "http://tso.example.org/t/herbst-cup/register/" in answer.text
    assert 'value="01.10.2026 18:00"' in doris_client.get(SET_UP).text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"closes_at": "29.3.2026 2:30"}, "gibt es nicht: In dieser Stunde wird die Uhr vorgestellt"),
        ({"closes_at": "gestern"}, "„gestern“ ist kein Tag mit Uhrzeit"),
        ({"closes_at": "3.10.2026 25:00"}, "ist kein Tag mit Uhrzeit"),
        ({"opens_at": "3.10.2026 18:00", "closes_at": "3.10.2026 18:00"}, "Möglich ist nur eine spätere Zeit."),
        ({"places": "0"}, "„0“ geht nicht"),
        ({"fee": "x" * 401}, "höchstens 400 Zeichen"),
    ],
)
@pytest.mark.sampled(2)
def test_terms_that_cannot_be_are_told(doris_client: Client, typed: dict[str, str], said: str) -> None:
    answer = doris_client.post(SET_UP, typed).text

    assert said in answer
    assert not OnlineEntry.objects.exists()


def test_of_an_hour_that_comes_twice_the_first_is_meant(doris_client: Client) -> None:
    doris_client.post(SET_UP, {"closes_at": "25.10.2026 2:30"})

    assert f"{OnlineEntry.objects.get().closes_at:%H:%M}" == "00:30"


def test_list_shows_everybody_by_what_became_of_them(doris_client: Client, cup: Tournament) -> None:
    open_entry(cup, places=1, fee="15 €")
    enter_player(cup.divisions.get(), person=Person("Bussard, Bo"), actor=factories.director())
    registered(cup, "Amsel, Ada")
    registered(cup, "Bussard, Bo")
    request_registration(cup, wish=wish(cup, "Cranich, Cem"))

    page = doris_client.get(LIST).text

    assert "1 von 1 Platz vergeben" in page
    assert "1 hat die Adresse noch nicht bestätigt" in page
    assert "amsel@example.org" in page
    assert "heißt wie P01" in page


@pytest.mark.parametrize(
    ("what", "state", "paid"),
    [("confirm", "confirmed", False), ("withdraw", "withdrawn", False), ("paid", "asked", True)],
)
@pytest.mark.sampled(1)
def test_buttons_settle_a_registration(
    doris_client: Client, cup: Tournament, what: str, state: str, paid: bool
) -> None:
    open_entry(cup, by_director=True)
    one = registered(cup, "Amsel, Ada")

    doris_client.post(f"{LIST}{one.pk}/{what}/")

    assert (states(cup)["Amsel"], of("Amsel, Ada").fee_paid) == (state, paid)


def test_refusing_needs_no_reason_but_keeps_one_that_is_too_long(doris_client: Client, cup: Tournament) -> None:
    open_entry(cup)
    one = registered(cup, "Amsel, Ada")

    assert "höchstens 200 Zeichen" in doris_client.post(f"{LIST}{one.pk}/refuse/", {"why": "x" * 201}).text
    doris_client.post(f"{LIST}{one.pk}/refuse/", {"why": "nur Mitglieder"})

    assert (of("Amsel, Ada").state, of("Amsel, Ada").why) == ("refused", "nur Mitglieder")


def test_confirmed_ones_become_entries_once(doris_client: Client, cup: Tournament) -> None:
    open_entry(cup)
    enter_player(cup.divisions.get(), person=Person("Bussard, Bo"), actor=factories.director())
    chosen = [registered(cup, name).pk for name in ("Amsel, Ada", "Bussard, Bo")]
    assert "heißt wie P01" in doris_client.get(f"{LIST}enter/").text

    answer = doris_client.post(f"{LIST}enter/", {"take": chosen}, follow=True).text

    assert "1 Spieler ist eingetragen." in answer
    assert "Schon Teilnehmer und kein zweites Mal eingetragen: Bussard, Bo." in answer
    assert sorted(entry.name for entry in Entry.objects.with_names()) == ["Amsel, Ada", "Bussard, Bo"]


def test_file_has_everybody_with_the_address_and_runs_no_formula(doris_client: Client, cup: Tournament) -> None:
    open_entry(cup)
    registered(cup, "Amsel, Ada", club="=1+1", phone="0661 12345")

    lines = doris_client.get(f"{LIST}registrations.csv").content.decode("utf-8-sig").splitlines()

    assert lines[1].startswith("Amsel, Ada;'=1+1;;")
    assert lines[1].endswith(";amsel@example.org;0661 12345;")  # no membership number is asked


def test_letters_that_could_not_be_sent_are_told_and_sent_again(doris_client: Client, cup: Tournament) -> None:
    open_entry(cup)
    registered(cup, "Amsel, Ada")
    with override_settings(**AWAY):
        deliver_letters()

    page = doris_client.get(LIST).text
    letters = list(Letter.objects.order_by("pk"))
    doris_client.post(f"{LIST}letters/{letters[0].pk}/", {"discard": "1"})
    doris_client.post(f"{LIST}letters/{letters[1].pk}/")

    assert "Briefe, die nicht verschickt werden konnten" in page
    assert list(Letter.objects.values_list("pk", "fault")) == [(letters[1].pk, "")]


def test_another_organisers_registrations_are_not_found(doris_client: Client, cup: Tournament) -> None:
    other = factories.event("Anderer Cup", players=0, by=factories.director("otto", factories.organiser("SC Anderswo")))
    open_entry(other.tournament)
    one = registered(other.tournament, "Amsel, Ada")

    assert doris_client.get("/director/anderer-cup/registrations/").status_code == 404
    assert doris_client.post(f"{LIST}{one.pk}/confirm/").status_code == 404


def test_without_a_server_of_letters_nothing_speaks_of_it(doris_client: Client, cup: Tournament) -> None:
    with override_settings(MAIL=None):
        assert doris_client.get(LIST).status_code == 404
        assert "Anmeldungen" not in doris_client.get("/director/herbst-cup/entries/").text


@pytest.mark.parametrize("people", [1, 3])
def test_queries_do_not_grow_with_the_list(
    doris_client: Client, cup: Tournament, people: int, django_assert_num_queries: Any
) -> None:
    open_entry(cup, places=2)
    for number in range(people):
        registered(cup, f"Gast, Nummer {number}", email=f"{number}@example.org")

    with django_assert_num_queries(14):
        doris_client.get(LIST)


def test_director_deletes_the_data_after_a_question(doris_client: Client, cup: Tournament) -> None:
    open_entry(cup)
    one = registered(cup, "Amsel, Ada")

    assert "Persönliche Daten von Amsel, Ada löschen?" in doris_client.get(f"{LIST}{one.pk}/forget/").text
    answer = doris_client.post(f"{LIST}{one.pk}/forget/", follow=True).text

    assert "Was bleibt, steht unter „Spieler " in answer
    assert "Amsel" not in answer


def test_director_makes_a_player_anonymous(doris_client: Client, cup: Tournament) -> None:
    entered = factories.enter(cup.divisions.get(), 2)
    factories.played(factories.fresh(cup.divisions.get()))
    address = f"/director/register/players/{entered[0].player_id}/"

    assert address + "forget/" in doris_client.get(address).text
    doris_client.post(address + "forget/")

    assert entered[0].name not in doris_client.get("/director/herbst-cup/entries/").text
    assert entered[0].name not in doris_client.get("/director/herbst-cup/journal/").text
    assert entered[0].name not in doris_client.get("/t/herbst-cup/table/").text
