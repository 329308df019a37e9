"""The cross table: players against rounds or, in an all-play-all, players against players."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournament.layout.boxes import Box
from tournament.printing.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.printing.paper import MM, Align, Paper, share
from tournament.printing.values import CrossGame, CrossSheet, Header, Mark
from tournament.words import figures

COLUMNS_A_PAGE = 16
WIDEST, MORE_NAME = 27 * MM, 40 * MM
LOWEST_GAME, TALLEST_GAME = 7.4 * MM, 13 * MM
LETTERS = 0.43
"""The size of the letters in parts of the height of a game."""

NOTE_LETTERS = 150
"""How many letters of a note fit on one line."""

STARTED = "\N{BULLET}"
SIGNS = {Mark.WON: "+", Mark.DRAWN: "=", Mark.LOST: figures.MINUS, Mark.OPEN: ""}
ITSELF = "\N{MULTIPLICATION SIGN}"
"""Where a player of the matrix would meet themselves."""


@dataclass(frozen=True, slots=True)
class _Part:
    """What one page shows: some lines by their places, and some columns (rounds, or places of opponents)."""

    places: Sequence[int]
    columns: Sequence[int]


def cross_table(header: Header, sheet: CrossSheet) -> bytes:
    """The cross table on A4 landscape; names are repeated where the columns continue on another page."""
    title = _("Cross table after round %(number)s") % {"number": sheet.after}
    paper = Paper(header, title, notes=_legend(sheet), wide=True)
    games = _games_a_cell(sheet)
    room = paper.content.height - 8 * MM
    places = range(len(sheet.lines))
    shared = share(places, int(room // (LOWEST_GAME * games)))
    columns = places if sheet.matrix else range(1, sheet.after + 1)
    parts = [_Part(lines, numbers) for lines in shared for numbers in share(columns, COLUMNS_A_PAGE) or [columns]]
    for part in paper.pages(parts):
        _page(paper, sheet, part, min(TALLEST_GAME, room / len(shared[0]) / games), games)
    return paper.done()


def _games_a_cell(sheet: CrossSheet) -> int:
    """The most often that two players of a matrix have met."""
    if not sheet.matrix:
        return 1
    met = [Counter(game.opponent for game in line.games) for line in sheet.lines]
    return max((count for opponents in met for count in opponents.values()), default=1)


def _legend(sheet: CrossSheet) -> list[str]:
    what = (
        _("+ won, − lost, = drawn. The other columns are the players by their number in the first one.")
        if sheet.matrix
        else _("+ won, − lost, = drawn, then the opponent's number in the first column; below it the score.")
    )
    awarded = _("( ) awarded, not played to the end.")
    started = _("• had the first move.") if sheet.starts_known else ""
    return [" ".join(part for part in (what, started, awarded) if part), *_without_game(sheet)]


def _without_game(sheet: CrossSheet) -> list[str]:
    """Who missed which rounds, in lines of the page's width; in a table by rounds the cells say so."""
    if not sheet.matrix or not sheet.without_game:
        return []
    told = _("Rounds without a pairing: %(players)s.") % {"players": "; ".join(sheet.without_game)}
    return textwrap.wrap(told, NOTE_LETTERS, break_on_hyphens=False)


def _page(paper: Paper, sheet: CrossSheet, part: _Part, game_height: float, games: int) -> None:
    """Head and lines; each line has the height of `games` games, the most that two players have played."""
    fixed, count = _fixed(sheet), max(len(part.columns), 1)
    box = paper.content
    width = min(WIDEST, (box.width - sum(column.width for column in fixed)) / count)
    fixed = _fixed(sheet, more=min(MORE_NAME, box.width - sum(column.width for column in fixed) - width * count))
    before = sum(column.width for column in fixed)
    headings = tuple(PrintedColumn(_heading(sheet, number), width, Align.CENTRE) for number in part.columns)
    grid = PrintedTable((*fixed, *headings), game_height * games, game_height * LETTERS, head_size=8.5)
    grid = grid.even([_cells(sheet, place) for place in range(len(sheet.lines))])
    y = grid.head(paper, box.x, box.y)
    for place in part.places:
        crossing = Box(box.x + before, y, width, grid.row_height)
        y = grid.row(paper, box.x, y, (*_cells(sheet, place), *("" for _number in part.columns)))
        for number in part.columns:
            _crossing(paper, crossing, sheet, (place, number), game_height)
            crossing = replace(crossing, x=crossing.right)


def _fixed(sheet: CrossSheet, *, more: float = 0) -> tuple[PrintedColumn, ...]:
    """The columns before the games, that of the names by `more` wider than it must be.

    Ranks need their own only where they are not the lines' numbers.
    """
    numbers = PrintedColumn(_("No."), 11 * MM, Align.RIGHT, bold=True)
    ranks = PrintedColumn(_("Rank"), 11 * MM, Align.RIGHT, bold=_ranks_number_lines(sheet))
    return (
        *((ranks,) if _ranks_number_lines(sheet) else (numbers, ranks)),
        PrintedColumn(_("Name"), 46 * MM + more, group="names"),
        PrintedColumn(_("Wins"), 11 * MM, Align.RIGHT, bold=True),
        PrintedColumn(_("Spread"), 15 * MM, Align.RIGHT),
    )


def _ranks_number_lines(sheet: CrossSheet) -> bool:
    return all(line.rank == number for number, line in enumerate(sheet.lines, 1))


def _heading(sheet: CrossSheet, number: int) -> str:
    return str(number + 1) if sheet.matrix else _("R%(number)s") % {"number": number}


def _cells(sheet: CrossSheet, place: int) -> tuple[PrintedCell | str, ...]:
    line = sheet.lines[place]
    rank = figures.NOTHING if line.rank is None else str(line.rank)
    return (
        *((rank,) if _ranks_number_lines(sheet) else (str(place + 1), rank)),
        PrintedCell(line.name, line.mark),
        figures.halves(line.half_wins),
        figures.signed(line.spread),
    )


def _crossing(paper: Paper, box: Box, sheet: CrossSheet, where: tuple[int, int], game_height: float) -> None:
    """One crossing: a round's game or all games against one opponent; the matrix's diagonal holds the byes."""
    place, number = where
    games = [game for game in sheet.lines[place].games if _column(sheet, place, game) == number]
    if sheet.matrix and number == place:
        paper.fill(box)
        if not games:
            paper.write(box, ITSELF, size=8, align=Align.CENTRE)
    paper.rule(box.x, box.y, box.x, box.bottom, shade=0.6)
    line = Box(box.x, box.y, box.width, game_height)
    for game in games:
        _game(paper, line.inset(1 * MM, 0.5 * MM), game, matrix=sheet.matrix)
        line = line.below(game_height)


def _column(sheet: CrossSheet, place: int, game: CrossGame) -> int:
    """The column that a game of this line belongs to."""
    if not sheet.matrix:
        return game.round
    return place if game.opponent is None else game.opponent


def _game(paper: Paper, box: Box, game: CrossGame, *, matrix: bool) -> None:
    upper = Box(box.x, box.y, box.width, box.height * 0.54)
    won = game.mark == Mark.WON
    size = min(box.height * 0.5, box.width * 0.27)
    paper.write(upper, _result(game, matrix=matrix), size=size, bold=won, align=Align.CENTRE)
    paper.write(upper.below(box.height * 0.46), _figures(game), size=box.height * 0.37, align=Align.CENTRE)


def _result(game: CrossGame, *, matrix: bool) -> str:
    """The sign of the result and, in a round's column, the opponent's number."""
    if game.alone:
        return game.alone
    if game.mark == Mark.MISSED:
        return ""
    number = "" if matrix or game.opponent is None else str(game.opponent + 1)
    result = f"{SIGNS[game.mark]}{number}"
    result = f"({result})" if game.awarded else result
    return f"{result} {STARTED}".strip() if game.started else result


def _figures(game: CrossGame) -> str:
    if game.mark == Mark.OPEN:
        return _("open")
    if game.mark == Mark.MISSED:
        return game.why
    if game.score is not None:
        own, other = game.score
        return f"{figures.points(own)}:{figures.points(other)}"
    return figures.signed(game.spread)
