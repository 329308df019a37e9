"""The table of standings, on the page and as a file."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.models import Tournament
from tournament.queries import league, public
from tournament.tables.standings import StandingsTable
from tournament.views import pairs
from tournament.views.public import caching, downloads
from tournament.views.public.frame import frame
from tournament.words import criteria


@require_safe
@caching.page
@pairs.only
def show(request: HttpRequest, tournament: Tournament, after: int | None = None) -> HttpResponse:
    """The table now, or after a public round whose table is seen (404 for any other). Nine queries."""
    context = frame(request, tournament, "table")
    division, links = context["division"], context["links"]
    progress = league.rounds(division)
    current = public.current_round(progress)
    numbers = [item.round.number for item in progress if item.sight.table]
    if after is not None and after not in numbers:
        raise Http404(_("There is no table after round %(number)s.") % {"number": after})
    shown = public.public_table(division, progress, after=current if after is None else after)
    caption = _("Standings after round %(number)s") % {"number": shown.after}
    table = StandingsTable(shown.lines, links, basis=shown.ranking.basis, caption=caption)
    context |= {
        "table": table,
        "shown": shown,
        "files": [(name.upper(), links.table_file(name, shown.after)) for name in downloads.FORMATS],
        "order": criteria.order(shown.ranking, tournament.rules),
        "picks": links.picks(numbers, links.table_after),
    }
    return render(request, "public/table.html", context)
