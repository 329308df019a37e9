"""The knock-out in the reader's words: stages, matches, and what decided them (TSO 6.2)."""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

LATE_STAGES: Mapping[int, Promise] = MappingProxyType(
    {0: gettext_lazy("Final"), 1: gettext_lazy("Semi-finals"), 2: gettext_lazy("Quarter-finals")}
)
"""The stages that have names, by how many stages follow."""

ONE_OF_STAGE: Mapping[int, Promise] = MappingProxyType(
    {0: gettext_lazy("Final"), 1: gettext_lazy("Semi-final"), 2: gettext_lazy("Quarter-final")}
)

DECIDED: Mapping[str, Promise] = MappingProxyType(
    {
        "points": pgettext_lazy("decided a match", "by points"),
        "wins": pgettext_lazy("decided a match", "by wins"),
        "most_bingos": pgettext_lazy("decided a match", "more plays of all seven tiles"),
        "preliminary_rank": pgettext_lazy("decided a match", "better place before the knock-out"),
        "playing_time": pgettext_lazy("decided a match", "less time used"),
        "decider_game": pgettext_lazy("decided a match", "by a deciding game"),
        "highest_game": pgettext_lazy("decided a match", "highest game"),
        "highest_move": pgettext_lazy("decided a match", "highest move"),
        "forfeit": pgettext_lazy("decided a match", "by forfeit"),
        "walkover": pgettext_lazy("decided a match", "without a game"),
        "lot": pgettext_lazy("decided a match", "by lot"),
    }
)

USUAL = frozenset({"points", "wins"})
"""What decides a match where nothing has to be said about it: the score says so already."""


def stage_name(stages: int, stage: int) -> str:
    """The name of a stage as a heading: Final, Semi-finals, Round of 16. `stage` counts from 1, of `stages` in all."""
    to_come = stages - stage
    if to_come in LATE_STAGES:
        return str(LATE_STAGES[to_come])
    return _("Round of %(players)s") % {"players": 2 ** (to_come + 1)}


def match_stage(stages: int, stage: int, position: int = 1) -> str:
    """What one match is: Final, Match for third place, Semi-final, Round of 16. `position` counts from the top."""
    to_come = stages - stage
    if to_come == 0 and position > 1:
        return third_place()
    return str(ONE_OF_STAGE[to_come]) if to_come in ONE_OF_STAGE else stage_name(stages, stage)


def third_place() -> str:
    """The name of the match between the losers of the semi-finals."""
    return _("Match for third place")


def match(number: int) -> str:
    """A match by its number in the bracket."""
    return _("Match %(number)s") % {"number": number}


def winner_of(number: int) -> str:
    """Who will take a place that is still open."""
    return _("winner of match %(number)s") % {"number": number}


def loser_of(number: int) -> str:
    """Who will take an open place in the match for third place."""
    return _("loser of match %(number)s") % {"number": number}


def bye() -> str:
    """What stands where a player has no opponent in the first stage."""
    return pgettext("knock-out", "bye")


def nobody() -> str:
    """What stands where nobody advances, since both players forfeited (TSO 6.2)."""
    return pgettext("knock-out", "nobody")


def decided(by: str | None) -> str:
    """By what a match was decided; the empty text while it is not. Takes a `DecidedBy` of `scoring.knockout`."""
    return "" if by is None else str(DECIDED[by])


def unusual(by: str | None) -> str:
    """By what a match was decided where its score does not say so already; else the empty text."""
    return "" if by is None or by in USUAL else decided(by)
