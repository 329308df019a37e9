"""What an open page asks every few seconds: has anything been done since? The answer is nearly always no."""

from collections.abc import Mapping
from http import HTTPStatus

from django.db.models import Count, QuerySet, Sum
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from tournament import access, latest
from tournament.models import Organiser, Tournament
from tournament.queries import public_view
from tournament.views.public.caching import unshared


def remembered(
    request: HttpRequest, tournament: Tournament, kind: str, key: str, states: Mapping[str, str]
) -> HttpResponse:
    """As `answer`, for the state of `key` among all of this kind, for anybody who asks at this address. They are
    remembered, so that the next question need not come here."""
    subject = latest.Subject(tournament.pk, kind)
    latest.note_states(request.path_info, key, subject, tournament.revision, states)
    return answer(request, states.get(key, ""))


def answer(request: HttpRequest, state: str) -> HttpResponse:
    """204 if the page asking has seen `state`, which it names as `?seen=`; else 200 with `{"state": …}`, to be named
    the next time."""
    seen = request.GET.get("seen") == state
    return unshared(HttpResponse(status=HTTPStatus.NO_CONTENT) if seen else JsonResponse({"state": state}))


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether anything has changed in a public tournament, or there is more to see of it by now. One query, two where
    something is held back; 404 as soon as it is hidden."""
    found = access.public_tournament(slug)
    return remembered(request, found, "public", "", {"": public_view.of(found).state})


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Whether anything has changed in any public tournament, or one has come or gone. Two queries."""
    return answer(request, _state_of(Tournament.objects.public()))


@require_safe
def organiser(request: HttpRequest, slug: str) -> HttpResponse:
    """The same for the public tournaments of one organiser. Three queries; 404 if there is no such organiser."""
    found = get_object_or_404(Organiser, slug=slug)
    return answer(request, _state_of(Tournament.objects.public().filter(organiser=found)))


def _state_of(tournaments: QuerySet[Tournament]) -> str:
    found = tournaments.aggregate(count=Count("pk"), revisions=Sum("revision", default=0))
    return f"{found['count']}-{found['revisions']}-{len(public_view.unseen_rounds())}"
