"""Pages of a session's seats: numbered, drawn, given at the desk; who is not to sit beside whom."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from games.duplicate.operations.seats import (
    SeatPlan,
    draw_session_seats,
    free_seat,
    give_seat,
    plan_seats,
    seat_newcomer,
)
from games.duplicate.seat_forms import DrawSeatsForm, GiveSeatForm, SeatNewcomerForm, SeatPlanForm, SitApartForm
from games.duplicate.views import (
    build_session_context,
    get_duplicate_session_or_404,
    get_session_url,
    take_session_post,
)
from games.models import DuplicateSeat, DuplicateSession
from games.sessions.seats import describe_broken_wishes, list_seated_entries, load_seats
from tournament.access.rules import get_actor, get_latest_actor
from tournament.entries.forms import read_person
from tournament.entries.operations.entries import allow_to_meet, keep_apart
from tournament.models import KeptApart
from tournament.models.event import prefetch_entries
from tournament.pages.forms import OperationForm
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals
from tournament.results.league_games import list_division_entries


@login_required
@require_http_methods(["GET", "POST"])
def edit_seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Who sits where; a post numbers the seats."""
    session = get_duplicate_session_or_404(request, slug)
    form = SeatPlanForm(request.POST or None, initial=SeatPlanForm.initial_of(session))
    if form.done(lambda typed: plan_seats(session, plan=SeatPlan(**typed), actor=get_actor(request))):
        messages.success(request, _("The seats are numbered so."))
        return redirect(get_session_url(session.division, "games:duplicate_seats"))
    return _render_seats(request, session, plan_form=form)


def _render_seats(request: HttpRequest, session: DuplicateSession, **forms: OperationForm) -> HttpResponse:
    """The page of the seats with the form that was refused, or fresh ones."""
    division = session.division
    entries, seats = list_seated_entries(list_division_entries(division)), load_seats(session)
    by_name = sorted(entries, key=lambda entry: (entry.player.sort_name, entry.pk))
    pairs = KeptApart.objects.filter(one__division=division).order_by("pk")
    context: dict[str, Any] = {
        "session": session,
        "seated": sorted(
            ((seats[entry.pk], entry) for entry in entries if entry.pk in seats), key=lambda line: line[0].number
        ),
        "standing": [entry for entry in by_name if entry.pk not in seats],
        "broken": describe_broken_wishes(session, entries),
        "apart": pairs.prefetch_related(prefetch_entries("one"), prefetch_entries("other")),
        "plan_form": SeatPlanForm(initial=SeatPlanForm.initial_of(session)),
        "draw_form": DrawSeatsForm(auto_id="draw_%s"),
        "give_form": GiveSeatForm(session=session),
        "apart_form": SitApartForm(session=session),
        "newcomer_form": SeatNewcomerForm(organiser_id=division.tournament.organiser_id),
        **forms,
    }
    return render(request, "games/duplicate/seats.html", build_session_context(division, tabs=False, **context))


def _show_seats(session: DuplicateSession) -> HttpResponse:
    return redirect(get_session_url(session.division, "games:duplicate_seats"))


@take_session_post
def submit_seat_draw(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Draw seats for those who have none."""
    form = DrawSeatsForm(request.POST, auto_id="draw_%s")

    def act(typed: dict[str, Any]) -> int:
        return draw_session_seats(session, seed=form.picked_seed, anew=typed["anew"], actor=get_actor(request))

    if outcome := form.done(act):
        message = ngettext(
            "%(count)s player has been given a seat.", "%(count)s players have been given a seat.", outcome.result
        )
        messages.success(request, message % {"count": outcome.result})
        return _show_seats(session)
    return _render_seats(request, session, draw_form=form)


@take_session_post
def submit_seat(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Give a player a seat, as they come or beforehand."""
    form = GiveSeatForm(request.POST, session=session)

    def act(typed: dict[str, Any]) -> DuplicateSeat:
        # Whoever works at the desk sees what is free now: what else was given since the page came is no reason to stop.
        return give_seat(session, entry=typed["entry"], number=typed["number"], actor=get_latest_actor(request))

    if outcome := form.done(act):
        figures = {"name": form.cleaned_data["entry"].name, "number": outcome.result.number}
        messages.success(request, _("%(name)s has seat %(number)s.") % figures)
        return _show_seats(session)
    return _render_seats(request, session, give_form=form)


@take_session_post
def submit_newcomer(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Enter somebody who sits down unannounced, with a seat."""
    form = SeatNewcomerForm(request.POST, organiser_id=session.division.tournament.organiser_id)

    def act(typed: dict[str, Any]) -> DuplicateSeat:
        answers = {name: typed[name] for name in ("number", "anyway", "meant")}
        return seat_newcomer(session, person=read_person(typed), **answers, actor=get_latest_actor(request))

    if outcome := form.done(act):
        seat = outcome.result
        figures = {"name": seat.entry.player.name, "number": seat.number}
        messages.success(request, _("%(name)s is entered and has seat %(number)s.") % figures)
        return _show_seats(session)
    return _render_seats(request, session, newcomer_form=form)


@take_session_post
def submit_free_seat(request: HttpRequest, session: DuplicateSession, pk: int) -> HttpResponse:
    """Make a seat free."""
    seat = get_object_or_404(DuplicateSeat.objects.select_related("entry__player"), pk=pk, session=session)
    seat.session = session
    with show_refusals(request):
        free_seat(seat, actor=get_latest_actor(request))
        messages.success(request, _("Seat %(number)s is free.") % {"number": seat.number})
    return _show_seats(session)


@take_session_post
def submit_apart(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Say that two players are not to sit beside each other."""
    form = SitApartForm(request.POST, session=session)

    def act(typed: dict[str, Any]) -> None:
        keep_apart(typed["one"], other=typed["other"], actor=get_latest_actor(request))

    if form.done(act):
        names = {"name": form.cleaned_data["one"].name, "other": form.cleaned_data["other"].name}
        messages.success(request, _("%(name)s and %(other)s are kept apart.") % names)
        return _show_seats(session)
    return _render_seats(request, session, apart_form=form)


@take_session_post
def submit_beside(request: HttpRequest, session: DuplicateSession, pk: int) -> HttpResponse:
    """Let two sit beside each other again."""
    pairs = KeptApart.objects.prefetch_related(prefetch_entries("one"), prefetch_entries("other"))
    pair = get_object_or_404(pairs, pk=pk, one__division=session.division)
    with show_refusals(request):
        allow_to_meet(pair, actor=get_latest_actor(request))
        names = {"name": pair.one.name, "other": pair.other.name}
        messages.success(request, _("%(name)s and %(other)s may sit beside each other.") % names)
    return _show_seats(session)
