"""A session for several clubs on paper: the table over all of them, and the codes that open it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.sealed.tables import JoinedResults, list_turn_codes, load_joined_results
from games.sealed.views import get_prepared_session_or_404
from tournament.basics.languages import choose_paper_language
from tournament.pages.kept_input import login_required
from tournament.paper.boxes import Box
from tournament.paper.documents import make_header, render_notice
from tournament.paper.grid import PrintedCell, PrintedColumn, PrintedRow, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader, split_into_pages

ROWS_A_PAGE = 40


def render_joined_standings(header: PaperHeader, found: JoinedResults) -> bytes:
    """The table over all clubs."""
    title = _("Standings of all clubs: %(name)s") % {"name": found.envelope.name}
    if not found.rows:
        return render_notice(header, title, _("No club’s file is joined yet."))
    paper = Paper(header, title, notes=list(found.field.notes))
    box = paper.content
    rows: list[PrintedRow] = []
    for line in found.rows:
        total, who = line.total, (PrintedCell(line.name), PrintedCell(line.total.club))
        rows.append((str(total.rank), *who, str(total.points), line.percent, str(total.solos), str(total.zeroes)))
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
    pages = split_into_pages(rows, ROWS_A_PAGE)
    height = min(9 * MM, (box.height - 8 * MM) / len(pages[0]))
    return PrintedTable(columns, height, min(10, height * 0.52)).document(paper, pages)


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
    with translation.override(choose_paper_language(division.tournament.language)):
        content = documents[name](make_header(division, timezone.now()), found)
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{slug}-{name}.pdf"'
    return response
