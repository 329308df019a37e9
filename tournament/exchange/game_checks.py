"""What a game must be like to make sense, in a round or in a knock-out."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from scoring.awards import ALONE, AWARDED, Outcome
from tournament.exchange.faults import Code, quoted
from tournament.exchange.file_writing import said
from tournament.exchange.json_text import Path
from tournament.exchange.values import DivisionData, GameData, PlayerData
from tournament.models.play import SIDES

Problem = tuple[Path, Code, dict[str, Any]]

FACTS = (
    *(f"{side}_{fact}" for fact in ("penalty", "overtime", "bingos", "moves", "seconds") for side in SIDES),
    "penalty_reason",
    "note",
)
"""What belongs to a result beside outcome, reason and points."""


def twice(values: Iterator[tuple[Path, Any]]) -> Iterator[Problem]:
    """A problem for each value that occurred before."""
    seen = set()
    for path, value in values:
        if value in seen:
            yield path, Code.TWICE, {"value": quoted(value)}
        seen.add(value)


def player(path: Path, key: str, division: DivisionData, players: dict[str, PlayerData]) -> Iterator[Problem]:
    """That an id is a player's, and one of this division."""
    player = players.get(key)
    if player is None:
        yield path, Code.UNKNOWN_PLAYER, {"value": quoted(key)}
    elif player.division != division.name:
        yield path, Code.OTHER_DIVISION, {"value": quoted(key), "division": quoted(player.division)}


def game(path: Path, game: GameData) -> Iterator[Problem]:
    """That the outcome fits the players, and everything else about the game."""
    outcome = {"value": quoted(game.outcome.value)}
    if game.second is None and game.outcome not in ALONE:
        yield path, Code.NEEDS_OPPONENT, outcome
    if game.second == game.first:
        yield (*path, "second"), Code.AGAINST_ONESELF, {"value": quoted(game.first)}
    for side, moves in (("first_moves", game.first_moves), ("second_moves", game.second_moves)):
        if any(earlier < later for earlier, later in pairwise(moves)):
            yield (*path, side), Code.MOVES_ORDER, {}
    yield from result(path, game)


def result(path: Path, game: GameData) -> Iterator[Problem]:
    """That the outcome fits the points, the reason and what else is written down."""
    outcome = {"value": quoted(game.outcome.value)}
    points = (game.first_points, game.second_points)
    if game.outcome == Outcome.PLAYED and None in points:
        yield path, Code.NEEDS_POINTS, {}
    if game.outcome in AWARDED and (points[0] is None) != (points[1] is None):
        yield path, Code.BOTH_POINTS, {}
    if game.outcome in ALONE | {Outcome.OPEN} and points != (None, None):
        yield (*path, "first_points" if points[0] is not None else "second_points"), Code.NO_POINTS, outcome
    if game.outcome == Outcome.OPEN:
        for key in said(game, *FACTS):
            yield (*path, key), Code.NOT_YET, {"key": key}
    if game.reason is not None and game.outcome not in AWARDED | {Outcome.ABSENT}:
        yield (*path, "reason"), Code.NO_REASON, outcome
    if game.second_reason is not None and (game.outcome != Outcome.BOTH_FORFEIT or game.reason is None):
        yield (*path, "second_reason"), Code.NO_SECOND_REASON, outcome
