"""The public's way in: the list of tournaments, an organiser's, and the first page of a tournament."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournament.core.words.figures import list_entry_choices
from tournament.ending.queries import list_prizes, load_awarded_prizes, load_final_ranking, may_be_final
from tournament.ending.tables import EndPage
from tournament.ending.words import format_prize_title
from tournament.entries.operations.waiting_list import get_online_entry, has_tournament_begun, is_online_entry_offered
from tournament.events.queries import group_public_tournaments, list_public_organisers
from tournament.events.words import list_announcement_facts
from tournament.knockout.words import list_knockout_facts
from tournament.models import Entry, Organiser, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_public_context
from tournament.pages.requests import paginate_rows
from tournament.results.queries import get_stored_knockout
from tournament.rounds.plan import read_round_plan
from tournament.seasons.queries import list_public_seasons
from tournament.table.league import list_league_rounds
from tournament.table.queries import get_division_progress, list_exceptions

ENDED_A_PAGE = 50


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    """Running, coming and ended tournaments, and who organises them if there are several; seasons. Four queries."""
    listed = group_public_tournaments(timezone.localdate())
    ended = paginate_rows(request, listed.get("ended", []), ENDED_A_PAGE)
    context = {
        "listed": listed,
        "ended": ended,
        "organisers": list_public_organisers(),
        "seasons": list_public_seasons(),
    }
    return render(request, "tournament/events/public_home.html", context)


@require_safe
def show_organiser(request: HttpRequest, slug: str) -> HttpResponse:
    """Running, coming and ended tournaments of one organiser, and its seasons. Three queries; 404 if there is none."""
    organiser = get_object_or_404(Organiser, slug=slug)
    listed = group_public_tournaments(timezone.localdate(), organiser)
    ended = paginate_rows(request, listed.get("ended", []), ENDED_A_PAGE)
    context = {"organiser": organiser, "listed": listed, "ended": ended, "seasons": list_public_seasons(organiser)}
    return render(request, "tournament/events/organiser.html", context)


@require_safe
@cache_public_page
def show_tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The announcement (Ausschreibung) and the division's phase; once all is played, the final ranking on top.

    Eleven queries, two where letters are sent; when the rounds are over seven, five for a knock-out, five for prizes.
    """
    context = build_public_context(request, tournament, "tournament")
    division = context["division"]
    progress = list_league_rounds(division)
    is_paired = tournament.rules.is_paired
    if is_paired and may_be_final(division, progress) and (ranking := load_final_ranking(division)).is_final:
        context["end"] = EndPage(ranking, load_awarded_prizes(ranking), context["links"])
    elif division.prizes_public:
        context["prizes"] = [(format_prize_title(prize), prize.award) for prize in list_prizes(division)]
    context |= {
        "announced": list_announcement_facts(tournament),
        "segments": read_round_plan(division.plan),
        "knockout": list_knockout_facts(get_stored_knockout(division), tournament.rules),
        "standing": get_division_progress(division, progress),
        "exceptions": list_exceptions(tournament),
        "entered": division.entries.filter(withdrawn_after=None).count(),
        "players": list_entry_choices(Entry.objects.filter(division=division).with_names().by_name()),
        "organisers": list_public_organisers(),
    }
    return render(request, "tournament/events/tournament.html", context | _build_registration_context(tournament))


def _build_registration_context(tournament: Tournament) -> dict[str, Any]:
    """Whether to link to online entry. At most two queries.

    What changes by the minute (whether it is open, free places) stands there: this page is cached.
    """
    online = get_online_entry(tournament) if is_online_entry_offered() else None
    takes = online is not None and online.is_on and not tournament.is_ended and not has_tournament_begun(tournament)
    return {"online": online, "takes_registrations": takes}
