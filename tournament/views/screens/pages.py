"""The pages of the screens: one of them, the choice where there are several, the clock alone, and what they ask."""

import time

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament import access, listening
from tournament.models import Portrait, Screen, Tournament
from tournament.pictures import files
from tournament.queries import hall as queries
from tournament.queries import public_view
from tournament.views.public import caching
from tournament.views.screens.contents import Contents
from tournament.views.screens.values import Part
from tournament.words import hall as words


@require_safe
@caching.page
def choose(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Which of the screens this one is; where there is one only, it is that."""
    screens = queries.screens(tournament)
    if len(screens) == 1:
        return redirect("public:screen", tournament.slug, screens[0].number)
    named = [(screen.number, words.screen_name(screen)) for screen in screens]
    return render(request, "screens/choose.html", {"tournament": tournament, "screens": named})


@require_safe
@caching.page
def screen(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """One screen, told from the desk what it shows; 404 if there is none of this number."""
    found = next((each for each in queries.screens(tournament) if each.number == number), None)
    if found is None:
        raise Http404(_("There is no screen %(number)s.") % {"number": number})
    parts = Contents(queries.hall_of(tournament)).of(found)
    return _rendered(request, found, parts, words.screen_name(found))


@require_safe
@caching.page
def clock(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The clock of the round alone, on any browser that is no screen of the hall."""
    clock = Screen(tournament=tournament, number=0, shows=Screen.Shows.CLOCK)
    found = Contents(queries.hall_of(tournament)).of(clock)
    return _rendered(request, clock, found, _("Clock"))


@require_safe
def portrait(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """A player's photo, from the moment on when a screen of the ceremony shows that player; 404 before.

    Two queries, besides the first time after a change, when the slides are worked out.
    """
    tournament = access.public_tournament(slug)
    found = Portrait.objects.filter(pk=pk, entry__tournament=tournament).first()
    if found is None or pk not in _portraits_shown(tournament):
        raise Http404(_("There is no photo here."))
    return files.response(found.name, f"player-{pk}.jpg")


def _portraits_shown(tournament: Tournament) -> frozenset[int]:
    """The photos that screens of the ceremony have shown, or show by themselves: kept as long as nothing is done."""
    key = f"portraits-shown:{tournament.slug}:{tournament.pk}:{tournament.revision}"
    return cache.get_or_set(key, lambda: _portraits(tournament), caching.KEPT_SECONDS) or frozenset()


def _portraits(tournament: Tournament) -> frozenset[int]:
    is_held = any(screen.shows_ceremony for screen in queries.screens(tournament))
    return Contents(queries.hall_of(tournament)).portraits if is_held else frozenset()


def page_of_part(request: HttpRequest, tournament: Tournament, part: Part, name: str) -> HttpResponse:
    """A page of one part that is no screen of the hall, and is told nothing from the desk but messages."""
    return _rendered(request, Screen(tournament=tournament, number=0), [part], name)


def _rendered(request: HttpRequest, screen: Screen, parts: list[Part], name: str) -> HttpResponse:
    tournament = screen.tournament
    hall = queries.hall_of(tournament)
    context = {
        "tournament": tournament,
        "screen": screen,
        "name": name,
        "hall": hall,
        "parts": parts,
        "clock_means": words.clock_means(tournament),
        "is_covered": hall.message_covers and bool(hall.message),
    }
    return render(request, "screens/screen.html", context)


@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """What a screen asks every second or two: the state of the event, and what time it is here.

    Who asks as screen `number` is noted as listening. One query; 404 as soon as the event is hidden.
    """
    tournament = access.public_tournament(slug)
    asked = request.GET
    number, width, height = (_figure(asked.get(name, "")) for name in ("number", "width", "height"))
    if number:
        browser = asked.get("browser", "")
        listening.heard(tournament.pk, number, browser=browser, width=width, height=height)
    answer = JsonResponse({"state": public_view.of(tournament).state, "now": round(time.time() * 1000)})
    return caching.unshared(answer)


def _figure(text: str) -> int:
    """A whole number as a page of ours sends it; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 5 else 0
