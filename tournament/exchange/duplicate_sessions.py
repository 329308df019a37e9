"""The duplicate session of a division in the tournament file: read key by key; rows are kept by the app above."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from scoring.duplicate import MAX_TURNS, USUAL
from scoring.letters import LETTER_SETS
from tournament import limits
from tournament.exchange import sealed_file
from tournament.exchange.faults import Code, quoted
from tournament.exchange.shapes import Shape
from tournament.exchange.values import CorrectionData, DuplicateData, MasterData, SecondData, SlipData, TurnData
from tournament.models import Division, Entry, Tournament
from tournament.operations.change import Change


@dataclass(frozen=True, slots=True)
class SessionStore:
    """How the app above keeps sessions: `store` within an open change, `load` all of a tournament by division."""

    store: Callable[[Change, Division, DuplicateData, Mapping[str, Entry]], None]
    load: Callable[[Tournament, Mapping[int, str]], dict[int, DuplicateData]]


STORES: list[SessionStore] = []
"""Filled by the app above when it is ready (`games.registers`)."""


def store(log: Change, division: Division, session: DuplicateData, entries: Mapping[str, Entry]) -> None:
    """Store a checked session."""
    for one in STORES:
        one.store(log, division, session, entries)


def load(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, DuplicateData]:
    """The sessions by division; `keys` maps the entries' keys to the players' ids in the file. None of a
    tournament in which players meet, else five queries."""
    if tournament.rules.is_paired:
        return {}
    return {pk: session for one in STORES for pk, session in one.load(tournament, keys).items()}


def session(shape: Shape) -> DuplicateData:
    """The session of a division."""
    letters = shape.text("letters", longest=limits.WORD, required=True)
    if letters and letters not in LETTER_SETS:
        shape.note(Code.NOT_ALLOWED, "letters", value=quoted(letters), allowed=", ".join(LETTER_SETS))
    sealed_shape = shape.shape("sealed")
    value = DuplicateData(
        letters=letters,
        max_turns=shape.number("max_turns", limits.DUPLICATE_TURNS, default=MAX_TURNS),
        seconds=shape.number("seconds", limits.TURN_SECONDS, default=USUAL.turn_seconds),
        words=shape.text("words", longest=limits.WORD_LIST) or None,
        seed=shape.number("seed", limits.DUPLICATE_SEED, default=0),
        stopped=shape.text("stopped", longest=limits.WHY),
        twice=shape.flag("twice"),
        sealed=sealed_file.envelope(sealed_shape) if sealed_shape else None,
        turns=tuple(turn(each) for each in shape.shapes("turns", most=limits.DUPLICATE_TURNS.high)),
    )
    shape.close()
    return value


def turn(shape: Shape) -> TurnData:
    master_shape = shape.shape("master")
    value = TurnData(
        number=shape.whole("number", limits.DUPLICATE_TURNS, required=True) or 0,
        draw=shape.text("draw", longest=limits.SLIP_TEXT, required=True),
        redrawn=shape.texts("redrawn", longest=limits.SLIP_TEXT),
        slips=tuple(slip(each) for each in shape.shapes("slips")),
        master=master(master_shape) if master_shape else None,
        corrections=tuple(correction(each) for each in shape.shapes("corrections", most=limits.CORRECTIONS)),
        second=tuple(second(each) for each in shape.shapes("second")),
        code=shape.text("code", longest=limits.CODE),
    )
    shape.close()
    return value


def slip(shape: Shape) -> SlipData:
    value = SlipData(
        player=shape.text("player", longest=limits.PLAYER_ID, required=True),
        position=shape.text("position", longest=limits.SLIP_POSITION) or None,
        word=shape.text("word", longest=limits.SLIP_TEXT) or None,
        claimed=shape.whole("claimed", limits.CLAIMED),
        late=shape.flag("late"),
        refused=shape.flag("refused"),
    )
    shape.close()
    return value


def second(shape: Shape) -> SecondData:
    value = SecondData(
        player=shape.text("player", longest=limits.PLAYER_ID, required=True),
        position=shape.text("position", longest=limits.SLIP_POSITION) or None,
        word=shape.text("word", longest=limits.SLIP_TEXT) or None,
        claimed=shape.whole("claimed", limits.CLAIMED),
        late=shape.flag("late"),
        missing=shape.flag("missing"),
    )
    shape.close()
    return value


def master(shape: Shape) -> MasterData:
    value = MasterData(
        position=shape.text("position", longest=limits.SLIP_POSITION, required=True),
        word=shape.text("word", longest=limits.SLIP_TEXT, required=True),
        reason=shape.text("reason", longest=limits.WHY) or None,
    )
    shape.close()
    return value


def correction(shape: Shape) -> CorrectionData:
    day = shape.day("at")
    if not shape.has("at"):
        shape.log.add(Code.MISSING_KEY, shape.path, key="at")
    value = CorrectionData(
        slip=shape.text("slip", longest=limits.PLAYER_ID, required=True),
        points=shape.whole("points", limits.SLIP_POINTS, required=True) or 0,
        why=shape.text("why", longest=limits.WHY, required=True),
        at=day or date.min,
        alone=shape.flag("alone"),
    )
    shape.close()
    return value
