"""The pages of a session for several clubs, for its organiser: prepare it, seal it, join what the clubs send back."""

from dataclasses import replace
from random import randrange
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.duplicate import envelopes, words
from games.duplicate.frame import address
from games.models import JoinedClub, PreparedSession
from games.sealed import clubs, operations, page, plan, report
from games.sealed.forms import ClubFilesForm, PreparedForm, RulingForm
from games.sealed.page import JoinedResults
from games.sealed.plan import SealedPlan
from scoring.joined import Word
from tournament import access, limits, one_at_a_time
from tournament.exchange import faults, sealed_file
from tournament.exchange.json_text import too_large
from tournament.models import Division
from tournament.refusals import Refusal, Refusals
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell

HERE = "games:duplicate_sealed"
SEEDS = 2**31


@login_required
@require_http_methods(["GET", "POST"])
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """A session as it is prepared so far; once it is sealed, what clubs are sent and what they send back."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    row = _prepared(division)
    if row is not None and row.envelope:
        return _sealed_page(request, division, row)
    initial = PreparedForm.started_from(row, _usual(division))
    form = PreparedForm(request.POST or None, organiser=division.tournament.organiser, initial=initial)

    def act(_data: dict[str, Any]) -> None:
        wanted = form.prepared(randrange(1, SEEDS))
        if "fill" in request.POST:
            wanted = replace(wanted, turns=plan.filled_in(wanted, operations.list_of(division, wanted)))
        operations.save_prepared(division, plan=wanted, actor=access.actor(request))

    if form.done(act):
        messages.success(request, _("The session is saved."))
        return redirect(address(division, HERE))
    turns = len(operations.plan_of(row).lines) if row else 0
    context = {"form": form, "turns": turns, "query": query(division)}
    return render(
        request, "games/sealed/prepare.html", {**shell(division.tournament, division, "duplicate"), **context}
    )


def _usual(division: Division) -> SealedPlan:
    """What a session is prepared with by the rules; 404 by rules without one."""
    rules = division.tournament.rules
    if rules.duplicate is None:
        raise Http404(_("By %(ruleset)s there is no duplicate session.") % {"ruleset": rules.name})
    return SealedPlan("", rules.letters, rules.duplicate.turns, rules.duplicate.turn_seconds)


def _prepared(division: Division) -> PreparedSession | None:
    row = PreparedSession.objects.filter(division=division).first()
    if row is not None:
        row.division = division
    return row


def loaded(request: HttpRequest, slug: str) -> tuple[Division, PreparedSession]:
    """The division and the session that is prepared in it; 404 if there is none."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    row = _prepared(division)
    if row is None:
        raise Http404(_("In division %(division)s no session is prepared for clubs.") % {"division": division.name})
    return division, row


def _sealed_page(request: HttpRequest, division: Division, row: PreparedSession, **forms: object) -> HttpResponse:
    """The page of a sealed session with the forms that were refused, or fresh ones."""
    found = page.results(row)
    assert found is not None
    context = {
        **shell(division.tournament, division, "duplicate"),
        "query": query(division),
        "row": row,
        "found": found,
        "rows": found.rows if found.clubs else [],
        "differences": found.differences,
        "missing_list": words.list_missing(row.words) if found.is_list_missing else "",
        "files_form": ClubFilesForm(),
        "ruling_form": RulingForm(),
        **forms,
    }
    return render(request, "games/sealed/sealed.html", context)


@login_required
@require_POST
def seal(request: HttpRequest, slug: str) -> HttpResponse:
    """Seal the session: from now on it is as it is."""
    division, row = loaded(request, slug)
    with button_refusals.refusals(request):
        operations.seal_session(row, actor=access.actor(request))
        messages.success(request, _("The session is sealed. Save its file for the clubs, and keep the codes apart."))
    return redirect(address(division, HERE))


@login_required
@require_safe
def file(request: HttpRequest, slug: str) -> HttpResponse:
    """The sealed session as the file that clubs are sent."""
    _division, row = loaded(request, slug)
    envelope = envelopes.of(row.envelope)
    if envelope is None:
        raise Http404(_("“%(name)s” is not sealed yet.") % {"name": row.name})
    response = HttpResponse(sealed_file.write(envelope), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{envelope.mark}.sealed.json"'
    return response


@login_required
@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Join what clubs have sent back; of several files those without a fault are taken."""
    division, row = loaded(request, slug)
    form = ClubFilesForm(request.POST, request.FILES)
    if form.is_valid():
        for sent in form.cleaned_data["sent"]:
            _join_one(request, row, form, sent)
    if form.errors:
        return (
            _sealed_page(request, division, row, files_form=form) if row.envelope else redirect(address(division, HERE))
        )
    return redirect(address(division, HERE))


def _join_one(request: HttpRequest, row: PreparedSession, form: ClubFilesForm, sent: Any) -> None:
    """Join one file, or say beside the field what is wrong with it."""
    name, envelope = str(sent.name)[: limits.QUOTED * 2], envelopes.of(row.envelope)
    try:
        if envelope is None:
            raise operations.NotSealed(name=row.name)
        if sent.size > limits.FILE_BYTES:
            raise too_large(sent.size, limits.FILE_BYTES)
        with one_at_a_time.wait_for_turn():
            found = clubs.read(sent.read(), file=name, envelope=envelope)
        club = operations.join_club(row, file=found, actor=replace(access.actor(request), seen=None))
        messages.success(request, _("%(club)s is joined.") % {"club": club.name})
    except faults.Faults as found_faults:
        form.add_error("sent", [f"{name}: {fault}" for fault in found_faults.faults])
    except Refusals as refused:
        form.refuse(*refused.refusals)
    except Refusal as refused_one:
        form.refuse(refused_one)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a club's file out of the table."""
    division, row = loaded(request, slug)
    club = get_object_or_404(JoinedClub, pk=pk, prepared=row)
    club.prepared = row
    with button_refusals.refusals(request):
        operations.remove_club(club, actor=access.actor(request))
        messages.success(request, _("%(club)s is removed. It can be undone in the journal.") % {"club": club.name})
    return redirect(address(division, HERE))


@login_required
@require_POST
def rule(request: HttpRequest, slug: str) -> HttpResponse:
    """Decide what a word scores in every club."""
    division, row = loaded(request, slug)
    form = RulingForm(request.POST)
    found = page.results(row)

    def act(data: dict[str, Any]) -> None:
        word = _judged_differently(found, data["word"])
        operations.rule(row, word=word, points=data["points"], why=data["why"] or "", actor=access.actor(request))

    if form.done(act):
        return redirect(address(division, HERE))
    if found is None:
        return redirect(address(division, HERE))
    return _sealed_page(request, division, row, ruling_form=form)


def _judged_differently(found: JoinedResults | None, text: str) -> Word:
    """The word that the form names; 404 if the clubs do not differ about it."""
    lines = found.differences if found else []
    word = next((line.found.word for line in lines if line.word == text), None)
    if word is None:
        raise Http404(_("The clubs do not differ about “%(word)s”.") % {"word": text[: limits.QUOTED]})
    return word


@login_required
@require_safe
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """The table over all clubs as CSV."""
    _division, row = loaded(request, slug)
    found = page.results(row)
    if found is None:
        raise Http404(_("“%(name)s” is not sealed yet.") % {"name": row.name})
    response = HttpResponse(report.as_csv(found), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{found.envelope.mark}.csv"'
    return response
