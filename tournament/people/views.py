"""Pages about people over all events: merging for those who keep the register, profiles for them and for everybody."""

from functools import reduce
from operator import or_
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.access.rules import get_actor
from tournament.basics.names import make_search_key, put_surname_first
from tournament.models import Organiser, Player, SamePerson
from tournament.pages.caching import answer_from_cache, digest_state
from tournament.pages.forms import parse_key
from tournament.pages.frames import build_organiser_context, build_own_organiser_context, get_own_player
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import paginate_rows, read_search_text, show_refusals
from tournament.people.alike import keep_two_people, list_apart_decisions, list_open_pairs
from tournament.people.forms import MergeForm
from tournament.people.merging import find_merge_problem, merge_players, part_players
from tournament.people.profile import get_profile_state, list_public_players, load_profile, set_profile_hidden
from tournament.seasons.operations import take_back_same_person
from tournament.table.tables import RECORD_TITLES

CANDIDATES_SHOWN, PLAYERS_A_PAGE, PAIRS_A_PAGE, DECISIONS_SHOWN = 50, 100, 50, 200


@signed_in_page("GET")
def show_alike_players(request: HttpRequest) -> HttpResponse:
    """All players of a register who may be one person, two by two, and who is said to be two people."""
    around = build_organiser_context(request)
    organiser = around["organiser"]
    context = {
        **around,
        "page": paginate_rows(request, list_open_pairs(organiser), PAIRS_A_PAGE),
        "decisions": list_apart_decisions(organiser)[:DECISIONS_SHOWN],
    }
    return render(request, "tournament/people/alike.html", context)


@signed_in_page("POST")
def submit_two_people(request: HttpRequest) -> HttpResponse:
    """Say that two players are two people."""
    keys = [parse_key(request.POST.get(name, "")) for name in ("one", "other")]
    # What is no number is nobody's key: 404 like a player who is not there.
    one, other = (get_object_or_404(Player.objects.select_related("organiser"), pk=key or 0) for key in keys)
    around = build_own_organiser_context(request, one.organiser_id)
    if one.organiser_id != other.organiser_id:
        raise Http404
    if one != other:
        keep_two_people(one, other=other, actor=get_actor(request))
        figures = {"one": one.name, "other": other.name}
        messages.success(request, _("%(one)s and %(other)s are two people. This can be taken back below.") % figures)
    return redirect(reverse("director:alike_players") + around["organiser_query"])


@signed_in_page("POST")
def submit_two_people_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget that two players are two people."""
    decisions = SamePerson.objects.filter(season=None).select_related("one__organiser", "other")
    decision = get_object_or_404(decisions, pk=pk)
    around = build_own_organiser_context(request, decision.one.organiser_id)
    take_back_same_person(decision, actor=get_actor(request))
    messages.success(request, _("Taken back: it is asked again."))
    return redirect(reverse("director:alike_players") + around["organiser_query"])


@signed_in_page("GET", "POST")
def merge_players_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Look for the other entry of a person, then what becomes of both; a post makes them one."""
    survivor, around = get_own_player(request, pk)
    if survivor.merged_into_id is not None:
        return redirect("director:edit_player", survivor.merged_into_id)
    key = parse_key((request.POST or request.GET).get("other", ""))
    if key is None:
        return _render_search(request, survivor, around)
    players = Player.objects.with_names().select_related("organiser").filter(organiser=survivor.organiser_id)
    other = players.exclude(pk=pk).filter(pk=key).first()
    if other is None:
        messages.error(request, _("This is not available here any more; choose from the list."))
        return _render_search(request, survivor, around)
    if other.merged_into_id is not None:  # the form was sent twice
        return redirect("director:edit_player", pk)
    form = MergeForm(request.POST or None, kept=survivor, other=other)
    if outcome := form.done(
        lambda _typed: merge_players(survivor, other=other, taken=form.taken, actor=get_actor(request))
    ):
        message = _("The two are one player now: %(name)s. This can be taken back on this page.")
        messages.success(request, message % {"name": outcome.result.name})
        return redirect("director:edit_player", pk)
    events = [
        (player, player.entries.select_related("tournament").order_by("-tournament__starts_on", "-pk"))
        for player in (survivor, other)
    ]
    # A form that was sent has been refused by the operation, with the same sentence.
    problem = None if form.is_bound else find_merge_problem(survivor, other)
    context = {**around, "kept": survivor, "other": other, "form": form, "events": events, "problem": problem}
    return render(request, "tournament/people/merge.html", context)


@signed_in_page("POST")
def part_players_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back the merge by which a row went."""
    other, _around = get_own_player(request, pk)
    # Before they are parted: afterwards this row stands for itself, or is gone.
    survivor = other.current
    with show_refusals(request):
        part_players(other, actor=get_actor(request))
        is_spelling = not Player.objects.filter(pk=pk).exists()
        message = _("“%(name)s” is forgotten.") if is_spelling else _("%(name)s is a player of their own again.")
        messages.success(request, message % {"name": other.name})
    return redirect("director:edit_player", survivor.pk)


@signed_in_page("GET")
def show_profile(request: HttpRequest, pk: int) -> HttpResponse:
    """A player's profile, as the public would see it, whether it may or not."""
    player, around = get_own_player(request, pk)
    if player.merged_into_id is not None:
        return redirect("director:profile", player.merged_into_id)
    context = {**around, **_build_profile_context(player)}
    return render(request, "tournament/people/director_profile.html", context)


@signed_in_page("POST")
def hide_profile_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Note that somebody objects to a public profile, or with `show` that they no longer do."""
    player, _around = get_own_player(request, pk)
    hidden = "show" not in request.POST
    set_profile_hidden(player.current, hidden=hidden, actor=get_actor(request))
    messages.success(request, _("The profile is not public.") if hidden else _("The player no longer objects."))
    return redirect("director:profile", player.current.pk)


@require_safe
def show_public_players(request: HttpRequest, slug: str) -> HttpResponse:
    """The players of a club who have a public profile, or those found by a search; 404 if the club shows none."""
    club = get_object_or_404(Organiser, slug=slug, profiles_public=True)
    search = read_search_text(request)
    players = list_public_players(club).search(search).with_names().by_name()
    page = paginate_rows(request, players, PLAYERS_A_PAGE)
    context = {"organiser": club, "logo": club.logo, "page": page, "search": search}
    return render(request, "tournament/people/public_players.html", context)


@require_safe
def show_public_profile(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A player's profile; 404 where the club shows none or the person objects. Kept while nothing changes."""
    club = get_object_or_404(Organiser, slug=slug)
    player = get_object_or_404(list_public_players(club).with_names(), pk=pk)
    player.organiser = club

    def make() -> HttpResponse:
        context = {"organiser": club, "logo": club.logo, **_build_profile_context(player)}
        return render(request, "tournament/people/public_profile.html", context)

    return answer_from_cache(request, lambda: digest_state(request, f"profile {pk}", get_profile_state(player)), make)


def _build_profile_context(player: Player) -> dict[str, Any]:
    profile = load_profile(player)
    records = [(RECORD_TITLES[kind], value, game) for kind, value, game in profile.records]
    return {"player": player, "profile": profile, "records": records}


def _render_search(request: HttpRequest, kept: Player, around: dict[str, Any]) -> HttpResponse:
    """Those who may be the same person; without a search, those whose names are alike and those of the same surname."""
    search = read_search_text(request)
    players = Player.objects.current().filter(organiser=kept.organiser_id).exclude(pk=kept.pk)
    if search:
        players = players.search(search)
    else:
        alike = {pk for pair in list_open_pairs(kept.organiser, among=[kept.pk]) for pk in (pair[0].pk, pair[1].pk)}
        surname = put_surname_first(kept.name).partition(",")[0]
        # A surname without a letter leaves no word to look for: then the condition is empty, and those who are alike
        # are shown.
        players = players.filter(
            reduce(or_, (Q(search_name__contains=word) for word in make_search_key(surname).split()), Q())
            | Q(pk__in=alike)
        )
    players = players.with_names().by_name()
    context = {**around, "kept": kept, "search": search, "found": list(players[:CANDIDATES_SHOWN])}
    return render(request, "tournament/people/choose_other.html", context)
