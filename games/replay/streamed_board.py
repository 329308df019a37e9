"""The board of a table that is streamed, as the sheet of its game stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from games.core.board_picture import BoardPicture, make_board_picture
from games.core.pages import has_unsolved_turn
from games.models import Line, Scoresheet
from games.plays import EMPTY_SQUARE, read_board
from games.replay.replays import KEEPER_ORDER, keep_old_lines
from games.sheets.sheet_page import SheetPage
from scoring.board import Board
from scoring.letters import LETTER_SETS, LetterSet
from scoring.squares import GRID, Square
from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import Refusals
from tournament.core.change import Change
from tournament.core.public_view import PublicView, get_stream_delay, open_public_view
from tournament.core.words.figures import format_points
from tournament.hall.contents import find_shown_round
from tournament.hall.queries import list_streamed_tables
from tournament.models import Division, Pairing, Round, StreamedTable, Tournament
from tournament.models.play import prefetch_official_results, prefetch_seats


@dataclass(frozen=True, slots=True)
class StreamedPlayer:
    """A player beside a streamed board."""

    name: str
    points: str
    is_next: bool


@dataclass(frozen=True, slots=True)
class StreamedBoard:
    """What the stream of a table shows: both players, the board with the `new` tiles, the last line in words; no rack
    and no bag. All of it is as it was `delay` minutes ago."""

    players: tuple[StreamedPlayer, ...]
    board: Board
    new: frozenset[Square]
    last: str
    delay: int = 0

    @property
    def picture(self) -> BoardPicture:
        return make_board_picture(self.board, self.new)


def load_streamed_board(round: Round, table: int) -> StreamedBoard | None:
    """The board of a table in a public round, as old as streams are delayed. None if nobody sits there, or nothing is
    typed yet. Six queries."""
    sheets = Scoresheet.objects.filter(pairing__round=round, pairing__table=table, pairing__kind=Pairing.Kind.GAME)
    sheets = sheets.select_related("pairing").prefetch_related(
        prefetch_seats("pairing__seats"), prefetch_official_results("pairing__results")
    )
    ranked_sheets = sorted(
        sheets, key=lambda sheet: (not sheet.agreed, KEEPER_ORDER.index(Scoresheet.Keeper(sheet.keeper)))
    )
    if not ranked_sheets:
        return None
    # The round as it stands, with division and tournament: those of the sheet's own row would be fetched anew.
    sheet = ranked_sheets[0]
    sheet.pairing.round = round
    lines = list(Line.objects.filter(scoresheet=sheet).order_by("number"))
    page = SheetPage(sheet, keep_old_lines(sheet, lines))
    is_over = page.count.over is not None or page.scoresheet.is_finished
    players = tuple(
        StreamedPlayer(
            name, format_points(half.final if is_over else half.total), not is_over and page.next_side == side
        )
        for side, (name, half) in enumerate(zip(page.full_names, page.count.halves, strict=True), 1)
    )
    delay = get_stream_delay(round.division.tournament) // timedelta(minutes=1)
    return StreamedBoard(players, page.count.board, page.new_squares, _describe_last_line(page), delay)


def load_public_boards(tournament: Tournament, view: PublicView) -> list[dict[str, Any]]:
    """The boards of the streamed tables as a part of an event's public state: JSON values, the sentences in the event's
    language. One query without streamed tables, some ten for each."""
    boards = []
    with open_public_view(tournament, view.at), translation.override(choose_paper_language(tournament.language)):
        for table in list_streamed_tables(tournament):
            table.division.tournament = tournament
            round = find_shown_round(table.division)
            # The board of that table would show the answer to the play of the round.
            if round is not None and not has_unsolved_turn(round, table.table):
                board = load_streamed_board(round, table.table)
                boards += [_make_board_json(table, board)] if board else []
    return boards


def _make_board_json(place: StreamedTable, board: StreamedBoard) -> dict[str, Any]:
    return {
        "division": place.division.name,
        "table": place.table,
        "players": [[player.name, player.points, player.is_next] for player in board.players],
        "rows": ["".join(board.board.at(square) or EMPTY_SQUARE for square in squares) for squares in GRID],
        # In order, since a set has none: a board on which nothing has changed would be sent as another one.
        "new": sorted(map(str, board.new)),
        "last": board.last,
        **({"delay": board.delay} if board.delay else {}),
    }


def read_streamed_board(value: Mapping[str, Any], letters: LetterSet) -> StreamedBoard:
    """A board that `load_public_boards` made. Raises KeyError, TypeError or ValueError for what is none."""
    try:
        board = read_board("\n".join(value["rows"]), letters)
    except Refusals as fault:
        raise ValueError("rows") from fault
    # By their names, so that one which is on no board is a KeyError, as for anything else that no state of ours has.
    squares = {str(square): square for squares in GRID for square in squares}
    players = tuple(StreamedPlayer(str(name), str(points), bool(is_next)) for name, points, is_next in value["players"])
    new = frozenset(squares[square] for square in value["new"])
    return StreamedBoard(players, board, new, str(value["last"]), int(value.get("delay", 0)))


def check_public_boards(log: Change, boards: Sequence[Mapping[str, Any]]) -> None:
    """Raise KeyError, TypeError or ValueError unless these are boards of an event. They have no rows: pages read them
    from the state."""
    for board in boards:
        read_streamed_board(board, LETTER_SETS[log.tournament.rules.letters])


def find_mirrored_board(division: Division, table: int) -> StreamedBoard | None:
    """The board of a table as it was sent from the hall that the event comes from. One query."""
    assert division.tournament.mirror is not None
    for board in division.tournament.mirror.load_part("boards"):
        if (board["division"], board["table"]) == (division.name, table):
            return read_streamed_board(board, LETTER_SETS[division.tournament.rules.letters])
    return None


def _describe_last_line(page: SheetPage) -> str:
    """Who did what, for how much; never which tiles were exchanged."""
    if not page.rows:
        return ""
    row = page.rows[-1]
    words = {"name": row.name, "points": format_points(row.counted.points)}
    if row.line.kind == Line.Kind.PLAY:
        return _("%(name)s: %(word)s, points: %(points)s") % {**words, "word": row.line.word.upper()}
    return _("%(name)s: %(what)s") % {**words, "what": row.what}
