"""Registrations: the list, one of them with what can be done, and taking confirmed ones over as entries."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access
from tournament.exchange import registration_file
from tournament.forms.base import OperationForm
from tournament.forms.fields import key
from tournament.forms.registrations import MoveRegistrationForm, RefuseForm
from tournament.models import Contact, Letter, Registration, RegistrationState, Tournament
from tournament.operations import outbox, waiting_list
from tournament.operations import registrations as operations
from tournament.operations.change import Actor
from tournament.operations.registrations import ToTakeOver
from tournament.queries import registrations as queries
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.online_entry import tournament_of
from tournament.views.director.shell import shell
from tournament.words import registrations as words

ACTS: Mapping[str, Callable[..., None]] = {
    "confirm": operations.confirm,
    "wait": operations.put_on_waiting_list,
    "withdraw": operations.withdraw,
    "paid": partial(operations.mark_paid, paid=True),
    "unpaid": partial(operations.mark_paid, paid=False),
}
"""What a button does, by the last part of its address."""


def _shell(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return shell(tournament, access.division_of(request, tournament), "entries", tabs=False)


@never_cache
@login_required
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody who has registered, by what became of it; letters that could not be sent. Thirteen queries with session
    and user."""
    tournament = tournament_of(request, slug)
    online = waiting_list.settings_of(tournament)
    if online is None:
        return redirect("director:online_entry", slug)
    context = {
        **_shell(request, tournament),
        "online": online,
        "groups": queries.groups(tournament),
        "unconfirmed": queries.unconfirmed(tournament),
        "letters": [(letter, words.not_sent(letter.fault)) for letter in queries.not_sent(tournament)],
        "taken": waiting_list.taken(tournament),
        "address": outbox.full_address(f"/t/{slug}/register/"),
    }
    return render(request, "director/registrations.html", context)


def _registration(request: HttpRequest, slug: str, pk: int) -> Registration:
    tournament = tournament_of(request, slug)
    found = Registration.objects.select_related("division", "entry__player")
    registration = get_object_or_404(found, tournament=tournament, pk=pk)
    registration.tournament = tournament
    return registration


@never_cache
@login_required
@require_safe
def one(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One registration, and what can be done with it."""
    return _one_page(request, _registration(request, slug, pk))


def _one_page(request: HttpRequest, registration: Registration, **forms_sent: OperationForm) -> HttpResponse:
    tournament = registration.tournament
    around = _shell(request, tournament)
    context = {
        **around,
        "registration": registration,
        "contact": Contact.objects.filter(registration=registration).first(),
        "number": waiting_list.number_of(registration),
        "refuse_form": RefuseForm(),
        "move_form": MoveRegistrationForm(registration=registration),
        "several": tournament.divisions.count() > 1,
        **forms_sent,
    }
    return render(request, "director/registration.html", context)


@login_required
@require_POST
def settle(request: HttpRequest, slug: str, pk: int, what: str) -> HttpResponse:
    """Do with a registration what the button says; 404 for anything else."""
    registration = _registration(request, slug, pk)
    if what not in ACTS:
        raise Http404
    with button_refusals.refusals(request):
        ACTS[what](registration, actor=access.actor(request))
        messages.success(request, _("%(name)s is saved.") % {"name": registration.name})
    return redirect("director:registrations", slug)


@login_required
@require_POST
def refuse(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Do not accept a registration."""
    registration = _registration(request, slug, pk)
    form = RefuseForm(request.POST)
    if form.done(lambda typed: operations.refuse(registration, actor=access.actor(request), **typed)):
        messages.success(request, _("The registration of %(name)s is not accepted.") % {"name": registration.name})
        return redirect("director:registrations", slug)
    return _one_page(request, registration, refuse_form=form)


@login_required
@require_POST
def move(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Move a registration to another division."""
    registration = _registration(request, slug, pk)
    form = MoveRegistrationForm(request.POST, registration=registration)
    if form.done(lambda typed: operations.move(registration, actor=access.actor(request), **typed)):
        messages.success(request, _("%(name)s is saved.") % {"name": registration.name})
        return redirect("director:registrations", slug)
    return _one_page(request, registration, move_form=form)


@login_required
@require_http_methods(["GET", "POST"])
def take_over(request: HttpRequest, slug: str) -> HttpResponse:
    """The confirmed registrations that are no entries yet; a post makes entries of those that are ticked."""
    tournament = tournament_of(request, slug)
    if request.method == "POST":
        with button_refusals.refusals(request):
            _taken_over(request, tournament, access.actor(request))
        return redirect("director:registrations", slug)
    rows = [
        row for group in queries.groups(tournament) if group.state == RegistrationState.CONFIRMED for row in group.rows
    ]
    context = {"rows": [row for row in rows if row.registration.entry_id is None]}
    return render(request, "director/take_registrations.html", {**_shell(request, tournament), **context})


def _taken_over(request: HttpRequest, tournament: Tournament, actor: Actor) -> None:
    chosen, others = ({key(text) for text in request.POST.getlist(name)} for name in ("take", "anyway"))
    choices = [ToTakeOver(pk, anyway=pk in others) for pk in chosen if pk is not None]
    done = operations.take_over(tournament, choices=choices, actor=actor)
    count = len(done.new)
    said = ngettext("%(count)s player is entered.", "%(count)s players are entered.", count)
    messages.success(request, said % {"count": count})
    if done.known:
        names = ", ".join(entry.name for entry in done.known)
        messages.info(request, _("Entered already, and not a second time: %(names)s.") % {"names": names})
    if done.left:
        names = ", ".join(registration.name for registration in done.left)
        messages.warning(request, _("Registered twice, and entered once: %(names)s.") % {"names": names})


@never_cache
@login_required
@require_safe
def file(request: HttpRequest, slug: str) -> HttpResponse:
    """All registrations for a spreadsheet program."""
    tournament = tournament_of(request, slug)
    response = HttpResponse(registration_file.as_csv(tournament), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{tournament.slug}-registrations.csv"'
    return response


@login_required
@require_POST
def letter(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Send a letter that could not be sent once more, or throw it away."""
    found = get_object_or_404(Letter, tournament=tournament_of(request, slug), pk=pk)
    if request.POST.get("discard"):
        outbox.discard(found)
        messages.success(request, _("The letter to %(to)s is thrown away.") % {"to": found.to})
    else:
        outbox.try_again(found)
        messages.success(request, _("The letter to %(to)s is being sent again.") % {"to": found.to})
    return redirect("director:registrations", slug)
