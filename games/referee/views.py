"""The referee's pages: a table's log with its forms, striking a line, and the log of the whole tournament."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.judge import jury
from games.models import Challenge, Incident, Question
from games.referee import catalogue, effects, log, operations, reverting
from games.referee.forms import ChallengeForm, IncidentForm, StrikeForm, official, reason_words, taken_over
from games.referee.kinds import IncidentFigure, IncidentKind
from games.referee.wrong_words import WrongWordForm
from games.shared import frame, words
from games.shared.lookup import row_of
from games.shared.seen import seen, was_seen
from tournament import access
from tournament.models import Pairing, Round, Tournament
from tournament.operations.knockout_games import DisturbsLater, ids_from_text
from tournament.operations.results import PlayersChanged
from tournament.refusals import Refusal, Refusals
from tournament.reports import Report
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell
from tournament.views.director.single_submission import SingleSubmission
from tournament.whatif import consequences

LAST = 3
"""How many of the last questions to the word judge are offered to take over."""
KEY_DIGITS = 19
"""Of the largest key of a row."""


@login_required
@require_GET
def table(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A table's log, what can be noted, and the form of a challenge."""
    tournament = access.directed_tournament(request, slug)
    pairing = _game(tournament, pk)
    asked = request.GET.get("question", "")
    is_key = asked.isdecimal() and len(asked) <= KEY_DIGITS
    taken = Question.objects.filter(tournament=tournament, pk=asked).first() if is_key else None
    return _table_page(request, pairing, ChallengeForm(pairing=pairing, initial=taken_over(taken)))


def _game(tournament: Tournament, pk: int) -> Pairing:
    """A game between two in a published round; 404 otherwise."""
    pairing = access.pairing_of(tournament, pk)
    if pairing.second is None or pairing.round.is_draft:
        raise Http404(_("The referee's log belongs to games between two that are published."))
    return pairing


def _table_page(
    request: HttpRequest, pairing: Pairing, form: ChallengeForm, asked: dict[str, Any] | None = None
) -> HttpResponse:
    """The table's page; `asked` is a question about points that wait, with the line that it is about."""
    rules = pairing.round.division.tournament.rules
    lines = log.of_pairing(pairing)
    context = {
        **frame.of(pairing),
        "lines": lines,
        "waiting": [line for line in lines if line.waits],
        "kinds": catalogue.kinds(rules),
        "form": form if rules.challenges else None,
        "is_closed": bool(rules.challenges and rules.challenges.in_play_only and operations.is_over(pairing)),
        "rules": rules,
        "askers": None if rules.questions is None else jury.of_pairing(pairing),
        "questions": Question.objects.filter(tournament=pairing.round.division.tournament).order_by("-pk")[:LAST],
        "once": SingleSubmission(request).token,
        "asked": asked,
        "hidden_seen": [("seen", seen(pairing))],
    }
    return render(request, "games/referee/table.html", context)


@login_required
@require_POST
def challenge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Note a challenge."""
    pairing = _game(access.directed_tournament(request, slug), pk)
    form, once = ChallengeForm(request.POST, pairing=pairing), SingleSubmission(request)
    if form.done(lambda _data: once.run(lambda: _noted_challenge(request, pairing, form))):
        return redirect(once.address)
    return _table_page(request, pairing, form)


def _noted_challenge(request: HttpRequest, pairing: Pairing, form: ChallengeForm) -> str:
    fields = {name: form.cleaned_data[name] for name in ("challenger", "turn", "penalty", "reason")}
    made = operations.log_challenge(pairing, words=form.words, actor=access.actor(request), **fields)
    messages.success(request, _("Noted: %(what)s") % {"what": log.line(made, pairing).decision})
    return _table_url(pairing)


def _table_url(pairing: Pairing) -> str:
    return reverse("games:referee", args=[pairing.round.division.tournament.slug, pairing.pk])


@login_required
@require_http_methods(["GET", "POST"])
def incident(request: HttpRequest, slug: str, pk: int, key: str) -> HttpResponse:
    """Note one kind of incident; what changes the result is shown, and asked about once, beforehand."""
    pairing = _game(access.directed_tournament(request, slug), pk)
    kind = catalogue.kind(pairing.round.division.tournament.rules, key)
    if kind is None:
        raise Http404(_("This ruleset has no such incident."))
    data = request.POST if request.method == "POST" else None
    made = WrongWordForm if kind.figure == IncidentFigure.TURN else IncidentForm
    form, once = made(data, pairing=pairing, kind=kind), SingleSubmission(request)
    if data and form.is_valid() and (form.has_asked or _report(pairing, form) is None):
        if form.done(lambda _data: once.run(lambda: _noted_incident(request, pairing, form))):
            return redirect(once.address)
        pairing = _game(pairing.round.division.tournament, pk)
    return _incident_page(request, pairing, kind, form, once)


def _report(pairing: Pairing, form: IncidentForm) -> Report | None:
    return effects.report(official(pairing), form.noted.decision)


def _noted_incident(request: HttpRequest, pairing: Pairing, form: IncidentForm) -> str:
    version, players = was_seen(form.cleaned_data["seen"])
    if players != tuple(seat.entry_id for seat in pairing.seats.all()):
        raise PlayersChanged(table=pairing.table)
    made = operations.log_incident(
        pairing,
        noted=form.noted,
        actor=access.actor(request),
        expected_version=version,
        disturb=ids_from_text(form.cleaned_data["disturbs"]),
    )
    messages.success(request, _("Noted: %(what)s") % {"what": log.line(made, pairing).what})
    return _table_url(pairing)


def _incident_page(
    request: HttpRequest, pairing: Pairing, kind: IncidentKind, form: IncidentForm, once: SingleSubmission
) -> HttpResponse:
    review = _review(pairing, form) if form.is_bound and not form.errors else None
    context = {**frame.of(pairing), "form": form, "kind": kind, "review": review, "once": once.token}
    return render(request, "games/referee/incident.html", context)


def _review(pairing: Pairing, form: IncidentForm) -> dict[str, Any]:
    """What a valid form would change: the result before and after, ranks, later rounds."""
    decision = form.noted.decision
    report = effects.report(official(pairing), decision)
    return {
        "before": words.official(pairing),
        "after": words.credited(pairing, report) if report else "",
        "consequences": consequences.of(pairing, report) if report else None,
        "asked": form.fingerprint,
        "is_award": decision.effect in effects.AWARDS,
    }


@login_required
@require_POST
def apply(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take off penalty points that waited for the result; asks first where later games would no longer count."""
    tournament = access.directed_tournament(request, slug)
    found = row_of(Incident, tournament, pk)
    pairing = _game(tournament, found.pairing_id)
    version, _players = was_seen(request.POST.get("seen", ""))
    kind = catalogue.kind(tournament.rules, found.kind)
    try:
        operations.apply_incident(
            found,
            actor=access.actor(request),
            expected_version=version,
            words=reason_words(kind) if kind else found.kind,
            disturb=ids_from_text(request.POST.get("disturbs", "")),
        )
        fresh = _game(tournament, found.pairing_id)
        messages.success(request, _("Taken off. %(result)s") % {"result": words.official(fresh)})
    except DisturbsLater as question:
        hidden = [("seen", seen(pairing)), ("disturbs", question.agreed)]
        asked = {"line": found.pk, "question": question, "hidden": hidden}
        return _table_page(request, pairing, ChallengeForm(pairing=pairing), asked)
    except (Refusal, Refusals) as refusal:
        messages.error(request, str(refusal))
    return redirect(_table_url(pairing))


@login_required
@require_http_methods(["GET", "POST"])
def strike_incident(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Strike an incident, after a look at what becomes of the result."""
    tournament = access.directed_tournament(request, slug)
    found = row_of(Incident, tournament, pk)
    pairing = _game(tournament, found.pairing_id)
    form = StrikeForm(request.POST or None)
    version, _players = was_seen(request.POST.get("seen", ""))
    if form.done(
        lambda data: operations.withdraw_incident(
            found,
            why=data["why"],
            actor=access.actor(request),
            expected_version=version,
            disturb=ids_from_text(data["disturbs"]),
        )
    ):
        messages.success(request, _("The line is struck; it stays in the log."))
        return redirect(_table_url(pairing))
    return _strike_page(request, pairing, found, form)


def _strike_page(request: HttpRequest, pairing: Pairing, found: Incident, form: StrikeForm) -> HttpResponse:
    back = reverting.reverted(found, pairing.result)
    context = {
        **frame.of(pairing),
        "form": form,
        "line": log.line(found, pairing),
        "before": words.official(pairing),
        "after": _after(pairing, back),
        "consequences": consequences.of(pairing, back.report) if back else None,
        "stays": found.version is not None and back is None,
    }
    return render(request, "games/referee/strike.html", context)


def _after(pairing: Pairing, back: reverting.Reversal | None) -> str:
    if back is None:
        return ""
    return words.credited(pairing, back.report) if back.report else _("The table is open again.")


@login_required
@require_http_methods(["GET", "POST"])
def strike_challenge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Strike a challenge from the log."""
    tournament = access.directed_tournament(request, slug)
    found = row_of(Challenge, tournament, pk)
    pairing = _game(tournament, found.pairing_id)
    form = StrikeForm(request.POST or None)
    if form.done(lambda data: operations.withdraw_challenge(found, why=data["why"], actor=access.actor(request))):
        messages.success(request, _("The line is struck; it stays in the log."))
        return redirect(_table_url(pairing))
    return render(
        request, "games/referee/strike.html", {**frame.of(pairing), "form": form, "line": log.line(found, pairing)}
    )


@login_required
@require_GET
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """The log of the whole tournament, and what each player has in it."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    lines = log.of_tournament(tournament)
    context = {
        **shell(tournament, division, "results", tabs=False),
        "lines": lines,
        "counts": log.counts(lines),
        "query": query(division),
        "tables": [] if tournament.is_directed else _open_tables(tournament),
    }
    return render(request, "games/referee/overview.html", context)


def _open_tables(tournament: Tournament) -> list[Pairing]:
    """The games of all rounds that are being played, by division, round and table. Four queries."""
    games = Pairing.objects.filter(round__division__tournament=tournament, kind=Pairing.Kind.GAME)
    found = games.filter(round__state=Round.State.PUBLISHED).with_players().with_results()
    found = found.select_related("round__division__tournament", "round__division__knockout")
    return list(found.order_by("round__division__position", "round__number", "table", "pk"))
