"""A player's card."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament import access
from tournament.layout import curve
from tournament.models import Entry, Tournament
from tournament.pairing.values import Starts
from tournament.queries import league, now, public, public_view
from tournament.tables.play import CardTable
from tournament.views.public import caching
from tournament.views.public.frame import frame
from tournament.words import namesakes, reasons


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Every round of one player with the running rank, curves of rank and spread, and where they sit now.

    Fourteen queries, two for public games.
    """
    entry = _entry(tournament, key)
    context = frame(request, tournament, "entries", entry.division)
    card = public.player_card(entry)
    balanced = tournament.starts == Starts.BALANCED
    caption = _("Games")
    table = CardTable(card.steps, context["links"], balanced=balanced, caption=caption)
    running = {step.round: (step.standing.rank, step.standing.spread) for step in card.steps if step.standing}
    context |= {
        "entry": entry,
        "card": card,
        "playing": now.playing(entry),
        "balanced": balanced,
        "table": table,
        "curves": curve.of_player(running),
    }
    if tournament.public_reasons:
        context["why"] = _why(entry)
    return render(request, "public/player.html", context)


def _why(entry: Entry) -> list[tuple[str, str]]:
    """Why the player met whom, round by round, as far as the tables that it tells of are seen. Three queries."""
    pairings = [each for each in public.pairings_of(entry) if public_view.sight(each.round).reasons]
    names = namesakes.called(league.entries(entry.division)) if pairings else {}
    rules = entry.division.tournament.rules
    told = [(pairing.round.number, reasons.lines([pairing], names, rules)) for pairing in pairings]
    heading = _("Round %(number)s, %(pairing)s")
    return [(heading % {"number": number, "pairing": who}, said) for number, lines in told for who, said in lines]


def _entry(tournament: Tournament, key: str) -> Entry:
    """The entry with that key, names and division fetched; 404 if there is none."""
    entries = Entry.objects.filter(tournament=tournament).with_names().select_related("division")
    entry = get_object_or_404(entries, key=key.replace("\0", "\ufffd"))  # PostgreSQL takes no NUL, not even to ask
    entry.division.tournament = tournament
    return entry


@require_safe
@caching.page
def playing(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Where one player sits now: a piece of the front page. Six queries."""
    entry = _entry(tournament, key)
    balanced = tournament.starts == Starts.BALANCED
    context = {"tournament": tournament, "entry": entry, "playing": now.playing(entry), "balanced": balanced}
    return render(request, "public/playing.html", context)


@require_safe
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """To the card of the player picked on the front page; back there if nobody was."""
    tournament = access.public_tournament(slug)
    key = request.GET.get("player", "")
    known = Entry.objects.filter(tournament=tournament, key=key.replace("\0", "\ufffd")).exists()
    return redirect("public:player", slug, key) if known else redirect("public:tournament", slug)
