"""The play of the round: for its director, for everybody, and on a screen."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.models import Scoresheet
from games.round_play import operations, positions
from tournament import access
from tournament.forms.fields import key
from tournament.models import Division, Tournament
from tournament.views import pairs
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell
from tournament.views.public import caching
from tournament.views.public.frame import frame
from tournament.views.screens.values import Part, sentence


@require_safe
@caching.page
@pairs.only
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What everybody may think about, and the best play once the director shows it."""
    context = frame(request, tournament, "rounds")
    return render(request, "games/round_play/public.html", {**context, "shown": positions.shown(context["division"])})


def screen(division: Division) -> Part:
    """The same on a screen of the hall."""
    title = _("Play of the round")
    found = positions.shown(division)
    if found is None:
        return sentence(title, _("No play of the round is shown at the moment."))
    html = render_to_string("games/round_play/_screen.html", {"shown": found})
    return Part("board", title=title, html=SafeString(html))


@login_required
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """What is shown, and what could be: the highest plays of the last public games."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    context = {
        **shell(tournament, division, "hall"),
        "query": query(division),
        "shown": positions.shown(division),
        "suggested": positions.suggested(division),
    }
    return render(request, "games/round_play/director.html", context)


@login_required
@require_POST
def choose(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a position to everybody."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    asked = {name: key(request.POST.get(name, "")) or 0 for name in ("sheet", "turn")}
    found = Scoresheet.objects.select_related("pairing__round__division__tournament").prefetch_related("pairing__seats")
    sheet = get_object_or_404(found, pk=asked["sheet"], pairing__round__division=division)
    with button_refusals.refusals(request):
        operations.choose(division, scoresheet=sheet, turn=asked["turn"], actor=access.actor(request))
        messages.success(request, _("Everybody sees the position now; the best play stays hidden."))
    return _back(division)


@login_required
@require_POST
def solve(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the best play."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    with button_refusals.refusals(request):
        operations.solve(division, actor=access.actor(request))
        messages.success(request, _("Everybody sees the best play now."))
    return _back(division)


@login_required
@require_POST
def take_away(request: HttpRequest, slug: str) -> HttpResponse:
    """Show nothing any more."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    operations.take_away(division, actor=access.actor(request))
    messages.success(request, _("The play of the round is taken away."))
    return _back(division)


def _back(division: Division) -> HttpResponse:
    return redirect(reverse("games:round_play", args=[division.tournament.slug]) + query(division))
