"""The table of teams as files: JSON by docs/formats.md, and CSV with a row for each player."""

from typing import Any

from django.utils.translation import gettext as _

from tournament.basics.cells import CellValue, build_csv
from tournament.teams.queries import TeamTable


def build_teams_json(found: TeamTable) -> dict[str, Any]:
    """The teams with their players, in the order of the table."""
    return {
        "rule": found.rule.value,
        "best": found.best,
        "after": found.shown.after,
        "teams": [
            {
                "rank": row.rank,
                "team": row.team,
                "place_points": row.place_points,
                "wins": row.half_wins / 2,
                "spread": row.spread,
                "decided_by": row.decided_by.value if row.decided_by else None,
                "players": [
                    {
                        "player": found.entries[member.player.player].key,
                        "name": found.entries[member.player.player].name,
                        "place": member.player.place,
                        "place_points": member.place_points,
                        "wins": member.player.half_wins / 2,
                        "spread": member.player.spread,
                        "counts": member.counts,
                    }
                    for member in row.members
                ],
            }
            for row in found.rows
        ],
    }


def build_teams_csv(found: TeamTable) -> bytes:
    """A row for each player with the rank of the team; whoever does not count has no 1 in the last column."""
    heads: list[CellValue] = [_("Rank of the team"), _("Team"), _("Place"), _("Name"), _("Points"), _("Wins")]
    rows: list[list[CellValue]] = [[*heads, _("Spread"), _("Counts")]]
    for row in found.rows:
        for member in row.members:
            player = member.player
            who: list[CellValue] = [row.rank, row.team, player.place, found.entries[player.player].name]
            rows.append([*who, member.place_points, player.half_wins / 2, player.spread, int(member.counts)])
    return build_csv(rows)
