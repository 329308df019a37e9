"""The knock-out of a tournament file in the database and back."""

import json
import random
from typing import Any

import pytest

from scoring import awards, knockout
from scoring.knockout_values import KnockoutSystem, WaitsFor
from tests import factories
from tests.scoring.stories import Story
from tests.tournament.exchange import knockouts
from tests.tournament.exchange.knockouts import make_game, state, store
from tests.tournament.knockout import knockouts as steps
from tournament.core.change import TERMINAL_ACTOR
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.knockout.files import build_bracket_json
from tournament.knockout.operations import draw_match_lot
from tournament.models import Division, MatchLot, Pairing, Result, Round, Seat, Tournament
from tournament.results.knockout_games import find_knockout_game_changes
from tournament.results.knockout_state import KnockoutState

FOUR = ("P1", "P2", "P3", "P4")


def seated(tournament: Tournament) -> list[tuple[int, int, list[str]]]:
    """Round, table and players of all games."""
    return [
        (pairing.round.number, pairing.table or 0, [seat.entry.key for seat in pairing.seats.all()])
        for pairing in Pairing.objects.filter(round__division__tournament=tournament)
        .select_related("round")
        .with_players()
        .order_by("round__number", "table")
    ]


@pytest.mark.django_db
def test_games_that_are_needed_are_laid_out_and_starts_alternate() -> None:
    made = store(knockouts.file(FOUR, {}, form="double", third_place=True))

    assert seated(made) == [
        (1101, 1, ["P1", "P4"]),
        (1101, 2, ["P2", "P3"]),
        (1102, 1, ["P4", "P1"]),
        (1102, 2, ["P3", "P2"]),
    ]
    assert set(Round.objects.values_list("stage", "game", "state")) == {(1, 1, "published"), (1, 2, "published")}


@pytest.mark.django_db
def test_stated_game_is_official_with_its_facts() -> None:
    game = make_game("P4", "P1", 400, 400, first_moves=[90, 80], first_bingos=2, second_seconds=1500)

    made = store(knockouts.file(FOUR, {(1, 1): [game]}, criteria=["most_bingos"]))

    result = Result.objects.get(pairing__table=1)
    assert (result.official, result.version, result.how) == (True, 1, "import")
    assert (result.first_moves, result.first_bingos, result.second_seconds) == ([90, 80], 2, 1500)
    match = state(made).bracket.match(1, 1)
    assert (match.waits_for, match.score) == (WaitsFor.FACTS, (400, 400))


@pytest.mark.django_db
def test_knockout_without_seeds_is_announced_only() -> None:
    value = knockouts.file(FOUR, {}, criteria=["playing_time", "decider_game"])
    value["divisions"][0]["knockout"]["seeds"] = []

    made = store(value)

    assert not Round.objects.exists()
    assert state(made).bracket.seeds == (None,) * 4
    assert load_event_data(made) == knockouts.read(value)


@pytest.mark.sampled(2)
@pytest.mark.django_db
@pytest.mark.parametrize("number", range(25))
def test_every_random_knockout_comes_back_and_stands_as_it_was(number: int) -> None:
    story = Story(number, list(KnockoutSystem)[number % len(KnockoutSystem)])

    made = store({**knockouts.of_story(story), "slug": "pokal"})

    exported = format_tournament_file(load_event_data(made))
    again = store_event_data(read_tournament_file(exported, slug="noch-einer"), actor=TERMINAL_ACTOR)
    assert format_tournament_file(load_event_data(again)) == exported.replace('"pokal"', '"noch-einer"')
    for tournament in (made, again):
        assert _said(state(tournament)) == _expected(story)
        changes = find_knockout_game_changes(state(tournament))
        assert (changes.missing, changes.gone, changes.lots) == ((), (), ())


def _said(found: KnockoutState) -> list[Any]:
    printed = build_bracket_json(found)
    form = ("part", "part_round", "needless")
    matches = [match for stage in printed["stages"] for match in stage]
    return [[value for key, value in match.items() if key not in form] for match in matches]


def _expected(story: Story) -> list[Any]:
    bracket = knockout.bracket(
        story.seeds, story.rules, story.games, story.lots, story.not_recorded, story.own, story.places
    )
    return [
        [
            match.stage,
            match.position,
            list(match.players),
            list(match.score) if match.score else None,
            match.winner,
            match.decided_by,
            *([story.rules.own_criterion] if "own" in (match.decided_by, match.waits_for) else []),
            *([match.awaited_fact] if match.awaited_fact else []),
            *(["lot"] if match.waits_for == WaitsFor.LOT else []),
        ]
        for match in bracket.matches
        if not match.is_void
    ]


@pytest.mark.django_db
def test_open_game_stands_in_the_file_only_where_somebody_else_starts() -> None:
    usual = {"first": "P2", "second": "P3"}
    turned = {"first": "P4", "second": "P1"}
    value = knockouts.file(FOUR, {(1, 1): [turned], (1, 2): [usual]}, form="double")

    made = store(value)

    block = load_event_data(made).divisions[0].knockout
    assert block is not None
    assert [(match.position, [game.players for game in match.games]) for match in block.matches] == [
        (1, [("P4", "P1")])
    ]
    assert seated(made)[2] == (1102, 1, ["P1", "P4"])


@pytest.mark.django_db
def test_open_game_that_is_not_needed_is_not_laid_out() -> None:
    games = [make_game("P1", "P2", 400, 300), {"first": "P2", "second": "P1"}, {"first": "P1", "second": "P2"}]

    made = store(knockouts.file(("P1", "P2"), {(1, 1): games}, form="best_of", best_of=3))

    assert [number for number, _table, _players in seated(made)] == [1101, 1102]


@pytest.mark.django_db
def test_game_played_after_the_decision_and_game_of_others_stay_out_of_the_file() -> None:
    """Rows that the operations do not leave behind: the file has what counts, and can be read again."""
    games = [make_game("P1", "P2", 400, 300), make_game("P2", "P1", 300, 400)]
    made = store(knockouts.file(("P1", "P2"), {(1, 1): games}, form="best_of", best_of=3))
    before = load_event_data(made)
    division = made.divisions.get()
    third = Round.objects.create(division=division, number=1103, stage=1, game=3, state="published")
    _add(third, ("P2", "P1"))
    elsewhere = Round.objects.create(division=division, number=1201, stage=2, game=1, state="published")
    _add(elsewhere, ("P1", "P2"))
    winner = division.entries.get(key="P1")
    MatchLot.objects.create(knockout=division.knockout, stage=2, position=1, winner=winner)

    assert load_event_data(made) == before


def _add(round: Round, keys: tuple[str, str]) -> None:
    pairing = Pairing.objects.create(round=round, table=1)
    for side, key in enumerate(keys, Seat.FIRST):
        entry = round.division.entries.get(key=key)
        Seat.objects.create(pairing=pairing, round=round, entry=entry, side=side)
    at = Result.objects.latest("pk").at
    Result.objects.create(pairing=pairing, version=1, outcome="first_forfeits", at=at)


@pytest.mark.django_db
@pytest.mark.parametrize("size", [2, 16])
def test_loading_takes_the_same_queries_whatever_the_size(size: int, django_assert_num_queries: Any) -> None:
    made = store(knockouts.file([f"P{number}" for number in range(size)], {}, form="double"))

    with django_assert_num_queries(14):
        event = load_event_data(made)

    assert len(event.players) == size


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("seed", [1, 2])
def test_knockout_that_was_played_here_can_be_read_elsewhere_at_every_step(seed: int) -> None:
    division = steps.seeded(
        6, players=6, form="best_of", best_of=3, criteria=("most_bingos", "decider_game"), third_place=True
    )
    chance = random.Random(seed)

    for step in range(100):
        here = state(division.tournament)
        if here.bracket.is_over:
            break
        _play_on(division, here, chance)
        if step % 4 == 0:
            _comes_back(division.tournament, f"kopie-{step}")

    assert state(division.tournament).bracket.is_over
    _comes_back(division.tournament, "kopie")


def _play_on(division: Division, here: KnockoutState, chance: random.Random) -> None:
    """The next game, or the next lot."""
    for match in here.bracket.matches:
        if match.waits_for == WaitsFor.LOT:
            winner = here.entries[match.players[0] or 0]
            draw_match_lot(
                division, stage=match.stage, position=match.position, winner=winner, actor=factories.director()
            )
            return
        if match.missing:
            steps.not_recorded(division, match.stage, match.position, match.missing[0].criterion)
            return
        for due in match.needed:
            if due.is_open:
                spot = (match.stage, match.position, due.number)
                if chance.random() < 0.2:
                    steps.play(division, *spot, None, None, chance.choice(sorted(awards.AWARDED_OUTCOMES)))
                else:
                    steps.play(division, *spot, chance.choice([400, 410]), 400)
                return


def _comes_back(tournament: Tournament, slug: str) -> None:
    exported = format_tournament_file(load_event_data(tournament))
    again = store_event_data(read_tournament_file(exported, slug=slug), actor=TERMINAL_ACTOR)
    assert format_tournament_file(load_event_data(again)) == exported.replace(f'"{tournament.slug}"', f'"{slug}"')
    assert build_bracket_json(state(again)) == build_bracket_json(state(tournament))


@pytest.mark.django_db
def test_what_was_not_recorded_comes_back_and_lets_the_next_criterion_decide() -> None:
    level = {"first": "P1", "second": "P2", "outcome": "played", "first_points": 400, "second_points": 400}
    value = knockouts.file(
        ["P1", "P2"], {(1, 1): [level]}, criteria=["most_bingos", "preliminary_rank"], places={"P1": 1, "P2": 2}
    )
    [match] = value["divisions"][0]["knockout"]["matches"]

    waiting = build_bracket_json(state(store(value)))
    match["not_recorded"] = ["most_bingos"]
    decided = store({**value, "slug": "entschieden"})

    assert waiting["stages"][0][0]["waits_for"] == "most_bingos"
    [told] = build_bracket_json(state(decided))["stages"][0]
    assert (told["winner"], told["decided_by"], "waits_for" in told) == ("P1", "preliminary_rank", False)
    assert json.loads(format_tournament_file(load_event_data(decided)))["divisions"][0]["knockout"]["matches"] == [
        match
    ]
