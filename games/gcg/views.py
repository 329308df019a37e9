"""The director's page of an annotated game: files out and in, and whether the public may step through it."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.core.pages import make_table_context
from games.gcg.conversion import GCG_CONTENT_TYPE, export_sheet_as_gcg
from games.gcg.forms import GcgForm
from games.gcg.operations import import_sheet, publish_game, unpublish_game
from games.models import Line, Scoresheet
from games.sheets.sheet_page import SheetPage, get_full_names, get_scoresheet
from games.sheets.words import describe_other_result
from tournament.access.rules import get_actor, get_directed_tournament, get_open_pairing
from tournament.basics.refusals import Refusal
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals
from tournament.pages.views import answer_with_file


@login_required
@require_http_methods(["GET", "POST"])
def show_game_sheets(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The sheets of a game, to be saved and published, and the form that reads a file into one of them."""
    pairing = get_open_pairing(get_directed_tournament(request, slug), pk)
    rules, names = pairing.round.division.tournament.rules, get_full_names(pairing)
    form = GcgForm(request.POST or None, request.FILES or None, rules=rules, names=names)
    sheets = {sheet.keeper: sheet for sheet in pairing.scoresheets.order_by("pk")}
    # By what was sent and not by what could be read: the question whether to replace a sheet stands beside other
    # faults, too.
    there = sheets.get(form.data.get("keeper", "")) if form.is_bound else None

    def act(data: dict[str, Any]) -> None:
        assert form.converted is not None
        keeper, written = Scoresheet.Keeper(data["keeper"]), form.converted.written
        import_sheet(pairing, keeper=keeper, written=written, actor=get_actor(request), replaces=form.replaced_version)

    if "enter" in request.POST and form.done(act):
        messages.success(request, _("The game has been imported. Please check the sheet."))
        return redirect("games:gcg", slug, pk)
    # The file was looked at where it could be read, also if a sheet is in its way: then the question is whether to
    # replace that.
    looked = form.is_bound and (form.is_valid() or bool(form.refused))
    keepers = {Scoresheet.Keeper.FIRST.value: names[0], Scoresheet.Keeper.SECOND.value: names[1]}
    named = [
        (
            keepers.get(keeper, str(sheet.get_keeper_display())),
            sheet,
            describe_other_result(SheetPage(sheet).count.final, pairing),
        )
        for keeper, sheet in sheets.items()
    ]
    lines = there.lines.count() if there else 0
    context = {"form": form, "looked": looked, "there": there, "lines": lines, "sheets": named}
    return render(request, "games/gcg/gcg.html", {**make_table_context(pairing), **context})


@login_required
@require_safe
def download_gcg(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A sheet as a GCG file; where words are missing, back with the reason."""
    scoresheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    try:
        return answer_with_gcg(scoresheet)
    except Refusal as refused:
        messages.error(request, str(refused))
        return redirect("games:gcg", slug, scoresheet.pairing_id)


@login_required
@require_POST
def submit_game_publication(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let everybody step through the game of this sheet, `best`: with its best plays; `hide`: no longer."""
    scoresheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    actor = get_actor(request)
    with show_refusals(request):
        if "hide" in request.POST:
            unpublish_game(scoresheet, actor=actor)
        else:
            publish_game(scoresheet, actor=actor, best=request.POST.get("best") == "yes")
    return redirect("games:gcg", slug, scoresheet.pairing_id)


def answer_with_gcg(scoresheet: Scoresheet, lines: Sequence[Line] | None = None) -> HttpResponse:
    """The answer that saves a stored sheet as a file, or these first lines of it. Raises `not_writable`."""
    if lines is None:
        lines = list(Line.objects.filter(scoresheet=scoresheet).order_by("number"))
    round = scoresheet.pairing.round
    parts = (round.division.tournament.slug, slugify(round.division.name), round.number, scoresheet.pairing.table or "")
    name = "-".join(str(part) for part in parts if part)
    return answer_with_file(export_sheet_as_gcg(scoresheet, lines), GCG_CONTENT_TYPE, f"{name}.gcg")
