"""Comparing a game's score sheets, taking lines over, and agreeing on one."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.compare import operations
from games.compare.forms import AgreeForm
from games.compare.page import ComparePage
from games.limits import PHOTOS
from games.models import Line, Scoresheet
from games.photos.forms import PhotosForm
from games.photos.views import of as photos_of
from games.shared import frame
from games.shared.seen import was_seen
from tournament import access
from tournament.forms.fields import key
from tournament.models import Pairing
from tournament.operations.knockout_games import ids_from_text
from tournament.reports import Report, in_short
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required


@login_required
@require_GET
def compare(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The sheets of a game side by side; `sheet` names the one to be agreed."""
    pairing = access.pairing_of(access.directed_tournament(request, slug), pk)
    return _compare_page(request, pairing, key(request.GET.get("sheet", "")), AgreeForm())


def _compare_page(request: HttpRequest, pairing: Pairing, chosen: int | None, form: AgreeForm) -> HttpResponse:
    page = ComparePage(pairing, chosen)
    context: dict[str, Any] = {
        **frame.of(pairing),
        "agree_form": form,
        "page": page,
        "photos": photos_of(pairing),
        "photos_form": PhotosForm(),
        "most": PHOTOS,
    }
    return render(request, "games/compare/compare.html", context)


def _address(pairing: Pairing, scoresheet: Scoresheet) -> str:
    slug = pairing.round.division.tournament.slug
    return f"{reverse('games:compare', args=[slug, pairing.pk])}?sheet={scoresheet.pk}"


@login_required
@require_POST
def take(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Write a line of the sheet to be agreed as another sheet has it."""
    pairing = access.pairing_of(access.directed_tournament(request, slug), pk)
    target = _sheet(pairing, request.POST.get("target", ""))
    source = _sheet(pairing, request.POST.get("source", ""))
    with button_refusals.refusals(request):
        operations.take_over(
            target,
            number=key(request.POST.get("number", "")),
            before=key(request.POST.get("before", "")),
            source=_line(source, request),
            actor=access.actor(request),
            expected_version=key(request.POST.get("version", "")) or 0,
        )
        messages.success(request, _("Taken over."))
    return redirect(_address(pairing, target))


def _sheet(pairing: Pairing, text: str) -> Scoresheet:
    found = get_object_or_404(Scoresheet, pairing=pairing, pk=key(text))
    found.pairing = pairing
    return found


def _line(source: Scoresheet, request: HttpRequest) -> Line | None:
    """The other sheet's line as it was on the page; None where it had none. Raises `SheetMoved`."""
    if source.version != key(request.POST.get("source_version", "")):
        raise operations.SheetMoved
    number = key(request.POST.get("line", ""))
    return None if number is None else get_object_or_404(Line, scoresheet=source, number=number)


@login_required
@require_http_methods(["GET", "POST"])
def agree(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Make a sheet the agreed one and its result the official one. Without a post: to the comparison."""
    tournament = access.directed_tournament(request, slug)
    pairing = access.pairing_of(tournament, pk)
    if request.method == "GET":
        return redirect(f"{reverse('games:compare', args=[slug, pk])}?{request.GET.urlencode()}")
    scoresheet = _sheet(pairing, request.POST.get("sheet", ""))
    form = AgreeForm(request.POST)
    if form.done(lambda typed: _agreed(request, scoresheet, typed["why"])):
        return redirect(_address(pairing, scoresheet))
    return _compare_page(request, access.pairing_of(tournament, pk), scoresheet.pk, form)


def _agreed(request: HttpRequest, scoresheet: Scoresheet, why: str) -> None:
    """Agree on the sheet and say so. Raises the operation's refusals."""
    version, players = was_seen(request.POST.get("seen", ""))
    saved = operations.agree_sheet(
        scoresheet,
        actor=access.actor(request),
        expected_version=version,
        expected_players=players,
        expected_sheet=key(request.POST.get("version", "")) or 0,
        disturb=ids_from_text(request.POST.get("disturbs", "")),
        why=why,
    )
    messages.success(request, _("Agreed and official: %(result)s.") % {"result": in_short(Report.of(saved))})
