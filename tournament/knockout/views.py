"""The pages of the knock-out: announced, seeded and played by its director; public as a picture, a list and files."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.knockout_values import FactKind
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament
from tournament.basics.refusals import Refusal, Refusals
from tournament.knockout.forms import USUAL_KNOCKOUT_SIZE, AnnounceKnockoutForm, SeedsForm, move_criterion
from tournament.knockout.operations import (
    SeedsConfirmed,
    announce_knockout,
    cancel_knockout,
    confirm_seeds,
    count_league_progress,
    discard_match_lot,
    draw_match_lot,
    enter_match_winner,
    list_rows_to_seed,
    mark_fact_not_recorded,
    propose_seeds,
    take_back_seeds,
    unmark_fact_not_recorded,
)
from tournament.knockout.paper import render_bracket
from tournament.knockout.plan import KnockoutPlan
from tournament.knockout.svg import describe_bracket_progress, render_knockout_svg
from tournament.knockout.tables import (
    build_directed_stages,
    build_preview_stages,
    build_public_stages,
    describe_knockout_now,
)
from tournament.knockout.words import build_bracket_picture, list_knockout_facts, summarise_knockout_plan
from tournament.models import Division, Knockout, MatchLot, NotRecorded, Tournament
from tournament.models.choices import FACT_LABELS
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_director_context, build_public_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import paired_events_only, redirect_to_session, show_refusals
from tournament.pages.tables import TournamentLinks
from tournament.pages.views import answer_with_division_file
from tournament.paper.documents import make_header
from tournament.results.knockout_games import LaterGamesDisturbed, load_knockout_games, parse_result_ids
from tournament.results.knockout_state import get_stored_knockout, load_knockout_state
from tournament.rounds.views import list_shown_rounds
from tournament.table.league import LeagueTable, load_table
from tournament.table.lots import make_draw_seed


@login_required
@require_http_methods(["GET", "POST"])
def show_knockout(request: HttpRequest, slug: str) -> HttpResponse:
    """The current state of the knock-out; before it is seeded, POST confirms the seeding."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    knockout = get_stored_knockout(division)
    context = {**build_director_context(tournament, division, "knockout"), "query": make_division_query(division)}
    if knockout is None:
        return render(request, "tournament/knockout/none.html", context)
    context["facts"] = list_knockout_facts(knockout, tournament.rules)
    if knockout.seeds.exists():
        if request.method == "POST":
            # Somebody else was faster, or the button was pressed twice: what stands now is shown, not a form that can
            # only be refused.
            messages.info(request, str(SeedsConfirmed()))
            return redirect(_get_knockout_url(division))
        return render(request, "tournament/knockout/knockout.html", {**context, **_get_bracket_context(division)})
    return _show_seeding(request, knockout, context)


def _get_knockout_url(division: Division) -> str:
    return reverse("director:knockout", args=[division.tournament.slug]) + make_division_query(division)


def _get_bracket_context(division: Division) -> dict[str, Any]:
    """Every match with its games, what the knock-out is at, and what is next."""
    state = load_knockout_state(division)
    assert state is not None  # the caller has just read the knock-out
    picture = build_bracket_picture(state.bracket, state.names)
    games = load_knockout_games(state.knockout)
    stages = build_directed_stages(state, picture, games)
    cards = [card for stage in stages for card in stage.matches]
    shown_rounds = [round for round in list_shown_rounds(division) if round["round"].is_knockout]
    return {
        "stages": stages,
        "heading": describe_knockout_now(stages, picture.champion),
        "progress": describe_bracket_progress(replace(picture, champion="")),
        "waiting": next((card for card in cards if card.needs_decision), None),
        "open": [(card, line.pairing) for card in cards for line in card.open_games],
        "is_over": all(card.match.is_over for card in cards),
        "played": any(game.result for game in games),
        "shown": shown_rounds,
        "held": [shown_round["name"] for shown_round in shown_rounds if shown_round["held"]],
    }


def _show_seeding(request: HttpRequest, knockout: Knockout, context: dict[str, Any]) -> HttpResponse:
    """The first players of the table, with the form that confirms them or seeds others."""
    division = knockout.division
    table = load_table(division)
    missing, published, planned = count_league_progress(division)
    context |= {"missing": missing, "published": published, "planned": planned}
    players = list_rows_to_seed(table)
    context |= {"entered": len(players), "size": knockout.size}
    # In an event of nothing but a knock-out no round is planned and no result missing: there it is early until enough
    # are entered.
    is_early = bool(missing) or published < planned or (not published and len(players) < knockout.size)
    if is_early and request.method == "GET" and "early" not in request.GET:
        state = load_knockout_state(division)
        assert state is not None  # the caller has just read the knock-out
        picture = build_bracket_picture(state.bracket, state.names)
        stages, progress = build_public_stages(state, picture), describe_bracket_progress(picture)
        return render(request, "tournament/knockout/waits.html", {**context, "stages": stages, "progress": progress})
    form = SeedsForm(
        request.POST or None,
        size=knockout.size,
        order=players,
        ask=bool(missing) or published < planned,
    )
    actor = get_actor(request)
    if form.done(
        lambda typed: confirm_seeds(
            division, seeds=form.seeds(), accept_missing=bool(typed.get("accept_missing")), actor=actor
        )
    ):
        messages.success(request, _("The seeding is confirmed; the first games are ready."))
        return redirect(_get_knockout_url(division))
    level = _list_level_players(table, knockout.size)
    return render(request, "tournament/knockout/seeds.html", {**context, "form": form, "level": level})


def _list_level_players(table: LeagueTable, size: int) -> list[str]:
    """The players who share the last rank that is seeded, so that the table does not say which of them play."""
    # Whoever has withdrawn is not seeded: counted, they would move the line between those who play and those who do
    # not.
    rows = [row for row in table.rows if not row.entry.is_withdrawn]
    if len(rows) <= size or rows[size].standing.rank != rows[size - 1].standing.rank:
        return []
    return [row.entry.name for row in rows if row.standing.rank == rows[size].standing.rank]


@login_required
@require_http_methods(["GET", "POST"])
def edit_knockout_announcement(request: HttpRequest, slug: str) -> HttpResponse:
    """Announce the knock-out, or change what was announced, until its seeds are confirmed."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    knockout = get_stored_knockout(division)
    plan = KnockoutPlan.of(knockout) if knockout else None
    form = AnnounceKnockoutForm(move_criterion(request.POST) or None, plan=plan, rules=tournament.rules)
    is_asked_only = not {"show", "move"}.isdisjoint(request.POST)
    actor = get_actor(request)
    if not is_asked_only and form.done(lambda _typed: announce_knockout(division, plan=form.plan(), actor=actor)):
        messages.success(request, _("The knock-out is announced."))
        if warning := _describe_free_places(division, form.plan().size):
            messages.warning(request, warning)
        return redirect(_get_knockout_url(division))
    preview: dict[str, Any] = {"faults": form.faults}
    if {"size", "system", "form", "best_of", "third_place"}.isdisjoint(
        form.errors
    ):  # the bracket does not show the others
        shown_plan = form.plan() if form.is_bound else plan or KnockoutPlan(USUAL_KNOCKOUT_SIZE)
        # With the names of today's table once a round is played.
        table = load_table(division)
        seeds = propose_seeds(table) if table.after else []
        preview |= {
            "stages": build_preview_stages(Knockout(division=division, **shown_plan.fields()), seeds),
            "summary": summarise_knockout_plan(shown_plan, division.tournament.rules),
            "is_played": bool(table.after),
            "free_places": _describe_free_places(division, shown_plan.size),
            "level": _list_level_players(table, shown_plan.size) if table.after else [],
        }
    if is_asked_only:  # what is not sent off yet is not blamed at its field
        values = {name: form[name].value() for name in form.fields}
        form = AnnounceKnockoutForm(plan=plan, rules=tournament.rules)
        form.initial = values
    context = {**build_director_context(tournament, division, "knockout"), "query": make_division_query(division)}
    return render(request, "tournament/knockout/announce.html", {**context, **preview, "form": form})


def _describe_free_places(division: Division, size: int) -> str:
    """That fewer are entered than can be seeded; empty where they are enough, or nobody is entered yet."""
    entered = division.entries.filter(withdrawn_after=None).count()
    if not 0 < entered < size:
        return ""
    message = _("It is for %(size)s players, and only %(entered)s are entered. The seeding needs all %(size)s.")
    return message % {"size": size, "entered": entered}


@login_required
@require_POST
def take_back_knockout(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the seeding back; with `all` the announcement too."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    act = cancel_knockout if request.POST.get("all") else take_back_seeds
    with show_refusals(request):
        act(division, actor=get_actor(request))
        messages.success(request, _("Taken back."))
    return redirect(_get_knockout_url(division))


@login_required
@require_POST
def decide_match_by_lot(request: HttpRequest, slug: str, stage: int, position: int) -> HttpResponse:
    """Decide a level match: by lot, for the player chosen or drawn by the program, or by the own criterion."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    # PostgreSQL takes no NUL in a text, and would answer with an error.
    chosen = request.POST.get("winner", "").replace("\0", "")
    winner = division.entries.filter(key=chosen).select_related("player").first() if chosen else None
    seed = None if chosen else make_draw_seed()
    drawn: MatchLot | None
    enter = enter_match_winner if request.POST.get("own") else partial(draw_match_lot, seed=seed)
    try:
        drawn = enter(division, stage=stage, position=position, winner=winner, actor=get_actor(request))
    except (Refusal, Refusals) as refusal:
        # The button pressed twice: the lot of the first press is the answer, unless another winner was asked for.
        match_lots = MatchLot.objects.filter(knockout__division=division, stage=stage, position=position)
        lot = match_lots.select_related("winner__player").first()
        drawn = lot if lot is not None and winner in (None, lot.winner) else None
        if drawn is None:
            messages.error(request, str(refusal))
    if drawn is not None:
        message = _("%(name)s goes on.") if drawn.by_own_criterion else _("The lot decides for %(name)s.")
        messages.success(request, message % {"name": drawn.winner.name})
    return redirect(_get_knockout_url(division))


@login_required
@require_http_methods(["GET", "POST"])
def submit_match_lot_removal(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take the lot of a match back; ask first if games that were played would no longer count."""
    tournament = get_directed_tournament(request, slug)
    drawn = get_object_or_404(
        MatchLot.objects.select_related("winner__player"), pk=pk, knockout__division__tournament=tournament
    )
    actor = get_actor(request)
    return _take_back_or_ask(
        request,
        drawn.knockout.division,
        lambda agreed: discard_match_lot(drawn, disturb=agreed, actor=actor),
        heading=_("Take the winner back") if drawn.by_own_criterion else _("Take the lot back"),
        done=_("Taken back.") if drawn.by_own_criterion else _("The lot is taken back."),
    )


@login_required
@require_POST
def submit_fact_not_recorded(request: HttpRequest, slug: str, stage: int, position: int) -> HttpResponse:
    """Note that nobody wrote down what a match waits for."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    if request.POST.get("fact") not in list(FactKind):
        raise Http404(_("No match waits for that."))
    fact = FactKind(request.POST["fact"])
    with show_refusals(request):
        mark_fact_not_recorded(division, stage=stage, position=position, fact=fact, actor=get_actor(request))
        message = _("Noted. The next criterion decides.")
        if fact != FactKind.OWN:
            message = _("Noted as not recorded: %(fact)s.") % {"fact": FACT_LABELS[fact]}
        messages.success(request, message)
    return redirect(_get_knockout_url(division))


@login_required
@require_http_methods(["GET", "POST"])
def submit_fact_awaited_again(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let the match wait for the figures again; ask first if games that were played would no longer count."""
    fact = get_object_or_404(NotRecorded, pk=pk, knockout__division__tournament=get_directed_tournament(request, slug))
    actor = get_actor(request)
    return _take_back_or_ask(
        request,
        fact.knockout.division,
        lambda agreed: unmark_fact_not_recorded(fact, disturb=agreed, actor=actor),
        heading=_("Let the match wait again"),
        done=_("The match waits again."),
    )


def _take_back_or_ask(
    request: HttpRequest, division: Division, act: Callable[[tuple[int, ...]], object], *, heading: str, done: str
) -> HttpResponse:
    """Call `act` with the results whose loss the director has agreed to, and say `done`; ask first, under `heading`, if
    more would go. A GET, the way back after signing in, changes nothing."""
    back = _get_knockout_url(division)
    if request.method == "GET":
        return redirect(back)
    try:
        act(parse_result_ids(request.POST.get("disturbs", "")))
    except LaterGamesDisturbed as question:
        context = {
            **build_director_context(division.tournament, division, "knockout"),
            "query": make_division_query(division),
            "question": question,
            "heading": heading,
            "agreed": question.agreed,
            "back": back,
            "action": request.path,
        }
        return render(request, "tournament/knockout/question.html", context)
    messages.success(request, done)
    return redirect(back)


# The public pages.

BRACKET_FILE_TYPES = {"pdf": "application/pdf", "svg": "image/svg+xml"}


@require_safe
@cache_public_page
@paired_events_only
def show_bracket(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The knock-out of a division, every match as it stands. Eight queries."""
    context = build_public_context(request, tournament, "bracket")
    links: TournamentLinks = context["links"]
    state = load_knockout_state(context["division"])
    if state is not None:
        picture = build_bracket_picture(state.bracket, state.names)
        stages = build_public_stages(state, picture, links)
        context |= {
            "state": state,
            "stages": stages,
            "heading": describe_knockout_now(stages, picture.champion),
            "progress": describe_bracket_progress(replace(picture, champion="")),
            "facts": list_knockout_facts(state.knockout, tournament.rules),
            "files": [(name.upper(), links.bracket_file(name)) for name in BRACKET_FILE_TYPES],
        }
    return render(request, "tournament/knockout/bracket.html", context)


@require_safe
@cache_public_page
@paired_events_only
def download_bracket(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The knock-out as PDF or SVG; 404 for any other format, and if there is no knock-out."""
    division = get_chosen_division(request, tournament)
    if fmt not in BRACKET_FILE_TYPES:
        raise Http404(_("There is no knock-out as “%(format)s”.") % {"format": fmt})
    state = load_knockout_state(division)
    if state is None:
        raise Http404(_("This division has no knock-out."))
    content = render_bracket(make_header(division), division, None) if fmt == "pdf" else render_knockout_svg(state)
    return answer_with_division_file(division, "bracket", fmt, content, BRACKET_FILE_TYPES[fmt])
