"""Pages about people over all events, for those who keep the register."""

from functools import reduce
from operator import or_
from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from tournament.access.rules import get_actor
from tournament.basics.names import make_search_key, put_surname_first
from tournament.models import Entry, Player
from tournament.pages.forms import parse_key
from tournament.pages.frames import build_own_organiser_context
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import read_search_text, show_refusals
from tournament.people.forms import MergeForm
from tournament.people.merging import find_merge_problem, merge_players, part_players

CANDIDATES_SHOWN = 50


@signed_in_page("GET", "POST")
def merge_players_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Look for the other entry of a person, then what becomes of both; a post makes them one."""
    kept, around = _get_own_player(request, pk)
    if kept.merged_into_id is not None:
        return redirect("director:edit_player", kept.merged_into_id)
    key = parse_key((request.POST or request.GET).get("other", ""))
    if key is None:
        return _render_search(request, kept, around)
    players = Player.objects.with_names().select_related("organiser").filter(organiser=kept.organiser_id)
    other = get_object_or_404(players.exclude(pk=pk), pk=key)
    if other.merged_into_id is not None:  # the form was sent twice
        return redirect("director:edit_player", pk)
    form = MergeForm(request.POST or None, kept=kept, other=other)
    if done := form.done(lambda _typed: merge_players(kept, other=other, taken=form.taken, actor=get_actor(request))):
        said = _("The two are one player now: %(name)s. This can be taken back on this page.")
        messages.success(request, said % {"name": done.result.name})
        return redirect("director:edit_player", pk)
    events = [(each, _list_events(each)) for each in (kept, other)]
    problem = None if form.is_bound else find_merge_problem(kept, other)
    context = {**around, "kept": kept, "other": other, "form": form, "events": events, "problem": problem}
    return render(request, "tournament/people/merge.html", context)


@signed_in_page("POST")
def part_players_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back the merge by which a row went."""
    other, _around = _get_own_player(request, pk)
    left = other.current
    with show_refusals(request):
        part_players(other, actor=get_actor(request))
        messages.success(request, _("%(name)s is a player of their own again.") % {"name": other.name})
    return redirect("director:edit_player", left.pk)


def _get_own_player(request: HttpRequest, pk: int) -> tuple[Player, dict[str, Any]]:
    found = Player.objects.with_names().select_related("organiser", "merged_into")
    player = get_object_or_404(found, pk=pk)
    return player, build_own_organiser_context(request, player.organiser_id)


def _render_search(request: HttpRequest, kept: Player, around: dict[str, Any]) -> HttpResponse:
    """Those who may be the same person; without a search, those of the same surname."""
    search = read_search_text(request)
    found = Player.objects.current().filter(organiser=kept.organiser_id).exclude(pk=kept.pk)
    found = found.search(search) if search else found.filter(_build_surname_filter(kept))
    found = found.with_names().by_name()
    context = {**around, "kept": kept, "search": search, "found": list(found[:CANDIDATES_SHOWN])}
    return render(request, "tournament/people/choose_other.html", context)


def _build_surname_filter(player: Player) -> Q:
    """Whose name has a word of this player's surname, with umlauts as letters or written out."""
    surname = put_surname_first(player.name).partition(",")[0]
    return reduce(or_, (Q(search_name__contains=word) for word in make_search_key(surname).split()), Q())


def _list_events(player: Player) -> QuerySet[Entry]:
    return player.entries.select_related("tournament").order_by("-tournament__starts_on", "-pk")
