"""Labels for the terms of the rules and of pairing. The members are declared in the layers below.

A term that no layer below knows (a round's state, who wrote a result) is declared beside its model.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.awards import AwardReason, Outcome
from scoring.knockout import Fact, Form
from scoring.prizes import PrizeKind
from scoring.rulesets import Turning
from scoring.season import SeasonRule, SharedPlaces
from scoring.standings import Basis, Ties, Withdrawn
from tournament.languages import PageLanguage
from tournament.pairing.values import ByePolicy, Method, Starts

Member = TypeVar("Member", bound=StrEnum)

BASES: Mapping[Basis, Promise] = {Basis.WINS: _("Wins"), Basis.POINTS: _("Points")}

TIES: Mapping[Ties, Promise] = {
    Ties.TSO: _("The criteria not named follow, then the highest game"),
    Ties.SHARED: _("Only the criteria named; players who are level share the rank"),
}

WITHDRAWN: Mapping[Withdrawn, Promise] = {
    Withdrawn.RANKED: _("They keep their place, marked"),
    Withdrawn.UNRANKED: _("They are listed last, without a rank"),
}

STARTS: Mapping[Starts, Promise] = {
    Starts.BALANCED: _("Fixed beforehand, balanced"),
    Starts.DRAWN: _("Drawn at the table"),
}

TURNING: Mapping[Turning, Promise] = {
    Turning.AGREED: _("Not turned, unless both players agree"),
    Turning.TURNED: _("Turned"),
    Turning.FIXED: _("Not turned"),
}

PAGE_LANGUAGES: Mapping[PageLanguage, str | Promise] = {
    PageLanguage.GERMAN: "Deutsch",
    PageLanguage.ENGLISH: "English",
    PageLanguage.DUTCH: "Nederlands",
    PageLanguage.BROWSER: _("As each visitor's browser asks"),
}
"""Languages by their own names, which everybody finds."""

BYE_POLICIES: Mapping[ByePolicy, Promise] = {
    ByePolicy.LOWEST: _("The lowest in the table who has had none"),
    ByePolicy.GERMAN: _("With K rounds left the K-th from the bottom"),
    ByePolicy.BY_HAND: _("By hand"),
}

METHODS: Mapping[Method, Promise] = {
    Method.SWISS: _("Swiss"),
    Method.KING_OF_THE_HILL: _("King of the hill"),
    Method.ROUND_ROBIN: _("Round robin"),
    Method.GROUPS: _("Groups"),
    Method.FACTOR: _("Factor"),
    Method.RANDOM: _("Random"),
    Method.MANUAL: _("By hand"),
}

OUTCOMES: Mapping[Outcome, Promise] = {
    Outcome.PLAYED: _("Played"),
    Outcome.BYE: _("Bye"),
    Outcome.FIRST_FORFEITS: _("First player forfeits"),
    Outcome.SECOND_FORFEITS: _("Second player forfeits"),
    Outcome.BOTH_FORFEIT: _("Both forfeit"),
    Outcome.ABSENT: _("Absent"),
}
"""Those that a result can have: a game without one is open."""

REASONS: Mapping[AwardReason, Promise] = {
    AwardReason.NO_SHOW: _("Did not show"),
    AwardReason.LATE: _("Too late"),
    AwardReason.OVERTIME: _("Overtime beyond the limit"),
    AwardReason.DISQUALIFIED: _("Disqualified"),
    AwardReason.OTHER: _("Another breach of the rules"),
}

FACTS: Mapping[Fact, Promise] = {
    Fact.MOST_BINGOS: _("plays of all seven tiles"),
    Fact.PLAYING_TIME: _("time used"),
    Fact.HIGHEST_MOVE: _("best plays"),
}
"""What has to be written down of a level match."""

PRIZES: Mapping[PrizeKind, Promise] = {
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

SEASON_RULES: Mapping[SeasonRule, Promise] = {
    SeasonRule.PLACES: _("Points for the place in each event"),
    SeasonRule.WINS: _("Wins of all events"),
    SeasonRule.SPREAD: _("Spread of all events"),
}

SHARED_PLACES: Mapping[SharedPlaces, Promise] = {
    SharedPlaces.EACH: _("Each gets the points of the place"),
    SharedPlaces.SPLIT: _("They split the points of the places they fill"),
}

FORMS: Mapping[Form, Promise] = {
    Form.SINGLE: _("One game"),
    Form.DOUBLE: _("Two games, points together"),
    Form.BEST_OF: _("Best of N games"),
}


def choices(labels: Mapping[Member, Promise] | Mapping[Member, str | Promise]) -> list[tuple[str, str | Promise]]:
    """Value and label of each member, as columns and form fields take them."""
    return [(member.value, label) for member, label in labels.items()]


def values(labels: Mapping[Member, Promise]) -> list[str]:
    """The values of the members, as constraints and messages name them."""
    return [member.value for member in labels]
