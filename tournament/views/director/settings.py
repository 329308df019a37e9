"""The settings of a tournament: rules, plan of rounds, divisions, visibility."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament import access
from tournament.forms.settings import SettingsForm, plan_rows
from tournament.forms.tournaments import DivisionForm
from tournament.models import Division
from tournament.operations import plans, tournaments
from tournament.plan import segments as plans_stored
from tournament.queries import console, league
from tournament.refusals import Refusal, Refusals
from tournament.views import pairs
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell


@login_required
@require_http_methods(["GET", "POST"])
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules, the table's order, byes and the announcement in one form."""
    tournament = access.directed_tournament(request, slug)
    form = SettingsForm(request.POST or None, tournament=tournament)
    if form.done(lambda typed: tournaments.update_settings(tournament, actor=access.actor(request), **typed)):
        messages.success(request, _("The settings are saved."))
        return redirect("director:settings", slug)
    division = access.division_of(request, tournament)
    context = {**shell(tournament, division, "settings"), "form": form, "published": league.last_round(division)}
    return render(request, "director/settings.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """The plan of a division's rounds, row by row."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    formset = plan_rows(request.POST or None, segments=plans_stored.read(division.plan))
    refusals: list[Refusal] = []
    if formset.is_valid():
        try:
            plans.set_plan(division, segments=formset.segments(), actor=access.actor(request))
        except Refusals as refused:
            refusals = refused.refusals
        else:
            messages.success(request, _("The plan is saved."))
            return redirect(reverse("director:plan", args=[slug]) + query(division))
    context = {
        **shell(tournament, division, "settings"),
        "formset": formset,
        "refusals": refusals,
        "published": league.last_round(division),
    }
    return render(request, "director/plan.html", context)


@login_required
@require_POST
def fit_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Give an all-play-all as many rounds as its players need."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    with button_refusals.refusals(request):
        plans.fit_plan(division, actor=access.actor(request))
        messages.success(request, _("The plan fits the entries now."))
    return redirect(reverse("director:entries", args=[slug]) + query(division))


@login_required
@require_http_methods(["GET", "POST"])
def divisions(request: HttpRequest, slug: str) -> HttpResponse:
    """The divisions, and a new one."""
    tournament = access.directed_tournament(request, slug)
    form = DivisionForm(request.POST or None)
    if form.done(lambda typed: tournaments.add_division(tournament, actor=access.actor(request), **typed)):
        messages.success(request, _("Division %(name)s is added.") % form.cleaned_data)
        return redirect("director:divisions", slug)
    context = {
        **shell(tournament, league.divisions(tournament)[0], "settings", tabs=False),
        "form": form,
        "listed": console.counted_divisions(tournament),
    }
    return render(request, "director/divisions.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def division(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Rename a division, or delete it while nobody has entered it."""
    tournament = access.directed_tournament(request, slug)
    found = get_object_or_404(Division.objects.select_related("tournament"), pk=pk, tournament=tournament)
    actor = access.actor(request)
    form = DivisionForm(request.POST or None, initial={"name": found.name})
    if "remove" in request.POST:
        with button_refusals.refusals(request):
            tournaments.remove_division(found, actor=actor)
            messages.success(request, _("Division %(name)s is removed.") % {"name": found.name})
        return redirect("director:divisions", slug)
    if form.done(lambda typed: tournaments.rename_division(found, actor=actor, **typed)):
        messages.success(request, _("Saved."))
        return redirect("director:divisions", slug)
    context = {**shell(tournament, found, "settings", tabs=False), "form": form, "found": found}
    return render(request, "director/division.html", context)


@login_required
@require_POST
def visible(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tournament to everybody, or to its directors only."""
    tournament = access.directed_tournament(request, slug)
    public = request.POST.get("public") == "yes"
    tournaments.set_public(tournament, public=public, actor=access.actor(request))
    messages.success(request, _("Everybody can see it now.") if public else _("Only its directors see it now."))
    return redirect("director:settings", slug)
