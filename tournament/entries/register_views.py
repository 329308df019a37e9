"""The register of players, for those who keep it: the list, also as a file and to be ticked for an event, and a
player with their numbers."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from tournament.access.rules import get_actor, get_chosen_division
from tournament.basics import limits
from tournament.basics.names import normalise_text
from tournament.entries.files import build_register_csv
from tournament.entries.forms import NumberForm, PlayerForm, get_player_form_values, read_person
from tournament.entries.operations.entries import enter_known_players
from tournament.entries.operations.numbers import remove_number, set_number
from tournament.entries.operations.register import add_player, edit_player
from tournament.entries.queries import CHOICES_SHOWN, list_register_choices
from tournament.models import Player, PlayerNumber, Tournament
from tournament.pages.forms import OperationForm, parse_key
from tournament.pages.frames import (
    build_director_context,
    build_organiser_context,
    get_own_player,
    make_division_address,
)
from tournament.pages.kept_input import login_required, signed_in_page
from tournament.pages.requests import SingleSubmission, director_page, paginate_rows, read_search_text, show_refusals
from tournament.pages.views import answer_with_file

PLAYERS_A_PAGE = 100


@login_required
@require_safe
def show_register(request: HttpRequest) -> HttpResponse:
    """The known players, or those found by a search. Six queries with session and user."""
    search = read_search_text(request)
    around = build_organiser_context(request)
    players = Player.objects.current().filter(organiser=around["organiser"]).search(search).with_names().by_name()
    players = players.prefetch_related("numbers")
    page = paginate_rows(request, players, PLAYERS_A_PAGE)
    return render(request, "tournament/entries/players.html", {**around, "page": page, "search": search})


@login_required
@require_http_methods(["GET", "POST"])
def add_player_view(request: HttpRequest) -> HttpResponse:
    """A new player."""
    around = build_organiser_context(request)
    form, once = PlayerForm(request.POST or None), SingleSubmission(request)

    def add_typed_player() -> str:
        fields, actor = form.cleaned_data, get_actor(request, around["organiser"])
        player = add_player(person=read_person(fields), anyway=fields["anyway"], actor=actor)
        messages.success(request, _("%(name)s is in the register.") % {"name": player.name})
        return request.get_full_path()

    if outcome := form.done(lambda _typed: once.run(add_typed_player)):
        return redirect(outcome.result)
    return render(request, "tournament/entries/director_player.html", {**around, "form": form, "once": once})


@director_page("GET", "POST")
def choose_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The register to be ticked; a search keeps what was ticked before. Enters whoever is ticked."""
    division = get_chosen_division(request, tournament)
    ticked = {key for key in map(parse_key, request.POST.getlist("player")) if key is not None}
    if "enter" in request.POST and ticked:
        with show_refusals(request):
            entered, entered_before = enter_known_players(division, players=ticked, actor=get_actor(request))
            message = ngettext("%(count)s player is entered.", "%(count)s players are entered.", len(entered))
            messages.success(request, message % {"count": len(entered)})
            if entered_before:
                message = ngettext(
                    "%(count)s was entered already.", "%(count)s were entered already.", len(entered_before)
                )
                messages.info(request, message % {"count": len(entered_before)})
            return redirect(make_division_address("director:entries", division))
    # Searched within the form as well: what was ticked is posted along, and stays ticked.
    search = read_search_text(request) or normalise_text(request.POST.get("q", ""))[: limits.SEARCH]
    choices = list_register_choices(tournament, search, ticked)
    has_more, choices = len(choices) > CHOICES_SHOWN, choices[:CHOICES_SHOWN]
    shown_keys = {player.pk for player, _key, _is_ticked in choices}
    context = {
        **build_director_context(tournament, division, "entries"),
        "choices": choices,
        "has_more": has_more,
        "search": search,
        # Whoever is ticked and not on this page: the form sends them once more, else a second search would lose them.
        "elsewhere": Player.objects.filter(organiser=tournament.organiser_id, pk__in=ticked - shown_keys).by_name(),
        "nobody_ticked": "enter" in request.POST and not ticked,
    }
    return render(request, "tournament/entries/choose_players.html", context)


@signed_in_page("GET")
def export_register(request: HttpRequest) -> HttpResponse:
    """All known players as a list that can be read back."""
    organiser = build_organiser_context(request)["organiser"]
    return answer_with_file(build_register_csv(organiser), "text/csv; charset=utf-8", f"{organiser.slug}-players.csv")


@signed_in_page("GET", "POST")
def edit_player_view(request: HttpRequest, pk: int) -> HttpResponse:
    """A known player: what the register says, and where they played."""
    player, around = get_own_player(request, pk)
    # A page that was kept from before the merge: it leads to whoever they are now.
    if player.merged_into_id is not None:
        return redirect("director:edit_player", player.merged_into_id)
    form = PlayerForm(request.POST or None, initial=get_player_form_values(player))
    if form.done(
        lambda typed: edit_player(player, person=read_person(typed), anyway=typed["anyway"], actor=get_actor(request))
    ):
        messages.success(request, _("%(name)s is saved.") % form.cleaned_data)
        return redirect(reverse("director:players") + around["organiser_query"])
    return _render_player(request, player, around, form=form)


@signed_in_page("POST")
def set_number_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a player the number of a federation."""
    player, around = get_own_player(request, pk)
    form = NumberForm(request.POST)
    if form.done(lambda _typed: set_number(player, stated=form.stated, actor=get_actor(request))):
        messages.success(request, _("%(number)s is noted.") % {"number": form.stated.tidied()})
        return redirect("director:edit_player", pk)
    return _render_player(request, player, around, number_form=form)


@signed_in_page("POST")
def remove_number_view(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Take a number away."""
    player, _around = get_own_player(request, pk)
    player_number = PlayerNumber.objects.select_related("player", "organiser").filter(player=player, pk=number).first()
    if player_number is not None:  # else the form was sent twice
        remove_number(player_number, actor=get_actor(request))
        messages.success(request, _("%(number)s is removed.") % {"number": player_number})
    return redirect("director:edit_player", pk)


def _render_player(
    request: HttpRequest, player: Player, around: dict[str, Any], **forms_shown: OperationForm
) -> HttpResponse:
    """A player's page; a form that was refused stands there as it was sent. Seven queries with session and user."""
    context = {
        **around,
        "form": PlayerForm(initial=get_player_form_values(player)),
        "number_form": NumberForm(),
        "numbers": player.numbers.order_by("system", "number"),
        "player": player,
        "entered": player.entries.select_related("tournament").order_by("-tournament__starts_on", "-pk"),
        "merged": player.merged.select_related("club").by_name(),
        **forms_shown,
    }
    return render(request, "tournament/entries/director_player.html", context)
