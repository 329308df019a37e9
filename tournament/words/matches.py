"""The knock-out in the reader's words: stages, matches, and what decided them (TSO 6.2)."""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scoring.knockout import DecidedBy, WaitsFor
from tournament.words import criteria

NAMES: Mapping[int, Promise] = MappingProxyType(
    {
        0: gettext_lazy("Final"),
        1: gettext_lazy("Semi-finals"),
        2: gettext_lazy("Quarter-finals"),
        3: gettext_lazy("Round of 16"),
        4: gettext_lazy("Round of 32"),
        5: gettext_lazy("Round of 64"),
    }
)
"""The stages, by how many follow; a knock-out has 64 players at most."""

ONE_OF_STAGE: Mapping[int, Promise] = MappingProxyType(
    {0: gettext_lazy("Final"), 1: gettext_lazy("Semi-final"), 2: gettext_lazy("Quarter-final")}
)

DECIDED: Mapping[DecidedBy, Promise] = MappingProxyType(
    {
        DecidedBy.POINTS: pgettext_lazy("decided a match", "by points"),
        DecidedBy.WINS: pgettext_lazy("decided a match", "by wins"),
        DecidedBy.MOST_BINGOS: pgettext_lazy("decided a match", "more seven-tile plays"),
        DecidedBy.PRELIMINARY_RANK: pgettext_lazy("decided a match", "better preliminary place"),
        DecidedBy.PLAYING_TIME: pgettext_lazy("decided a match", "less time used"),
        DecidedBy.DECIDER_GAME: pgettext_lazy("decided a match", "by a deciding game"),
        DecidedBy.HIGHEST_GAME: pgettext_lazy("decided a match", "highest game"),
        DecidedBy.HIGHEST_MOVE: pgettext_lazy("decided a match", "highest move"),
        DecidedBy.FORFEIT: pgettext_lazy("decided a match", "by forfeit"),
        DecidedBy.WALKOVER: pgettext_lazy("decided a match", "without a game"),
        DecidedBy.LOT: pgettext_lazy("decided a match", "by lot"),
    }
)

USUAL = frozenset({DecidedBy.POINTS, DecidedBy.WINS})
"""What decides a match where nothing has to be said about it: the score says so already."""


def stage_name(stages: int, stage: int) -> str:
    """The name of a stage as a heading: Final, Semi-finals, Round of 16. `stage` counts from 1, of `stages` in all."""
    return str(NAMES[stages - stage])


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


def seed(number: int) -> str:
    """Who will take a place that belongs to a seed not confirmed yet."""
    return _("seed %(number)s") % {"number": number}


def bye() -> str:
    """What stands where a player has no opponent in the first stage."""
    return pgettext("knock-out", "bye")


def nobody() -> str:
    """What stands where nobody advances, since both players forfeited."""
    return pgettext("knock-out", "nobody")


def decided(by: DecidedBy | None) -> str:
    """What a match was decided by; an empty text while it is not."""
    return "" if by is None else str(DECIDED[by])


def waits(reason: WaitsFor | None) -> str:
    """What a match that was played still needs to have a winner; an empty text while it waits for players or games."""
    if reason == WaitsFor.LOT:
        return _("level: a lot decides")
    return _("level: a figure is missing") if reason == WaitsFor.FACTS else ""


HIGHEST_MOVES: Mapping[int, Promise] = MappingProxyType(
    {
        2: gettext_lazy("second-highest move"),
        3: gettext_lazy("third-highest move"),
        4: gettext_lazy("fourth-highest move"),
        5: gettext_lazy("fifth-highest move"),
    }
)
"""The places of a list of moves behind the highest; `unusual` says the later ones."""


def unusual(by: DecidedBy | None, nth: int = 1) -> str:
    """What a match was decided by where the score does not say so already; else an empty text.

    `nth`: of the highest games or moves, which place decided.
    """
    if by is None or by in USUAL:
        return ""
    if nth == 1:
        return decided(by)
    if by == DecidedBy.HIGHEST_GAME:
        return criteria.highest_game(nth)
    if nth in HIGHEST_MOVES:
        return str(HIGHEST_MOVES[nth])
    return _("no. %(place)s of the highest moves") % {"place": nth}
