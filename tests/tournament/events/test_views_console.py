"""The console, the journal and the print room."""

import re
from typing import Any
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tournament.core.change import Actor
from tournament.entries.operations.entries import NewEntry, enter_players
from tournament.files.print_room import DOCUMENTS
from tournament.models import Division, JournalEntry, Result, Round


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=4)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture(scope="module")
def played_of_module(*, shares_rows: bool) -> Division:
    made = factories.event("Gespielt", players=4)
    factories.played(made)
    return made


@pytest.fixture
def played(played_of_module: Division, db: None) -> Division:
    """One round is played; its second table's result came last."""
    return factories.fresh(played_of_module)


def url(division: Division, rest: str = "") -> str:
    return f"/director/{division.tournament.slug}/{rest}"


def next_url(client: Client, division: Division) -> str:
    return str(client.get(url(division)).context["next"].url)


def test_console_leads_through_the_evening(director_client: Client, director: User) -> None:
    empty = factories.event("Leer", players=0, rounds=1, by=Actor(user=director))

    steps = [next_url(director_client, empty)]
    factories.enter(empty, 4)
    steps.append(next_url(director_client, empty))
    made = factories.draft(empty)
    steps.append(next_url(director_client, empty))
    director_client.post(url(empty, "rounds/1/publish/"))
    steps.append(next_url(director_client, empty))
    for table in (1, 2):
        factories.result(made, table, 420, 380)
    steps.append(next_url(director_client, empty))
    director_client.post(url(empty, "rounds/1/close/"))
    steps.append(next_url(director_client, empty))

    assert [step.split("?")[0].removeprefix("/director/leer/") for step in steps] == [
        "entries/",
        "rounds/draw/",
        "rounds/1/",
        "results/1/",
        "end/",
        "end/",
    ]


def test_console_lists_who_is_still_playing(director_client: Client, division: Division) -> None:
    made = factories.published(division)
    factories.result(made, 1, 420, 380)

    response = director_client.get(url(division))

    assert [pairing.table for pairing in response.context["playing"]] == [2]


@pytest.mark.parametrize("rest", ["", "journal/", "print/", "print/pairings.pdf"])
@pytest.mark.sampled(1)
def test_pages_are_for_those_who_direct(rest: str, client: Client, stranger_client: Client, division: Division) -> None:
    codes = [each.get(url(division, rest)).status_code for each in (client, stranger_client)]

    assert codes == [302, 404]


def taken_back(client: Client, address: str, **more: str) -> Any:
    """Look at what undoing would change, then do it."""
    shown = client.get(address)
    return client.post(address, {"seen": shown.context["effects"].seen, **more}, follow=True)


def test_journal_undo_asks_first(director_client: Client, played: Division) -> None:
    number = JournalEntry.objects.filter(tournament=played.tournament).latest("number").number
    address = url(played, f"journal/{number}/undo/")

    for page in (director_client.get(address), director_client.post(address)):
        effects = page.context["effects"]
        assert [each.tables for each in effects.open_again] == [(2,)]
        assert len(effects.consequences.players) == 2

    assert Result.objects.filter(official=True).count() == 2
    assert JournalEntry.objects.filter(verb="undo").count() == 0


def test_journal_undo_takes_a_result_back(director_client: Client, played: Division) -> None:
    number = JournalEntry.objects.filter(tournament=played.tournament).latest("number").number

    response = taken_back(director_client, url(played, f"journal/{number}/undo/"))

    assert [message.level_tag for message in response.context["messages"]] == ["success"]
    assert Result.objects.filter(official=True).count() == 1


def test_journal_undo_leads_back_to_the_console_that_asked(director_client: Client, played: Division) -> None:
    number = JournalEntry.objects.filter(tournament=played.tournament).latest("number").number

    response = taken_back(director_client, url(played, f"journal/{number}/undo/"), **{"from": url(played)})

    assert response.redirect_chain[-1][0] == url(played)


@pytest.mark.long
def test_page_offers_to_take_back_what_was_just_done_on_it(director_client: Client, division: Division) -> None:
    draft = factories.draft(division)
    page = url(division, "rounds/1/")
    locked = director_client.post(f"{page}pairing/{draft.pairings.order_by('pk')[0].pk}/", {"lock": ""}, follow=True)
    number = JournalEntry.objects.filter(tournament=division.tournament).latest("number").number
    undo = url(division, f"journal/{number}/undo/")
    [back] = re.findall(rf'href="{undo}\?from=([^"]+)"', locked.content.decode())

    assert unquote(back).startswith(page)
    assert undo in director_client.get(page).content.decode()
    assert taken_back(director_client, undo, **{"from": unquote(back)}).redirect_chain[-1][0] == unquote(back)


@pytest.mark.long
def test_taking_back_a_list_leads_to_a_page_that_is_still_there(director_client: Client, division: Division) -> None:
    person = factories.person(9)
    newcomer = NewEntry(person, division)
    [made], _ = enter_players(division.tournament, newcomers=[newcomer], actor=factories.director())
    number = JournalEntry.objects.filter(tournament=division.tournament).latest("number").number

    page = url(division, f"entries/{made.pk}/")
    back = taken_back(director_client, url(division, f"journal/{number}/undo/"), **{"from": page})

    assert back.redirect_chain[-1][0] == url(division)


def test_journal_undo_leads_to_no_other_site(director_client: Client, played: Division) -> None:
    number = JournalEntry.objects.filter(tournament=played.tournament).latest("number").number

    back = taken_back(director_client, url(played, f"journal/{number}/undo/"), **{"from": "//example.org/"})

    assert back.redirect_chain[-1][0] == url(played, "journal/")


@pytest.mark.long
def test_journal_undo_is_restored_from_the_journal(director_client: Client, played: Division) -> None:
    number = JournalEntry.objects.filter(tournament=played.tournament).latest("number").number
    taken_back(director_client, url(played, f"journal/{number}/undo/"))
    lines = {line.entry.number: line for line in director_client.get(url(played, "journal/")).context["lines"]}

    restored = taken_back(director_client, url(played, f"journal/{number + 1}/undo/"))
    again = taken_back(director_client, url(played, f"journal/{number + 2}/undo/"))
    taken_back(director_client, url(played, f"journal/{number + 3}/undo/"))

    assert [str(each) for each in restored.context["messages"]] == [f"Wiederhergestellt: Eintrag {number}: Ergebnis"]
    assert [str(each) for each in again.context["messages"]] == [f"Zurückgenommen: Eintrag {number + 1}: Ergebnis"]
    assert (lines[number].undoable, lines[number].taken_back_by) == (False, number + 1)
    assert lines[number + 1].undoable
    assert lines[number + 1].restores
    assert Result.objects.filter(official=True).count() == 2


def test_journal_undo_twice_says_why_not(director_client: Client, played: Division) -> None:
    number = JournalEntry.objects.filter(tournament=played.tournament).latest("number").number
    taken_back(director_client, url(played, f"journal/{number}/undo/"))

    page = director_client.get(url(played, f"journal/{number}/undo/"))

    assert page.context["effects"].refusal.code == "changed_since"
    assert Result.objects.filter(official=True).count() == 1


def test_journal_undo_asks_again_if_something_else_would_happen(director_client: Client, played: Division) -> None:
    round = Round.objects.get(division=played)
    number = JournalEntry.objects.filter(tournament=played.tournament).latest("number").number
    address = url(played, f"journal/{number}/undo/")
    seen = director_client.get(address).context["effects"].seen
    factories.result(round, 1, 300, 500)

    response = director_client.post(address, {"seen": seen})

    assert [message.level_tag for message in response.context["messages"]] == ["warning"]
    assert Result.objects.filter(official=True).count() == 2


def test_console_says_which_round_is_open_again(director_client: Client, played: Division) -> None:
    number = JournalEntry.objects.filter(tournament=played.tournament).latest("number").number
    factories.played(played)
    taken_back(director_client, url(played, f"journal/{number}/undo/"))

    pages = [director_client.get(url(played, place)) for place in ("", "rounds/1/", "rounds/2/")]

    for page in pages:
        assert "Runde 1 ist wieder offen: Es fehlt das Ergebnis von Tisch 2." in page.content.decode()


def test_journal_of_another_tournament_is_not_found(director_client: Client, director: User, played: Division) -> None:
    other = factories.event("Anderswo", by=Actor(user=director), players=0)
    number = JournalEntry.objects.filter(tournament=played.tournament).latest("number").number

    assert director_client.post(url(other, f"journal/{number}/undo/")).status_code == 404


def test_journal_shows_names_as_text(director_client: Client, director: User) -> None:
    division = factories.event("<script>alert(1)</script>", players=0, by=Actor(user=director))
    factories.entry(division, "<script>alert(2)</script>")

    page = director_client.get(url(division, "journal/")).content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(2)" in page


@pytest.mark.parametrize("rounds", [1, 6])
def test_console_takes_the_same_queries(
    rounds: int, director_client: Client, division: Division, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    factories.season(division, rounds)

    with django_assert_num_queries(27):
        director_client.get(url(division))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_print_room_gives_each_document(name: str, director_client: Client, played: Division) -> None:

    response = director_client.get(url(played, f"print/{name}.pdf?round=1"))

    assert response["Content-Type"] == "application/pdf"
    assert response.content.startswith(b"%PDF")


@pytest.mark.parametrize("rest", ["print/secrets.pdf", "print/pairings.pdf?round=9", "print/pairings.pdf?round=x"])
def test_print_room_without_such_a_thing_is_not_found(rest: str, director_client: Client, division: Division) -> None:
    assert director_client.get(url(division, rest)).status_code == 404
