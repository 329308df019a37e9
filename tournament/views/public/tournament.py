"""A tournament's first page: where it stands, and what was announced."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.models import Entry, Tournament
from tournament.operations import online_entry, waiting_list
from tournament.plan import segments
from tournament.queries import final, front_page, league, public
from tournament.queries.knockout import stored_knockout
from tournament.tables.final import EndPage
from tournament.views.public import caching
from tournament.views.public.frame import frame
from tournament.words import announcement, knockout_plan, namesakes, prizes


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The announcement (Ausschreibung), and the phase of the division shown; once all is played, first the final
    ranking.

    Eleven queries, two where letters are sent; when the rounds are over seven, five for a knock-out, five for prizes.
    """
    context = frame(request, tournament, "tournament")
    division = context["division"]
    progress = league.rounds(division)
    is_paired = tournament.rules.is_paired
    if is_paired and final.may_be_final(division, progress) and (ranking := final.ranking(division)).is_final:
        context["end"] = EndPage(ranking, final.awarded(ranking), context["links"])
    elif division.prizes_public:
        context["prizes"] = [(prizes.title(prize), prize.award) for prize in final.announced(division)]
    context |= {
        "announced": announcement.facts(tournament),
        "segments": segments.read(division.plan),
        "knockout": knockout_plan.facts(stored_knockout(division), tournament.rules),
        "standing": public.division_progress(division, progress),
        "exceptions": public.exceptions(tournament),
        "entered": public.entered(division),
        "players": namesakes.choices(Entry.objects.filter(division=division).with_names().by_name()),
        "organisers": front_page.several_organisers(),
    }
    return render(request, "public/tournament.html", context | _registering(tournament))


def _registering(tournament: Tournament) -> dict[str, Any]:
    """Whether to lead to the form of online entry. What changes by the minute stands there: this page is kept. At most
    two queries."""
    online = waiting_list.settings_of(tournament) if online_entry.is_offered() else None
    takes = online is not None and online.is_on and not tournament.is_ended and not waiting_list.has_begun(tournament)
    return {"online": online, "takes_registrations": takes}
