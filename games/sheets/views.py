"""The pages of score sheets: which there are, typing into one of them, its end, and deleting."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Line, Scoresheet
from games.shared import frame
from games.sheets import operations, proposal
from games.sheets.forms import DeleteLineForm, EndingForm, KeeperForm, LineForm, SheetForm, StartDrawForm, line_initial
from games.sheets.page import SheetPage, full_names, names_of, stored
from games.sheets.written import WrittenLine
from tournament import access
from tournament.forms.fields import key
from tournament.models import Pairing
from tournament.operations.change import Actor
from tournament.views.director import button_refusals, kept_input
from tournament.views.director.kept_input import login_required
from tournament.words import namesakes


def address(scoresheet: Scoresheet) -> str:
    """Where a score sheet is typed."""
    return reverse("games:sheet", args=[scoresheet.pairing.round.division.tournament.slug, scoresheet.pk])


@login_required
@require_http_methods(["GET", "POST"])
def overview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The score sheets of a table: those that exist, and those that can be begun."""
    pairing = access.pairing_of(access.directed_tournament(request, slug), pk)
    full_names(pairing)
    form = KeeperForm(request.POST or None)
    begun: list[Scoresheet] = []

    def begin(data: dict[str, Any]) -> None:
        keeper = Scoresheet.Keeper(data["keeper"])
        begun.append(operations.open_sheet(pairing, keeper=keeper, actor=access.actor(request)))

    if form.is_bound and form.done(begin):
        return redirect("games:sheet", slug, begun[0].pk)
    there = {sheet.keeper: sheet for sheet in pairing.scoresheets.annotate(written=Count("lines")).order_by("pk")}
    context = {**frame.of(pairing), "form": form, "choices": _choices(pairing, there), "has_both": len(there) > 1}
    return render(request, "games/sheets/sheets.html", context)


def _choices(pairing: Pairing, there: Mapping[str, Scoresheet]) -> list[tuple[str, str, Scoresheet | None]]:
    """Each keeper with a name and the sheet, if it was begun."""
    keepers = (Scoresheet.Keeper.FIRST, Scoresheet.Keeper.SECOND)
    names = dict(zip(keepers, namesakes.both(pairing), strict=True))
    return [
        (keeper.value, str(names.get(keeper, keeper.label)), there.get(keeper.value)) for keeper in Scoresheet.Keeper
    ]


@kept_input.recalling
@require_http_methods(["GET", "POST"])
def sheet(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One score sheet to type into, line by line; a post saves one line."""
    scoresheet = stored(access.directed_tournament(request, slug), pk)
    data = request.POST if request.method == "POST" else kept_input.recalled(request)
    form = LineForm(data, **_told(scoresheet)) if data is not None else None
    if form is None or request.method == "GET":
        return _sheet_page(request, SheetPage(scoresheet), form)
    saved = _write(scoresheet, form, access.actor(request))
    page = SheetPage(stored(scoresheet.pairing.round.division.tournament, pk))
    if request.headers.get("HX-Request"):
        return _part(request, page, form, saved=saved)
    return redirect(address(scoresheet)) if saved else _sheet_page(request, page, form)


def _told(scoresheet: Scoresheet) -> dict[str, Any]:
    """What the form of a line has to know of its sheet."""
    return {"names": names_of(scoresheet), "rules": scoresheet.pairing.round.division.tournament.rules}


def _write(scoresheet: Scoresheet, form: LineForm, actor: Actor) -> bool:
    """Do what the form of a line says; whether that was possible."""

    def write(data: dict[str, Any]) -> None:
        button_refusals: dict[str, Any] = {"line": form.line, "actor": actor, "expected_version": form.expected_version}
        if data["mode"] == "add":
            operations.write_line(scoresheet, **button_refusals)
        elif data["mode"] == "insert":
            operations.insert_line(scoresheet, number=form.wanted_number, **button_refusals)
        else:
            operations.change_line(scoresheet, number=form.wanted_number, **button_refusals)

    return form.done(write)


def _line_form(page: SheetPage, query: QueryDict) -> LineForm:
    """The form that a page begins with: for the next line, or for the line that the address names."""
    button_refusals: dict[str, Any] = {"names": page.names, "rules": page.rules}
    changed, before = key(query.get("line", "")), key(query.get("before", ""))
    number = before if changed is None else changed
    if number is None:
        return LineForm(initial=line_initial(WrittenLine(side=page.next_side), "add"), **button_refusals)
    if not 1 <= number <= len(page.lines):
        raise Http404(_("This sheet has no line %(number)s.") % {"number": number})
    there = WrittenLine.of(page.lines[number - 1])
    if changed is not None:
        return LineForm(initial=line_initial(there, "change", number), **button_refusals)
    return LineForm(initial=line_initial(WrittenLine(side=3 - there.side), "insert", number), **button_refusals)


def _context(page: SheetPage, form: LineForm, **sent: SheetForm) -> dict[str, Any]:
    """What the page shows; `draw` and `ending` are their forms as they were sent, if they were refused."""
    number = key(str(form["number"].value() or ""))
    return {
        "page": page,
        "pairing": page.pairing,
        "tournament": page.pairing.round.division.tournament,
        "sheet": page.scoresheet,
        "form": form,
        "mode": form["mode"].value(),
        "number": number,
        "draw": StartDrawForm(initial=page.draw_initial(), names=page.names),
        "ending": EndingForm(initial=page.ending_initial(), names=page.names, rules=page.rules),
        **sent,
    }


def _sheet_page(request: HttpRequest, page: SheetPage, form: LineForm | None, **sent: SheetForm) -> HttpResponse:
    shown = _context(page, form or _line_form(page, request.GET), **sent)
    return render(request, "games/sheets/sheet.html", {**frame.of(page.pairing), **shown})


def _part(request: HttpRequest, page: SheetPage, form: LineForm, *, saved: bool) -> HttpResponse:
    """What a post by script gets: the parts of the page that a line changes, and the form if it was refused."""
    fresh = _line_form(page, QueryDict()) if saved else form
    return render(request, "games/sheets/_saved.html", {**_context(page, fresh), "saved": saved})


@login_required
@require_POST
def preview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What the line that is being typed would score, in words; nothing while it cannot be read."""
    scoresheet = stored(access.directed_tournament(request, slug), pk)
    form = LineForm(request.POST, **_told(scoresheet))
    is_valid = form.is_valid()
    found = proposal.of(scoresheet, form.line, form.cleaned_data["mode"], form.wanted_number) if is_valid else None
    return render(request, "games/sheets/_proposal.html", {"found": found})


@kept_input.recalling
@require_http_methods(["GET", "POST"])
def ending(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Save what stands below the last turn. Without a post: what was typed before signing in, or the sheet."""
    scoresheet = stored(access.directed_tournament(request, slug), pk)
    data = request.POST if request.method == "POST" else kept_input.recalled(request)
    if data is None:
        return redirect(address(scoresheet))
    rules = scoresheet.pairing.round.division.tournament.rules
    form = EndingForm(data, names=names_of(scoresheet), rules=rules)

    def write(_data: dict[str, Any]) -> None:
        operations.finish_sheet(
            scoresheet, ending=form.ending, actor=access.actor(request), expected_version=form.expected_version
        )

    if request.method == "POST" and form.done(write):
        messages.success(request, _("The end of the sheet is saved."))
        return redirect(f"{address(scoresheet)}#ending")
    page = SheetPage(stored(scoresheet.pairing.round.division.tournament, pk))
    return _sheet_page(request, page, None, ending=form)


@kept_input.recalling
@require_http_methods(["GET", "POST"])
def draw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Note the letters drawn for the start. Without a post: what was typed before signing in, or the sheet."""
    scoresheet = stored(access.directed_tournament(request, slug), pk)
    data = request.POST if request.method == "POST" else kept_input.recalled(request)
    if data is None:
        return redirect(f"{address(scoresheet)}#draw")
    form = StartDrawForm(data, names=names_of(scoresheet))

    def write(_data: dict[str, Any]) -> None:
        operations.note_draw(
            scoresheet, drawn=form.drawn, actor=access.actor(request), expected_version=form.expected_version
        )

    if request.method == "POST" and form.done(write):
        messages.success(request, _("The draw for the start is noted."))
        return redirect(f"{address(scoresheet)}#draw")
    page = SheetPage(stored(scoresheet.pairing.round.division.tournament, pk))
    return _sheet_page(request, page, None, draw=form)


@login_required
@require_http_methods(["GET", "POST"])
def delete_line(request: HttpRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """Delete one line; those below move up. Without a post nothing happens."""
    scoresheet = stored(access.directed_tournament(request, slug), pk)
    there = Line.objects.filter(scoresheet=scoresheet, number=number).first()
    button_refusals = {"number": number, "line": WrittenLine.of(there) if there else ""}
    done = _("Line %(number)s is deleted: %(line)s. It can be undone in the journal.") % button_refusals
    return _at_line(request, scoresheet, number, operations.delete_line, done)


@login_required
@require_http_methods(["GET", "POST"])
def swap(request: HttpRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """Give a line and all below it each to the other player. Without a post nothing happens."""
    scoresheet = stored(access.directed_tournament(request, slug), pk)
    done = _("From line %(number)s on the players are swapped. It can be undone in the journal.") % {"number": number}
    return _at_line(request, scoresheet, number, operations.swap_sides, done)


def _at_line(
    request: HttpRequest, scoresheet: Scoresheet, number: int, act: Callable[..., object], done: str
) -> HttpResponse:
    """Let an operation act at a line, say that it is `done` or why not, and go back to the sheet."""
    if request.method == "GET":
        return redirect(f"{address(scoresheet)}?line={number}")
    form = DeleteLineForm(request.POST)

    def write(_data: dict[str, Any]) -> None:
        act(scoresheet, number=number, actor=access.actor(request), expected_version=form.expected_version)

    if form.done(write):
        messages.success(request, done)
    for refusal in form.refused:
        messages.error(request, str(refusal))
    return redirect(address(scoresheet))


@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Delete a whole sheet, after a question."""
    scoresheet = stored(access.directed_tournament(request, slug), pk)
    if request.method == "GET":
        return render(
            request, "games/sheets/delete.html", {**frame.of(scoresheet.pairing), "page": SheetPage(scoresheet)}
        )
    version = key(request.POST.get("version", "")) or 0
    with button_refusals.refusals(request):
        operations.delete_sheet(scoresheet, actor=access.actor(request), expected_version=version)
        messages.success(request, _("The score sheet is deleted. It can be undone in the journal."))
        return redirect("games:sheets", slug, scoresheet.pairing_id)
    return redirect(address(scoresheet))
