"""The knock-out: who wins a match and by what, and the bracket as a value (TSO 6.2)."""

from enum import StrEnum


class Form(StrEnum):
    """How a match is played."""

    SINGLE = "single"
    DOUBLE = "double"
    BEST_OF = "best_of"


class Criterion(StrEnum):
    """What the announcement may name to decide a match that is level."""

    MOST_BINGOS = "most_bingos"
    PRELIMINARY_RANK = "preliminary_rank"
    PLAYING_TIME = "playing_time"
    DECIDER_GAME = "decider_game"
