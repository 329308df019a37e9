"""Which figures each reason has: as stored with a pair, as written to the file, and as its sentence may state them."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from tournament.pairing.values import ByeReason, FloatReason, ReasonCode, StarterReason


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


FigureShape = Mapping[str, FigureKind]

RANK_SHAPE: FigureShape = {"first": FigureKind.NUMBER_OR_NONE, "second": FigureKind.NUMBER_OR_NONE}
PLACES_SHAPE: FigureShape = {"places": FigureKind.TWO_NUMBERS, "of": FigureKind.NUMBER}
SIDE_SHAPE: FigureShape = {"from": FigureKind.NUMBER, "above": FigureKind.SWITCH, "left_over": FigureKind.NUMBER}

REASON_SHAPES: Mapping[ReasonCode, FigureShape] = {
    ReasonCode.HAND: {},
    ReasonCode.LOCKED: {},
    ReasonCode.RANKS: RANK_SHAPE,
    ReasonCode.SEEDING: {**RANK_SHAPE, "by": FigureKind.WORD},
    ReasonCode.SCORE_GROUP: {"half_wins": FigureKind.NUMBER},
    ReasonCode.HALVES: PLACES_SHAPE,
    ReasonCode.PLACES: PLACES_SHAPE,
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

FLOAT_SHAPES: Mapping[str, FigureShape] = {
    FloatReason.ODD_GROUP: {"from": FigureKind.NUMBER, "players": FigureKind.NUMBER},
    FloatReason.BYE: {"from": FigureKind.NUMBER, "players": FigureKind.NUMBER},
    FloatReason.BESIDE_LOCKED: {"from": FigureKind.NUMBER},
    FloatReason.MET: SIDE_SHAPE,
    FloatReason.KEPT_APART: SIDE_SHAPE,
    FloatReason.TOTAL: {"bye": FigureKind.SWITCH},
}
"""What else a float has, by its cause."""

BYE_SHAPES: Mapping[str, FigureShape] = {
    ByeReason.GERMAN: {"from_bottom": FigureKind.NUMBER, "rounds_left": FigureKind.NUMBER},
    ByeReason.MET: {"who": FigureKind.PLAYERS},
}
"""What else a bye has, by its cause."""

FIGURE_WORDS: Mapping[tuple[ReasonCode, str], frozenset[str]] = {
    (ReasonCode.SEEDING, "by"): frozenset({"rating", "entry"}),
    (ReasonCode.FLOAT, "because"): frozenset(FloatReason),
    (ReasonCode.PASSED_OVER, "because"): frozenset({FloatReason.MET, FloatReason.KEPT_APART}),
    (ReasonCode.BYE, "by"): frozenset(ByeReason),
    (ReasonCode.STARTER, "by"): frozenset(StarterReason),
}
"""The words that a figure can be."""

PLAYER_FIGURES = ("player", "who")
"""The figures that name players."""


def get_reason_shape(code: ReasonCode, figures: Mapping[str, Any]) -> FigureShape:
    """The figures that a reason with this code has, by what it says it is because of."""
    more = {
        ReasonCode.FLOAT: FLOAT_SHAPES.get(str(figures.get("because")), {}),
        ReasonCode.BYE: BYE_SHAPES.get(str(figures.get("by")), {}),
    }
    return {**REASON_SHAPES[code], **more.get(code, {})}


def list_figure_players(figures: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The players whom the figures name, each with the figure's name."""
    for name in PLAYER_FIGURES:
        if (value := figures.get(name)) is not None:
            yield from ((name, key) for key in (value if isinstance(value, list) else [value]))


def rename_figure_players(figures: Mapping[str, Any], names: Mapping[Any, Any]) -> dict[str, Any]:
    """The figures with every player under another name; those who have none are left out of lists."""
    renamed = dict(figures)
    for name in figures.keys() & set(PLAYER_FIGURES):
        value = figures[name]
        renamed[name] = [names[key] for key in value if key in names] if isinstance(value, list) else names[value]
    return renamed
