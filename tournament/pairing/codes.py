"""Which figures each reason has: what is stored of a pair, what the file holds, and what its sentence may state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from tournament.pairing.values import ByeBy, Code, FloatBecause, StarterBy


class Kind(Enum):
    """What a figure is."""

    NUMBER = "number"
    NUMBER_OR_NONE = "number_or_none"
    TWO_NUMBERS = "two_numbers"
    NUMBERS = "numbers"
    SWITCH = "switch"
    WORD = "word"
    PLAYER = "player"  # a key
    PLAYERS = "players"


Shape = Mapping[str, Kind]

RANKS: Shape = {"first": Kind.NUMBER_OR_NONE, "second": Kind.NUMBER_OR_NONE}
PLACES: Shape = {"places": Kind.TWO_NUMBERS, "of": Kind.NUMBER}
SIDE: Shape = {"from": Kind.NUMBER, "above": Kind.SWITCH, "left_over": Kind.NUMBER}

SHAPES: Mapping[Code, Shape] = {
    Code.HAND: {},
    Code.LOCKED: {},
    Code.RANKS: RANKS,
    Code.SEEDING: {**RANKS, "by": Kind.WORD},
    Code.SCORE_GROUP: {"half_wins": Kind.NUMBER},
    Code.HALVES: PLACES,
    Code.PLACES: PLACES,
    Code.NEIGHBOURS: {"between": Kind.NUMBER},
    Code.RANKS_APART: {"apart": Kind.NUMBER, "wanted": Kind.NUMBER},
    Code.DRAWN: {},
    Code.SCHEDULE: {},
    Code.GROUP: {"group": Kind.NUMBER},
    Code.FLOAT: {"half_wins": Kind.TWO_NUMBERS, "because": Kind.WORD},
    Code.PASSED_OVER: {"player": Kind.PLAYER, "who": Kind.PLAYERS, "because": Kind.WORD},
    Code.REPEAT: {"rounds": Kind.NUMBERS},
    Code.SAME_CLUB: {},
    Code.KEPT_APART: {},
    Code.BYE: {"had": Kind.NUMBER, "fewest": Kind.NUMBER, "by": Kind.WORD},
    Code.STARTER: {"by": Kind.WORD, "starts": Kind.TWO_NUMBERS, "replies": Kind.TWO_NUMBERS},
    Code.THIRD_START: {"row": Kind.NUMBER},
}

MORE: Mapping[str, Shape] = {
    FloatBecause.ODD_GROUP: {"from": Kind.NUMBER, "players": Kind.NUMBER},
    FloatBecause.BYE: {"from": Kind.NUMBER, "players": Kind.NUMBER},
    FloatBecause.BESIDE_LOCKED: {"from": Kind.NUMBER},
    FloatBecause.MET: SIDE,
    FloatBecause.KEPT_APART: SIDE,
    FloatBecause.TOTAL: {"bye": Kind.SWITCH},
}
"""What a float has beside, by what it is because of."""

MORE_OF_BYES: Mapping[str, Shape] = {
    ByeBy.GERMAN: {"from_bottom": Kind.NUMBER, "rounds_left": Kind.NUMBER},
    ByeBy.MET: {"who": Kind.PLAYERS},
}
"""What a bye has beside, by what has brought it."""

WORDS: Mapping[tuple[Code, str], frozenset[str]] = {
    (Code.SEEDING, "by"): frozenset({"rating", "entry"}),
    (Code.FLOAT, "because"): frozenset(FloatBecause),
    (Code.PASSED_OVER, "because"): frozenset({FloatBecause.MET, FloatBecause.KEPT_APART}),
    (Code.BYE, "by"): frozenset(ByeBy),
    (Code.STARTER, "by"): frozenset(StarterBy),
}
"""The words that a figure can be."""

PLAYERS = ("player", "who")
"""The figures that name players."""


def shape(code: Code, figures: Mapping[str, Any]) -> Shape:
    """The figures that a reason with this code has, by what it says it is because of."""
    more = {
        Code.FLOAT: MORE.get(str(figures.get("because")), {}),
        Code.BYE: MORE_OF_BYES.get(str(figures.get("by")), {}),
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
