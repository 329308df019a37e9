"""What an event must be like to make sense, whatever file it came from.

Everything that is wrong is reported, each with the path of the value as in the tournament file.
"""

from collections.abc import Iterator, Mapping

from django.core.validators import slug_re

from scoring import rulesets
from scoring.awards import OUTCOMES_WITHOUT_OPPONENT, Outcome
from scoring.prizes import PrizeKind
from tournament.basics import limits
from tournament.basics.names import fold_text, make_search_key
from tournament.exchange.faults import FaultCode, FileFault, FileFaults, quote_value
from tournament.exchange.game_checks import (
    RESULT_FACTS,
    FileProblem,
    find_duplicate_data_problems,
    find_game_data_problems,
    find_knockout_data_problems,
    find_player_id_problems,
    find_player_ids_problems,
    find_repeated_values,
)
from tournament.exchange.json_text import JsonPath
from tournament.exchange.objects import list_stated_fields
from tournament.exchange.values import DivisionData, EventData, PairingData, PlayerData, PrizeData, RoundData
from tournament.models import RoundState
from tournament.models.play import SIDES
from tournament.pairing.values import Method, list_figure_players

PRIZE_KIND_BY_KEY: Mapping[str, PrizeKind] = {
    "place": PrizeKind.PLACE,
    "club": PrizeKind.CLUB,
    "lowest_rating": PrizeKind.RATING_CLASS,
    "highest_rating": PrizeKind.RATING_CLASS,
    "winner": PrizeKind.OWN,
}
"""The kind of prize that each key is for."""

NEEDED_PRIZE_KEYS: Mapping[PrizeKind, tuple[str, ...]] = {
    PrizeKind.PLACE: ("place",),
    PrizeKind.CLUB: ("club",),
    PrizeKind.RATING_CLASS: ("lowest_rating", "highest_rating"),
    PrizeKind.OWN: ("title",),
}
"""The keys of which a kind needs one."""


def check_slug(slug: str) -> None:
    """Raise `FileFaults` for what cannot be a tournament's address."""
    if found := [FileFault(code, figures=figures) for _where, code, figures in _find_slug_problems(slug)]:
        raise FileFaults(found)


def find_event_data_problems(event: EventData) -> Iterator[FileProblem]:
    """Everything about an event that does not fit together."""
    yield from _find_setting_problems(event)
    yield from find_repeated_values((("players", place, "id"), each.id) for place, each in enumerate(event.players))
    names = [division.name for division in event.divisions]
    yield from find_repeated_values((("divisions", place, "name"), name) for place, name in enumerate(names))
    for place, player in enumerate(event.players):
        path = ("players", place)
        yield from _find_length_problems((*path, "name"), player.name, limits.PLAYER_NAME)
        yield from _find_length_problems((*path, "club"), player.club or "", limits.CLUB)
        if player.division not in names:
            yield (*path, "division"), FaultCode.UNKNOWN_DIVISION, {"value": quote_value(player.division)}
        yield from find_repeated_values(
            ((*path, "absences", at, "round"), absence.round) for at, absence in enumerate(player.absences)
        )
    players = {player.id: player for player in event.players}
    for place, division in enumerate(event.divisions):
        yield from _find_division_problems(("divisions", place), division, players, event)


def _find_setting_problems(event: EventData) -> Iterator[FileProblem]:
    yield from _find_slug_problems(event.slug)
    if event.starts_on and event.ends_on and event.ends_on < event.starts_on:
        yield ("ends_on",), FaultCode.DAYS_REVERSED, {"first": event.starts_on, "last": event.ends_on}
    ruleset = rulesets.RULESETS.get(event.ruleset)
    if ruleset is None:
        known = ", ".join(rulesets.RULESETS)
        yield ("ruleset",), FaultCode.UNKNOWN_RULESET, {"value": quote_value(event.ruleset), "allowed": known}
    elif event.minutes is not None and event.minutes not in ruleset.minutes:
        shown = {"value": event.minutes, "ruleset": ruleset.name}
        if ruleset.minutes:
            yield ("minutes",), FaultCode.MINUTES, {**shown, "allowed": ", ".join(map(str, ruleset.minutes))}
        else:
            yield ("minutes",), FaultCode.NO_CLOCK, shown


def _find_slug_problems(slug: str) -> Iterator[FileProblem]:
    if slug and not slug_re.match(slug):
        yield ("slug",), FaultCode.BAD_SLUG, {"value": quote_value(slug)}
    if len(slug) > limits.SLUG:
        yield ("slug",), FaultCode.TOO_LONG, {"value": quote_value(slug), "limit": limits.SLUG}


def _find_length_problems(path: JsonPath, text: str, limit: int) -> Iterator[FileProblem]:
    """That a name fits the columns to search in and sort by; one character can fold into many letters."""
    if len(fold_text(text)) > limits.folded_length(limit) or len(make_search_key(text)) > limits.search_length(limit):
        yield path, FaultCode.TOO_LONG, {"value": quote_value(text), "limit": limit}


def _find_division_problems(
    path: JsonPath, division: DivisionData, players: dict[str, PlayerData], event: EventData
) -> Iterator[FileProblem]:
    yield from _find_plan_problems(path, division)
    for place, round in enumerate(division.rounds):
        at = (*path, "rounds", place)
        if round.number != place + 1:
            yield (*at, "number"), FaultCode.ROUND_NUMBER, {"value": round.number, "expected": place + 1}
        if round.state == RoundState.DRAFT and place + 1 < len(division.rounds):
            yield (*at, "state"), FaultCode.SECOND_DRAFT, {"value": round.number}
        yield from _find_round_problems(at, round, division, players)
    for place, lot in enumerate(division.lots):
        at = (*path, "lots", place, "order")
        yield from find_repeated_values(((*at, position), key) for position, key in enumerate(lot.order))
        yield from find_player_ids_problems(at, lot.order, division, players)
    for place, pair in enumerate(division.kept_apart):
        yield from find_player_ids_problems((*path, "kept_apart", place), pair, division, players)
        if pair[0] == pair[1]:
            yield (*path, "kept_apart", place), FaultCode.AGAINST_ONESELF, {"value": quote_value(pair[0])}
    yield from find_duplicate_data_problems(path, division, players, event)
    yield from _find_prizes_problems(path, division, players)
    if division.knockout is not None:
        yield from find_knockout_data_problems((*path, "knockout"), division.knockout, division, players, event)


def _find_plan_problems(path: JsonPath, division: DivisionData) -> Iterator[FileProblem]:
    last = 0
    for place, segment in enumerate(division.plan):
        at = (*path, "plan", place)
        if segment.first <= last or segment.last < segment.first:
            yield (*at, "rounds"), FaultCode.PLAN_ORDER, {"value": f"{segment.first}–{segment.last}"}
        if segment.factor is not None and segment.method != Method.FACTOR:
            yield (*at, "factor"), FaultCode.PLAN_FACTOR, {}
        last = max(last, segment.last)


def _find_round_problems(
    path: JsonPath, round: RoundData, division: DivisionData, players: dict[str, PlayerData]
) -> Iterator[FileProblem]:
    for place, group in enumerate(round.groups):
        yield from find_player_ids_problems((*path, "groups", place), group, division, players)
    for place, note in enumerate(round.notes):
        yield from find_player_ids_problems((*path, "notes", place, "players"), note.players, division, players)
    seen: set[str] = set()
    tables: set[int | None] = set()
    for place, pairing in enumerate(round.pairings):
        at = (*path, "pairings", place)
        for side, key in zip(SIDES, pairing.players, strict=False):
            yield from find_player_id_problems((*at, side), key, division, players)
            if key in seen and key in players:
                yield (*at, side), FaultCode.PLAYER_TWICE, {"value": quote_value(key), "round": round.number}
        seen.update(pairing.players)
        if pairing.table is not None and pairing.table in tables:
            yield (*at, "table"), FaultCode.TWICE, {"value": pairing.table}
        tables.add(pairing.table)
        yield from _find_pairing_problems(at, pairing)
        for reason, why in enumerate(pairing.why):
            for name, key in list_figure_players(why):
                yield from find_player_id_problems((*at, "why", reason, name), key, division, players)
        if round.state == RoundState.DRAFT:
            yield from _find_draft_problems(at, pairing, round.number)


def _find_pairing_problems(path: JsonPath, pairing: PairingData) -> Iterator[FileProblem]:
    outcome = quote_value(pairing.outcome.value)
    if pairing.outcome in OUTCOMES_WITHOUT_OPPONENT:
        if pairing.second is not None:
            yield (*path, "second"), FaultCode.NO_OPPONENT, {"value": outcome, "second": quote_value(pairing.second)}
        if pairing.table is not None:
            yield (*path, "table"), FaultCode.NO_TABLE, {"value": outcome, "table": pairing.table}
    elif pairing.spread is not None:
        yield (*path, "spread"), FaultCode.SPREAD_ONLY_ALONE, {"value": outcome}
    yield from find_game_data_problems(path, pairing)


def _find_draft_problems(path: JsonPath, pairing: PairingData, number: int) -> Iterator[FileProblem]:
    """That a pairing of a draft has no result: nobody has seen it yet."""
    if pairing.outcome in OUTCOMES_WITHOUT_OPPONENT:
        for key in list_stated_fields(pairing, "spread", *RESULT_FACTS):
            yield (*path, key), FaultCode.RESULT_IN_DRAFT, {"value": quote_value(key), "round": number}
    elif pairing.outcome != Outcome.OPEN:
        value = quote_value(pairing.outcome.value)
        yield (*path, "outcome"), FaultCode.RESULT_IN_DRAFT, {"value": value, "round": number}


def _find_prizes_problems(
    path: JsonPath, division: DivisionData, players: dict[str, PlayerData]
) -> Iterator[FileProblem]:
    count, most = len(division.prizes), limits.PRIZES.high
    if count > most:
        yield (*path, "prizes"), FaultCode.TOO_MANY_PRIZES, {"value": count, "limit": most}
    for place, prize in enumerate(division.prizes):
        at = (*path, "prizes", place)
        yield from _find_prize_problems(at, prize)
        if prize.winner is not None:
            yield from find_player_id_problems((*at, "winner"), prize.winner, division, players)
        yield from _find_length_problems((*at, "club"), prize.club, limits.CLUB)


def _find_prize_problems(path: JsonPath, prize: PrizeData) -> Iterator[FileProblem]:
    stated = list_stated_fields(prize, *PRIZE_KIND_BY_KEY, "title")
    needed = NEEDED_PRIZE_KEYS.get(prize.kind, ())
    kind = quote_value(prize.kind.value)
    if needed and not any(key in stated for key in needed):
        yield path, FaultCode.PRIZE_NEEDS, {"value": kind, "key": needed[0]}
    for key in stated:
        if PRIZE_KIND_BY_KEY.get(key, prize.kind) != prize.kind:
            yield (*path, key), FaultCode.PRIZE_WITHOUT, {"value": kind, "key": key}
    lowest, highest = prize.lowest_rating, prize.highest_rating
    if lowest is not None and highest is not None and lowest > highest:
        yield (*path, "lowest_rating"), FaultCode.PRIZE_RATINGS, {"lowest": lowest, "highest": highest}
