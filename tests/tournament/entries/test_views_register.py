"""The register of players."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tournament.core.change import Actor
from tournament.entries.operations.register import Person, add_player, edit_player, update_register
from tournament.models import Entry, Player

ADDRESS = "/director/register/players/"


def test_nobody_known_yet(doris_client: Client) -> None:
    page = doris_client.get(ADDRESS).content.decode()

    assert f'href="{ADDRESS}import/"' in page
    assert f'href="{ADDRESS}new/"' in page


@pytest.mark.parametrize("number", [1, 3])
def test_list_takes_the_same_queries_for_any_number(
    number: int, doris: Actor, doris_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for name in ("Aumann, Klara", "Bianchi, Ugo", "Çelik, Deniz")[:number]:
        add_player(person=Person(name, club="SC Fulda"), actor=doris)

    with django_assert_num_queries(6):
        doris_client.get(ADDRESS)


def test_list_has_pages(doris: Actor, doris_client: Client) -> None:
    people = [Person(f"Spieler, {number:03d}") for number in range(101)]
    update_register(people=people, actor=doris)

    pages = [doris_client.get(ADDRESS, {"page": page}).context["page"] for page in ("1", "2", "x", "99")]

    assert [len(page.object_list) for page in pages] == [100, 1, 100, 1]


def test_search_folds_umlauts(four: list[Entry], doris_client: Client) -> None:
    found = doris_client.get(ADDRESS, {"q": "joerg köln"}).context["page"]

    assert [player.name for player in found] == ["Muster, Jörg"]


def test_search_without_a_find_says_so(four: list[Entry], doris_client: Client) -> None:
    answer = doris_client.get(ADDRESS, {"q": "<b>xyz"})

    assert "&lt;b&gt;xyz" in answer.content.decode()


def test_add(doris_client: Client) -> None:
    answer = doris_client.post(f"{ADDRESS}new/", {"name": "Fuchs, Emil", "club": "SC Fulda", "rating": "1400"})

    assert answer["Location"] == f"{ADDRESS}new/"
    player = Player.objects.get()
    assert (player.name, str(player.club), player.rating) == ("Fuchs, Emil", "SC Fulda", 1400)


def test_add_twice_asks_and_can_be_answered(doris_client: Client) -> None:
    doris_client.post(f"{ADDRESS}new/", {"name": "Fuchs, Emil"})

    asked = doris_client.post(f"{ADDRESS}new/", {"name": "fuchs, emil"})
    doris_client.post(f"{ADDRESS}new/", {"name": "fuchs, emil", "anyway": "on"})

    assert asked.context["form"].codes == {"already_registered"}
    assert Player.objects.count() == 2


def test_edit(four: list[Entry], doris_client: Client) -> None:
    player = four[0].player

    doris_client.post(f"{ADDRESS}{player.pk}/", {"name": "Beispiel, Anne", "rating": "1600"})

    player.refresh_from_db()
    assert (player.name, player.rating, player.club) == ("Beispiel, Anne", 1600, None)


def test_edit_names_every_fault_and_keeps_what_was_typed(four: list[Entry], doris_client: Client) -> None:
    answer = doris_client.post(
        f"{ADDRESS}{four[0].player_id}/", {"name": "", "rating": "99999", "email": "anna@", "club": "Neu"}
    )

    assert sorted(answer.context["form"].errors) == ["email", "name", "rating"]
    assert 'value="Neu"' in answer.content.decode()


def test_edit_of_nobody_is_not_found(doris_client: Client) -> None:
    assert doris_client.get(f"{ADDRESS}4711/").status_code == 404


def test_a_player_corrected_meanwhile_is_not_overwritten_unseen(doris: Actor, doris_client: Client) -> None:
    anna = add_player(person=Person("Beispiel, Anna", rating=1500), actor=doris)
    address = f"{ADDRESS}{anna.pk}/"
    shown = doris_client.get(address).context["organiser"].revision
    edit_player(anna, person=Person("Beispiel, Anna", rating=1600), actor=Actor(name="Bernd"))
    typed = {"name": "Beispiel, Anna", "rating": "1555", "games": "3", "register": shown}

    refused = doris_client.post(address, typed)
    assert "Inzwischen:" in refused.content.decode()
    assert "Bernd" in refused.content.decode()
    assert Player.objects.get(pk=anna.pk).rating == 1600

    doris_client.post(address, {**typed, "register": refused.context["organiser"].revision})
    assert Player.objects.get(pk=anna.pk).rating == 1555
