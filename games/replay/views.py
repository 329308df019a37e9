"""A played game step by step: the public page, its file, and the director's page with the best plays."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.analysis import best
from games.gcg import export
from games.judge import lists
from games.models import Line, Scoresheet
from games.replay import published
from games.replay.steps import Replay
from games.shared import frame as director_frame
from games.shared.guessing import unsolved_turn
from games.sheets.page import names_of, stored
from tournament import access
from tournament.models import Tournament
from tournament.refusals import Refusal
from tournament.views import query_string
from tournament.views.director.kept_input import login_required
from tournament.views.public import caching
from tournament.views.public.frame import frame


@dataclass(frozen=True, slots=True)
class StepButtons:
    """The steps that the buttons lead to; None where there is none."""

    first: int | None
    back: int | None
    next: int | None
    last: int | None


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """The game as it stood after `?turn=`, or at its end without one. 404 if it is not public.

    It ends before a turn that everybody is to think about; best plays are shown once it is over.
    """
    sheet = published.sheet_of(tournament, pk)
    around = frame(request, tournament, "rounds", sheet.pairing.round.division)
    game = _game(request, sheet, before=unsolved_turn(sheet))
    looked = _best(game, sheet) if sheet.shows_best and _is_over(sheet) else {}
    return render(request, "games/replay/replay.html", {**around, **game, **(looked if "best" in looked else {})})


@login_required
@require_safe
def best_plays(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """For the director, the game of any sheet step by step with the best plays of each turn, once the game is over."""
    sheet = stored(access.directed_tournament(request, slug), pk)
    around = director_frame.of(sheet.pairing)
    if not _is_over(sheet):
        messages.info(request, _("This game is still being played. Its best plays are shown once it is over."))
        return redirect("games:gcg", slug, sheet.pairing_id)
    game = _game(request, sheet)
    return render(request, "games/replay/best_plays.html", {**around, **game, **_best(game, sheet)})


def _is_over(sheet: Scoresheet) -> bool:
    return bool(sheet.is_finished or sheet.pairing.result)


def _game(request: HttpRequest, sheet: Scoresheet, before: int | None = None) -> dict[str, Any]:
    """The game of a sheet as it stood after the turn that the address names; it ends `before` that turn."""
    lines = list(Line.objects.filter(scoresheet=sheet).order_by("number"))
    replay = Replay(sheet, lines, names_of(sheet), sheet.pairing.round.division.tournament.rules, before=before)
    turn = _turn(request, replay.last)
    unseen, count = replay.unseen(turn)
    return {
        "pairing": sheet.pairing,
        "round": sheet.pairing.round,
        "replay": replay,
        "turn": turn,
        "shown": replay.turns[turn - 1] if turn else None,
        "board": replay.picture(turn),
        "standings": replay.standings(turn),
        "unseen": unseen,
        "unseen_count": count,
        "ways": _ways(turn, replay.last),
    }


def _best(game: dict[str, Any], sheet: Scoresheet) -> dict[str, Any]:
    """The best plays of the turn that is shown, or why there are none to be shown."""
    tournament = sheet.pairing.round.division.tournament
    position = game["replay"].position(game["turn"])
    if position is None:
        return {}
    word_list = lists.in_use(tournament.organiser_id, letters=tournament.rules.letters)
    if word_list is None:
        return {"without_list": True}
    try:
        found = best.plays(position.board, position.rack, word_list)
    except Refusal as refused:
        return {"list_refused": str(refused)}
    return {"best": found, "laid": position.laid}


def _turn(request: HttpRequest, last: int) -> int:
    """The step that the address names; 404 for one that the game does not have."""
    number = query_string.number(request, "turn", last)
    if number is None or number > last:
        raise Http404(_("This game has no turn %(number)s.") % {"number": request.GET["turn"][:20]})
    return number


def _ways(turn: int, last: int) -> StepButtons:
    is_first, is_last = turn == 0, turn == last
    return StepButtons(
        None if is_first else 0,
        None if is_first else turn - 1,
        None if is_last else turn + 1,
        None if is_last else last,
    )


@require_safe
@caching.page
def file(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """The public game as a GCG file; 404 if it is not public, lacks words, or has a turn to think about."""
    sheet = published.sheet_of(tournament, pk)
    if unsolved_turn(sheet) is not None:
        raise Http404(_("This game can be saved once the play of the round is solved."))
    try:
        return export.file_of(sheet, list(Line.objects.filter(scoresheet=sheet).order_by("number")))
    except Refusal as refused:
        raise Http404(str(refused)) from refused
