"""Seasons for their director: which there are, how one counts, its events, and who is one person in it."""

from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament import access
from tournament.forms.seasons import EventForm, SamePersonForm, SeasonForm
from tournament.models import Player, SamePerson, Season, SeasonEvent
from tournament.operations import seasons
from tournament.plan.seasons import USUAL_POINTS, SeasonPlan
from tournament.queries import seasons as queries
from tournament.tables.seasons import SeasonRows, event_lines
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import organiser_shell, own_shell


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The seasons of an organiser; a post makes another."""
    around = organiser_shell(request)
    organiser = around["organiser"]
    form = SeasonForm(request.POST or None, plan=SeasonPlan(points=USUAL_POINTS))
    made: list[Season] = []
    if form.done(
        lambda _typed: made.append(seasons.make_season(plan=form.plan(), actor=access.actor(request, organiser)))
    ):
        messages.success(request, _("The season is made. Now choose its events."))
        return _to(made[0])
    context = {**around, "form": form, "seasons": queries.of_organiser(organiser)}
    return render(request, "director/seasons.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def season(request: HttpRequest, pk: int) -> HttpResponse:
    """One season as it stands, and how it counts."""
    found, around = _own(request, pk)
    form = SeasonForm(request.POST or None, of=found, plan=SeasonPlan.of(found))
    if form.done(lambda _typed: seasons.edit_season(found, plan=form.plan(), actor=access.actor(request))):
        messages.success(request, _("Saved."))
        return _to(found)
    return _page(request, found, around, form=form)


@login_required
@require_POST
def add_event(request: HttpRequest, pk: int) -> HttpResponse:
    """Let one more event count."""
    found, around = _own(request, pk)
    form = EventForm(request.POST, possible=queries.possible(found))
    if form.done(lambda typed: seasons.add_event(found, division=typed["division"], actor=access.actor(request))):
        messages.success(request, _("The event belongs to the season now."))
        return _to(found)
    return _page(request, found, around, add=form)


@login_required
@require_POST
def remove_event(request: HttpRequest, pk: int) -> HttpResponse:
    """Let an event count no longer."""
    events = SeasonEvent.objects.select_related("season__organiser", "division__tournament")
    event = get_object_or_404(events, pk=pk)
    own_shell(request, event.season.organiser_id)
    with button_refusals.refusals(request):
        seasons.remove_event(event, actor=access.actor(request))
        messages.success(request, _("“%(name)s” does not count any more.") % {"name": event.division.tournament.name})
    return _to(event.season)


@login_required
@require_POST
def join(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that two players are one person, or with `apart` that they are not."""
    found, around = _own(request, pk)
    form = SamePersonForm(request.POST, possible=_players(found))
    apart = "apart" in request.POST
    if form.done(lambda typed: seasons.decide(found, **typed, is_same=not apart, actor=access.actor(request))):
        messages.success(request, _("Noted. This can be taken back below."))
        return _to(found)
    return _page(request, found, around, join=form)


@login_required
@require_POST
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a decision about two players."""
    decisions = SamePerson.objects.select_related("season__organiser", "one", "other")
    decision = get_object_or_404(decisions, pk=pk)
    own_shell(request, decision.season.organiser_id)
    with button_refusals.refusals(request):
        seasons.take_back(decision, actor=access.actor(request))
        messages.success(request, _("The decision is taken back."))
    return _to(decision.season)


@login_required
@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a season; its events stay."""
    found, around = _own(request, pk)
    with button_refusals.refusals(request):
        seasons.delete_season(found, actor=access.actor(request))
        messages.success(request, _("The season “%(name)s” is deleted; its events are as they were.") % {"name": found})
        return redirect(reverse("director:seasons") + around["organiser_query"])
    return _to(found)


def _page(request: HttpRequest, found: Season, around: dict[str, Any], **posted: Any) -> HttpResponse:
    """The season's page, with what was posted and refused, if anything."""
    table = queries.table(found)
    context = {
        **around,
        "season": found,
        "found": table,
        "table": SeasonRows(table),
        "events": event_lines(table.events),
        "form": posted.get("form") or SeasonForm(of=found, plan=SeasonPlan.of(found)),
        "add": posted.get("add") or EventForm(possible=queries.possible(found)),
        "join": posted.get("join") or SamePersonForm(possible=_players(found)),
        "joining": "join" in posted,
    }
    return render(request, "director/season.html", context)


def _own(request: HttpRequest, pk: int) -> tuple[Season, dict[str, Any]]:
    """A season of an organiser for whom the user works, and what its page needs around it; 404 and 403 otherwise."""
    found = get_object_or_404(Season.objects.select_related("organiser"), pk=pk)
    return found, own_shell(request, found.organiser_id)


def _players(season: Season) -> QuerySet[Player]:
    """Who is entered in an event of the season, by name."""
    found = Player.objects.filter(entries__division__season_events__season=season)
    return found.distinct().select_related("club").order_by("sort_name", "pk")


def _to(season: Season) -> HttpResponse:
    return redirect("director:season", season.pk)
