"""Tournaments as a whole: the director's home, a new one, the example event, a copy, deleting."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access, demo
from tournament.forms.tournaments import CopyForm, DeleteTournamentForm, NewForm
from tournament.laptop.backup import keeper, places
from tournament.models import Tournament
from tournament.operations import tournaments
from tournament.plan import presets
from tournament.queries import console, league
from tournament.views import query_string
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import organiser_shell, shell
from tournament.views.director.single_submission import SingleSubmission
from tournament.words import announcement

TOURNAMENTS_A_PAGE = 50


def console_url(tournament: Tournament) -> str:
    """The address of a tournament's console."""
    return reverse("director:console", args=[tournament.slug])


@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The tournaments of the organiser for whom the user works, newest first. Five queries with session and user."""
    found = access.memberships(request)
    if not found:
        return render(request, "director/no_organiser.html")
    around = organiser_shell(request, found)
    page = query_string.page(request, console.listed(around["organiser"]), TOURNAMENTS_A_PAGE)
    context = {**around, "page": page, "once": SingleSubmission(request), "kept": keeper.status_in_words(places.here())}
    return render(request, "director/home.html", context)


@login_required
@require_safe
def new(request: HttpRequest) -> HttpResponse:
    """The presets to choose from."""
    return render(request, "director/new.html", {**organiser_shell(request), "presets": presets.PRESETS})


@login_required
@require_http_methods(["GET", "POST"])
def new_from(request: HttpRequest, preset: str) -> HttpResponse:
    """One short form for a tournament from a preset; the rest has defaults, said in words."""
    chosen = presets.get(preset)
    if chosen is None:
        raise Http404(_("There is no preset “%(key)s”.") % {"key": preset})
    around = organiser_shell(request)
    form, once = NewForm(request.POST or None, preset=chosen), SingleSubmission(request)

    def create() -> str:
        actor = access.actor(request, around["organiser"])
        made = tournaments.create_tournament(actor=actor, preset=chosen, **form.cleaned_data)
        messages.success(request, _("“%(name)s” is made. Next: enter the players.") % {"name": made.name})
        return reverse("director:entries", args=[made.slug])

    if form.done(lambda typed: once.run(create)):
        return redirect(once.address)
    context = {
        **around,
        "form": form,
        "preset": chosen,
        "once": once,
        "facts": announcement.facts(tournaments.from_preset(chosen)),
        "plan": [(announcement.segment_rounds(part), announcement.segment(part)) for part in chosen.plan],
    }
    return render(request, "director/new_from.html", context)


@login_required
@require_POST
def demo_event(request: HttpRequest) -> HttpResponse:
    """Make the example event and go there."""
    actor, once = access.actor(request, access.organiser(request)), SingleSubmission(request)

    def load() -> str:
        made = demo.load(actor=actor, today=timezone.localdate())
        messages.success(request, _("This is the example event. Nothing in it is real; try out everything."))
        return console_url(made)

    once.run(load)
    return redirect(once.address)


@login_required
@require_http_methods(["GET", "POST"])
def copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Make another tournament like this one, without results."""
    tournament = access.directed_tournament(request, slug)
    form, once = CopyForm(request.POST or None, initial={"name": tournament.name}), SingleSubmission(request)

    def make() -> str:
        made = tournaments.copy_tournament(tournament, actor=access.actor(request), **form.cleaned_data)
        messages.success(request, _("The copy is made. Only you see it until you make it visible in its settings."))
        return reverse("director:settings", args=[made.slug])

    if form.done(lambda typed: once.run(make)):
        return redirect(once.address)
    division = league.divisions(tournament)[0]
    return render(
        request, "director/copy.html", {**shell(tournament, division, "settings"), "form": form, "once": once}
    )


@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a tournament whose name the director types."""
    tournament = access.directed_tournament(request, slug)
    form = DeleteTournamentForm(request.POST or None)
    if form.done(lambda typed: tournaments.delete_tournament(tournament, actor=access.actor(request), **typed)):
        messages.success(request, _("“%(name)s” is deleted.") % {"name": tournament.name})
        return redirect("director:home")
    division = league.divisions(tournament)[0]
    context = {**shell(tournament, division, "settings"), "form": form, "entered": tournament.entries.count()}
    return render(request, "director/delete.html", context)
