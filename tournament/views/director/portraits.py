"""Photos of players: given for the ceremony, looked at, removed."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament import access
from tournament.forms.portraits import PortraitForm
from tournament.models import Division, Portrait
from tournament.operations import portraits
from tournament.pictures import files
from tournament.views import pairs
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell


def page_url(division: Division) -> str:
    """The address of the photos of a division's players."""
    return reverse("director:portraits", args=[division.tournament.slug]) + query(division)


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The photos of a division's players, and the form that gives one."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    chosen = request.GET.get("entry", "")
    form = PortraitForm(request.POST or None, request.FILES or None, division=division, entry=chosen)
    if form.done(
        lambda typed: portraits.give_portrait(typed["entry"], sent=typed["photos"], actor=access.actor(request))
    ):
        messages.success(request, _("The photo of %(name)s is kept.") % {"name": form.cleaned_data["entry"].name})
        return redirect(page_url(division))
    context = {
        **shell(tournament, division, "settings", tabs=False),
        "form": form,
        "query": query(division),
        "portraits": _of(division),
    }
    return render(request, "director/portraits.html", context)


def _of(division: Division) -> QuerySet[Portrait]:
    found = Portrait.objects.filter(entry__division=division).select_related("entry__player")
    return found.order_by("entry__player__sort_name", "pk")


def _portrait(request: HttpRequest, slug: str, pk: int) -> Portrait:
    """A photo of this tournament; 404 for another one's."""
    tournament = access.directed_tournament(request, slug)
    found = get_object_or_404(
        Portrait.objects.select_related("entry__player", "entry__division"), pk=pk, entry__tournament=tournament
    )
    found.entry.tournament = found.entry.division.tournament = tournament
    return found


@login_required
@require_GET
def picture(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """The picture itself."""
    return files.response(_portrait(request, slug, pk).name, f"player-{pk}.jpg")


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a photo for good."""
    found = _portrait(request, slug, pk)
    portraits.remove_portrait(found.entry, actor=access.actor(request))
    messages.success(request, _("The photo of %(name)s is deleted.") % {"name": found.entry.name})
    return redirect(page_url(found.entry.division))
