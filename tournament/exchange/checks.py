"""What an event must be like to make sense, whatever file it came from.

`problems` tells everything that is wrong, each with the path of the value as in the tournament file.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from django.core.validators import slug_re

from scoring import rulesets
from scoring.awards import Outcome
from tournament import names
from tournament.exchange import limits
from tournament.exchange.faults import Code, quoted
from tournament.exchange.file_writing import said
from tournament.exchange.json_text import Path
from tournament.exchange.values import (
    ALONE,
    FORFEITS,
    DivisionData,
    EventData,
    Form,
    GameData,
    KnockoutData,
    MatchData,
    Method,
    PairingData,
    PlayerData,
    RoundData,
    State,
)

Problem = tuple[Path, Code, dict[str, Any]]

PLAYERS = 2
"""So many play a match of the knock-out."""

FACTS = (
    *(
        f"{side}_{fact}"
        for fact in ("penalty", "overtime", "bingos", "moves", "seconds")
        for side in ("first", "second")
    ),
    "penalty_reason",
    "note",
)
"""What belongs to a result beside outcome, reason and points."""


def problems(event: EventData) -> Iterator[Problem]:
    """Everything about an event that does not fit together."""
    yield from _head(event)
    yield from _twice((("players", place, "id"), player.id) for place, player in enumerate(event.players))
    yield from _twice((("divisions", place, "name"), division.name) for place, division in enumerate(event.divisions))
    known = {division.name for division in event.divisions}
    for place, player in enumerate(event.players):
        yield from _folds(("players", place, "name"), player.name, limits.PLAYER_NAME)
        yield from _folds(("players", place, "club"), player.club or "", limits.CLUB)
        if player.division not in known:
            yield ("players", place, "division"), Code.UNKNOWN_DIVISION, {"value": quoted(player.division)}
        absences = enumerate(player.absences)
        yield from _twice((("players", place, "absences", at, "round"), absence.round) for at, absence in absences)
    players = {player.id: player for player in event.players}
    for place, division in enumerate(event.divisions):
        yield from _division(("divisions", place), division, players)


def _head(event: EventData) -> Iterator[Problem]:
    if event.slug and not slug_re.match(event.slug):
        yield ("slug",), Code.BAD_SLUG, {"value": quoted(event.slug)}
    if len(event.slug) > limits.SLUG:
        yield ("slug",), Code.TOO_LONG, {"value": quoted(event.slug), "limit": limits.SLUG}
    if event.starts_on and event.ends_on and event.ends_on < event.starts_on:
        yield ("ends_on",), Code.DAYS_REVERSED, {"first": event.starts_on, "last": event.ends_on}
    ruleset = rulesets.RULESETS.get(event.ruleset)
    if ruleset is None:
        allowed = ", ".join(rulesets.RULESETS)
        yield ("ruleset",), Code.UNKNOWN_RULESET, {"value": quoted(event.ruleset), "allowed": allowed}
    elif event.minutes is not None and not ruleset.minutes:
        yield ("minutes",), Code.NO_CLOCK, {"value": event.minutes, "ruleset": ruleset.name}
    elif event.minutes is not None and event.minutes not in ruleset.minutes:
        allowed = ", ".join(str(minutes) for minutes in ruleset.minutes)
        yield ("minutes",), Code.MINUTES, {"value": event.minutes, "ruleset": ruleset.name, "allowed": allowed}


def _folds(path: Path, text: str, limit: int) -> Iterator[Problem]:
    """That a name has room where it is searched and sorted by; a single sign can fold into many letters."""
    if len(names.fold(text)) > 2 * limit or len(names.search_key(text)) > 4 * limit:
        yield path, Code.TOO_LONG, {"value": quoted(text), "limit": limit}


def _twice(values: Iterator[tuple[Path, Any]]) -> Iterator[Problem]:
    """A problem for each value that stood there before."""
    seen = set()
    for path, value in values:
        if value in seen:
            yield path, Code.TWICE, {"value": quoted(value)}
        seen.add(value)


def _player(path: Path, key: str, division: DivisionData, players: dict[str, PlayerData]) -> Iterator[Problem]:
    """That an id is a player's, and one of this division."""
    player = players.get(key)
    if player is None:
        yield path, Code.UNKNOWN_PLAYER, {"value": quoted(key)}
    elif player.division != division.name:
        yield path, Code.OTHER_DIVISION, {"value": quoted(key), "division": quoted(player.division)}


def _division(path: Path, division: DivisionData, players: dict[str, PlayerData]) -> Iterator[Problem]:
    yield from _plan(path, division)
    for place, round in enumerate(division.rounds):
        at = (*path, "rounds", place)
        if round.number != place + 1:
            yield (*at, "number"), Code.ROUND_NUMBER, {"value": round.number, "expected": place + 1}
        if round.state == State.DRAFT and place + 1 < len(division.rounds):
            yield (*at, "state"), Code.SECOND_DRAFT, {"value": round.number}
        yield from _round(at, round, division, players)
    for place, lot in enumerate(division.lots):
        at = (*path, "lots", place, "order")
        yield from _twice(((*at, position), key) for position, key in enumerate(lot.order))
        for position, key in enumerate(lot.order):
            yield from _player((*at, position), key, division, players)
    for place, pair in enumerate(division.kept_apart):
        for position, key in enumerate(pair):
            yield from _player((*path, "kept_apart", place, position), key, division, players)
        if pair[0] == pair[1]:
            yield (*path, "kept_apart", place), Code.AGAINST_ONESELF, {"value": quoted(pair[0])}
    if division.knockout is not None:
        yield from _knockout((*path, "knockout"), division.knockout, division, players)


def _plan(path: Path, division: DivisionData) -> Iterator[Problem]:
    last = 0
    for place, segment in enumerate(division.plan):
        at = (*path, "plan", place)
        if segment.first <= last or segment.last < segment.first:
            yield (*at, "rounds"), Code.PLAN_ORDER, {"value": f"{segment.first}–{segment.last}"}
        if segment.factor is not None and segment.method != Method.FACTOR:
            yield (*at, "factor"), Code.PLAN_FACTOR, {}
        last = max(last, segment.last)


def _draw(path: Path, round: RoundData, division: DivisionData, players: dict[str, PlayerData]) -> Iterator[Problem]:
    """That what is kept of the draw is about players of the division."""
    for place, group in enumerate(round.groups):
        for position, key in enumerate(group):
            yield from _player((*path, "groups", place, position), key, division, players)
    for place, note in enumerate(round.notes):
        for position, key in enumerate(note.players):
            yield from _player((*path, "notes", place, "players", position), key, division, players)


def _round(path: Path, round: RoundData, division: DivisionData, players: dict[str, PlayerData]) -> Iterator[Problem]:
    yield from _draw(path, round, division, players)
    seen: set[str] = set()
    tables: set[int] = set()
    for place, pairing in enumerate(round.pairings):
        at = (*path, "pairings", place)
        for side, key in zip(("first", "second"), pairing.players, strict=False):
            yield from _player((*at, side), key, division, players)
            if key in seen and key in players:
                yield (*at, side), Code.PLAYER_TWICE, {"value": quoted(key), "round": round.number}
        seen.update(pairing.players)
        if pairing.table in tables:
            yield (*at, "table"), Code.TWICE, {"value": pairing.table}
        if pairing.table is not None:
            tables.add(pairing.table)
        yield from _pairing(at, pairing)
        if round.state == State.DRAFT:
            yield from _draft(at, pairing, round.number)


def _draft(path: Path, pairing: PairingData, number: int) -> Iterator[Problem]:
    """That a pairing of a draft has no result: nobody has seen it yet."""
    if pairing.outcome not in ALONE | {Outcome.OPEN}:
        yield (*path, "outcome"), Code.RESULT_IN_DRAFT, {"value": quoted(pairing.outcome.value), "round": number}
    for key in said(pairing, "spread", *FACTS) if pairing.outcome in ALONE else ():
        yield (*path, key), Code.RESULT_IN_DRAFT, {"value": quoted(key), "round": number}


def _pairing(path: Path, pairing: PairingData) -> Iterator[Problem]:
    outcome = quoted(pairing.outcome.value)
    if pairing.outcome in ALONE:
        if pairing.second is not None:
            yield (*path, "second"), Code.NO_OPPONENT, {"value": outcome, "second": quoted(pairing.second)}
        if pairing.table is not None:
            yield (*path, "table"), Code.NO_TABLE, {"value": outcome, "table": pairing.table}
    elif pairing.spread is not None:
        yield (*path, "spread"), Code.SPREAD_ONLY_ALONE, {"value": outcome}
    yield from _game(path, pairing)


def _game(path: Path, game: GameData) -> Iterator[Problem]:
    """That the outcome fits the players, and everything else about the game."""
    outcome = {"value": quoted(game.outcome.value)}
    if game.second is None and game.outcome not in ALONE:
        yield path, Code.NEEDS_OPPONENT, outcome
    if game.second == game.first:
        yield (*path, "second"), Code.AGAINST_ONESELF, {"value": quoted(game.first)}
    for side, moves in (("first_moves", game.first_moves), ("second_moves", game.second_moves)):
        if any(earlier < later for earlier, later in pairwise(moves)):
            yield (*path, side), Code.MOVES_ORDER, {}
    yield from _result(path, game)


def _result(path: Path, game: GameData) -> Iterator[Problem]:
    """That the outcome fits the points, the reason and what else is written down."""
    outcome = {"value": quoted(game.outcome.value)}
    points = (game.first_points, game.second_points)
    if game.outcome == Outcome.PLAYED and None in points:
        yield path, Code.NEEDS_POINTS, {}
    if game.outcome in FORFEITS and (points[0] is None) != (points[1] is None):
        yield path, Code.BOTH_POINTS, {}
    if game.outcome in ALONE | {Outcome.OPEN} and points != (None, None):
        yield (*path, "first_points" if points[0] is not None else "second_points"), Code.NO_POINTS, outcome
    if game.outcome == Outcome.OPEN:
        for key in said(game, *FACTS):
            yield (*path, key), Code.NOT_YET, {"key": key}
    if game.reason is not None and game.outcome not in FORFEITS | {Outcome.ABSENT}:
        yield (*path, "reason"), Code.NO_REASON, outcome


def _knockout(
    path: Path, knockout: KnockoutData, division: DivisionData, players: dict[str, PlayerData]
) -> Iterator[Problem]:
    if knockout.form == Form.BEST_OF and (knockout.best_of is None or knockout.best_of % 2 == 0):
        yield (*path, "best_of"), Code.BEST_OF, {"value": quoted(knockout.best_of)}
    if knockout.form != Form.BEST_OF and knockout.best_of is not None:
        yield (*path, "best_of"), Code.NO_BEST_OF, {"value": quoted(knockout.form.value)}
    if knockout.seeds and len(knockout.seeds) != knockout.size:
        yield (*path, "seeds"), Code.SEEDS, {"value": len(knockout.seeds), "size": knockout.size}
    yield from _twice(((*path, "seeds", place), key) for place, key in enumerate(knockout.seeds))
    for place, key in enumerate(knockout.seeds):
        yield from _player((*path, "seeds", place), key, division, players)
    matches = enumerate(knockout.matches)
    yield from _twice(((*path, "matches", place), (match.stage, match.position)) for place, match in matches)
    for place, match in enumerate(knockout.matches):
        at = (*path, "matches", place)
        yield from _exists(at, knockout, match.stage, match.position)
        yield from _match(at, match, knockout)
    for place, lot in enumerate(knockout.lots):
        at = (*path, "lots", place)
        yield from _exists(at, knockout, lot.stage, lot.position)
        if lot.winner not in knockout.seeds:
            yield (*at, "winner"), Code.NOT_SEEDED, {"value": quoted(lot.winner)}


def stages(size: int) -> int:
    """How many stages a knock-out of so many players has: 2 players 1, 3 and 4 players 2 …"""
    return (size - 1).bit_length()


def _exists(path: Path, knockout: KnockoutData, stage: int, position: int) -> Iterator[Problem]:
    """That the bracket has a match there: half as many in each stage, and the one for third place in the last."""
    last = stages(knockout.size)
    matches = 2 ** (last - stage) if 1 <= stage <= last else 0
    if stage == last and knockout.third_place and last > 1:
        matches = 2
    if not 1 <= position <= matches:
        yield path, Code.NO_SUCH_MATCH, {"size": knockout.size, "stage": stage, "position": position}


def _match(path: Path, match: MatchData, knockout: KnockoutData) -> Iterator[Problem]:
    met: list[str] = []
    for place, game in enumerate(match.games):
        at = (*path, "games", place)
        if game.outcome in ALONE:
            yield (*at, "outcome"), Code.NEEDS_OPPONENT, {"value": quoted(game.outcome.value)}
        for side, key in zip(("first", "second"), game.players, strict=False):
            if key not in knockout.seeds:
                yield (*at, side), Code.NOT_SEEDED, {"value": quoted(key)}
            elif key not in met:
                met.append(key)
                if len(met) > PLAYERS:
                    yield (*at, side), Code.OTHER_OPPONENT, {"value": quoted(key)}
        yield from _game(at, game)
