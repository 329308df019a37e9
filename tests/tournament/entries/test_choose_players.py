"""Players of the register ticked for an event."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains

from tournament.basics.names import fold_text, make_search_key
from tournament.core.change import Actor
from tournament.entries.operations.entries import enter_known_players, remove_entry
from tournament.entries.operations.register import Person, add_player
from tournament.entries.queries import CHOICES_SHOWN
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Club, Division, Entry, JournalEntry, Player, Tournament
from tournament.people.merging import merge_players

ADDRESS = "/director/herbst-cup/entries/choose/"


@pytest.fixture
def known(cup: Tournament, doris: Actor) -> list[Player]:
    people = [Person("Aal, Udo", "SC Fulda", 1500, 12), Person("Berg, Ina"), Person("Aal, Udo", "SC Köln")]
    return [add_player(person=person, actor=doris) for person in people]


def register_players(names: list[str], doris: Actor, *, club: Club | None = None) -> None:
    """Add so many to the register, past the operations for speed."""
    Player.objects.bulk_create(
        Player(
            organiser=doris.organiser,
            club=club,
            name=name,
            sort_name=fold_text(name),
            search_name=make_search_key(name),
        )
        for name in names
    )


def test_the_ticked_are_entered_with_the_registers_figures(
    known: list[Player], division: Division, doris: Actor
) -> None:
    entered, _ = enter_known_players(division, players=[player.pk for player in known[:2]], actor=doris)

    assert [(entry.key, entry.player, entry.rating, entry.games) for entry in entered] == [
        ("P01", known[0], 1500, 12),
        ("P02", known[1], None, 0),
    ]
    undo_journal_entry(JournalEntry.objects.get(verb="enter_all"), actor=doris)
    assert not Entry.objects.exists()


def test_whoever_is_in_already_or_is_no_player_here_is_passed_over(
    known: list[Player], division: Division, other_cup: Tournament, doris: Actor
) -> None:
    enter_known_players(division, players=[known[0].pk], actor=doris)
    merge_players(known[1], other=known[2], actor=doris)

    entered, entered_before = enter_known_players(division, players=[known[0].pk, known[2].pk, 4711], actor=doris)

    assert (entered, len(entered_before)) == ([], 1)


def test_a_search_keeps_what_was_ticked(known: list[Player], doris_client: Client) -> None:
    page = doris_client.post(ADDRESS, {"look": "1", "q": "köln", "player": [known[1].pk]})
    assert [player for player, _key, _is_ticked in page.context["choices"]] == [known[2]]
    assert list(page.context["elsewhere"]) == [known[1]]

    done = doris_client.post(ADDRESS, {"enter": "1", "q": "köln", "player": [known[1].pk, known[2].pk]})

    assert done["Location"].startswith("/director/herbst-cup/entries/")
    assert [entry.player for entry in Entry.objects.order_by("key")] == [known[2], known[1]]


def test_whoever_is_entered_is_shown_as_such(
    known: list[Player], division: Division, doris: Actor, doris_client: Client
) -> None:
    (entry,), _ = enter_known_players(division, players=[known[0].pk], actor=doris)
    assert [key for _player, key, _is_ticked in doris_client.get(ADDRESS).context["choices"]] == ["P01", "", ""]

    remove_entry(entry, actor=doris)
    assert [key for _player, key, _is_ticked in doris_client.get(ADDRESS).context["choices"]] == ["", "", ""]


def test_nobody_ticked_and_nobody_known_and_nobody_found_say_so(cup: Tournament, doris_client: Client) -> None:
    assert "/director/herbst-cup/entries/" in doris_client.get(ADDRESS).content.decode()
    assert doris_client.post(ADDRESS, {"enter": "1"}).context["nobody_ticked"]
    assert 'role="status"' in doris_client.get(ADDRESS, {"q": "xyz"}).content.decode()


@pytest.mark.parametrize("number", [3, CHOICES_SHOWN + 1])
def test_the_page_takes_the_same_queries_for_any_register(
    number: int, cup: Tournament, doris: Actor, doris_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = add_player(person=Person("Spieler, 000", "SC Fulda"), actor=doris).club
    register_players([f"Spieler, {each:03d}" for each in range(1, number)], doris, club=club)

    with django_assert_num_queries(8):
        page = doris_client.get(ADDRESS)

    assert page.content.decode().count('name="player"') == min(number, CHOICES_SHOWN)


def test_a_long_register_is_shown_in_part_and_searched_whole(
    known: list[Player], doris: Actor, doris_client: Client
) -> None:
    names = [f"Aal {number:03}, Udo" for number in range(CHOICES_SHOWN)]
    register_players(names, doris)

    page = doris_client.get(ADDRESS)
    assert len(page.context["choices"]) == CHOICES_SHOWN
    assertContains(page, "Nur die ersten nach Namen")
    assertNotContains(page, "Berg, Ina")
    found = doris_client.post(ADDRESS, {"q": "berg", "look": "1", "player": [known[0].pk]})
    assertNotContains(found, "Nur die ersten nach Namen")
    assert [player for player, _key, _is_ticked in found.context["choices"]] == [known[1]]
    assert list(found.context["elsewhere"]) == [known[0]]
