"""The table as files: JSON by docs/formats.md."""

from typing import Any

from scoring.standings import RankingBasis
from tournament.table.league import LeagueTable, load_boards

PRINTED_FIGURES = ("wins", "losses", "spread", "points", "games", "highest_game")


def build_standings_json(table: LeagueTable) -> list[dict[str, Any]]:
    """The rows as `standings --format json` prints them."""
    by_keizer, boards = table.ranking.basis is RankingBasis.KEIZER, load_boards(table.division)
    return [
        {
            **row,
            **({} if boards is None else {"team": line.entry.listed_team, "board": boards.get(line.entry.pk)}),
            **({"keizer_sixths": line.standing.keizer, "keizer_value": line.standing.value} if by_keizer else {}),
            **({"disqualified": True} if line.standing.disqualified else {}),
        }
        for row, line in zip(build_table_rows(table), table.rows, strict=True)
    ]


def build_table_rows(table: LeagueTable) -> list[dict[str, Any]]:
    """The rows as version 1 of the interface for programs has them, which is never changed."""
    return [
        {
            "rank": row.standing.rank,
            "player": row.entry.key,
            "name": row.entry.name,
            **{figure: getattr(row.standing, figure) for figure in PRINTED_FIGURES},
            "decided_by": row.standing.decided_by,
        }
        for row in table.rows
    ]
