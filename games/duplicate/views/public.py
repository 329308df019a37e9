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

from games.duplicate.queries import SessionState, find_duplicate_session, load_session_state
from games.duplicate.tables import (
    describe_state,
    get_missing_list_note,
    list_correction_lines,
    list_slip_lines,
    list_turn_lines,
    make_session_board_picture,
    make_session_table,
    spell_session_draw,
)
from games.models import DuplicateTurn
from tournament.hall.contents import ScreenPart, make_sentence_part
from tournament.models import Division, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_public_context
from tournament.pages.requests import read_query_number

HALL_TABLE_ROWS = 12
"""Rows of the table that can be read across a hall."""


@require_safe
@cache_public_page
def show_public_session(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The session after its last closed turn, or after `?turn=`; 404 for one that is not closed."""
    context = build_public_context(request, tournament, "duplicate")
    found = _load_public_session(context)
    if found is None:
        return render(request, "games/duplicate/public_none.html", context)
    after = read_query_number(request, "turn", found.closed)
    if after is None or after > found.closed:
        raise Http404(_("There is no closed turn %(number)s.") % {"number": request.GET["turn"][:20]})
    row = found.turns[after - 1] if after else None
    context |= {
        "found": found,
        "session": found.session,
        "running": _find_open_turn(found),
        "after": after,
        "row": row,
        "lines": list_slip_lines(found, row) if row else [],
        "points": found.master_points(after) if after else None,
        "rows": make_session_table(found, after),
        "turns": list_turn_lines(found),
        "board": make_session_board_picture(found, after),
        "corrections": [each for turn in found.turns for each in list_correction_lines(found, turn)],
        "state": describe_state(found),
        "ways": range(1, found.closed + 1),
        "missing_list": get_missing_list_note(found),
    }
    return render(request, "games/duplicate/public.html", context)


@require_safe
@cache_public_page
def show_session_hall(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The screen for the hall: letters and clock while a turn runs, else board and table."""
    context = build_public_context(request, tournament, "duplicate")
    found = _load_public_session(context)
    if found is None:
        return render(request, "games/duplicate/public_none.html", context)
    return render(request, "games/duplicate/hall.html", context | make_session_hall_context(found))


def make_session_hall_context(found: SessionState) -> dict[str, Any]:
    """What the hall sees of a session: letters and clock while a turn runs, board and table."""
    running = _find_open_turn(found)
    return {
        "found": found,
        "session": found.session,
        "turn": running,
        "tiles": spell_session_draw(found, running.draw) if running else [],
        "board": make_session_board_picture(found, found.closed),
        "rows": make_session_table(found)[:HALL_TABLE_ROWS],
        "state": describe_state(found).rstrip("."),
        "missing_list": get_missing_list_note(found),
    }


def make_session_screen_part(division: Division) -> ScreenPart:
    """The same as a part of what a screen of the hall shows."""
    session = find_duplicate_session(division)
    if session is None:
        return make_sentence_part(_("Duplicate board"), _("No duplicate session is prepared."))
    shown = make_session_hall_context(load_session_state(session, closed_only=True))
    turn, title = shown["turn"], shown["state"]
    if turn is not None:
        title = _("Turn %(number)s of %(most)s") % {"number": turn.number, "most": session.max_turns}
    return ScreenPart("board", title=title, html=SafeString(render_to_string("games/duplicate/_screen.html", shown)))


def _load_public_session(context: dict[str, Any]) -> SessionState | None:
    """The session of the division that the frame shows, without the slips of a turn that is open."""
    session = find_duplicate_session(context["division"])
    return load_session_state(session, closed_only=True) if session else None


def _find_open_turn(found: SessionState) -> DuplicateTurn | None:
    return DuplicateTurn.objects.filter(session=found.session, is_closed=False).first()
