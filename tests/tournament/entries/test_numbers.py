"""Numbers of federations: noted, read from lists, written into lists, taken along by a merge, forgotten."""

from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.utils import translation

from tests import factories
from tests.refusals import refuses
from tournament.basics.refusals import Refusals
from tournament.core.change import Actor
from tournament.entries.files import build_register_csv
from tournament.entries.operations.entries import NewEntry, enter_known_players, enter_players
from tournament.entries.operations.numbers import FederationNumber, remove_number, set_number
from tournament.entries.operations.register import (
    MayBeKnown,
    NumberOfAnother,
    Person,
    Register,
    add_player,
    update_register,
)
from tournament.exchange.players import RowFate, preview_player_list, read_player_list
from tournament.models import Division, JournalEntry, Organiser, Player, PlayerNumber, Tournament
from tournament.people.merging import merge_players, part_players
from tournament.registration.forgetting import forget_player

ADDRESS = "/director/register/players/"
NTSV_12 = FederationNumber("NTSV", "12")


@pytest.fixture
def anna(doris: Actor) -> Player:
    return add_player(person=Person("Beispiel, Anna", "SC Fulda", numbers=(NTSV_12,)), actor=doris)


def read(player: Player) -> list[str]:
    rows = PlayerNumber.objects.filter(player=player).order_by("system", "number")
    return [f"{row}{'?' * row.is_provisional}" for row in rows]


def test_a_provisional_number_gives_way_to_the_true_one(anna: Player, doris: Actor) -> None:
    set_number(anna, stated=FederationNumber(" sdev ", "neu-1", is_provisional=True), actor=doris)
    assert read(anna) == ["NTSV 12", "SDeV neu-1?"]

    set_number(anna, stated=FederationNumber("SDeV", "4711"), actor=doris)
    assert read(anna) == ["NTSV 12", "SDeV 4711"]


def test_a_number_belongs_to_one_player_of_an_organiser(anna: Player, doris: Actor) -> None:
    other = add_player(person=Person("Muster, Jörg"), actor=doris)
    otto = factories.director("otto", factories.organiser("SC Neu"))
    elsewhere = add_player(person=Person("Muster, Jörg"), actor=otto)

    with refuses("number_taken", match=r"NTSV 12 .* Beispiel, Anna"):
        set_number(other, stated=NTSV_12, actor=doris)
    set_number(elsewhere, stated=NTSV_12, actor=otto)
    assert read(elsewhere) == ["NTSV 12"]


def test_every_fault_of_a_number_is_named(anna: Player, doris: Actor) -> None:
    with pytest.raises(Refusals) as refused:
        set_number(anna, stated=FederationNumber("S" * 21, " "), actor=doris)

    assert [each.code for each in refused.value.refusals] == ["too_long", "number_missing"]


def test_a_removed_number_is_gone_once(anna: Player, doris: Actor) -> None:
    number = anna.numbers.get()
    for _again in range(2):
        remove_number(number, actor=doris)

    assert read(anna) == []
    assert JournalEntry.objects.filter(verb="remove_number").count() == 1


@pytest.mark.parametrize(
    ("person", "found"),
    [
        (Person("Beispiel, Anna", "SC Fulda", numbers=(FederationNumber("ntsv", "12"),)), True),
        (Person("Beispiel, Anna", "SC Fulda", numbers=(FederationNumber("NTSV", "13"),)), False),
        (Person("Beispiel, Anna", "SC Fulda", numbers=(FederationNumber("NTSV", "x", is_provisional=True),)), True),
        (Person("Beispiel, Anna", "SC Fulda", numbers=(FederationNumber("SDeV", "13"),)), True),
    ],
    ids=["written otherwise", "another true number", "a provisional one", "another federation"],
)
def test_a_number_says_who_is_meant(person: Person, found: bool, anna: Player, doris: Actor) -> None:
    assert Register(anna.organiser_id, [person]).find(person) == (anna if found else None)


def test_a_number_under_a_new_name_is_asked_about_and_the_name_taken(anna: Player, doris: Actor) -> None:
    person = Person("Beispiel-Neu, Anna", "SC Köln", numbers=(NTSV_12,))
    with pytest.raises(MayBeKnown) as question:
        Register(anna.organiser_id, [person]).find(person)
    assert question.value.players == (anna,)

    done = update_register(people=[person], decided={0: anna}, actor=doris)

    assert (done[0], Player.objects.current().get().name) == (0, "Beispiel-Neu, Anna")
    for name in ("Beispiel, Anna", "Beispiel-Neu, Anna"):
        assert Register(anna.organiser_id, [Person(name)]).find(Person(name)) == anna


def test_a_number_under_quite_another_name_is_asked_about(anna: Player, doris: Actor) -> None:
    person = Person("Muster, Jörg", numbers=(NTSV_12,))

    with pytest.raises(NumberOfAnother, match="Muster, Jörg"):
        Register(anna.organiser_id, [person]).find(person)
    with pytest.raises(Refusals):
        update_register(people=[person], actor=doris)


def test_lists_state_numbers_under_any_usual_heading(anna: Player, doris: Actor) -> None:
    content = "Name;Verein;NTSV-Nummer;SDeV;Nr. ABC\nBeispiel, Anna;SC Fulda;12;neu?;A1\nNeu, Nina;;14;;\n".encode(
        "latin-1"
    )
    sheet = read_player_list(content)
    assert (sheet.systems, sheet.ignored) == (("NTSV", "SDeV", "ABC"), ())
    assert [row.fate for row in preview_player_list(sheet, anna.organiser_id)] == [RowFate.KNOWN, RowFate.NEW]

    done = update_register(people=[row.person for row in sheet.rows], actor=doris)

    assert done == (1, 1, 0)
    assert read(anna) == ["ABC A1", "NTSV 12", "SDeV neu?"]
    assert read(Player.objects.get(name="Neu, Nina")) == ["NTSV 14"]


def test_a_list_never_puts_a_provisional_number_over_a_true_one(anna: Player, doris: Actor) -> None:
    stated = (FederationNumber("NTSV", "neu", is_provisional=True),)
    done = update_register(people=[Person("Beispiel, Anna", "SC Fulda", numbers=stated)], actor=doris)

    assert (done[2], read(anna)) == (1, ["NTSV 12"])


def test_entering_a_list_finds_players_by_number(anna: Player, division: Division, doris: Actor) -> None:
    people = [Person("Beispiel, A.", numbers=(NTSV_12, FederationNumber("SDeV", "7"))), Person("Neu, Nina")]
    newcomers = [NewEntry(one, division) for one in people]
    with pytest.raises(MayBeKnown):
        enter_players(division.tournament, newcomers=newcomers, actor=doris)

    entered, _ = enter_players(division.tournament, newcomers=newcomers, decided={0: anna}, actor=doris)

    assert entered[0].player == anna
    assert read(anna) == ["NTSV 12", "SDeV 7"]


@pytest.mark.parametrize("language", ["de", "en", "nl"])
def test_the_register_as_a_list_reads_back_the_same(language: str, anna: Player, doris: Actor) -> None:
    set_number(anna, stated=FederationNumber("Eigene", "X-1", is_provisional=True), actor=doris)
    add_player(
        person=Person("Neu, Nina", rating=1500, games=3, phone="+49 661 1234", email="n@example.org"), actor=doris
    )
    with translation.override(language):
        sheet = read_player_list(build_register_csv(anna.organiser))

    assert (sheet.faults, sheet.ignored) == ([], ())
    done = update_register(people=[row.person for row in sheet.rows], actor=doris)
    assert done == (0, 0, 2)


def test_federation_that_is_written_in_two_ways_has_one_column_of_the_register(anna: Player, doris: Actor) -> None:
    set_number(anna, stated=FederationNumber("Eigene", "1"), actor=doris)
    add_player(person=Person("Neu, Nina", numbers=(FederationNumber("eigene", "2"),)), actor=doris)

    heads, *players = (line.split(";") for line in build_register_csv(anna.organiser).decode("utf-8-sig").splitlines())

    assert [head for head in heads if "igene" in head] == ["Nr. Eigene"]
    assert [player[heads.index("Nr. Eigene")] for player in players] == ["1", "2"]


def test_numbers_are_merged_and_come_back(anna: Player, doris: Actor) -> None:
    set_number(anna, stated=FederationNumber("SDeV", "neu", is_provisional=True), actor=doris)
    numbers = (FederationNumber("NTSV", "99"), FederationNumber("SDeV", "4711"), FederationNumber("WESPA", "5"))
    twin = add_player(person=Person("Beispiel, A.", numbers=numbers), actor=doris, anyway=True)

    merge_players(anna, other=twin, actor=doris)
    assert read(anna) == ["NTSV 12", "SDeV 4711", "WESPA 5"]
    old = Person("Beispiel, Anna", numbers=(FederationNumber("NTSV", "99"),))
    assert Register(anna.organiser_id, [old]).find(old) == anna

    part_players(Player.objects.get(pk=twin.pk), actor=doris)
    assert read(anna) == ["NTSV 12", "SDeV neu?"]
    assert read(twin) == ["NTSV 99", "SDeV 4711", "WESPA 5"]


def test_an_old_number_of_a_merged_player_can_become_the_valid_one(anna: Player, doris: Actor) -> None:
    twin = add_player(
        person=Person("Beispiel, A.", numbers=(FederationNumber("NTSV", "99"),)), actor=doris, anyway=True
    )
    merge_players(anna, other=twin, actor=doris)

    set_number(anna, stated=FederationNumber("NTSV", "99"), actor=doris)

    assert read(anna) == ["NTSV 99"]


def test_forgetting_takes_the_numbers(anna: Player, doris: Actor) -> None:
    set_number(anna, stated=FederationNumber("SDeV", "471147"), actor=doris)
    set_number(anna, stated=FederationNumber("SDeV", "471148"), actor=doris)

    forget_player(anna, actor=doris)

    assert not PlayerNumber.objects.exists()
    assert not any("4711" in str(each) for each in JournalEntry.objects.values_list("rows", "details"))


def test_the_pages_note_and_remove_numbers(anna: Player, doris_client: Client) -> None:
    page = f"{ADDRESS}{anna.pk}/"
    assert (
        doris_client.post(f"{page}numbers/", {"system": "SDeV", "number": "7", "provisional": "on"})["Location"] == page
    )
    assert read(anna) == ["NTSV 12", "SDeV 7?"]
    assert "SDeV 7?" in doris_client.get(ADDRESS).content.decode()
    assert [each.pk for each in doris_client.get(ADDRESS, {"q": "12"}).context["page"]] == [anna.pk]

    refused = doris_client.post(f"{page}numbers/", {"system": "SDeV", "number": "N" * 31})
    assert sorted(refused.context["number_form"].errors) == ["number"]
    assert "N" * 31 in refused.content.decode()

    number = anna.numbers.get(system="NTSV").pk
    for _again in range(2):
        assert doris_client.post(f"{page}numbers/{number}/remove/")["Location"] == page
    assert read(anna) == ["SDeV 7?"]


def test_the_register_is_sent_as_a_file(anna: Player, doris_client: Client) -> None:
    answer = doris_client.get(f"{ADDRESS}export/")

    assert answer["Content-Disposition"].endswith('-players.csv"')
    assert "Beispiel, Anna;SC Fulda;;0;;;12" in answer.content.decode("utf-8-sig")


@pytest.fixture
def locks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """The rows of events and organisers that are locked, in the order in which each is locked first."""
    order: list[tuple[str, int]] = []
    fetch = QuerySet._fetch_all

    def note(rows: QuerySet[Any]) -> None:
        fetch(rows)
        if rows.query.select_for_update and rows.model in (Tournament, Organiser):
            order.extend(lock for row in rows._result_cache if (lock := (rows.model.__name__, row.pk)) not in order)

    monkeypatch.setattr(QuerySet, "_fetch_all", note)
    return order


@pytest.mark.parametrize("is_event", [False, True], ids=["the register", "an event"])
def test_all_events_are_locked_in_one_order_before_the_register(
    is_event: bool, anna: Player, doris: Actor, locks: list[tuple[str, int]]
) -> None:
    """Whoever enters a player under another spelling holds the event and waits for the organiser."""
    bert = add_player(person=Person("Muster, Bert", numbers=(FederationNumber("NTSV", "13"),)), actor=doris)
    first, second, third = (factories.event(name, players=0, by=doris) for name in ("A", "B", "C"))
    enter_known_players(second, players=[anna.pk], actor=doris)
    enter_known_players(third, players=[bert.pk], actor=doris)
    people = [
        Person("Muster-Neu, Bert", numbers=(FederationNumber("NTSV", "13"),)),
        Person("Beispiel-Neu, Anna", numbers=(NTSV_12,)),
    ]
    decided = {0: bert, 1: anna}
    locks.clear()

    if is_event:
        newcomers = [NewEntry(one, first) for one in people]
        enter_players(first.tournament, newcomers=newcomers, decided=decided, actor=doris)
    else:
        update_register(people=people, decided=decided, actor=doris)

    divisions = [first, second, third] if is_event else [second, third]
    events = [("Tournament", division.tournament_id) for division in divisions]
    assert locks == [*events, ("Organiser", anna.organiser_id)]
    assert list(Player.objects.current().by_name().values_list("name", flat=True)) == [
        "Beispiel-Neu, Anna",
        "Muster-Neu, Bert",
    ]
