"""Pages of letters to all: the one before the day, the certificate after the event."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache

from tournament.access.rules import get_actor, get_chosen_division
from tournament.entries.operations.name_wishes import settle_name_wish
from tournament.entries.operations.waiting_list import count_taken_places, get_online_entry, is_online_entry_offered
from tournament.letters.words import describe_letter_fault
from tournament.models import Tournament
from tournament.pages.forms import OperationForm
from tournament.pages.frames import build_director_context
from tournament.pages.requests import director_page, redirect_to_session, show_refusals
from tournament.registration.calling_off import call_off_tournament, let_tournament_take_place, preview_calling_off
from tournament.registration.certificate_letters import (
    find_certificate_obstacle,
    preview_certificate_letter,
    send_certificates,
)
from tournament.registration.day_letters import (
    LetterRecipient,
    list_recipients,
    preview_day_letter,
    send_day_letters,
)


class LettersForm(OperationForm):
    """Who gets a letter to all."""

    again = forms.BooleanField(label=gettext_lazy("Also to those who have had it"), required=False)


@never_cache
@director_page("GET", "POST", offered=is_online_entry_offered)
def show_day_letters(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Who gets the letter before the day, and the letter; a post sends it."""
    # By the method: the form is a single tick, and where that is left out nothing of the form is posted.
    form = LettersForm(request.POST if request.method == "POST" else None)
    if outcome := form.done(lambda typed: send_day_letters(tournament, actor=get_actor(request), **typed)):
        messages.success(request, _describe_sending(outcome.result))
        return redirect("director:day_letters", tournament.slug)
    context = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "entries", tabs=False),
        **_build_letters_context(list_recipients(tournament), preview_day_letter),
        "form": form,
        "several": tournament.divisions.count() > 1,
    }
    return render(request, "tournament/registration/day_letters.html", context)


@never_cache
@director_page("GET", "POST", offered=is_online_entry_offered)
def show_certificate_letters(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Who gets their certificate by e-mail, and the letter; a post sends it."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    form = LettersForm(request.POST if request.method == "POST" else None)
    if outcome := form.done(lambda typed: send_certificates(tournament, actor=get_actor(request), **typed)):
        messages.success(request, _describe_sending(outcome.result))
        return redirect("director:certificate_letters", tournament.slug)
    context = {
        **build_director_context(tournament, division, "end", tabs=False),
        **_build_letters_context(list_recipients(tournament, certificates=True), preview_certificate_letter),
        "form": form,
        "obstacle": find_certificate_obstacle(tournament),
        "several": tournament.divisions.count() > 1,
    }
    return render(request, "tournament/registration/certificate_letters.html", context)


def _build_letters_context(
    recipients: list[LetterRecipient], preview: Callable[[LetterRecipient], tuple[str, str]]
) -> dict[str, Any]:
    """Who gets a letter to all, each with why theirs is not sent yet, how many can, are to and have had it, and the
    first letter."""
    reachable = [item for item in recipients if item.email]
    return {
        "lines": [(item, describe_letter_fault(item.fault) if item.fault else "") for item in recipients],
        "reachable": len(reachable),
        "due": sum(item.is_due for item in recipients),
        # A letter that waits in the outbox is written, and nobody has had it.
        "had": sum(item.posted_at is not None and item.waiting is None for item in recipients),
        "letter": preview(reachable[0]) if reachable else None,
    }


def _describe_sending(count: int) -> str:
    if not count:
        return _("Everybody with an e-mail address has already been written to.")
    message = ngettext("%(count)s letter is on its way.", "%(count)s letters are on their way.", count)
    return message % {"count": count}


@never_cache
@director_page("GET", "POST", offered=is_online_entry_offered)
def decide_minimum(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Whether the tournament takes place: how many there are, and the letter to all; a post decides."""
    if request.method == "POST":
        with show_refusals(request):
            if request.POST.get("call_off"):
                count = call_off_tournament(tournament, actor=get_actor(request))
                messages.success(
                    request, _("The tournament is called off. Letters on their way: %(count)s.") % {"count": count}
                )
            elif request.POST.get("take_place"):
                let_tournament_take_place(tournament, actor=get_actor(request))
                messages.success(request, _("The tournament takes place."))
        return redirect("director:minimum", tournament.slug)
    count, letter = preview_calling_off(tournament)
    context = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "entries", tabs=False),
        "online": get_online_entry(tournament),
        "taken": count_taken_places(tournament),
        "count": count,
        "letter": letter,
    }
    return render(request, "tournament/registration/minimum.html", context)


@director_page("POST")
def decide_name_wish(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Write a name as the player says, or leave it."""
    entry = get_object_or_404(tournament.entries.with_names(), pk=pk)
    entry.tournament = tournament
    with show_refusals(request):
        name = settle_name_wish(entry, is_taken=bool(request.POST.get("take")), actor=get_actor(request))
        messages.success(request, _("The name is written: %(name)s.") % {"name": name})
    return redirect("director:entry", tournament.slug, pk)
