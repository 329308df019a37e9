"""The pages of the second correction: switch it on, type slips again without seeing the first, settle what differs."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.duplicate.forms import SecondReadingForm, SettleSlipForm
from games.duplicate.operations.second import (
    SecondProgress,
    SlipReading,
    load_second_progress,
    record_second_reading,
    settle_slip,
    switch_second_correction,
)
from games.duplicate.queries import SessionState, load_session_state
from games.duplicate.views.frame import (
    build_session_context,
    get_duplicate_session_or_404,
    get_session_url,
    get_slip_typist,
)
from games.models import DuplicateTurn
from tournament.access.rules import get_actor
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals


@login_required
@require_POST
def toggle_second_correction(request: HttpRequest, slug: str) -> HttpResponse:
    """Switch the second correction on, or off (`off`)."""
    division, session = get_duplicate_session_or_404(request, slug)
    with show_refusals(request):
        switch_second_correction(session, on="off" not in request.POST, actor=get_actor(request))
    return redirect(get_session_url(division))


def _load_second_typing(
    request: HttpRequest, slug: str, number: int
) -> tuple[SessionState, DuplicateTurn, SecondProgress]:
    """The session, a turn of it, and how far its second correction has come; 404 where slips are typed once."""
    session = get_duplicate_session_or_404(request, slug)[1]
    found = load_session_state(session)
    row = next((each for each in found.turns if each.number == number), None)
    if row is None or not session.twice:
        raise Http404(_("Turn %(number)s has no second correction.") % {"number": number})
    row.session = session
    return found, row, load_second_progress(found, row, get_actor(request).primary_key)


@login_required
@require_http_methods(["GET", "POST"])
def type_slips_again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Type the slips of a turn again; what the first typing says is not on this page."""
    found, row, progress = _load_second_typing(request, slug, number)
    form = SecondReadingForm(request.POST or None, entries=found.entries)

    def act(data: dict[str, Any]) -> None:
        read = SlipReading(missing=True) if data["missing"] else SlipReading(form.written)
        record_second_reading(row, entry=form.entry, read=read, actor=get_slip_typist(request))

    if form.done(act):
        return redirect(get_session_url(found.session.division, "games:duplicate_second", number))
    context = build_session_context(found.session.division, row=row, progress=progress, form=form)
    return render(request, "games/duplicate/second.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def settle_differing_slips(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What two people have read differently; each is settled from the paper slip."""
    found, row, progress = _load_second_typing(request, slug, number)
    form = SettleSlipForm(request.POST or None, entries=found.entries, differing=progress.differing)

    def act(_data: dict[str, Any]) -> None:
        settle_slip(row, entry=form.entry, read=form.read, today=timezone.localdate(), actor=get_slip_typist(request))

    if form.done(act):
        messages.success(request, _("The slip of %(name)s is settled.") % {"name": form.entry.name})
        return redirect(get_session_url(found.session.division, "games:duplicate_settle", number))
    context = build_session_context(found.session.division, row=row, progress=progress, form=form)
    return render(request, "games/duplicate/settle.html", context)
