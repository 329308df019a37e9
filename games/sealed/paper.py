"""A session for several clubs on paper: the table over all of them, and the codes that open it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.duplicate.paper import draw_totals, show_document
from games.sealed.tables import JoinedResults, list_turn_codes, load_joined_results
from games.sealed.views import get_prepared_session_or_404
from tournament.pages.kept_input import login_required
from tournament.paper.boxes import Box
from tournament.paper.cutting import render_notice
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader

ROWS_A_PAGE = 40


def render_joined_standings(header: PaperHeader, found: JoinedResults) -> bytes:
    """The table over all clubs."""
    title = _("Standings of all clubs: %(name)s") % {"name": found.envelope.name}
    if not found.rows:
        return render_notice(header, title, _("No club’s file is joined yet."))
    paper = Paper(header, title, notes=list(found.field.notes))
    return draw_totals(paper, found.rows, (12, 18, 20, 14, 16), most=ROWS_A_PAGE, height=9, size=10)


def render_turn_codes(header: PaperHeader, found: JoinedResults) -> bytes:
    """The opening code of the session, and the code of each turn by itself."""
    envelope, row = found.envelope, found.prepared
    note = _("Session %(mark)s. The opening code opens every turn; each turn’s own code opens that turn alone.")
    paper = Paper(header, _("Codes of %(name)s") % {"name": envelope.name}, notes=[note % {"mark": envelope.mark}])
    box = paper.content
    columns = (PrintedColumn(_("Turn"), 24 * MM, Align.RIGHT), PrintedColumn(_("Code"), 90 * MM, bold=True))
    grid = PrintedTable(columns, 9 * MM, 13)
    for rows in paper.pages([list_turn_codes(row, envelope)]):
        opening = _("Opening code: %(code)s") % {"code": row.code}
        paper.write(Box(box.x, box.y, box.width, 8 * MM), opening, size=16, bold=True)
        grid.draw(paper, [(str(number), code) for number, code in rows], below=14 * MM)
    return paper.done()


@login_required
@require_safe
def show_sealed_document(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """A document as PDF, shown in the browser; 404 for one that does not exist, or before the session is sealed."""
    division, row = get_prepared_session_or_404(request, slug)
    found = load_joined_results(row)
    documents = {"joined": render_joined_standings, "codes": render_turn_codes}
    if found is None or name not in documents:
        raise Http404(_("There is no document “%(name)s”.") % {"name": name})
    return show_document(division, name, lambda header: documents[name](header, found))
