"""Knock-outs as values to draw: players have short keys and long names, results come from a seeded generator."""

import random
from typing import Any

from scoring import knockout
from scoring.awards import Outcome
from scoring.knockout_values import Bracket, KnockoutGame, KnockoutRules, MatchFormat, MatchPlace, WaitsFor
from scoring.standings import PlayerKey
from tests.tournament.paper import samples

SINGLE = KnockoutRules(MatchFormat.SINGLE)


def names(size: int) -> dict[PlayerKey, str]:
    """A name for each player 1, 2 … in order of the seeding."""
    return {number: samples.name(number - 1) for number in range(1, size + 1)}


def open_bracket(size: int, rules: KnockoutRules = SINGLE) -> Bracket:
    """A knock-out of so many players of which nothing is played."""
    return knockout.bracket(list(range(1, size + 1)), rules)


def play_bracket(size: int, rules: KnockoutRules = SINGLE, *, games: int = 1000, seed: int = 1) -> Bracket:
    """The same with up to so many games played, forfeits among them."""
    rng = random.Random(seed)
    given: dict[MatchPlace, list[KnockoutGame]] = {}
    lots: dict[MatchPlace, PlayerKey] = {}
    stands = open_bracket(size, rules)
    for _game in range(games):
        due = [(match, due) for match in stands.matches for due in match.needed if due.is_open]
        if not due:
            break
        match, next_game = due[0]
        given.setdefault(match.place, []).append(_result(next_game.first, next_game.second, rng))
        stands = _settled(size, rules, given, lots)
    return stands


def _settled(
    size: int, rules: KnockoutRules, given: dict[MatchPlace, list[KnockoutGame]], lots: dict[MatchPlace, PlayerKey]
) -> Bracket:
    """The knock-out after these games, with a lot for each match that waits for one."""
    seeds = list(range(1, size + 1))
    stands = knockout.bracket(seeds, rules, given, lots)
    for match in stands.matches:
        if match.waits_for == WaitsFor.LOT and match.players[0] is not None:
            lots[match.place] = match.players[0]
            stands = knockout.bracket(seeds, rules, given, lots)
    return stands


def _result(first: PlayerKey, second: PlayerKey, rng: random.Random) -> KnockoutGame:
    outcome = rng.choices(
        [Outcome.PLAYED, Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS, Outcome.BOTH_FORFEIT], [16, 1, 1, 1]
    )[0]
    points: tuple[Any, Any] = (None, None)
    if outcome == Outcome.PLAYED:
        points = (rng.choice([400, *range(250, 600, 7)]), rng.choice([400, *range(250, 600, 11)]))
    return KnockoutGame(first, second, outcome, *points)
