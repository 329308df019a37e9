"""Pages of a session for director and helpers, who prepare, draw, type slips, lay words, correct, print."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.duplicate.forms import (
    DrawForm,
    EndSessionForm,
    MasterWordForm,
    OpeningCodeForm,
    PrepareSessionForm,
    SealedFileForm,
    SecondReadingForm,
    SettleSlipForm,
    SlipCorrectionForm,
    SlipForm,
)
from games.duplicate.operations.sessions import (
    SessionPlan,
    TurnClosed,
    close_turn,
    end_session,
    import_sealed_session,
    open_turn,
    prepare_session,
    redraw_turn,
    resume_session,
    start_turn_clock,
)
from games.duplicate.operations.slips import (
    correct_slip,
    load_second_progress,
    record_second_reading,
    refuse_word,
    remove_slip,
    save_slip,
    settle_slip,
    switch_second_correction,
)
from games.duplicate.paper import SESSION_DOCUMENTS, render_club_results
from games.judge.lists import list_word_lists
from games.models import DuplicateSession, DuplicateSlip, DuplicateTurn
from games.plays import find_best_plays
from games.sessions.session_state import SessionState, deserialize_envelope, find_duplicate_session, load_session_state
from games.sessions.tables import (
    count_tile_kinds,
    list_slip_lines,
    make_session_board_picture,
    make_session_context,
    propose_master_word,
    spell_session_draw,
)
from scoring.extents import MAX_TURNS
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament, get_latest_actor
from tournament.basics import limits
from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import Refusal
from tournament.models import Division
from tournament.pages.forms import parse_key, quote_input
from tournament.pages.frames import build_director_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals
from tournament.pages.views import answer_state, answer_with_pdf
from tournament.paper.documents import make_header
from tournament.results.league_games import list_division_entries


def get_session_url(division: Division, name: str = "games:duplicate", *more: object) -> str:
    """An address of a division's session."""
    return reverse(name, args=[division.tournament.slug, *more]) + make_division_query(division)


def get_duplicate_session_or_404(request: HttpRequest, slug: str) -> DuplicateSession:
    """The session of the division that the request names; 404 if it has none."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    session = find_duplicate_session(division)
    if session is None:
        raise Http404(_("Division %(division)s has no duplicate session.") % {"division": division.name})
    return session


def take_session_post(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Decorate a view that takes what a form or a button of the session's page sends: it is given the session."""

    @wraps(view)
    @login_required
    @require_POST
    def take(request: HttpRequest, /, slug: str, **kwargs: Any) -> HttpResponse:
        return view(request, get_duplicate_session_or_404(request, slug), **kwargs)

    return take


def get_played_turn(session: DuplicateSession) -> DuplicateTurn:
    """The turn that a form of the session's page is about: the open one, else the last one, which refuses whatever is
    wanted of it; 404 before the first."""
    turn = DuplicateTurn.objects.filter(session=session).order_by("is_closed", "-number").first()
    if turn is None:
        raise Http404(_("No turn is drawn yet."))
    # Given along: operations ask a turn for session, division and tournament, and each would be read anew.
    turn.session = session
    return turn


def get_usual_plan(division: Division) -> SessionPlan:
    """What a session is usually prepared with: what the rules say. Only the letters are those of the organiser's last
    session, or those of their word lists if all have the same. 404 under rules without sessions. Two queries."""
    rules = division.tournament.rules
    if rules.duplicate is None:
        raise Http404(_("There are no duplicate sessions under %(ruleset)s.") % {"ruleset": rules.name})
    organiser = division.tournament.organiser_id
    sessions = DuplicateSession.objects.filter(division__tournament__organiser=organiser).exclude(division=division)
    letters = sessions.order_by("-pk").values_list("letters", flat=True).first()
    if letters is None:
        listed = list(list_word_lists(division.tournament.organiser).values_list("letters", flat=True))
        letters = listed[0] if len(set(listed)) == 1 else rules.letters
    return SessionPlan(letters, rules.duplicate.turns, rules.duplicate.turn_seconds)


def build_session_context(division: Division, *, tabs: bool = True, **more: object) -> dict[str, Any]:
    """The frame of a page of the director about a session, and what `more` it shows; without `tabs` the page is about
    one turn, which another division's session need not have."""
    frame = build_director_context(division.tournament, division, "duplicate", tabs=tabs)
    return {**frame, "query": make_division_query(division), "back": get_session_url(division), **more}


def render_session_page(request: HttpRequest, state: SessionState, **forms: object) -> HttpResponse:
    """The page of a session with the forms that were refused, or fresh ones."""
    division, session = state.session.division, state.session
    context = {
        **build_session_context(division),
        **make_session_context(state),
        "directs": division.tournament.is_directed,
        # The server's time: the clock in the browser counts by it, whatever the tablet's own says.
        "now": int(timezone.now().timestamp() * 1000),
        "is_half_time": 2 * state.closed == session.max_turns,
        "end_form": EndSessionForm(auto_id="end_%s"),
        "draw_form": DrawForm(),
        "code_form": OpeningCodeForm(is_open=bool(session.code)),
        "envelope": deserialize_envelope(session.sealed),
        **make_open_turn_context(request, state),
        # Those of a turn that has been closed meanwhile: without an open turn the page has no place for them, and what
        # was typed would be gone.
        "forms_of_turn": [forms[name] for name in ("slip_form", "again_form", "master_form") if name in forms],
        # Last: a form that was refused, with what was typed, stands in place of the fresh one of its name.
        **forms,
    }
    return render(request, "games/duplicate/session.html", context)


def make_open_turn_context(request: HttpRequest, state: SessionState) -> dict[str, Any]:
    """What the open turn shows, and an answer to a slip."""
    row = state.open_turn
    if row is None:
        return {}
    lines = list_slip_lines(state, row, everybody=False)
    slip_key = request.GET.get("slip")
    # Looked up among the slips of this turn: the key comes from an address, and may be that of a turn that is closed.
    changing = next((line for line in lines if line.slip is not None and str(line.slip.pk) == slip_key), None)
    written = {}
    if changing is not None:
        names = ("position", "word", "claimed", "late", "version")
        written = {"player": changing.entry.position, **{name: getattr(changing.slip, name) for name in names}}
    return {
        "turn": row,
        "turn_name": make_turn_name(row),
        "tiles": spell_session_draw(state, row.draw),
        "kinds": count_tile_kinds(row.draw),
        "bag": len(state.value.bag),
        "second": load_second_progress(state, row, None) if state.session.twice else None,
        "lines": sorted(lines, key=lambda line: line.slip.pk if line.slip else 0, reverse=True),  # as they were typed
        "differing": [line for line in lines if line.judged.differs and line.slip is not None],
        "expected": len(state.expected),
        "handed_in": len(state.expected) - len(state.missing),
        "missing": state.missing,
        "proposal": propose_master_word(state, row),
        "players": [(entry.position, entry.name) for entry in state.entries],
        "slip_form": SlipForm(entries=state.entries, initial=written),
        "changing": changing,
        "master_form": MasterWordForm(),
    }


@login_required
@require_safe
def show_duplicate_session(request: HttpRequest, slug: str) -> HttpResponse:
    """The session as it stands: what is to be done next."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    session = find_duplicate_session(division)
    if session is None and division.tournament.is_directed:
        return redirect(get_session_url(division, "games:duplicate_prepare"))
    if session is None:
        return render(request, "games/duplicate/none.html", build_session_context(division))
    return render_session_page(request, load_session_state(session))


@login_required
@require_safe
def show_session_news(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether anything has changed, for the page of somebody who types slips; see `show_tournament_news`."""
    return answer_state(request, str(get_directed_tournament(request, slug).revision))


@login_required
@require_http_methods(["GET", "POST"])
def edit_session_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """How the session is played, before its first turn."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    session = find_duplicate_session(division)
    initial = PrepareSessionForm.initial_of(session, get_usual_plan(division))
    form = PrepareSessionForm(request.POST or None, organiser=division.tournament.organiser, initial=initial)

    def act(_data: dict[str, Any]) -> None:
        prepare_session(division, plan=form.make_plan(SessionPlan), actor=get_actor(request))

    if form.done(act):
        messages.success(request, _("The session is prepared."))
        return redirect(get_session_url(division))
    context = {
        **build_session_context(division, form=form, session=session, most=MAX_TURNS),
        "action": request.get_full_path(),
        "cancel": get_session_url(division) if session else "",
    }
    return render(request, "games/duplicate/prepare.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def upload_sealed_session(request: HttpRequest, slug: str) -> HttpResponse:
    """Read a session in that was fixed beforehand for several clubs."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    get_usual_plan(division)  # for its 404
    form = SealedFileForm(request.POST or None, request.FILES or None)

    def act(_data: dict[str, Any]) -> None:
        assert form.envelope is not None
        import_sealed_session(division, envelope=form.envelope, actor=get_actor(request))

    if form.done(act):
        messages.success(request, _("The session has been imported. Its turns are opened one by one."))
        return redirect(get_session_url(division))
    more: dict[str, Any] = {"form": form, "action": request.get_full_path(), "cancel": get_session_url(division)}
    return render(request, "games/duplicate/take.html", build_session_context(division, **more))


def _run_button_action(
    request: HttpRequest, session: DuplicateSession, act: Callable[[], object], done: str = ""
) -> HttpResponse:
    """Do what a button says, say that it is `done` or why not, and go back to the session."""
    with show_refusals(request):
        act()
        if done:
            messages.success(request, done)
    return redirect(get_session_url(session.division))


def _run_form_action(
    request: HttpRequest,
    session: DuplicateSession,
    act: Callable[[dict[str, Any]], object],
    done: str = "",
    **shown: Any,
) -> HttpResponse:
    """Do what a form of the session's page asks, say that it is `done`, and go back; with a fault, show the page again
    with the form, which is `shown` under its name there."""
    (form,) = shown.values()
    if not form.done(act):
        return render_session_page(request, load_session_state(session), **shown)
    if done:
        messages.success(request, done)
    return redirect(get_session_url(session.division))


@take_session_post
def submit_draw(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Open the next turn with tiles drawn by hand or by the program, or as it was fixed beforehand."""
    form, code_form = DrawForm(request.POST), OpeningCodeForm(request.POST, is_open=bool(session.code))

    def draw(_data: dict[str, Any]) -> None:
        open_turn(session, draw=form.drawn, redrawn=form.put_back, actor=get_actor(request))

    def unseal(data: dict[str, Any]) -> None:
        open_turn(session, code=data.get("code", ""), actor=get_actor(request))

    # By what is stored and not by what was sent: in a session that was fixed beforehand nobody types tiles.
    if session.sealed:
        return _run_form_action(request, session, unseal, code_form=code_form)
    return _run_form_action(request, session, draw, draw_form=form)


@take_session_post
def submit_redraw(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Put the draw back and draw again: nobody has scored."""
    turn, form = get_played_turn(session), DrawForm(request.POST)

    def act(_data: dict[str, Any]) -> None:
        redraw_turn(turn, draw=form.drawn, actor=get_actor(request))

    message = _("Turn %(number)s is drawn again.") % {"number": turn.number}
    return _run_form_action(request, session, act, message, again_form=form)


@take_session_post
def submit_clock_start(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Start the clock of the turn."""
    turn = get_played_turn(session)
    return _run_button_action(request, session, lambda: start_turn_clock(turn, actor=get_actor(request)))


def require_seen_turn(turn: DuplicateTurn, seen: str) -> None:
    """Raise `TurnClosed` or `turn_drawn_again` if another one was seen (`make_turn_name`) when a slip was typed.
    It may have waited in a browser that could not send it, and belongs nowhere else."""
    number, _dash, _draw = seen.partition("-")
    if seen and number != str(turn.number):
        raise TurnClosed(number=quote_input(number))
    if seen and seen != make_turn_name(turn):
        raise Refusal(
            "turn_drawn_again",
            _("Turn %(number)s has been drawn again since this was typed: %(draw)s. It was not saved."),
            number=turn.number,
            draw=turn.draw,
        )


def make_turn_name(turn: DuplicateTurn) -> str:
    """A turn with its draw, as the form for slips has it."""
    return f"{turn.number}-{turn.draw}"


@take_session_post
def submit_slip(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Save a slip. A script is answered with its row and what has changed beside it, anybody else with the page."""
    turn = get_played_turn(session)
    field = tuple(list_division_entries(session.division))
    form = SlipForm(request.POST, entries=field)

    def act(_data: dict[str, Any]) -> DuplicateSlip:
        require_seen_turn(turn, request.POST.get("turn", ""))
        # The version says what was seen of this slip. What else has happened since, other helpers' slips, is no reason
        # to refuse.
        version, actor = form.expected_version, get_latest_actor(request)
        return save_slip(turn, entry=form.entry, written=form.written, actor=actor, expected_version=version)

    outcome = form.done(act)
    if request.headers.get("HX-Request"):
        return _render_slip_answer(request, session, form, outcome.result if outcome else None)
    # `typing` puts the cursor back into the form: whoever types fifty slips in a turn uses no mouse.
    if outcome:
        # By `&`: the address always has the division in its query.
        return redirect(f"{get_session_url(session.division)}&typing=1#slip")
    return render_session_page(request, load_session_state(session), slip_form=form)


def _render_slip_answer(
    request: HttpRequest, session: DuplicateSession, form: SlipForm, saved: DuplicateSlip | None
) -> HttpResponse:
    """The row of the slip that was saved, or what is wrong with it; how far the turn has come."""
    # Only the open turn's slips, and the players that the form has fetched already: this is asked after each slip.
    state = load_session_state(session, slips_of_open_turn=True, entries=form.field)
    context = make_open_turn_context(request, state)
    line = next((line for line in context.get("lines", ()) if saved and line.slip.pk == saved.pk), None)
    context |= {
        "tournament": session.division.tournament,
        "query": make_division_query(session.division),
        "directs": session.division.tournament.is_directed,
        "line": line,
        "form": form,
    }
    return render(request, "games/duplicate/_slip_answer.html", context)


@take_session_post
def submit_slip_removal(request: HttpRequest, session: DuplicateSession, pk: int) -> HttpResponse:
    """Remove a slip that was another player's."""
    slips_here = DuplicateSlip.objects.select_related("turn", "entry__player")
    slip = get_object_or_404(slips_here, pk=pk, turn__session=session)
    slip.turn.session = session
    # 0 is no slip's version: a post that does not say which it saw removes nothing.
    version = parse_key(request.POST.get("version", "")) or 0
    message = _("The slip of %(name)s has been removed. You can undo this in the journal.") % {"name": slip.entry.name}
    return _run_button_action(
        request,
        session,
        lambda: remove_slip(slip, actor=get_latest_actor(request), expected_version=version),
        message,
    )


@take_session_post
def submit_word_refusal(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """The jury refuses a word, or lets it stand again (`stands`)."""
    turn = get_played_turn(session)
    # From a button and through no form, so nobody has looked at its length; the refusal quotes it.
    word, refused = request.POST.get("word", "")[: limits.SLIP_TEXT], not request.POST.get("stands")
    return _run_button_action(
        request, session, lambda: refuse_word(turn, word=word, refused=refused, actor=get_actor(request))
    )


@take_session_post
def submit_master_word(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Lay a master word and close the turn."""
    turn, form = get_played_turn(session), MasterWordForm(request.POST)
    # With fixed words nothing is typed: the form is not looked at, and cannot be at fault.
    if session.sealed and session.sealed["masters"]:
        message = _("The word fixed in advance has been laid; turn %(number)s is closed.") % {"number": turn.number}
        return _run_button_action(request, session, lambda: close_turn(turn, actor=get_actor(request)), message)

    def act(data: dict[str, Any]) -> None:
        close_turn(turn, **data, actor=get_actor(request))

    message = _("The word has been laid; turn %(number)s is closed.") % {"number": turn.number}
    return _run_form_action(request, session, act, message, master_form=form)


@login_required
@require_safe
def show_best_plays_of_draw(request: HttpRequest, slug: str) -> HttpResponse:
    """The best plays that the list allows in the open turn, for the director alone."""
    session = get_duplicate_session_or_404(request, slug)
    turn = get_object_or_404(DuplicateTurn, session=session, is_closed=False)
    turn.session = session
    state = load_session_state(session, slips_of_open_turn=True)
    board = state.value.boards[turn.number - 1]
    # Both are asked for: the row may be there, and its file be missing or damaged.
    best = find_best_plays(board, turn.draw, state.word_list) if state.word_list and state.allows else None
    context = build_session_context(session.division, tabs=False, turn=turn, best=best)
    part = "games/duplicate/_best.html" if request.headers.get("HX-Request") else "games/duplicate/best.html"
    return render(request, part, context)


@login_required
@require_http_methods(["GET", "POST"])
def edit_closed_turn(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A closed turn: every slip, the word laid; a post corrects what a slip scores."""
    session = get_duplicate_session_or_404(request, slug)
    state = load_session_state(session)
    row = next((turn for turn in state.turns if turn.number == number and turn.is_closed), None)
    if row is None:
        raise Http404(_("There is no closed turn %(number)s.") % {"number": number})
    row.session = session
    form = SlipCorrectionForm(request.POST or None, entries=state.entries)

    def act(data: dict[str, Any]) -> None:
        values = {name: data[name] for name in ("points", "why", "alone")}
        entry, today = form.entries[data["player"]], timezone.localdate()
        correct_slip(row, entry=entry, **values, today=today, actor=get_actor(request))

    if form.done(act):
        messages.success(request, _("The slip is corrected. The reason is public."))
        return redirect(get_session_url(session.division, "games:duplicate_turn", number))
    context = {
        **build_session_context(session.division, tabs=False, row=row, form=form, action=request.get_full_path()),
        "tiles": spell_session_draw(state, row.draw),
        "lines": list_slip_lines(state, row),
        "points": state.master_points(row.number),
        "board": make_session_board_picture(state, row.number),
        "corrections": state.corrections.get(row.pk, ()),
        "twice": session.twice,
    }
    return render(request, "games/duplicate/turn.html", context)


@take_session_post
def submit_session_end(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """End the session before the rules do."""
    form = EndSessionForm(request.POST, auto_id="end_%s")

    def act(data: dict[str, Any]) -> None:
        end_session(session, why=data["reason"], actor=get_actor(request))

    return _run_form_action(request, session, act, _("The session is ended."), end_form=form)


@take_session_post
def submit_session_resumption(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Go on with a session that the director has ended."""
    return _run_button_action(request, session, lambda: resume_session(session, actor=get_actor(request)))


@take_session_post
def toggle_second_correction(request: HttpRequest, session: DuplicateSession) -> HttpResponse:
    """Switch the second correction on, or off (`off`)."""
    is_on = "off" not in request.POST
    return _run_button_action(
        request, session, lambda: switch_second_correction(session, on=is_on, actor=get_actor(request))
    )


def _load_second_typing(
    request: HttpRequest, slug: str, number: int
) -> tuple[SessionState, DuplicateTurn, dict[str, Any]]:
    """The session, a turn of it, and how far its second correction has come; 404 where slips are typed once."""
    session = get_duplicate_session_or_404(request, slug)
    state = load_session_state(session)
    row = next((turn for turn in state.turns if turn.number == number), None)
    if row is None or not session.twice:
        raise Http404(_("Turn %(number)s has no second correction.") % {"number": number})
    row.session = session
    return state, row, load_second_progress(state, row, get_actor(request))


@login_required
@require_http_methods(["GET", "POST"])
def type_slips_again(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Type the slips of a turn again; what the first typing says is not on this page."""
    state, row, progress = _load_second_typing(request, slug, number)
    form = SecondReadingForm(request.POST or None, entries=state.entries)

    def act(_data: dict[str, Any]) -> None:
        record_second_reading(row, entry=form.entry, read=form.read, actor=get_latest_actor(request))

    if form.done(act):
        return redirect(get_session_url(state.session.division, "games:duplicate_second", number))
    context = build_session_context(state.session.division, tabs=False, row=row, progress=progress, form=form)
    return render(request, "games/duplicate/second.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def settle_differing_slips(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What two people have read differently; each is settled from the paper slip."""
    state, row, progress = _load_second_typing(request, slug, number)
    form = SettleSlipForm(request.POST or None, entries=state.entries, differing=progress["differing"])

    def act(_data: dict[str, Any]) -> None:
        settle_slip(row, entry=form.entry, read=form.read, today=timezone.localdate(), actor=get_latest_actor(request))

    if form.done(act):
        messages.success(request, _("The slip of %(name)s is settled.") % {"name": form.entry.name})
        return redirect(get_session_url(state.session.division, "games:duplicate_settle", number))
    context = build_session_context(state.session.division, tabs=False, row=row, progress=progress, form=form)
    return render(request, "games/duplicate/settle.html", context)


@login_required
@require_safe
def show_session_document(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """A document as PDF, shown in the browser; 404 for one that does not exist. With `?club=` the result sheet of that
    club alone."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    session = find_duplicate_session(division)
    if session is None or name not in SESSION_DOCUMENTS:
        raise Http404(_("There is no document “%(name)s”.") % {"name": name})
    state = load_session_state(session)
    with translation.override(choose_paper_language(division.tournament.language)):
        if name == "clubs":
            content = render_club_results(make_header(division), state, request.GET.get("club", ""))
        else:
            content = SESSION_DOCUMENTS[name][1](make_header(division), state)
    return answer_with_pdf(content, f"{slug}-duplicate-{name}.pdf")
