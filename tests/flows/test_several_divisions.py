"""A hall of three divisions: the director's, the helper's and the referee's pages know all of them."""

import io

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from games.models import GameReport
from games.referee.catalogue import IncidentEffect
from games.reports.open_games import count_division_work
from tests import factories
from tests.games.referee.steps import log
from tests.markup import tidy
from tournament.core.records import list_divisions
from tournament.entries.operations.attendance import withdraw_entry
from tournament.events.operations import add_division
from tournament.models import Division, Entry, Pairing, Round, Tournament
from tournament.rounds.phase import get_division_phase

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def hall_of_module(*, shares_rows: bool) -> Tournament:
    """Six, four and four players; round 1 is published in A and B."""
    first, doris = factories.event(players=6), factories.director()
    for name in ("B", "Hobby"):
        factories.enter(add_division(first.tournament, name=name, actor=doris), 4)
    for name in ("A", "B"):
        factories.published(Division.objects.select_related("tournament").get(tournament=first.tournament, name=name))
    return first.tournament


@pytest.fixture
def hall(hall_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=hall_of_module.pk)


@pytest.fixture
def doris_client(hall: Tournament) -> Client:
    client = Client()
    factories.sign_in(client)
    client.cookies["django_language"] = "en"
    return client


def get_page(client: Client, name: str, hall: Tournament, query: str = "", *more: object) -> str:
    return tidy(client.get(reverse(name, args=[hall.slug, *more]) + query).content.decode())


def get_round(hall: Tournament, name: str) -> Round:
    return Round.objects.select_related("division__tournament").get(division__tournament=hall, division__name=name)


def test_tabs_count_what_waits_in_each_division(doris_client: Client, hall: Tournament) -> None:
    factories.result(get_round(hall, "A"), 1, 420, 380)
    game = Pairing.objects.get(round=get_round(hall, "B"), table=1)
    for seat, points in zip(game.seats.all(), (400, 410), strict=True):
        GameReport.objects.create(
            pairing=game, entry=seat.entry, key="phone", first_points=points, second_points=300, at=timezone.now()
        )

    a, b, hobby = list_divisions(hall, counts_work=True)

    assert count_division_work([a, b, hobby]) == {
        a.pk: {"open_games": 2, "contradictory": 0},
        b.pk: {"open_games": 2, "contradictory": 1},
        hobby.pk: {"open_games": 0, "contradictory": 0},
    }
    assert count_division_work([a]) == {}
    page = get_page(doris_client, "director:console", hall)
    assert ("2 open" in page, "1 to decide" in page) == (True, True)


def test_pages_that_count_players_say_who_left(doris_client: Client, hall: Tournament) -> None:
    withdraw_entry(Entry.objects.filter(division__name="B").in_order()[0], actor=factories.director())

    assert "3 entries · 1 withdrawn" in get_page(doris_client, "public:entries", hall, "?division=B")
    phase = get_division_phase(Division.objects.get(tournament=hall, name="B"))
    assert (phase.entries, phase.withdrawn) == (3, 1)


def test_overview_says_what_comes_next_in_the_other_divisions(doris_client: Client, hall: Tournament) -> None:
    others = doris_client.get(reverse("director:console", args=[hall.slug]) + "?division=B").context["others"]

    assert [(division.name, step.heading) for division, step in others] == [
        ("A", "Round 1 is being played"),
        ("Hobby", "Round 1 can be paired"),
    ]


def test_check_in_finds_everybody_and_stays_with_its_division(doris_client: Client, hall: Tournament) -> None:
    stranger = Entry.objects.with_names().filter(division__name="Hobby").in_order()[0]
    page = doris_client.get(reverse("director:check_in", args=[hall.slug]) + "?division=A")
    assert {entry.division.name for entry in page.context["elsewhere"]} == {"B", "Hobby"}
    assert len(page.context["playing"]) == 6
    assert page.content.decode().count('name="shown"') == 6

    address = reverse("director:tick", args=[hall.slug, stranger.pk, "present", "on"]) + "?division=A"
    answer = doris_client.post(address, headers={"HX-Request": "true"}).content.decode()

    assert Entry.objects.get(pk=stranger.pk).present
    assert "0 of 6" in tidy(answer)
    assert f'id="check-in-{stranger.pk}"' in answer
    doris_client.post(reverse("director:check_in", args=[hall.slug]) + "?division=A", {"shown": []})
    assert Entry.objects.get(pk=stranger.pk).present


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["director:entries", "public:entries"])
def test_search_tells_who_is_in_another_division(name: str, doris_client: Client, hall: Tournament) -> None:
    stranger = Entry.objects.with_names().filter(division__name="Hobby").in_order()[0]

    page = doris_client.get(reverse(name, args=[hall.slug]), {"division": "A", "q": stranger.player.name})

    assert page.context["elsewhere"] == [stranger]
    assert '<span class="chip">Hobby</span>' in tidy(page.content.decode())


def test_referees_pages_name_the_division(doris_client: Client, hall: Tournament) -> None:
    game = Pairing.objects.get(round=get_round(hall, "B"), table=1)
    log(game, IncidentEffect.NOTE, 1)

    page = get_page(doris_client, "games:referee_overview", hall)

    assert page.count('<span class="chip">B</span>') == 2
    assert "B" in [
        row["division"].name
        for row in doris_client.get(reverse("games:referee_overview", args=[hall.slug])).context["counts"]
    ]


def test_papers_of_all_divisions_are_one_document(doris_client: Client, hall: Tournament) -> None:
    def print_texts(name: str, query: str) -> list[str]:
        answer = doris_client.get(reverse("director:document", args=[hall.slug, name]) + query)
        return [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]

    of_one, of_all = (
        print_texts("pairings", "?division=A&round=1"),
        print_texts("pairings", "?division=A&all=1&round=1"),
    )

    assert (len(of_one), len(of_all)) == (1, 2)
    for name, text in zip(("A", "B"), of_all, strict=True):
        entries = Entry.objects.with_names().filter(division__name=name)
        assert any(entry.name in text for entry in entries), name
    assert len(print_texts("entries", "?all=1")) == 3
    room = get_page(doris_client, "director:print_room", hall, "?division=B&all=1")
    assert "division=B&amp;all=1&amp;round=1" in room
    assert (
        doris_client.get(reverse("director:document", args=[hall.slug, "pairings"]) + "?all=1&round=7").status_code
        == 404
    )


def test_added_division_is_played_by_the_plan_of_the_one_before(doris_client: Client, hall: Tournament) -> None:
    last = hall.divisions.get(name="Hobby")
    last.plan = [{"rounds": [1, 5], "method": "swiss"}]
    last.save(update_fields=["plan"])

    doris_client.post(reverse("director:divisions", args=[hall.slug]), {"name": "Jugend"})

    assert hall.divisions.get(name="Jugend").plan == last.plan
