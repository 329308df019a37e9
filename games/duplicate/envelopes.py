"""A session fixed beforehand between its column and its value, and what it says of a turn."""

from dataclasses import asdict
from typing import Any

from games.models import DuplicateSession, DuplicateTurn
from scoring import sealed
from scoring.sealed import Envelope, FixedTurn, Seal


def as_object(envelope: Envelope) -> dict[str, Any]:
    """What the column holds."""
    told = asdict(envelope)
    return {**told, "turns": list(told["turns"])}


def of(value: dict[str, Any] | None) -> Envelope | None:
    """The session that the column holds; None where nothing was fixed beforehand."""
    if value is None:
        return None
    return Envelope(**{**value, "turns": tuple(Seal(**each) for each in value["turns"])})


def fixed(session: DuplicateSession, turn: DuplicateTurn) -> FixedTurn | None:
    """What was fixed of a turn that has been opened; None where nothing was, or where its code is not known here."""
    envelope = of(session.sealed)
    if envelope is None:
        return None
    try:
        return sealed.opened(envelope, turn.number, turn.code or session.code)
    except sealed.WrongCode:
        return None
