"""What a player needs, held against completions of many last rounds."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from scoring.awards import Outcome
from scoring.chances import find_prospects
from scoring.completions import Event
from scoring.needs import Need, NeedKind, find_needs
from scoring.standings import PlayerKey
from tests.laws import seeds
from tests.scoring.test_chances import count_own_half_wins, make_event

PLACES = (1, 2, 3)


def find_broken(event: Event, end: Event, needs: Mapping[PlayerKey, list[Need]]) -> Iterator[tuple[PlayerKey, Need]]:
    """What a completion of an event contradicts."""
    margins, winners = measure_last_games(event, end)
    for row in end.rank():
        if row.rank is not None:
            own = count_own_half_wins(end, event, row.player)
            for need in needs[row.player]:
                if not need.holds(row.rank, own, margins.get(row.player, 0), winners):
                    yield row.player, need


def measure_last_games(event: Event, end: Event) -> tuple[dict[PlayerKey, int], set[PlayerKey]]:
    """By how much everybody has won (or lost) the game that was open, and who has won it."""
    opened = {(game.round, game.first) for game in event.open_games}
    margins: dict[PlayerKey, int] = {}
    for game in end.games:
        if (game.round, game.first) in opened and None not in (game.first_points, game.second_points):
            by = (game.first_points or 0) - (game.second_points or 0)
            margins |= {game.first: by, **({} if game.second is None else {game.second: -by})}
    return margins, {player for player, by in margins.items() if by > 0}


@pytest.mark.parametrize("events", [12, pytest.param(120, marks=pytest.mark.long)])
def test_what_is_told_in_the_last_round_holds_of_close_and_clear_ends(events: int) -> None:
    """Sentences on margins and on others, where few games are open and much is level."""
    kinds = set()
    for seed in seeds(events):
        rng = random.Random(f"last {seed}")
        event = make_event(rng, rng.randint(3, 10), rng.randint(2, 5), rng.randint(1, 4), 0)
        needs = find_needs(event, find_prospects(event), PLACES)
        kinds |= {need.kind for said in needs.values() for need in said}
        named = [need.margin for said in needs.values() for need in said if need.margin]
        for _ in range(25):
            end = event
            for game in event.open_games:
                low, by = rng.choice((0, 396, 400, 401, 900)), rng.choice((0, 1, 2, 3, 60, 500, *named, *named))
                scores = rng.sample((low, low + by + rng.choice((-1, 0, 0, 1))), 2)
                played = replace(game, outcome=Outcome.PLAYED, first_points=scores[0], second_points=scores[1])
                end = replace(end, games=tuple(played if each == game else each for each in end.games))
            assert list(find_broken(event, end, needs)) == []
    assert events < 100 or kinds == set(NeedKind)
