"""What is paid for a registration: in cents, carried to the entry and back, and seen by the treasurer."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from pypdf import PdfReader
from pytest_django.asserts import assertContains, assertNotContains

from tests import factories
from tests.refusals import refuses
from tests.tournament.exchange.terminal import run
from tests.tournament.registration.registering import open_entry, registered, wish
from tests.tournament.registration.test_views_registrations import SERVER
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import Actor
from tournament.core.fees import FEE_COLUMNS, FeeKind, FeeTerms
from tournament.entries.operations.attendance import mark_fees
from tournament.entries.operations.entries import EntryDetails, enter_player, remove_entry
from tournament.entries.operations.register import Person
from tournament.entries.operations.waiting_list import get_online_entry
from tournament.events.operations import add_division, create_tournament
from tournament.events.presets import PRESETS
from tournament.fees import (
    FeeKindGone,
    FeeKindNotChosen,
    FeesTable,
    NotedFee,
    load_fee_list,
    note_fee,
    set_fees,
)
from tournament.journal.undoing import undo_journal_entry
from tournament.letters.outbox import make_personal_address
from tournament.letters.words import make_decision_letter
from tournament.models import Contact, Division, Entry, Registration, Tournament
from tournament.registration.forgetting import forget_registration
from tournament.registration.operations import (
    mark_registration_paid,
    note_registration_fee,
    take_over_registrations,
    withdraw_registration,
)
from tournament.registration.requests import confirm_request, request_registration

PAID = NotedFee("K3", 733, date(2026, 9, 30))


@pytest.fixture(autouse=True, scope="module")
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, NAMED_HOSTS=["tso.example.org"]):
        yield


@pytest.fixture(scope="module")
def cup_of_module(*, mail: None, shares_rows: bool) -> Tournament:
    """The cup takes registrations and fees; the fee is named nowhere else."""
    doris = factories.director()
    cup = create_tournament(actor=doris, name="Herbst-Cup", preset=PRESETS["weekend_cup"])
    add_division(cup, name="B", actor=doris)
    open_entry(cup)
    set_fees(cup, terms=factories.FEES, actor=doris)
    return cup


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=cup_of_module.pk)


@pytest.fixture
def ada(cup: Tournament) -> Registration:
    return registered(cup, "Amsel, Ada", club="SC Fulda")


def fees(payer: Entry | Registration) -> list[object]:
    stored = type(payer).objects.get(pk=payer.pk)
    return [getattr(stored, name) for name in FEE_COLUMNS]


def enter(cup: Tournament, registration: Registration, doris: Actor) -> Entry:
    done = take_over_registrations(cup, chosen=[registration.pk], actor=doris)
    return (done.new or done.known)[0]


def settle(client: Client, registration: Registration, what: str) -> None:
    client.post(reverse("director:settle_registration", args=[registration.tournament.slug, registration.pk, what]))


def test_payment_goes_with_whoever_is_entered(cup: Tournament, ada: Registration, doris: Actor) -> None:
    note_registration_fee(ada, fee=PAID, actor=doris)
    noted = ["K3", False, 733, date(2026, 9, 30), False]
    assert fees(ada) == noted

    entry = enter(cup, ada, doris)

    assert fees(entry) == noted
    found = load_fee_list(cup)
    assert (found.total.due, found.total.paid, found.total.open, found.early) == (750, 733, 17, ())
    assert fees(ada) == noted
    assert find_journal_differences(cup) == []


def test_one_click_notes_the_amount_of_the_kind(cup: Tournament, ada: Registration, doris_client: Client) -> None:
    note_registration_fee(ada, fee=NotedFee("K2"), actor=factories.director())
    settle(doris_client, ada, "paid")
    assert fees(ada)[:3] == ["K2", True, 2000]

    page = doris_client.get(reverse("director:registrations", args=[cup.slug]))
    assertContains(page, "Startgeld bezahlt</span>")
    settle(doris_client, ada, "unpaid")
    assert fees(ada) == ["K2", False, None, None, False]
    assertContains(doris_client.get(reverse("director:registrations", args=[cup.slug])), "Startgeld offen")


def test_treasurer_sees_it_in_list_and_files(cup: Tournament, ada: Registration, doris_client: Client) -> None:
    note_registration_fee(ada, fee=PAID, actor=factories.director())
    registered(cup, "Bussard, Bo")
    enter_player(
        cup.divisions.order_by("position")[0],
        person=Person("Cranich, Cem"),
        details=EntryDetails(fee_paid=True),
        actor=factories.director(),
    )
    found = load_fee_list(cup)

    assert [(line.entry.name, line.fee.paid, line.fee.open) for line in found.early] == [("Amsel, Ada", 733, 17)]
    assert found.total.paid == 1500
    rows = list(csv.reader(io.StringIO(FeesTable(found).build_csv().decode("utf-8-sig")), delimiter=";"))
    assert rows[2][:4] + rows[2][5:8] == ["", "Amsel, Ada", "SC Fulda", "A", "7,50", "7,33", "2026-09-30"]
    assert rows[2][-1] == "nicht gemeldet: bestätigt"
    page = doris_client.get(reverse("director:fees", args=[cup.slug]))
    assertContains(page, reverse("director:registration", args=[cup.slug, ada.pk]))
    assertContains(page, "7,33\N{NO-BREAK SPACE}€ wurden für 1 Anmeldung bezahlt")
    paper = doris_client.get(reverse("director:fees_file", args=[cup.slug, "pdf"])).content
    assert "Amsel, Ada" in "".join(each.extract_text() for each in PdfReader(io.BytesIO(paper)).pages)


def test_who_withdraws_gets_the_money_back(cup: Tournament, ada: Registration, doris: Actor) -> None:
    note_registration_fee(ada, fee=PAID, actor=doris)

    withdraw_registration(ada, actor=doris)

    (line,) = load_fee_list(cup).early
    assert (line.fee.due, line.fee.over, line.fee.open) == (0, 733, 0)


def test_entry_taken_back_leaves_the_payment_with_the_registration(
    cup: Tournament, ada: Registration, doris: Actor
) -> None:
    entry = enter(cup, ada, doris)
    note_fee(entry, fee=NotedFee("", 1999, date(2026, 10, 1)), actor=doris)

    remove_entry(Entry.objects.select_related("tournament", "division").get(pk=entry.pk), actor=doris)

    (line,) = load_fee_list(cup).early
    assert (line.fee.paid, line.fee.over) == (1999, 1999)
    undo_journal_entry(cup.journal.get(verb="remove_entry"), actor=doris)
    assert load_fee_list(cup).early == ()
    assert find_journal_differences(cup) == []


def test_payment_of_who_is_forgotten_stays_for_the_treasurer(cup: Tournament, ada: Registration, doris: Actor) -> None:
    note_registration_fee(ada, fee=PAID, actor=doris)
    unpaid = registered(cup, "Bussard, Bo")

    pseudonym = forget_registration(ada, actor=doris)
    forget_registration(unpaid, actor=doris)

    (line,) = load_fee_list(cup).early
    assert (line.entry.name, line.fee.paid, line.fee.over) == (pseudonym, 733, 733)
    assert b"Amsel" not in FeesTable(load_fee_list(cup)).build_csv()
    assert not Registration.objects.filter(pk=unpaid.pk).exists()
    assert find_journal_differences(cup) == []


@pytest.mark.parametrize(("own", "kept"), [(None, 733), (200, 200)])
def test_entry_that_is_there_already_keeps_its_own_payment(
    cup: Tournament, ada: Registration, doris: Actor, own: int | None, kept: int
) -> None:
    twin = enter_player(
        cup.divisions.order_by("position")[0], person=Person("Amsel, Ada", club="SC Fulda"), actor=doris
    )
    note_fee(twin, fee=NotedFee(cents=own), actor=doris)
    note_registration_fee(ada, fee=PAID, actor=doris)

    assert enter(cup, ada, doris) == twin

    assert fees(twin)[2] == kept


def test_pages_say_what_is_noted_for_the_entry(cup: Tournament, ada: Registration, doris_client: Client) -> None:
    doris = factories.director()
    entry, address = enter(cup, ada, doris), reverse("director:registration", args=[cup.slug, ada.pk])
    assertContains(doris_client.get(address), "offen 15,00")
    mark_fees(cup, shown=[entry.pk], paid=[entry.pk], actor=doris)

    assertContains(doris_client.get(address), "bezahlt 15,00\N{NO-BREAK SPACE}€, offen 0,00")
    assertNotContains(doris_client.get(reverse("director:registrations", args=[cup.slug])), "Startgeld offen")
    settle(doris_client, ada, "unpaid")
    assert fees(entry)[1:3] == [False, None]


def test_refusals(cup: Tournament, ada: Registration, doris: Actor) -> None:
    with pytest.raises(FeeKindGone):
        note_registration_fee(ada, fee=NotedFee("K9"), actor=doris)
    note_registration_fee(ada, fee=PAID, actor=doris)
    with refuses("fee_kind_in_use"):
        set_fees(cup, terms=FeeTerms((FeeKind("K1", "Mitglied", 1500),)), actor=doris)
    enter(cup, ada, doris)
    with refuses("registration_entered"):
        note_registration_fee(ada, fee=PAID, actor=doris)


def test_form_of_the_page(cup: Tournament, ada: Registration, doris_client: Client) -> None:
    address = reverse("director:registration_fee", args=[cup.slug, ada.pk])
    assertContains(doris_client.post(address, {"cents": "viel"}), "„viel“ ist kein Betrag", status_code=200)
    answer = doris_client.post(address, {"kind": "K3", "cents": "7,33", "day": "30.9.2026"}, follow=True)

    assertContains(answer, "Zu zahlen 7,50\N{NO-BREAK SPACE}€, bezahlt 7,33\N{NO-BREAK SPACE}€, offen 0,17")
    assertContains(answer, 'value="7,33"')


def test_without_amounts_ticks_stay_ticks(cup: Tournament, ada: Registration, doris: Actor) -> None:
    set_fees(cup, terms=FeeTerms(), actor=doris)
    mark_registration_paid(ada, paid=True, actor=doris)

    assert fees(enter(cup, ada, doris))[1:3] == [True, None]


def test_archive_carries_it(cup: Tournament, ada: Registration, doris: Actor, tmp_path: Path) -> None:
    note_registration_fee(ada, fee=PAID, actor=doris)

    assert run("export_event", cup.slug, "-o", str(tmp_path / "cup.zip"))[0] == 0
    assert run("import_event", str(tmp_path / "cup.zip"), "--slug", "dort")[0] == 0

    assert fees(Registration.objects.get(tournament__slug="dort")) == fees(ada)


def test_division_of_another_event_is_untouched(division: Division) -> None:
    assert load_fee_list(division.tournament).early == ()


# Which of several kinds is theirs: chosen by whoever registers or by a director, and never taken to be the first.

GUESTS_FIRST = FeeTerms((FeeKind("K1", "Gast", 2500), FeeKind("K2", "Mitglied", 1550)))


@pytest.fixture
def ticked(cup: Tournament, ada: Registration, doris: Actor) -> Registration:
    """Ada's fee was ticked as paid while the event had no amounts; now it has, and guests pay most."""
    set_fees(cup, terms=FeeTerms(), actor=doris)
    mark_registration_paid(ada, paid=True, actor=doris)
    set_fees(cup, terms=GUESTS_FIRST, actor=doris)
    return Registration.objects.select_related("tournament", "division").get(pk=ada.pk)


def test_whoever_registers_chooses_the_kind_and_it_goes_with_them(
    client: Client, cup: Tournament, doris: Actor
) -> None:
    Tournament.objects.filter(pk=cup.pk).update(is_public=True)
    address = reverse("public:register", args=[cup.slug])
    assertContains(client.get(address), "Gast (20,00")
    typed = {
        "surname": "Cranich",
        "given_name": "Cem",
        "email": "cem@example.org",
        "division": cup.divisions.order_by("position")[0].pk,
    }
    client.post(address, typed)
    assert not Contact.objects.filter(email="cem@example.org").exists()

    client.post(address, typed | {"fee_kind": "K3"})
    registration = confirm_request(Contact.objects.select_related("tournament").get(email="cem@example.org"))
    mark_registration_paid(registration, paid=True, actor=doris)
    entry = enter(cup, registration, doris)

    assert fees(entry)[:3] == ["K3", True, 750]
    assert find_journal_differences(cup) == []


def test_kind_that_is_gone_before_the_address_is_confirmed_is_asked_for(cup: Tournament, doris: Actor) -> None:
    request_registration(cup, wish=replace(wish(cup, "Cranich, Cem"), fee_kind="K3"))
    set_fees(cup, terms=GUESTS_FIRST, actor=doris)

    found = confirm_request(Contact.objects.select_related("tournament").get(tournament=cup))

    assert FeeTerms.of(Tournament.objects.get(pk=cup.pk)).lacks_kind(found)


@pytest.mark.parametrize(
    "fee", [NotedFee(cents=1550), NotedFee(cents=0), NotedFee(waived=True)], ids=["paid", "0", "waived"]
)
def test_nothing_is_noted_without_a_kind(cup: Tournament, ada: Registration, doris: Actor, fee: NotedFee) -> None:
    with pytest.raises(FeeKindNotChosen):
        note_registration_fee(ada, fee=fee, actor=doris)
    with pytest.raises(FeeKindNotChosen):
        mark_registration_paid(ada, paid=True, actor=doris)

    assert fees(ada) == ["", False, None, None, False]


def test_tick_from_before_there_were_amounts_is_asked_about(
    cup: Tournament, ticked: Registration, doris: Actor
) -> None:
    with pytest.raises(FeeKindNotChosen, match="Amsel, Ada"):
        take_over_registrations(cup, chosen=[ticked.pk], actor=doris)
    assert not Entry.objects.filter(tournament=cup).exists()

    (entry,) = take_over_registrations(cup, chosen=[ticked.pk], kinds={ticked.pk: "K2"}, actor=doris).new

    found = load_fee_list(Tournament.objects.get(pk=cup.pk))
    (line,) = found.lines
    assert (line.fee.kind, line.fee.due, line.fee.paid, line.fee.open) == (GUESTS_FIRST.kinds[1], 1550, 1550, 0)
    assert fees(entry)[:3] == ["K2", True, None]
    remove_entry(Entry.objects.select_related("tournament", "division").get(pk=entry.pk), actor=doris)
    assert fees(ticked)[:3] == ["K2", True, None]
    assert find_journal_differences(cup) == []


@pytest.mark.parametrize(("kind", "is_full", "is_open"), [("K2", True, 0), ("K1", False, 950)])
def test_amount_that_was_noted_stays_whatever_kind_is_chosen(
    cup: Tournament, ada: Registration, doris: Actor, kind: str, is_full: bool, is_open: int
) -> None:
    set_fees(cup, terms=GUESTS_FIRST, actor=doris)
    Registration.objects.filter(pk=ada.pk).update(paid_cents=1550, paid_on=date(2026, 9, 30))

    take_over_registrations(cup, chosen=[ada.pk], kinds={ada.pk: kind}, actor=doris)

    (line,) = load_fee_list(Tournament.objects.get(pk=cup.pk)).lines
    assert (line.entry.fee_paid, line.fee.paid, line.fee.open) == (is_full, 1550, is_open)


def test_treasurer_sees_that_the_kind_is_not_known(ticked: Registration, doris_client: Client) -> None:
    cup = Tournament.objects.get(pk=ticked.tournament_id)

    found = load_fee_list(cup)

    (line,) = found.early
    assert (line.fee.kind, line.fee.due, line.fee.paid) == (None, 0, 0)
    rows = list(csv.reader(io.StringIO(FeesTable(found).build_csv().decode("utf-8-sig")), delimiter=";"))
    assert rows[1][-1] == "Startgeldart nicht gewählt, nicht gemeldet: bestätigt, ohne Betrag abgehakt"
    page = doris_client.get(reverse("director:registrations", args=[cup.slug]))
    assertContains(page, "Startgeldart nicht gewählt")
    assertNotContains(page, "Startgeld offen")
    assertContains(doris_client.get(reverse("director:fees_file", args=[cup.slug, "csv"])), "Amsel, Ada")


def test_page_for_taking_over_asks_and_keeps_what_was_chosen(
    cup: Tournament, ticked: Registration, doris_client: Client
) -> None:
    other = registered(cup, "Bussard, Bo")
    address = reverse("director:take_registrations", args=[cup.slug])
    sent = {"take": [ticked.pk], f"kind-{other.pk}": "K1", f"kind-{ticked.pk}": ""}

    answer = doris_client.post(address, sent)

    assertContains(answer, "Zuerst die Startgeldart wählen")
    assertContains(answer, f'name="take" value="{other.pk}" \n')
    assertContains(answer, '<option value="K1" selected>', count=1)
    assert not Entry.objects.filter(tournament=cup).exists()

    doris_client.post(address, sent | {f"kind-{ticked.pk}": "K2"})
    (entry,) = Entry.objects.filter(tournament=cup)
    assert (entry.fee_kind, entry.fee_paid) == ("K2", True)


def test_waived_fee_of_an_entry_is_not_overwritten(cup: Tournament, ada: Registration, doris: Actor) -> None:
    twin = enter_player(
        cup.divisions.order_by("position")[0], person=Person("Amsel, Ada", club="SC Fulda"), actor=doris
    )
    note_fee(twin, fee=NotedFee(waived=True), actor=doris)
    note_registration_fee(ada, fee=NotedFee("K3"), actor=doris)

    enter(cup, ada, doris)

    assert fees(twin)[4] is True


def test_letter_and_own_page_name_the_kind(client: Client, cup: Tournament, ada: Registration, doris: Actor) -> None:
    note_registration_fee(ada, fee=NotedFee("K3"), actor=doris)
    contact = Contact.objects.select_related("tournament").get(registration=ada)

    page = client.get(urlsplit(make_personal_address(contact)).path)
    put_on_record = Registration.objects.select_related("tournament").get(pk=ada.pk)
    _subject, text = make_decision_letter(cup, put_on_record, get_online_entry(cup), page="/")()

    assertContains(page, "Jugend (7,50\N{NO-BREAK SPACE}€)")
    assert "Jugend (7,50\N{NO-BREAK SPACE}€)" in text
