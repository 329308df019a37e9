"""What a referee decides in the tests."""

from typing import Any

from games.models import Incident
from games.referee import operations as referee
from games.referee.effects import Decision
from games.referee.kinds import Effect
from games.referee.operations import NotedIncident
from tests import factories
from tournament.models import Pairing


def noted(effect: Effect, *sides: int, kind: str = "device", note: str = "", **decided: Any) -> NotedIncident:
    """A phone that rang, and what is decided about it."""
    decision = Decision(effect, frozenset(sides), words="Telefon (TSO 1.5 e)", **decided)
    return NotedIncident(kind, decision, clause="TSO 1.5 e", note=note)


def log(pairing: Pairing, effect: Effect, *sides: int, **more: Any) -> Incident:
    """Note an incident, whatever result stands there."""
    return referee.log_incident(
        pairing, noted=noted(effect, *sides, **more), actor=factories.director(), expected_version=None
    )
