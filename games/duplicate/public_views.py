"""Pages of a session for everybody, and as a screen of the hall shows it. Slips are never shown before their turn is
closed; the draw of the running turn is."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.models import DuplicateTurn
from games.sessions.notices import list_notices
from games.sessions.seats import list_public_seats
from games.sessions.session_state import SessionState, find_duplicate_session, load_session_state
from games.sessions.tables import list_clubs, list_slip_lines, make_session_context, spell_session_draw
from tournament.access.rules import get_chosen_division
from tournament.hall.parts import ScreenPart, make_sentence_part
from tournament.hall.views import render_part_page
from tournament.models import Division, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.forms import quote_input
from tournament.pages.frames import build_public_context
from tournament.pages.requests import read_query_number

HALL_TABLE_ROWS = 12  # rows of the table that can be read across a hall


@require_safe
@cache_public_page
def show_public_session(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The session after its last closed turn, or after `?turn=`; 404 for one that is not closed. With `?club=` as the
    result sheet of that club, its own players marked; 404 if nobody there is of it."""
    context = build_public_context(request, tournament, "duplicate")
    session = find_duplicate_session(context["division"])
    state = load_session_state(session, closed_only=True) if session else None
    if state is None:
        return render(request, "games/duplicate/public_none.html", context)
    after = read_query_number(request, "turn", state.closed)
    if after is None or after > state.closed:
        raise Http404(_("There is no closed turn %(number)s.") % {"number": request.GET["turn"][:20]})
    row = state.turns[after - 1] if after else None
    context |= make_session_context(state, after) | {
        # Asked for by itself, because the state was read without open turns: so nothing that is worked out of it can
        # tell a slip too early.
        "running": _find_open_turn(state),
        "seats": list_public_seats(state.session, state.expected),
        "after": after,
        "row": row,
        "lines": list_slip_lines(state, row) if row else [],
        "points": state.master_points(after) if after else None,
        "corrections": [correction for turn in state.turns for correction in state.corrections.get(turn.pk, ())],
        "notices": list_notices(state)[::-1],
        "ways": range(1, state.closed + 1),
    }
    context["clubs"] = list_clubs(context["rows"])
    context["own_club"] = request.GET.get("club", "")
    # No sheet without marks instead: whoever follows a link with a club's old name would read that none of it is here.
    if context["own_club"] and context["own_club"] not in context["clubs"]:
        raise Http404(_("No player here is of the club “%(name)s”.") % {"name": quote_input(context["own_club"])})
    return render(request, "games/duplicate/public.html", context)


@require_safe
@cache_public_page
def show_session_hall(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The session as a screen of the hall shows it, at an address of its own: the desk has no say in it."""
    division = get_chosen_division(request, tournament)
    return render_part_page(request, tournament, make_session_screen_part(division), _("Duplicate board"))


def make_session_hall_context(state: SessionState) -> dict[str, Any]:
    """What the hall sees of a session: letters and clock while a turn runs, board and table."""
    running, context = _find_open_turn(state), make_session_context(state)
    return {
        **context,
        "turn": running,
        "tiles": spell_session_draw(state, running.draw) if running else [],
        "rows": context["rows"][:HALL_TABLE_ROWS],
        # It becomes a heading, which ends without a full stop.
        "state": context["state"].rstrip("."),
    }


def make_session_screen_part(division: Division) -> ScreenPart:
    """A session as a part of what a screen of the hall shows."""
    session = find_duplicate_session(division)
    if session is None:
        return make_sentence_part(_("Duplicate board"), _("No duplicate session is prepared."))
    context = make_session_hall_context(load_session_state(session, closed_only=True))
    turn, title = context["turn"], context["state"]
    if turn is not None:
        title = _("Turn %(number)s of %(most)s") % {"number": turn.number, "most": session.max_turns}
    html = render_to_string("games/duplicate/_screen.html", {**context, "title": title})
    return ScreenPart("board", title=title, html=SafeString(html))


def _find_open_turn(state: SessionState) -> DuplicateTurn | None:
    return DuplicateTurn.objects.filter(session=state.session, is_closed=False).first()
