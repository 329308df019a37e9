"""The public page of a played game, and its file."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.gcg import export
from games.models import Line
from games.replay import published
from games.replay.steps import Replay
from games.sheets.page import names_of
from tournament.models import Tournament
from tournament.refusals import Refusal
from tournament.views.public import caching
from tournament.views.public.frame import frame


@dataclass(frozen=True, slots=True)
class Ways:
    """The steps that the buttons lead to; None where there is none."""

    first: int | None
    back: int | None
    next: int | None
    last: int | None


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """The game as it stood after `?turn=`, or at its end without one. 404 if it is not public."""
    sheet = published.sheet_of(tournament, pk)
    lines = list(Line.objects.filter(scoresheet=sheet).order_by("number"))
    replay = Replay(sheet, lines, names_of(sheet), tournament.rules)
    turn = _turn(request, replay.last)
    unseen, count = replay.unseen(turn)
    context = {
        **frame(request, tournament, "rounds", sheet.pairing.round.division),
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
    return render(request, "games/replay/replay.html", context)


def _turn(request: HttpRequest, last: int) -> int:
    """The step that the address names; 404 for one that the game does not have."""
    text = request.GET.get("turn", "") or str(last)
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and int(text) <= last):
        raise Http404(_("This game has no turn %(number)s.") % {"number": text[:20]})
    return int(text)


def _ways(turn: int, last: int) -> Ways:
    is_first, is_last = turn == 0, turn == last
    return Ways(
        None if is_first else 0,
        None if is_first else turn - 1,
        None if is_last else turn + 1,
        None if is_last else last,
    )


@require_safe
@caching.page
def file(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """The public game as a GCG file; 404 if it is not public or lacks words."""
    sheet = published.sheet_of(tournament, pk)
    try:
        return export.file_of(sheet, list(Line.objects.filter(scoresheet=sheet).order_by("number")))
    except Refusal as refused:
        raise Http404(str(refused)) from refused
