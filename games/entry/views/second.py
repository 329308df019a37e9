"""The pages of the second entry: a round typed again without the first figures, and a difference settled."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.core.pages import make_table_context, parse_seen_state
from games.entry.forms import RowResultForm
from games.entry.operations import (
    ResultsTypedOnce,
    SecondEntryState,
    find_second_entries,
    get_second_entry_state,
    is_typed_by,
    settle_result,
)
from games.entry.queries import SecondEntryGrid, find_last_typed_table, load_second_entry_grid, save_second_entry_rows
from games.entry.views.results import get_grid_url
from games.entry.words import has_time_penalties
from tournament.access.rules import (
    check_round_open,
    get_actor,
    get_chosen_division,
    get_directed_tournament,
    get_open_pairing,
    get_visible_round,
)
from tournament.core.change import Actor
from tournament.models import Pairing, Round, Tournament
from tournament.pages.forms import parse_key
from tournament.pages.frames import build_director_context, make_division_query
from tournament.pages.kept_input import login_required


def get_second_entry_url(round: Round, **more: object) -> str:
    """The address at which a round is typed a second time; `after` says where the cursor goes."""
    division = round.division
    address = reverse("games:again", args=[division.tournament.slug, round.number])
    return f"{address}?{urlencode({'division': division.name, **more})}"


def _get_typist(request: HttpRequest) -> Actor:
    """Who types: each row has its own rules for two at once, whatever else has happened since."""
    return replace(get_actor(request), seen=None)


@login_required
@require_http_methods(["GET", "POST"])
def type_round_again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Type a round a second time; nothing of the first typing is on this page."""
    tournament = get_directed_tournament(request, slug)
    round = get_visible_round(get_chosen_division(request, tournament), number, knockout=True)
    check_round_open(tournament, round)
    if not tournament.results_twice:
        return _redirect_to_results(request, round)
    actor = _get_typist(request)
    refused = save_second_entry_rows(round, request.POST, actor) if request.method == "POST" else {}
    found = load_second_entry_grid(round, actor, refused)
    if request.headers.get("HX-Request"):
        return render(request, "games/entry/_again_saved.html", _make_saved_context(found, tournament))
    if request.method == "POST" and not refused:
        return redirect(get_second_entry_url(round, after=find_last_typed_table(request.POST, found)))
    found.put_cursor(parse_key(request.GET.get("after", "0")) or 0)
    return render(request, "games/entry/again.html", _make_page_context(found, tournament))


def _redirect_to_results(request: HttpRequest, round: Round) -> HttpResponse:
    """Back to the results, which this tournament has typed once."""
    messages.info(request, str(ResultsTypedOnce()))
    return redirect(get_grid_url(round))


def _make_saved_context(found: SecondEntryGrid, tournament: Tournament) -> dict[str, Any]:
    revision = Tournament.objects.values_list("revision", flat=True).get(pk=tournament.pk)
    keys = [each.row.pairing.pk for each in found.rows]
    return {"grid": found, "round": found.round, "tournament": tournament, "revision": revision, "keys": keys}


def _make_page_context(found: SecondEntryGrid, tournament: Tournament) -> dict[str, Any]:
    division = found.round.division
    return {
        **build_director_context(tournament, division, "results"),
        **_make_saved_context(found, tournament),
        "query": make_division_query(division),
        "typing_url": get_second_entry_url(found.round),
        "time_costs": has_time_penalties(tournament),
    }


@login_required
@require_http_methods(["GET", "POST"])
def settle_differing_result(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A result that two people have typed differently: both figures, and what the paper says."""
    tournament = get_directed_tournament(request, slug)
    pairing = get_open_pairing(tournament, pk)
    if not tournament.results_twice:
        return _redirect_to_results(request, pairing.round)
    form = RowResultForm(request.POST or None, pairing=pairing)
    if form.done(lambda typed: _settle_result(request, pairing, typed)):
        messages.success(request, _("Table %(table)s is settled.") % {"table": pairing.table})
        return redirect(get_second_entry_url(pairing.round, after=pairing.table or 0))
    stored = find_second_entries([pairing.pk]).get(pairing.pk)
    official = pairing.result
    context = {
        **make_table_context(pairing),
        "form": form,
        "official": official,
        "again": stored,
        "differs": official and stored and get_second_entry_state(official, stored) == SecondEntryState.DIFFERS,
        "back": get_second_entry_url(pairing.round),
        "is_own": stored and is_typed_by(stored, _get_typist(request)),
    }
    return render(request, "games/entry/settle.html", context)


def _settle_result(request: HttpRequest, pairing: Pairing, typed: dict[str, Any]) -> None:
    points = typed["first_points"], typed["second_points"]
    version = parse_seen_state(typed["seen"])[0]
    settle_result(pairing, points=points, actor=_get_typist(request), expected_version=version)
