"""What the pages of a session share: its addresses, its rows, and the context of its own page."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.duplicate.forms import DrawForm, EndSessionForm, MasterWordForm, OpeningCodeForm, SlipForm
from games.duplicate.operations.second import load_second_progress
from games.duplicate.operations.sessions import SessionPlan
from games.duplicate.queries import SessionState, deserialize_envelope, find_duplicate_session
from games.duplicate.tables import (
    SlipLine,
    count_tile_kinds,
    describe_state,
    get_missing_list_note,
    list_slip_lines,
    list_turn_lines,
    make_session_board_picture,
    make_session_table,
    propose_master_word,
    spell_session_draw,
)
from games.models import DuplicateSession, DuplicateTurn
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament
from tournament.core.change import Actor
from tournament.models import Division
from tournament.pages.frames import build_director_context, make_division_query


def get_session_url(division: Division, name: str = "games:duplicate", *more: object) -> str:
    """An address of a division's session."""
    return reverse(name, args=[division.tournament.slug, *more]) + make_division_query(division)


def get_duplicate_session_or_404(request: HttpRequest, slug: str) -> tuple[Division, DuplicateSession]:
    """The division and its session; 404 if it has none."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    session = find_duplicate_session(division)
    if session is None:
        raise Http404(_("Division %(division)s has no duplicate session.") % {"division": division.name})
    session.division = division
    return division, session


def get_open_turn_or_404(session: DuplicateSession) -> DuplicateTurn:
    """The turn that is being played; 404 if none is."""
    found = get_object_or_404(DuplicateTurn, session=session, is_closed=False)
    found.session = session
    return found


def get_usual_plan(division: Division) -> SessionPlan:
    """What a session is prepared with by the rules; 404 by rules without one."""
    rules = division.tournament.rules
    if rules.duplicate is None:
        raise Http404(_("By %(ruleset)s there is no duplicate session.") % {"ruleset": rules.name})
    return SessionPlan(rules.letters, rules.duplicate.turns, rules.duplicate.turn_seconds)


def get_slip_typist(request: HttpRequest) -> Actor:
    """Who types: each slip has its own version for two at once, whatever else has happened since."""
    return replace(get_actor(request), seen=None)


def build_session_context(division: Division, **more: object) -> dict[str, Any]:
    """The frame of a page of the director about a session, and what `more` it shows."""
    frame = build_director_context(division.tournament, division, "duplicate")
    return {**frame, "query": make_division_query(division), "back": get_session_url(division), **more}


def render_session_page(request: HttpRequest, found: SessionState, **forms: object) -> HttpResponse:
    """The page of a session with the forms that were refused, or fresh ones."""
    context = {**_make_session_context(found), **make_open_turn_context(request, found), **forms}
    return render(request, "games/duplicate/session.html", context)


def _make_session_context(found: SessionState) -> dict[str, Any]:
    """What the page shows of the session beside the open turn."""
    division, session = found.session.division, found.session
    return {
        **build_session_context(division),
        "found": found,
        "session": session,
        "directs": division.tournament.is_directed,
        "now": int(timezone.now().timestamp() * 1000),
        "state": describe_state(found),
        "is_half_time": 2 * found.closed == session.max_turns,
        "rows": make_session_table(found),
        "turns": list_turn_lines(found),
        "board": make_session_board_picture(found, found.closed),
        "missing_list": get_missing_list_note(found),
        "end_form": EndSessionForm(auto_id="end_%s"),
        "draw_form": DrawForm(),
        "code_form": OpeningCodeForm(is_open=bool(session.code)),
        "envelope": deserialize_envelope(session.sealed),
    }


def make_open_turn_context(request: HttpRequest, found: SessionState) -> dict[str, Any]:
    """What the open turn shows, and an answer to a slip."""
    row = found.open_turn
    if row is None:
        return {}
    lines = list_slip_lines(found, row, everybody=False)
    wanted = request.GET.get("slip")
    changing = next((line for line in lines if line.slip is not None and str(line.slip.pk) == wanted), None)
    return {
        "turn": row,
        "tiles": spell_session_draw(found, row.draw),
        "kinds": count_tile_kinds(row.draw),
        "bag": len(found.value.bag),
        "second": load_second_progress(found, row, None) if found.session.twice else None,
        "lines": sorted(lines, key=lambda line: line.slip.pk if line.slip else 0, reverse=True),  # as they were typed
        "differing": [line for line in lines if line.judged.differs and line.slip is not None],
        "expected": len(found.expected),
        "handed_in": len(found.expected) - len(found.missing),
        "missing": found.missing,
        "proposal": propose_master_word(found, row),
        "players": [(entry.position, entry.name) for entry in found.entries],
        "slip_form": _make_slip_form(found, changing),
        "changing": changing,
        "master_form": MasterWordForm(),
    }


def _make_slip_form(found: SessionState, changing: SlipLine | None) -> SlipForm:
    """An empty slip, or the one that is to be changed."""
    if changing is None or changing.slip is None:
        return SlipForm(entries=found.entries)
    written = {name: getattr(changing.slip, name) for name in ("position", "word", "claimed", "late", "version")}
    return SlipForm(entries=found.entries, initial={"player": changing.entry.position, **written})
