"""The referee's pages: a table's log with its forms, striking a line, and the log of the whole tournament."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.core.pages import format_seen_state, get_game_row_or_404, make_table_context, parse_seen_state
from games.core.words import describe_credited_result, describe_official_result
from games.judge.jury import list_askers
from games.models import Challenge, Incident, Question
from games.referee.catalogue import IncidentFigure, find_incident_kind, list_incident_kinds
from games.referee.effects import AWARDING_EFFECTS, apply_decision, convert_result_to_report, find_reversal
from games.referee.forms import (
    ChallengeForm,
    IncidentForm,
    StrikeForm,
    WrongWordForm,
    build_challenge_initial,
    format_incident_reason,
)
from games.referee.operations import (
    apply_incident,
    is_game_over,
    log_challenge,
    log_incident,
    withdraw_challenge,
    withdraw_incident,
)
from games.referee.referee_log import build_log_line, count_incidents, list_pairing_log, list_tournament_log
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament, get_open_pairing
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.reports import Report
from tournament.journal.consequences import find_consequences
from tournament.models import Pairing, Round, Tournament
from tournament.pages.forms import parse_key
from tournament.pages.frames import build_director_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import SingleSubmission
from tournament.results.knockout_games import LaterGamesDisturbed, parse_result_ids
from tournament.results.operations import PlayersChanged

QUESTIONS_OFFERED = 3  # how many of the last questions to the word judge are offered to take over


@login_required
@require_GET
def show_table_log(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A table's log, what can be noted, and the form of a challenge."""
    tournament = get_directed_tournament(request, slug)
    pairing = _get_game(tournament, pk)
    key = parse_key(request.GET.get("question", ""))
    question = Question.objects.filter(tournament=tournament, pk=key).first() if key is not None else None
    return _render_table_log(
        request, pairing, ChallengeForm(pairing=pairing, initial=build_challenge_initial(question))
    )


def _get_game(tournament: Tournament, pk: int) -> Pairing:
    """A game between two in a published round; 404 otherwise."""
    pairing = get_open_pairing(tournament, pk)
    if pairing.second is None or pairing.round.is_draft:
        raise Http404(_("The referee's log is only for published games between two players."))
    return pairing


def _render_table_log(
    request: HttpRequest, pairing: Pairing, form: ChallengeForm, asked: dict[str, Any] | None = None
) -> HttpResponse:
    """The table's page; `asked` is a question about points that wait, with the line that it is about."""
    tournament, lines = pairing.round.division.tournament, list_pairing_log(pairing)
    rules = tournament.rules
    context = {
        **make_table_context(pairing),
        "lines": lines,
        "waiting": [line for line in lines if line.waits],
        "kinds": list_incident_kinds(rules),
        "form": form if rules.challenges else None,
        "is_closed": bool(rules.challenges and rules.challenges.in_play_only and is_game_over(pairing)),
        "rules": rules,
        "askers": None if rules.questions is None else list_askers([pairing]),
        "questions": Question.objects.filter(tournament=tournament).order_by("-pk")[:QUESTIONS_OFFERED],
        "once": SingleSubmission(request).token,
        "asked": asked,
        "hidden_seen": [("seen", format_seen_state(pairing))],
    }
    return render(request, "games/referee/table.html", context)


@login_required
@require_POST
def note_challenge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Note a challenge."""
    pairing = _get_game(get_directed_tournament(request, slug), pk)
    # Known by its token and not by what it says: a second challenge of the same words is a line of its own, a second
    # click is not.
    form, once = ChallengeForm(request.POST, pairing=pairing), SingleSubmission(request)
    if outcome := form.done(lambda _data: once.run(lambda: _save_challenge(request, pairing, form))):
        return redirect(outcome.result)
    return _render_table_log(request, pairing, form)


def _save_challenge(request: HttpRequest, pairing: Pairing, form: ChallengeForm) -> str:
    fields = {name: form.cleaned_data[name] for name in ("challenger", "turn", "penalty", "reason")}
    challenge = log_challenge(pairing, words=form.words, actor=get_actor(request), **fields)
    messages.success(request, _("Noted: %(what)s") % {"what": build_log_line(challenge, pairing).decision})
    return _get_table_url(pairing)


def _get_table_url(pairing: Pairing) -> str:
    return reverse("games:referee", args=[pairing.round.division.tournament.slug, pairing.pk])


@login_required
@require_http_methods(["GET", "POST"])
def note_incident(request: HttpRequest, slug: str, pk: int, key: str) -> HttpResponse:
    """Note one kind of incident; what changes the result is shown, and asked about once, beforehand."""
    pairing = _get_game(get_directed_tournament(request, slug), pk)
    kind = find_incident_kind(pairing.round.division.tournament.rules, key)
    if kind is None:
        raise Http404(_("This ruleset has no such incident."))
    data = request.POST if request.method == "POST" else None
    form_class = WrongWordForm if kind.figure == IncidentFigure.TURN else IncidentForm
    form, once = form_class(data, pairing=pairing, kind=kind), SingleSubmission(request)
    # What changes no result is noted at once; anything else is shown first, and `has_asked` is true only for the very
    # values and the very result that were shown.
    if data and form.is_valid() and (form.has_asked or _preview_report(pairing, form) is None):
        if outcome := form.done(lambda _data: once.run(lambda: _save_incident(request, pairing, form))):
            return redirect(outcome.result)
        # Refused: the result may be another one by now, and is what the page is to show.
        pairing = _get_game(pairing.round.division.tournament, pk)
    review = _review_decision(pairing, form) if form.is_bound and not form.errors else None
    context = {**make_table_context(pairing), "form": form, "kind": kind, "review": review, "once": once.token}
    return render(request, "games/referee/incident.html", context)


def _preview_report(pairing: Pairing, form: IncidentForm) -> Report | None:
    """The result that the decision of a valid form makes; None if it changes none."""
    return apply_decision(convert_result_to_report(pairing.result), form.noted.decision)


def _save_incident(request: HttpRequest, pairing: Pairing, form: IncidentForm) -> str:
    version, players = parse_seen_state(form.cleaned_data["seen"])
    # Two others may sit at this table since the page came: a penalty is not to be theirs.
    if players != tuple(seat.entry_id for seat in pairing.seats.all()):
        raise PlayersChanged(table=pairing.table)
    incident = log_incident(
        pairing,
        noted=form.noted,
        actor=get_actor(request),
        expected_version=version,
        disturb=parse_result_ids(form.cleaned_data["disturbs"]),
    )
    messages.success(request, _("Noted: %(what)s") % {"what": build_log_line(incident, pairing).what})
    return _get_table_url(pairing)


def _review_decision(pairing: Pairing, form: IncidentForm) -> dict[str, Any]:
    """What a valid form would change: the result before and after, ranks, later rounds."""
    report = _preview_report(pairing, form)
    return {
        "before": describe_official_result(pairing),
        "after": describe_credited_result(pairing, report) if report else "",
        "consequences": find_consequences(pairing, report) if report else None,
        "asked": form.fingerprint,
        "is_award": form.noted.decision.effect in AWARDING_EFFECTS,
    }


@login_required
@require_POST
def apply_waiting_points(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take off penalty points that waited for the result; asks first where later games would no longer count."""
    tournament = get_directed_tournament(request, slug)
    incident = get_game_row_or_404(Incident, tournament, pk)
    pairing = _get_game(tournament, incident.pairing_id)
    version, _players = parse_seen_state(request.POST.get("seen", ""))
    kind = find_incident_kind(tournament.rules, incident.kind)
    try:
        apply_incident(
            incident,
            actor=get_actor(request),
            expected_version=version,
            # The ruleset may have been changed since, to one whose book does not have this kind.
            words=format_incident_reason(kind) if kind else incident.kind,
            disturb=parse_result_ids(request.POST.get("disturbs", "")),
        )
        # Read anew: the game above has the result from before.
        fresh = _get_game(tournament, incident.pairing_id)
        messages.success(request, _("Taken off. %(result)s") % {"result": describe_official_result(fresh)})
    # Before the refusals, although it is one of them: it asks, and is answered by the same button.
    except LaterGamesDisturbed as question:
        hidden = [("seen", format_seen_state(pairing)), ("disturbs", question.agreed)]
        question_asked = {"line": incident.pk, "question": question, "hidden": hidden}
        return _render_table_log(request, pairing, ChallengeForm(pairing=pairing), question_asked)
    except (Refusal, Refusals) as refusal:
        messages.error(request, str(refusal))
    return redirect(_get_table_url(pairing))


@login_required
@require_http_methods(["GET", "POST"])
def strike_incident(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Strike an incident, after a look at what becomes of the result."""
    tournament = get_directed_tournament(request, slug)
    incident = get_game_row_or_404(Incident, tournament, pk)
    pairing = _get_game(tournament, incident.pairing_id)
    form = StrikeForm(request.POST or None)
    version, _players = parse_seen_state(request.POST.get("seen", ""))
    if form.done(
        lambda data: withdraw_incident(
            incident,
            why=data["why"],
            actor=get_actor(request),
            expected_version=version,
            disturb=parse_result_ids(data["disturbs"]),
        )
    ):
        messages.success(request, _("The line is struck; it stays in the log."))
        return redirect(_get_table_url(pairing))
    return _render_strike(request, pairing, incident, form)


def _render_strike(request: HttpRequest, pairing: Pairing, incident: Incident, form: StrikeForm) -> HttpResponse:
    back, after = find_reversal(incident, pairing.result), ""
    if back is not None:
        after = describe_credited_result(pairing, back.report) if back.report else _("The table is open again.")
    context = {
        **make_table_context(pairing),
        "form": form,
        "line": build_log_line(incident, pairing),
        "before": describe_official_result(pairing),
        "after": after,
        "consequences": find_consequences(pairing, back.report) if back else None,
        "stays": incident.version is not None and back is None,
    }
    return render(request, "games/referee/strike.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def strike_challenge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Strike a challenge from the log."""
    tournament = get_directed_tournament(request, slug)
    challenge = get_game_row_or_404(Challenge, tournament, pk)
    pairing = _get_game(tournament, challenge.pairing_id)
    form = StrikeForm(request.POST or None)
    if form.done(lambda data: withdraw_challenge(challenge, why=data["why"], actor=get_actor(request))):
        messages.success(request, _("The line is struck; it stays in the log."))
        return redirect(_get_table_url(pairing))
    context = {**make_table_context(pairing), "form": form, "line": build_log_line(challenge, pairing)}
    return render(request, "games/referee/strike.html", context)


@login_required
@require_GET
def show_referee_log(request: HttpRequest, slug: str) -> HttpResponse:
    """The log of the whole tournament, and what each player has in it."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    lines = list_tournament_log(tournament)
    around = build_director_context(tournament, division, "results", tabs=False)
    context = {
        **around,
        "several": bool(around["division_query"]),
        "lines": lines,
        "counts": count_incidents(lines),
        "query": make_division_query(division),
        "tables": [] if tournament.is_directed else _list_open_games(tournament),
    }
    return render(request, "games/referee/overview.html", context)


def _list_open_games(tournament: Tournament) -> list[Pairing]:
    """The games of all rounds that are being played, by division, round and table. Four queries."""
    games = Pairing.objects.filter(round__division__tournament=tournament, kind=Pairing.Kind.GAME)
    open_games = games.filter(round__state=Round.State.PUBLISHED).with_players().with_results()
    open_games = open_games.select_related("round__division__tournament", "round__division__knockout")
    return list(open_games.order_by("round__division__position", "round__number", "table", "pk"))
