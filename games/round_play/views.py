"""Pages of the play of the round: for the director, for everybody, and on a screen."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_POST, require_safe

from games.models import Scoresheet
from games.round_play.positions import (
    choose_round_play,
    list_suggested_plays,
    load_shown_position,
    remove_round_play,
    solve_round_play,
)
from scoring.letters import BLANK, LETTER_SETS
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament
from tournament.hall.parts import ScreenPart, make_sentence_part
from tournament.models import Division, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.forms import parse_key
from tournament.pages.frames import build_director_context, build_public_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import paired_events_only, redirect_to_session, show_refusals


@require_safe
@cache_public_page
@paired_events_only
def show_round_play(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What everybody may think about, and the best play once the director shows it."""
    context = build_public_context(request, tournament, "rounds")
    context["shown"] = load_shown_position(context["division"])
    return render(request, "games/round_play/public.html", context)


def make_round_play_screen_part(division: Division) -> ScreenPart:
    """The same on a screen of the hall."""
    title = _("Play of the round")
    position = load_shown_position(division)
    if position is None:
        return make_sentence_part(title, _("No play of the round is shown at the moment."))
    letters = LETTER_SETS[position["round"].division.tournament.rules.letters]
    blank = pgettext("tile", "blank")
    names = {BLANK: blank}
    tiles = [
        {"tile": tile, "value": letters.tile(tile).value, "name": names.get(tile, tile)} for tile in position["rack"]
    ]
    # Without a word list, or where it allows no play, what was laid stands there.
    best = position["best"]["plays"][0] if position["best"] and position["best"]["plays"] else None
    place, _space, word = (best["text"] if best else position["laid"]).partition(" ")
    points = best["points"] if best else position["points"]
    return ScreenPart(
        "board",
        title=title,
        html=SafeString(
            render_to_string(
                "games/round_play/_screen.html",
                {"shown": position, "tiles": tiles, "word": word, "place": place, "points": points},
            )
        ),
    )


@login_required
@require_safe
def edit_round_play(request: HttpRequest, slug: str) -> HttpResponse:
    """What is shown, and what could be: the highest plays of the last public games."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    context = {
        **build_director_context(tournament, division, "hall"),
        "query": make_division_query(division),
        "shown": load_shown_position(division),
        "suggested": list_suggested_plays(division),
    }
    return render(request, "games/round_play/director.html", context)


@login_required
@require_POST
def submit_round_play(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a position to everybody."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    pk, turn = (parse_key(request.POST.get(name, "")) or 0 for name in ("sheet", "turn"))
    sheets = Scoresheet.objects.select_related("pairing__round__division__tournament")
    sheet = get_object_or_404(sheets.prefetch_related("pairing__seats"), pk=pk, pairing__round__division=division)
    with show_refusals(request):
        choose_round_play(division, scoresheet=sheet, turn=turn, actor=get_actor(request))
        messages.success(request, _("Everybody can see the position now; the best play stays hidden."))
    return _redirect_to_round_play(division)


@login_required
@require_POST
def submit_round_play_solution(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the best play."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    with show_refusals(request):
        solve_round_play(division, actor=get_actor(request))
        messages.success(request, _("Everybody sees the best play now."))
    return _redirect_to_round_play(division)


@login_required
@require_POST
def submit_round_play_removal(request: HttpRequest, slug: str) -> HttpResponse:
    """Show nothing any more."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    remove_round_play(division, actor=get_actor(request))
    messages.success(request, _("The play of the round is taken away."))
    return _redirect_to_round_play(division)


def _redirect_to_round_play(division: Division) -> HttpResponse:
    return redirect(reverse("games:round_play", args=[division.tournament.slug]) + make_division_query(division))
