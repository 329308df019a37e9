"""The list of public tournaments."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.queries import front_page, seasons
from tournament.views import query_string

ENDED_A_PAGE = 50


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Running, coming and ended tournaments, and who organises them if there are several; seasons. Four queries."""
    listed = front_page.public_tournaments(timezone.localdate())
    ended = query_string.page(request, listed.ended, ENDED_A_PAGE)
    context = {
        "listed": listed,
        "ended": ended,
        "organisers": front_page.several_organisers(),
        "seasons": seasons.listed(),
    }
    return render(request, "public/home.html", context)
