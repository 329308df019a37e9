"""Where a hall has several divisions, a knock-out is played at its division's own tables."""

import json
import re
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.tournament.exchange.terminal import run
from tests.tournament.knockout import knockouts
from tests.tournament.paper import samples
from tournament.core.change import Actor
from tournament.entries.paper import list_card_tables
from tournament.events.operations import add_division, update_division
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.files.print_room import render_document
from tournament.journal.undoing import undo_journal_entry
from tournament.knockout.operations import confirm_seeds
from tournament.models import Division, JournalEntry, Pairing
from tournament.results.knockout_games import find_knockout_game_changes
from tournament.results.knockout_state import load_knockout_state
from tournament.results.operations import record_result

pytestmark = pytest.mark.django_db
Seating = dict[tuple[int, int, int], int | None]


@pytest.fixture(scope="module")
def second_of_module(*, shares_rows: bool) -> Division:
    """The second of two divisions of six, at tables 11 to 12 and 21, whose knock-out of four is seeded."""
    first = factories.event(players=6, rounds=1)
    doris = factories.director()
    second = add_division(first.tournament, name="B", actor=doris)
    update_division(second, name="B", tables=[(11, 12), (21, 21)], actor=doris)
    factories.enter(second, 6)
    for division in (first, second):
        factories.played(factories.fresh(division))
    second = factories.fresh(second)
    knockouts.announce(second, 4, third_place=True)
    confirm_seeds(second, seeds=knockouts.field(second)[:4], actor=doris)
    return second


@pytest.fixture
def second(second_of_module: Division, db: None) -> Division:
    return factories.fresh(second_of_module)


def list_games(division: Division) -> list[Pairing]:
    games = Pairing.objects.filter(round__division=division, round__stage__isnull=False)
    games = games.select_related("round__division__tournament", "round__division__knockout")
    return list(games.with_players().with_results().order_by("round__number", "pk"))


def map_seating(division: Division) -> Seating:
    return {
        (game.round.stage or 0, game.match_position or 0, game.round.game or 0): game.table
        for game in list_games(division)
    }


def play(division: Division, stage: int, position: int) -> None:
    """The starter wins the match's game."""
    game = next(game for game in list_games(division) if (game.round.stage, game.match_position) == (stage, position))
    record_result(
        game, report=knockouts.report(420, 380), actor=factories.director(), expected_version=None, disturb=()
    )


def test_matches_are_played_at_the_divisions_tables(second: Division) -> None:
    assert map_seating(second) == {(1, 1, 1): 11, (1, 2, 1): 12}
    play(second, 1, 2)
    play(second, 1, 1)

    assert map_seating(second) == {(1, 1, 1): 11, (1, 2, 1): 12, (2, 1, 1): 11, (2, 2, 1): 12}
    state = load_knockout_state(second)
    assert state is not None
    assert [match.place for match in state.bracket.matches if match.needed] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert knockouts.replayed(second) == []


def test_undo_and_a_correction_find_the_match_by_its_position(second: Division) -> None:
    play(second, 1, 1)
    play(second, 1, 2)
    undo_journal_entry(JournalEntry.objects.latest("pk"), actor=factories.director())

    assert map_seating(second) == {(1, 1, 1): 11, (1, 2, 1): 12}
    state = load_knockout_state(second)
    assert state is not None
    changes = find_knockout_game_changes(state)
    assert (changes.missing, changes.gone) == ((), ())
    assert knockouts.replayed(second) == []


def test_both_knockouts_of_a_hall_share_no_table(second: Division) -> None:
    first = Division.objects.select_related("tournament").get(tournament=second.tournament, position=1)
    knockouts.announce(first, 4)
    confirm_seeds(first, seeds=knockouts.field(first)[:4], actor=factories.director())

    assert [map_seating(first), map_seating(second)] == [
        {(1, 1, 1): 1, (1, 2, 1): 2},
        {(1, 1, 1): 11, (1, 2, 1): 12},
    ]


def test_a_player_with_a_table_of_their_own_has_it_in_the_knockout(second: Division) -> None:
    finalist = knockouts.field(second)[0]
    finalist.fixed_table = 21
    finalist.save(update_fields=["fixed_table"])
    play(second, 1, 1)
    play(second, 1, 2)

    assert (map_seating(second)[2, 1, 1], map_seating(second)[2, 2, 1]) == (21, 12)


def test_pages_paper_and_codes_name_these_tables(second: Division, doris_client: Client) -> None:
    number = list_games(second)[0].round.number
    query = {"division": second.name}
    page = doris_client.get(reverse("games:grid", args=[second.tournament.slug, number]), query).content.decode()
    drawn = doris_client.get(reverse("public:bracket", args=[second.tournament.slug]), query).content.decode()

    assert 'data-table="11"' in page
    assert 'data-table="1"' not in page
    assert "Halbfinale 1" in page
    assert (
        "Tisch 12"
        in doris_client.get(reverse("director:knockout", args=[second.tournament.slug]), query).content.decode()
    )
    assert "Tisch 11" in drawn
    assert not re.search(r"Tisch [12]\b", drawn)
    assert {11, 12} <= set(list_card_tables(second))
    for name in ("result-slips", "scoresheets", "pairings"):
        text = " ".join("\n".join(samples.pages(render_document(name, second, list_games(second)[0].round))).split())
        assert "11" in text
        assert "12" in text
        assert "Halbfinale" in text


def test_terminal_takes_the_position_or_the_table(second: Division) -> None:
    number, slug = list_games(second)[0].round.number, second.tournament.slug
    run("result", slug, str(number), "2", "420", "400", "--division", "B")
    run("result", slug, str(number), "11", "410", "400", "--division", "B")

    assert set(map_seating(second)) == {(1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 1)}


def test_file_says_where_matches_are_played(second: Division) -> None:
    play(second, 1, 1)
    play(second, 1, 2)
    content = format_tournament_file(load_event_data(second.tournament))
    block = json.loads(content)["divisions"][1]["knockout"]

    assert block["tables"] == [
        {"stage": 1, "position": 1, "table": 11},
        {"stage": 1, "position": 2, "table": 12},
        {"stage": 2, "position": 1, "table": 11},
        {"stage": 2, "position": 2, "table": 12},
    ]
    event = replace(read_tournament_file(content), slug="wieder")
    stored = store_event_data(event, actor=Actor(name="Datei"))
    assert map_seating(stored.divisions.get(name="B")) == map_seating(second)
    assert load_event_data(stored).divisions == load_event_data(second.tournament).divisions


def test_file_without_tables_is_read_as_it_is(second: Division) -> None:
    content = json.loads(format_tournament_file(load_event_data(second.tournament)))
    del content["divisions"][1]["knockout"]["tables"]
    event = replace(read_tournament_file(json.dumps(content)), slug="wieder")

    stored = store_event_data(event, actor=Actor(name="Datei"))

    assert map_seating(stored.divisions.get(name="B")) == {(1, 1, 1): 1, (1, 2, 1): 2}
