"""What a referee decides in the tests."""

from typing import Any

from games.models import Incident
from games.referee.catalogue import IncidentEffect
from games.referee.effects import RefereeDecision
from games.referee.operations import NotedIncident, log_incident
from tests import factories
from tournament.models import Pairing


def noted(effect: IncidentEffect, *sides: int, kind: str = "device", note: str = "", **decided: Any) -> NotedIncident:
    """A phone that rang, and what is decided about it."""
    decision = RefereeDecision(effect, frozenset(sides), words="Telefon (TSO 1.5 e)", **decided)
    return NotedIncident(kind, decision, clause="TSO 1.5 e", note=note)


def log(pairing: Pairing, effect: IncidentEffect, *sides: int, **more: Any) -> Incident:
    """Note an incident, whatever result stands there."""
    return log_incident(pairing, noted=noted(effect, *sides, **more), actor=factories.director(), expected_version=None)
