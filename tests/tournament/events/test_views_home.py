"""The list of public tournaments."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tests.games.photos import samples
from tests.markup import tidy
from tournament.accounts.operations import give_club_picture, update_organiser
from tournament.ending.operations import end_tournament
from tournament.events.operations import set_public
from tournament.models import ClubPictureUse, Division, OnlineEntry, Season, SeasonEvent, Tournament
from tournament.table.league import load_table


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
def test_home_asks_as_often_for_many_as_for_few(
    reader: Client, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    organiser = factories.organiser()
    Tournament.objects.bulk_create(
        Tournament(organiser=organiser, slug=f"cup-{number}", name=f"Cup {number}") for number in range(count)
    )

    with django_assert_num_queries(6 if count else 5):  # the only club's pictures
        reader.get("/")


def test_home_turns_the_pages_of_the_past(reader: Client) -> None:
    organiser = factories.organiser()
    Tournament.objects.bulk_create(
        Tournament(organiser=organiser, slug=f"cup-{number}", name=f"Cup {number:02d}", starts_on=in_days(-number))
        for number in range(1, 61)
    )

    second = reader.get("/?page=2").content.decode()

    assert "Cup 21" in second
    assert "Cup 20" not in second
    assert 'aria-current="page">2</a>' in second


def test_home_refuses_other_methods(reader: Client) -> None:
    assert reader.post("/").status_code == 405


def test_home_forgets_a_tournament_that_is_hidden(reader: Client) -> None:
    division = factories.event("Herbst-Cup", players=0)
    before = sections(reader)

    set_public(division.tournament, public=False, actor=factories.director())

    assert (before["coming"], sections(reader)["coming"]) == (["Herbst-Cup"], [])


@pytest.fixture
def running(db: None) -> Division:
    """A cup that runs today, with one round of two played and a result of the second."""
    division = factories.event("Heute-Cup", players=4, rounds=2, starts_on=in_days(0))
    factories.played(division, (500, 300), (450, 310))
    factories.result(factories.published(division), 1, 400, 380)
    return factories.fresh(division)


def test_what_runs_is_told_with_its_first_three(running: Division, reader: Client) -> None:
    page = tidy(reader.get("/").content.decode())

    assert "Round 2 of 2 is under way · 1 of 2 results" in page
    rows = re.findall(r"<li><span>(\d)</span> <b>([^<]+)</b> <span> ([^<]+) </span></li>", page)
    lines = load_table(running).rows[:3]
    assert [(int(rank), name) for rank, name, _wins in rows] == [
        (line.standing.rank, line.entry.name) for line in lines
    ]
    assert rows[0][2] == "2 wins"
    assert 'href="/t/heute-cup/table/"' in page


def test_banner_is_kept_until_the_event_changes(
    running: Division, reader: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    reader.get("/")
    with django_assert_max_num_queries(6):
        before = reader.get("/").content.decode()
    factories.result(running.rounds.get(number=2), 2, 400, 300)

    assert "1 of 2 results" in before
    assert "Round 2 of 2 is played" not in before
    assert "All rounds are played" in reader.get("/").content.decode()


def test_banner_tells_nothing_that_is_held_back(running: Division, reader: Client) -> None:
    running.rounds.filter(number=2).update(results_shown="hand", table_shown="hand")

    page = tidy(reader.get("/").content.decode())

    assert "results" not in page.partition("banner-ways")[0].partition("banner-on")[2]
    assert "Standings after round 1" in page


def test_what_was_is_told_with_who_won(reader: Client) -> None:
    over = factories.event("Alt-Cup", players=4, rounds=1, starts_on=in_days(-9))
    factories.played(over, (500, 300), (450, 310))
    early = factories.event("Abbruch", players=4, rounds=3, starts_on=in_days(-8))
    factories.played(early)
    winner = load_table(over).rows[0].entry.name

    told = {event.name: winners for event, winners in reader.get("/").context["ended"]}

    assert told == {"Alt-Cup": [("", winner)], "Abbruch": []}
    assert f"<span>{winner}</span>" in tidy(reader.get("/").content.decode())


@pytest.mark.parametrize(
    ("entry", "said", "offered"),
    [
        ({"places": 5}, "1 place left", "Sign up </a>"),
        ({"places": 4}, "full", "Waiting list </a>"),
        ({}, "4 players", "Sign up </a>"),
        ({"opens_at": timezone.now() + timedelta(days=3)}, "entry opens", ""),
        ({"closes_at": timezone.now() - timedelta(days=3)}, "4 players", ""),
        ({"is_on": False}, "4 players", ""),
    ],
)
@pytest.mark.usefixtures("mail")
@pytest.mark.sampled(2)
def test_what_comes_is_told_with_the_places_left(
    entry: dict[str, Any], said: str, offered: str, reader: Client
) -> None:
    coming = factories.event("Bald-Cup", players=4, starts_on=in_days(9))
    OnlineEntry.objects.create(**{"tournament": coming.tournament, "is_on": True, **entry})

    page = tidy(reader.get("/").content.decode())

    assert said in page
    assert [word for word in ("Sign up </a>", "Waiting list </a>") if word in page] == ([offered] if offered else [])


def test_season_stands_beside_with_its_movements(reader: Client) -> None:
    first = factories.event("Erster", players=4, rounds=1, starts_on=in_days(-20))
    factories.played(first, (500, 300), (450, 310))
    season = Season.objects.create(
        organiser=factories.organiser(), name="Abende", slug="abende", is_public=True, rule="places", points=[3, 2, 1]
    )
    SeasonEvent.objects.create(season=season, division=first)

    top = reader.get("/").context["season"]
    page = tidy(reader.get("/").content.decode())

    assert (top["season"], top["events"], len(top["rows"])) == (season, 1, 4)
    assert [row.total for row in top["rows"]] == ["3", "2", "1", "0"]
    assert "after 1 event" in page
    assert 'href="/seasons/abende/"' in page


def test_page_of_the_only_club_has_its_word_logo_and_picture(reader: Client) -> None:
    factories.event("Heute-Cup", players=0)
    club, doris = factories.organiser(), factories.director()
    update_organiser(club, name="SC Fulda", slug="fulda", word="Jeden Mittwoch um 19 Uhr.", actor=doris)
    for use in ClubPictureUse:
        give_club_picture(club, use=use, sent=samples.sent(), actor=doris)

    page = tidy(reader.get("/").content.decode())

    assert ">SC Fulda</h1>" in page
    assert "Jeden Mittwoch um 19 Uhr." in page
    addresses = re.findall(r'src="(/organisers/fulda/pictures/\d+\.jpg)"', page)
    answers = [reader.get(address) for address in addresses]
    assert [b"".join(answer.streaming_content)[:3] for answer in answers] == [b"\xff\xd8\xff"] * 2  # type: ignore[attr-defined]  # a file's
    assert reader.get("/organisers/anderswo/pictures/1.jpg").status_code == 404
