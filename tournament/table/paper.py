"""On paper: the table of standings, and the cross table of players against rounds or, in an all-play-all, players."""

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import standings
from scoring.awards import OUTCOMES_WITHOUT_OPPONENT, Outcome
from tournament.core.words.figures import MINUS_SIGN, NO_FIGURE, format_half_wins, format_points, format_signed
from tournament.core.words.outcomes import (
    abbreviate_missed_round,
    abbreviate_outcome,
    describe_missed_rounds,
    format_withdrawal,
)
from tournament.models import Division, Entry, Round
from tournament.pairing.values import Method, StartPolicy
from tournament.paper.boxes import Box
from tournament.paper.documents import render_no_round, render_notice
from tournament.paper.grid import (
    CELL_PADDING,
    LEAST_SIZE,
    ComposedRow,
    ComposedTable,
    PrintedCell,
    PrintedColumn,
    PrintedTable,
)
from tournament.paper.lettering import make_drawable, measure_width
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, split_into_pages
from tournament.table.league import RoundProgress, TableRow, list_league_rounds
from tournament.table.lots import list_lot_notes
from tournament.table.public_table import CrossRow, find_current_round_number, list_cross_rows, load_public_table
from tournament.table.published_games import PlayerRound
from tournament.table.words import describe_criteria_order, describe_rank_decision, describe_spread_cap


@dataclass(frozen=True, slots=True)
class StandingsSheet:
    """The table after a round (0: before the first). `notes`: order of criteria, cap, open games."""

    after: int
    lines: tuple[TableRow, ...]
    notes: tuple[str, ...] = ()
    points_first: bool = False


class CrossMark(StrEnum):
    """The result of a game of the cross table for its row's player."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    OPEN = "open"
    MISSED = "missed"  # no game in that round: not entered yet, withdrawn, or left out


@dataclass(frozen=True, slots=True)
class CrossGame:
    """One game from its row's side."""

    round: int
    mark: CrossMark
    opponent: int | None = None  # the opponent's place among the lines, 0 for the first
    score: tuple[int, int] | None = None  # own points first
    spread: int | None = None  # what was credited where there is no score
    alone: str = ""  # what is written where there is no opponent
    started: bool = False
    awarded: bool = False  # not played to its end
    why: str = ""  # there was no game in the round


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A row of the cross table, in the order of the table of standings."""

    rank: int | None
    name: str
    half_wins: int
    spread: int
    games: tuple[CrossGame, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class CrossSheet:
    """The cross table after a round: by opponents (`matrix`), with who missed rounds (`without_game`), or by rounds."""

    after: int
    lines: tuple[CrossLine, ...]
    matrix: bool = False
    starts_known: bool = True
    without_game: tuple[str, ...] = ()


ROUNDS_A_PAGE, OPPONENTS_A_PAGE = 16, 26
WIDEST, LEAST_ROUND, LEAST_OPPONENT = 27 * MM, 11 * MM, 6.5 * MM
LOWEST_GAME, TALLEST_GAME = 6.1 * MM, 13 * MM
LARGEST_CROSS_SIZE = 11.5
GAME_LETTER_SHARE = 0.42  # the size of a game's letters in parts of the least height of a game
NAME_WIDTH = 46 * MM, 86 * MM  # of the column of names, at least and at most
NOTE_LETTERS = 150  # how many letters of a note fit on one line
STARTED_MARK = "\N{BULLET}"
RESULT_SIGNS = {CrossMark.WON: "+", CrossMark.DRAWN: "=", CrossMark.LOST: MINUS_SIGN, CrossMark.OPEN: ""}
DIAGONAL_SIGN = "\N{MULTIPLICATION SIGN}"  # where a player of the matrix would meet themselves


def draw_cross_table(header: PaperHeader, sheet: CrossSheet) -> bytes:
    """The cross table on A4 landscape; names are repeated where the columns continue on another page."""
    title = _("Cross table after round %(number)s") % {"number": sheet.after}
    paper = Paper(header, title, notes=_build_legend(sheet), wide=True)
    games = _count_games_a_cell(sheet)
    columns = range(len(sheet.lines)) if sheet.matrix else range(1, sheet.after + 1)
    shared = split_into_pages(columns, OPPONENTS_A_PAGE if sheet.matrix else ROUNDS_A_PAGE) or [columns]
    count = max(len(shared[0]), 1)
    fixed = _build_fixed_columns(sheet, paper.content.width, count)
    width = min(WIDEST, (paper.content.width - sum(column.width for column in fixed)) / count)
    rows = [_build_cross_cells(sheet, place) for place in range(len(sheet.lines))]
    grid = PrintedTable(fixed, LARGEST_CROSS_SIZE, LOWEST_GAME * games, TALLEST_GAME * games, air=0.3, head_size=8.5)
    composed = grid.compose(rows, paper.content.height)
    parts = [(place, page, numbers) for place, page in _number_pages(composed) for numbers in shared]
    game_height = min((row.height for page in composed.pages for row in page), default=LOWEST_GAME) / games
    crossing = Box(0, 0, width, game_height)
    for place, page, numbers in paper.pages(parts):
        _draw_page(paper, sheet, composed, (place, page), numbers, crossing)
    return paper.done()


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
    met = [Counter(game.opponent for game in line.games) for line in sheet.lines]
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
    if sheet.matrix and sheet.without_game:  # in a table by rounds the cells say so
        missed = _("Rounds without a pairing: %(players)s.") % {"players": "; ".join(sheet.without_game)}
        legend += textwrap.wrap(missed, NOTE_LETTERS, break_on_hyphens=False)
    return legend


def _draw_page(
    paper: Paper,
    sheet: CrossSheet,
    composed: ComposedTable,
    lines: tuple[int, Sequence[ComposedRow]],
    columns: Sequence[int],
    game: Box,
) -> None:
    """Head and lines (those from the first place on) with their games, each as large as `game`: `columns` are rounds,
    or places of opponents."""
    box = paper.content
    titles = [str(number + 1) if sheet.matrix else _("R%(number)s") % {"number": number} for number in columns]
    headings = tuple(PrintedColumn(title, game.width, Align.CENTRE) for title in titles)
    table = replace(composed.table, columns=(*composed.table.columns, *headings))
    y = replace(composed, table=table).draw_head(paper, box.x, box.y)
    for place, row in enumerate(lines[1], lines[0]):
        crossing = Box(box.x + composed.table.width, y, game.width, row.height)
        y = composed.draw_row(paper, box.x, y, row)
        paper.rule(crossing.x, y, crossing.x + game.width * len(columns), y, shade=0.45)
        for number in columns:
            _draw_crossing(paper, crossing, sheet, place, number, game.height)
            crossing = replace(crossing, x=crossing.right)


def _build_fixed_columns(sheet: CrossSheet, width: float, count: int) -> tuple[PrintedColumn, ...]:
    """The columns before `count` columns of games, names on one line if these leave the room; ranks have a column only
    where they are not line numbers."""
    numbers = PrintedColumn(_("No."), 11 * MM, Align.RIGHT, bold=True)
    ranks = PrintedColumn(_("Rank"), 11 * MM, Align.RIGHT, bold=_are_ranks_line_numbers(sheet))
    first = (ranks,) if _are_ranks_line_numbers(sheet) else (numbers, ranks)
    figures = (
        PrintedColumn(_("Wins"), 11 * MM, Align.RIGHT, bold=True),
        PrintedColumn(_("Spread"), 15 * MM, Align.RIGHT),
    )
    fixed_width = sum(column.width for column in (*first, *figures))
    least = LEAST_OPPONENT if sheet.matrix else LEAST_ROUND
    names = [f"{line.name} {line.mark}" for line in sheet.lines]
    room = max(NAME_WIDTH[0], min(NAME_WIDTH[1], width - fixed_width - least * count))
    name = _get_column_width(names, LEAST_SIZE + 0.1, (NAME_WIDTH[0], room))
    spare = max(0, width - fixed_width - WIDEST * count - name)
    return (*first, PrintedColumn(_("Name"), min(name + spare, NAME_WIDTH[1]), wraps=True), *figures)


def _are_ranks_line_numbers(sheet: CrossSheet) -> bool:
    return all(line.rank == number for number, line in enumerate(sheet.lines, 1))


def _build_cross_cells(sheet: CrossSheet, place: int) -> tuple[PrintedCell | str, ...]:
    line = sheet.lines[place]
    rank = NO_FIGURE if line.rank is None else str(line.rank)
    return (
        *((rank,) if _are_ranks_line_numbers(sheet) else (str(place + 1), rank)),
        PrintedCell(line.name, line.mark),
        format_half_wins(line.half_wins),
        format_signed(line.spread),
    )


def _draw_crossing(paper: Paper, box: Box, sheet: CrossSheet, place: int, number: int, game_height: float) -> None:
    """One crossing: a round's game or all games against one opponent; the matrix's diagonal holds the byes."""
    games = [game for game in sheet.lines[place].games if _find_game_column(sheet, place, game) == number]
    if sheet.matrix and number == place:
        paper.fill(box)
        if not games:
            paper.write(box, DIAGONAL_SIGN, size=8, align=Align.CENTRE)
    paper.rule(box.x, box.y, box.x, box.bottom, shade=0.6)
    line = Box(box.x, box.middle - game_height * max(len(games), 1) / 2, box.width, game_height)
    for game in games:
        cell = line.inset(0.6 * MM, 0.4 * MM)
        upper, lower = cell.stack(1, 1)
        size, won = game_height * GAME_LETTER_SHARE, game.mark == CrossMark.WON
        result, figures = _format_result(game, matrix=sheet.matrix), _format_game_figures(game)
        if sheet.matrix and game.score:
            figures = format_points(game.score[1])
        paper.write(upper, result, size=size * 1.1, bold=won, align=Align.CENTRE)
        paper.write(lower, figures, size=size, align=Align.CENTRE)
        line = line.below(game_height)


def _find_game_column(sheet: CrossSheet, place: int, game: CrossGame) -> int:
    """The column that a game of this line belongs to."""
    if not sheet.matrix:
        return game.round
    return place if game.opponent is None else game.opponent


def _format_result(game: CrossGame, *, matrix: bool) -> str:
    """The sign of the result and, in a round's column, the opponent's number; in a matrix, whose columns are narrow,
    the own points."""
    if game.alone:
        return game.alone
    if game.mark == CrossMark.MISSED:
        return ""
    number = "" if game.opponent is None else str(game.opponent + 1)
    if matrix:
        number = format_points(game.score[0]) if game.score else ""
    result = f"{RESULT_SIGNS[game.mark]}{number}"
    result = f"({result})" if game.awarded else result
    return f"{result} {STARTED_MARK}".strip() if game.started else result


def _format_game_figures(game: CrossGame) -> str:
    if game.mark == CrossMark.OPEN:
        return _("open")
    if game.mark == CrossMark.MISSED:
        return game.why
    if game.score is not None:
        own, other = game.score
        return f"{format_points(own)}:{format_points(other)}"
    return format_signed(game.spread)


LOWEST_ROW, TALLEST_ROW = 6.8 * MM, 13 * MM
LARGEST_STANDINGS_SIZE = 12.5
FIGURE_WIDTHS = (12 * MM, 12 * MM, 17 * MM, 14 * MM, 14 * MM)
"""The widths of rank, wins, spread, points and highest game."""
CLUB, CLUB_ROOM = 0.8, (12 * MM, 30 * MM)
DECIDED, DECIDED_ROOM = 0.68, (20 * MM, 44 * MM)
"""The size of clubs, and of what decided, in parts of the row's; how wide the column is at least and at most."""

Part = TypeVar("Part")


def draw_standings(header: PaperHeader, sheet: StandingsSheet) -> bytes:
    """The table in order of ranks; the notes say how it is ranked and what is still open."""
    after = _("Standings after round %(number)s") % {"number": sheet.after}
    paper = Paper(header, after if sheet.after else _("Standings before round 1"), notes=sheet.notes)
    box = paper.content
    rows = [_order_columns(_build_standings_cells(line), sheet) for line in sheet.lines]
    columns = _order_columns(_build_standings_columns(sheet, box.width), sheet)
    grid = PrintedTable(columns, LARGEST_STANDINGS_SIZE, LOWEST_ROW, TALLEST_ROW)
    return grid.compose(rows, box.height).document(paper)


def _build_standings_columns(sheet: StandingsSheet, width: float) -> tuple[PrintedColumn, ...]:
    """The columns; what the figures leave goes to what decided, as far as it is one line, to the club, to the name."""
    reasons = [describe_rank_decision(line.standing, line.above) for line in sheet.lines]
    decided = _get_column_width(reasons, LARGEST_STANDINGS_SIZE * DECIDED, DECIDED_ROOM)
    clubs = [_get_club_name(line.entry) for line in sheet.lines]
    club = _get_column_width(clubs, LARGEST_STANDINGS_SIZE * CLUB, CLUB_ROOM)
    name = width - decided - club - sum(FIGURE_WIDTHS)
    rank, wins, spread, points, highest = FIGURE_WIDTHS
    return (
        PrintedColumn(_("Rank"), rank, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), name, wraps=True),
        PrintedColumn(_("Club"), club, scale=CLUB, wraps=True),
        PrintedColumn(_("Wins"), wins, Align.RIGHT, bold=True),
        PrintedColumn(_("Spread"), spread, Align.RIGHT),
        PrintedColumn(_("Points"), points, Align.RIGHT),
        PrintedColumn(_("Highest game"), highest, Align.RIGHT),
        PrintedColumn(_("Decided by"), decided, scale=DECIDED, wraps=True),
    )


def _get_column_width(texts: Iterable[str], size: float, room: tuple[float, float]) -> float:
    """How wide a column must be for these texts in one line, at least and at most so much."""
    widest = max((measure_width(make_drawable(text), bold=False) * size for text in texts), default=0.0)
    return min(max(widest + 2 * CELL_PADDING + 0.5, room[0]), room[1])


def _build_standings_cells(line: TableRow) -> tuple[PrintedCell | str, ...]:
    standing, entry = line.standing, line.entry
    return (
        NO_FIGURE if standing.rank is None else str(standing.rank),
        PrintedCell(entry.name, "" if entry.withdrawn_after is None else format_withdrawal(entry.withdrawn_after)),
        _get_club_name(entry),
        format_half_wins(standing.half_wins),
        format_signed(standing.spread),
        format_points(standing.points),
        format_points(standing.highest_game),
        describe_rank_decision(standing, line.above),
    )


def _get_club_name(entry: Entry) -> str:
    return entry.club.name if entry.club else ""


def _order_columns(parts: tuple[Part, ...], sheet: StandingsSheet) -> tuple[Part, ...]:
    """The columns in the order of ranking: points before wins where points rank first."""
    if not sheet.points_first:
        return parts
    rank, name, club, wins, spread, points, *rest = parts
    return rank, name, club, points, wins, spread, *rest


LARGEST_MATRIX = 32  # players; a larger round robin is shown by rounds, like everything else


def _get_printed_round_number(round: Round | None, progress: list[RoundProgress]) -> int:
    """The round whose table is printed: never a draft; without a round, the last one begun."""
    if round is None:
        return find_current_round_number(progress)
    return min(round.number, max((item.round.number for item in progress), default=0))


def build_standings_sheet(division: Division, round: Round | None) -> StandingsSheet:
    """The table after the round, by default the current one. Six queries."""
    progress = list_league_rounds(division)
    public_table = load_public_table(division, progress, after=_get_printed_round_number(round, progress))
    ranking = public_table.ranking
    missing = public_table.games - public_table.done + public_table.earlier
    provisional = ngettext(
        "Provisional: %(count)s game is still open.", "Provisional: %(count)s games are still open.", missing
    )
    notes = (
        _("Ranked by %(order)s.") % {"order": describe_criteria_order(ranking, division.tournament.rules)},
        describe_spread_cap(ranking),
        provisional % {"count": missing} if missing else "",
        *list_lot_notes(division, public_table.after, public_table.lines),
    )
    return StandingsSheet(
        after=public_table.after,
        lines=public_table.lines,
        notes=tuple(note for note in notes if note),
        points_first=ranking.basis == standings.RankingBasis.POINTS,
    )


def build_cross_sheet(division: Division, round: Round | None) -> CrossSheet:
    """The cross table after the round, by default the current one. Five queries."""
    progress = list_league_rounds(division)
    after = _get_printed_round_number(round, progress)
    rows = list_cross_rows(division, after=after)
    places = {row.line.entry.pk: place for place, row in enumerate(rows)}
    methods = {item.round.method for item in progress if item.round.number <= after}
    matrix = methods == {Method.ROUND_ROBIN} and len(rows) <= LARGEST_MATRIX
    starts_known = division.tournament.starts == StartPolicy.BALANCED
    return CrossSheet(
        after=after,
        lines=tuple(_build_cross_line(row, places, matrix=matrix, starts_known=starts_known) for row in rows),
        matrix=matrix,
        without_game=tuple(describe_missed_rounds(row.line.entry, row.missed) for row in rows if row.missed),
        starts_known=starts_known,
    )


def _build_cross_line(row: CrossRow, places: Mapping[int, int], *, matrix: bool, starts_known: bool) -> CrossLine:
    """A player's row; the rounds in which they had no game say why, except in a matrix."""
    standing, entry = row.line.standing, row.line.entry
    games = [_build_cross_game(meeting, places, starts_known=starts_known) for meeting in row.meetings.values()]
    games += [
        CrossGame(round=number, mark=CrossMark.MISSED, why=abbreviate_missed_round(entry, number))
        for number in (() if matrix else row.missed)
    ]
    return CrossLine(
        rank=standing.rank,
        name=entry.name,
        half_wins=standing.half_wins,
        spread=standing.spread,
        games=tuple(sorted(games, key=lambda game: game.round)),
        mark=_("withdrawn") if entry.is_withdrawn else "",
    )


def _build_cross_game(meeting: PlayerRound, places: Mapping[int, int], *, starts_known: bool) -> CrossGame:
    alone = meeting.outcome in OUTCOMES_WITHOUT_OPPONENT
    own, other, credit = meeting.own, meeting.other, meeting.credit
    by_half_wins = CrossMark.LOST, CrossMark.DRAWN, CrossMark.WON
    return CrossGame(
        round=meeting.round,
        mark=CrossMark.OPEN if credit is None else by_half_wins[credit.half_wins],
        opponent=None if meeting.opponent is None else places[meeting.opponent],
        score=None if own is None or other is None else (own, other),
        spread=credit.spread if credit else None,
        alone=abbreviate_outcome(meeting.outcome),
        started=starts_known and meeting.first and not alone,
        awarded=meeting.outcome not in (*OUTCOMES_WITHOUT_OPPONENT, Outcome.PLAYED, Outcome.OPEN),
    )


def render_standings(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    sheet = build_standings_sheet(division, round)
    if not sheet.lines:
        return render_notice(header, _("Standings"), _("Nobody has been entered yet."))
    return draw_standings(header, sheet)


def render_cross_table(header: PaperHeader, division: Division, round: Round | None) -> bytes:
    sheet = build_cross_sheet(division, round)
    return draw_cross_table(header, sheet) if sheet.after and sheet.lines else render_no_round(header, _("Cross table"))
