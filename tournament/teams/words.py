"""The table of teams in words: how it counts, what separates teams, what a figure is."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.team_matches import LeaverMatches, MatchTableRow, TeamFormat
from scoring.teams import TEAM_CRITERIA, TeamCriterion, TeamRule
from tournament.core.words.figures import format_half_wins, format_points, format_signed
from tournament.models import Tournament
from tournament.teams.team_table import TeamTable

CRITERION_HEADS: Mapping[TeamCriterion, Promise] = {
    TeamCriterion.PLACE_POINTS: gettext_lazy("Points"),
    TeamCriterion.WINS: gettext_lazy("Wins"),
    TeamCriterion.SPREAD: gettext_lazy("Spread"),
}
"""The headings of the figures; the best place is read from the players."""

CRITERION_NAMES: Mapping[TeamCriterion, Promise] = {
    TeamCriterion.PLACE_POINTS: gettext_lazy("points for the places"),
    TeamCriterion.WINS: gettext_lazy("wins"),
    TeamCriterion.SPREAD: gettext_lazy("spread"),
    TeamCriterion.BEST_PLACE: gettext_lazy("the better place of the best player"),
}


def list_figure_criteria(rule: TeamRule) -> list[TeamCriterion]:
    """The criteria of a rule that have a column, the weightiest first."""
    return [criterion for criterion in TEAM_CRITERIA[rule] if criterion in CRITERION_HEADS]


def format_team_figures(rule: TeamRule, place_points: int, half_wins: int, spread: int) -> list[str]:
    """The figures of a team or a player in the order of `list_figure_criteria`."""
    texts = {
        TeamCriterion.PLACE_POINTS: format_points(place_points),
        TeamCriterion.WINS: format_half_wins(half_wins),
        TeamCriterion.SPREAD: format_signed(spread),
    }
    return [texts[criterion] for criterion in list_figure_criteria(rule)]


def describe_team_rule(tournament: Tournament) -> list[str]:
    """How teams are ranked, in sentences; none where there is no table of teams."""
    rule, best = TeamRule(tournament.team_rule), tournament.team_best
    if rule == TeamRule.NONE:
        return []
    if rule == TeamRule.MATCHES:
        return _describe_matches(tournament)
    counted = {
        TeamRule.PLACES: _(
            "Place 1 of the table brings a team as many points as players are ranked, each place below it one fewer."
        ),
        TeamRule.WINS: _("Teams are ranked by the wins of their players."),
        TeamRule.SPREAD: _("Teams are ranked by the spread of their players."),
    }
    counting = ngettext("The best player of a team counts.", "The best %(count)s players of a team count.", best) % {
        "count": best
    }
    # From the second on: by the first the teams are ranked, as the sentence before says.
    order = ", ".join(str(CRITERION_NAMES[criterion]) for criterion in TEAM_CRITERIA[rule][1:])
    ties = _("Level teams are separated in turn by: %(order)s; teams level in all of these share the rank.")
    leavers = _("A team whose players have all withdrawn is listed last, without a rank.")
    return [counted[rule], counting, ties % {"order": order}, leavers]


def describe_exceptions(found: TeamTable) -> list[str]:
    """What the table does not rank: teams that are too small, players without a team."""
    sentences = []
    if found.incomplete:
        small = ngettext(
            "%(count)s team has fewer than %(best)s ranked players and stands last, without a rank.",
            "%(count)s teams have fewer than %(best)s ranked players and stand last, without a rank.",
            found.incomplete,
        )
        sentences.append(small % {"count": found.incomplete, "best": found.best})
    if found.loners:
        alone = ngettext(
            "%(count)s player of the table plays for no team.",
            "%(count)s players of the table play for no team.",
            found.loners,
        )
        sentences.append(alone % {"count": found.loners})
    return sentences


# In short: match points and board points, which `describe_team_rule` explains.
MATCH_HEADS: tuple[Promise, ...] = (
    gettext_lazy("Points"),
    gettext_lazy("Boards"),
    gettext_lazy("Spread"),
    gettext_lazy("Matches"),
)


def format_match_figures(row: MatchTableRow) -> list[str]:
    """A team's figures in the order of `MATCH_HEADS`."""
    points = format_points(row.match_points), format_half_wins(row.half_wins)
    return [*points, format_signed(row.spread), format_points(row.played)]


def _describe_matches(tournament: Tournament) -> list[str]:
    """How matches are played and counted."""
    boards = tournament.team_best
    leavers = {
        LeaverMatches.KEPT: _(
            "A team that leaves is listed last, without a rank; its matches count for its opponents."
        ),
        LeaverMatches.STRUCK: _("A team that leaves is listed last, without a rank, and all its matches are struck."),
    }
    if tournament.teams_play_all:
        leavers[LeaverMatches.STRUCK] = _(
            "A team that leaves is listed last, without a rank, and all its matches are struck; a team without an "
            "opponent gets nothing."
        )
    if tournament.team_format == TeamFormat.ALL:
        played = ngettext(
            "Teams meet with %(count)s player each.",
            "Teams meet with %(count)s players each, everybody against everybody of the other team, a round each.",
            boards,
        )
    else:
        played = ngettext(
            "Teams meet at %(count)s board.", "Teams meet at %(count)s boards, each player at the own board.", boards
        )
    return [
        played % {"count": boards},
        _describe_team_pairing(tournament),
        _("A game won is a board point, a draw half a point; whoever has more of them wins the match."),
        _("A match won brings 2 points, a drawn one 1; it counts once all its games have results."),
        _("A player without an opponent has a bye, and so has each player of a team without one."),
        _("Level teams are separated in turn by: %(order)s; teams level in all of these share the rank.")
        % {"order": f"{_('board points')}, {_('spread')}"},
        leavers[LeaverMatches(tournament.team_leavers)],
    ]


def _describe_team_pairing(tournament: Tournament) -> str:
    """Which teams meet."""
    if tournament.teams_play_all:
        return _("Every team meets every other, by turns at home and away; a further leg has these exchanged.")
    return _("Teams meet by the Swiss method: those that stand alike.")


def describe_running_matches(count: int) -> list[str]:
    """That some matches do not count yet; nothing if all do."""
    if not count:
        return []
    message = ngettext("%(count)s match does not count yet.", "%(count)s matches do not count yet.", count)
    return [message % {"count": count}]


def format_match_heading(number: int, rounds: Sequence[int]) -> str:
    """A match with its rounds: Match 2 (round 2), Match 2 (rounds 5–8)."""
    if len(rounds) == 1:
        return _("Match %(number)s (round %(round)s)") % {"number": number, "round": rounds[0]}
    return _("Match %(number)s (rounds %(first)s–%(last)s)") % {
        "number": number,
        "first": rounds[0],
        "last": rounds[-1],
    }
