"""What a referee notes and decides, as values: consequences, figures, kinds of incidents."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.awards import AwardReason


class Effect(StrEnum):
    """What a referee decides."""

    NOTE = "note"
    """It stays in the log, and the player may have been warned; nothing else."""
    CLOCK = "clock"
    """Time is taken off the player's clock; the game goes on or begins."""
    POINTS = "points"
    """Penalty points."""
    AWARD = "award"
    """The game counts for the opponent."""
    EXPELLED = "expelled"
    """The game counts for the opponent, and the player is out of the event."""


EFFECTS: Mapping[Effect, Promise] = MappingProxyType(
    {
        Effect.NOTE: _("Note or warning only"),
        Effect.CLOCK: _("Time off the clock"),
        Effect.POINTS: _("Penalty points"),
        Effect.AWARD: _("The game counts for the opponent"),
        Effect.EXPELLED: _("Disqualified from the whole event"),
    }
)


CONDUCT = (Effect.NOTE, Effect.POINTS, Effect.AWARD, Effect.EXPELLED)
SETTLED_AT_THE_BOARD = (Effect.NOTE, Effect.POINTS)


class IncidentFigure(StrEnum):
    """What has to be known of an incident besides who and when."""

    SECONDS = "seconds"
    TILES = "tiles"
    GONE = "gone"
    """How much of the time for the game is gone."""
    TURN = "turn"
    """In which turn a word was laid, and what that turn scored."""


@dataclass(frozen=True, slots=True)
class IncidentKind:
    """A kind of incident under one book of rules.

    `says` is what the clause demands, in our words. `offered` are the consequences, the usual one first; `reason` is
    that of an award. `clock`: whether it is for events with or without chess clocks; None: for all.
    """

    key: str
    name: str | Promise
    clause: str
    says: str | Promise
    offered: tuple[Effect, ...] = (Effect.NOTE, Effect.POINTS, Effect.AWARD)
    figure: IncidentFigure | None = None
    reason: AwardReason = AwardReason.OTHER
    clock: bool | None = None
