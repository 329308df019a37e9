"""The register of players: search, add, correct."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament import access
from tournament.forms.players import PlayerForm, person
from tournament.models import Player
from tournament.operations import players as operations
from tournament.views import query_string
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import organiser_shell, own_shell
from tournament.views.director.single_submission import SingleSubmission

PLAYERS_A_PAGE = 100


@login_required
@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """The known players, or those found by a search. Five queries with session and user."""
    search = query_string.search(request)
    around = organiser_shell(request)
    found = Player.objects.filter(organiser=around["organiser"]).search(search).select_related("club").by_name()
    page = query_string.page(request, found, PLAYERS_A_PAGE)
    return render(request, "director/players.html", {**around, "page": page, "search": search})


@login_required
@require_http_methods(["GET", "POST"])
def add(request: HttpRequest) -> HttpResponse:
    """A new player."""
    around = organiser_shell(request)
    form, once = PlayerForm(request.POST or None), SingleSubmission(request)

    def add_typed_player() -> str:
        typed, actor = form.cleaned_data, access.actor(request, around["organiser"])
        made = operations.add_player(person=person(typed), anyway=typed["anyway"], actor=actor)
        messages.success(request, _("%(name)s is in the register.") % {"name": made.name})
        return request.get_full_path()

    if form.done(lambda typed: once.run(add_typed_player)):
        return redirect(once.address)
    return render(request, "director/player.html", {**around, "form": form, "once": once})


@login_required
@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """A known player: what the register says, and where they played."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    around = own_shell(request, player.organiser_id)
    form = PlayerForm(request.POST or None, initial=PlayerForm.of(player))
    if form.done(
        lambda typed: operations.edit_player(
            player, person=person(typed), anyway=typed["anyway"], actor=access.actor(request)
        )
    ):
        messages.success(request, _("%(name)s is saved.") % form.cleaned_data)
        return redirect(reverse("director:players") + around["organiser_query"])
    entered = player.entries.select_related("tournament").order_by("-tournament__starts_on", "-pk")
    context = {**around, "form": form, "player": player, "entered": entered}
    return render(request, "director/player.html", context)
