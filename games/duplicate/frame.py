"""What the pages of a session share: where it is, what is loaded, and what its own page shows."""

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.duplicate import envelopes, page, reading, second, words
from games.duplicate.forms import MasterForm, OpeningCodeForm, ReasonForm, SlipForm, TilesForm
from games.duplicate.reading import SessionState
from games.models import DuplicateSession, DuplicateTurn
from tournament import access
from tournament.models import Division
from tournament.operations.change import Actor
from tournament.views.director.shell import query, shell


def address(division: Division, name: str = "games:duplicate", *more: object) -> str:
    """An address of a division's session."""
    return reverse(name, args=[division.tournament.slug, *more]) + query(division)


def loaded(request: HttpRequest, slug: str) -> tuple[Division, DuplicateSession]:
    """The division and its session; 404 if it has none."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    session = reading.session_of(division)
    if session is None:
        raise Http404(_("Division %(division)s has no duplicate session.") % {"division": division.name})
    session.division = division
    return division, session


def open_turn_of(session: DuplicateSession) -> DuplicateTurn:
    """The turn that is being played; 404 if none is."""
    found = get_object_or_404(DuplicateTurn, session=session, is_closed=False)
    found.session = session
    return found


def unseen(request: HttpRequest) -> Actor:
    """Who acts; what a slip was typed over is told by its own version."""
    return replace(access.actor(request), seen=None)


def session_page(request: HttpRequest, found: SessionState, **forms: object) -> HttpResponse:
    """The page of a session with the forms that were refused, or fresh ones."""
    context = {**_session_context(found), **turn_context(request, found), **forms}
    return render(request, "games/duplicate/session.html", context)


def _session_context(found: SessionState) -> dict[str, Any]:
    """What the page shows of the session beside the open turn."""
    division, session = found.session.division, found.session
    return {
        **shell(division.tournament, division, "duplicate"),
        "query": query(division),
        "found": found,
        "session": session,
        "directs": division.tournament.is_directed,
        "now": int(timezone.now().timestamp() * 1000),
        "state": words.state(found.closed, session.max_turns, session.stopped, found.ended),
        "is_half_time": 2 * found.closed == session.max_turns,
        "rows": page.table(found),
        "turns": page.turn_lines(found),
        "board": page.board(found, found.closed),
        "missing_list": page.missing_list(found),
        "end_form": ReasonForm(auto_id="end_%s"),
        "draw_form": TilesForm(),
        "code_form": OpeningCodeForm(is_open=bool(session.code)),
        "envelope": envelopes.of(session.sealed),
    }


def turn_context(request: HttpRequest, found: SessionState) -> dict[str, Any]:
    """What the open turn shows, and an answer to a slip."""
    row = found.open_turn
    if row is None:
        return {}
    lines = page.slip_lines(found, row, everybody=False)
    wanted = request.GET.get("slip")
    changing = next((line for line in lines if line.slip is not None and str(line.slip.pk) == wanted), None)
    return {
        **_drawn(found, row),
        "second": second.progress(found, row, None) if found.session.twice else None,
        "lines": sorted(lines, key=_typed, reverse=True),
        "differing": page.differing(lines),
        "expected": len(found.expected),
        "handed_in": len(found.expected) - len(found.missing),
        "missing": found.missing,
        "proposal": page.proposal(found, row),
        "players": page.numbers(found.entries),
        "slip_form": _slip_form(found, changing),
        "changing": changing,
        "master_form": MasterForm(),
    }


def _typed(line: page.SlipLine) -> int:
    """What slips sort by in the order in which they were typed."""
    return line.slip.pk if line.slip else 0


def _drawn(found: SessionState, row: DuplicateTurn) -> dict[str, Any]:
    """What the page shows of a turn's draw."""
    return {
        "turn": row,
        "tiles": page.called(found, row.draw),
        "kinds": page.kinds(row.draw),
        "bag": len(found.value.bag),
    }


def _slip_form(found: SessionState, changing: page.SlipLine | None) -> SlipForm:
    """An empty slip, or the one that is to be changed."""
    if changing is None or changing.slip is None:
        return SlipForm(entries=found.entries)
    slip = changing.slip
    initial = {
        "player": changing.entry.position,
        "position": slip.position,
        "word": slip.word,
        "claimed": slip.claimed,
        "late": slip.late,
        "version": slip.version,
    }
    return SlipForm(entries=found.entries, initial=initial)
