"""The shape of an event as a row of small blocks, one for each round, by method; for choosing among presets."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring import rulesets
from scoring.knockout_forms import make_form
from scoring.knockout_values import KnockoutSystem, MatchFormat
from tournament.events.groups import describe_plan
from tournament.events.presets import Preset
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Tournament
from tournament.models.choices import METHOD_LABELS
from tournament.pairing.values import Method
from tournament.rounds.plan import PlanSegment, read_round_plan

KNOCKOUT, TURNS = "knockout", "turns"  # what a block may be beside a method

LEGEND = (Method.RANDOM, Method.SWISS, Method.AUSTRALIAN, Method.CONTENTION, Method.ROUND_ROBIN, Method.GROUPS)
"""The methods of the presets, in the order in which an event uses them."""


def build_preset_row(preset: Preset) -> dict[str, Any]:
    """A preset among others: its name, whom it is for, and its rounds, as blocks (a list for each division) and in
    words."""
    duplicate = rulesets.get(preset.ruleset).duplicate
    blocks, rounds = list_blocks(preset.plan, preset.knockout), str(preset.rounds or "–")
    if duplicate is not None:
        blocks, rounds = [TURNS], _("%(turns)s turns") % {"turns": duplicate.turns}
    elif preset.knockout is not None:
        games = str(blocks.count(KNOCKOUT))
        rounds = f"{rounds} + {games}" if preset.plan else games
    elif preset.plan and all(part.method == Method.ROUND_ROBIN for part in preset.plan):
        # As many as the players need: the number in the preset is that of eight.
        rounds = "n − 1"
    return {
        "key": preset.key,
        "name": preset.name,
        "audience": preset.audience,
        "blocks": [blocks] * len(preset.divisions) if blocks else [],
        "said": "" if duplicate else ", ".join(describe_plan(preset.plan, preset.knockout)),
        "rounds": rounds,
        "length": preset.length,
        "url": reverse("director:new_from", args=[preset.key]),
    }


def build_earlier_row(tournament: Tournament) -> dict[str, Any]:
    """An earlier event that can be copied, as a preset's row without a key; its divisions are fetched."""
    divisions = sorted(tournament.divisions.all(), key=lambda division: division.position)
    plans = [read_round_plan(division.plan) for division in divisions]
    return {
        "key": "",
        "name": tournament.name,
        "audience": tournament.place,
        "blocks": [blocks for plan in plans if (blocks := list_blocks(plan))],
        "said": ", ".join(describe_plan(plans[0])) if plans else "",
        "rounds": str(max((plan[-1].last for plan in plans if plan), default="–")),
        "length": date_format(tournament.starts_on, "SHORT_DATE_FORMAT") if tournament.starts_on else "",
        "url": reverse("director:copy", args=[tournament.slug]),
    }


def list_blocks(plan: Sequence[PlanSegment], knockout: KnockoutPlan | None = None) -> list[str]:
    """A block for each round: its method, at last the games on the way through a knock-out."""
    blocks = [str(part.method) for part in plan for _round in range(part.first, part.last + 1)]
    if knockout is None:
        return blocks
    games = 2 if knockout.form == MatchFormat.DOUBLE else 1
    form = make_form(KnockoutSystem(knockout.system), knockout.size)
    return blocks + [KNOCKOUT] * (games * len(form.stages))


def list_shape_legend() -> list[tuple[str, str]]:
    """The blocks that presets have, with their names."""
    return [*((str(method), str(METHOD_LABELS[method])) for method in LEGEND), (KNOCKOUT, _("Knock-out"))]
