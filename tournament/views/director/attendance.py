"""Attendance: check-in, who leaves, who comes back, who misses a round."""

import re
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournament import access
from tournament.forms import entries as forms
from tournament.models import Division, JournalEntry, Tournament
from tournament.operations import attendance
from tournament.operations.change import Actor
from tournament.queries import league
from tournament.views.director import button_refusals
from tournament.views.director.entries import back_to, entry_of, list_url
from tournament.views.director.journal import JournalLine
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell

KEY = re.compile(r"[0-9]{1,18}")
"""A primary key as the page sends it."""


@login_required
@require_http_methods(["GET", "POST"])
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Tick who is present and who has paid. A post saves all ticks of the page at once, or marks everybody present."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if request.method == "POST":
        _save_ticks(request, tournament)
        messages.success(request, _("The check-in is saved."))
        return redirect(reverse("director:check_in", args=[slug]) + query(division))
    return render(request, "director/check_in.html", _check_in_context(tournament, division))


def _check_in_context(tournament: Tournament, division: Division) -> dict[str, Any]:
    """What the page shows; the last tick among it, with the way to take it back."""
    playing = sorted(
        (entry for entry in league.entries(division) if not entry.is_withdrawn),
        key=lambda entry: (entry.player.sort_name, entry.pk),
    )
    next_round = league.last_round(division) + 1
    missing = attendance.absentees(division, number=next_round)
    last = JournalEntry.objects.filter(tournament=tournament).defer("rows").order_by("-number").first()
    return {
        **shell(tournament, division, "entries"),
        "playing": playing,
        "present": sum(1 for entry in playing if entry.present),
        "missing": missing,
        "decide": forms.DecideForm(missing=missing, next_round=next_round),
        "form": forms.AbsenteesForm(next_round=next_round),
        "last": JournalLine(last) if last and last.verb in TICKS else None,
    }


TICKS = ("check_in", "mark_fees")
"""What the page does."""

COLUMNS = ("present", "paid")


@login_required
@require_POST
def tick(request: HttpRequest, slug: str, pk: int, column: str, state: str) -> HttpResponse:
    """Set one tick, as its address says, and answer a script with the row and what else of the page it changes."""
    tournament = access.directed_tournament(request, slug)
    found = entry_of(tournament, pk)
    if column not in COLUMNS or state not in ("on", "off"):
        raise Http404(_("There is no such tick."))
    actor, ticked = access.actor(request), [pk] if state == "on" else []
    if column == "present":
        attendance.check_in(tournament, shown=[pk], present=ticked, actor=actor)
    else:
        attendance.mark_fees(tournament, shown=[pk], paid=ticked, actor=actor)
    if not request.headers.get("HX-Request"):
        return redirect(reverse("director:check_in", args=[slug]) + query(found.division))
    context = _check_in_context(tournament, found.division)
    context["entry"] = next((each for each in context["playing"] if each.pk == pk), found)
    return render(request, "director/_check_in_ticked.html", context)


def _save_ticks(request: HttpRequest, tournament: Tournament) -> None:
    """Both columns of ticks. Only entries that the page showed are touched."""
    ticked = {name: _numbers(request, name) for name in ("shown", *COLUMNS)}
    actor = access.actor(request)
    if "everybody" in request.POST:
        attendance.check_in(tournament, shown=ticked["shown"], present=ticked["shown"], actor=actor)
        return
    attendance.check_in(tournament, shown=ticked["shown"], present=ticked["present"], actor=actor)
    attendance.mark_fees(tournament, shown=ticked["shown"], paid=ticked["paid"], actor=actor)


def _numbers(request: HttpRequest, name: str) -> set[int]:
    return {int(value) for value in request.POST.getlist(name) if KEY.fullmatch(value)}


@login_required
@require_http_methods(["GET", "POST"])
def absentees(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave out or withdraw everybody who is not checked in. Without a post: to the check-in."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if request.method == "GET":
        return redirect(reverse("director:check_in", args=[slug]) + query(division))
    form = forms.AbsenteesForm(request.POST, next_round=league.last_round(division) + 1)
    counted: list[int] = []
    if form.done(lambda typed: counted.append(_settle(division, typed, access.actor(request)))):
        text = ngettext("%(count)s player is left out.", "%(count)s players are left out.", counted[0])
        messages.success(request, text % {"count": counted[0]})
        return redirect(list_url(division))
    for fault in form.faults:
        messages.error(request, fault)
    return render(request, "director/check_in.html", {**_check_in_context(tournament, division), "form": form})


@login_required
@require_http_methods(["GET", "POST"])
def decide(request: HttpRequest, slug: str) -> HttpResponse:
    """Decide for each player who is not checked in: out for this round, withdrawn, still expected. Without a post: to
    the check-in."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    address = reverse("director:check_in", args=[slug]) + query(division)
    if request.method == "GET":
        return redirect(address)
    number = league.last_round(division) + 1
    form = forms.DecideForm(request.POST, missing=attendance.absentees(division, number=number), next_round=number)
    counted: list[int] = []
    if form.done(lambda _typed: counted.append(_decided(division, form, access.actor(request)))):
        text = ngettext("%(count)s player is decided.", "%(count)s players are decided.", counted[0])
        messages.success(request, text % {"count": counted[0]})
        return redirect(address)
    for fault in form.faults:
        messages.error(request, fault)
    return render(request, "director/check_in.html", {**_check_in_context(tournament, division), "decide": form})


def _decided(division: Division, form: forms.DecideForm, actor: Actor) -> int:
    return attendance.settle_absentees(division, number=form.number, decided=form.decided, actor=actor)


def _settle(division: Division, typed: dict[str, object], actor: Actor) -> int:
    if typed["what"] == forms.AbsenteesForm.WITHDRAW:
        return attendance.withdraw_absentees(division, actor=actor)
    return attendance.leave_out_absentees(division, number=int(str(typed["number"])), actor=actor)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let somebody leave after a round."""
    found = entry_of(access.directed_tournament(request, slug), pk)
    last, planned = league.last_round(found.division), league.planned_rounds(found.division)
    form = forms.WithdrawEntryForm(request.POST, last=last, planned=planned)
    if form.done(lambda typed: attendance.withdraw(found, actor=access.actor(request), **typed)):
        messages.success(request, _("%(name)s is withdrawn. What they played stays.") % {"name": found.name})
    return back_to(request, found, withdraw_form=form)


@login_required
@require_POST
def back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let somebody play again who was withdrawn."""
    tournament = access.directed_tournament(request, slug)
    found = entry_of(tournament, pk)
    form = forms.BackForm(request.POST, rules=tournament.rules)
    if form.done(lambda typed: attendance.bring_back(found, actor=access.actor(request), **typed)):
        messages.success(request, _("%(name)s plays again from the next round.") % {"name": found.name})
    return back_to(request, found, back_form=form)


@login_required
@require_POST
def absence(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Leave somebody out of a future round."""
    tournament = access.directed_tournament(request, slug)
    found = entry_of(tournament, pk)
    last, planned = league.last_round(found.division), league.planned_rounds(found.division)
    form = forms.AbsenceForm(request.POST, next_round=last + 1, planned=planned, rules=tournament.rules)
    if form.done(lambda typed: attendance.set_absence(found, actor=access.actor(request), **typed)):
        messages.success(
            request,
            _("%(name)s misses round %(number)s.") % {"name": found.name, "number": form.cleaned_data["number"]},
        )
    return back_to(request, found, absence_form=form)


@login_required
@require_POST
def attend(request: HttpRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """Let somebody take part in a round after all."""
    found = entry_of(access.directed_tournament(request, slug), pk)
    with button_refusals.refusals(request):
        attendance.remove_absence(found, number=number, actor=access.actor(request))
        messages.success(request, _("%(name)s plays round %(number)s.") % {"name": found.name, "number": number})
    return redirect("director:entry", slug, pk)
