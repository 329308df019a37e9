"""The tournament file's text, always in one form: keys in a fixed order, defaults left out, one player or game a
line."""

import json
from typing import Any

from scoring.sealed import Envelope
from scoring.standings import Ranking, TieRule
from tournament.basics.languages import get_usual_language
from tournament.basics.showing import SHOWING_STEPS, SHOWN_AT_ONCE, ShowingRule
from tournament.exchange.objects import make_json_value, make_object_json
from tournament.exchange.values import EventData, PairingData, SegmentData

TOURNAMENT_FORMAT, TOURNAMENT_VERSION = "tso-tournament", 1


def make_event_json(value: EventData) -> dict[str, Any]:
    """The whole file as JSON values."""
    awards = {name: getattr(value.awards, name) for name in ("bye_spread", "bye_points", "loss_spread")}
    keys = [*make_object_json(value, ranking=_make_ranking_json(value.ranking), awards=awards).items()]
    place = next(number for number, (key, _value) in enumerate(keys) if key == "awards")
    keys.insert(place, ("spread_cap", make_spread_cap_json(value.ranking)))
    made = {"format": TOURNAMENT_FORMAT, "version": TOURNAMENT_VERSION, **dict(keys)}
    if value.language == get_usual_language(value.ruleset):
        del made["language"]
    return made


def _make_ranking_json(value: Ranking) -> dict[str, Any]:
    ties = {"ties": TieRule.SHARED.value} if value.shared_ties else {}
    order = [criterion.value for criterion in value.order]
    return {"basis": value.basis.value, "order": order, "withdrawn": value.withdrawn.value, **ties}


def make_spread_cap_json(value: Ranking) -> list[int] | int | None:
    """The cap as the file writes it: null, one number, or a list by round."""
    if len(value.spread_cap) > 1:
        return list(value.spread_cap)
    return value.spread_cap[0] if value.spread_cap else None


def make_envelope_json(value: Envelope) -> dict[str, Any]:
    """A session that was fixed beforehand, as it was sealed."""
    return make_object_json(value)


@make_json_value.register
def _(value: ShowingRule) -> dict[str, Any]:
    steps = {step.value: str(getattr(value, step.value)) for step in SHOWING_STEPS}
    return {name: text for name, text in steps.items() if text != SHOWN_AT_ONCE}


@make_json_value.register
def _(value: SegmentData) -> dict[str, Any]:
    more = make_object_json(value)
    return {"rounds": [more.pop("first"), more.pop("last")], **more}


@make_json_value.register
def _(value: PairingData) -> dict[str, Any]:
    return {"table": value.table, **make_object_json(value)}


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
