"""Fees as amounts: what is due, paid, open and waived, its sums, and what forgetting and copying leave of it."""

import csv
import io
from datetime import date

import pytest
from django.utils import translation
from django.utils.timezone import localdate

from tests import factories
from tests.refusals import refuses
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import Actor
from tournament.core.fees import EntryFee, FeeKind, FeeTerms
from tournament.core.words.figures import format_money
from tournament.entries.operations.attendance import mark_fees, withdraw_entry
from tournament.entries.operations.entries import EntryDetails, edit_entry, enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import copy_tournament
from tournament.fees import FeeList, FeesTable, NotedFee, load_fee_list, note_fee, set_fees
from tournament.journal.consequences import find_undo_effects
from tournament.models import Division, Entry, JournalEntry, Tournament
from tournament.public_state import load_public_state, make_public_state_json
from tournament.registration.forgetting import forget_player

pytestmark = pytest.mark.django_db

TERMS = factories.FEES


@pytest.fixture(scope="module")
def event_of_module(*, shares_rows: bool) -> Division:
    division = factories.event(players=4)
    set_fees(division.tournament, terms=TERMS, actor=factories.director())
    return division


@pytest.fixture
def event(event_of_module: Division, db: None) -> Division:
    return factories.fresh(event_of_module)


def entry(number: int) -> Entry:
    return Entry.objects.select_related("player", "tournament", "division").order_by("pk")[number]


def weigh(number: int) -> EntryFee:
    found = entry(number)
    return TERMS.weigh(found)


def tick(event: Division, *numbers: int) -> None:
    shown = list(Entry.objects.order_by("pk").values_list("pk", flat=True))
    mark_fees(event.tournament, shown=shown, paid=[shown[number] for number in numbers], actor=factories.director())


def amounts(found: FeeList) -> dict[str, tuple[int, int, int, int]]:
    return {kind.name: (each.count, each.due, each.paid, each.open) for kind, each in found.kinds}


def test_everybody_owes_the_first_kind_until_another_is_chosen(event: Division, doris: Actor) -> None:
    note_fee(entry(1), fee=NotedFee(kind="K3"), actor=doris)

    assert amounts(load_fee_list(event.tournament)) == {
        "Mitglied": (3, 4500, 0, 4500),
        "Gast": (0, 0, 0, 0),
        "Jugend": (1, 750, 0, 750),
    }


def test_tick_notes_the_whole_amount_and_the_day(event: Division) -> None:
    tick(event, 0)

    paid = entry(0)
    assert (paid.fee_paid, paid.paid_cents, paid.paid_on) == (True, 1500, localdate())
    assert weigh(0) == EntryFee(TERMS.kinds[0], 1500, 1500, 0, is_settled=True)
    tick(event)
    assert (entry(0).paid_cents, entry(0).paid_on, weigh(0).open) == (None, None, 1500)


def test_tick_leaves_what_was_paid_in_full_on_another_day(event: Division, doris: Actor) -> None:
    note_fee(entry(0), fee=NotedFee(cents=1500, day=date(2026, 9, 1)), actor=doris)
    tick(event, 0)

    assert entry(0).paid_on == date(2026, 9, 1)


def test_part_is_open_until_the_rest_is_paid_or_waived(event: Division, doris: Actor) -> None:
    note_fee(entry(0), fee=NotedFee(cents=500), actor=doris)
    assert (weigh(0).open, weigh(0).is_settled, entry(0).fee_paid) == (1000, False, False)

    note_fee(entry(0), fee=NotedFee(cents=500, waived=True), actor=doris)
    assert (weigh(0).open, weigh(0).waived, weigh(0).is_settled) == (0, 1000, True)

    tick(event, 0)
    assert weigh(0).waived == 1000, "a tick that is there already changes nothing"


def test_another_kind_leaves_what_was_paid(event: Division, doris: Actor) -> None:
    tick(event, 0, 1)
    for number, kind in ((0, "K2"), (1, "K3")):
        stored = entry(number)
        details = EntryDetails(fee_kind=kind, fee_paid=True)
        edit_entry(stored, person=Person(stored.player.name), details=details, actor=doris)

    assert (weigh(0).paid, weigh(0).open) == (1500, 500)
    assert (weigh(1).paid, weigh(1).over) == (1500, 750)


def test_newcomer_is_entered_with_kind_and_payment(event: Division, doris: Actor) -> None:
    made = enter_player(
        event, person=Person("Neu, Nora"), details=EntryDetails(fee_kind="K2", fee_paid=True), actor=doris
    )

    assert (made.paid_cents, made.paid_on, made.fee_paid) == (2000, localdate(), True)


def test_tick_from_before_the_amounts_counts_as_paid_in_full(event: Division, doris: Actor) -> None:
    set_fees(event.tournament, terms=FeeTerms(), actor=doris)
    event = factories.fresh(event)
    tick(event, 1)
    assert entry(1).paid_cents is None

    set_fees(event.tournament, terms=TERMS, actor=doris)
    assert [weigh(number).paid for number in range(2)] == [0, 1500]


def test_who_left_before_the_first_round_owes_nothing(event: Division, doris: Actor) -> None:
    tick(event, 0)
    withdraw_entry(entry(0), actor=doris, after=0)
    withdraw_entry(entry(1), actor=doris, after=0)

    assert [(weigh(number).due, weigh(number).over) for number in range(2)] == [(0, 1500), (0, 0)]


def test_sums_add_up_on_every_mixture(event: Division, doris: Actor) -> None:
    cases = [
        NotedFee("", 500),
        NotedFee("K2", 2500),
        NotedFee("K3", None, waived=True),
        NotedFee("K2", 700, None, True),
    ]
    for number, fee in enumerate(cases):
        note_fee(entry(number), fee=fee, actor=doris)
    total = load_fee_list(event.tournament).total

    assert (total.due, total.paid, total.open, total.waived, total.over) == (6250, 3700, 1000, 2050, 500)
    assert total.due + total.over == total.paid + total.open + total.waived


def test_kind_that_somebody_has_stays(event: Division, doris: Actor) -> None:
    note_fee(entry(0), fee=NotedFee(kind="K3"), actor=doris)

    with refuses("fee_kind_in_use"):
        set_fees(event.tournament, terms=FeeTerms(TERMS.kinds[:2]), actor=doris)
    set_fees(event.tournament, terms=FeeTerms((TERMS.kinds[0], TERMS.kinds[2])), actor=doris)
    assert len(load_fee_list(Tournament.objects.get()).kinds) == 2


@pytest.mark.parametrize(
    ("kinds", "code"),
    [
        ([("Mitglied", 1), ("mitglied", 2)], "fee_kind_twice"),
        ([("", 1)], "fee_kind_unnamed"),
        ([("x" * 41, 1)], "too_long"),
        ([("Mitglied", -1)], "out_of_range"),
        ([("Mitglied", 1_000_001)], "out_of_range"),
    ],
)
@pytest.mark.sampled(1)
def test_faulty_terms_are_refused(event: Division, doris: Actor, kinds: list[tuple[str, int]], code: str) -> None:
    terms = FeeTerms(tuple(FeeKind(f"K{number}", *kind) for number, kind in enumerate(kinds)))
    with pytest.raises(Refusals) as refused:
        set_fees(event.tournament, terms=terms, actor=doris)

    assert {fault.code for fault in refused.value.refusals} == {code}


@pytest.mark.parametrize("fee", [NotedFee(cents=-1), NotedFee(cents=1_000_001), NotedFee(kind="K9")])
def test_faulty_payment_is_refused(event: Division, doris: Actor, fee: NotedFee) -> None:
    with pytest.raises(Refusal):
        note_fee(entry(0), fee=fee, actor=doris)


def test_forgetting_drops_the_name_and_keeps_the_sums(event: Division, doris: Actor) -> None:
    tick(event, 0)
    factories.played(event)
    name, before = entry(0).player.name, load_fee_list(event.tournament)
    forget_player(entry(0).player, actor=doris)
    after = load_fee_list(event.tournament)

    assert (after.kinds, after.total) == (before.kinds, before.total)
    assert name.encode() not in FeesTable(after).build_csv()


def test_payment_of_who_is_forgotten_before_the_first_round_stays(event: Division, doris: Actor) -> None:
    tick(event, 0)
    name = entry(0).player.name
    for number in (0, 1):
        forget_player(entry(number).player, actor=doris)
    found = load_fee_list(event.tournament)

    assert (found.total.count, found.total.paid, found.total.over) == (3, 1500, 1500)
    assert name.encode() not in FeesTable(found).build_csv()


def test_copied_event_has_the_fees_and_nothing_paid(event: Division, doris: Actor) -> None:
    note_fee(entry(0), fee=NotedFee("K2", 2000), actor=doris)
    made = copy_tournament(event.tournament, actor=doris, name="Neu", with_entries=True)
    found = load_fee_list(made)

    assert (found.terms, found.total.paid) == (TERMS, 0)
    assert [each.count for _kind, each in found.kinds] == [3, 1, 0]


def test_list_as_csv_is_safe_and_has_plain_numbers(event: Division, doris: Actor) -> None:
    person = Person(name='=HYPERLINK("http://x")')
    enter_player(event, person=person, actor=doris)
    Tournament.objects.update(fees=FeeTerms((FeeKind("K1", "-1+2", 123_456),), "CHF").stored())
    tick(event, 0)
    with translation.override("de"):
        text = FeesTable(load_fee_list(Tournament.objects.get())).build_csv().decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text), delimiter=";"))

    assert {len(row) for row in rows} == {12}
    by_name = {row[1]: row for row in rows}
    assert by_name["'" + person.name][4:8] == ["'-1+2", "1234,56", "0,00", ""]
    assert [row[9] for row in rows[1:]].count("1234,56") == 4


@pytest.mark.parametrize(
    ("language", "cents", "currency", "written"),
    [
        ("de", 123_450, "€", "1.234,50\N{NO-BREAK SPACE}€"),
        ("nl", 1500, "€", "€\N{NO-BREAK SPACE}15,00"),
        ("en", 1500, "€", "€15.00"),
        ("en", 5, "CHF", "CHF\N{NO-BREAK SPACE}0.05"),
        ("de", 0, "CHF", "0,00\N{NO-BREAK SPACE}CHF"),
    ],
)
def test_money_is_written_as_the_language_does(language: str, cents: int, currency: str, written: str) -> None:
    with translation.override(language):
        assert format_money(cents, currency) == written


def test_nothing_of_fees_is_public(event: Division, doris: Actor) -> None:
    note_fee(entry(0), fee=NotedFee("K2", 2000, date(2026, 9, 1), waived=True), actor=doris)
    state = load_public_state(event.tournament)
    assert state is not None
    text = str(make_public_state_json(state))

    assert not [word for word in ("fee", "cents", "paid", "2026-09-01", "Mitglied") if word in text]


def test_undo_names_kinds_and_amounts_as_pages_do(event: Division, doris: Actor) -> None:
    note_fee(entry(0), fee=NotedFee("K2", 1250, date(2026, 9, 1)), actor=doris)
    with translation.override("de"):
        last = JournalEntry.objects.filter(tournament=event.tournament).order_by("-number")[0]
        told = [str(each) for each in find_undo_effects(last, entry(0).tournament, actor=doris).rows]

    name = entry(0).name
    assert f"{name}, Startgeldart: Gast → Mitglied" in told
    assert f"{name}, bezahlter Betrag: 12,50 → –" in told
