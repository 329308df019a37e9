"""What the tournament file says of how a round was drawn: the reasons of its pairings, and the notes on the whole."""

from collections.abc import Callable, Mapping
from typing import Any

from tournament import limits
from tournament.exchange.faults import Code as Fault
from tournament.exchange.faults import quoted
from tournament.exchange.shapes import Shape
from tournament.exchange.values import NoteData
from tournament.pairing import codes
from tournament.pairing.codes import FigureKind
from tournament.pairing.values import NoteCode, ReasonCode, Unless

WITH_FIGURE = {NoteCode.ROUNDS_NEEDED, NoteCode.LOOKED_AHEAD, NoteCode.NOT_SEARCHED, NoteCode.TABLE_TAKEN}
WITH_FIGURE |= {NoteCode.TABLES_DIFFER}
"""The notes whose sentence states a figure."""

OF_PLAYERS = frozenset(NoteCode) - {NoteCode.ROUNDS_NEEDED, NoteCode.NOT_SEARCHED}
"""The notes whose sentence names players."""

MOST = 100
"""So many numbers at most in a list of figures."""


def note(shape: Shape) -> NoteData:
    """A note on a round."""
    code = shape.choice("code", NoteCode, required=True) or NoteCode.REPEATS
    value = NoteData(
        code=code,
        players=shape.texts("players", longest=limits.PLAYER_ID, required=code in OF_PLAYERS),
        figure=shape.whole("figure", limits.FIGURE, required=code in WITH_FIGURE),
        unless=shape.choices("unless", Unless),
    )
    shape.close()
    return value


def reason(shape: Shape) -> dict[str, Any]:
    """Why two meet: a code with exactly the figures that belong to it."""
    code = shape.choice("code", ReasonCode, required=True)
    if code is None:
        return {}
    words = {name: _word(shape, name, allowed) for (owner, name), allowed in codes.WORDS.items() if owner is code}
    figures = {
        name: words[name] if name in words else _READ[kind](shape, name)
        for name, kind in codes.shape(code, words).items()
    }
    shape.close()
    return {"code": code.value, **figures}


def _word(shape: Shape, name: str, allowed: frozenset[str]) -> str:
    """One of the words that are allowed; any of them, with a note, where another one stands."""
    text = shape.text(name, longest=limits.WORD, required=True)
    if text in allowed:
        return text
    if text:
        shape.note(Fault.NOT_ALLOWED, name, value=quoted(text), allowed=", ".join(sorted(allowed)))
    return min(allowed)


def _two_numbers(shape: Shape, name: str) -> list[int]:
    numbers = shape.wholes(name, limits.FIGURE, most=2, required=True)
    if len(numbers) == 1:
        shape.note(Fault.EMPTY, name)
    return [*numbers, 0, 0][:2]


def _some(shape: Shape, name: str, found: tuple[Any, ...]) -> list[Any]:
    """The elements of a list that cannot be empty: its sentence names them."""
    if not found and shape.has(name):
        shape.note(Fault.EMPTY, name)
    return list(found)


_READ: Mapping[FigureKind, Callable[[Shape, str], Any]] = {
    FigureKind.NUMBER: lambda shape, name: shape.whole(name, limits.FIGURE, required=True) or 0,
    FigureKind.NUMBER_OR_NONE: lambda shape, name: shape.whole(name, limits.FIGURE),
    FigureKind.TWO_NUMBERS: _two_numbers,
    FigureKind.NUMBERS: lambda shape, name: _some(
        shape, name, shape.wholes(name, limits.FIGURE, most=MOST, required=True)
    ),
    FigureKind.SWITCH: lambda shape, name: shape.flag(name),
    FigureKind.PLAYER: lambda shape, name: shape.text(name, longest=limits.PLAYER_ID, required=True),
    FigureKind.PLAYERS: lambda shape, name: _some(
        shape, name, shape.texts(name, longest=limits.PLAYER_ID, required=True)
    ),
}
