"""The pages of the screens: one of them, the choice where there are several, the clock alone, and what they ask."""

import re
import time

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.access.rules import get_public_tournament
from tournament.basics.pictures import build_picture_response
from tournament.core.public_view import get_public_view
from tournament.hall.queries import get_hall, list_screens, note_listener
from tournament.hall.views.contents import ScreenContents, ScreenPart
from tournament.hall.words import describe_clock_end, format_screen_name
from tournament.models import Portrait, Screen, Tournament
from tournament.pages.caching import CACHED_SECONDS, cache_public_page, forbid_caching


@require_safe
@cache_public_page
def choose_screen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Which of the screens this one is; where there is one only, it is that."""
    screens = list_screens(tournament)
    if len(screens) == 1:
        return redirect("public:screen", tournament.slug, screens[0].number)
    named = [(screen.number, format_screen_name(screen)) for screen in screens]
    return render(request, "tournament/hall/choose.html", {"tournament": tournament, "screens": named})


@require_safe
@cache_public_page
def show_screen(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """One screen, told from the desk what it shows; 404 if there is none of this number."""
    screen = get_screen_or_404(tournament, number)
    parts = ScreenContents(get_hall(tournament)).of(screen)
    return _render_screen(request, screen, parts, format_screen_name(screen))


def get_screen_or_404(tournament: Tournament, number: int) -> Screen:
    """A screen by its number; 404 if there is none."""
    found = next((each for each in list_screens(tournament) if each.number == number), None)
    if found is None:
        raise Http404(_("There is no screen %(number)s.") % {"number": number})
    return found


@require_safe
@cache_public_page
def show_clock(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The clock of the round alone, on any browser that is no screen of the hall."""
    clock = Screen(tournament=tournament, number=0, shows=Screen.Shows.CLOCK)
    parts = ScreenContents(get_hall(tournament)).of(clock)
    return _render_screen(request, clock, parts, _("Clock"))


@require_safe
def show_ceremony_portrait(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """A player's photo, as soon as a screen of the ceremony has shown that player; 404 before.

    Two queries; the first time after a change, also those that the slides are worked out from.
    """
    tournament = get_public_tournament(slug)
    found = Portrait.objects.filter(pk=pk, entry__tournament=tournament).first()

    def find_shown_portraits() -> frozenset[int]:
        is_held = any(screen.shows_ceremony for screen in list_screens(tournament))
        return ScreenContents(get_hall(tournament)).portraits if is_held else frozenset()

    key = f"portraits-shown:{tournament.slug}:{tournament.pk}:{tournament.revision}"
    if found is None or pk not in (cache.get_or_set(key, find_shown_portraits, CACHED_SECONDS) or ()):
        raise Http404(_("There is no photo here."))
    return build_picture_response(found.name, f"player-{pk}.jpg")


def render_part_page(request: HttpRequest, tournament: Tournament, part: ScreenPart, name: str) -> HttpResponse:
    """A page of one part that is no screen of the hall, and is told nothing from the desk but messages."""
    return _render_screen(request, Screen(tournament=tournament, number=0), [part], name)


def _render_screen(request: HttpRequest, screen: Screen, parts: list[ScreenPart], name: str) -> HttpResponse:
    tournament = screen.tournament
    hall = get_hall(tournament)
    context = {
        "tournament": tournament,
        "screen": screen,
        "name": name,
        "hall": hall,
        "parts": parts,
        "clock_means": describe_clock_end(tournament),
        "is_covered": hall.message_covers and bool(hall.message),
    }
    return render(request, "tournament/hall/screens_screen.html", context)


@require_safe
def answer_screen_news(request: HttpRequest, slug: str) -> HttpResponse:
    """What a screen asks every second or two: the state of the event, and what time it is here.

    Whoever asks as screen `number` is noted as listening. One query; 404 as soon as the event is hidden.
    """
    tournament = get_public_tournament(slug)
    sent = (request.GET.get(name, "") for name in ("number", "width", "height"))
    number, width, height = (int(text) if re.fullmatch(r"[0-9]{1,5}", text) else 0 for text in sent)
    if number:
        browser = request.GET.get("browser", "")
        note_listener(tournament.pk, number, browser=browser, width=width, height=height)
    answer = JsonResponse({"state": get_public_view(tournament).state, "now": round(time.time() * 1000)})
    return forbid_caching(answer)
