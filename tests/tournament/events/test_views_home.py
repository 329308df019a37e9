"""The list of public tournaments."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tournament.ending.operations import end_tournament
from tournament.events.operations import set_public
from tournament.models import Tournament


def sections(client: Client) -> dict[str, list[str]]:
    """The names listed, by where they stand in time."""
    listed = client.get("/").context["listed"]
    return {when: [one.name for one in listed.get(when, [])] for when in ("running", "coming", "ended")}


def in_days(days: int) -> date:
    return timezone.localdate() + timedelta(days=days)


def test_home_sorts_by_time(reader: Client) -> None:
    for name, first, last in (("Gestern", -1, -1), ("Heute", 0, 1), ("Morgen", 1, 2), ("Bald", 30, 30)):
        factories.event(name, players=0, starts_on=in_days(first), ends_on=in_days(last))

    assert sections(reader) == {"running": ["Heute"], "coming": ["Morgen", "Bald"], "ended": ["Gestern"]}


def test_home_of_one_day_runs_today_only(reader: Client) -> None:
    factories.event("Heute", players=0, starts_on=in_days(0))
    factories.event("Gestern", players=0, starts_on=in_days(-1))

    assert sections(reader) == {"running": ["Heute"], "coming": [], "ended": ["Gestern"]}


def test_home_without_a_day_runs_once_a_round_is_public(reader: Client) -> None:
    factories.event("Ohne Runde", players=0)
    drafted, played = factories.event("Entwurf"), factories.event("Gespielt", players=0)
    factories.draft(drafted)
    factories.enter(played, 2)
    factories.published(played)

    assert sections(reader) == {"running": ["Gespielt"], "coming": ["Entwurf", "Ohne Runde"], "ended": []}


def test_home_has_an_ended_tournament_among_the_ended(reader: Client) -> None:
    today = factories.event("Heute", players=2, rounds=1, starts_on=in_days(0))
    factories.played(today)

    end_tournament(today.tournament, actor=factories.director())

    assert sections(reader) == {"running": [], "coming": [], "ended": ["Heute"]}
    assert "<h2>Ended</h2>" in reader.get("/").content.decode()


def test_home_shows_no_hidden_tournament(reader: Client) -> None:
    factories.event("Geheim", is_public=False)

    assert "Geheim" not in reader.get("/").content.decode()


def test_home_without_tournaments_says_what_to_do(reader: Client) -> None:
    page = reader.get("/").content.decode()

    assert "No tournament is public yet" in page
    assert 'href="/login/"' in page


def test_home_counts_who_has_not_withdrawn(reader: Client) -> None:
    division = factories.event(players=3)
    division.entries.filter(key="P02").update(withdrawn_after=0)

    assert [one.entered for one in reader.get("/").context["listed"]["coming"]] == [2]


def test_home_escapes_names(reader: Client) -> None:
    factories.event("<script>alert(1)</script>", players=0)

    page = reader.get("/").content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


@pytest.mark.parametrize("count", [0, 1, 3, 60])
def test_home_takes_four_queries(reader: Client, count: int, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    organiser = factories.organiser()
    Tournament.objects.bulk_create(
        Tournament(organiser=organiser, slug=f"cup-{number}", name=f"Cup {number}") for number in range(count)
    )

    with django_assert_num_queries(4):
        reader.get("/")


def test_home_turns_the_pages_of_the_past(reader: Client) -> None:
    organiser = factories.organiser()
    Tournament.objects.bulk_create(
        Tournament(organiser=organiser, slug=f"cup-{number}", name=f"Cup {number:02d}", starts_on=in_days(-number))
        for number in range(1, 61)
    )

    second = reader.get("/?page=2").content.decode()

    assert "Cup 51" in second
    assert "Cup 50" not in second
    assert 'aria-current="page">2</a>' in second


def test_home_refuses_other_methods(reader: Client) -> None:
    assert reader.post("/").status_code == 405


def test_home_forgets_a_tournament_that_is_hidden(reader: Client) -> None:
    division = factories.event("Herbst-Cup", players=0)
    before = sections(reader)

    set_public(division.tournament, public=False, actor=factories.director())

    assert (before["coming"], sections(reader)["coming"]) == (["Herbst-Cup"], [])
