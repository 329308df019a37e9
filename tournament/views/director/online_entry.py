"""Online entry: whether, when and how the tournament takes registrations."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament import access
from tournament.forms.registrations import OnlineEntryForm
from tournament.models import OnlineEntry, Tournament
from tournament.operations import online_entry, outbox, waiting_list
from tournament.operations.online_entry import Terms
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import shell
from tournament.words.registrations import moment


def tournament_of(request: HttpRequest, slug: str) -> Tournament:
    """The tournament, if this installation can take registrations; 404 if it cannot, else as `access`."""
    tournament = access.directed_tournament(request, slug)
    if not online_entry.is_offered():
        raise Http404
    return tournament


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """What is set; a post sets it."""
    tournament = tournament_of(request, slug)
    stored = waiting_list.settings_of(tournament)
    initial = {name: getattr(Terms.of(stored), name) for name in OnlineEntryForm.base_fields}
    form = OnlineEntryForm(request.POST or None, initial=initial)
    if form.done(lambda _typed: _set_up(request, tournament, form)):
        return redirect("director:registrations", slug)
    division = access.division_of(request, tournament)
    context = {**shell(tournament, division, "entries", tabs=False), "form": form}
    return render(request, "director/online_entry.html", {**context, "zone": timezone.get_current_timezone_name()})


def _set_up(request: HttpRequest, tournament: Tournament, form: OnlineEntryForm) -> None:
    stored = online_entry.set_up(tournament, terms=form.terms(), actor=access.actor(request))
    messages.success(request, _said(tournament, stored))


def _said(tournament: Tournament, stored: OnlineEntry) -> str:
    """What holds from now on."""
    now = timezone.now()
    if not stored.is_on:
        return _("No registrations are taken.")
    if stored.has_closed(now) and stored.closes_at:
        return _("Saved. Registrations are closed since %(at)s.") % {"at": moment(stored.closes_at)}
    if not stored.has_opened(now) and stored.opens_at:
        return _("Saved. Registrations are taken from %(at)s.") % {"at": moment(stored.opens_at)}
    over = waiting_list.taken(tournament) - (stored.places or 0)
    if stored.places and over > 0:
        said = _("Saved. %(over)s more have a place than there are; nobody loses theirs.")
        return said % {"over": over}
    return _("Registrations are taken at %(address)s") % {
        "address": outbox.full_address(f"/t/{tournament.slug}/register/")
    }
