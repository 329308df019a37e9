"""The end of an event for its director: the final ranking, the prizes, and the word that it is over."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament import access
from tournament.forms.prizes import PrizeForm
from tournament.models import Club, Division, Prize
from tournament.operations import ending, prizes
from tournament.operations.change import Actor
from tournament.plan.prizes import PrizePlan
from tournament.queries import final
from tournament.tables.base import Links
from tournament.tables.final import EndPage
from tournament.views import pairs
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell
from tournament.whatif import turning_points


@login_required
@require_GET
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The final ranking as it stands, the prizes, and what is still to be played."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    found = final.ranking(division)
    context = {
        **shell(tournament, division, "settings"),
        "query": query(division),
        "end": EndPage(found, final.awarded(found), Links(tournament, query(division))),
        "hung_on": [each.said for each in turning_points.of(found)],
        "unfinished": [] if tournament.is_ended else ending.unfinished(tournament),
    }
    return render(request, "director/end.html", context)


@login_required
@require_POST
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """End the event; with `accept_open` although something is still to be played."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    with button_refusals.refusals(request):
        accepted = bool(request.POST.get("accept_open"))
        ending.end_tournament(tournament, accept_open=accepted, actor=access.actor(request))
        if tournament.rules.is_paired:
            messages.success(request, _("The tournament is ended. The public page shows the final ranking."))
        else:
            messages.success(request, _("The tournament is ended."))
    return redirect(_address(division))


@login_required
@require_POST
def turning_point(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the ceremony tell what it hung on, or leave it out."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    with button_refusals.refusals(request):
        tells = request.POST.get("tells") == "yes"
        ending.tell_turning_point(division, tells=tells, actor=access.actor(request))
        messages.success(request, _("Saved."))
    return redirect(_address(division))


@login_required
@require_POST
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that the event goes on."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    ending.reopen_tournament(tournament, actor=access.actor(request))
    messages.success(request, _("The tournament goes on."))
    return redirect(_address(division))


@login_required
@require_http_methods(["GET", "POST"])
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """A new prize."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    form = PrizeForm(request.POST or None, division=division)
    if form.done(lambda _typed: prizes.add_prize(division, plan=form.plan(), actor=access.actor(request))):
        messages.success(request, _("The prize is added."))
        return redirect(_address(division))
    return _form(request, division, form)


@login_required
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change a prize."""
    prize = _prize(request, slug, pk)
    form = PrizeForm(request.POST or None, division=prize.division, plan=PrizePlan.of(prize))
    if form.done(lambda _typed: prizes.edit_prize(prize, plan=form.plan(), actor=access.actor(request))):
        messages.success(request, _("Saved."))
        return redirect(_address(prize.division))
    return _form(request, prize.division, form, prize)


def _form(request: HttpRequest, division: Division, form: PrizeForm, prize: Prize | None = None) -> HttpResponse:
    clubs = Club.objects.filter(entries__division=division).order_by("sort_name", "pk").distinct()
    context = {
        **shell(division.tournament, division, "settings", tabs=False),
        "form": form,
        "prize": prize,
        "clubs": clubs,
        "back": _address(division),
    }
    return render(request, "director/prize.html", context)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a prize off the list; the journal can bring it back."""
    prize = _prize(request, slug, pk)
    division = prize.division
    prizes.remove_prize(prize, actor=access.actor(request))
    messages.success(request, _("The prize is removed; this can be undone in the journal."))
    return redirect(_address(division))


@login_required
@require_POST
def up(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let a prize change places with the one above it."""
    prize = _prize(request, slug, pk)
    prizes.move_prize_up(prize, actor=access.actor(request))
    return redirect(_address(prize.division))


@login_required
@require_POST
def usual(request: HttpRequest, slug: str) -> HttpResponse:
    """Add the prizes that most events have."""
    return _with_list(request, slug, lambda division, actor: prizes.add_usual_prizes(division, actor=actor))


@login_required
@require_POST
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the prizes to everybody, or to the directors only."""
    public = request.POST.get("public") == "yes"
    return _with_list(
        request, slug, lambda division, actor: prizes.publish_prizes(division, public=public, actor=actor)
    )


def _with_list(request: HttpRequest, slug: str, act: Callable[[Division, Actor], object]) -> HttpResponse:
    """Do something with all prizes of the division."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    with button_refusals.refusals(request):
        act(division, access.actor(request))
        messages.success(request, _("Saved."))
    return redirect(_address(division))


def _prize(request: HttpRequest, slug: str, pk: int) -> Prize:
    """A prize of this tournament; 404 for another tournament's."""
    tournament = access.directed_tournament(request, slug)
    found = Prize.objects.select_related("division__tournament", "club", "winner__player")
    return get_object_or_404(found, pk=pk, division__tournament=tournament)


def _address(division: Division) -> str:
    return reverse("director:end", args=[division.tournament.slug]) + query(division)
