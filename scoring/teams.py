"""The table of teams within an individual event: the best players of each team count together. No rule book has it;
what counts, and what separates teams that are level, is defined here alone."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.row_ranks import rank_rows
from scoring.standings import PlayerKey


class TeamRule(StrEnum):
    """What the players of a team bring it."""

    NONE = "none"  # there is no table of teams
    PLACES = "places"  # the last of the table one point, each place above it one more
    WINS = "wins"
    SPREAD = "spread"
    MATCHES = "matches"  # they play matches against other teams (`scoring.team_matches`)


class TeamCriterion(StrEnum):
    """What separates a team from the one above it; level teams share the rank."""

    PLACE_POINTS = "place_points"
    WINS = "wins"
    SPREAD = "spread"
    BEST_PLACE = "best_place"  # the better place of the best player


TEAM_CRITERIA: dict[TeamRule, tuple[TeamCriterion, ...]] = {
    TeamRule.PLACES: (
        TeamCriterion.PLACE_POINTS,
        TeamCriterion.WINS,
        TeamCriterion.SPREAD,
        TeamCriterion.BEST_PLACE,
    ),
    TeamRule.WINS: (TeamCriterion.WINS, TeamCriterion.SPREAD, TeamCriterion.BEST_PLACE),
    TeamRule.SPREAD: (TeamCriterion.SPREAD, TeamCriterion.WINS, TeamCriterion.BEST_PLACE),
}
"""What each rule compares, in order: the sums of the players who count, and at last the place of the best of them. By
the same order it is decided who of a team counts."""


@dataclass(frozen=True, slots=True)
class TeamPlayer:
    """A player of the table: the place (None without a rank, as of somebody who has left), half wins and spread. `team`
    is None for somebody who plays for none."""

    player: PlayerKey
    team: str | None
    place: int | None
    half_wins: int
    spread: int


@dataclass(frozen=True, slots=True)
class TeamMember:
    """A player in the row of their team, what the place brings, and whether they count."""

    player: TeamPlayer
    place_points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team: the sums of those who count, who come first among its `members`. `rank` is None where fewer than asked
    for can count, and for a team that has left; such teams come last. `decided_by`: what separates the row from the one
    above; None for the first, for one that is level with it, and for one without a rank."""

    rank: int | None
    team: str
    place_points: int
    half_wins: int
    spread: int
    best_place: int | None
    members: tuple[TeamMember, ...]
    decided_by: TeamCriterion | None = None

    @property
    def counting(self) -> int:
        """How many players count."""
        return sum(member.counts for member in self.members)


def rank_teams(
    players: Iterable[TeamPlayer], rule: TeamRule, best: int, left: Collection[str] = ()
) -> tuple[TeamRow, ...]:
    """The teams of all players in a table, by rank; the `best` players of each count. Teams that are level, and teams
    without a rank (too small, or in `left`, since all their players have left), stand by what they have, then in the
    order in which they first appear."""
    listed = list(players)
    # Players without a team have places as well: what a place brings must not hang on who plays for one.
    ranked = sum(team.place is not None for team in listed)
    teams: dict[str, list[TeamMember]] = {}
    for team_row in listed:
        if team_row.team is not None:
            points = 0 if team_row.place is None else ranked - team_row.place + 1
            teams.setdefault(team_row.team, []).append(TeamMember(team_row, points, counts=False))
    criteria = TEAM_CRITERIA[rule]
    rows = [_build_row(team, members, criteria, best) for team, members in teams.items()]
    complete = [row for row in rows if row.counting == best and row.team not in left]
    rest = [row for row in rows if row.counting < best or row.team in left]

    def get_figures(row: TeamRow) -> tuple[int, ...]:
        return _order_figures((row.place_points, row.half_wins, row.spread, row.best_place), criteria)

    return (*rank_rows(complete, get_figures, criteria), *sorted(rest, key=get_figures, reverse=True))


def _build_row(team: str, members: Sequence[TeamMember], criteria: Sequence[TeamCriterion], best: int) -> TeamRow:
    """A team's row without its rank: its members from the best on, those without a place last."""

    def worth(member: TeamMember) -> tuple[bool, tuple[int, ...]]:
        player = member.player
        figures = (member.place_points, player.half_wins, player.spread, player.place)
        return player.place is not None, _order_figures(figures, criteria)

    in_order = sorted(members, key=worth, reverse=True)
    marked = tuple(
        replace(member, counts=number < best and member.player.place is not None)
        for number, member in enumerate(in_order)
    )
    counting = [member for member in marked if member.counts]
    return TeamRow(
        rank=None,
        team=team,
        place_points=sum(member.place_points for member in counting),
        half_wins=sum(member.player.half_wins for member in counting),
        spread=sum(member.player.spread for member in counting),
        best_place=min((member.player.place for member in counting if member.player.place is not None), default=None),
        members=marked,
    )


def _order_figures(figures: tuple[int, int, int, int | None], criteria: Sequence[TeamCriterion]) -> tuple[int, ...]:
    """Place points, half wins, spread and place in the order in which they are compared: the greater is better."""
    points, half_wins, spread, place = figures
    by_criterion = {
        TeamCriterion.PLACE_POINTS: points,
        TeamCriterion.WINS: half_wins,
        TeamCriterion.SPREAD: spread,
        TeamCriterion.BEST_PLACE: -(place or 0),
    }
    return tuple(by_criterion[criterion] for criterion in criteria)
