"""Entries: the list with a line to add somebody, and one entry with everything that can be done with it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament import access
from tournament.forms import entries as forms
from tournament.forms.base import OperationForm
from tournament.forms.players import person, shown
from tournament.models import Division, Entry, KeptApart, Portrait, Tournament
from tournament.operations import entries, online_entry, plans
from tournament.queries import console, league, public
from tournament.views import query_string, ways_in
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell
from tournament.views.director.single_submission import SingleSubmission


def list_url(division: Division) -> str:
    """The address of a division's list of entries."""
    return reverse("director:entries", args=[division.tournament.slug]) + query(division)


def entry_of(tournament: Tournament, pk: int) -> Entry:
    """An entry of this tournament by its id; 404 for another tournament's."""
    found = get_object_or_404(
        Entry.objects.select_related("player__club", "club", "division"), pk=pk, tournament=tournament
    )
    found.tournament = found.division.tournament = tournament
    return found


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The entries of a division, and a line to enter the next one."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    last, planned = league.last_round(division), league.planned_rounds(division)
    form = forms.EnterForm(request.POST or None, next_round=last + 1, planned=planned, rules=tournament.rules)
    once = SingleSubmission(request)

    def enter() -> str:
        typed = form.cleaned_data
        made = entries.enter(
            division,
            person=person(typed),
            details=forms.details(typed),
            late=forms.late(typed),
            anyway=typed["anyway"],
            actor=access.actor(request),
        )
        messages.success(request, _("%(name)s is entered as %(key)s.") % {"name": made.name, "key": made.key})
        return list_url(division)

    if form.done(lambda typed: once.run(enter)):
        return redirect(once.address)
    context = {**shell(tournament, division, "entries"), "form": form, "once": once, "late": last > 0}
    return render(request, "director/entries.html", context | _listed(request, division))


def _listed(request: HttpRequest, division: Division) -> dict[str, Any]:
    """The entries as the page lists them. Four queries."""
    everybody = sorted(league.entries(division), key=lambda entry: (entry.player.sort_name, entry.pk))
    search = query_string.search(request)
    playing = [entry for entry in everybody if not entry.is_withdrawn]
    return {
        "everybody": everybody,
        "search": search,
        "rows": console.entry_rows(division, public.find(everybody, search)),
        "withdrawn": len(everybody) - len(playing),
        "present": sum(1 for entry in playing if entry.present),
        "takes_registrations": online_entry.is_offered(),
        "known": [shown(player) for player in console.offered(division.tournament)],
        "needed": plans.rounds_needed(division, entered=len(playing)),
        "planned": league.planned_rounds(division),
    }


@login_required
@require_http_methods(["GET", "POST"])
def entry(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One entry: its figures to correct, and the ways to withdraw, leave out, move or remove it."""
    tournament = access.directed_tournament(request, slug)
    found = entry_of(tournament, pk)
    form = forms.DetailsForm(request.POST or None, initial=forms.of(found), rules=tournament.rules)
    if form.done(
        lambda typed: entries.edit_entry(
            found, person=person(typed), details=forms.details(typed), actor=access.actor(request)
        )
    ):
        messages.success(request, _("%(name)s is saved.") % form.cleaned_data)
        return redirect(list_url(found.division))
    return _entry_page(request, found, form=form)


def _entry_page(request: HttpRequest, found: Entry, **forms_shown: OperationForm) -> HttpResponse:
    """An entry's page; each form that was refused stands there by its name as it was sent."""
    return render(request, "director/entry.html", {**_entry_context(request, found.tournament, found), **forms_shown})


def _entry_context(request: HttpRequest, tournament: Tournament, found: Entry) -> dict[str, Any]:
    """What an entry's page shows beside the form. Nine queries."""
    last, planned = league.last_round(found.division), league.planned_rounds(found.division)
    first_to_miss = max(last + 1, found.first_round)
    shown_shell = shell(tournament, found.division, "entries")
    return {
        **shown_shell,
        "divisions": (),
        "entry": found,
        "form": forms.DetailsForm(initial=forms.of(found), rules=tournament.rules),
        "paired": found.seats.exists(),
        "absences": list(found.absences.order_by("number")),
        "last": last,
        "apart": console.kept_apart(found),
        "withdraw_form": forms.WithdrawEntryForm(last=last, planned=planned),
        "back_form": forms.BackForm(rules=tournament.rules),
        "absence_form": forms.AbsenceForm(next_round=first_to_miss, planned=planned, rules=tournament.rules),
        "apart_form": forms.ApartForm(entry=found),
        "portrait": Portrait.objects.filter(entry=found).first(),
        "personal": ways_in.personal(request, found),
        "move_form": forms.MoveForm(entry=found) if len(shown_shell["divisions"]) > 1 else None,
    }


@login_required
@require_POST
def move(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Move an entry to another division."""
    found = entry_of(access.directed_tournament(request, slug), pk)
    form = forms.MoveForm(request.POST, entry=found)
    if form.done(lambda typed: entries.move_entry(found, actor=access.actor(request), **typed)):
        division = form.cleaned_data["division"]
        messages.success(
            request, _("%(name)s plays in division %(division)s now.") % {"name": found.name, "division": division.name}
        )
        return redirect(reverse("director:entries", args=[slug]) + query(division))
    return back_to(request, found, move_form=form)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take back an entry that was never paired."""
    tournament = access.directed_tournament(request, slug)
    found = Entry.objects.filter(pk=pk, tournament=tournament).select_related("player", "division").first()
    if found is None:  # Taken back already: the form was sent twice.
        return redirect("director:entries", slug)
    found.tournament = found.division.tournament = tournament
    with button_refusals.refusals(request):
        entries.remove_entry(found, actor=access.actor(request))
        messages.success(request, _("The entry of %(name)s is taken back.") % {"name": found.name})
    return redirect(list_url(found.division))


@login_required
@require_POST
def apart(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Keep two entries apart."""
    found = entry_of(access.directed_tournament(request, slug), pk)
    form = forms.ApartForm(request.POST, entry=found)
    if form.done(lambda typed: entries.keep_apart(found, actor=access.actor(request), **typed)):
        messages.success(
            request,
            _("%(name)s and %(other)s are kept apart.")
            % {"name": found.name, "other": form.cleaned_data["other"].name},
        )
    return back_to(request, found, apart_form=form)


@login_required
@require_POST
def together(request: HttpRequest, slug: str, pk: int, pair: int) -> HttpResponse:
    """Let two entries meet again."""
    found = entry_of(access.directed_tournament(request, slug), pk)
    pairs = KeptApart.objects.select_related("one__player", "one__tournament", "other__player")
    kept = pairs.filter(pk=pair, one__tournament=found.tournament).first()
    if kept is not None:
        entries.allow_to_meet(kept, actor=access.actor(request))
        messages.success(request, _("They may meet again."))
    return redirect("director:entry", slug, pk)


def back_to(request: HttpRequest, found: Entry, **forms_sent: OperationForm) -> HttpResponse:
    """Back to an entry's page; what was refused is said above it, and stands beside what was typed.

    The form may stand there no more: somebody who was paired meanwhile cannot move.
    """
    faults = [fault for form in forms_sent.values() for fault in form.faults]
    if not faults:
        return redirect("director:entry", found.tournament.slug, found.pk)
    for fault in faults:
        messages.error(request, fault)
    return _entry_page(request, entry_of(found.tournament, found.pk), **forms_sent)
