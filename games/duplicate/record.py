"""The record of a session on paper: every closed turn with its board, and who has handed in what."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.board_picture import BoardPicture
from games.models import DuplicateTurn
from games.sessions.session_state import SessionState
from games.sessions.tables import SlipLine, get_missing_list_note, list_slip_lines, make_session_board_picture
from tournament.paper.boxes import Box
from tournament.paper.documents import render_notice
from tournament.paper.grid import CELL_PADDING, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.lettering import break_text, make_drawable, measure_width
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, split_into_pages

ROW_HEIGHT = 4.2 * MM
HEAD_HEIGHT = 12 * MM
BOARD_SIDE = 46 * MM
GAP = 4 * MM
SIZE = 7.5
COUNTS_WIDTH, WORD_WIDTH = 13 * MM, 28 * MM
NAMES_SHARE = 0.62  # of what these two and the board leave, the rest is for the remark
SHADES = {"dl": 0.93, "tl": 0.86, "dw": 0.9, "tw": 0.82}  # how dark the free premium squares are; white is 1


@dataclass(frozen=True, slots=True)
class _TurnPart:
    """What stands together on a page: a turn, or the part of it that is left from the page before."""

    turn: DuplicateTurn
    rows: Sequence[PrintedRow]
    is_first: bool

    @property
    def height(self) -> float:
        table = (len(self.rows) + 1) * ROW_HEIGHT
        return HEAD_HEIGHT + (max(BOARD_SIDE, table) if self.is_first else table) + GAP


def render_session_record(header: PaperHeader, state: SessionState) -> bytes:
    """Every closed turn: draw, word laid, the board after it, and what everybody has handed in, the best first."""
    title = _("Record of the session")
    closed = [turn for turn in state.turns if turn.is_closed]
    if not closed:
        return render_notice(header, title, _("No turn is closed yet."))
    note = _("In brackets behind a name: the points that the slip claims.")
    paper = Paper(header, title, notes=[note, get_missing_list_note(state)])
    for parts in paper.pages(_fill_pages(state, closed, paper.content)):
        y = paper.content.y
        for part in parts:
            _draw_turn(paper, state, part, y)
            y += part.height
    return paper.done()


def _fill_pages(state: SessionState, closed: Sequence[DuplicateTurn], content: Box) -> list[list[_TurnPart]]:
    """The turns in order, as many to a page as fit."""
    most = int((content.height - HEAD_HEIGHT - GAP) / ROW_HEIGHT) - 1
    pages: list[list[_TurnPart]] = [[]]
    room, widths = content.height, _measure_texts(content)
    for turn in closed:
        for number, rows in enumerate(split_into_pages(list(_list_rows(list_slip_lines(state, turn), *widths)), most)):
            part = _TurnPart(turn, rows, is_first=not number)
            # Not on a page that is still empty: a part that is taller than a page would leave it so.
            if part.height > room and pages[-1]:
                pages.append([])
                room = content.height
            pages[-1].append(part)
            room -= part.height
    return pages


def _measure_texts(content: Box) -> tuple[float, float]:
    """How wide the columns of names and of remarks are."""
    rest = content.width - BOARD_SIDE - GAP - COUNTS_WIDTH - WORD_WIDTH
    return rest * NAMES_SHARE, rest * (1 - NAMES_SHARE)


def _list_rows(lines: Sequence[SlipLine], names_width: float, remark_width: float) -> Iterator[PrintedRow]:
    """What was handed in, each word at its place once with everybody's names, the best first; on as many rows as names
    and remark need."""
    alike: dict[tuple[int, str, str, str], list[str]] = defaultdict(list)
    for line in lines:
        place = (line.slip.position or "") if line.slip else ""
        remark = line.fault or (_("corrected: %(why)s") % {"why": line.corrected} if line.corrected else "")
        claimed = f" ({line.judged.claimed})" if line.judged.differs else ""
        # Negative, since places and words are sorted upwards beside it: by `reverse` the best would come with Z first.
        alike[-line.judged.points, place, line.slip_word, remark].append(f"{line.entry.name}{claimed}")
    for (points, place, word, remark), names in sorted(alike.items()):
        texts = _fill_rows(names, names_width), _fill_rows(remark.split(), remark_width, between=" ")
        # There is a first row in any case: each word has somebody's name.
        (first, note), *others = zip_longest(*texts, fillvalue="")
        yield str(-points), f"{place} {word}".strip() or "–", first, note
        yield from (("", "", *more) for more in others)


def _fill_rows(parts: Iterable[str], width: float, between: str = "; ") -> list[str]:
    """The parts one after another, as many to a row as fit; one that is too long for a row takes several."""
    rows: list[str] = []
    for part in parts:
        joined = f"{rows[-1]}{between}{part}" if rows else part
        if rows and measure_width(make_drawable(joined), bold=False) * SIZE <= width - 2 * CELL_PADDING:
            rows[-1] = joined
        else:
            rows += break_text(part, bold=False, width=width - 2 * CELL_PADDING, size=SIZE)[0]
    return rows


def _draw_turn(paper: Paper, state: SessionState, part: _TurnPart, y: float) -> None:
    """The turn's heading; under it the board as it stands then, and beside it what was handed in."""
    turn, box = part.turn, paper.content
    word = f"{turn.master_position} {turn.master_word}".strip() or "–"
    head = _("Turn %(number)s: %(draw)s – %(word)s") % {"number": turn.number, "draw": turn.draw, "word": word}
    paper.write(Box(box.x, y, box.width, 6 * MM), head, size=12, bold=True)
    if part.is_first:
        points = state.master_points(turn.number)
        sentences = []
        if points is not None:
            sentences = [ngettext("%(points)s point", "%(points)s points", points) % {"points": points}]
        sentences += [_("put back: %(draws)s") % {"draws": ", ".join(turn.redrawn)}] if turn.redrawn else []
        sentences += [turn.reason] if turn.reason else []
        paper.write(Box(box.x, y + 6 * MM, box.width, 5 * MM), " · ".join(sentences), size=9)
        board = make_session_board_picture(state, turn.number)
        _draw_board(paper, Box(box.x, y + HEAD_HEIGHT, BOARD_SIDE, BOARD_SIDE), board)
    x = box.x + BOARD_SIDE + GAP
    names_width, remark_width = _measure_texts(box)
    columns = (
        PrintedColumn(_("Counts"), COUNTS_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Word"), WORD_WIDTH),
        PrintedColumn(_("Handed in by"), names_width),
        PrintedColumn(_("Remark"), remark_width),
    )
    composed = PrintedTable(columns, SIZE, ROW_HEIGHT, head_height=ROW_HEIGHT, head_size=7).fix(part.rows)
    composed.draw(paper, composed.pages[0], x=x, below=y + HEAD_HEIGHT - paper.content.y)


def _draw_board(paper: Paper, box: Box, board: BoardPicture) -> None:
    """The board: premium squares shaded, blanks as small letters, the tiles of the turn in heavier frames."""
    side = box.width / len(board)
    for down, squares in enumerate(board):
        for across, square in enumerate(squares):
            place = Box(box.x + across * side, box.y + down * side, side, side)
            if square.premium:
                paper.fill(place, shade=SHADES[square.premium])
            paper.frame(place, weight=0.2)
            if square.letter:
                letter = square.letter.lower() if square.is_blank else square.letter
                paper.write(place, letter, size=7, bold=True, align=Align.CENTRE)
    # A second time round: the shade of the next square would cover half of a heavy frame that is drawn before it.
    for down, squares in enumerate(board):
        for across, square in enumerate(squares):
            if square.is_new:
                paper.frame(Box(box.x + across * side, box.y + down * side, side, side), weight=1)
