"""Who may see and do what. Views load their tournament here and nowhere else."""

import re

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournament.models import Division, Pairing, Round, Tournament
from tournament.operations.change import Actor

REVISION = re.compile("[0-9]{1,9}")


def public_tournament(slug: str) -> Tournament:
    """The tournament that anyone may see under this address; 404 if there is none or it is not public."""
    return get_object_or_404(Tournament.objects.public(), slug=slug)


def directed_tournament(request: HttpRequest, slug: str) -> Tournament:
    """The tournament that the signed-in user directs; 404 if there is none, 403 if it is somebody else's."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not Tournament.objects.directed_by(request.user).filter(pk=tournament.pk).exists():
        raise PermissionDenied(_("You do not direct this tournament."))
    return tournament


def division_of(request: HttpRequest, tournament: Tournament) -> Division:
    """The division that `?division=` names, by default the first; 404 for a name that the tournament does not have."""
    name = request.GET.get("division") or request.POST.get("division")
    found = list(tournament.divisions.select_related("knockout").order_by("position", "pk"))
    chosen = next((division for division in found if division.name == name or not name), None)
    if chosen is None:
        raise Http404(_("This tournament has no division “%(name)s”.") % {"name": name or ""})
    chosen.tournament = tournament
    return chosen


def round_of(division: Division, number: int, *, drafts: bool = False, knockout: bool = False) -> Round:
    """Round `number` of a division; 404 if there is none or, without `drafts`, if it is not published.

    A round of the knock-out is found only with `knockout`: it has no table and the director cannot change it.
    """
    rounds = Round.objects.filter(division=division)
    if not knockout:
        rounds = rounds.league()
    found = get_object_or_404(rounds if drafts else rounds.public(), number=number)
    found.division = division
    return found


def pairing_of(tournament: Tournament, pk: int) -> Pairing:
    """A pairing of this tournament by its id; 404 for another tournament's."""
    pairings = Pairing.objects.select_related("round__division__tournament", "round__division__knockout")
    pairings = pairings.with_players().with_results()
    return get_object_or_404(pairings, pk=pk, round__division__tournament=tournament)


def host(request: HttpRequest) -> None:
    """Refuse with a 403 whoever does not look after the installation."""
    if not (isinstance(request.user, User) and request.user.is_superuser):
        raise PermissionDenied(_("Only whoever looks after the installation may see this."))


def actor(request: HttpRequest) -> Actor:
    """Who acts in this request, for results and journal, and what the page that was posted had shown (`revision`)."""
    user = request.user
    return Actor(user=user if user.is_authenticated else None, seen=_seen(request.POST.get("revision")))


def _seen(revision: str | None) -> int | None:
    """The revision that a page showed; a page that says something else has seen nothing."""
    if revision is None:
        return None
    return int(revision) if REVISION.fullmatch(revision) else 0
