"""Which figures each reason has: what is stored of a pair, what the file holds, and what its sentence may state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from tournament.pairing.values import ByeBy, FloatBecause, ReasonCode, StarterBy


class FigureKind(Enum):
    """What a figure is."""

    NUMBER = "number"
    NUMBER_OR_NONE = "number_or_none"
    TWO_NUMBERS = "two_numbers"
    NUMBERS = "numbers"
    SWITCH = "switch"
    WORD = "word"
    PLAYER = "player"  # a key
    PLAYERS = "players"


Shape = Mapping[str, FigureKind]

RANKS: Shape = {"first": FigureKind.NUMBER_OR_NONE, "second": FigureKind.NUMBER_OR_NONE}
PLACES: Shape = {"places": FigureKind.TWO_NUMBERS, "of": FigureKind.NUMBER}
SIDE: Shape = {"from": FigureKind.NUMBER, "above": FigureKind.SWITCH, "left_over": FigureKind.NUMBER}

SHAPES: Mapping[ReasonCode, Shape] = {
    ReasonCode.HAND: {},
    ReasonCode.LOCKED: {},
    ReasonCode.RANKS: RANKS,
    ReasonCode.SEEDING: {**RANKS, "by": FigureKind.WORD},
    ReasonCode.SCORE_GROUP: {"half_wins": FigureKind.NUMBER},
    ReasonCode.HALVES: PLACES,
    ReasonCode.PLACES: PLACES,
    ReasonCode.NEIGHBOURS: {"between": FigureKind.NUMBER},
    ReasonCode.RANKS_APART: {"apart": FigureKind.NUMBER, "wanted": FigureKind.NUMBER},
    ReasonCode.DRAWN: {},
    ReasonCode.SCHEDULE: {},
    ReasonCode.GROUP: {"group": FigureKind.NUMBER},
    ReasonCode.FLOAT: {"half_wins": FigureKind.TWO_NUMBERS, "because": FigureKind.WORD},
    ReasonCode.PASSED_OVER: {"player": FigureKind.PLAYER, "who": FigureKind.PLAYERS, "because": FigureKind.WORD},
    ReasonCode.REPEAT: {"rounds": FigureKind.NUMBERS},
    ReasonCode.SAME_CLUB: {},
    ReasonCode.KEPT_APART: {},
    ReasonCode.BYE: {"had": FigureKind.NUMBER, "fewest": FigureKind.NUMBER, "by": FigureKind.WORD},
    ReasonCode.STARTER: {"by": FigureKind.WORD, "starts": FigureKind.TWO_NUMBERS, "replies": FigureKind.TWO_NUMBERS},
    ReasonCode.THIRD_START: {"row": FigureKind.NUMBER},
}

MORE: Mapping[str, Shape] = {
    FloatBecause.ODD_GROUP: {"from": FigureKind.NUMBER, "players": FigureKind.NUMBER},
    FloatBecause.BYE: {"from": FigureKind.NUMBER, "players": FigureKind.NUMBER},
    FloatBecause.BESIDE_LOCKED: {"from": FigureKind.NUMBER},
    FloatBecause.MET: SIDE,
    FloatBecause.KEPT_APART: SIDE,
    FloatBecause.TOTAL: {"bye": FigureKind.SWITCH},
}
"""What a float has beside, by what it is because of."""

MORE_OF_BYES: Mapping[str, Shape] = {
    ByeBy.GERMAN: {"from_bottom": FigureKind.NUMBER, "rounds_left": FigureKind.NUMBER},
    ByeBy.MET: {"who": FigureKind.PLAYERS},
}
"""What a bye has beside, by what has brought it."""

WORDS: Mapping[tuple[ReasonCode, str], frozenset[str]] = {
    (ReasonCode.SEEDING, "by"): frozenset({"rating", "entry"}),
    (ReasonCode.FLOAT, "because"): frozenset(FloatBecause),
    (ReasonCode.PASSED_OVER, "because"): frozenset({FloatBecause.MET, FloatBecause.KEPT_APART}),
    (ReasonCode.BYE, "by"): frozenset(ByeBy),
    (ReasonCode.STARTER, "by"): frozenset(StarterBy),
}
"""The words that a figure can be."""

PLAYERS = ("player", "who")
"""The figures that name players."""


def shape(code: ReasonCode, figures: Mapping[str, Any]) -> Shape:
    """The figures that a reason with this code has, by what it says it is because of."""
    more = {
        ReasonCode.FLOAT: MORE.get(str(figures.get("because")), {}),
        ReasonCode.BYE: MORE_OF_BYES.get(str(figures.get("by")), {}),
    }
    return {**SHAPES[code], **more.get(code, {})}


def players(figures: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The players whom the figures name, each with the figure's name."""
    for name in PLAYERS:
        value = figures.get(name)
        if value is not None:
            yield from ((name, key) for key in (value if isinstance(value, list) else [value]))


def renamed(figures: Mapping[str, Any], names: Mapping[Any, Any]) -> dict[str, Any]:
    """The figures with every player under another name; those who have none are left out of lists."""

    def named(name: str, value: Any) -> Any:
        if name not in PLAYERS:
            return value
        return [names[key] for key in value if key in names] if isinstance(value, list) else names[value]

    return {name: named(name, value) for name, value in figures.items()}
