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

from games.entry import second, second_grid
from games.entry import second_operations as operations
from games.entry import words as entry_words
from games.entry.forms import RowForm
from games.entry.second_grid import AgainGrid
from games.entry.views import grid_url
from games.shared import frame
from games.shared.seen import was_seen
from tournament import access
from tournament.forms.fields import key
from tournament.models import Pairing, Round, Tournament
from tournament.operations.change import Actor
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell


def again_url(round: Round, **more: object) -> str:
    """The address at which a round is typed a second time; `after` says where the cursor goes."""
    division = round.division
    address = reverse("games:again", args=[division.tournament.slug, round.number])
    return f"{address}?{urlencode({'division': division.name, **more})}"


def _typist(request: HttpRequest) -> Actor:
    """Who types: each row has its own rules for two at once, whatever else has happened since."""
    return replace(access.actor(request), seen=None)


@login_required
@require_http_methods(["GET", "POST"])
def again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Type a round a second time; nothing of the first typing is on this page."""
    tournament = access.directed_tournament(request, slug)
    round = access.round_of(access.division_of(request, tournament), number, knockout=True)
    access.check_open(tournament, round)
    if not tournament.results_twice:
        return _typed_once(request, round)
    actor = _typist(request)
    refused = second_grid.save_all(round, request.POST, actor) if request.method == "POST" else {}
    found = second_grid.whole(round, actor, refused)
    if request.headers.get("HX-Request"):
        return render(request, "games/entry/_again_saved.html", _around(found, tournament))
    if request.method == "POST" and not refused:
        return redirect(again_url(round, after=second_grid.typed_upto(request.POST, found)))
    found.put_cursor(key(request.GET.get("after", "0")) or 0)
    return render(request, "games/entry/again.html", _page(found, tournament))


def _typed_once(request: HttpRequest, round: Round) -> HttpResponse:
    """Back to the results, which this tournament has typed once."""
    messages.info(request, str(operations.TypedOnce()))
    return redirect(grid_url(round))


def _around(found: AgainGrid, tournament: Tournament) -> dict[str, Any]:
    revision = Tournament.objects.values_list("revision", flat=True).get(pk=tournament.pk)
    keys = [each.row.pairing.pk for each in found.rows]
    return {"grid": found, "round": found.round, "tournament": tournament, "revision": revision, "keys": keys}


def _page(found: AgainGrid, tournament: Tournament) -> dict[str, Any]:
    division = found.round.division
    return {
        **shell(tournament, division, "results"),
        **_around(found, tournament),
        "query": query(division),
        "typing_url": again_url(found.round),
        "time_costs": entry_words.time_costs(tournament),
    }


@login_required
@require_http_methods(["GET", "POST"])
def settle(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A result that two people have typed differently: both figures, and what the paper says."""
    tournament = access.directed_tournament(request, slug)
    pairing = access.pairing_of(tournament, pk)
    if not tournament.results_twice:
        return _typed_once(request, pairing.round)
    form = RowForm(request.POST or None, pairing=pairing)
    if form.done(lambda typed: _settled(request, pairing, typed)):
        messages.success(request, _("Table %(table)s is settled.") % {"table": pairing.table})
        return redirect(again_url(pairing.round, after=pairing.table or 0))
    stored = second.of([pairing.pk]).get(pairing.pk)
    official = pairing.result
    differs = (
        official is not None and stored is not None and second.kind(official, stored) == second.SecondEntryState.DIFFERS
    )
    context = {**frame.of(pairing), "form": form, "official": official, "again": stored, "differs": differs}
    context |= {"back": again_url(pairing.round), "is_own": stored and second.is_by(stored, _typist(request))}
    return render(request, "games/entry/settle.html", context)


def _settled(request: HttpRequest, pairing: Pairing, typed: dict[str, Any]) -> None:
    points = typed["first_points"], typed["second_points"]
    version = was_seen(typed["seen"])[0]
    operations.settle_result(pairing, points=points, actor=_typist(request), expected_version=version)
