"""The buttons beside a countdown: not yet, and go on."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournament.access.rules import get_actor, get_chosen_division
from tournament.by_itself.operations import hold_step, let_day_go_on
from tournament.models import Tournament
from tournament.pages.frames import make_division_address
from tournament.pages.requests import director_page, show_refusals


@director_page("POST")
def submit_step_holding(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let the step wait whose `key` was shown."""
    division = get_chosen_division(request, tournament)
    with show_refusals(request):
        hold_step(division, key=request.POST.get("key", ""), actor=get_actor(request))
    return redirect(make_division_address("director:console", division))


@director_page("POST")
def submit_going_on(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Count the step that waits down anew."""
    division = get_chosen_division(request, tournament)
    with show_refusals(request):
        let_day_go_on(division, actor=get_actor(request))
    return redirect(make_division_address("director:console", division))
