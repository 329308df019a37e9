"""Files in: lists of players, whole tournaments."""

from dataclasses import replace
from typing import IO

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from tournament import access
from tournament.exchange import faults, players, storing
from tournament.exchange.archive import carrying
from tournament.forms import imports as forms
from tournament.models import Division, Tournament
from tournament.operations import entries, tournaments
from tournament.operations.change import Actor
from tournament.operations.players import update_register
from tournament.queries import league
from tournament.refusals import Refusal
from tournament.views.director import button_refusals
from tournament.views.director.entries import list_url
from tournament.views.director.events import console_url
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import organiser_shell, shell
from tournament.views.director.single_submission import SingleSubmission
from tournament.words import archives

MOST_WARNINGS = 20


@login_required
@require_http_methods(["GET", "POST"])
def entry_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Paste or read a list of players, look at what it would do, and enter them all."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    divisions = forms.by_name(league.divisions(tournament))
    form, preview = forms.PlayerListForm(request.POST or None, request.FILES or None), None
    if form.is_valid() and form.sheet:
        sheet = form.sheet.turned() if "turn" in request.POST else form.sheet
        preview = forms.Preview(
            sheet, players.preview(sheet, tournament.organiser_id, tournament=tournament), divisions
        )
        if "enter" in request.POST and not preview.faults and _entered(request, preview, division, divisions):
            return redirect(list_url(division))
        form = forms.PlayerListForm(initial={"text": preview.text})
    context = {**shell(tournament, division, "entries"), "form": form, "preview": preview}
    return render(request, "director/import_players.html", context)


def _entered(request: HttpRequest, preview: forms.Preview, division: Division, divisions: dict[str, Division]) -> bool:
    """Enter everybody on the list; return whether that was possible."""
    wanted = forms.newcomers(preview.sheet, division, divisions)
    done = None
    with button_refusals.refusals(request):
        done = entries.enter_all(division.tournament, newcomers=wanted, actor=access.actor(request))
    if done is None:
        return False
    text = ngettext("%(count)s player is entered.", "%(count)s players are entered.", len(done.new))
    messages.success(request, text % {"count": len(done.new)})
    if done.already:
        text = ngettext("%(count)s was entered already.", "%(count)s were entered already.", len(done.already))
        messages.info(request, text % {"count": len(done.already)})
    return True


@login_required
@require_http_methods(["GET", "POST"])
def register_list(request: HttpRequest) -> HttpResponse:
    """Paste or read a list of players into the register; what the list states is written there."""
    around = organiser_shell(request)
    form, preview = forms.PlayerListForm(request.POST or None, request.FILES or None), None
    if form.is_valid() and form.sheet:
        sheet = form.sheet.turned() if "turn" in request.POST else form.sheet
        preview = forms.Preview(sheet, players.preview(sheet, around["organiser"].pk))
        actor = access.actor(request, around["organiser"])
        if "enter" in request.POST and not preview.faults and _registered(request, preview, actor):
            return redirect(reverse("director:players") + around["organiser_query"])
        form = forms.PlayerListForm(initial={"text": preview.text})
    return render(request, "director/import_players.html", {**around, "form": form, "preview": preview})


def _registered(request: HttpRequest, preview: forms.Preview, actor: Actor) -> bool:
    """Write the list into the register; return whether that was possible."""
    done = None
    with button_refusals.refusals(request):
        done = update_register(people=[row.person for row in preview.sheet.rows], actor=actor)
        figures = {"added": done.added, "changed": done.changed, "same": done.same}
        messages.success(request, _("Register: %(added)s new, %(changed)s changed, %(same)s unchanged.") % figures)
    return done is not None


@login_required
@require_http_methods(["GET", "POST"])
def tournament_file(request: HttpRequest) -> HttpResponse:
    """Read a whole tournament from files; with any fault nothing is read in."""
    around = organiser_shell(request)
    actor = access.actor(request, around["organiser"])
    form, once = forms.TournamentFilesForm(request.POST or None, request.FILES or None), SingleSubmission(request)
    if form.is_valid():
        try:
            once.run(lambda: _carried(request, form.archive, actor) if form.archive else _stored(request, form, actor))
            return redirect(once.address)
        except faults.Faults as found:
            form.refuse(found.faults)
        except Refusal as refused:
            form.refuse((faults.Fault(faults.Code.REFUSED, figures={"why": str(refused)}),))
    shown = form.faults[: forms.MOST_FAULTS_SHOWN]
    context = {**around, "form": form, "once": once, "faults": form.faults, "shown": shown}
    return render(request, "director/import_file.html", context)


def _carried(request: HttpRequest, archive: IO[bytes], actor: Actor) -> str:
    """Store the event of an archive, under a free address; return where it is."""
    stated = carrying.address_of(archive)
    slug = _free(request, stated) or stated
    done = carrying.carry_in(archive, slug=slug, actor=actor, is_sent=True)
    messages.success(request, archives.carried_on(done.tournament, done.entries, done.photos))
    before = Tournament.objects.filter(slug=stated, organiser=done.tournament.organiser_id)
    for earlier in before.exclude(pk=done.tournament.pk):
        messages.warning(request, archives.earlier_one(earlier))
    for said in archives.did_not_come(done.photos_gone, done.lists_missing):
        messages.warning(request, said)
    return console_url(done.tournament)


def _free(request: HttpRequest, slug: str) -> str:
    """Another address where the file's own is taken, and say so; else the empty text."""
    if not Tournament.objects.filter(slug=slug).exists():
        return ""
    free = tournaments.slug_for(slug)
    messages.info(request, _("The file’s address was taken; this one is %(slug)s.") % {"slug": free})
    return free


def _stored(request: HttpRequest, form: forms.TournamentFilesForm, actor: Actor) -> str:
    """Store the event that was read, under a free address; return where it is."""
    event, warnings = form.read.event, form.read.warnings
    if free := _free(request, event.slug):
        event = replace(event, slug=free)
    made = storing.store(event, actor=actor)
    messages.success(request, _("“%(name)s” is read in.") % {"name": made.name})
    for warning in warnings[:MOST_WARNINGS]:
        messages.warning(request, str(warning))
    more = len(warnings) - MOST_WARNINGS
    if more > 0:
        text = ngettext("There is %(count)s more remark.", "There are %(count)s more remarks.", more)
        messages.warning(request, text % {"count": more})
    return console_url(made)
