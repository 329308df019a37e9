"""The running game on a player's card, and players followed on the event's page."""

import pytest
from django.db.models import F
from django.test import Client
from django.utils.html import strip_tags

from tests import factories
from tournament.events.operations import add_division
from tournament.models import Division, Tournament
from tournament.pairing.values import StartPolicy

AT = "/t/herbst-cup/"


def read_page(reader: Client, address: str) -> str:
    """What a page says, without its markup."""
    return " ".join(strip_tags(reader.get(address).content.decode()).split())


def test_card_begins_with_the_running_game(public_cup: Division, reader: Client) -> None:
    page = read_page(reader, f"{AT}players/P02/")

    assert "Now Round 3 · table 2 against Müller-Lüdenscheidt, Ann-Kathrin" in page


def test_card_of_a_finished_game_has_no_now(public_cup: Division, reader: Client) -> None:
    assert "table 1 against" not in read_page(reader, f"{AT}players/P01/")


PLAYING = (
    "Dvořák, Jana rank 2 –same place 2 Table 2 against Müller-Lüdenscheidt, Ann-Kathrin "
    "Müller-Lüdenscheidt, Ann-Kathrin starts Round 3 still playing"
)
DONE = "Aumann, Klara rank 1 –same place Table 1 against Öztürk, Cem Round 3 450 : 350"


def test_players_who_are_followed_are_shown_where_they_sit(public_cup: Division, reader: Client) -> None:
    page = reader.get(f"{AT}?follow=P02&follow=P01")

    said = " ".join(strip_tags(page.content.decode()).split())
    assert [each.entry.key for each in page.context["followed"]] == ["P02", "P01"]
    assert PLAYING in said
    assert DONE in said
    assert said.index(PLAYING) < said.index(DONE)


def test_whoever_follows_nobody_is_asked_for_a_name_and_no_query_more(public_cup: Division, reader: Client) -> None:
    page = reader.get(AT)

    assert page.context["followed"] == []
    assert '<option value="Dvořák, Jana" data-key="P02">' in page.content.decode()


@pytest.mark.parametrize("typed", ["P02", "Dvořák, Jana", "dvorak"])
@pytest.mark.sampled(1)
def test_player_is_found_by_number_by_name_or_by_a_part_of_it(typed: str, public_cup: Division, reader: Client) -> None:
    assert [each.entry.key for each in reader.get(AT, {"follow": typed}).context["followed"]] == ["P02"]


@pytest.mark.parametrize("typed", ["a", "Niemand", "P99\0"])
@pytest.mark.sampled(1)
def test_name_that_nobody_or_several_have_is_said(typed: str, public_cup: Division, reader: Client) -> None:
    page = reader.get(AT, {"follow": ["P02", typed]})

    assert page.context["following"].keys == ["P02"]
    assert "is nobody’s name here, or that of several" in page.content.decode()


def test_everybody_is_there_for_the_script_to_choose_from(public_cup: Division, reader: Client) -> None:
    page = reader.get(f"{AT}playing/").content.decode()

    assert [f'data-player="{key}"' in page for key in ("P01", "P02", "P03", "P04")] == [True] * 4
    assert 'class="followed is-own"' not in page


def test_players_of_all_divisions_can_be_followed(public_cup: Division, reader: Client) -> None:
    other = add_division(public_cup.tournament, name="B", actor=factories.director())
    late = factories.entry(other, "Zwölfer, Édith")

    page = reader.get(AT, {"division": "A", "follow": [late.key, "P01"]})

    assert [each.entry.key for each in page.context["followed"]] == [late.key, "P01"]
    assert "Not paired yet" in page.content.decode()


def test_nobody_is_said_to_start_where_that_is_drawn(public_cup: Division, reader: Client) -> None:
    before = read_page(reader, f"{AT}playing/")
    Tournament.objects.update(starts=StartPolicy.DRAWN, revision=F("revision") + 1)

    assert "Müller-Lüdenscheidt, Ann-Kathrin starts" in before
    assert "starts" not in read_page(reader, f"{AT}playing/")


def test_director_is_told_that_all_see_a_public_page_so_and_led_back(public_cup: Division, reader: Client) -> None:
    doris = Client()
    factories.sign_in(doris)

    seen = [client.get(f"{AT}table/").content.decode() for client in (doris, reader)]

    assert ['<p class="as-all">' in page and 'href="/director/herbst-cup/"' in page for page in seen] == [True, False]
