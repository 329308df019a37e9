"""The tournament file's text, always in one form: keys in a fixed order, defaults left out, one player or game a
line."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields
from datetime import date
from enum import Enum
from typing import Any

from scoring.awards import Awards
from scoring.sealed import Envelope
from scoring.standings import Ranking, Ties
from tournament import languages
from tournament.exchange.values import (
    DivisionData,
    DuplicateData,
    EventData,
    GameData,
    KnockoutData,
    PairingData,
    PlayerData,
    PrizeData,
    RoundData,
    SegmentData,
    TurnData,
)
from tournament.models.play import SIDES
from tournament.reports import SIDE_FIELDS
from tournament.showing import AT_ONCE, STEPS, Showing

FORMAT, VERSION = "tso-tournament", 1


def said(value: Any, *names: str) -> dict[str, Any]:
    """The named fields of a value as JSON, without those that hold their default."""
    defaults = {
        each.name: each.default_factory() if each.default_factory is not MISSING else each.default
        for each in fields(value)
    }
    return {name: plain(getattr(value, name)) for name in names if getattr(value, name) != defaults[name]}


def plain(value: Any) -> Any:
    """A field's value as JSON knows it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


def event(value: EventData) -> dict[str, Any]:
    """The whole file as JSON values."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "slug": value.slug,
        "name": value.name,
        "place": value.place,
        "starts_on": plain(value.starts_on),
        "ends_on": plain(value.ends_on),
        "ruleset": value.ruleset,
        "minutes": value.minutes,
        "ranking": ranking(value.ranking),
        "starts": value.starts.value,
        "spread_cap": spread_cap(value.ranking),
        "awards": awards(value.awards),
        "bye_policy": value.bye_policy.value,
        "clubs_apart": value.clubs_apart,
        **said(
            value,
            "public",
            "public_reasons",
            "results_twice",
            "ended",
            "announcement",
            "word_list",
            "word_list_at",
            "turning",
        ),
        **shown(value.shown),
        **language(value),
        **({"certificate": stated} if (stated := value.certificate.stored()) else {}),
        "players": [player(each) for each in value.players],
        "divisions": [division(each) for each in value.divisions],
    }


def shown(value: Showing) -> dict[str, Any]:
    """From when the public sees what, step by step, where that is not at once."""
    steps = {step.value: str(getattr(value, step.value)) for step in STEPS}
    said = {name: text for name, text in steps.items() if text != AT_ONCE}
    return {"shown": said} if said else {}


def language(value: EventData) -> dict[str, Any]:
    """The language of the public pages, if it is not the one of those who play by the ruleset."""
    return {} if value.language == languages.usual(value.ruleset) else {"language": value.language.value}


def ranking(value: Ranking) -> dict[str, Any]:
    ties = {"ties": value.ties.value} if value.ties == Ties.SHARED else {}
    order = [criterion.value for criterion in value.order]
    return {"basis": value.basis.value, "order": order, "withdrawn": value.withdrawn.value, **ties}


def spread_cap(value: Ranking) -> list[int] | int | None:
    """The cap as the file writes it: null, one number, or a list by round."""
    if len(value.spread_cap) > 1:
        return list(value.spread_cap)
    return value.spread_cap[0] if value.spread_cap else None


def awards(value: Awards) -> dict[str, int]:
    return {"bye_spread": value.bye_spread, "bye_points": value.bye_points, "loss_spread": value.loss_spread}


def player(value: PlayerData) -> dict[str, Any]:
    absences = [{"round": absence.round, **said(absence, "loss")} for absence in value.absences]
    return {
        "id": value.id,
        "name": value.name,
        "club": value.club,
        "rating": value.rating,
        "games": value.games,
        "division": value.division,
        **said(value, "first_round", "withdrawn_after"),
        **({"absences": absences} if absences else {}),
        **said(value, "guest", "fee_paid", "present", "expected", "fixed_table", "exception"),
    }


def division(value: DivisionData) -> dict[str, Any]:
    lots = [{"after": lot.after, "order": list(lot.order)} for lot in value.lots]
    return {
        "name": value.name,
        "plan": plan(value),
        "rounds": [round(each) for each in value.rounds],
        **said(value, "kept_apart"),
        **({"lots": lots} if lots else {}),
        **({"knockout": knockout(value.knockout)} if value.knockout else {}),
        **({"duplicate": duplicate(value.duplicate)} if value.duplicate else {}),
        **({"prizes": [prize(each) for each in value.prizes]} if value.prizes else {}),
        **said(value, "prizes_public", "tells_turning_point"),
    }


def prize(value: PrizeData) -> dict[str, Any]:
    more = said(value, "place", "club", "lowest_rating", "highest_rating", "title", "award", "winner")
    return {"kind": value.kind.value, **more}


def plan(value: DivisionData) -> list[dict[str, Any]]:
    """The plan of rounds, as the file and the database hold it."""
    return [segment(each) for each in value.plan]


def segment(value: SegmentData) -> dict[str, Any]:
    more = said(value, "repeats", "factor", "behind")
    return {"rounds": [value.first, value.last], "method": value.method.value, **more}


def round(value: RoundData) -> dict[str, Any]:
    notes = [{"code": note.code.value, **said(note, "players", "figure", "unless")} for note in value.notes]
    return {
        "number": value.number,
        "method": value.method.value,
        "state": value.state.value,
        **said(value, "seed", "based_on", "repeats", "groups"),
        **({"notes": notes} if notes else {}),
        **shown(value.shown),
        "pairings": [pairing(each) for each in value.pairings],
    }


def pairing(value: PairingData) -> dict[str, Any]:
    return {"table": value.table, **game(value), **said(value, "spread", "locked", "flags", "why")}


def game(value: GameData) -> dict[str, Any]:
    """What a pairing of a round and a game of the knock-out have in common."""
    sides = [f"{side}_{name}" for name in SIDE_FIELDS for side in SIDES]
    return {
        "first": value.first,
        "second": value.second,
        "outcome": value.outcome.value,
        **said(value, "reason", "second_reason", *sides, "penalty_reason", "note"),
    }


def knockout(value: KnockoutData) -> dict[str, Any]:
    """A knock-out, as the file and the database hold it."""
    matches = [
        {
            "stage": match.stage,
            "position": match.position,
            "games": [game(each) for each in match.games],
            **said(match, "not_recorded"),
        }
        for match in value.matches
    ]
    lots = [{"stage": lot.stage, "position": lot.position, "winner": lot.winner} for lot in value.lots]
    return {
        "size": value.size,
        "form": value.form.value,
        "best_of": value.best_of,
        "criteria": plain(value.criteria),
        "third_place": value.third_place,
        "seeds": list(value.seeds),
        "matches": matches,
        **({"lots": lots} if lots else {}),
    }


def duplicate(value: DuplicateData) -> dict[str, Any]:
    """A duplicate session: what was noted, turn by turn."""
    return {
        "letters": value.letters,
        "max_turns": value.max_turns,
        "seconds": value.seconds,
        "words": value.words,
        **said(value, "seed", "stopped", "twice"),
        **({"sealed": sealed(value.sealed)} if value.sealed else {}),
        "turns": [duplicate_turn(each) for each in value.turns],
    }


def sealed(value: Envelope) -> dict[str, Any]:
    """A session that was fixed beforehand, as it was sealed."""
    told = asdict(value)
    return {**told, "turns": list(told["turns"])}


def duplicate_turn(value: TurnData) -> dict[str, Any]:
    corrections = [
        {**{name: plain(getattr(each, name)) for name in CORRECTION}, **said(each, "alone")}
        for each in value.corrections
    ]
    second = [{**{name: getattr(each, name) for name in SLIP}, **said(each, "missing")} for each in value.second]
    master = value.master
    return {
        "number": value.number,
        "draw": value.draw,
        "redrawn": list(value.redrawn),
        **said(value, "code"),
        "slips": [{**{name: getattr(each, name) for name in SLIP}, **said(each, "refused")} for each in value.slips],
        "master": {name: getattr(master, name) for name in MASTER} if master else None,
        **({"corrections": corrections} if corrections else {}),
        **({"second": second} if second else {}),
    }


SLIP = ("player", "position", "word", "claimed", "late")
MASTER = ("position", "word", "reason")
CORRECTION = ("slip", "points", "why", "at")
"""What is always said of a slip, a master word, a correction."""


def formatted(value: Any, margin: str = "") -> str:
    """JSON that people can read: a value that holds no list of objects is on one line."""
    if (margin and _is_flat(value)) or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    inner = margin + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"{inner}{formatted(each, inner)}" for each in value) + f"\n{margin}]"
    lines = [f"{inner}{json.dumps(key, ensure_ascii=False)}: {formatted(each, inner)}" for key, each in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{margin}}}"


def _is_flat(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_flat(each) for each in value.values())
    return not isinstance(value, list) or all(not isinstance(each, dict) and _is_flat(each) for each in value)
