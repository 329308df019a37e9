"""The check-in and what is done on an entry's page about being there."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.tournament.rounds import steps
from tournament.core.change import Actor
from tournament.entries.operations.attendance import check_in_entries, withdraw_entry
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Absence, Division, Entry, JournalEntry, Tournament

pytestmark = pytest.mark.usefixtures("four_of_module")


@pytest.fixture
def address(cup: Tournament) -> str:
    return f"/director/{cup.slug}/entries/"


def test_check_in_saves_both_columns(four: list[Entry], address: str, doris_client: Client) -> None:
    everybody = [entry.pk for entry in four]

    doris_client.post(f"{address}check-in/", {"shown": everybody, "present": everybody[:2], "paid": everybody[1:3]})

    stored = [(entry.present, entry.fee_paid) for entry in Entry.objects.in_order()]
    assert stored == [(True, False), (True, True), (False, True), (False, False)]


def test_check_in_touches_only_what_the_page_showed(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    check_in_entries(division.tournament, shown={four[3].pk}, present={four[3].pk}, actor=doris)

    doris_client.post(f"{address}check-in/", {"shown": [four[0].pk], "present": [four[0].pk]})

    assert [entry.present for entry in Entry.objects.in_order()] == [True, False, False, True]


def test_check_in_with_nonsense_changes_nothing(four: list[Entry], address: str, doris_client: Client) -> None:
    answer = doris_client.post(f"{address}check-in/", {"shown": ["x", "-1", "9" * 30], "present": ["x"]})

    assert answer.status_code == 302
    assert not Entry.objects.filter(present=True).exists()


@pytest.mark.parametrize(("column", "field"), [("present", "present"), ("paid", "fee_paid")])
def test_one_tick_is_saved_at_once_by_itself(
    column: str, field: str, four: list[Entry], address: str, doris_client: Client
) -> None:
    at = f"{address}check-in/{four[1].pk}/{column}/"

    part = doris_client.post(f"{at}on/", headers={"HX-Request": "true"})
    ticked = list(Entry.objects.in_order().values_list(field, flat=True))
    doris_client.post(f"{at}on/", headers={"HX-Request": "true"})
    plain = doris_client.post(f"{at}off/")

    assert ticked == [False, True, False, False]
    assert f'id="check-in-{four[1].pk}"' in part.content.decode()
    assert f"{at}off/" in part.content.decode()
    assert plain.status_code == 302
    assert not Entry.objects.filter(**{field: True}).exists()


def test_two_helpers_ticks_do_not_undo_each_other(four: list[Entry], address: str, doris_client: Client) -> None:
    for entry in four[:2]:
        doris_client.post(f"{address}check-in/{entry.pk}/present/on/", headers={"HX-Request": "true"})

    assert [entry.present for entry in Entry.objects.in_order()] == [True, True, False, False]


def test_tick_is_named_in_the_journal_and_taken_back(
    division: Division, four: list[Entry], address: str, doris_client: Client
) -> None:
    doris_client.post(f"{address}check-in/{four[1].pk}/present/on/")
    line = doris_client.get(f"{address}check-in/").context["last"]
    at = f"/director/{division.tournament.slug}/journal/{line.entry.number}/undo/"

    shown = doris_client.get(at).context["effects"]
    doris_client.post(at, {"seen": shown.seen})

    assert four[1].name in line.sentence
    assert [str(row) for row in shown.rows] == [f"{four[1].name}, anwesend: ja → nein"]
    assert not Entry.objects.filter(present=True).exists()


def test_everybody_is_there_with_one_click_and_is_taken_back_with_one(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    doris_client.post(f"{address}check-in/{four[1].pk}/present/on/")

    doris_client.post(f"{address}check-in/", {"shown": [entry.pk for entry in four], "everybody": "yes"})
    everybody = Entry.objects.filter(present=True).count()
    undo_journal_entry(JournalEntry.objects.filter(tournament=division.tournament).latest("number"), actor=doris)

    assert everybody == 4
    assert [entry.present for entry in Entry.objects.in_order()] == [False, True, False, False]


@pytest.mark.parametrize("rest", ["present/maybe/", "rating/on/"])
def test_tick_that_does_not_exist_is_not_found(
    rest: str, four: list[Entry], address: str, doris_client: Client
) -> None:
    assert doris_client.post(f"{address}check-in/{four[0].pk}/{rest}").status_code == 404


def test_tick_of_another_tournament_is_not_found(
    other_cup: Tournament, four: list[Entry], doris_client: Client
) -> None:
    at = f"/director/{other_cup.slug}/entries/check-in/{four[0].pk}/present/on/"

    assert doris_client.post(at).status_code == 404


@pytest.mark.parametrize("number", [1, 3])
def test_check_in_takes_the_same_queries_for_any_number(
    number: int,
    division: Division,
    doris: Actor,
    address: str,
    doris_client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for name in ("Aumann, Klara", "Bianchi, Ugo", "Çelik, Deniz")[:number]:
        enter_player(division, person=Person(name, club="SC Fulda"), actor=doris)

    with django_assert_num_queries(14):
        doris_client.get(f"{address}check-in/")


def test_absentees_left_out(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    check_in_entries(division.tournament, shown={four[0].pk}, present={four[0].pk}, actor=doris)

    doris_client.post(f"{address}check-in/absentees/", {"what": "leave_out", "number": "1"})

    missing = Absence.objects.order_by("entry__position").values_list("entry__key", "number")
    assert list(missing) == [("P02", 1), ("P03", 1), ("P04", 1)]


def test_absentees_withdrawn(four: list[Entry], address: str, doris_client: Client) -> None:
    doris_client.post(f"{address}check-in/absentees/", {"what": "withdraw", "number": "1"})

    assert Entry.objects.filter(withdrawn_after=0).count() == 4


def test_absentees_of_a_round_that_is_out_meanwhile_are_left_alone(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    steps.publish_next_round(division, doris)

    answer = doris_client.post(f"{address}check-in/absentees/", {"what": "leave_out", "number": "1"}, follow=True)

    assert [message.level_tag for message in answer.context["messages"]] == ["error"]
    assert not Absence.objects.exists()


def test_withdraw_and_bring_back(
    division: Division, four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    steps.play_next_round(division, doris)

    doris_client.post(f"{address}{four[0].pk}/withdraw/", {"after": "1"})
    left = Entry.objects.get(pk=four[0].pk).withdrawn_after
    doris_client.post(f"{address}{four[0].pk}/back/")

    assert (left, Entry.objects.get(pk=four[0].pk).withdrawn_after) == (1, None)


def test_withdraw_after_an_unknown_round_is_refused(four: list[Entry], address: str, doris_client: Client) -> None:
    answer = doris_client.post(f"{address}{four[0].pk}/withdraw/", {"after": "99"}, follow=True)

    assert "99" in str(next(iter(answer.context["messages"])))
    assert Entry.objects.get(pk=four[0].pk).withdrawn_after is None


def test_absence_and_back(four: list[Entry], address: str, doris_client: Client) -> None:
    doris_client.post(f"{address}{four[0].pk}/absence/", {"number": "2"})
    said = list(Absence.objects.values_list("entry", "number", "counts_as_loss"))
    doris_client.post(f"{address}{four[0].pk}/absence/2/")

    assert said == [(four[0].pk, 2, False)]
    assert not Absence.objects.exists()


def test_entry_page_of_somebody_withdrawn_offers_the_way_back(
    four: list[Entry], doris: Actor, address: str, doris_client: Client
) -> None:
    withdraw_entry(four[0], actor=doris)

    page = doris_client.get(f"{address}{four[0].pk}/").content.decode()

    assert f'action="{address}{four[0].pk}/back/"' in page
    assert f'action="{address}{four[0].pk}/withdraw/"' not in page
