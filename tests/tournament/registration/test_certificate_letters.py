"""The certificates by e-mail: everybody with an address gets theirs once, after the end and not before the ceremony."""

import io
from collections.abc import Iterator
from datetime import timedelta
from email.message import MIMEPart
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone
from pypdf import PdfReader

from tests import factories
from tests.tournament.registration.registering import delivered, open_entry, registered
from tests.tournament.registration.test_views_registrations import AWAY, SERVER
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusal
from tournament.basics.showing import ShowingStep
from tournament.ending.operations import add_prize, end_tournament, reopen_tournament
from tournament.ending.plan import PrizePlan
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.letters.outbox import deliver_letters
from tournament.models import Entry, Letter, Player, Tournament
from tournament.people.merging import merge_players
from tournament.registration.certificate_letters import send_certificates
from tournament.registration.day_letters import list_recipients, send_day_letters
from tournament.registration.forgetting import forget_player
from tournament.registration.operations import take_over_registrations
from tournament.rounds.operations import hold_back_round_step, show_all_rounds

PAGE = "/director/herbst-cup/end/certificates/letters/"


@pytest.fixture(autouse=True, scope="module")
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, NAMED_HOSTS=["tso.example.org"]):
        yield


@pytest.fixture(scope="module")
def cup_of_module(*, mail: None, shares_rows: bool) -> Tournament:
    """Amsel has registered, Bussard's and Dachs's address is in the register, nobody knows one of Cramer. One round is
    played, Bussard first, and the event is ended."""
    division = factories.event(players=0, rounds=0)
    made, doris = division.tournament, factories.director()
    open_entry(made)
    take_over_registrations(made, chosen=[registered(made, "Amsel, Ada").pk], actor=doris)
    amsel = Entry.objects.get()
    bussard = enter_player(division, person=Person("Bussard, Bo", email="bo@example.org"), actor=doris)
    cramer = enter_player(division, person=Person("Cramer, Cy"), actor=doris)
    dachs = enter_player(division, person=Person("Dachs, Di", email="di@example.org"), actor=doris)
    add_prize(division, plan=PrizePlan(kind="highest_game"), actor=doris)
    factories.played(division, (500, 300), (450, 310), pairs=[(bussard, amsel), (dachs, cramer)])
    end_tournament(made, accept_open=True, actor=doris)
    delivered()
    return made


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=cup_of_module.pk)


@pytest.fixture
def doris_client(cup: Tournament, client: Client) -> Client:
    factories.sign_in(client)
    return client


def entry_of(surname: str) -> Entry:
    return Entry.objects.with_names().select_related("tournament").get(player__name__startswith=surname)


def read_pdf(letter: Any) -> str:
    """What the certificate that comes with a letter says."""
    [attachment] = letter.attachments
    assert not isinstance(attachment, MIMEPart)
    name, content, kind = attachment
    assert (name, kind) == ("urkunde-herbst-cup.pdf", "application/pdf")
    [page] = PdfReader(io.BytesIO(content)).pages
    return page.extract_text()


def test_each_gets_their_own_certificate_once(cup: Tournament, doris_client: Client) -> None:
    page = doris_client.get(PAGE).text
    doris_client.post(PAGE, {"seen": cup.revision})
    letters = delivered()
    doris_client.post(PAGE)

    assert "3 von 4 haben eine E-Mail-Adresse" in page
    assert delivered() == []
    texts = {letter.to[0]: read_pdf(letter) for letter in letters}
    assert sorted(texts) == ["amsel@example.org", "bo@example.org", "di@example.org"]
    assert "Bo Bussard" in texts["bo@example.org"]
    assert "1. Platz" in texts["bo@example.org"]
    assert "Ada Amsel" in texts["amsel@example.org"]
    assert "http://tso.example.org/t/herbst-cup/certificate/" in letters[0].body
    code = texts["bo@example.org"].partition("Code ")[2][:11]
    assert "Bussard, Bo" in Client().get("/t/herbst-cup/certificate/", {"code": code}).text


def test_all_get_it_again_only_when_asked(cup: Tournament, doris_client: Client) -> None:
    doris_client.post(PAGE)
    delivered()

    doris_client.post(PAGE, {"again": "on"})

    assert len(delivered()) == 3


def test_nothing_is_sent_before_the_end_or_the_ceremony(cup: Tournament, doris_client: Client) -> None:
    doris = factories.director()
    reopen_tournament(cup, actor=doris)
    running = doris_client.post(PAGE, follow=True).text
    end_tournament(cup, accept_open=True, actor=doris)
    hold_back_round_step(cup.divisions.get().rounds.get(), ShowingStep.TABLE, actor=doris)
    held = doris_client.post(PAGE, follow=True).text
    none = Letter.objects.count()
    show_all_rounds(cup, actor=doris)

    assert "Die Urkunden gehen hinaus, sobald das Turnier beendet ist." in running
    assert "Die Öffentlichkeit sieht noch nicht alles" in held
    assert none == 0
    assert send_certificates(cup, again=False, actor=doris) == 3


def test_event_without_a_game_sends_no_certificate(db: None) -> None:
    division, doris = factories.event(players=0, rounds=1), factories.director()
    enter_player(division, person=Person("Bussard, Bo", email="bo@example.org"), actor=doris)
    end_tournament(division.tournament, accept_open=True, actor=doris)

    assert send_certificates(division.tournament, again=True, actor=doris) == 0


def test_a_fault_in_between_leaves_neither_letter_nor_note(cup: Tournament) -> None:
    with transaction.atomic():
        send_certificates(cup, again=False, actor=factories.director())
        transaction.set_rollback(True)

    assert not Letter.objects.exists()
    assert send_certificates(cup, again=False, actor=factories.director()) == 3
    assert find_journal_differences(Tournament.objects.get(pk=cup.pk)) == []


def test_what_was_not_sent_stands_beside_the_player_and_not_among_other_letters(
    cup: Tournament, doris_client: Client
) -> None:
    with override_settings(**AWAY):
        doris_client.post(PAGE)
        deliver_letters()

    assert "nicht verschickt: Der Mailserver war nicht zu erreichen." in doris_client.get(PAGE).text
    assert all(item.waiting is None for item in list_recipients(cup))
    assert len(delivered(timezone.now() + timedelta(days=1))) == 3


def test_waiting_certificate_of_an_opponent_who_is_forgotten_names_nobody(cup: Tournament) -> None:
    with override_settings(**AWAY):
        send_certificates(cup, again=False, actor=factories.director())
    before = PdfReader(io.BytesIO(bytes(Letter.objects.get(to="bo@example.org").attachment))).pages[0].extract_text()

    forget_player(Player.objects.get(name="Amsel, Ada"), actor=factories.director())

    texts = {letter.to[0]: read_pdf(letter) for letter in delivered()}
    assert "500 Punkte gegen Amsel" in before.replace("\N{NO-BREAK SPACE}", " ")
    assert sorted(texts) == ["bo@example.org", "di@example.org"]
    assert "Amsel" not in "".join(texts.values())
    assert "Bo Bussard" in texts["bo@example.org"]


def test_who_left_on_the_way_gets_one_and_who_is_merged_no_second(cup: Tournament) -> None:
    doris = factories.director()
    withdraw_entry(entry_of("Dachs"), after=1, actor=doris)
    other = Player.objects.create(organiser=cup.organiser, name="Bussard, Bodo")

    assert send_certificates(cup, again=False, actor=doris) == 3
    merge_players(entry_of("Bussard").player, other=other, actor=doris)
    assert send_certificates(cup, again=False, actor=doris) == 0
    call_command("journal", "herbst-cup", verify=True)


def test_letter_before_the_day_comes_too_late_then(cup: Tournament) -> None:
    with pytest.raises(Refusal, match="zu spät"):
        send_day_letters(cup, again=False, actor=factories.director())
