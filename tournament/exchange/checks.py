"""What an event must be like to make sense, whatever file it came from.

`problems` reports everything that is wrong, each with the path of the value as in the tournament file.
"""

from collections.abc import Iterator

from django.core.validators import slug_re

from scoring import rulesets
from scoring.awards import ALONE, Outcome
from tournament import limits, names
from tournament.exchange import bracket_checks, duplicate_checks, game_checks, prizes
from tournament.exchange.faults import Code, Fault, Faults, quoted
from tournament.exchange.file_writing import said
from tournament.exchange.game_checks import Problem
from tournament.exchange.json_text import Path
from tournament.exchange.values import DivisionData, EventData, PairingData, PlayerData, RoundData
from tournament.models import RoundState
from tournament.models.play import SIDES
from tournament.pairing import codes
from tournament.pairing.values import Method


def problems(event: EventData) -> Iterator[Problem]:
    """Everything about an event that does not fit together."""
    yield from _head(event)
    yield from game_checks.twice((("players", place, "id"), player.id) for place, player in enumerate(event.players))
    yield from game_checks.twice(
        (("divisions", place, "name"), division.name) for place, division in enumerate(event.divisions)
    )
    known = {division.name for division in event.divisions}
    for place, player in enumerate(event.players):
        yield from _folds(("players", place, "name"), player.name, limits.PLAYER_NAME)
        yield from _folds(("players", place, "club"), player.club or "", limits.CLUB)
        if player.division not in known:
            yield ("players", place, "division"), Code.UNKNOWN_DIVISION, {"value": quoted(player.division)}
        absences = enumerate(player.absences)
        yield from game_checks.twice(
            (("players", place, "absences", at, "round"), absence.round) for at, absence in absences
        )
    players = {player.id: player for player in event.players}
    for place, division in enumerate(event.divisions):
        yield from _division(("divisions", place), division, players, event)


def require_address(slug: str) -> None:
    """Raise `Faults` for what cannot be a tournament's address."""
    if found := [Fault(code, figures=figures) for _where, code, figures in _address(slug)]:
        raise Faults(found)


def _address(slug: str) -> Iterator[Problem]:
    if slug and not slug_re.match(slug):
        yield ("slug",), Code.BAD_SLUG, {"value": quoted(slug)}
    if len(slug) > limits.SLUG:
        yield ("slug",), Code.TOO_LONG, {"value": quoted(slug), "limit": limits.SLUG}


def _head(event: EventData) -> Iterator[Problem]:
    yield from _address(event.slug)
    if event.starts_on and event.ends_on and event.ends_on < event.starts_on:
        yield ("ends_on",), Code.DAYS_REVERSED, {"first": event.starts_on, "last": event.ends_on}
    ruleset = rulesets.RULESETS.get(event.ruleset)
    known = ", ".join(rulesets.RULESETS)
    if ruleset is None:
        yield ("ruleset",), Code.UNKNOWN_RULESET, {"value": quoted(event.ruleset), "allowed": known}
    elif event.minutes is not None and not ruleset.minutes:
        yield ("minutes",), Code.NO_CLOCK, {"value": event.minutes, "ruleset": ruleset.name}
    elif event.minutes is not None and event.minutes not in ruleset.minutes:
        allowed = ", ".join(str(minutes) for minutes in ruleset.minutes)
        yield ("minutes",), Code.MINUTES, {"value": event.minutes, "ruleset": ruleset.name, "allowed": allowed}


def _folds(path: Path, text: str, limit: int) -> Iterator[Problem]:
    """That a name fits the columns to search in and sort by; one character can fold into many letters."""
    if len(names.fold(text)) > limits.folded(limit) or len(names.search_key(text)) > limits.searched(limit):
        yield path, Code.TOO_LONG, {"value": quoted(text), "limit": limit}


def _division(
    path: Path, division: DivisionData, players: dict[str, PlayerData], event: EventData
) -> Iterator[Problem]:
    yield from _plan(path, division)
    for place, round in enumerate(division.rounds):
        at = (*path, "rounds", place)
        if round.number != place + 1:
            yield (*at, "number"), Code.ROUND_NUMBER, {"value": round.number, "expected": place + 1}
        if round.state == RoundState.DRAFT and place + 1 < len(division.rounds):
            yield (*at, "state"), Code.SECOND_DRAFT, {"value": round.number}
        yield from _round(at, round, division, players)
    for place, lot in enumerate(division.lots):
        at = (*path, "lots", place, "order")
        yield from game_checks.twice(((*at, position), key) for position, key in enumerate(lot.order))
        for position, key in enumerate(lot.order):
            yield from game_checks.player((*at, position), key, division, players)
    yield from _kept_apart(path, division, players)
    yield from duplicate_checks.problems(path, division, players, event)
    yield from prizes.problems(path, division, players)
    for place, prize in enumerate(division.prizes):
        yield from _folds((*path, "prizes", place, "club"), prize.club, limits.CLUB)
    if division.knockout is not None:
        yield from bracket_checks.problems((*path, "knockout"), division.knockout, division, players, event)


def _kept_apart(path: Path, division: DivisionData, players: dict[str, PlayerData]) -> Iterator[Problem]:
    for place, pair in enumerate(division.kept_apart):
        for position, key in enumerate(pair):
            yield from game_checks.player((*path, "kept_apart", place, position), key, division, players)
        if pair[0] == pair[1]:
            yield (*path, "kept_apart", place), Code.AGAINST_ONESELF, {"value": quoted(pair[0])}


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
    """That the stored details of the draw are about players of the division."""
    for place, group in enumerate(round.groups):
        for position, key in enumerate(group):
            yield from game_checks.player((*path, "groups", place, position), key, division, players)
    for place, note in enumerate(round.notes):
        for position, key in enumerate(note.players):
            yield from game_checks.player((*path, "notes", place, "players", position), key, division, players)


def _round(path: Path, round: RoundData, division: DivisionData, players: dict[str, PlayerData]) -> Iterator[Problem]:
    yield from _draw(path, round, division, players)
    seen: set[str] = set()
    tables: set[int] = set()
    for place, pairing in enumerate(round.pairings):
        at = (*path, "pairings", place)
        for side, key in zip(SIDES, pairing.players, strict=False):
            yield from game_checks.player((*at, side), key, division, players)
            if key in seen and key in players:
                yield (*at, side), Code.PLAYER_TWICE, {"value": quoted(key), "round": round.number}
        seen.update(pairing.players)
        if pairing.table in tables:
            yield (*at, "table"), Code.TWICE, {"value": pairing.table}
        if pairing.table is not None:
            tables.add(pairing.table)
        yield from _pairing(at, pairing)
        for reason, why in enumerate(pairing.why):
            for name, key in codes.players(why):
                yield from game_checks.player((*at, "why", reason, name), key, division, players)
        if round.state == RoundState.DRAFT:
            yield from _draft(at, pairing, round.number)


def _draft(path: Path, pairing: PairingData, number: int) -> Iterator[Problem]:
    """That a pairing of a draft has no result: nobody has seen it yet."""
    if pairing.outcome not in ALONE | {Outcome.OPEN}:
        yield (*path, "outcome"), Code.RESULT_IN_DRAFT, {"value": quoted(pairing.outcome.value), "round": number}
    for key in said(pairing, "spread", *game_checks.FACTS) if pairing.outcome in ALONE else ():
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
    yield from game_checks.game(path, pairing)
