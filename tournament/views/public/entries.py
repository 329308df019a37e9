"""Who takes part."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from tournament.models import Tournament
from tournament.queries import league, public
from tournament.tables.standings import EntriesTable
from tournament.views import query_string
from tournament.views.public import caching
from tournament.views.public.frame import frame


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The entries of a division by name, sortable, or those found by a search. Four queries."""
    context = frame(request, tournament, "entries")
    everybody = league.entries(context["division"])
    search = query_string.search(request)
    found = public.find(everybody, search)
    table = EntriesTable(found, context["links"], order_by="name", caption=_("Entries"))
    RequestConfig(request, paginate=False).configure(table)
    context |= {"table": table, "search": search, "everybody": everybody, "found": found}
    return render(request, "public/entries.html", context)
