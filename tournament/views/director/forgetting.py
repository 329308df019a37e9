"""Personal data deleted on request, after a question that says what becomes of them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament import access
from tournament.models import Player, Registration
from tournament.operations import forgetting
from tournament.views.director.kept_input import login_required
from tournament.views.director.online_entry import tournament_of
from tournament.views.director.shell import own_shell, shell


@login_required
@require_http_methods(["GET", "POST"])
def registration(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Delete a registration, and with it what is known of the player."""
    tournament = tournament_of(request, slug)
    found = get_object_or_404(Registration.objects.select_related("entry__player"), tournament=tournament, pk=pk)
    if request.method == "POST":
        _say(request, forgetting.forget_registration(found, actor=access.actor(request)))
        return redirect("director:registrations", slug)
    context = {
        **shell(tournament, access.division_of(request, tournament), "entries", tabs=False),
        "name": found.name,
        "has_played": found.entry is not None and forgetting.has_played(found.entry.player),
        "back": reverse("director:registration", args=[slug, pk]),
    }
    return render(request, "director/forget.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete what is known of a player of the register."""
    found = get_object_or_404(Player.objects.select_related("organiser"), pk=pk)
    around = own_shell(request, found.organiser_id)
    if request.method == "POST":
        _say(request, forgetting.forget_player(found, actor=access.actor(request, found.organiser)))
        return redirect(reverse("director:players") + around["organiser_query"])
    back = reverse("director:edit_player", args=[pk])
    context = {**around, "name": found.name, "has_played": forgetting.has_played(found), "back": back}
    return render(request, "director/forget.html", context)


def _say(request: HttpRequest, pseudonym: str) -> None:
    """The name is not said again: messages are kept in the session."""
    said = _("The personal data are deleted. What stays, stands under “%(pseudonym)s”.")
    messages.success(request, said % {"pseudonym": pseudonym})
