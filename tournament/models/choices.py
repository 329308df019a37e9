"""What the models share: how a row is named, constraints made from limits, and labels for terms of the layers below."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from django.db import models
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.awards import AwardReason, Outcome
from scoring.knockout_values import FactKind, KnockoutSystem, MatchFormat
from scoring.prizes import PrizeKind
from scoring.ratings import RatingSystem
from scoring.rulesets.values import BoardTurning
from scoring.season import SeasonRule, SharedPlaces
from scoring.standings import RankingBasis, TieRule, WithdrawnPlacement
from scoring.team_matches import LeaverMatches, TeamFormat, TeamPairing
from scoring.teams import TeamRule
from tournament.basics.languages import PageLanguage
from tournament.basics.limits import Range
from tournament.pairing.values import ByePolicy, Method, StartPolicy

LabelledMember = TypeVar("LabelledMember", bound=StrEnum)


class UnnamedRow(models.Model):
    """A row without a name of its own: logs and tracebacks call it by its table and key."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.pk)


def make_range_condition(allowed: Range, *columns: str) -> Q:
    """The condition that each of these columns is in the range; an empty one breaks no constraint."""
    condition = Q()
    for column in columns:
        # Of an empty column the comparison is neither true nor false, and a constraint is broken by false alone.
        condition &= Q(**{f"{column}__gte": allowed.low, f"{column}__lte": allowed.high})
    return condition


def make_range_constraint(name: str, allowed: Range, *columns: str) -> models.CheckConstraint:
    """The constraint of this name that keeps each of these columns in the range."""
    return models.CheckConstraint(condition=make_range_condition(allowed, *columns), name=name)


BASIS_LABELS: Mapping[RankingBasis, Promise] = {
    RankingBasis.WINS: _("Wins"),
    RankingBasis.POINTS: _("Points"),
    RankingBasis.KEIZER: _("Keizer points"),
}

TIE_LABELS: Mapping[TieRule, Promise] = {
    TieRule.TSO: _("The criteria not named follow, then the highest game"),
    TieRule.SHARED: _("Only the criteria named; players who are level share the rank"),
}

WITHDRAWN_LABELS: Mapping[WithdrawnPlacement, Promise] = {
    WithdrawnPlacement.RANKED: _("They keep their place, marked"),
    WithdrawnPlacement.UNRANKED: _("They are listed last, without a rank"),
}

STARTS_LABELS: Mapping[StartPolicy, Promise] = {
    StartPolicy.BALANCED: _("Fixed beforehand, balanced"),
    StartPolicy.DRAWN: _("Drawn at the table"),
}

TURNING_LABELS: Mapping[BoardTurning, Promise] = {
    BoardTurning.AGREED: _("Not turned, unless both players agree"),
    BoardTurning.TURNED: _("Turned"),
    BoardTurning.FIXED: _("Not turned"),
}

PAGE_LANGUAGE_LABELS: Mapping[PageLanguage, str | Promise] = {
    PageLanguage.GERMAN: "Deutsch",
    PageLanguage.ENGLISH: "English",
    PageLanguage.DUTCH: "Nederlands",
    PageLanguage.BROWSER: _("As each visitor's browser asks"),
}
"""Languages by their own names, so that everybody finds theirs."""

BYE_POLICY_LABELS: Mapping[ByePolicy, Promise] = {
    ByePolicy.LOWEST: _("The lowest in the table who has had none"),
    ByePolicy.GERMAN: _("With K rounds left the K-th from the bottom"),
    ByePolicy.BY_HAND: _("By hand"),
}

METHOD_LABELS: Mapping[Method, Promise] = {
    Method.SWISS: _("Swiss"),
    Method.KING_OF_THE_HILL: _("King of the hill"),
    Method.AUSTRALIAN: _("Australian draw"),
    Method.ROUND_ROBIN: _("Round robin"),
    Method.GROUPS: _("Groups"),
    Method.FACTOR: _("Factor"),
    Method.RANDOM: _("Random"),
    Method.CONTENTION: _("Contention"),
    Method.TEAMS: _("Team matches"),
    Method.MANUAL: _("By hand"),
}

OUTCOME_LABELS: Mapping[Outcome, Promise] = {
    Outcome.PLAYED: _("Played"),
    Outcome.BYE: _("Bye"),
    Outcome.FIRST_FORFEITS: _("First player forfeits"),
    Outcome.SECOND_FORFEITS: _("Second player forfeits"),
    Outcome.BOTH_FORFEIT: _("Both forfeit"),
    Outcome.ABSENT: _("Absent"),
}
"""The outcomes that a result can have; a game without a result is open."""

AWARD_REASON_LABELS: Mapping[AwardReason, Promise] = {
    AwardReason.NO_SHOW: _("Did not show"),
    AwardReason.LATE: _("Too late"),
    AwardReason.OVERTIME: _("Overtime beyond the limit"),
    AwardReason.DISQUALIFIED: _("Disqualified"),
    AwardReason.OTHER: _("Another breach of the rules"),
}

FACT_LABELS: Mapping[FactKind, Promise] = {
    FactKind.MOST_BINGOS: _("plays of all seven tiles"),
    FactKind.PLAYING_TIME: _("time used"),
    FactKind.HIGHEST_MOVE: _("best plays"),
    FactKind.OWN: _("the announcement’s own criterion"),
}
"""Records that a level match may need."""

PRIZE_LABELS: Mapping[PrizeKind, Promise] = {
    PrizeKind.PLACE: _("A place in the final ranking"),
    PrizeKind.NEWCOMER: _("Best newcomer"),
    PrizeKind.CLUB: _("Best of a club"),
    PrizeKind.RATING_CLASS: _("Best of a rating class"),
    PrizeKind.HIGHEST_GAME: _("Highest game"),
    PrizeKind.HIGHEST_LOSING_SCORE: _("Highest losing score"),
    PrizeKind.BIGGEST_WIN: _("Biggest win"),
    PrizeKind.BEST_AVERAGE: _("Best average"),
    PrizeKind.BEST_MOVE: _("Best move"),
    PrizeKind.MOST_BINGOS: _("Most seven-tile plays in all"),
    PrizeKind.BIGGEST_UPSET: _("Biggest upset"),
    PrizeKind.OWN: _("A prize of our own"),
}

SEASON_RULE_LABELS: Mapping[SeasonRule, Promise] = {
    SeasonRule.PLACES: _("Points for the place in each event"),
    SeasonRule.WINS: _("Wins of all events"),
    SeasonRule.SPREAD: _("Spread of all events"),
    SeasonRule.QUALIFYING: _("Places by which one qualifies"),
    SeasonRule.MEDIAN: _("Points in per cent of the event’s median, on average"),
}

RATING_SYSTEM_LABELS: Mapping[RatingSystem, Promise] = {
    RatingSystem.TSH_DEU: _("tsh’s procedure, by wins"),
    RatingSystem.NORWEGIAN: _("Norwegian procedure, by spread"),
}

TEAM_RULE_LABELS: Mapping[TeamRule, Promise] = {
    TeamRule.NONE: _("No table of teams"),
    TeamRule.PLACES: _("Points for the places"),
    TeamRule.WINS: _("Wins"),
    TeamRule.SPREAD: _("Spread"),
    TeamRule.MATCHES: _("Match points"),
}

TEAM_PAIRING_LABELS: Mapping[TeamPairing, Promise] = {
    TeamPairing.SWISS: _("Those that stand alike, by the Swiss method"),
    TeamPairing.ALL_PLAY_ALL: _("All play all, home and away by turns"),
}

TEAM_LEAVERS_LABELS: Mapping[LeaverMatches, Promise] = {
    LeaverMatches.KEPT: _("They count for its opponents"),
    LeaverMatches.STRUCK: _("They are struck"),
}

TEAM_FORMAT_LABELS: Mapping[TeamFormat, Promise] = {
    TeamFormat.BOARDS: _("Board against board"),
    TeamFormat.ALL: _("All against all, in as many rounds as boards"),
}

SHARED_PLACES_LABELS: Mapping[SharedPlaces, Promise] = {
    SharedPlaces.EACH: _("Each gets the points of the place"),
    SharedPlaces.SPLIT: _("They split the points of the places they fill"),
}

KNOCKOUT_SYSTEM_LABELS: Mapping[KnockoutSystem, Promise] = {
    KnockoutSystem.SINGLE: _("Single elimination"),
    KnockoutSystem.PLACES_TO_EIGHT: _("Places 3 to 8 played for"),
    KnockoutSystem.DOUBLE: _("Double elimination"),
    KnockoutSystem.PAGE: _("Page play-off"),
}

MATCH_FORMAT_LABELS: Mapping[MatchFormat, Promise] = {
    MatchFormat.SINGLE: _("One game"),
    MatchFormat.DOUBLE: _("Two games, points together"),
    MatchFormat.BEST_OF: _("Best of N games"),
}


def make_choices(
    labels: Mapping[LabelledMember, Promise] | Mapping[LabelledMember, str | Promise],
) -> list[tuple[str, str | Promise]]:
    """Value and label of each member, for columns and form fields."""
    return [(member.value, label) for member, label in labels.items()]


def list_choice_values(labels: Mapping[LabelledMember, Promise]) -> list[str]:
    """The values of the members, for constraints and messages."""
    return [member.value for member in labels]
