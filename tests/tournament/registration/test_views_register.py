"""Online entry as players see it: the form, the letter, one's own page."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import caches
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone

from config.mail import MailServer
from tests import factories
from tests.flows.posted_pages import Page
from tests.tournament.registration.registering import LINK, asked, delivered, open_entry, registered, states
from tournament.access.signing_in import FROM_ADDRESS, TO_RECIPIENT
from tournament.events.operations import add_division, create_tournament
from tournament.fees import set_fees
from tournament.letters.outbox import GATHER_PAUSE, STILL_OPEN, gather_letter, make_contact_link
from tournament.models import Contact, Letter, OnlineEntry, Registration, Tournament
from tournament.registration.operations import take_over_registrations

FORM, SENT = "/t/herbst-cup/register/", "/t/herbst-cup/register/sent/"
ADA = {"surname": "Amsel", "given_name": "Ada", "club": "SC Fulda", "email": "ada@example.org", "listed": "on"}
SERVER = MailServer("smtps", "mail.example.org", 465, "tso", "x", "TSO <tso@example.org>")


@pytest.fixture(autouse=True)
def mail() -> Iterator[None]:
    caches["attempts"].clear()
    with override_settings(MAIL=SERVER, DEFAULT_FROM_EMAIL=SERVER.sender, NAMED_HOSTS=["testserver"]):
        yield


@pytest.fixture(scope="module")
def open_cup_of_module(*, shares_rows: bool) -> Tournament:
    made = factories.event(players=0).tournament
    open_entry(made, places=1, is_listed=True, asks_rating=True, fee="15 Euro")
    return made


@pytest.fixture
def public_cup(open_cup_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=open_cup_of_module.pk)


def own_page(letter: Any) -> str:
    """The path of the page to which a letter leads."""
    return str(LINK.findall(letter.body)[0].partition("testserver")[2])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("places", "said"), [(None, ""), (4, "noch 2 Plätze"), (3, "noch 1 Platz"), (2, "ausgebucht"), (1, "ausgebucht")]
)
@pytest.mark.sampled(2)
def test_front_page_counts_who_is_entered_and_who_has_registered(places: int | None, said: str) -> None:
    cup = factories.event(players=1, starts_on=timezone.localdate() + timedelta(days=9)).tournament
    open_entry(cup, places=9)
    registered(cup, "Amsel, Ada")
    Tournament.objects.exclude(pk=cup.pk).update(is_public=False)
    OnlineEntry.objects.filter(tournament=cup).update(places=places)

    page = " ".join(Client().get("/").text.split())

    assert [words for words in ("noch 2 Plätze", "noch 1 Platz", "ausgebucht") if words in page] == [said] * bool(said)


def test_somebody_registers_and_confirms_by_the_link_in_the_letter(public_cup: Tournament) -> None:
    ada = Client()
    assert "1 Platz ist frei" in ada.get(FORM).text

    sent = ada.post(FORM, {**ADA, "rating": "1500"})
    assert (sent.status_code, sent["Location"]) == (302, SENT)
    [letter] = delivered()
    page = own_page(letter)
    assert ada.get(page).status_code == 200
    assert states(public_cup) == {}

    ada.post(page + "confirm/")

    assert "Der Platz ist bestätigt." in ada.get(page).text
    one = Registration.objects.get()
    assert (one.name, one.club, one.rating, one.listed) == ("Amsel, Ada", "SC Fulda", 1500, True)
    assert "Amsel, Ada" in ada.get(FORM).text


def test_form_for_several_divisions_is_shown_again_with_every_field_wrong(public_cup: Tournament) -> None:
    set_fees(public_cup, terms=factories.FEES, actor=factories.director())
    other = add_division(public_cup, name="B", actor=factories.director())
    typed = {
        "surname": "S" * 100,
        "given_name": "G" * 100,
        "club": "C" * 100,
        "rating": "gut",
        "fee_kind": "K9",
        "email": "nirgendwo",
        "phone": "12",
        "listed": "on",
    }
    for chosen in (str(other.pk), "99999999", "B", ""):
        answer = Client().post(FORM, {**typed, "division": chosen})
        page = Page(answer, FORM)

        assert answer.status_code == 200
        assert [name for name, value in typed.items() if not page.holds(name, value)] == []
        assert page.holds("division", chosen)
        assert page.beside("rating") != ""
        assert page.beside("email") != ""
    assert Contact.objects.count() == 0


def test_who_withdraws_makes_room_for_who_waits(public_cup: Tournament) -> None:
    for name in ("Amsel, Ada", "Bussard, Bo"):
        registered(public_cup, name)
    page = {letter.to[0]: own_page(letter) for letter in delivered()}
    assert "Nummer 1 der Warteliste" in Client().get(page["bussard@example.org"]).text

    address = page["amsel@example.org"] + "withdraw/"
    assert address in Client().get(page["amsel@example.org"]).content.decode()
    assert "Anmeldung zurückziehen?" in Client().get(address).text
    assert states(public_cup) == {"Amsel": "confirmed", "Bussard": "waiting"}
    answer = Client().post(address, follow=True)

    assert "Die Anmeldung ist zurückgezogen." in answer.text
    assert states(public_cup) == {"Amsel": "withdrawn", "Bussard": "confirmed"}
    assert [letter.to[0] for letter in delivered()] == ["amsel@example.org", "bussard@example.org"]


def test_who_thinks_better_of_a_withdrawal_registers_again_by_the_same_page(public_cup: Tournament) -> None:
    registered(public_cup, "Amsel, Ada")
    page = own_page(delivered()[0])
    Client().post(page + "withdraw/")
    assert "Erneut anmelden" in Client().get(page).text

    Client().post(page + "confirm/")

    assert states(public_cup) == {"Amsel": "confirmed"}
    assert "Erneut anmelden" not in Client().get(page).text
    assert page + "withdraw/" in Client().get(page).text


def test_nobody_registers_again_once_it_is_closed(public_cup: Tournament) -> None:
    registered(public_cup, "Amsel, Ada")
    page = own_page(delivered()[0])
    Client().post(page + "withdraw/")
    OnlineEntry.objects.update(is_on=False)

    assert "Erneut anmelden" not in Client().get(page).text
    assert "nimmt hier zurzeit keine Anmeldungen" in Client().post(page + "confirm/", follow=True).text
    assert states(public_cup) == {"Amsel": "withdrawn"}


def test_answer_does_not_tell_who_is_registered(public_cup: Tournament) -> None:
    registered(public_cup, "Amsel, Ada", email="ada@example.org")

    known, unknown = (Client().post(FORM, {**ADA, "surname": name}) for name in ("Amsel", "Bussard"))

    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert Client().get(SENT).text == Client().get(SENT).text


def test_what_was_typed_stays_beside_its_faults(public_cup: Tournament) -> None:
    answer = Client().post(FORM, {**ADA, "email": "nirgendwo", "rating": "gut", "surname": ""}).text

    assert "„nirgendwo“ ist keine E-Mail-Adresse" in answer
    assert "„gut“" in answer
    assert 'value="SC Fulda"' in answer
    assert not Contact.objects.exists()


def test_who_types_while_it_closes_keeps_what_was_typed(public_cup: Tournament) -> None:
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        open_entry(public_cup, closes_at=timezone.now() - timedelta(minutes=1))
        answer = Client().post(FORM, ADA).text

    assert "Anmeldungen wurden bis" in answer
    assert 'value="SC Fulda"' in answer


def test_machine_that_fills_everything_is_told_nothing(public_cup: Tournament) -> None:
    answer = Client().post(FORM, {**ADA, "website": "https://example.org"})

    assert answer["Location"] == SENT
    assert not Contact.objects.exists()


@pytest.mark.long
def test_registrations_from_one_address_are_few(public_cup: Tournament) -> None:
    answers = [
        Client().post(FORM, {**ADA, "surname": f"A{number}", "email": f"a{number}@example.org"})
        for number in range(FROM_ADDRESS + 1)
    ]

    assert [answer.status_code for answer in answers] == [302] * FROM_ADDRESS + [200]
    assert "in 5 Sekunden noch einmal abschicken" in (answers[-1]).text
    assert 'value="SC Fulda"' in (answers[-1]).text


@pytest.mark.parametrize("name", ["http://evil.example/x", "evil.example", "www.evil.example", "eve@evil.example"])
@pytest.mark.sampled(1)
def test_letter_carries_nobodys_link_to_an_address_that_anybody_may_name(name: str, public_cup: Tournament) -> None:
    Client().post(FORM, {**ADA, "surname": f"Gewinn: {name}", "given_name": name})

    (letter,) = delivered()

    assert "evil" in letter.body
    assert not re.search(r"evil\.example|@evil|/evil|www\.evil", str(letter.body))
    assert len(LINK.findall(str(letter.body))) == 1


@pytest.mark.long
def test_others_who_name_my_address_keep_no_letter_from_me(public_cup: Tournament) -> None:
    """Thirty strangers register somebody's address; the owner's own request is taken all the same, and its letter comes
    within minutes, in one with what the strangers asked for."""
    for number in range(30):
        typed = {**ADA, "surname": f"Fremd{chr(97 + number % 26)}{number // 26}"}
        assert Client().post(FORM, typed, REMOTE_ADDR=f"198.51.100.{number}").status_code == 302
    own = Client().post(FORM, {**ADA, "email": "ADA@example.org"}, REMOTE_ADDR="192.0.2.7")

    assert (own.status_code, own["Location"]) == (302, SENT)
    at_once = delivered()
    gathered = delivered(timezone.now() + GATHER_PAUSE)
    contact = Contact.objects.select_related("tournament").get(name="Amsel, Ada")
    assert (len(at_once), len(gathered)) == (TO_RECIPIENT, 1)
    assert f"/t/herbst-cup/registration/{make_contact_link(contact)}/" in gathered[0].body
    assert len(LINK.findall(str(gathered[0].body))) == 31 - TO_RECIPIENT


def test_same_request_twice_is_gathered_once(public_cup: Tournament) -> None:
    for number in range(TO_RECIPIENT):
        Client().post(FORM, {**ADA, "surname": f"Fremd{'abc'[number]}"}, REMOTE_ADDR=f"198.51.100.{number}")
    for _time in range(2):
        Client().post(FORM, ADA, REMOTE_ADDR="192.0.2.7")
        Contact.objects.update(asked_at=timezone.now() - timedelta(minutes=3))

    [gathered] = Letter.objects.filter(contact=None)
    assert len(LINK.findall(gathered.text)) == 1


def test_gathered_letter_that_is_full_or_due_is_followed_by_another(
    public_cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = asked(public_cup, "Amsel, Ada")
    monkeypatch.setattr("tournament.letters.outbox.GATHERED_CHARACTERS", 10)
    with transaction.atomic():
        gather_letter(made, lambda: ("one", "first"))
        gather_letter(made, lambda: ("two", "second"))
    Letter.objects.filter(text="second").update(due_at=timezone.now() + STILL_OPEN)
    Letter.objects.filter(text="first").update(due_at=timezone.now())
    with transaction.atomic():
        gather_letter(made, lambda: ("three", "third"))

    due = list(Letter.objects.filter(contact=None).order_by("due_at").values_list("text", flat=True))
    assert due == ["first", "second", "third"]
    soon = Letter.objects.filter(due_at__gt=timezone.now() + GATHER_PAUSE - timedelta(seconds=5))
    assert [letter.text for letter in soon] == ["third"]


def test_names_are_public_only_of_those_who_agree(public_cup: Tournament) -> None:
    registered(public_cup, "Amsel, Ada")
    Registration.objects.update(listed=False)

    assert "Amsel" not in Client().get(FORM).text


def test_page_says_what_somebody_else_may_have_typed_before_it_is_confirmed(public_cup: Tournament) -> None:
    OnlineEntry.objects.update(is_listed=True)
    Client().post(FORM, {name: value for name, value in ADA.items() if name != "listed"})
    (letter,) = delivered()
    page = own_page(letter)
    said = r"Mein Name darf in der öffentlichen Liste stehen</dt>\s*<dd>"
    assert re.search(f"{said}nein", Client().get(page).text)

    Client().post(FORM, {**ADA, "listed": "on"}, REMOTE_ADDR="198.51.100.7")

    assert re.search(f"{said}ja", Client().get(page).text)


def test_link_of_somebody_else_opens_nothing(public_cup: Tournament) -> None:
    registered(public_cup, "Amsel, Ada")
    contact = Contact.objects.select_related("tournament").get()
    link = make_contact_link(contact)
    other = create_tournament(actor=factories.director(), name="Anderer Cup")
    other_end = f"{link[:-1]}{'3' if link.endswith('2') else '2'}"
    forged = [f"/t/herbst-cup/registration/{each}/" for each in (other_end, "1-x", f"{contact.pk + 1}{link[1:]}")]

    found = [Client().get(each).status_code for each in [*forged, f"/t/{other.slug}/registration/{link}/"]]

    assert found == [404] * 4
    assert Client().get(f"/t/herbst-cup/registration/{link}/").status_code == 200


def test_looking_at_the_link_confirms_nothing(public_cup: Tournament) -> None:
    Client().post(FORM, ADA)
    page = own_page(delivered()[0])

    assert [Client().get(page).status_code, Client().get(page + "confirm/").status_code] == [200, 405]
    assert not Registration.objects.exists()


@pytest.mark.parametrize("language", ["de", "en", "nl"])
@pytest.mark.sampled(1)
def test_form_speaks_the_language_of_the_event(public_cup: Tournament, language: str) -> None:
    Tournament.objects.update(language=language)
    said = {"de": "Zum Turnier anmelden", "en": "Register for the tournament", "nl": "Voor het toernooi inschrijven"}

    assert said[language] in Client().get(FORM).text


def test_announcement_leads_to_the_form_while_it_can(public_cup: Tournament) -> None:
    assert FORM in Client().get("/t/herbst-cup/").text
    open_entry(public_cup)
    factories.enter(public_cup.divisions.get(), 2)
    factories.published(public_cup.divisions.get())

    assert FORM not in Client().get("/t/herbst-cup/").text
    assert "Das Turnier hat begonnen" in Client().get(FORM).text


def test_without_a_server_of_letters_there_is_no_such_page(public_cup: Tournament) -> None:
    registered(public_cup, "Amsel, Ada")
    link = make_contact_link(Contact.objects.select_related("tournament").get())
    with override_settings(MAIL=None):
        found = [Client().get(each).status_code for each in (FORM, SENT, f"/t/herbst-cup/registration/{link}/")]
        assert FORM not in Client().get("/t/herbst-cup/").text

    assert found == [404] * 3


def test_tournament_that_never_took_registrations_has_no_such_page(db: None) -> None:
    factories.event("Winter-Cup", players=0)

    assert Client().get(FORM.replace("herbst", "winter")).status_code == 404


@pytest.mark.parametrize("people", [1, 3])
def test_queries_do_not_grow_with_those_who_register(
    public_cup: Tournament, people: int, django_assert_num_queries: Any
) -> None:
    for number in range(people):
        registered(public_cup, f"Gast, Nummer {number}", email=f"{number}@example.org")
    Letter.objects.all().delete()

    with django_assert_num_queries(10):
        Client().get(FORM)


def test_data_are_deleted_after_a_question(public_cup: Tournament) -> None:
    registered(public_cup, "Amsel, Ada")
    page = own_page(delivered()[0])

    asked = Client().get(page + "forget/").text
    assert Contact.objects.exists()
    done = Client().post(page + "forget/").text

    assert "Backups" not in asked
    assert "Sicherungen, Dateien und Ausdrucke von früher enthalten den Namen weiterhin." in asked
    assert "Die Daten sind gelöscht" in done
    assert "Amsel" not in done
    assert Client().get(page).status_code == 404


def test_who_plays_asks_the_director(public_cup: Tournament) -> None:
    one = registered(public_cup, "Amsel, Ada")
    take_over_registrations(public_cup, chosen=[one.pk], actor=factories.director())
    factories.enter(public_cup.divisions.get(), 1)
    factories.published(factories.fresh(public_cup.divisions.get()))
    page = own_page(delivered()[0])

    assert "innerhalb eines Monats" in Client().get(page + "forget/").text
    assert "Die Turnierleitung weiß Bescheid" in Client().post(page + "forget/").text
    assert "Die Turnierleitung ist gebeten" in Client().get(page).text
    assert Registration.objects.get().name == "Amsel, Ada"
