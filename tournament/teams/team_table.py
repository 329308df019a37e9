"""The table of teams of a division as far as the reader may see it, from its players' table; for that from matches see
`DivisionMatches`."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.standings import PlayerKey
from scoring.teams import TeamPlayer, TeamRow, TeamRule, rank_teams
from tournament.basics.names import fold_text
from tournament.models import Division, Entry
from tournament.rounds.team_matches import find_left_teams
from tournament.table.league import list_league_rounds
from tournament.table.public_table import PublicTable, find_current_round_number, load_public_table


@dataclass(frozen=True, slots=True)
class TeamTable:
    """The teams of a division. `players`: the table of players that it is made of; before the first result nobody has a
    place in it, and no team a rank. `loners`: how many players of it play for no team. `left`: the teams all of whose
    players have left."""

    division: Division
    rule: TeamRule
    best: int
    players: PublicTable
    rows: tuple[TeamRow, ...]
    entries: Mapping[PlayerKey, Entry]
    loners: int
    left: frozenset[str]

    @property
    def has_begun(self) -> bool:
        return self.players.after > 0

    @property
    def incomplete(self) -> int:
        """How many teams are too small for a rank; those that have left aside."""
        return sum(row.rank is None and row.team not in self.left for row in self.rows) if self.has_begun else 0


def load_team_table(division: Division) -> TeamTable | None:
    """The table of teams after the last round with a result; None where none is announced, or one of matches. Seven
    queries at most."""
    tournament = division.tournament
    rule = TeamRule(tournament.team_rule)
    if rule in (TeamRule.NONE, TeamRule.MATCHES) or not tournament.rules.is_paired:
        return None
    progress = list_league_rounds(division)
    public_table = load_public_table(division, progress, after=find_current_round_number(progress))
    called: dict[str, str] = {}
    players = []
    for line in public_table.lines:
        name = line.entry.team_name
        # A team is spelled as its first player in the table has it; case and accents make no other one.
        team = called.setdefault(fold_text(name), name) if name else None
        row = line.standing
        # Before the first result all are level, and each would bring their team the points of the first place.
        place = row.rank if public_table.after else None
        players.append(TeamPlayer(row.player, team, place, row.half_wins, row.spread))
    entries: dict[PlayerKey, Entry] = {line.entry.pk: line.entry for line in public_table.lines}
    left = find_left_teams(line.entry for line in public_table.lines)
    return TeamTable(
        division=division,
        rule=rule,
        best=tournament.team_best,
        players=public_table,
        rows=rank_teams(players, rule, tournament.team_best, left),
        entries=entries,
        loners=sum(player.team is None for player in players),
        left=left,
    )
