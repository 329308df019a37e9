"""Lines of those who go up and down a division, and sentences under its table that are proven."""

from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from tests import factories
from tests.markup import read_words
from tests.tournament.paper.samples import HEADER
from tournament.chances.division_moves import describe_division_moves
from tournament.events.operations import update_division
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.models import Division, Pairing
from tournament.pairing.values import Method
from tournament.rounds.due_days import publish_all_rounds
from tournament.rounds.plan import PlanSegment
from tournament.table.league import list_league_rounds
from tournament.table.paper import render_standings
from tournament.table.public_table import load_public_table

pytestmark = pytest.mark.django_db

BEYOND = "Sicher heißt: was die offenen Partien auch bringen, wenn alle gespielt werden."


@pytest.fixture(scope="module")
def league_of_module(*, shares_rows: bool) -> Division:
    division, actor = factories.event(players=4, rounds=0), factories.director()
    division.plan = [PlanSegment(1, 3, Method.ROUND_ROBIN).stored()]
    division.save(update_fields=["plan"])
    division = factories.fresh(division)
    update_division(division, name=division.name, tables=(), up=1, down=1, actor=actor)
    publish_all_rounds(factories.fresh(division), actor=actor)
    return division


@pytest.fixture
def league(league_of_module: Division, db: None) -> Division:
    """Four players, three rounds published. The first goes up, the last down."""
    return factories.fresh(league_of_module)


def play(division: Division, *numbers: int) -> None:
    """Whoever was entered first wins every game."""
    for round in division.rounds.filter(number__in=numbers):
        games = [(game.first, game.second) for game in round.pairings.with_players().order_by("table")]
        scores = ((400, 300) if second and first.position < second.position else (300, 400) for first, second in games)
        factories.write_scores(round, *scores)


def describe(division: Division, after: int) -> list[str]:
    shown = load_public_table(division, list_league_rounds(division), after=after)
    return describe_division_moves(division, shown)


def names(division: Division) -> list[str]:
    return [entry.name for entry in division.entries.with_names().in_order()]


def test_nothing_is_proven_at_the_beginning(league: Division) -> None:
    play(league, 1)

    assert describe(league, 1) == ["Der Erste steigt auf.", "Der Letzte steigt ab."]


def test_all_is_said_at_the_end(league: Division) -> None:
    play(league, 1, 2, 3)
    first, second, third, last = names(league)

    assert describe(league, 3) == [
        *("Der Erste steigt auf.", "Der Letzte steigt ab."),
        f"Sicher aufgestiegen: {first}.",
        f"Sicher nicht abgestiegen: {second}; {third}.",
        f"Sicher abgestiegen: {last}.",
    ]


def test_what_is_certain_before_the_end_is_said_with_its_condition(league: Division) -> None:
    play(league, 1, 2)
    first = names(league)[0]
    open_games = Pairing.objects.filter(round__division=league, round__number=3).with_players()
    theirs = next(game for game in open_games if first in (game.first.name, game.second and game.second.name))

    factories.result(theirs.round, theirs.table or 0, *((400, 300) if theirs.first.name == first else (300, 400)))

    sentences = describe(league, 3)
    assert f"Sicher aufgestiegen: {first}." in sentences
    assert sentences[-1] == BEYOND


def test_who_comes_too_late_for_any_round_leaves_certain_what_is_certain(league: Division) -> None:
    play(league, 1, 2)
    game = Pairing.objects.filter(round__division=league, round__number=3).with_players().first()
    assert game is not None
    factories.result(game.round, game.table or 0, 400, 300)
    before = describe(league, 3)

    late = factories.entry(league, "Zander, Zoe")

    assert before[-1] == BEYOND
    assert late.first_round == 4
    assert describe(league, 3) == before


def test_table_after_an_earlier_round_proves_nothing(league: Division) -> None:
    play(league, 1, 2, 3)

    assert describe(league, 2) == ["Der Erste steigt auf.", "Der Letzte steigt ab."]


def test_who_has_left_leaves_open_who_goes_down(league: Division) -> None:
    play(league, 1, 2, 3)
    league.entries.filter(pk=league.entries.with_names().in_order()[3].pk).update(withdrawn_after=3)

    sentences = describe(league, 3)

    assert f"Sicher aufgestiegen: {names(league)[0]}." in sentences
    assert not any("abgestiegen" in sentence for sentence in sentences)


def test_who_has_left_above_may_take_the_place_of_who_goes_up(league: Division, client: Client) -> None:
    play(league, 1, 2, 3)
    league.entries.filter(pk=league.entries.with_names().in_order()[0].pk).update(withdrawn_after=3)

    page = client.get(reverse("public:table", args=[league.tournament.slug])).content.decode()

    assert describe(league, 3) == ["Der Erste steigt auf.", "Der Letzte steigt ab."]
    assert "row-line" not in page


def test_division_without_moves_says_nothing() -> None:
    division = factories.event()
    factories.played(division)

    assert describe(division, 1) == []


def test_page_draws_the_lines_where_ranks_are_in_order(league: Division, client: Client) -> None:
    play(league, 1, 2, 3)
    address = reverse("public:table", args=[league.tournament.slug])

    page = client.get(address).content.decode()

    assert page.count("row-line") == 2
    assert "row-line" not in client.get(address + "?sort=name").content.decode()
    assert "Sicher aufgestiegen:" in read_words(page)


def test_no_line_is_drawn_between_players_who_are_level(league: Division, client: Client) -> None:
    address = reverse("public:table", args=[league.tournament.slug])

    assert "row-line" not in client.get(address).content.decode()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("up", "down", "heavy"), [(1, 1, 2), (0, 2, 1), (0, 0, 0), (4, 0, 0)])
def test_paper_draws_the_lines_and_says_what_they_mean(up: int, down: int, heavy: int, league: Division) -> None:
    play(league, 1, 2, 3)
    update_division(league, name="A", tables=(), up=up, down=down, actor=factories.director())

    [page] = PdfReader(BytesIO(render_standings(HEADER, factories.fresh(league), None))).pages

    contents = page.get_contents()
    assert contents is not None
    assert contents.get_data().count(b"2 w") == heavy
    assert ("steigt auf" in page.extract_text()) == (up == 1)
    assert ("Die letzten 2 steigen ab." in page.extract_text()) == (down == 2)


def test_director_sets_who_moves(client: Client) -> None:
    division = factories.event()
    factories.sign_in(client)
    address = reverse("director:division", args=[division.tournament.slug, division.pk])

    wrong = client.post(address, {"name": "A", "tables": "", "up": "51", "down": "zwei"}).content.decode()
    client.post(address, {"name": "A", "tables": "", "up": "2", "down": ""})

    division = factories.fresh(division)
    assert 'value="51"' in wrong
    assert 'value="zwei"' in wrong
    assert (division.up, division.down) == (2, 0)


def test_moves_are_in_the_tournament_file(league: Division) -> None:
    text = format_tournament_file(load_event_data(league.tournament))

    read = read_tournament_file(text.encode()).divisions[0]
    assert (read.up, read.down) == (1, 1)
