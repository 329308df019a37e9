"""The page of a league over weeks: all rounds published in one act, and by which day each is played."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access.rules import get_actor, get_chosen_division
from tournament.models import Division, Round, Tournament
from tournament.pages.frames import build_director_context, make_division_address
from tournament.pages.requests import director_page, redirect_to_session
from tournament.rounds.due_days import list_rounds_to_publish, publish_all_rounds, set_due_days
from tournament.rounds.forms import AllRoundsForm, DueDaysForm
from tournament.rounds.schedule import load_schedule
from tournament.rounds.schedule_paper import list_heads
from tournament.table.league import list_league_rounds


@director_page("GET", "POST")
def edit_due_days(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """By which day each round is played; and the form that publishes all rounds to come."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    rounds = list(Round.objects.league().filter(division=division).in_order())
    form = DueDaysForm(request.POST or None, rounds=rounds)
    if form.done(lambda typed: set_due_days(division, due_days=form.due_days, actor=get_actor(request))):
        messages.success(request, _("The days are saved."))
        return redirect(make_division_address("director:rounds", division))
    return _render_due_days(request, division, form, None)


@director_page("POST")
def submit_all_rounds(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Pair and publish all rounds of an all-play-all that are to come."""
    division = get_chosen_division(request, tournament)
    numbers = list_rounds_to_publish(division)
    # With no round to come the form is sent on all the same: the operation says why there is nothing to publish.
    form = AllRoundsForm(request.POST, first=numbers[0] if numbers else 1)
    if outcome := form.done(lambda typed: publish_all_rounds(division, actor=get_actor(request), **typed)):
        sentence = ngettext("%(count)s round is published.", "%(count)s rounds are published.", outcome.result)
        messages.success(request, sentence % {"count": outcome.result})
        return redirect(make_division_address("director:rounds", division))
    rounds = Round.objects.league().filter(division=division).in_order()
    return _render_due_days(request, division, DueDaysForm(rounds=rounds), form)


def _render_due_days(
    request: HttpRequest, division: Division, days_form: DueDaysForm, all_form: AllRoundsForm | None
) -> HttpResponse:
    numbers = list_rounds_to_publish(division)
    progress = list_league_rounds(division, drafts=True)
    if all_form is None and numbers:
        all_form = AllRoundsForm(first=numbers[0])
    context = {
        **build_director_context(division.tournament, division, "rounds"),
        "days_form": days_form,
        "day_rows": [(item, days_form[f"day_{item.round.number}"]) for item in progress],
        "all_form": all_form,
        "numbers": numbers,
        "schedule": load_schedule(division),
        "heads": list_heads(division),
    }
    return render(request, "tournament/rounds/due_days.html", context)
