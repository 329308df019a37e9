"""The public tournaments of one organiser."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.models import Organiser
from tournament.queries import front_page, seasons
from tournament.views import query_string
from tournament.views.public.home import ENDED_A_PAGE


@require_safe
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """Running, coming and ended tournaments of one organiser, and its seasons. Three queries; 404 if there is none."""
    organiser = get_object_or_404(Organiser, slug=slug)
    listed = front_page.public_tournaments(timezone.localdate(), organiser)
    ended = query_string.page(request, listed.ended, ENDED_A_PAGE)
    context = {"organiser": organiser, "listed": listed, "ended": ended, "seasons": seasons.listed(organiser)}
    return render(request, "public/organiser.html", context)
