"""Lots for players whom the table leaves level."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament import access
from tournament.models import Division, Entry, Lot
from tournament.operations import drafts, lots
from tournament.queries import league
from tournament.views import pairs
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The players level after the last published round, and the lots drawn; POST draws for one group."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    last = league.last_round(division)
    table = league.table(division, after=last)
    groups = lots.level_groups(table) if last else []
    if request.method == "POST":
        return _draw(request, division, last, groups)
    names = {row.entry.pk: row.entry.name for row in table.rows}
    drawn = [(lot, [names.get(key, "–") for key in lot.order]) for lot in division.lots.order_by("after", "pk")]
    context = {
        **shell(tournament, division, "settings"),
        "last": last,
        "table": table,
        "groups": groups,
        "drawn": drawn,
    }
    return render(request, "director/lots.html", context)


def _draw(request: HttpRequest, division: Division, last: int, groups: list[list[Entry]]) -> HttpResponse:
    """Draw lots for the group that holds the entry named in the form; nothing if they are no longer level (sent
    twice)."""
    named = request.POST.get("one_of", "")
    group = next((group for group in groups if named in [str(entry.pk) for entry in group]), [])
    with button_refusals.refusals(request):
        if group:
            lots.settle_by_lot(division, after=last, order=group, seed=drafts.new_seed(), actor=access.actor(request))
            messages.success(request, _("The lots are drawn; the table shows them."))
    return redirect(reverse("director:lots", args=[division.tournament.slug]) + query(division))


@login_required
@require_POST
def discard(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take lots back."""
    tournament = access.directed_tournament(request, slug)
    lot = Lot.objects.filter(pk=pk, division__tournament=tournament).select_related("division__tournament").first()
    if lot is None:
        return redirect("director:lots", slug)
    lots.discard_lot(lot, actor=access.actor(request))
    messages.success(request, _("The lots are taken back."))
    return redirect(reverse("director:lots", args=[slug]) + query(lot.division))
