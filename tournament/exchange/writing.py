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
from scoring.standings import Ranking, TieRule
from tournament.basics.languages import get_usual_language
from tournament.basics.showing import SHOWING_STEPS, SHOWN_AT_ONCE, ShowingRule
from tournament.core.reports import SIDE_FIELDS
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

TOURNAMENT_FORMAT, TOURNAMENT_VERSION = "tso-tournament", 1


def make_json_fields(value: Any, *names: str) -> dict[str, Any]:
    """The named fields of a value as JSON, without those that hold their default."""
    defaults = {
        each.name: each.default_factory() if each.default_factory is not MISSING else each.default
        for each in fields(value)
    }
    return {name: make_json_value(getattr(value, name)) for name in names if getattr(value, name) != defaults[name]}


def make_json_value(value: Any) -> Any:
    """A field's value as JSON knows it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        return [make_json_value(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value


def make_event_json(value: EventData) -> dict[str, Any]:
    """The whole file as JSON values."""
    return {
        "format": TOURNAMENT_FORMAT,
        "version": TOURNAMENT_VERSION,
        "slug": value.slug,
        "name": value.name,
        "place": value.place,
        "starts_on": make_json_value(value.starts_on),
        "ends_on": make_json_value(value.ends_on),
        "ruleset": value.ruleset,
        "minutes": value.minutes,
        "ranking": make_ranking_json(value.ranking),
        "starts": value.starts.value,
        "spread_cap": make_spread_cap_json(value.ranking),
        "awards": make_awards_json(value.awards),
        "bye_policy": value.bye_policy.value,
        "clubs_apart": value.clubs_apart,
        **make_json_fields(
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
        **make_showing_json(value.shown),
        **make_language_json(value),
        **({"certificate": stated} if (stated := value.certificate.stored()) else {}),
        "players": [make_player_json(each) for each in value.players],
        "divisions": [make_division_json(each) for each in value.divisions],
    }


def make_showing_json(value: ShowingRule) -> dict[str, Any]:
    """From when the public sees what, step by step, where that is not at once."""
    steps = {step.value: str(getattr(value, step.value)) for step in SHOWING_STEPS}
    said = {name: text for name, text in steps.items() if text != SHOWN_AT_ONCE}
    return {"shown": said} if said else {}


def make_language_json(value: EventData) -> dict[str, Any]:
    """The language of the public pages, if it is not the one of those who play by the ruleset."""
    return {} if value.language == get_usual_language(value.ruleset) else {"language": value.language.value}


def make_ranking_json(value: Ranking) -> dict[str, Any]:
    ties = {"ties": value.ties.value} if value.ties == TieRule.SHARED else {}
    order = [criterion.value for criterion in value.order]
    return {"basis": value.basis.value, "order": order, "withdrawn": value.withdrawn.value, **ties}


def make_spread_cap_json(value: Ranking) -> list[int] | int | None:
    """The cap as the file writes it: null, one number, or a list by round."""
    if len(value.spread_cap) > 1:
        return list(value.spread_cap)
    return value.spread_cap[0] if value.spread_cap else None


def make_awards_json(value: Awards) -> dict[str, int]:
    return {"bye_spread": value.bye_spread, "bye_points": value.bye_points, "loss_spread": value.loss_spread}


def make_player_json(value: PlayerData) -> dict[str, Any]:
    absences = [{"round": absence.round, **make_json_fields(absence, "loss")} for absence in value.absences]
    return {
        "id": value.id,
        "name": value.name,
        "club": value.club,
        "rating": value.rating,
        "games": value.games,
        "division": value.division,
        **make_json_fields(value, "first_round", "withdrawn_after"),
        **({"absences": absences} if absences else {}),
        **make_json_fields(value, "guest", "fee_paid", "present", "expected", "fixed_table", "exception"),
    }


def make_division_json(value: DivisionData) -> dict[str, Any]:
    lots = [{"after": lot.after, "order": list(lot.order)} for lot in value.lots]
    return {
        "name": value.name,
        "plan": make_plan_json(value),
        "rounds": [make_round_json(each) for each in value.rounds],
        **make_json_fields(value, "kept_apart"),
        **({"lots": lots} if lots else {}),
        **({"knockout": make_knockout_json(value.knockout)} if value.knockout else {}),
        **({"duplicate": make_duplicate_json(value.duplicate)} if value.duplicate else {}),
        **({"prizes": [make_prize_json(each) for each in value.prizes]} if value.prizes else {}),
        **make_json_fields(value, "prizes_public", "tells_turning_point"),
    }


def make_prize_json(value: PrizeData) -> dict[str, Any]:
    more = make_json_fields(value, "place", "club", "lowest_rating", "highest_rating", "title", "award", "winner")
    return {"kind": value.kind.value, **more}


def make_plan_json(value: DivisionData) -> list[dict[str, Any]]:
    """The plan of rounds, as the file and the database hold it."""
    return [make_segment_json(each) for each in value.plan]


def make_segment_json(value: SegmentData) -> dict[str, Any]:
    more = make_json_fields(value, "repeats", "factor", "behind")
    return {"rounds": [value.first, value.last], "method": value.method.value, **more}


def make_round_json(value: RoundData) -> dict[str, Any]:
    notes = [{"code": note.code.value, **make_json_fields(note, "players", "figure", "unless")} for note in value.notes]
    return {
        "number": value.number,
        "method": value.method.value,
        "state": value.state.value,
        **make_json_fields(value, "seed", "based_on", "repeats", "groups"),
        **({"notes": notes} if notes else {}),
        **make_showing_json(value.shown),
        "pairings": [make_pairing_json(each) for each in value.pairings],
    }


def make_pairing_json(value: PairingData) -> dict[str, Any]:
    return {
        "table": value.table,
        **make_game_json(value),
        **make_json_fields(value, "spread", "locked", "flags", "why"),
    }


def make_game_json(value: GameData) -> dict[str, Any]:
    """What a pairing of a round and a game of the knock-out have in common."""
    sides = [f"{side}_{name}" for name in SIDE_FIELDS for side in SIDES]
    return {
        "first": value.first,
        "second": value.second,
        "outcome": value.outcome.value,
        **make_json_fields(value, "reason", "second_reason", *sides, "penalty_reason", "note"),
    }


def make_knockout_json(value: KnockoutData) -> dict[str, Any]:
    """A knock-out, as the file and the database hold it."""
    matches = [
        {
            "stage": match.stage,
            "position": match.position,
            "games": [make_game_json(each) for each in match.games],
            **make_json_fields(match, "not_recorded"),
        }
        for match in value.matches
    ]
    lots = [{"stage": lot.stage, "position": lot.position, "winner": lot.winner} for lot in value.lots]
    return {
        "size": value.size,
        "form": value.form.value,
        "best_of": value.best_of,
        "criteria": make_json_value(value.criteria),
        "third_place": value.third_place,
        "seeds": list(value.seeds),
        "matches": matches,
        **({"lots": lots} if lots else {}),
    }


def make_duplicate_json(value: DuplicateData) -> dict[str, Any]:
    """A duplicate session: what was noted, turn by turn."""
    return {
        "letters": value.letters,
        "max_turns": value.max_turns,
        "seconds": value.seconds,
        "words": value.words,
        **make_json_fields(value, "seed", "stopped", "twice"),
        **({"sealed": make_envelope_json(value.sealed)} if value.sealed else {}),
        "turns": [make_turn_json(each) for each in value.turns],
    }


def make_envelope_json(value: Envelope) -> dict[str, Any]:
    """A session that was fixed beforehand, as it was sealed."""
    told = asdict(value)
    return {**told, "turns": list(told["turns"])}


def make_turn_json(value: TurnData) -> dict[str, Any]:
    corrections = [
        {
            **{name: make_json_value(getattr(each, name)) for name in CORRECTION_FIELDS},
            **make_json_fields(each, "alone"),
        }
        for each in value.corrections
    ]
    second = [
        {**{name: getattr(each, name) for name in SLIP_FIELDS}, **make_json_fields(each, "missing")}
        for each in value.second
    ]
    master = value.master
    return {
        "number": value.number,
        "draw": value.draw,
        "redrawn": list(value.redrawn),
        **make_json_fields(value, "code"),
        "slips": [
            {**{name: getattr(each, name) for name in SLIP_FIELDS}, **make_json_fields(each, "refused")}
            for each in value.slips
        ],
        "master": {name: getattr(master, name) for name in MASTER_FIELDS} if master else None,
        **({"corrections": corrections} if corrections else {}),
        **({"second": second} if second else {}),
    }


SLIP_FIELDS = ("player", "position", "word", "claimed", "late")
MASTER_FIELDS = ("position", "word", "reason")
CORRECTION_FIELDS = ("slip", "points", "why", "at")
"""What is always said of a slip, a master word, a correction."""


def format_json(value: Any, margin: str = "") -> str:
    """JSON that people can read: a value that holds no list of objects is on one line."""
    if (margin and _is_flat(value)) or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    inner = margin + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"{inner}{format_json(each, inner)}" for each in value) + f"\n{margin}]"
    lines = [f"{inner}{json.dumps(key, ensure_ascii=False)}: {format_json(each, inner)}" for key, each in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{margin}}}"


def _is_flat(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_is_flat(each) for each in value.values())
    return not isinstance(value, list) or all(not isinstance(each, dict) and _is_flat(each) for each in value)
