"""The treasurer's pages: amounts set, one click that notes a payment, a player's fee, the list as files."""

import io
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from pytest_django.asserts import assertContains, assertNotContains

from tests import factories
from tournament.core.fees import FeeTerms
from tournament.models import Division, Entry, Tournament

pytestmark = pytest.mark.django_db

ROWS = {"currency": "€", "name_1": "Mitglied", "cents_1": "15", "name_2": "Gast", "cents_2": "20,5"}


@pytest.fixture(scope="module")
def event_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=4, fees=factories.FEES.stored())


@pytest.fixture
def event(event_of_module: Division, db: None) -> Division:
    return factories.fresh(event_of_module)


def address(event: Division, page: str = "fees", *more: object) -> str:
    return reverse(f"director:{page}", args=[event.tournament.slug, *more])


def stored(event: Division) -> FeeTerms:
    return FeeTerms.of(Tournament.objects.get(pk=event.tournament_id))


def test_without_amounts_the_page_asks_for_them(doris_client: Client) -> None:
    event = factories.event("Frei", players=2)
    Entry.objects.filter(division=event, key="P01").update(fee_paid=True)
    assertContains(doris_client.get(address(event)), "1 Spieler ist als bezahlt abgehakt")
    answer = doris_client.post(address(event, "fee_terms"), ROWS, follow=True)

    assert [(kind.name, kind.cents) for kind in stored(event).kinds] == [("Mitglied", 1500), ("Gast", 2050)]
    assertContains(answer, "15,00")


def test_kinds_keep_their_keys_when_others_come_and_go(event: Division, doris_client: Client) -> None:
    rows = {"key_1": "K1", "name_1": "Vereinsmitglied", "cents_1": "16,00", "key_3": "K3", "name_3": "Jugend"}
    rows |= {"key_2": "K2", "cents_3": "7.50", "name_4": "Helfer", "cents_4": "0", "currency": "CHF"}
    doris_client.post(address(event, "fee_terms"), rows)

    assert stored(event).currency == "CHF"
    assert [(kind.key, kind.name, kind.cents) for kind in stored(event).kinds] == [
        ("K1", "Vereinsmitglied", 1600),
        ("K3", "Jugend", 750),
        ("K4", "Helfer", 0),
    ]


def test_name_without_an_amount_is_told_beside_its_field(event: Division, doris_client: Client) -> None:
    answer = doris_client.post(address(event, "fee_terms"), {"name_1": "Mitglied", "currency": "€"})

    assertContains(answer, "Der Betrag fehlt; 0, wenn nichts zu zahlen ist.")
    assert stored(event) == factories.FEES


def test_one_click_notes_the_payment_and_stays_in_the_list(event: Division, doris_client: Client) -> None:
    entry = Entry.objects.get(key="P02")
    answer = doris_client.post(address(event, "settle_fee", entry.pk), {"only": "open"}, follow=True)

    assert answer.redirect_chain[-1][0] == f"{address(event)}?only=open"
    assertContains(answer, "15,00\N{NO-BREAK SPACE}€ bezahlt.")
    assertContains(answer, "Offen (3)")
    assertNotContains(answer, reverse("director:settle_fee", args=[event.tournament.slug, entry.pk]))


def test_tick_of_the_check_in_is_the_payment(event: Division, doris_client: Client) -> None:
    entry = Entry.objects.get(key="P02")
    doris_client.post(reverse("director:tick", args=[event.tournament.slug, entry.pk, "paid", "on"]))
    entry.refresh_from_db()

    assert (entry.paid_cents, entry.fee_paid) == (1500, True)
    row = doris_client.get(address(event, "check_in")).content.decode().split(f'id="paid-{entry.pk}"')[1].split(">")[0]
    assert "checked" in row


def test_fee_of_a_player_is_changed_on_its_page(event: Division, doris_client: Client) -> None:
    entry = Entry.objects.get(key="P02")
    typed = {"kind": "K2", "cents": "12,50", "day": "30.9.2026", "waived": "on"}
    doris_client.post(address(event, "fee", entry.pk), typed)
    entry.refresh_from_db()

    assert (entry.fee_kind, entry.paid_cents, str(entry.paid_on), entry.fee_waived) == ("K2", 1250, "2026-09-30", True)
    shown = doris_client.get(address(event, "fee", entry.pk))
    for value in ('value="12,50"', 'value="30.09.2026"', '<option value="K2" selected>'):
        assertContains(shown, value)


def test_faulty_amount_is_quoted_with_what_is_allowed(event: Division, doris_client: Client) -> None:
    entry = Entry.objects.get(key="P02")
    for typed in ("viel", "-5", "1,234", "10000,01", "٣"):
        answer = doris_client.post(address(event, "fee", entry.pk), {"cents": typed})
        assertContains(answer, f"„{typed}“ ist kein Betrag: zum Beispiel 15,50 schreiben, höchstens 10.000,00.")


def test_list_is_there_as_files(event: Division, doris_client: Client) -> None:
    Entry.objects.filter(key="P01").update(fee_paid=True, paid_cents=1500)
    answer = doris_client.get(address(event, "fees_file", "pdf"))
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)

    assert "Mitglied (4): zu zahlen 60,00 €, bezahlt 15,00 €, offen 45,00 €" in text
    assert "Aumann, Klara" in text
    assert doris_client.get(address(event, "fees_file", "csv")).headers["Content-Type"] == "text/csv; charset=utf-8"
    assert doris_client.get(address(event, "fees_file", "json")).status_code == HTTPStatus.NOT_FOUND


def test_empty_event_and_nothing_open_are_told(event: Division, doris_client: Client) -> None:
    Entry.objects.update(fee_paid=True)
    assertContains(doris_client.get(f"{address(event)}?only=open"), "Nichts ist offen")
    Entry.objects.all().delete()
    assertContains(doris_client.get(address(event)), "Noch ist niemand eingetragen")


def test_amounts_stand_on_no_public_page(event: Division) -> None:
    Entry.objects.update(fee_paid=True, paid_cents=1500, fee_kind="K2")
    slug, client = event.tournament.slug, Client()
    for page in ("tournament", "entries", "announcement", "player", "api_event", "api_entries"):
        found = client.get(reverse(f"public:{page}", args=[slug, "P01"] if page == "player" else [slug]))
        assert found.status_code == HTTPStatus.OK
        for word in (b"15,00", b"1500", b"20,00", b"Mitglied", b"fee_", b"paid"):
            assert word not in found.content, (page, word)


@pytest.mark.parametrize("players", [4, 12])
def test_list_asks_as_much_for_any_number(
    players: int, doris_client: Client, django_assert_max_num_queries: object
) -> None:
    event = factories.event(players=players, fees=factories.FEES.stored())
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        assert doris_client.get(address(event)).status_code == HTTPStatus.OK
