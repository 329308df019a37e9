"""On paper: the table of standings, and the cross table of players against rounds or, in an all-play-all, players."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.awards import OUTCOMES_WITHOUT_OPPONENT, Outcome
from tournament.core.words.figures import MINUS_SIGN, NO_FIGURE, format_half_wins, format_points, format_signed
from tournament.core.words.outcomes import (
    abbreviate_missed_round,
    abbreviate_outcome,
    abbreviate_withdrawal,
    describe_missed_rounds,
)
from tournament.models import Division, Entry, Round
from tournament.pairing.values import Method, StartPolicy
from tournament.paper.boxes import Box
from tournament.paper.documents import render_no_round, render_notice
from tournament.paper.grid import (
    CELL_PADDING,
    EASY_SIZE,
    ComposedRow,
    ComposedTable,
    PrintedCell,
    PrintedColumn,
    PrintedTable,
)
from tournament.paper.lettering import LEADING, SMALLEST_SIZE, break_text, make_drawable, measure_width
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, split_into_pages
from tournament.table.league import RoundProgress, list_league_rounds
from tournament.table.lots import list_lot_notes
from tournament.table.public_table import (
    CrossRow,
    PublicTable,
    find_current_round_number,
    list_cross_rows,
    load_public_table,
)
from tournament.table.published_games import PlayerRound
from tournament.table.tables import StandingsTable, find_division_lines
from tournament.table.words import describe_criteria_order, describe_keizer_points, describe_moves, describe_spread_cap


@dataclass(frozen=True)
class CrossSheet:
    """The cross table after a round, in the order of the table of standings: by opponents (`matrix`) or by rounds. The
    place of its first row is 0."""

    after: int
    rows: Sequence[CrossRow]
    matrix: bool = False
    starts_known: bool = True

    @cached_property
    def places(self) -> Mapping[int, int]:
        return {row.line.entry.pk: place for place, row in enumerate(self.rows)}

    def list_games(self, place: int, column: int) -> list[PlayerRound]:
        """What a row has in a column: the meeting of a round, or those with the opponent of a place; byes stand where a
        player of the matrix would meet themselves."""
        meetings = self.rows[place].meetings
        if not self.matrix:
            return [meetings[column]] if column in meetings else []
        opponent = None if column == place else self.rows[column].line.entry.pk
        return [meeting for _round, meeting in sorted(meetings.items()) if meeting.opponent == opponent]

    def has_started(self, meeting: PlayerRound) -> bool:
        is_game = meeting.outcome not in OUTCOMES_WITHOUT_OPPONENT and not meeting.never_began
        return self.starts_known and meeting.first and is_game

    def write_game(self, meeting: PlayerRound) -> tuple[str, str]:
        """The two lines of a game: the sign of the result with the opponent's number or, in a matrix, whose columns are
        narrow, the own points; below it the score, or the opponent's points."""
        own, other, credit = meeting.own, meeting.other, meeting.credit
        if own is not None and other is not None:
            points = format_points(own), format_points(other)
            figures = points[1] if self.matrix else ":".join(points)
        else:
            points, figures = ("", ""), format_signed(credit.spread) if credit else _("open")
        if alone := abbreviate_outcome(meeting.outcome):
            return alone, figures
        number = "" if meeting.opponent is None else str(self.places[meeting.opponent] + 1)
        # A game brings 0, 1 or 2 half wins.
        sign = RESULT_SIGNS[credit.half_wins] if credit else ""
        result = f"{sign}{points[0] if self.matrix else number}"
        # Not played to its end.
        if meeting.outcome not in (Outcome.PLAYED, Outcome.OPEN):
            result = f"({result})"
        return (f"{result} {STARTED_MARK}".strip() if self.has_started(meeting) else result), figures


ROUNDS_A_PAGE, OPPONENTS_A_PAGE = 16, 26
HEAD_HEIGHT, HEAD_SIZE = 7.6 * MM, 8.5
WIDEST = 27 * MM  # column of games
LOWEST_GAME, TALLEST_GAME = 6.15 * MM, 13 * MM
LARGEST_CROSS_SIZE, LARGEST_GAME_SIZE = 11.5, 11.0
GAME_EDGE = 0.3 * MM, 0.15 * MM  # what stays free beside, above and below a game
NARROWEST_NAME, WIDEST_NAME, NAME_STEP = 46 * MM, 86 * MM, 2 * MM
NAME_LINES = 2  # as many as a game has
STARTED_MARK = "\N{BULLET}"
RESULT_SIGNS = MINUS_SIGN, "=", "+"  # by half wins
DIAGONAL_SIGN = "\N{MULTIPLICATION SIGN}"  # where a player of the matrix would meet themselves


def draw_cross_table(header: PaperHeader, sheet: CrossSheet) -> bytes:
    """The cross table on A4 landscape; names are repeated where the columns continue on another page."""
    title = _("Cross table after round %(number)s") % {"number": sheet.after}
    paper = Paper(header, title, notes=_build_legend(sheet), wide=True)
    games = _count_games_a_cell(sheet)
    columns = range(len(sheet.rows)) if sheet.matrix else range(1, sheet.after + 1)
    shared, fixed, width = _share_width(sheet, paper.content.width, columns)
    rows = [_build_cross_cells(sheet, place) for place in range(len(sheet.rows))]
    lowest, tallest = LOWEST_GAME * games, TALLEST_GAME * games
    grid = PrintedTable(fixed, LARGEST_CROSS_SIZE, lowest, tallest, EASY_SIZE, 0.3, HEAD_HEIGHT, HEAD_SIZE)
    composed = grid.compose(rows, paper.content.height)
    # All columns of the same players follow one another, so that sheets can be hung up side by side.
    parts = [(place, page, numbers) for place, page in _number_pages(composed) for numbers in shared]
    # Of the lowest row: a name on two lines makes its own row higher, and all games are to have one size.
    game_height = min((row.height for page in composed.pages for row in page), default=LOWEST_GAME) / games
    crossing = Box(0, 0, width, game_height).inset(*GAME_EDGE)
    size = min(LARGEST_GAME_SIZE, crossing.height / 2 / LEADING, crossing.width / _measure_widest_game(sheet))
    for place, page, numbers in paper.pages(parts):
        _draw_page(paper, sheet, composed, (place, page), numbers, (width, game_height, size))
    return paper.done()


def _share_width(
    sheet: CrossSheet, width: float, columns: Sequence[int]
) -> tuple[Sequence[Sequence[int]], tuple[PrintedColumn, ...], float]:
    """The columns of games on each page, those before them, and how wide one of games is: as few pages as let games be
    read, games as large as letters in a table before names get a line of their own."""
    widest = _measure_widest_game(sheet)
    smallest, easy = (size * widest + 2 * GAME_EDGE[0] for size in (SMALLEST_SIZE, EASY_SIZE))
    beside = width - sum(column.width for column in _build_fixed_columns(sheet, 0))
    # What names take at least, on as many lines as a game has, and what they take at most, on one.
    short, long = (_measure_names(sheet, lines) for lines in (NAME_LINES, 1))
    # By the smallest letters that can be read, beside names on two lines: one page with small games goes before two
    # with large ones.
    most = min(OPPONENTS_A_PAGE if sheet.matrix else ROUNDS_A_PAGE, max(1, int((beside - short) / smallest)))
    shared = split_into_pages(columns, most) or [columns]
    count = max(len(shared[0]), 1)
    # Games grow to an easy size before names get more than they need; names have what is left of that.
    name = min(max(beside - easy * count, short), long)
    game = min(WIDEST, (beside - name) / count)
    # Two rounds take little of a page: what games as wide as they may be leave goes back to the names.
    name = min(max(beside - game * count, name), WIDEST_NAME)
    return shared, _build_fixed_columns(sheet, name), game


def _measure_widest_game(sheet: CrossSheet) -> float:
    """The width of the widest of the two lines of any game at size 1."""
    games = [sheet.write_game(meeting) for row in sheet.rows for meeting in row.meetings.values()]
    gaps = [abbreviate_missed_round(row.line.entry, number) for row in sheet.rows for number in row.missed]
    texts = [*chain.from_iterable(games), *(() if sheet.matrix else gaps)]
    # A hair more than measured: letters that fill a cell exactly are too wide for it by rounding. All are measured as
    # bold, which won games are.
    return max((measure_width(make_drawable(text), bold=True) for text in texts), default=1.0) + 0.01


def _measure_names(sheet: CrossSheet, most_lines: int) -> float:
    """The width at which each name takes so many lines at most, if the widest column does."""
    entries, width = [row.line.entry for row in sheet.rows], NARROWEST_NAME
    names = [f"{entry.name} {abbreviate_withdrawal(entry)}".strip() for entry in entries]
    while width < WIDEST_NAME:
        broken = [break_text(name, bold=False, width=width - 2 * CELL_PADDING, size=EASY_SIZE) for name in names]
        if all(is_whole and len(lines) <= most_lines for lines, is_whole in broken):
            break
        width += NAME_STEP
    return width


def _number_pages(composed: ComposedTable) -> Iterator[tuple[int, Sequence[ComposedRow]]]:
    """Each page's rows with the place of its first among the lines."""
    place = 0
    for page in composed.pages:
        yield place, page
        place += len(page)


def _count_games_a_cell(sheet: CrossSheet) -> int:
    """The most often that two players of a matrix have met."""
    if not sheet.matrix:
        return 1
    # Byes are counted together, as of one opponent: they share the cell of the diagonal.
    met = [Counter(meeting.opponent for meeting in row.meetings.values()) for row in sheet.rows]
    return max((count for opponents in met for count in opponents.values()), default=1)


def _build_legend(sheet: CrossSheet) -> list[str]:
    what = (
        _(
            "+ won, − lost, = drawn, with the player's points; below them the opponent's. The other columns are the "
            "players by their number in the first one."
        )
        if sheet.matrix
        else _("+ won, − lost, = drawn, then the opponent's number in the first column; below it the score.")
    )
    awarded = _("( ) awarded, not played to the end.")
    started = _("• had the first move.") if sheet.starts_known else ""
    legend = [" ".join(part for part in (what, started, awarded) if part)]
    without_game = [describe_missed_rounds(row.line.entry, row.missed) for row in sheet.rows if row.missed]
    if sheet.matrix and without_game:  # in a table by rounds the cells say so
        legend.append(_("Rounds without a pairing: %(players)s.") % {"players": "; ".join(without_game)})
    return legend


def _draw_page(
    paper: Paper,
    sheet: CrossSheet,
    composed: ComposedTable,
    lines: tuple[int, Sequence[ComposedRow]],
    columns: Sequence[int],
    game: tuple[float, float, float],
) -> None:
    """Head and lines (those from the first place on) with their games: `columns` are rounds, or places of opponents;
    `game` is the width and height of one, and the size of its letters."""
    box = paper.content
    titles = [str(number + 1) if sheet.matrix else _("R%(number)s") % {"number": number} for number in columns]
    headings = tuple(PrintedColumn(title, game[0], Align.CENTRE) for title in titles)
    table = replace(composed.table, columns=(*composed.table.columns, *headings))
    y = replace(composed, table=table).draw_head(paper, box.x, box.y)
    for place, row in enumerate(lines[1], lines[0]):
        crossing = Box(box.x + composed.table.width, y, game[0], row.height)
        y = composed.draw_row(paper, box.x, y, row)
        paper.rule(crossing.x, y, crossing.x + game[0] * len(columns), y, shade=0.45)
        for number in columns:
            _draw_crossing(paper, crossing, sheet, (place, number), game[1:])
            crossing = replace(crossing, x=crossing.right)


def _build_fixed_columns(sheet: CrossSheet, name: float) -> tuple[PrintedColumn, ...]:
    """The columns before those of games; ranks have a column only where they are not line numbers."""
    numbers = PrintedColumn(_("No."), 11 * MM, Align.RIGHT, bold=True)
    ranks = PrintedColumn(_("Rank"), 12 * MM, Align.RIGHT, bold=_are_ranks_line_numbers(sheet))
    spread = _("Spread")
    # By the heading's word too, which in German is longer than any figure below it.
    figures = measure_width(make_drawable(spread), bold=True) * HEAD_SIZE + 2 * CELL_PADDING + 0.5
    return (
        *((ranks,) if _are_ranks_line_numbers(sheet) else (numbers, ranks)),
        PrintedColumn(_("Name"), name, wraps=True),
        PrintedColumn(_("Wins"), 12 * MM, Align.RIGHT, bold=True),
        PrintedColumn(spread, max(15 * MM, figures), Align.RIGHT),
    )


def _are_ranks_line_numbers(sheet: CrossSheet) -> bool:
    return all(row.line.standing.rank == number for number, row in enumerate(sheet.rows, 1))


def _build_cross_cells(sheet: CrossSheet, place: int) -> tuple[PrintedCell | str, ...]:
    standing, entry = sheet.rows[place].line.standing, sheet.rows[place].line.entry
    rank = NO_FIGURE if standing.rank is None else str(standing.rank)
    return (
        *((rank,) if _are_ranks_line_numbers(sheet) else (str(place + 1), rank)),
        PrintedCell(entry.name, abbreviate_withdrawal(entry)),
        format_half_wins(standing.half_wins),
        format_signed(standing.spread),
    )


def _draw_crossing(
    paper: Paper, box: Box, sheet: CrossSheet, crossing: tuple[int, int], game: tuple[float, float]
) -> None:
    """One crossing of a line and a column: a round's game or all games against one opponent; the matrix's diagonal
    holds the byes. `game` is the height of one and the size of its letters."""
    (place, number), (game_height, size) = crossing, game
    games, row = sheet.list_games(place, number), sheet.rows[place]
    if sheet.matrix and number == place:
        paper.fill(box)
        if not games:
            paper.write(box, DIAGONAL_SIGN, size=8, align=Align.CENTRE)
    paper.rule(box.x, box.y, box.x, box.bottom, shade=0.6)
    line = Box(box.x, box.middle - game_height * max(len(games), 1) / 2, box.width, game_height)
    # A matrix has no column for a round: who missed one stands in its legend.
    if not sheet.matrix and number in row.missed:
        _upper, lower = line.inset(*GAME_EDGE).stack(1, 1)
        paper.write(lower, abbreviate_missed_round(row.line.entry, number), size=size, align=Align.CENTRE)
    for meeting in games:
        upper, lower = line.inset(*GAME_EDGE).stack(1, 1)
        result, figures = sheet.write_game(meeting)
        paper.write(upper, result, size=size, bold=meeting.won, align=Align.CENTRE)
        paper.write(lower, figures, size=size, align=Align.CENTRE)
        line = line.below(game_height)


def draw_standings(
    header: PaperHeader, table: PublicTable, notes: Sequence[str], division_lines: frozenset[int] = frozenset()
) -> bytes:
    """The table in order of ranks; the notes say how it is ranked and what is still open. Below the rows of the entries
    in `division_lines` is a line."""
    if not table.lines:
        return render_notice(header, _("Standings"), _("Nobody has been entered yet."))
    after = _("Standings after round %(number)s") % {"number": table.after}
    title = after if table.after else _("Standings before round 1")
    printed = StandingsTable(table.lines, basis=table.ranking.basis, division_lines=division_lines, caption=title)
    return printed.print_on(Paper(header, title, notes=notes))


LARGEST_MATRIX = 32  # players; a larger round robin is shown by rounds, like everything else


def _get_printed_round_number(round: Round | None, progress: list[RoundProgress]) -> int:
    """The round whose table is printed: never a draft; without a round, the last one begun."""
    if round is None:
        return find_current_round_number(progress)
    return min(round.number, max((item.round.number for item in progress), default=0))


def load_printed_table(division: Division, round: Round | None, entries: Sequence[Entry] | None = None) -> PublicTable:
    """The table after the round, by default the current one. Five queries at most, one less with the division's
    `entries` at hand."""
    progress = list_league_rounds(division)
    after = _get_printed_round_number(round, progress)
    return load_public_table(division, progress, after=after, entries=entries)


def list_standings_notes(division: Division, table: PublicTable) -> list[str]:
    """The order of criteria, the cap, open games, lots, who goes up and down. One query."""
    ranking = table.ranking
    missing = table.games - table.done + table.earlier
    provisional = ngettext(
        "Provisional: %(count)s game is still open.", "Provisional: %(count)s games are still open.", missing
    )
    notes = (
        _("Ranked by %(order)s.") % {"order": describe_criteria_order(ranking, division.tournament.rules)},
        describe_keizer_points(ranking),
        describe_spread_cap(ranking),
        provisional % {"count": missing} if missing else "",
        *list_lot_notes(division, table.after, table.lines),
        *describe_moves(division),
    )
    return [note for note in notes if note]


def build_cross_sheet(division: Division, round: Round | None) -> CrossSheet:
    """The cross table after the round, by default the current one. Five queries."""
    progress = list_league_rounds(division)
    after = _get_printed_round_number(round, progress)
    rows = list_cross_rows(division, after=after)
    methods = {item.round.method for item in progress if item.round.number <= after}
    # Only of rounds that are in this table: a final round by another method, paired already, would turn a matrix that
    # hangs on the wall into a table by rounds.
    matrix = methods == {Method.ROUND_ROBIN} and len(rows) <= LARGEST_MATRIX
    starts_known = division.tournament.starts == StartPolicy.BALANCED
    return CrossSheet(after, rows, matrix, starts_known)


def render_standings(
    header: PaperHeader, division: Division, round: Round | None, entries: Sequence[Entry] | None = None
) -> bytes:
    """Six queries, one less with the division's `entries` at hand."""
    table = load_printed_table(division, round, entries)
    notes = list_standings_notes(division, table)
    return draw_standings(header, table, notes, find_division_lines(table.lines, division))


def render_cross_table(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    sheet = build_cross_sheet(division, round)
    return draw_cross_table(header, sheet) if sheet.after and sheet.rows else render_no_round(header, _("Cross table"))
