"""The table of teams as rows of texts, each team with its players, and matches with their boards."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scoring.team_matches import BoardGame, TeamMatch
from scoring.teams import TeamMember, TeamRow, TeamRule
from tournament.core.words.figures import NO_FIGURE, format_half_wins, format_points
from tournament.models import Division, Entry
from tournament.rounds.team_matches import DivisionMatches, load_team_matches
from tournament.teams.team_table import TeamTable, load_team_table
from tournament.teams.words import (
    CRITERION_HEADS,
    MATCH_HEADS,
    describe_exceptions,
    describe_running_matches,
    describe_team_rule,
    format_match_figures,
    format_match_heading,
    format_team_figures,
    list_figure_criteria,
)


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A player of a team: the place in the table, and what they bring, in brackets where that does not count."""

    place: str
    entry: Entry
    figures: tuple[str, ...]
    counts: bool


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team's row and its players, those who count first."""

    rank: str
    team: str
    figures: tuple[str, ...]
    entry_id: int  # of one of its players, by whom its pages are addressed
    members: tuple[MemberLine, ...] = ()
    is_ranked: bool = True
    has_left: bool = False

    @property
    def name(self) -> str:
        """The team, with a mark where it has left, for places without room for a chip."""
        return _("%(name)s (%(mark)s)") % {"name": self.team, "mark": _("withdrawn")} if self.has_left else self.team

    @property
    def counting(self) -> list[MemberLine]:
        return [member for member in self.members if member.counts]


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match of two teams with its boards."""

    home: str
    score: str
    away: str
    boards: tuple[dict[str, Any], ...]
    is_struck: bool = False
    pages: tuple[tuple[int, int], ...] = ()  # round and one of its players, by which its pages are addressed


@dataclass(frozen=True, slots=True)
class ShownTeams:
    """All that pages, paper and screens show of a table of teams. `heading`: after which round or match it is, without
    a name; `matches` by their headings, the latest first."""

    has_begun: bool
    heading: str
    is_provisional: bool
    heads: Sequence[Promise]
    lines: tuple[TeamLine, ...]
    said: list[str]
    exceptions: list[str]
    has_brackets: bool = False
    matches: list[tuple[str, list[MatchLine]]] = field(default_factory=list)


def build_shown_teams(division: Division) -> ShownTeams | None:
    """The table of teams that is announced; None where there is none."""
    if division.tournament.rules.is_paired and division.tournament.team_rule == TeamRule.MATCHES:
        return _show_matches(load_team_matches(division))
    table = load_team_table(division)
    return None if table is None else _show_players(table)


def _show_players(found: TeamTable) -> ShownTeams:
    begun = found.has_begun
    return ShownTeams(
        has_begun=begun,
        heading=_("Teams after round %(number)s") % {"number": found.players.after} if begun else _("Teams"),
        is_provisional=found.players.is_provisional,
        heads=[CRITERION_HEADS[criterion] for criterion in list_figure_criteria(found.rule)] if begun else [],
        lines=tuple(_build_team_line(found, row) for row in found.rows),
        said=describe_team_rule(found.division.tournament),
        exceptions=describe_exceptions(found),
        has_brackets=begun,
    )


def _build_team_line(found: TeamTable, row: TeamRow) -> TeamLine:
    figures = format_team_figures(found.rule, row.place_points, row.half_wins, row.spread) if found.has_begun else ()
    members = tuple(_build_member_line(found, member) for member in row.members)
    return TeamLine(
        format_points(row.rank),
        row.team,
        tuple(figures),
        members[0].entry.pk,
        members,
        is_ranked=row.rank is not None,
        has_left=row.team in found.left,
    )


def _build_member_line(found: TeamTable, member: TeamMember) -> MemberLine:
    player = member.player
    entry = found.entries[player.player]
    if not found.has_begun:
        return MemberLine("", entry, (), counts=True)
    figures = format_team_figures(found.rule, member.place_points, player.half_wins, player.spread)
    figure_texts = figures if member.counts else [f"({figure})" for figure in figures]
    return MemberLine(format_points(player.place), entry, tuple(figure_texts), member.counts)


def _show_matches(table: DivisionMatches) -> ShownTeams:
    begun = table.after > 0
    # A team has no row of its own: its pages are addressed by one of its players, whoever that is.
    entry_ids = {team: int(pk) for pk, team in table.names.items()}
    # Matches come in the order of their numbers, which `groupby` relies on.
    by_number = [(number, list(same)) for number, same in groupby(table.matches, key=lambda match: match.number)]
    return ShownTeams(
        has_begun=begun,
        heading=_("Teams after match %(number)s") % {"number": table.after} if begun else _("Teams"),
        is_provisional=bool(begun and table.running),
        heads=MATCH_HEADS if begun else (),
        lines=tuple(
            TeamLine(
                format_points(row.rank),
                row.team,
                tuple(format_match_figures(row)) if begun else (),
                entry_ids[row.team],
                is_ranked=row.rank is not None,
                has_left=row.team in table.left,
            )
            for row in table.rows
        ),
        said=describe_team_rule(table.division.tournament),
        exceptions=describe_running_matches(table.running),
        matches=[_build_match_block(table, number, same) for number, same in reversed(by_number)],
    )


def _build_match_block(
    table: DivisionMatches, number: int, matches: Sequence[TeamMatch]
) -> tuple[str, list[MatchLine]]:
    """The matches of one number under their heading."""
    rounds = sorted({game.round for match in matches for game in match.games})
    return format_match_heading(number, rounds), [_build_match_line(table, match) for match in matches]


def _build_match_line(table: DivisionMatches, match: TeamMatch) -> MatchLine:
    home, away = match.half_wins
    begun = any(not game.is_open for game in match.games)
    # Without a result nothing: “0 : 0” would read like one.
    score = f"{format_half_wins(home)} : {format_half_wins(away)}" if begun else NO_FIGURE
    if match.away is None:
        return MatchLine(match.home, format_half_wins(home), _("Bye"), (), match.is_struck)
    boards = tuple(_build_board_line(table, game) for game in match.games)
    # By anybody of either team: a board where one team has nobody has a player on the other side.
    pages = {game.round: int(game.home or game.away or 0) for game in match.games}
    return MatchLine(match.home, score, match.away, boards, match.is_struck, tuple(pages.items()))


def _build_board_line(table: DivisionMatches, game: BoardGame) -> dict[str, Any]:
    """A game of a match: the players' names, and what both teams have of it."""
    names = [NO_FIGURE if entry_key is None else table.entries[entry_key].name for entry_key in (game.home, game.away)]
    halves = [format_half_wins(half_wins or 0) for half_wins in (game.home_half_wins, game.away_half_wins)]
    return {"home": names[0], "score": NO_FIGURE if game.is_open else " : ".join(halves), "away": names[1]}
