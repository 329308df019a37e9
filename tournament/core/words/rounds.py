"""Names of rounds and tables: by number in the league, by stage and game in the knock-out. Naming a knock-out round
reads `division__knockout`; fetch it to name many."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from scoring.knockout_forms import SYSTEM_SIZES, find_full_form, make_form
from scoring.knockout_values import BracketPart, FormMatch, KnockoutSystem, MatchFormat
from tournament.basics.showing import ShowingStep, ShowingTime, ShowingTrigger
from tournament.core.public_view import RoundMoments
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

PART_NAMES: Mapping[BracketPart, Promise] = MappingProxyType(
    {
        BracketPart.WINNERS: gettext_lazy("Winners’ round %(round)s"),
        BracketPart.LOSERS: gettext_lazy("Losers’ round %(round)s"),
        BracketPart.FINAL: STAGE_NAMES[0],
        BracketPart.SECOND_FINAL: gettext_lazy("Second final"),
        BracketPart.FIRST_TWO: gettext_lazy("Seed 1 against seed 2"),
        BracketPart.LAST_TWO: gettext_lazy("Seed 3 against seed 4"),
        BracketPart.THIRD_PLACE: gettext_lazy("Match for third place"),
        BracketPart.PLACES_TO_EIGHT: gettext_lazy("Places 5–8"),
        BracketPart.FIFTH_PLACE: gettext_lazy("Match for fifth place"),
        BracketPart.SEVENTH_PLACE: gettext_lazy("Match for seventh place"),
    }
)
"""The parts of a bracket other than the main one, whose matches are called by their stage."""

PARTS_BESIDE = frozenset({BracketPart.THIRD_PLACE, BracketPart.FIFTH_PLACE, BracketPart.SEVENTH_PLACE})
"""Matches beside a final, which gives the stage its name."""


def format_stage_name(stage: Iterable[FormMatch]) -> str:
    """A stage as a heading: Final, Semi-finals, Round of 16; Winners’ round 2 · Losers’ round 1."""
    return _join_part_names(stage, lambda match: str(STAGE_NAMES[match.round]))


def format_match_stage(match: FormMatch) -> str:
    """A match without its number: Final, Match for third place, Semi-final, Round of 16, Losers’ round 3."""
    if match.part == BracketPart.MAIN:
        return str(STAGE_MATCH_NAMES.get(match.round, STAGE_NAMES[match.round]))
    return str(PART_NAMES[match.part]) % {"round": match.round}


def format_form_match(match: FormMatch) -> str:
    """A match by its stage and its number from the top: Semi-final 2; Round of 16, no. 3; Final."""
    name = format_match_stage(match)
    if match.count == 1:
        return name
    words = {"stage": name, "position": match.number}
    if match.part == BracketPart.MAIN and match.round in STAGE_MATCH_NAMES:
        return _("%(stage)s %(position)s") % words
    return _("%(stage)s, no. %(position)s") % words


def _join_part_names(stage: Iterable[FormMatch], name_main: Callable[[FormMatch], str]) -> str:
    named = [match for match in stage if match.part not in PARTS_BESIDE]
    names = [name_main(match) if match.part == BracketPart.MAIN else format_match_stage(match) for match in named]
    return " · ".join(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class KnockoutPlace:
    """A game's place in the knock-out: `stage` (from 1) of `stages`, `game` of its match, `position` from the top.
    `position` None means all matches of the stage, `game` None a whole match; `single`: a match is one game."""

    stage: int
    stages: int
    game: int | None
    position: int | None = None
    single: bool = False
    system: KnockoutSystem = KnockoutSystem.SINGLE

    def __str__(self) -> str:
        if self.game is None or (self.single and self.game == 1):
            return self.match
        return _("%(match)s, game %(game)s") % {"match": self.match, "game": self.game}

    @property
    def match(self) -> str:
        """The match: Final, Semi-final 2, Match for third place; without a position, the stage in the singular."""
        stage = find_full_form(self.system, self.stages).stages[self.stage - 1]
        if self.position is None:
            return _join_part_names(stage, format_match_stage)
        return format_form_match(stage[min(self.position, len(stage)) - 1])

    def stored(self) -> dict[str, Any]:
        """As the journal keeps it; single elimination, the only system that old entries know, goes without saying."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.system == KnockoutSystem.SINGLE:
            del values["system"]
        return values

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "KnockoutPlace":
        """What `stored` wrote."""
        return cls(**{**stored, "system": KnockoutSystem(stored.get("system", KnockoutSystem.SINGLE))})


def get_knockout_place(round: Round, position: int | None = None) -> KnockoutPlace | None:
    """The knock-out place of a round, or of its game in the match at a position; None for a round of the league."""
    if round.stage is None or round.game is None:
        return None
    # Without one Django raises what is an AttributeError as well, for which `getattr` has its default.
    knockout: Knockout | None = getattr(round.division, "knockout", None)
    if knockout is None:
        return KnockoutPlace(round.stage, round.stage, round.game, position)
    return _place_in_knockout(knockout, round.stage, position, round.game)


def _place_in_knockout(knockout: Knockout, stage: int, position: int | None, game: int | None = None) -> KnockoutPlace:
    system = KnockoutSystem(knockout.system)
    stages = len(make_form(system, knockout.size).stages)
    return KnockoutPlace(stage, stages, game, position, knockout.form == MatchFormat.SINGLE, system)


def format_system_sizes(system: KnockoutSystem) -> str:
    """For how many players a system is: 4; 3–32."""
    sizes = SYSTEM_SIZES[system]
    return f"{sizes[0]}–{sizes[-1]}" if len(sizes) > 1 else str(sizes[0])


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
    return str(_place_in_knockout(knockout, stage, position))


def format_game_name(knockout: Knockout, stage: int, position: int, game: int) -> str:
    """A game of a knock-out by its place: Semi-final 2, game 1."""
    return str(_place_in_knockout(knockout, stage, position, game))


def make_match_details(knockout: Knockout, stage: int, position: int) -> dict[str, Any]:
    """A match as the journal keeps it."""
    return replace(_place_in_knockout(knockout, stage, position), single=False).stored()


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


def describe_moment_to_come(moments: RoundMoments, step: ShowingStep) -> str:
    """When a part of a round that is not shown yet will be: by itself from 14:35 on, or as soon as it is closed."""
    round, moment = moments.round, moments.of(step)
    when = round.shown(step)
    if moment is not None:
        return _("automatically from %(moment)s") % {"moment": format_local_time(moment)}
    if moments.waits and when.since == ShowingTrigger.PUBLISHED:
        return _("as soon as all its results have been typed twice")
    # Nobody closes a round of the knock-out: it ends with its last result, and “as soon as it is closed” would be
    # awaited for ever.
    if when.since == ShowingTrigger.CLOSED and round.is_knockout:
        if not when.minutes:
            return _("as soon as its last result is in")
        message = ngettext(
            "%(minutes)s minute after its last result", "%(minutes)s minutes after its last result", when.minutes
        )
        return message % {"minutes": when.minutes}
    if when.since == ShowingTrigger.PUBLISHED or (when.since == ShowingTrigger.CLOSED and round.closed_at):
        return _("as soon as all before it is shown")
    return format_showing_time(when)


def format_local_time(at: datetime) -> str:
    """A moment as people say it: the time if it is today, else the day too."""
    local = timezone.localtime(at)
    is_today = local.date() == timezone.localdate()
    return date_format(local, "TIME_FORMAT" if is_today else "SHORT_DATETIME_FORMAT")
