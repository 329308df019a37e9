"""The pages of a session for director and helpers: prepare it, draw, type slips, lay words, correct."""

from collections.abc import Callable
from random import randrange
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.analysis import best
from games.duplicate import page, reading
from games.duplicate.forms import (
    CorrectionForm,
    MasterForm,
    OpeningCodeForm,
    PrepareForm,
    ReasonForm,
    SlipForm,
    TakeForm,
    TilesForm,
)
from games.duplicate.frame import address, loaded, open_turn_of, session_page, turn_context, unseen
from games.duplicate.operations import sealing, sessions, slips, turns
from games.duplicate.operations.sessions import SessionPlan
from games.duplicate.reading import SessionState
from games.models import DuplicateSession, DuplicateSlip, DuplicateTurn
from scoring.duplicate import MAX_TURNS
from tournament import access
from tournament.forms.fields import key
from tournament.models import Division
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell
from tournament.views.public.news import answer


@login_required
@require_safe
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """The session as it stands: what is to be done next."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    session = reading.session_of(division)
    if session is None and division.tournament.is_directed:
        return redirect(address(division, "games:duplicate_prepare"))
    if session is None:
        return render(request, "games/duplicate/none.html", shell(division.tournament, division, "duplicate"))
    session.division = division
    return session_page(request, reading.read(session))


@login_required
@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether anything has changed, for the page of somebody who types slips; see `views.public.news`."""
    return answer(request, str(access.directed_tournament(request, slug).revision))


@login_required
@require_http_methods(["GET", "POST"])
def prepare(request: HttpRequest, slug: str) -> HttpResponse:
    """How the session is played, before its first turn."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    session = reading.session_of(division)
    initial = PrepareForm.initial_of(session, _usual_plan(division))
    form = PrepareForm(request.POST or None, organiser=division.tournament.organiser, initial=initial)

    def act(_data: dict[str, Any]) -> None:
        plan = form.plan(randrange(1, sessions.SEEDS))
        sessions.prepare_session(division, plan=plan, actor=access.actor(request))

    if form.done(act):
        messages.success(request, _("The session is prepared."))
        return redirect(address(division))
    context = {
        **shell(division.tournament, division, "duplicate"),
        "form": form,
        "session": session,
        "action": request.get_full_path(),
        "cancel": address(division) if session else "",
        "most": MAX_TURNS,
        "query": query(division),
    }
    return render(request, "games/duplicate/prepare.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def take(request: HttpRequest, slug: str) -> HttpResponse:
    """Read a session in that was fixed beforehand for several clubs."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    _usual_plan(division)
    form = TakeForm(request.POST or None, request.FILES or None)

    def act(_data: dict[str, Any]) -> None:
        assert form.envelope is not None
        sealing.take_sealed(division, envelope=form.envelope, actor=access.actor(request))

    if form.done(act):
        messages.success(request, _("The session is read in. Its turns are opened one by one."))
        return redirect(address(division))
    context = {
        **shell(division.tournament, division, "duplicate"),
        "form": form,
        "action": request.get_full_path(),
        "cancel": address(division),
    }
    return render(request, "games/duplicate/take.html", context)


def _usual_plan(division: Division) -> SessionPlan:
    """What a session is prepared with by the rules; 404 by rules without one."""
    rules = division.tournament.rules
    if rules.duplicate is None:
        raise Http404(_("By %(ruleset)s there is no duplicate session.") % {"ruleset": rules.name})
    return SessionPlan(letters=rules.letters, max_turns=rules.duplicate.turns, seconds=rules.duplicate.turn_seconds)


def _acted(request: HttpRequest, division: Division, act: Callable[[], object], done: str = "") -> HttpResponse:
    """Do what a button says, say that it is `done` or why not, and go back to the session."""
    with button_refusals.refusals(request):
        act()
        if done:
            messages.success(request, done)
    return redirect(address(division))


def _submitted(
    request: HttpRequest,
    session: DuplicateSession,
    act: Callable[[dict[str, Any]], object],
    done: str = "",
    **shown: Any,
) -> HttpResponse:
    """Do what a form of the session's page asks, say that it is `done`, and go back; with a fault the page `shown` with
    the form, by its name on the page."""
    (form,) = shown.values()
    if not form.done(act):
        return session_page(request, reading.read(session), **shown)
    if done:
        messages.success(request, done)
    return redirect(address(session.division))


@login_required
@require_POST
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Open the next turn with tiles drawn by hand or by the program."""
    _division, session = loaded(request, slug)
    if session.sealed:
        return _drawn_sealed(request, session)
    form = TilesForm(request.POST)

    def act(_data: dict[str, Any]) -> None:
        turns.open_turn(session, draw=form.drawn, redrawn=form.put_back, actor=access.actor(request))

    return _submitted(request, session, act, draw_form=form)


def _drawn_sealed(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Open the next turn as it was fixed beforehand."""
    form = OpeningCodeForm(request.POST, is_open=bool(session.code))

    def act(data: dict[str, Any]) -> None:
        turns.open_turn(session, code=data.get("code") or "", actor=access.actor(request))

    return _submitted(request, session, act, code_form=form)


@login_required
@require_POST
def again(request: HttpRequest, slug: str) -> HttpResponse:
    """Put the draw back and draw again: nobody has scored."""
    _division, session = loaded(request, slug)
    turn, form = open_turn_of(session), TilesForm(request.POST)

    def act(_data: dict[str, Any]) -> None:
        turns.draw_again(turn, draw=form.drawn, actor=access.actor(request))

    done = _("Turn %(number)s is drawn again.") % {"number": turn.number}
    return _submitted(request, session, act, done, again_form=form)


@login_required
@require_POST
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Start the clock of the turn."""
    division, session = loaded(request, slug)
    turn = open_turn_of(session)
    return _acted(request, division, lambda: turns.start_clock(turn, actor=access.actor(request)))


@login_required
@require_POST
def slip(request: HttpRequest, slug: str) -> HttpResponse:
    """Save a slip. A script is answered with its row and what has changed beside it, anybody else with the page."""
    division, session = loaded(request, slug)
    turn = open_turn_of(session)
    field = reading.entries_of(session)
    form = SlipForm(request.POST, entries=field)
    saved: list[DuplicateSlip] = []

    def act(_data: dict[str, Any]) -> None:
        version, actor = form.expected_version, unseen(request)
        saved.append(
            slips.save_slip(turn, entry=form.entry, written=form.written, actor=actor, expected_version=version)
        )

    done = form.done(act)
    if request.headers.get("HX-Request"):
        return _slip_answer(request, session, form, saved)
    if done:
        return redirect(f"{address(division)}&typing=1#slip")
    return session_page(request, reading.read(session), slip_form=form)


def _slip_answer(
    request: HttpRequest, session: DuplicateSession, form: SlipForm, saved: list[DuplicateSlip]
) -> HttpResponse:
    """The row of the slip that was saved, or what is wrong with it; how far the turn has come."""
    found = reading.read(session, slips_of_open_turn=True, entries=form.field)
    context = turn_context(request, found)
    line = next((each for each in context["lines"] if saved and each.slip.pk == saved[0].pk), None)
    context |= {
        "tournament": session.division.tournament,
        "query": query(session.division),
        "directs": session.division.tournament.is_directed,
        "line": line,
        "form": form,
    }
    return render(request, "games/duplicate/_slip_answer.html", context)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a slip that was another player's."""
    division, session = loaded(request, slug)
    slips_here = DuplicateSlip.objects.select_related("turn", "entry__player")
    found = get_object_or_404(slips_here, pk=pk, turn__session=session)
    found.turn.session = session
    version = key(request.POST.get("version", "")) or 0
    done = _("The slip of %(name)s is removed. It can be undone in the journal.") % {"name": found.entry.name}
    return _acted(
        request,
        division,
        lambda: slips.remove_slip(found, actor=unseen(request), expected_version=version),
        done,
    )


@login_required
@require_POST
def refuse(request: HttpRequest, slug: str) -> HttpResponse:
    """The jury refuses a word, or lets it stand again (`stands`)."""
    division, session = loaded(request, slug)
    turn = open_turn_of(session)
    word, refused = request.POST.get("word", "")[:40], not request.POST.get("stands")
    return _acted(
        request,
        division,
        lambda: slips.refuse_word(turn, word=word, refused=refused, actor=access.actor(request)),
    )


@login_required
@require_POST
def master(request: HttpRequest, slug: str) -> HttpResponse:
    """Lay a master word and close the turn."""
    _division, session = loaded(request, slug)
    turn, form = open_turn_of(session), MasterForm(request.POST)
    if session.sealed and session.sealed["masters"]:
        done = _("The word fixed beforehand is laid; turn %(number)s is closed.") % {"number": turn.number}
        return _acted(request, session.division, lambda: turns.close_turn(turn, actor=access.actor(request)), done)

    def act(data: dict[str, Any]) -> None:
        turns.close_turn(turn, **data, actor=access.actor(request))

    done = _("The word is laid; turn %(number)s is closed.") % {"number": turn.number}
    return _submitted(request, session, act, done, master_form=form)


@login_required
@require_safe
def best_plays(request: HttpRequest, slug: str) -> HttpResponse:
    """The best plays that the list allows in the open turn, for the director alone."""
    division, session = loaded(request, slug)
    turn = open_turn_of(session)
    found = reading.read(session, slips_of_open_turn=True)
    board = found.value.boards[turn.number - 1]
    context = {
        **shell(division.tournament, division, "duplicate"),
        "turn": turn,
        "best": best.plays(board, turn.draw, found.word_list) if found.word_list and found.allows else None,
        "back": address(division),
    }
    part = "games/duplicate/_best.html" if request.headers.get("HX-Request") else "games/duplicate/best.html"
    return render(request, part, context)


@login_required
@require_http_methods(["GET", "POST"])
def turn(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A closed turn: every slip, the word laid; a post corrects what a slip scores."""
    division, session = loaded(request, slug)
    found = reading.read(session)
    row = _closed(found, number)
    form = CorrectionForm(request.POST or None, entries=found.entries)

    def act(data: dict[str, Any]) -> None:
        entry, today = form.entries[data["player"]], timezone.localdate()
        slips.correct_slip(
            row,
            entry=entry,
            points=data["points"],
            why=data["why"],
            today=today,
            alone=data["alone"],
            actor=access.actor(request),
        )

    if form.done(act):
        messages.success(request, _("The slip is corrected. The reason is public."))
        return redirect(address(division, "games:duplicate_turn", number))
    context = {**_closed_turn(found, row), "form": form, "action": request.get_full_path()}
    return render(request, "games/duplicate/turn.html", context)


def _closed(found: SessionState, number: int) -> DuplicateTurn:
    """Turn `number`; 404 if it is not closed."""
    row = next((each for each in found.turns if each.number == number and each.is_closed), None)
    if row is None:
        raise Http404(_("There is no closed turn %(number)s.") % {"number": number})
    row.session = found.session
    return row


def _closed_turn(found: SessionState, row: DuplicateTurn) -> dict[str, Any]:
    """What the page of a closed turn shows."""
    division = found.session.division
    return {
        **shell(division.tournament, division, "duplicate"),
        "row": row,
        "tiles": page.called(found, row.draw),
        "lines": page.slip_lines(found, row),
        "points": found.master_points(row.number),
        "board": page.board(found, row.number),
        "corrections": page.corrections(found, row),
        "back": address(division),
        "twice": found.session.twice,
        "query": query(division),
    }


@login_required
@require_POST
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """End the session before the rules do."""
    _division, session = loaded(request, slug)
    form = ReasonForm(request.POST, auto_id="end_%s")

    def act(data: dict[str, Any]) -> None:
        sessions.end_session(session, why=data["reason"], actor=access.actor(request))

    return _submitted(request, session, act, _("The session is ended."), end_form=form)


@login_required
@require_POST
def resume(request: HttpRequest, slug: str) -> HttpResponse:
    """Go on with a session that the director has ended."""
    division, session = loaded(request, slug)
    return _acted(request, division, lambda: sessions.resume_session(session, actor=access.actor(request)))
