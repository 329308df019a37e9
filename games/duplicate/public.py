"""The public pages of a session: the board and the table after every closed turn, and the screen for the hall.

Slips are never shown before their turn is closed; the draw of the running turn is.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.duplicate import page, reading, words
from games.duplicate.reading import SessionState
from games.models import DuplicateTurn
from tournament.models import Division, Tournament
from tournament.views import query_string
from tournament.views.public import caching
from tournament.views.public.frame import frame
from tournament.views.screens.values import Part, sentence


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The session after its last closed turn, or after `?turn=`: board, slips of that turn, table, corrections."""
    context = frame(request, tournament, "duplicate")
    found = _read(context)
    if found is None:
        return render(request, "games/duplicate/public_none.html", context)
    after = _turn(request, found.closed)
    row = found.turns[after - 1] if after else None
    context |= {
        "found": found,
        "session": found.session,
        "running": _running(found),
        "after": after,
        "row": row,
        "lines": page.slip_lines(found, row) if row else [],
        "points": found.master_points(after) if after else None,
        "rows": page.table(found, after),
        "turns": page.turn_lines(found),
        "board": page.board(found, after),
        "corrections": [each for turn in found.turns for each in page.corrections(found, turn)],
        "state": words.state(found.closed, found.session.max_turns, found.session.stopped, found.ended),
        "ways": list(range(1, found.closed + 1)),
        "missing_list": page.missing_list(found),
    }
    return render(request, "games/duplicate/public.html", context)


@require_safe
@caching.page
def hall(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The screen for the hall: letters and clock while a turn runs, else board and table."""
    context = frame(request, tournament, "duplicate")
    found = _read(context)
    if found is None:
        return render(request, "games/duplicate/public_none.html", context)
    return render(request, "games/duplicate/hall.html", context | in_hall(found))


def in_hall(found: SessionState) -> dict[str, Any]:
    """What the hall sees of a session: letters and clock while a turn runs, board and table."""
    running = _running(found)
    return {
        "found": found,
        "session": found.session,
        "turn": running,
        "tiles": page.called(found, running.draw) if running else [],
        "board": page.board(found, found.closed),
        "rows": page.table(found)[:HALL_ROWS],
        "state": words.state(found.closed, found.session.max_turns, found.session.stopped, found.ended).rstrip("."),
        "missing_list": page.missing_list(found),
    }


def screen(division: Division) -> Part:
    """The same as a part of what a screen of the hall shows."""
    session = reading.session_of(division)
    if session is None:
        return sentence(_("Duplicate board"), _("No duplicate session is prepared."))
    shown = in_hall(reading.read(session, closed_only=True))
    turn, title = shown["turn"], shown["state"]
    if turn is not None:
        title = _("Turn %(number)s of %(most)s") % {"number": turn.number, "most": session.max_turns}
    return Part("board", title=title, html=SafeString(render_to_string("games/duplicate/_screen.html", shown)))


HALL_ROWS = 12
"""Rows of the table that can be read across a hall."""


def _read(context: dict[str, Any]) -> SessionState | None:
    """The session of the division that the frame shows, without the slips of a turn that is open."""
    session = reading.session_of(context["division"])
    return reading.read(session, closed_only=True) if session else None


def _running(found: SessionState) -> DuplicateTurn | None:
    return DuplicateTurn.objects.filter(session=found.session, is_closed=False).first()


def _turn(request: HttpRequest, last: int) -> int:
    """The turn that the address names, by default the last; 404 for one that is not closed."""
    number = query_string.number(request, "turn", last)
    if number is None or number > last:
        raise Http404(_("There is no closed turn %(number)s.") % {"number": request.GET["turn"][:20]})
    return number
