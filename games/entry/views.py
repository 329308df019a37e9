"""The pages of results: the grid of a round, one table's own page, withdrawing, and the second entry."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.core.pages import format_seen_state, make_fingerprint, make_table_context, parse_seen_state
from games.core.words import (
    describe_credited_result,
    describe_deductions,
    describe_official_result,
    describe_winner,
    list_result_questions,
)
from games.entry.forms import (
    GameResultForm,
    ResultPageForm,
    RowResultForm,
    UnpairedResultForm,
    WithdrawResultForm,
    describe_both_figures,
    get_row_prefix,
    make_result_form,
)
from games.entry.result_lines import GameLines, find_next_open_game
from games.entry.results_grid import (
    PostedRows,
    ResultsGrid,
    list_grid_pairings,
    load_changed_rows,
    load_results_grid,
    make_grid_row,
    parse_absence,
    record_form_result,
    restore_typed_rows,
    save_grid_rows,
)
from games.entry.second_entry import ResultsTypedOnce, settle_result
from games.models import GameReport
from games.referee.operations import list_waiting_incidents
from games.reports.game_reports import list_objections
from games.reports.operations import accept_report, confirm_result
from scoring import awards
from tournament.access.rules import (
    check_round_open,
    get_actor,
    get_chosen_division,
    get_directed_tournament,
    get_latest_actor,
    get_open_pairing,
    get_visible_round,
    may_change_round,
)
from tournament.basics.refusals import Refusal
from tournament.core.reports import Report, SlipFigure
from tournament.core.second_entries import (
    SecondEntryState,
    find_second_entries,
    get_second_entry_state,
)
from tournament.core.words.figures import format_meeting, name_both_players
from tournament.core.words.outcomes import format_short_report
from tournament.events.console import find_next_step
from tournament.journal.consequences import find_consequences, find_knockout_change
from tournament.models import Pairing, Round
from tournament.models.play import SIDES
from tournament.pages.forms import parse_key, quote_input
from tournament.pages.frames import build_director_context, make_division_query
from tournament.pages.kept_input import login_required, login_required_with_recall, take_recalled_input
from tournament.pages.requests import redirect_to_division, redirect_to_session, show_refusals
from tournament.results.knockout_games import parse_result_ids
from tournament.results.operations import PlayersChanged, ResultChanged, withdraw_result
from tournament.rounds.phase import get_division_phase
from tournament.table.league import find_round_of_day, list_knockout_rounds, list_league_rounds


def review_result(
    pairing: Pairing, form: GameResultForm | UnpairedResultForm, *, with_consequences: bool = True
) -> dict[str, Any]:
    """Everything to be said about a valid form before it is saved: `deductions` by clock and penalties, what it
    `counts` as, `questions` about what is odd. A form posted back with `asked` is saved."""
    report = form.report()
    deductions: list[str] = []
    if isinstance(form, GameResultForm):
        deductions = describe_deductions(pairing, form.sheet())
        if figure := form.cleaned_data["figure"]:
            deductions += describe_both_figures(pairing, form.sheet(), SlipFigure(figure))
    corrects = pairing.result is not None and Report.of(pairing.result) != report
    # A first result is looked at in the knock-out alone: in the league it only adds a game to the table.
    looks_on = corrects or (pairing.round.is_knockout and pairing.result is None)
    return {
        "deductions": deductions,
        "counts": describe_credited_result(pairing, report),
        "winner": describe_winner(pairing, report),
        "questions": list_result_questions(pairing, report),
        "consequences": find_consequences(pairing, report) if looks_on and with_consequences else None,
        "asked": make_fingerprint(report, format_seen_state(pairing)),
        "is_award": report.outcome in awards.AWARDED_OUTCOMES,
        "is_correction": corrects,
    }


def is_review_needed(pairing: Pairing, form: GameResultForm | UnpairedResultForm) -> bool:
    """Whether to look again: a correction, an award, an odd figure, or games of the knock-out would no longer count."""
    if form.has_asked:
        return False
    report = form.report()
    if pairing.result is not None:
        return Report.of(pairing.result) != report
    if report.outcome in awards.AWARDED_OUTCOMES or list_result_questions(pairing, report):
        return True
    return pairing.round.is_knockout and bool(find_knockout_change(pairing, report).results)


def find_overtaking_change(pairing: Pairing, form: GameResultForm | UnpairedResultForm) -> Refusal | None:
    """What happened at the table since the page was made, if that matters to what was typed."""
    version, players = form.expected
    # Players before versions: a round that was paired anew has no result yet, as the page that was typed on, and the
    # score would become that of two others.
    if players != tuple(seat.entry_id for seat in pairing.seats.all()):
        return PlayersChanged(table=pairing.table or "–")
    current = pairing.result
    # Somebody else has typed the same meanwhile: then there is nothing to ask.
    if version == (current.version if current else 0) or (current and Report.of(current) == form.report()):
        return None
    return ResultChanged(pairing, current=current, offered=form.report())


def get_grid_url(round: Round, **more: object) -> str:
    """The address of a round's grid; `after` or `table` place the cursor."""
    division = round.division
    address = reverse("games:grid", args=[division.tournament.slug, round.number])
    return f"{address}?{urlencode({'division': division.name, **more})}"


@login_required
@require_GET
def show_current_grid(request: HttpRequest, slug: str) -> HttpResponse:
    """The grid of the round that is being played, or the rounds while none is."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    if knockout := list_knockout_rounds(division):
        return redirect(get_grid_url(next((match.round for match in knockout if match.missing), knockout[-1].round)))
    of_day = find_round_of_day(list_league_rounds(division), localdate())
    # Helpers cannot publish a round; until the director does they are at the check-in.
    if of_day is None and not tournament.is_directed:
        return redirect(reverse("director:check_in", args=[slug]) + make_division_query(division))
    if of_day is None:
        messages.info(request, _("No round is published yet. Results can be entered once one is."))
        return redirect(reverse("director:rounds", args=[slug]) + make_division_query(division))
    return redirect(get_grid_url(get_visible_round(division, of_day.round.number)))


@login_required_with_recall
@require_http_methods(["GET", "POST"])
def edit_results_grid(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """All tables of a round to type results into; a post saves every row that something was typed into."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    try:
        round = get_visible_round(division, number, drafts=True, knockout=True)
    except Http404 as missing:
        # A reader may be led to a round that the other division has. Scores are never taken along: they would be saved
        # for tables that nobody typed them for.
        if request.method == "POST":
            raise
        return redirect_to_division("games:current", division, number, missing, drafts=True)
    if request.method == "POST" or round.is_draft:
        check_round_open(tournament, round)
    if request.method == "POST" and (report_key := parse_key(request.POST.get("take", ""))):
        game_report = get_object_or_404(GameReport, pk=report_key, pairing__round=round)
        pairing = next(iter(list_grid_pairings(round, [game_report.pairing_id], get_actor(request))), None)
        if pairing is None:
            raise Http404
        seen_state = parse_seen_state(request.POST.get(f"{get_row_prefix(pairing)}-seen", ""))
        accept_report(pairing, report=report_key, actor=get_actor(request), seen=seen_state)
        return redirect(get_grid_url(round, after=pairing.table or 0))
    if request.method == "POST":
        return _save_rows(request, round)
    if round.is_draft:
        context = {**build_director_context(tournament, division, "results"), "round": round}
        return render(request, "games/entry/draft.html", context)
    waiting = take_recalled_input(request)
    entered = restore_typed_rows(round, waiting, get_actor(request)) if waiting is not None else None
    return _render_grid_page(request, round, entered)


def _save_rows(request: HttpRequest, round: Round) -> HttpResponse:
    """Save, then go where the helper wants: on to the next table, to a table typed, to a table's own page."""
    more, keep = (parse_key(request.POST.get(button, "")) for button in ("more", "keep"))
    data = request.POST.copy()
    for side in SIDES:
        # The helper keeps what somebody else has saved: what was typed in that row is let go.
        data.pop(f"p{keep}-{side}_points", None)
    absence = parse_absence(request.POST.get("absent", ""))
    entered = save_grid_rows(round, data, get_actor(request), leave=more, absence=absence)
    # The row that goes on to its own page is open because it was not saved, not because it was refused.
    refused = entered.lost or any(row.is_open for key, row in entered.rows.items() if key != more)
    if request.headers.get("HX-Request"):
        return _render_saved_rows(request, round, entered, keep)
    if refused:
        return _render_grid_page(request, round, entered)
    if more is not None:
        # The table's own page starts with the scores typed so far.
        scores = {name: data.get(f"p{more}-{name}", "").strip() for name in ("first_points", "second_points")}
        query = urlencode({name: value for name, value in scores.items() if value})
        address = reverse("games:result", args=[round.division.tournament.slug, more])
        return redirect(f"{address}?{query}" if query else address)
    if data.get("table", "").strip():
        return redirect(get_grid_url(round, table=data["table"]))
    last = max((row.pairing.table or 0 for row in entered.rows.values()), default=0)
    return redirect(get_grid_url(round, after=last))


def _render_saved_rows(request: HttpRequest, round: Round, entered: PostedRows, keep: int | None) -> HttpResponse:
    """The rows of a post by script as they stand now, and how far the round has come."""
    more_pairings = list_grid_pairings(round, [keep], get_actor(request)) if keep else []
    grid = load_changed_rows(round, [*entered.rows.values(), *map(make_grid_row, more_pairings)])
    context = {
        # As of the last of these rows, so before the counts are read: no answer claims to be newer than what it shows.
        "revision": round.division.tournament.revision,
        "lost": entered.lost,
        **_make_grid_context(grid),
        "division_query": make_division_query(round.division),
    }
    return render(request, "games/entry/_saved.html", context)


def _make_grid_context(grid: ResultsGrid) -> dict[str, Any]:
    """The rows and what stands around them, with the next step once all are in."""
    round = grid.round
    division, code = round.division, round.division.tournament.access_code
    # A helper's code may be for some tables only: others may still be playing.
    is_complete = grid.progress.is_complete and (code is None or not code.tables)
    return {
        "round": round,
        "grid": grid,
        "knockout_rounds": list_knockout_rounds(division) if hasattr(division, "knockout") else [],
        "next": find_next_step(division, get_division_phase(division)) if is_complete else None,
        "grid_url": get_grid_url(round),
        "time_costs": division.tournament.minutes is not None and bool(division.tournament.rules.overtime_points),
        "corrects": may_change_round(division.tournament, round),
        "tournament": division.tournament,
    }


def _render_grid_page(request: HttpRequest, round: Round, entered: PostedRows | None = None) -> HttpResponse:
    grid = load_results_grid(round, get_actor(request), entered)
    wanted_table = request.GET.get("table", "").strip()
    chosen = grid.find_cursor_row(wanted_table, parse_key(request.GET.get("after", "")) or 0)
    unknown = wanted_table and chosen is None
    if chosen is not None:
        chosen.put_cursor()
    context = {
        **build_director_context(round.division.tournament, round.division, "results"),
        **_make_grid_context(grid),
        "rounds": list_league_rounds(round.division),
        "alone": [(pairing, describe_official_result(pairing)) for pairing in grid.alone],
        "lost": entered.lost if entered else [],
        "unknown_table": quote_input(wanted_table) if unknown else "",
        "next_has_focus": chosen is None and not unknown,
    }
    return render(request, "games/entry/grid.html", context)


@login_required_with_recall
@require_http_methods(["GET", "POST"])
def edit_result(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One table: score, time, penalties, award, facts; corrections are looked at once more before they are saved."""
    tournament = get_directed_tournament(request, slug)
    pairing = get_open_pairing(tournament, pk)
    if _is_hidden(request, pairing):
        return redirect(_get_back_url(pairing))
    if pairing.round.is_draft and request.method == "GET":
        return render(request, "games/entry/draft.html", make_table_context(pairing))
    if request.method == "POST" and "stands" in request.POST:
        with show_refusals(request):
            version, _players = parse_seen_state(request.POST.get("seen", ""))
            confirm_result(pairing, actor=get_actor(request), expected_version=version)
            messages.success(request, _("The result of table %(table)s stands.") % {"table": pairing.table or "–"})
        return redirect("games:result", pairing.round.division.tournament.slug, pairing.pk)
    # What was typed before signing in again comes back by a GET: it is shown in the form, and saved by its button only.
    data = request.POST if request.method == "POST" else take_recalled_input(request)
    form = make_result_form(pairing, data, typed=request.GET.dict())
    overtaken = None
    if form.is_bound and form.is_valid():
        overtaken = find_overtaking_change(pairing, form)
        if request.method == "POST" and overtaken is None and not is_review_needed(pairing, form):
            if form.done(lambda typed: _record_result(request, pairing, form, typed["why"])):
                return redirect(get_grid_url(pairing.round, after=pairing.table or 0))
            # Where later games would no longer count, the page asks: its review names them.
            overtaken = form.overtaken
            pairing = get_open_pairing(tournament, pk) if overtaken else pairing
    return _render_result_page(request, pairing, form, overtaken)


def _record_result(request: HttpRequest, pairing: Pairing, form: ResultPageForm, why: str) -> None:
    saved = record_form_result(pairing, form, get_actor(request), why=why)
    result = format_short_report(Report.of(saved), name_both_players(pairing))
    words = {"names": format_meeting(pairing), "result": result}
    messages.success(request, _("Saved: %(names)s, %(result)s.") % words)


def _is_hidden(request: HttpRequest, pairing: Pairing) -> bool:
    """Whether the result of a table must not be seen by the helper who is to type it a second time."""
    # The director decides what is done about two figures that differ, and sees both.
    if pairing.round.division.tournament.is_directed:
        return False
    pairings = list_grid_pairings(pairing.round, [pairing.pk], get_actor(request))
    return any(pairing.result is None and hasattr(pairing, "second_entry_state") for pairing in pairings)


def _get_back_url(pairing: Pairing) -> str:
    return get_grid_url(pairing.round, table=pairing.table) if pairing.table else get_grid_url(pairing.round)


def _render_result_page(
    request: HttpRequest, pairing: Pairing, form: GameResultForm | UnpairedResultForm, overtaken: Refusal | None
) -> HttpResponse:
    reviewed = review_result(pairing, form) if form.is_bound and form.is_valid() else None
    tournament = pairing.round.division.tournament
    context = {
        **make_table_context(pairing),
        "form": form,
        "overtaken": overtaken,
        "review": reviewed,
        "versions": [
            (result, format_short_report(Report.of(result), name_both_players(pairing)))
            for result in pairing.results.order_by("-version")
        ],
        "official_counts": describe_official_result(pairing),
        "grid_url": _get_back_url(pairing),
        "rules": tournament.rules,
        "waiting": list_waiting_incidents(pairing),
        "objections": list_objections(pairing),
        "lines": GameLines(pairing),
        "next_open": find_next_open_game(pairing) if tournament.is_directed and not tournament.results_twice else None,
        # Whoever comes from the results with what was typed there wants to have something taken off.
        "typed": bool(request.GET),
        "opened": {"deductions"} if request.GET else getattr(form, "opened", ()),
    }
    return render(request, "games/entry/result.html", context)


@login_required
@require_POST
def preview_result(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What the figures typed so far come to, for the page while somebody types; nothing while they are faulty."""
    pairing = get_open_pairing(get_directed_tournament(request, slug), pk)
    if _is_hidden(request, pairing):
        raise PermissionDenied
    form = make_result_form(pairing, request.POST)
    # Without the consequences: this is asked for while somebody types, and they work out whole tables.
    reviewed = review_result(pairing, form, with_consequences=False) if form.is_valid() else None
    context = {
        "review": reviewed,
        "looked": False,
        "is_typing": True,
        "pairing": pairing,
        "grid_url": _get_back_url(pairing),
        "form": form,
    }
    return render(request, "games/entry/_preview.html", context)


def _withdraw_result(request: HttpRequest, pairing: Pairing, typed: dict[str, Any]) -> None:
    version, disturb = parse_seen_state(typed["seen"])[0], parse_result_ids(typed["disturbs"])
    withdraw_result(pairing, actor=get_actor(request), expected_version=version, why=typed["why"], disturb=disturb)
    messages.success(request, _("The result is withdrawn; the table is open again."))


@login_required
@require_http_methods(["GET", "POST"])
def confirm_result_withdrawal(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Make a table open again, after a look at what that changes."""
    tournament = get_directed_tournament(request, slug)
    pairing = get_open_pairing(tournament, pk)
    if _is_hidden(request, pairing):
        return redirect(_get_back_url(pairing))
    form = WithdrawResultForm(request.POST or None)
    if form.done(lambda typed: _withdraw_result(request, pairing, typed)):
        return redirect(_get_back_url(pairing))
    pairing = get_open_pairing(tournament, pk)
    context = {
        **make_table_context(pairing),
        "form": form,
        "official_counts": describe_official_result(pairing),
        "consequences": find_consequences(pairing, None),
    }
    return render(request, "games/entry/withdraw.html", context)


# The second entry: a difference settled.


@login_required
@require_http_methods(["GET", "POST"])
def settle_differing_result(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A result that two people have typed differently: both figures, and what the paper says."""
    tournament = get_directed_tournament(request, slug)
    pairing = get_open_pairing(tournament, pk)
    if not tournament.results_twice:
        messages.info(request, str(ResultsTypedOnce()))
        return redirect(get_grid_url(pairing.round))
    form = RowResultForm(request.POST or None, pairing=pairing)
    if form.done(lambda typed: _settle_result(request, pairing, typed)):
        messages.success(request, _("Table %(table)s is settled.") % {"table": pairing.table})
        return redirect(get_grid_url(pairing.round, after=pairing.table or 0))
    stored = find_second_entries([pairing.pk]).get(pairing.pk)
    official = pairing.result
    context = {
        **make_table_context(pairing),
        "form": form,
        "official": official,
        "again": stored,
        "differs": official and stored and get_second_entry_state(official, stored) == SecondEntryState.DIFFERS,
        "back": get_grid_url(pairing.round),
        "is_own": stored and get_latest_actor(request).has_written(stored),
    }
    return render(request, "games/entry/settle.html", context)


def _settle_result(request: HttpRequest, pairing: Pairing, typed: dict[str, Any]) -> None:
    points = typed["first_points"], typed["second_points"]
    version = parse_seen_state(typed["seen"])[0]
    # By the version of this result alone: while somebody looks for the paper, other tables are typed.
    settle_result(pairing, points=points, actor=get_latest_actor(request), expected_version=version)
