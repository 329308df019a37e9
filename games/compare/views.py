"""Comparing a game's score sheets, taking lines over, and agreeing on one."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.compare.agreement import SheetMoved, agree_sheet, copy_sheet_line
from games.compare.comparison_page import ComparisonPage
from games.core.pages import make_table_context, parse_seen_state
from games.limits import PHOTOS
from games.models import Line, Scoresheet
from games.photos import PhotosForm, list_photos
from tournament.access.rules import get_actor, get_directed_tournament, get_open_pairing
from tournament.basics.limits import WHY
from tournament.core.reports import Report
from tournament.core.words.figures import name_both_players
from tournament.core.words.outcomes import format_short_report
from tournament.models import Pairing
from tournament.pages.forms import OperationForm, TextField, parse_key
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals
from tournament.results.knockout_games import parse_result_ids


class AgreeForm(OperationForm):
    """Why the result that stands there is replaced; nothing where none does."""

    why = TextField(WHY, label=gettext_lazy("Why it is corrected"))


@login_required
@require_GET
def show_comparison(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The sheets of a game side by side; `sheet` names the one to be agreed."""
    pairing = get_open_pairing(get_directed_tournament(request, slug), pk)
    return _render_comparison(request, pairing, parse_key(request.GET.get("sheet", "")), AgreeForm())


def _render_comparison(request: HttpRequest, pairing: Pairing, chosen: int | None, form: AgreeForm) -> HttpResponse:
    page = ComparisonPage(pairing, chosen)
    context: dict[str, Any] = {
        **make_table_context(pairing),
        "agree_form": form,
        "page": page,
        "photos": list_photos(pairing),
        "photos_form": PhotosForm(),
        "most": PHOTOS,
    }
    return render(request, "games/compare/compare.html", context)


def _get_comparison_url(pairing: Pairing, scoresheet: Scoresheet) -> str:
    slug = pairing.round.division.tournament.slug
    return f"{reverse('games:compare', args=[slug, pairing.pk])}?sheet={scoresheet.pk}"


@login_required
@require_POST
def take_over_line(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Write a line of the sheet to be agreed as another sheet has it."""
    pairing = get_open_pairing(get_directed_tournament(request, slug), pk)
    target = _get_sheet(pairing, request.POST.get("target", ""))
    source = _get_sheet(pairing, request.POST.get("source", ""))
    with show_refusals(request):
        # The line is named by its number. On a sheet that was written on since, another line may have that number.
        if source.version != parse_key(request.POST.get("source_version", "")):
            raise SheetMoved
        number = parse_key(request.POST.get("line", ""))
        copy_sheet_line(
            target,
            number=parse_key(request.POST.get("number", "")),
            before=parse_key(request.POST.get("before", "")),
            # Without a number the other sheet lacks the line: it is taken out of this one.
            source=None if number is None else get_object_or_404(Line, scoresheet=source, number=number),
            actor=get_actor(request),
            expected_version=parse_key(request.POST.get("version", "")) or 0,
        )
        messages.success(request, _("Taken over."))
    return redirect(_get_comparison_url(pairing, target))


def _get_sheet(pairing: Pairing, text: str) -> Scoresheet:
    sheet = get_object_or_404(Scoresheet, pairing=pairing, pk=parse_key(text))
    sheet.pairing = pairing
    return sheet


@login_required
@require_http_methods(["GET", "POST"])
def confirm_agreement(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Make a sheet the agreed one and its result the official one. Without a post: to the comparison."""
    tournament = get_directed_tournament(request, slug)
    pairing = get_open_pairing(tournament, pk)
    if request.method == "GET":
        return redirect(f"{reverse('games:compare', args=[slug, pk])}?{request.GET.urlencode()}")
    chosen, form = parse_key(request.POST.get("sheet", "")), AgreeForm(request.POST)
    if outcome := form.done(lambda typed: _record_agreement(request, pairing, chosen, typed["why"])):
        return redirect(_get_comparison_url(pairing, outcome.result))
    # Read anew: refused because somebody has corrected the result, the page compares with the new one.
    return _render_comparison(request, get_open_pairing(tournament, pk), chosen, form)


def _record_agreement(request: HttpRequest, pairing: Pairing, chosen: int | None, why: str) -> Scoresheet:
    scoresheet = Scoresheet.objects.filter(pairing=pairing, pk=chosen or 0).first()
    if scoresheet is None:  # deleted in the meantime: the page shows the others, with what was typed
        raise SheetMoved
    scoresheet.pairing = pairing
    version, players = parse_seen_state(request.POST.get("seen", ""))
    saved = agree_sheet(
        scoresheet,
        actor=get_actor(request),
        expected_version=version,
        expected_players=players,
        expected_sheet=parse_key(request.POST.get("version", "")) or 0,
        disturb=parse_result_ids(request.POST.get("disturbs", "")),
        why=why,
    )
    report = format_short_report(Report.of(saved), name_both_players(scoresheet.pairing))
    messages.success(request, _("Agreed and official: %(result)s.") % {"result": report})
    return scoresheet
