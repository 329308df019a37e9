"""The pages of results: the grid of a round, one table's own page, and withdrawing."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.entry import forms, grid, review
from games.entry import words as entry_words
from games.entry.forms import row_prefix
from games.referee import operations as referee
from games.reports import operations as reports
from games.shared import frame, seen, words
from tournament import access
from tournament.forms.fields import key, quote
from tournament.models import Division, Pairing, Round
from tournament.models.play import SIDES
from tournament.operations import results
from tournament.operations.knockout_games import ids_from_text
from tournament.queries import league, phase
from tournament.refusals import Refusal
from tournament.reports import Report, in_short
from tournament.views import pairs
from tournament.views.director import console, kept_input
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell
from tournament.whatif import consequences


def grid_url(round: Round, **more: object) -> str:
    """The address of a round's grid; `after` or `table` say where the cursor goes."""
    division = round.division
    address = reverse("games:grid", args=[division.tournament.slug, round.number])
    return f"{address}?{urlencode({'division': division.name, **more})}"


@login_required
@require_GET
def current(request: HttpRequest, slug: str) -> HttpResponse:
    """The grid of the round that is being played, or the rounds while none is."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    if knockout := league.knockout_rounds(division):
        return redirect(grid_url(next((each.round for each in knockout if each.missing), knockout[-1].round)))
    number = league.last_round(division)
    if number == 0 and not tournament.is_directed:
        return redirect(reverse("director:check_in", args=[slug]) + query(division))
    if number == 0:
        messages.info(request, _("No round is published yet. Once one is, results can be entered."))
        return redirect(reverse("director:rounds", args=[slug]) + query(division))
    return redirect(grid_url(access.round_of(division, number)))


@kept_input.recalling
@require_http_methods(["GET", "POST"])
def round_grid(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All tables of a round to type results into; a post saves every row that something was typed into."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    round = access.round_of(division, number, drafts=True, knockout=True)
    if request.method == "POST" or round.is_draft:
        access.check_open(tournament, round)
    if request.method == "POST" and (taken := key(request.POST.get("take", ""))):
        return _take_report(request, round, taken)
    if request.method == "POST":
        return _save_rows(request, round)
    if round.is_draft:
        return render(request, "games/entry/draft.html", {**shell(tournament, division, "results"), "round": round})
    waiting = kept_input.recalled(request)
    return _grid_page(request, round, grid.typed_again(round, waiting) if waiting is not None else None)


def _save_rows(request: HttpRequest, round: Round) -> HttpResponse:
    """Save, then go where the helper wants: on to the next table, to a table typed, to a table's own page."""
    more, keep = _pressed(request, "more"), _pressed(request, "keep")
    data = request.POST.copy()
    for side in SIDES:
        data.pop(f"p{keep}-{side}_points", None)
    entered = grid.save_all(round, data, access.actor(request), leave=more)
    refused = entered.lost or any(row.is_open for key, row in entered.rows.items() if key != more)
    if request.headers.get("HX-Request"):
        return _saved_part(request, round, entered, keep)
    if refused:
        return _grid_page(request, round, entered)
    if more is not None:
        return redirect(_result_url(round, more, data))
    wanted = {"table": data["table"]} if data.get("table", "").strip() else {"after": entered.last_table or 0}
    return redirect(grid_url(round, **wanted))


def _take_report(request: HttpRequest, round: Round, taken: int) -> HttpResponse:
    """Make the report official that the director, or a helper, has decided for."""
    found = reports.pairing_of(taken, round)
    pairing = next(iter(grid.pairings(round, [found])), None) if found else None
    if pairing is None:
        raise Http404
    shown = seen.was_seen(request.POST.get(f"{row_prefix(pairing)}-seen", ""))
    reports.accept_report(pairing, report=taken, actor=access.actor(request), seen=shown)
    return redirect(grid_url(round, after=pairing.table or 0))


def _pressed(request: HttpRequest, name: str) -> int | None:
    """The pairing whose button of that name was pressed."""
    return key(request.POST.get(name, ""))


def _result_url(round: Round, pk: int, data: dict[str, str]) -> str:
    """The address of a table's own page, with the scores typed so far."""
    address = reverse("games:result", args=[round.division.tournament.slug, pk])
    scores = {f"{side}_points": data.get(f"p{pk}-{side}_points", "").strip() for side in SIDES}
    scores = {name: value for name, value in scores.items() if value}
    return f"{address}?{urlencode(scores)}" if scores else address


def _saved_part(request: HttpRequest, round: Round, entered: grid.PostedRows, keep: int | None) -> HttpResponse:
    """The rows of a post by script as they stand now, and how far the round has come."""
    rows = [*entered.rows.values(), *(grid.row(pairing) for pairing in (grid.pairings(round, [keep]) if keep else []))]
    grid.tell_matches(round, rows)
    grid.tell_reports(round, rows)
    grid.tell_checks(round, rows)
    now = grid.progress(round)
    context = {
        # As of the last of these rows, so before the counts are read: no answer claims to be newer than what it shows.
        "revision": round.division.tournament.revision,
        "rows": rows,
        "lost": entered.lost,
        "playing": now.playing,
        "total": now.total,
        "done": now.done,
        "keys": now.keys,
        **_around(round, complete=now.total == now.done),
    }
    return render(request, "games/entry/_saved.html", {**context, "division_query": query(round.division)})


def _around(round: Round, *, complete: bool) -> dict[str, Any]:
    """What stands around the rows: the rounds with their open games, and the next step once this one is complete."""
    division = round.division
    return {
        "round": round,
        "rounds": league.rounds(division),
        "knockout_rounds": league.knockout_rounds(division) if hasattr(division, "knockout") else [],
        "next": console.next_step(division, phase.of(division)) if complete and _sees_all(division) else None,
        "grid_url": grid_url(round),
        "typing_url": grid_url(round),
        "tournament": division.tournament,
    }


def _sees_all(division: Division) -> bool:
    """Whether the reader has all tables before them: not with a code for some of them."""
    code = division.tournament.access_code
    return code is None or not code.tables


def _grid_page(request: HttpRequest, round: Round, entered: grid.PostedRows | None = None) -> HttpResponse:
    whole = grid.whole_round(round, entered)
    wanted, after = request.GET.get("table", ""), request.GET.get("after", "0")
    chosen = whole.first_refused() or whole.at(wanted)
    unknown = wanted.strip() and chosen is None
    if chosen is None and not unknown:
        chosen = whole.next_open(key(after) or 0)
    if chosen is not None:
        chosen.put_cursor()
    context = {
        **shell(round.division.tournament, round.division, "results"),
        **_around(round, complete=whole.total == whole.done),
        "grid": whole,
        "alone": [(pairing, words.official(pairing)) for pairing in whole.alone],
        "lost": entered.lost if entered else [],
        "time_costs": entry_words.time_costs(round.division.tournament),
        "unknown_table": quote(wanted.strip()) if unknown else "",
        "next_has_focus": chosen is None and not unknown,
    }
    return render(request, "games/entry/grid.html", context)


@kept_input.recalling
@require_http_methods(["GET", "POST"])
def result(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One table: score, time, penalties, award, facts; corrections are looked at once more before they are saved."""
    tournament = access.directed_tournament(request, slug)
    pairing = access.pairing_of(tournament, pk)
    if pairing.round.is_draft and request.method == "GET":
        return render(request, "games/entry/draft.html", frame.of(pairing))
    data = request.POST if request.method == "POST" else kept_input.recalled(request)
    form = forms.form_for(pairing, data, typed=request.GET.dict())
    overtaken = None
    if form.is_bound and form.is_valid():
        overtaken = review.overtaken(pairing, form)
        if request.method == "POST" and overtaken is None and not review.is_needed(pairing, form):
            if form.done(lambda typed: _recorded(request, pairing, form, typed["why"])):
                return redirect(grid_url(pairing.round, after=pairing.table or 0))
            # Where later games would no longer count, the page asks: its review names them.
            overtaken = form.overtaken
            pairing = access.pairing_of(tournament, pk) if overtaken else pairing
    return _result_page(request, pairing, form, overtaken)


def _recorded(request: HttpRequest, pairing: Pairing, form: forms.StatedForm, why: str) -> None:
    """Save a valid form and say so. Raises the operation's refusals."""
    saved = grid.record(pairing, form, access.actor(request), why=why)
    names = " – ".join(seat.entry.name for seat in pairing.seats.all())
    messages.success(
        request, _("Saved: %(names)s, %(result)s.") % {"names": names, "result": in_short(Report.of(saved))}
    )


def _back(pairing: Pairing) -> str:
    return grid_url(pairing.round, table=pairing.table) if pairing.table else grid_url(pairing.round)


def _result_page(
    request: HttpRequest, pairing: Pairing, form: forms.GameForm | forms.AloneForm, overtaken: Refusal | None
) -> HttpResponse:
    reviewed = review.of(pairing, form) if form.is_bound and form.is_valid() else None
    context = {
        **frame.of(pairing),
        "form": form,
        "overtaken": overtaken,
        "review": reviewed,
        "versions": [(each, in_short(Report.of(each))) for each in pairing.results.order_by("-version")],
        "official_counts": words.official(pairing),
        "grid_url": _back(pairing),
        "rules": pairing.round.division.tournament.rules,
        "figure_example": entry_words.figure_example(pairing),
        "waiting": referee.waiting(pairing),
    }
    return render(request, "games/entry/result.html", context)


@login_required
@require_POST
def preview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What the figures typed so far come to, for the page while somebody types; nothing while they are faulty."""
    pairing = access.pairing_of(access.directed_tournament(request, slug), pk)
    form = forms.form_for(pairing, request.POST)
    reviewed = review.of(pairing, form, with_consequences=False) if form.is_valid() else None
    context = {
        "review": reviewed,
        "looked": False,
        "is_typing": True,
        "pairing": pairing,
        "grid_url": _back(pairing),
        "undecided": form.undecided if isinstance(form, forms.GameForm) else (),
    }
    return render(request, "games/entry/_preview.html", context)


def _withdrawn(request: HttpRequest, pairing: Pairing, typed: dict[str, Any]) -> None:
    """Withdraw the result. Raises the operation's refusals."""
    version, _players = seen.was_seen(typed["seen"])
    results.withdraw_result(
        pairing,
        actor=access.actor(request),
        expected_version=version,
        why=typed["why"],
        disturb=ids_from_text(typed["disturbs"]),
    )
    messages.success(request, _("The result is withdrawn; the table is open again."))


@login_required
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Make a table open again, after a look at what that changes."""
    tournament = access.directed_tournament(request, slug)
    pairing = access.pairing_of(tournament, pk)
    form = forms.WithdrawResultForm(request.POST or None)
    if form.done(lambda typed: _withdrawn(request, pairing, typed)):
        return redirect(_back(pairing))
    pairing = access.pairing_of(tournament, pk)
    context = {
        **frame.of(pairing),
        "form": form,
        "official_counts": words.official(pairing),
        "consequences": consequences.of(pairing, None),
    }
    return render(request, "games/entry/withdraw.html", context)
