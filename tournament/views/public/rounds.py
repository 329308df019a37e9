"""The public rounds: the list, and one round by table or by name."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament import access
from tournament.models import Pairing, Round, Tournament
from tournament.models.play import KNOCKOUT_FROM
from tournament.pairing.values import Starts
from tournament.queries import league, public, public_view
from tournament.tables import play
from tournament.views import pairs, why_not
from tournament.views.public import caching
from tournament.views.public.frame import frame
from tournament.words import namesakes, reasons


@require_safe
@caching.page
@pairs.only
def index(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All public rounds with their progress. Four queries."""
    context = frame(request, tournament, "rounds")
    progress = league.rounds(context["division"])
    table = play.RoundsTable(progress[::-1], context["links"], caption=_("Rounds"))
    context |= {"table": table, "progress": progress, "planned": league.planned_rounds(context["division"])}
    return render(request, "public/rounds.html", context)


@require_safe
@caching.page
@pairs.only
def show(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """A public round (404 for a draft) by table, or by name with `?by=name`; a round of the knock-out redirects to the
    bracket.

    Eight queries, two for public games.
    """
    context = frame(request, tournament, "rounds")
    division = context["division"]
    if number > KNOCKOUT_FROM and Round.objects.filter(division=division, number=number).exists():
        return redirect(reverse("public:bracket", args=[tournament.slug]) + context["division_query"])
    round = access.round_of(division, number)
    rows = public.pairing_rows(round)
    balanced = tournament.starts == Starts.BALANCED
    caption = _("Round %(number)s") % {"number": number}
    by_name = request.GET.get("by") == "name"
    table: play.NamesTable | play.PairingsTable
    if by_name:
        table = play.NamesTable(public.by_name(rows), context["links"], balanced=balanced, caption=caption)
    else:
        table = play.PairingsTable(rows, context["links"], tournament=tournament, balanced=balanced, caption=caption)
    numbers = [item.round.number for item in league.rounds(division)]
    picks = context["links"].picks(numbers, context["links"].round)
    context |= {"table": table, "round": round, "picks": picks, "by_name": by_name}
    context |= _reasons(request, tournament, round, [row.pairing for row in rows])
    return render(request, "public/round.html", context)


def _reasons(request: HttpRequest, tournament: Tournament, round: Round, pairings: list[Pairing]) -> dict[str, Any]:
    """Why these meet and others do not, unless the director keeps that to themselves, or tables that it tells of; and
    what is seen of the round."""
    sight = public_view.sight(round)
    if not tournament.public_reasons or not sight.reasons:
        return {"sight": sight}
    why = reasons.lines(pairings, namesakes.of_round(pairings), tournament.rules)
    return {"sight": sight, "why": why, "asked": why_not.asked(request, round, pairings)}
