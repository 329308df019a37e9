"""The table of standings, on the page and as a file."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament import queries, queries_pages, wording
from tournament.models import Tournament
from tournament.tables.standings import StandingsTable
from tournament.views.public import caching, downloads
from tournament.views.public.frame import frame


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament, after: int | None = None) -> HttpResponse:
    """The table now, or after a public round (404 for any other). Nine queries."""
    context = frame(request, tournament, "table")
    division, links = context["division"], context["links"]
    progress = queries.rounds(division)
    current = queries_pages.current_round(progress)
    if after is not None and after not in {item.round.number for item in progress}:
        raise Http404(_("There is no table after round %(number)s.") % {"number": after})
    shown = queries_pages.public_table(division, progress, after=current if after is None else after)
    caption = _("Standings after round %(number)s") % {"number": shown.after}
    table = StandingsTable(shown.lines, links, basis=shown.ranking.basis, caption=caption)
    context |= {
        "table": table,
        "shown": shown,
        "files": [(name.upper(), links.table_file(name, shown.after)) for name in downloads.FORMATS],
        "order": wording.order(shown.ranking),
        "picks": links.picks([item.round.number for item in progress], links.table_after),
    }
    return render(request, "public/table.html", context)
