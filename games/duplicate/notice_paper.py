"""The notices of corrections on paper: the slips that score otherwise, then whose figures have changed."""

from collections.abc import Iterator

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.sessions.notices import CorrectionNotice, find_pending_notice, list_notices
from games.sessions.session_state import SessionState
from tournament.paper.documents import join_documents, render_notice
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader

LOWEST_ROW, TALLEST_ROW = 6.6 * MM, 11 * MM
FIGURE_WIDTH = 24 * MM
SIZE = 11


def render_notices(header: PaperHeader, state: SessionState) -> bytes:
    """Every notice, the newest first; what is not published yet, if anything, before them and named as such."""
    title = _("Notices of corrections")
    pending = find_pending_notice(state)
    notices = [*([pending] if pending else []), *reversed(list_notices(state))]
    if not notices:
        return render_notice(header, title, _("No slip scores otherwise than in the final table."))
    return join_documents((page for notice in notices for page in _draw_notice(header, notice)), title)


def _draw_notice(header: PaperHeader, notice: CorrectionNotice) -> Iterator[bytes]:
    """A notice as documents: slips, and the players where any figures have changed."""
    if notice.on:
        words = {"number": notice.number, "day": date_format(notice.on, "SHORT_DATE_FORMAT")}
        title = _("Correction %(number)s, %(day)s") % words
    else:
        title = _("Correction %(number)s, not published yet") % {"number": notice.number}
    before, after = notice.best
    note = _(
        "The best slips of all turns come to %(after)s instead of %(before)s, so the percentages of all players have "
        "changed."
    ) % {"before": before, "after": after}
    paper = Paper(header, title, notes=[note] if before != after else [])
    rest = paper.content.width - 3 * FIGURE_WIDTH
    columns = (
        PrintedColumn(_("Turn"), FIGURE_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), rest / 2, wraps=True),
        PrintedColumn(_("Points before"), FIGURE_WIDTH, Align.RIGHT),
        PrintedColumn(_("Points now"), FIGURE_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Reason"), rest / 2, wraps=True),
    )
    slips = [
        (str(slip["turn"]), slip["entry"].name, str(slip["before"]), str(slip["after"]), " ".join(slip["reasons"]))
        for slip in notice.slips
    ]
    table = PrintedTable(columns, SIZE, LOWEST_ROW, TALLEST_ROW)
    yield table.compose(slips, paper.content.height).document(paper)
    if notice.players:
        yield _draw_players(header, title, notice)


def _draw_players(header: PaperHeader, title: str, notice: CorrectionNotice) -> bytes:
    """Whose figures a notice has changed, by their new rank."""
    paper = Paper(header, title)
    columns = (
        PrintedColumn(_("Name"), paper.content.width - 4 * FIGURE_WIDTH, wraps=True),
        PrintedColumn(_("Points before"), FIGURE_WIDTH, Align.RIGHT),
        PrintedColumn(_("Points now"), FIGURE_WIDTH, Align.RIGHT, bold=True),
        PrintedColumn(_("Rank before"), FIGURE_WIDTH, Align.RIGHT),
        PrintedColumn(_("Rank now"), FIGURE_WIDTH, Align.RIGHT, bold=True),
    )
    rows = []
    for player in notice.players:
        before, after = player["before"], player["after"]
        rows.append((player["entry"].name, str(before.points), str(after.points), str(before.rank), str(after.rank)))
    table = PrintedTable(columns, SIZE, LOWEST_ROW, TALLEST_ROW)
    return table.compose(rows, paper.content.height).document(paper)
