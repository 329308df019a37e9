"""The table of teams as rows of texts, each team with its players."""

from dataclasses import dataclass

from scoring.teams import TeamMember, TeamRow
from tournament.core.words.figures import format_points
from tournament.models import Entry
from tournament.teams.queries import TeamTable
from tournament.teams.words import format_team_figures


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A player of a team: the place in the table, and what they bring, in brackets where that does not count."""

    place: str
    entry: Entry
    figures: tuple[str, ...]
    counts: bool


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team's row and its players, those who count first. `key` names the row within the page."""

    key: int
    rank: str
    team: str
    figures: tuple[str, ...]
    members: tuple[MemberLine, ...]

    @property
    def counting(self) -> list[MemberLine]:
        return [member for member in self.members if member.counts]


def list_team_lines(found: TeamTable) -> list[TeamLine]:
    """The teams in the order of the table."""
    return [_build_team_line(found, key, row) for key, row in enumerate(found.rows, 1)]


def _build_team_line(found: TeamTable, key: int, row: TeamRow) -> TeamLine:
    figures = format_team_figures(found.rule, row.place_points, row.half_wins, row.spread) if found.has_begun else ()
    members = tuple(_build_member_line(found, member) for member in row.members)
    return TeamLine(key, format_points(row.rank), row.team, tuple(figures), members)


def _build_member_line(found: TeamTable, member: TeamMember) -> MemberLine:
    player = member.player
    entry = found.entries[player.player]
    if not found.has_begun:
        return MemberLine("", entry, (), counts=True)
    figures = format_team_figures(found.rule, member.place_points, player.half_wins, player.spread)
    shown = figures if member.counts else [f"({figure})" for figure in figures]
    return MemberLine(format_points(player.place), entry, tuple(shown), member.counts)
