"""Names of rounds and tables: by number in the league, by stage and game in the knock-out. Naming a knock-out round
reads `division__knockout`; fetch it to name many."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from scoring.knockout import stage_count
from scoring.knockout_values import MatchFormat
from tournament.basics.showing import ShowingStep, ShowingTime, ShowingTrigger
from tournament.models import Knockout, Pairing, Round

STAGE_NAMES: Mapping[int, Promise] = MappingProxyType(
    {
        0: gettext_lazy("Final"),
        1: gettext_lazy("Semi-finals"),
        2: gettext_lazy("Quarter-finals"),
        3: gettext_lazy("Round of 16"),
        4: gettext_lazy("Round of 32"),
        5: gettext_lazy("Round of 64"),
    }
)
"""The stages, by the number that follow; a knock-out has at most 64 players."""

STAGE_MATCH_NAMES: Mapping[int, Promise] = MappingProxyType(
    {0: gettext_lazy("Final"), 1: gettext_lazy("Semi-final"), 2: gettext_lazy("Quarter-final")}
)


def format_stage_name(stages: int, stage: int) -> str:
    """A stage as a heading: Final, Semi-finals, Round of 16. `stage` counts from 1."""
    return str(STAGE_NAMES[stages - stage])


def format_match_stage(stages: int, stage: int, position: int = 1) -> str:
    """A match by its stage: Final, Match for third place, Semi-final, Round of 16. `position` counts from the top."""
    to_come = stages - stage
    if to_come == 0 and position > 1:
        return get_third_place_name()
    return str(STAGE_MATCH_NAMES[to_come]) if to_come in STAGE_MATCH_NAMES else format_stage_name(stages, stage)


def get_third_place_name() -> str:
    return _("Match for third place")


@dataclass(frozen=True, slots=True)
class KnockoutPlace:
    """A game's place in the knock-out: `stage` (from 1) of `stages`, `game` of its match, `position` from the top.
    `position` None means all matches of the stage, `game` None a whole match; `single`: a match is one game."""

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
        """The match: Final, Semi-final 2, Match for third place; without a position, the stage in the singular."""
        name = format_match_stage(self.stages, self.stage, self.position or 1)
        if self.position is None or self.stage == self.stages:
            return name
        words = {"stage": name, "position": self.position}
        if self.stages - self.stage in STAGE_MATCH_NAMES:
            return _("%(stage)s %(position)s") % words
        return _("%(stage)s, no. %(position)s") % words

    def stored(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "KnockoutPlace":
        """What `stored` wrote."""
        return cls(**stored)


def get_knockout_place(round: Round, position: int | None = None) -> KnockoutPlace | None:
    """The knock-out place of a round, or of its game in the match at a position; None for a round of the league."""
    if round.stage is None or round.game is None:
        return None
    knockout: Knockout | None = getattr(round.division, "knockout", None)
    size = knockout.size if knockout else 2**round.stage
    single = knockout is not None and knockout.form == MatchFormat.SINGLE
    return KnockoutPlace(round.stage, stage_count(size), round.game, position, single)


def format_round_name(round: Round) -> str:
    """A round as a heading: Round 5; Semi-final, game 1."""
    return str(get_knockout_place(round) or _("Round %(number)s") % {"number": round.number})


def format_round_phrase(round: Round) -> str:
    """The same inside a sentence: round 5; Semi-final, game 1."""
    return str(get_knockout_place(round) or _("round %(number)s") % {"number": round.number})


def format_table_name(pairing: Pairing) -> str:
    """A pairing by its table: Table 3, round 5; Semi-final 2, game 1; Bye, round 5."""
    place = get_knockout_place(pairing.round, pairing.match_position)
    if place is not None:
        return str(place)
    number = pairing.round.number
    if pairing.table:
        return _("Table %(table)s, round %(number)s") % {"table": pairing.table, "number": number}
    return _("%(kind)s, round %(number)s") % {"kind": pairing.get_kind_display(), "number": number}


def make_place_details(pairing: Pairing) -> dict[str, Any]:
    """The details of a journal entry that say which game: division, and round and table or knock-out place."""
    round = pairing.round
    place = get_knockout_place(round, pairing.match_position)
    named = {"round": round.number, "table": pairing.table} if place is None else {"knockout": place.stored()}
    return {"division": round.division.name, **named}


def format_match_name(knockout: Knockout, stage: int, position: int) -> str:
    """A match of a knock-out by its place: Semi-final 2, Match for third place."""
    return str(KnockoutPlace(stage, stage_count(knockout.size), None, position))


def format_game_name(knockout: Knockout, stage: int, position: int, game: int) -> str:
    """A game of a knock-out by its place: Semi-final 2, game 1."""
    return str(KnockoutPlace(stage, stage_count(knockout.size), game, position, knockout.form == MatchFormat.SINGLE))


def make_match_details(knockout: Knockout, stage: int, position: int) -> dict[str, Any]:
    """A match as the journal keeps it."""
    return KnockoutPlace(stage, stage_count(knockout.size), None, position).stored()


STEP_NAMES: dict[ShowingStep, str | Promise] = {
    ShowingStep.PAIRINGS: gettext_lazy("Pairings"),
    ShowingStep.RESULTS: gettext_lazy("Results"),
    ShowingStep.TABLE: gettext_lazy("Standings"),
}

IMMEDIATE_TEXTS: dict[ShowingTrigger, str | Promise] = {
    ShowingTrigger.PUBLISHED: gettext_lazy("as soon as the round is published"),
    ShowingTrigger.CLOSED: gettext_lazy("as soon as the round is closed"),
    ShowingTrigger.HAND: gettext_lazy("as soon as the director shows it"),
}
"""When something is shown, to follow its name."""

DELAYED_TEXTS = {
    ShowingTrigger.PUBLISHED: ngettext_lazy(
        "%(minutes)s minute after the round is published", "%(minutes)s minutes after the round is published", "minutes"
    ),
    ShowingTrigger.CLOSED: ngettext_lazy(
        "%(minutes)s minute after the round is closed", "%(minutes)s minutes after the round is closed", "minutes"
    ),
}


def format_showing_time(when: ShowingTime) -> str:
    """When something is shown: as soon as the round is closed; 10 minutes after the round is closed."""
    if when.minutes:
        return str(DELAYED_TEXTS[when.since]) % {"minutes": when.minutes}
    return str(IMMEDIATE_TEXTS[when.since])


@dataclass(frozen=True, slots=True)
class HiddenPart:
    """A part of a round that is not shown yet. `at`: the moment when it will be; None if nobody knows yet. `waits`:
    results are typed twice, and some are not yet."""

    round: Round
    step: ShowingStep
    at: datetime | None
    waits: bool = False

    @property
    def to_come(self) -> str:
        """When it will be shown: by itself from 14:35 on; as soon as the round is closed; …"""
        when = self.round.shown(self.step)
        if self.at is not None:
            return _("automatically from %(moment)s") % {"moment": format_local_time(self.at)}
        if self.waits and when.since == ShowingTrigger.PUBLISHED:
            return _("as soon as all its results have been typed twice")
        if when.since == ShowingTrigger.CLOSED and self.round.is_knockout:
            if not when.minutes:
                return _("as soon as its last result is in")
            message = ngettext(
                "%(minutes)s minute after its last result", "%(minutes)s minutes after its last result", when.minutes
            )
            return message % {"minutes": when.minutes}
        if when.since == ShowingTrigger.PUBLISHED or (when.since == ShowingTrigger.CLOSED and self.round.closed_at):
            return _("as soon as all before it is shown")
        return format_showing_time(when)


def format_local_time(at: datetime) -> str:
    """A moment as people say it: the time if it is today, else the day too."""
    local = timezone.localtime(at)
    is_today = local.date() == timezone.localdate()
    return date_format(local, "TIME_FORMAT" if is_today else "SHORT_DATETIME_FORMAT")


def describe_hidden_parts(hidden: Iterable[HiddenPart]) -> list[str]:
    """What the public is told about parts not shown yet: a sentence for each round's results, one for the table."""
    listed = list(hidden)
    results = [part for part in listed if part.step == ShowingStep.RESULTS]
    tables = [part for part in listed if part.step == ShowingStep.TABLE and not part.round.is_knockout][:1]
    of_results = _("%(round)s: the results are shown here %(when)s.")
    of_table = _("The standings after round %(number)s are shown here %(when)s.")
    return [
        *(of_results % {"round": format_round_name(result.round), "when": result.to_come} for result in results),
        *(of_table % {"number": table.round.number, "when": table.to_come} for table in tables),
    ]
