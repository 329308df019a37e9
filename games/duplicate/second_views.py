"""The pages of the second correction: switch it on, type slips again without seeing the first, settle what differs."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.duplicate import reading, second
from games.duplicate.forms import SecondForm, SettleForm
from games.duplicate.frame import address, loaded
from games.duplicate.operations import second as operations
from games.duplicate.operations.second import SlipReading
from games.duplicate.reading import SessionState
from games.duplicate.second import SecondProgress
from games.models import DuplicateTurn
from tournament import access
from tournament.operations.change import Actor
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell


@login_required
@require_POST
def twice(request: HttpRequest, slug: str) -> HttpResponse:
    """Switch the second correction on, or off (`off`)."""
    division, session = loaded(request, slug)
    with button_refusals.refusals(request):
        operations.type_twice(session, on="off" not in request.POST, actor=access.actor(request))
    return redirect(address(division))


def _blind(request: HttpRequest) -> Actor:
    """Who types: each slip has its own rules for two at once, whatever else has happened since."""
    return replace(access.actor(request), seen=None)


def _turn(request: HttpRequest, slug: str, number: int) -> tuple[SessionState, DuplicateTurn, SecondProgress]:
    """The session, a turn of it, and how far its second correction has come; 404 where slips are typed once."""
    _division, session = loaded(request, slug)
    found = reading.read(session)
    row = next((each for each in found.turns if each.number == number), None)
    if row is None or not session.twice:
        raise Http404(_("Turn %(number)s has no second correction.") % {"number": number})
    row.session = session
    return found, row, second.progress(found, row, access.actor(request).primary_key)


def _page(found: SessionState, row: DuplicateTurn, progress: SecondProgress) -> dict[str, Any]:
    division = found.session.division
    return {
        **shell(division.tournament, division, "duplicate"),
        "query": query(division),
        "row": row,
        "progress": progress,
        "back": address(division),
    }


@login_required
@require_http_methods(["GET", "POST"])
def again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Type the slips of a turn again; what the first typing says is not on this page."""
    found, row, progress = _turn(request, slug, number)
    form = SecondForm(request.POST or None, entries=found.entries)

    def act(data: dict[str, Any]) -> None:
        read = SlipReading(missing=True) if data["missing"] else SlipReading(form.written)
        operations.read_again(row, entry=form.entry, read=read, actor=_blind(request))

    if form.done(act):
        return redirect(address(found.session.division, "games:duplicate_second", number))
    return render(request, "games/duplicate/second.html", {**_page(found, row, progress), "form": form})


@login_required
@require_http_methods(["GET", "POST"])
def settle(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What two people have read differently; each is settled from the paper slip."""
    found, row, progress = _turn(request, slug, number)
    form = SettleForm(request.POST or None, entries=found.entries, differing=progress.differing)

    def act(_data: dict[str, Any]) -> None:
        operations.settle_slip(row, entry=form.entry, read=form.read, today=timezone.localdate(), actor=_blind(request))

    if form.done(act):
        messages.success(request, _("The slip of %(name)s is settled.") % {"name": form.entry.name})
        return redirect(address(found.session.division, "games:duplicate_settle", number))
    return render(request, "games/duplicate/settle.html", {**_page(found, row, progress), "form": form})
