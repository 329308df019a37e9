"""What rounds and tables are called: by number in the league, by stage and game in the knock-out.

To name a round of the knock-out, its division's knock-out is read; fetch `division__knockout` to name many.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.utils.translation import gettext as _

from scoring.knockout import Form, stages
from tournament.models import Knockout, Pairing, Round
from tournament.words import matches


@dataclass(frozen=True, slots=True)
class KnockoutPlace:
    """Where a game stands in the knock-out: `stage` (from 1) of `stages`, `game` of its match, `position` from the top.

    `position` is None for all matches of the stage, `game` None for a whole match; `single` if a match is one game.
    """

    stage: int
    stages: int
    game: int | None
    position: int | None = None
    single: bool = False

    def __str__(self) -> str:
        if self.game is None or (self.single and self.game == 1):
            return self.match
        return _("%(match)s, game %(game)s") % {"match": self.match, "game": self.game}

    @property
    def match(self) -> str:
        """The match: Final, Semi-final 2, Match for third place; without a position the stage in the singular."""
        name = matches.match_stage(self.stages, self.stage, self.position or 1)
        if self.position is None or self.stage == self.stages:
            return name
        words = {"stage": name, "position": self.position}
        if self.stages - self.stage in matches.ONE_OF_STAGE:
            return _("%(stage)s %(position)s") % words
        return _("%(stage)s, no. %(position)s") % words

    def stored(self) -> dict[str, Any]:
        """As the journal keeps it, for `read`."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "KnockoutPlace":
        """What `stored` wrote."""
        return cls(**stored)


def place_of(round: Round, table: int | None = None) -> KnockoutPlace | None:
    """Where a round's games, or the one at a table, stand in the knock-out; None for a round of the league."""
    if round.stage is None or round.game is None:
        return None
    knockout: Knockout | None = getattr(round.division, "knockout", None)
    size = knockout.size if knockout else 2**round.stage
    single = knockout is not None and knockout.form == Form.SINGLE
    return KnockoutPlace(round.stage, stages(size), round.game, table, single)


def round_name(round: Round) -> str:
    """Round 5; Semi-final, game 1."""
    return str(place_of(round) or _("Round %(number)s") % {"number": round.number})


def round_phrase(round: Round) -> str:
    """The same inside a sentence: round 5; Semi-final, game 1."""
    return str(place_of(round) or _("round %(number)s") % {"number": round.number})


def table_name(pairing: Pairing) -> str:
    """Table 3, round 5; Semi-final 2, game 1; a bye or an absence by its kind."""
    place = place_of(pairing.round, pairing.table)
    if place is not None:
        return str(place)
    number = pairing.round.number
    if pairing.table:
        return _("Table %(table)s, round %(number)s") % {"table": pairing.table, "number": number}
    return _("%(kind)s, round %(number)s") % {"kind": pairing.get_kind_display(), "number": number}


def where(pairing: Pairing) -> dict[str, Any]:
    """Which game an entry of the journal is about: its division with round and table, or its place in the knock-out."""
    round = pairing.round
    place = place_of(round, pairing.table)
    named = {"round": round.number, "table": pairing.table} if place is None else {"knockout": place.stored()}
    return {"division": round.division.name, **named}


def match_name(knockout: Knockout, stage: int, position: int) -> str:
    """A match of a knock-out by its place: Semi-final 2, Match for third place."""
    return str(KnockoutPlace(stage, stages(knockout.size), None, position))


def game_name(knockout: Knockout, stage: int, position: int, game: int) -> str:
    """A game of a knock-out by its place: Semi-final 2, game 1."""
    return str(KnockoutPlace(stage, stages(knockout.size), game, position, knockout.form == Form.SINGLE))


def stored_match(knockout: Knockout, stage: int, position: int) -> dict[str, Any]:
    """A match as the journal keeps it."""
    return KnockoutPlace(stage, stages(knockout.size), None, position).stored()
