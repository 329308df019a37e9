"""A score sheet: what was written down turn by turn, what it adds up to, and what breaks the rules (TSO 3, 5)."""

from enum import IntEnum, StrEnum


class Side(IntEnum):
    """Whose turn: the player who starts, or the one who replies."""

    FIRST = 1
    SECOND = 2


class Kind(StrEnum):
    """What a line of a score sheet records."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"
    WITHDRAWN = "withdrawn"
    """A play taken back after a challenge: 0 points, the turn is over (TSO 3.1.4)."""
    CHALLENGE = "challenge"
    """Points for a challenge that failed: taken off the challenger; no turn of its own."""
    PENALTY = "penalty"
    """Other penalty points, with a reason; no turn of its own."""
