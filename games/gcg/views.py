"""The director's page of an annotated game: files out and in, and whether the public may step through it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.gcg import export, operations
from games.gcg.forms import GcgForm
from games.models import Line, Scoresheet
from games.shared import frame
from games.sheets.page import full_names, stored
from tournament import access
from tournament.models import Pairing
from tournament.refusals import Refusal
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The sheets of a game, to be saved and published, and the form that reads a file into one of them."""
    pairing = access.pairing_of(access.directed_tournament(request, slug), pk)
    form = _form(request, pairing)
    sheets = {sheet.keeper: sheet for sheet in pairing.scoresheets.order_by("pk")}
    there = sheets.get(form.data.get("keeper", "")) if form.is_bound else None
    if "enter" in request.POST and form.done(lambda data: _entered(request, pairing, data, form)):
        messages.success(request, _("The game is read in. Look at the sheet once more."))
        return redirect("games:gcg", slug, pk)
    looked = form.is_bound and (form.is_valid() or bool(form.refused))
    context = {"form": form, "looked": looked, "there": there, "lines": there.lines.count() if there else 0}
    return render(request, "games/gcg/gcg.html", {**frame.of(pairing), **context, "sheets": _named(pairing, sheets)})


def _form(request: HttpRequest, pairing: Pairing) -> GcgForm:
    rules = pairing.round.division.tournament.rules
    return GcgForm(request.POST or None, request.FILES or None, rules=rules, names=full_names(pairing))


def _entered(request: HttpRequest, pairing: Pairing, data: dict[str, Any], form: GcgForm) -> None:
    assert form.converted is not None
    operations.import_sheet(
        pairing,
        keeper=Scoresheet.Keeper(data["keeper"]),
        written=form.converted.written,
        actor=access.actor(request),
        replaces=form.replaced_version,
    )


def _named(pairing: Pairing, sheets: dict[str, Scoresheet]) -> list[tuple[str, Scoresheet]]:
    """Each sheet with the name of whoever kept it."""
    first, second = full_names(pairing)
    names = {Scoresheet.Keeper.FIRST.value: first, Scoresheet.Keeper.SECOND.value: second}
    return [(names.get(keeper, str(sheet.get_keeper_display())), sheet) for keeper, sheet in sheets.items()]


@login_required
@require_safe
def download(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A sheet as a GCG file; where words are missing, back with the reason."""
    found = stored(access.directed_tournament(request, slug), pk)
    try:
        return export.file_of(found, list(Line.objects.filter(scoresheet=found).order_by("number")))
    except Refusal as refused:
        messages.error(request, str(refused))
        return redirect("games:gcg", slug, found.pairing_id)


@login_required
@require_POST
def publish(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let everybody step through the game of this sheet, `best`: with its best plays; `hide`: no longer."""
    found = stored(access.directed_tournament(request, slug), pk)
    actor = access.actor(request)
    with button_refusals.refusals(request):
        if "hide" in request.POST:
            operations.unpublish_game(found, actor=actor)
        else:
            operations.publish_game(found, actor=actor, best=request.POST.get("best") == "yes")
    return redirect("games:gcg", slug, found.pairing_id)
