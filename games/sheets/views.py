"""The pages of score sheets: which there are, typing into one of them, its end, and deleting."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.core.pages import make_table_context
from games.models import Line, Scoresheet
from games.sheets.forms import KeeperForm, LineForm, SheetEndingForm, SheetForm, StartDrawForm
from games.sheets.lines import WrittenLine, format_typed_fields
from games.sheets.operations import (
    change_line,
    delete_line,
    delete_sheet,
    finish_sheet,
    insert_line,
    note_start_draw,
    open_sheet,
    swap_sides,
    write_line,
)
from games.sheets.sheet_page import SheetPage, get_full_names, get_scoresheet, get_short_names, propose_line
from tournament.access.rules import get_actor, get_directed_tournament, get_open_pairing
from tournament.core.change import Actor
from tournament.models.play import SIDES
from tournament.pages.forms import parse_key
from tournament.pages.kept_input import login_required, login_required_with_recall, take_recalled_input
from tournament.pages.requests import show_refusals


def get_sheet_url(scoresheet: Scoresheet) -> str:
    """Where a score sheet is typed."""
    return reverse("games:sheet", args=[scoresheet.pairing.round.division.tournament.slug, scoresheet.pk])


@login_required
@require_http_methods(["GET", "POST"])
def show_sheets(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The score sheets of a table: those that exist, and those that can be begun."""
    pairing = get_open_pairing(get_directed_tournament(request, slug), pk)
    keepers = Scoresheet.Keeper
    names = dict(zip((keepers.FIRST, keepers.SECOND), get_full_names(pairing), strict=True))
    form = KeeperForm(request.POST or None)
    if outcome := form.done(lambda data: open_sheet(pairing, keeper=keepers(data["keeper"]), actor=get_actor(request))):
        return redirect("games:sheet", slug, outcome.result.pk)
    there = {sheet.keeper: sheet for sheet in pairing.scoresheets.annotate(written=Count("lines")).order_by("pk")}
    context = {
        **make_table_context(pairing),
        "form": form,
        "choices": [
            (keeper.value, str(names.get(keeper, keeper.label)), there.get(keeper.value)) for keeper in keepers
        ],
        "has_both": len(there) > 1,
    }
    return render(request, "games/sheets/sheets.html", context)


@login_required_with_recall
@require_http_methods(["GET", "POST"])
def edit_sheet(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One score sheet to type into, line by line; a post saves one line."""
    scoresheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    # A line typed while the session had ended comes back after signing in, by a GET: it is shown in its form, not
    # saved, since others may have written on the sheet meanwhile.
    data = request.POST if request.method == "POST" else take_recalled_input(request)
    form = LineForm(data, **_get_form_options(scoresheet)) if data is not None else None
    if form is None or request.method == "GET":
        return _render_sheet(request, SheetPage(scoresheet), form)
    saved = _save_line(scoresheet, form, get_actor(request))
    page = SheetPage(get_scoresheet(scoresheet.pairing.round.division.tournament, pk))
    if request.headers.get("HX-Request"):
        # Only the parts of the page that a line changes, with the form as it was sent if it was refused.
        # With no query once it is saved: that of the address names the line that has just been changed, and would offer
        # it again.
        fresh = _build_line_form(page, QueryDict()) if saved else form
        return render(request, "games/sheets/_saved.html", {**_build_sheet_context(page, fresh), "saved": saved})
    return redirect(get_sheet_url(scoresheet)) if saved else _render_sheet(request, page, form)


def _get_form_options(scoresheet: Scoresheet) -> dict[str, Any]:
    return {"names": get_short_names(scoresheet), "rules": scoresheet.pairing.round.division.tournament.rules}


def _save_line(scoresheet: Scoresheet, form: LineForm, actor: Actor) -> bool:
    """Do what the form of a line says; whether that was possible."""

    def write(data: dict[str, Any]) -> None:
        written: dict[str, Any] = {"line": form.line, "actor": actor, "expected_version": form.expected_version}
        if data["mode"] == "add":
            write_line(scoresheet, **written)
        elif data["mode"] == "insert":
            insert_line(scoresheet, number=form.wanted_number, **written)
        else:
            change_line(scoresheet, number=form.wanted_number, **written)

    return form.done(write) is not None


def _build_line_form(page: SheetPage, query: QueryDict) -> LineForm:
    """The form that a page begins with: for the next line, or for the line that the address names."""
    changed, before = parse_key(query.get("line", "")), parse_key(query.get("before", ""))
    number = before if changed is None else changed
    line, mode = WrittenLine(side=page.next_side), "add"
    if number is not None:
        if not 1 <= number <= len(page.lines):
            raise Http404(_("This sheet has no line %(number)s.") % {"number": number})
        there = WrittenLine.of(page.lines[number - 1])
        line, mode = (there, "change") if changed is not None else (WrittenLine(side=3 - there.side), "insert")
    initial = {**format_typed_fields(line), "mode": mode, "number": str(number or "")}
    return LineForm(initial=initial, names=page.names, rules=page.rules)


def _build_sheet_context(page: SheetPage, form: LineForm, **sent: SheetForm) -> dict[str, Any]:
    """What the page shows; `draw` and `ending` are their forms as they were sent, if they were refused."""
    number = parse_key(str(form["number"].value() or ""))
    return {
        "page": page,
        "pairing": page.pairing,
        "tournament": page.pairing.round.division.tournament,
        "sheet": page.scoresheet,
        "form": form,
        "mode": form["mode"].value(),
        "number": number,
        "draw": StartDrawForm(
            initial={f"{side}_drawn": getattr(page.scoresheet, f"{side}_drawn") for side in SIDES}, names=page.names
        ),
        "ending": SheetEndingForm(initial=page.ending_initial(), names=page.names, rules=page.rules),
        **sent,
    }


def _render_sheet(request: HttpRequest, page: SheetPage, form: LineForm | None, **sent: SheetForm) -> HttpResponse:
    context = _build_sheet_context(page, form or _build_line_form(page, request.GET), **sent)
    return render(request, "games/sheets/sheet.html", {**make_table_context(page.pairing), **context})


@login_required
@require_POST
def preview_line(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What the line that is being typed would score, in words; nothing while it cannot be read."""
    scoresheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    form = LineForm(request.POST, **_get_form_options(scoresheet))
    is_valid = form.is_valid()
    proposal = propose_line(scoresheet, form.line, form.cleaned_data["mode"], form.wanted_number) if is_valid else None
    return render(request, "games/sheets/_proposal.html", {"found": proposal})


@login_required_with_recall
@require_http_methods(["GET", "POST"])
def edit_ending(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Save what stands below the last turn. Without a post: what was typed before signing in, or the sheet."""
    scoresheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    data = request.POST if request.method == "POST" else take_recalled_input(request)
    if data is None:
        return redirect(get_sheet_url(scoresheet))
    form = SheetEndingForm(data, **_get_form_options(scoresheet))

    def write(_data: dict[str, Any]) -> None:
        finish_sheet(scoresheet, ending=form.ending, actor=get_actor(request), expected_version=form.expected_version)

    if request.method == "POST" and form.done(write):
        messages.success(request, _("The end of the sheet is saved."))
        return redirect(f"{get_sheet_url(scoresheet)}#ending")
    page = SheetPage(get_scoresheet(scoresheet.pairing.round.division.tournament, pk))
    return _render_sheet(request, page, None, ending=form)


@login_required_with_recall
@require_http_methods(["GET", "POST"])
def edit_start_draw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Note the letters drawn for the start. Without a post: what was typed before signing in, or the sheet."""
    scoresheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    data = request.POST if request.method == "POST" else take_recalled_input(request)
    if data is None:
        return redirect(f"{get_sheet_url(scoresheet)}#draw")
    form = StartDrawForm(data, names=get_short_names(scoresheet))

    def write(_data: dict[str, Any]) -> None:
        note_start_draw(scoresheet, drawn=form.drawn, actor=get_actor(request), expected_version=form.expected_version)

    if request.method == "POST" and form.done(write):
        messages.success(request, _("The draw for the start is noted."))
        return redirect(f"{get_sheet_url(scoresheet)}#draw")
    page = SheetPage(get_scoresheet(scoresheet.pairing.round.division.tournament, pk))
    return _render_sheet(request, page, None, draw=form)


@login_required
@require_http_methods(["GET", "POST"])
def submit_line_deletion(request: HttpRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """Delete one line; those below move up. Without a post nothing happens."""
    scoresheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    # Read before it is gone, for the message.
    there = Line.objects.filter(scoresheet=scoresheet, number=number).first()
    words = {"number": number, "line": WrittenLine.of(there) if there else ""}
    message = _("Line %(number)s is deleted: %(line)s. It can be undone in the journal.") % words
    return _act_on_line(request, scoresheet, number, delete_line, message)


@login_required
@require_http_methods(["GET", "POST"])
def submit_side_swap(request: HttpRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """Give a line and all below it each to the other player. Without a post nothing happens."""
    scoresheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    message = _("From line %(number)s on the players are swapped. It can be undone in the journal.") % {
        "number": number
    }
    return _act_on_line(request, scoresheet, number, swap_sides, message)


def _act_on_line(
    request: HttpRequest, scoresheet: Scoresheet, number: int, act: Callable[..., object], done: str
) -> HttpResponse:
    """Let an operation act at a line, say that it is `done` or why not, and go back to the sheet."""
    # Asked for by its address, as after signing in once more: then nothing is done.
    if request.method == "GET":
        return redirect(f"{get_sheet_url(scoresheet)}?line={number}")
    form, act_here = SheetForm(request.POST), partial(act, scoresheet, number=number, actor=get_actor(request))
    if form.done(lambda _typed: act_here(expected_version=form.expected_version)):
        messages.success(request, done)
    for refusal in form.refused:
        messages.error(request, str(refusal))
    return redirect(get_sheet_url(scoresheet))


@login_required
@require_http_methods(["GET", "POST"])
def confirm_sheet_deletion(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Delete a whole sheet, after a question."""
    scoresheet = get_scoresheet(get_directed_tournament(request, slug), pk)
    if request.method == "GET":
        context = {**make_table_context(scoresheet.pairing), "page": SheetPage(scoresheet)}
        return render(request, "games/sheets/delete.html", context)
    version = parse_key(request.POST.get("version", "")) or 0
    with show_refusals(request):
        delete_sheet(scoresheet, actor=get_actor(request), expected_version=version)
        messages.success(request, _("The score sheet is deleted. It can be undone in the journal."))
        return redirect("games:sheets", slug, scoresheet.pairing_id)
    return redirect(get_sheet_url(scoresheet))
