"""A session for several clubs on paper: the table over all of them, and the codes that open it."""

from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.sealed import page
from games.sealed.page import JoinedResults
from games.sealed.views import loaded
from tournament import languages
from tournament.layout.boxes import Box
from tournament.printing import documents, notice
from tournament.printing.grid import PrintedCell, PrintedColumn, PrintedTable
from tournament.printing.paper import MM, Align, Paper, share
from tournament.printing.values import Header
from tournament.views.director.kept_input import login_required

ROWS_A_PAGE = 40


def joined(header: Header, found: JoinedResults) -> bytes:
    """The table over all clubs."""
    title = _("Standings of all clubs: %(name)s") % {"name": found.envelope.name}
    if not found.rows:
        return notice.nothing(header, title, _("No club’s file is joined yet."))
    paper = Paper(header, title, notes=list(found.field.notes))
    box = paper.content
    rows = [
        (
            str(line.total.rank),
            PrintedCell(line.name),
            PrintedCell(line.total.club),
            str(line.total.points),
            line.percent,
            str(line.total.solos),
            str(line.total.zeroes),
        )
        for line in found.rows
    ]
    figures = (12 * MM, 18 * MM, 20 * MM, 14 * MM, 16 * MM)
    names = (box.width - sum(figures)) / 2
    columns = (
        PrintedColumn(_("Rank"), figures[0], Align.RIGHT, bold=True),
        PrintedColumn(_("Name"), names, group="names"),
        PrintedColumn(_("Played at"), names, group="clubs"),
        PrintedColumn(_("Points"), figures[1], Align.RIGHT, bold=True),
        PrintedColumn(_("Percent"), figures[2], Align.RIGHT),
        PrintedColumn(_("Solos"), figures[3], Align.RIGHT),
        PrintedColumn(_("Zeroes"), figures[4], Align.RIGHT),
    )
    pages = share(rows, ROWS_A_PAGE)
    height = min(9 * MM, (box.height - 8 * MM) / len(pages[0]))
    return PrintedTable(columns, height, min(10, height * 0.52)).document(paper, pages)


def codes(header: Header, found: JoinedResults) -> bytes:
    """The opening code of the session, and the code of each turn by itself."""
    envelope, row = found.envelope, found.prepared
    note = _("Session %(mark)s. The opening code opens every turn; each turn’s own code opens that turn alone.")
    paper = Paper(header, _("Codes of %(name)s") % {"name": envelope.name}, notes=[note % {"mark": envelope.mark}])
    box = paper.content
    columns = (PrintedColumn(_("Turn"), 24 * MM, Align.RIGHT), PrintedColumn(_("Code"), 90 * MM, bold=True))
    grid = PrintedTable(columns, 9 * MM, 13)
    for rows in paper.pages([page.codes(row, envelope)]):
        opening = _("Opening code: %(code)s") % {"code": row.code}
        paper.write(Box(box.x, box.y, box.width, 8 * MM), opening, size=16, bold=True)
        grid.draw(paper, [(str(number), code) for number, code in rows], below=14 * MM)
    return paper.done()


DOCUMENTS: Mapping[str, Callable[[Header, JoinedResults], bytes]] = {"joined": joined, "codes": codes}
"""What can be printed of a session for several clubs."""


@login_required
@require_safe
def show(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """A document as PDF, shown in the browser; 404 for one that does not exist, or before the session is sealed."""
    division, row = loaded(request, slug)
    found = page.results(row)
    if found is None or name not in DOCUMENTS:
        raise Http404(_("There is no document “%(name)s”.") % {"name": name})
    with translation.override(languages.on_paper(division.tournament.language)):
        made = DOCUMENTS[name](documents.header(division, timezone.now()), found)
    response = HttpResponse(made, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{slug}-{name}.pdf"'
    return response
