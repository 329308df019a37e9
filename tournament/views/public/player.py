"""A player's card."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.layout import curve
from tournament.models import Entry, Tournament
from tournament.pairing.values import Starts
from tournament.queries import public
from tournament.tables.play import CardTable
from tournament.views.public import caching
from tournament.views.public.frame import frame


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """One player's rounds with the running rank, curves of rank and spread. Seven queries, two for public games."""
    entries = Entry.objects.filter(tournament=tournament).with_names().select_related("division")
    entry = get_object_or_404(entries, key=key.replace("\0", "\ufffd"))  # PostgreSQL takes no NUL, not even to ask
    entry.division.tournament = tournament
    context = frame(request, tournament, "entries", entry.division)
    card = public.player_card(entry)
    balanced = tournament.starts == Starts.BALANCED
    caption = _("Games")
    table = CardTable(card.steps, context["links"], balanced=balanced, caption=caption)
    numbers = [step.meeting.round for step in card.steps]
    context |= {
        "entry": entry,
        "card": card,
        "table": table,
        "rank_curve": curve.lay_out(numbers, [step.standing.rank for step in card.steps], best_low=True),
        "spread_curve": curve.lay_out(numbers, [step.standing.spread for step in card.steps]),
    }
    return render(request, "public/player.html", context)
