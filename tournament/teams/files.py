"""The table of teams as files: JSON by docs/formats.md; CSV with a row for each player, or for each team by matches."""

from typing import Any

from django.utils.translation import gettext as _

from scoring.team_matches import TeamMatch
from tournament.basics.cells import CellValue, build_csv
from tournament.rounds.team_matches import DivisionMatches
from tournament.teams.team_table import TeamTable
from tournament.teams.words import MATCH_HEADS


def build_teams_json(found: TeamTable) -> dict[str, Any]:
    """The teams with their players, in the order of the table."""
    return {
        "rule": found.rule.value,
        "best": found.best,
        "after": found.players.after,
        "teams": [
            {
                "rank": row.rank,
                "team": row.team,
                "place_points": row.place_points,
                "wins": row.half_wins / 2,
                "spread": row.spread,
                "decided_by": row.decided_by.value if row.decided_by else None,
                "withdrawn": row.team in found.left,
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
    """A row for each player with the rank of the team; “Counts” is 1 for whoever counts, “Withdrawn” for a team that
    has left."""
    heads: list[CellValue] = [_("Rank of the team"), _("Team"), _("Place"), _("Name"), _("Points"), _("Wins")]
    rows: list[list[CellValue]] = [[*heads, _("Spread"), _("Counts"), _("Withdrawn")]]
    for row in found.rows:
        for member in row.members:
            player = member.player
            who: list[CellValue] = [row.rank, row.team, player.place, found.entries[player.player].name]
            # As 1 or 0: “True” would stand in English in a table of any language.
            figures: list[CellValue] = [member.place_points, player.half_wins / 2, player.spread, int(member.counts)]
            rows.append([*who, *figures, int(row.team in found.left)])
    return build_csv(rows)


def build_matches_json(found: DivisionMatches) -> dict[str, Any]:
    """The teams by their matches, and the matches with their games."""
    return {
        "rule": "matches",
        "boards": found.division.tournament.team_best,
        "format": found.division.tournament.team_format,
        "after": found.after,
        "teams": [
            {
                "rank": row.rank,
                "team": row.team,
                "played": row.played,
                "match_points": row.match_points,
                "board_points": row.half_wins / 2,
                "spread": row.spread,
                "decided_by": row.decided_by.value if row.decided_by else None,
                "withdrawn": row.team in found.left,
            }
            for row in found.rows
        ],
        "matches": [_build_match_json(found, match) for match in found.matches],
    }


def _build_match_json(found: DivisionMatches, match: TeamMatch) -> dict[str, Any]:
    """A match with its games, players by their keys."""
    keys = {pk: entry.key for pk, entry in found.entries.items()}
    return {
        "number": match.number,
        "home": match.home,
        "away": match.away,
        "board_points": [half_wins / 2 for half_wins in match.half_wins],
        "counts": match.counts,
        "struck": match.is_struck,
        "games": [
            {
                "round": game.round,
                "table": game.table,
                "home": None if game.home is None else keys[game.home],
                "away": None if game.away is None else keys[game.away],
                "board_points": [
                    None if half_wins is None else half_wins / 2
                    for half_wins in (game.home_half_wins, game.away_half_wins)
                ],
            }
            for game in match.games
        ],
    }


def build_matches_csv(found: DivisionMatches) -> bytes:
    """A row for each team; “Withdrawn” is 1 for one that has left."""
    rows: list[list[CellValue]] = [[_("Rank"), _("Team"), *map(str, MATCH_HEADS), _("Withdrawn")]]
    for row in found.rows:
        figures: list[CellValue] = [row.match_points, row.half_wins / 2, row.spread, row.played]
        rows.append([row.rank, row.team, *figures, int(row.team in found.left)])
    return build_csv(rows)
