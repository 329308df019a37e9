"""The table of teams on paper, and the sheets on which teams write down a match."""

from django.utils.translation import gettext as _

from tournament.core.words.rounds import format_round_name
from tournament.models import Division, Pairing, Round
from tournament.models.event import Entry
from tournament.pairing.values import Method, StartPolicy
from tournament.paper.documents import join_documents, render_no_round, render_notice
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader
from tournament.results.league_games import list_division_entries
from tournament.rounds.team_matches import group_by_match, name_teams_by_entry
from tournament.table.league import list_round_pairings
from tournament.teams.tables import build_shown_teams

LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW = 13.0, 8 * MM, 16 * MM
RANK_WIDTH, FIGURE_WIDTH = 14 * MM, 22 * MM

SHEET_ROW, SHEET_SIZE = 16 * MM, 14.0  # of a board on a match sheet
TABLE_WIDTH, BOX_WIDTH = 16 * MM, 24 * MM


def render_teams(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    """The teams, with those who count for them where players are counted, as far as the results are known."""
    team_table, title = build_shown_teams(division), _("Table of teams")
    if team_table is None:
        return render_notice(header, title, _("No table of teams is announced."))
    if not team_table.has_begun or not team_table.lines:
        return render_notice(header, title, _("The table of teams begins with the first result."))
    paper = Paper(header, team_table.heading, notes=[" ".join([*team_table.said, *team_table.exceptions])])
    columns = (
        PrintedColumn(_("Rank"), RANK_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Team"), paper.content.width - RANK_WIDTH - FIGURE_WIDTH * len(team_table.heads), wraps=True),
        *(
            PrintedColumn(str(head), FIGURE_WIDTH, Align.RIGHT, bold=not number)
            for number, head in enumerate(team_table.heads)
        ),
    )
    rows: list[PrintedRow] = [
        (
            line.rank,
            PrintedCell(
                line.name, below=" · ".join(f"{member.entry.name} ({member.place})" for member in line.counting)
            ),
            *line.figures,
        )
        for line in team_table.lines
    ]
    grid = PrintedTable(columns, LARGEST_SIZE, LOWEST_ROW, TALLEST_ROW)
    return grid.compose(rows, paper.content.height).document(paper)


def render_match_sheets(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    """A page for each match of a round, byes aside: its boards with room for the results, the sum, both signatures."""
    title = _("Match sheets")
    if round is None or round.method != Method.TEAMS:
        return render_no_round(header, title) if round is None else _render_no_match(header, title, round)
    names = name_teams_by_entry(list_division_entries(division))
    pairings = [pairing for pairing in list_round_pairings(round) if pairing.kind != Pairing.Kind.ABSENT]
    sheets = [
        _render_sheet(header, round, home, away, boards, names)
        for (home, away), boards in group_by_match(pairings, names).items()
        if away is not None
    ]
    return join_documents(sheets, title) if sheets else _render_no_match(header, title, round)


def _render_no_match(header: PaperHeader, title: str, round: Round) -> bytes:
    return render_notice(header, title, _("In round %(number)s no teams meet.") % {"number": round.number})


def _render_sheet(
    header: PaperHeader, round: Round, home: str, away: str, pairings: list[Pairing], names: dict[int, str]
) -> bytes:
    says_start = round.division.tournament.starts == StartPolicy.BALANCED
    notes = [
        _("The player marked with an arrow starts.") if says_start else "",
        _("Write down the points of each game, then the board points; both teams sign."),
    ]
    title = f"{format_round_name(round)}: {home} – {away}"
    paper = Paper(header, title, notes=notes)
    half = (paper.content.width - TABLE_WIDTH - 2 * BOX_WIDTH) / 2
    columns = (
        PrintedColumn(_("Table"), TABLE_WIDTH, Align.CENTRE, bold=True),
        PrintedColumn(home, half, wraps=True),
        PrintedColumn(_("Points"), BOX_WIDTH),
        PrintedColumn(_("Points"), BOX_WIDTH),
        PrintedColumn(away, half, wraps=True),
    )
    rows: list[PrintedRow] = []
    for pairing in pairings:
        # Home and away are the teams' sides, first and second the players': at a board either team may have the start.
        sides: dict[str | None, Entry] = {names.get(pairing.first.pk): pairing.first}
        if pairing.second is not None:
            sides[names.get(pairing.second.pk)] = pairing.second
        cells = [_format_side(sides.get(team), pairing, says_start=says_start) for team in (home, away)]
        rows.append((str(pairing.table or "–"), cells[0], "", "", cells[1]))
    rows.append(("", _("Board points"), "", "", ""))
    rows.append(("", _("Signature"), "", "", _("Signature")))
    return PrintedTable(columns, SHEET_SIZE, SHEET_ROW, SHEET_ROW).fix(rows).document(paper)


def _format_side(entry: Entry | None, pairing: Pairing, *, says_start: bool) -> str:
    """A player of a board, marked where they start; what stands there for a team that has none."""
    if entry is None:
        return _("nobody")
    starts = says_start and pairing.second is not None and pairing.first.pk == entry.pk
    return f"→ {entry.name}" if starts else entry.name
