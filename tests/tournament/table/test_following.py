"""Whom an address names: by number, by name, by club; and what is left of a page about them."""

import pytest
from django.test import Client, RequestFactory

from tests import factories
from tournament.entries.operations.attendance import withdraw_entry
from tournament.models import Club, Division, Entry
from tournament.table.following import Following, read_following

AT = "/t/herbst-cup/"


@pytest.fixture
def club(public_cup: Division) -> Club:
    """A club of two players of the cup, Dvořák and Müller-Lüdenscheidt."""
    made = Club.objects.create(organiser=public_cup.tournament.organiser, name="Scrabblefreunde Köln")
    public_cup.entries.filter(key__in=("P02", "P03")).update(club=made)
    return made


def asked(division: Division, query: str) -> Following:
    return read_following(
        RequestFactory().get(f"{AT}?{query}"), Entry.objects.filter(division=division).with_names().order_by("key")
    )


@pytest.mark.parametrize("named", ["club:Scrabblefreunde Köln", "Scrabblefreunde Köln", "scrabblefreunde koln"])
@pytest.mark.sampled(1)
def test_club_is_all_its_players(named: str, public_cup: Division, club: Club) -> None:
    found = asked(public_cup, f"follow=P01&follow={named}")

    assert found.keys == ["P01", "P02", "P03"]
    assert found.named == ("P01", "club:Scrabblefreunde Köln")
    assert asked(public_cup, found.query) == found


def test_player_of_a_club_is_there_once(public_cup: Division, club: Club) -> None:
    found = asked(public_cup, "follow=P03&follow=club:Scrabblefreunde Köln&follow=P03")

    assert found.keys == ["P03", "P02"]


def test_addresses_sent_on_earlier_still_hold(public_cup: Division) -> None:
    assert asked(public_cup, "mine=P02&mine=P01").keys == ["P02", "P01"]


def test_nobody_is_left_out_for_nobody(public_cup: Division) -> None:
    found = asked(public_cup, "follow=club:Nirgendwo&only=yes")

    assert (found.only, found.unknown, found.query, found.only_query) == (False, ("Nirgendwo",), "", "only=yes")


@pytest.mark.long
def test_a_hundred_players_can_be_followed(db: None) -> None:
    division = factories.event("Groß-Cup", players=0, rounds=1)
    club = Club.objects.create(organiser=division.tournament.organiser, name="Verein der Zwanzig")
    for number in range(120):
        factories.entry(division, f"Spieler, {number:03}")
    Entry.objects.filter(key__in=[f"P{number:02}" for number in range(1, 21)]).update(club=club)
    factories.published(division)
    page = Client().get("/t/gross-cup/", {"follow": ["club:Verein der Zwanzig"]})
    many = Client().get("/t/gross-cup/", {"follow": list(Entry.objects.values_list("key", flat=True))})

    assert len(page.context["followed"]) == 20
    assert page.content.decode().count('<article class="followed') == 20
    assert len(many.context["followed"]) == 100


def test_only_theirs_is_left_of_each_page(public_cup: Division, reader: Client) -> None:
    event, table, round, names = (
        reader.get(f"{AT}{each}follow=P02&only=yes") for each in ("?", "table/?", "rounds/3/?", "rounds/3/?by=name&")
    )
    said = event.content.decode()

    assert "now-top" not in said
    assert "now-rounds" not in said
    assert f'href="{AT}?follow=P02"' in said
    assert [row.record.entry.key for row in table.context["table"].rows] == ["P02"]
    assert [row.record.table for row in round.context["table"].rows] == [2]
    assert len(names.context["table"].rows) == 2


def test_their_tables_come_first(public_cup: Division, reader: Client) -> None:
    usual = reader.get(f"{AT}rounds/3/").context["table"].rows
    theirs = reader.get(f"{AT}rounds/3/?follow=P02").context["table"].rows

    assert [row.record.table for row in usual] == [1, 2]
    assert [row.record.table for row in theirs] == [2, 1]


def test_clubs_and_players_can_be_ticked(public_cup: Division, club: Club, reader: Client) -> None:
    page = reader.get(f"{AT}?follow=P01&follow=club:Scrabblefreunde Köln").content.decode()

    assert page.count(" checked>") == 2
    assert '<option value="Scrabblefreunde Köln" data-key="club:Scrabblefreunde Köln" data-whole>' in page


def test_followed_player_who_has_gone_is_said_to_have(public_cup: Division, reader: Client) -> None:
    withdraw_entry(public_cup.entries.get(key="P02"), after=3, actor=factories.director())
    page = reader.get(f"{AT}?follow=P02").content.decode()

    assert "withdrawn after round 3" in page
    assert "Only mine" in page


def test_whoever_follows_nobody_sees_no_way_to_nobody(public_cup: Division, reader: Client) -> None:
    page = reader.get(AT).content.decode()

    assert "<p data-mine-some hidden>" in page
