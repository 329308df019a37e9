"""The knock-out for its director: announced, seeded, and played match by match."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament import access
from tournament.forms.knockout import AnnounceForm, SeedsForm
from tournament.models import Division, Entry, Knockout, MatchLot
from tournament.operations import drafts, knockout_games
from tournament.operations import knockout as operations
from tournament.plan.knockout import KnockoutPlan
from tournament.printing import bracket_svg
from tournament.queries import league
from tournament.queries.knockout import knockout_state, stored_knockout
from tournament.refusals import Refusal, Refusals
from tournament.views import pairs
from tournament.views.director import button_refusals, knockout_back, knockout_cards, shows
from tournament.views.director.kept_input import login_required
from tournament.views.director.knockout_back import address
from tournament.views.director.shell import query, shell
from tournament.words import bracket_cards, knockout_plan


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The current state of the knock-out; before it is seeded, POST confirms the seeding."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    knockout = stored_knockout(division)
    context = {**shell(tournament, division, "knockout"), "query": query(division)}
    if knockout is None:
        return render(request, "director/knockout_none.html", context)
    context["facts"] = knockout_plan.facts(knockout, tournament.rules)
    if knockout.seeds.exists():
        if request.method == "POST":
            messages.info(request, str(operations.SeedsConfirmed()))
            return redirect(address(division))
        return render(request, "director/knockout.html", {**context, **_as_it_stands(division)})
    return _seeding(request, knockout, context)


def _as_it_stands(division: Division) -> dict[str, Any]:
    """The picture, and every match with its games."""
    state = knockout_state(division)
    assert state is not None  # its caller has just read the bracket
    picture = bracket_cards.picture(state.bracket, state.names)
    games = knockout_games.stored_games(state.knockout)
    return {
        "state": state,
        "picture": bracket_svg.svg(picture, title=_("Knock-out"), address=bracket_svg.into_list),
        "stages": knockout_cards.stages(state, picture, games),
        "champion": picture.champion,
        "played": any(game.result for game in games),
        "shown": shows.of_knockout(division),
    }


def _seeding(request: HttpRequest, knockout: Knockout, context: dict[str, Any]) -> HttpResponse:
    """The first players of the table, with the form that confirms them or seeds others."""
    division = knockout.division
    table = league.table(division)
    missing, published = operations.league_missing(division), league.last_round(division)
    planned = max(league.planned_rounds(division), published)
    context |= {"missing": missing, "published": published, "planned": planned}
    is_early = bool(missing) or published < planned or not published
    if is_early and request.method == "GET" and "early" not in request.GET:
        return _before_seeding(request, division, context)
    form = SeedsForm(
        request.POST or None,
        size=knockout.size,
        order=[row for row in table.rows if not row.entry.is_withdrawn],
        ask=bool(missing) or published < planned,
    )
    if form.done(lambda typed: _confirm(request, division, form, typed)):
        messages.success(request, _("The seeding is confirmed; the first games are laid out."))
        return redirect(address(division))
    level = _level(table, knockout.size)
    return render(request, "director/knockout_seeds.html", {**context, "form": form, "level": level})


def _before_seeding(request: HttpRequest, division: Division, context: dict[str, Any]) -> HttpResponse:
    """What is announced, while the table may still change: the seeding is offered after its last round."""
    state = knockout_state(division)
    assert state is not None  # its caller has just read the knock-out
    picture = bracket_cards.picture(state.bracket, state.names)
    shown = bracket_svg.svg(picture, title=_("Knock-out"))
    return render(request, "director/knockout_waits.html", {**context, "picture": shown})


def _confirm(request: HttpRequest, division: Division, form: SeedsForm, typed: dict[str, Any]) -> None:
    operations.confirm_seeds(
        division,
        seeds=form.seeds(),
        accept_missing=bool(typed.get("accept_missing")),
        actor=access.actor(request),
    )


def _level(table: league.Table, size: int) -> list[str]:
    """The players who share a rank across the last place seeded, so that the table does not say who plays."""
    rows = [row for row in table.rows if not row.entry.is_withdrawn]
    if len(rows) <= size or rows[size].standing.rank != rows[size - 1].standing.rank:
        return []
    return [row.entry.name for row in rows if row.standing.rank == rows[size].standing.rank]


@login_required
@require_http_methods(["GET", "POST"])
def announce(request: HttpRequest, slug: str) -> HttpResponse:
    """Announce the knock-out, or change what was announced, until its seeds are confirmed."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    knockout = stored_knockout(division)
    form = AnnounceForm(
        request.POST or None, plan=KnockoutPlan.of(knockout) if knockout else None, rules=tournament.rules
    )
    actor = access.actor(request)
    if form.done(lambda _typed: operations.announce_knockout(division, plan=form.plan(), actor=actor)):
        messages.success(request, _("The knock-out is announced."))
        return redirect(address(division))
    context = {**shell(tournament, division, "knockout"), "query": query(division), "form": form}
    return render(request, "director/knockout_announce.html", context)


@login_required
@require_POST
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the seeding back; with `all` the announcement too."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    act = operations.cancel_knockout if request.POST.get("all") else operations.take_back_seeds
    with button_refusals.refusals(request):
        act(division, actor=access.actor(request))
        messages.success(request, _("Taken back."))
    return redirect(address(division))


@login_required
@require_POST
def lot(request: HttpRequest, slug: str, stage: int, position: int) -> HttpResponse:
    """Decide a level match by lot: for the player chosen, or drawn by the program."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    chosen = request.POST.get("winner", "").replace("\0", "")
    winner = division.entries.filter(key=chosen).select_related("player").first() if chosen else None
    seed = None if chosen else drafts.new_seed()
    drawn: MatchLot | None
    try:
        drawn = operations.draw_match_lot(
            division, stage=stage, position=position, winner=winner, seed=seed, actor=access.actor(request)
        )
    except (Refusal, Refusals) as refusal:
        drawn = _drawn(division, stage, position, winner)
        if drawn is None:
            messages.error(request, str(refusal))
    if drawn is not None:
        messages.success(request, _("The lot decides for %(name)s.") % {"name": drawn.winner.name})
    return redirect(address(division))


def _drawn(division: Division, stage: int, position: int, winner: Entry | None) -> MatchLot | None:
    """The lot already drawn for a match, for a second press of the button; None if another winner is asked for."""
    found = MatchLot.objects.filter(knockout__division=division, stage=stage, position=position)
    lot = found.select_related("winner__player").first()
    return lot if lot is not None and winner in (None, lot.winner) else None


@login_required
@require_http_methods(["GET", "POST"])
def discard_lot(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take the lot of a match back; ask first if games that were played would no longer count."""
    tournament = access.directed_tournament(request, slug)
    drawn = get_object_or_404(
        MatchLot.objects.select_related("winner__player"), pk=pk, knockout__division__tournament=tournament
    )
    actor = access.actor(request)
    return knockout_back.take_back(
        request,
        drawn.knockout.division,
        lambda agreed: operations.discard_match_lot(drawn, disturb=agreed, actor=actor),
        heading=_("Take the lot back"),
        done=_("The lot is taken back."),
    )
