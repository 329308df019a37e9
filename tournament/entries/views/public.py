"""What everybody sees of entries: the list, a player's card, where a player sits now."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from tournament.access.rules import get_public_tournament
from tournament.core.public_view import get_sight
from tournament.core.words.figures import name_entries
from tournament.entries.curve import build_player_curves
from tournament.entries.queries import find_current_pairing
from tournament.models import Entry, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_public_context
from tournament.pages.requests import read_search_text
from tournament.pairing.values import StartPolicy
from tournament.rounds.tables import CardTable
from tournament.rounds.words import list_pairing_reasons
from tournament.table.league import list_division_entries
from tournament.table.queries import list_entry_pairings, load_player_page, search_entries
from tournament.table.tables import EntriesTable


@require_safe
@cache_public_page
def show_entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The entries of a division by name, sortable, or those found by a search. Four queries."""
    context = build_public_context(request, tournament, "entries")
    everybody = list_division_entries(context["division"])
    search = read_search_text(request)
    found = search_entries(everybody, search)
    table = EntriesTable(found, context["links"], order_by="name", caption=_("Entries"))
    RequestConfig(request, paginate=False).configure(table)
    context |= {"table": table, "search": search, "everybody": everybody, "found": found}
    return render(request, "tournament/entries/public_entries.html", context)


@require_safe
@cache_public_page
def show_player(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Every round of one player with the running rank, curves of rank and spread, and where they sit now.

    Fourteen queries, two for public games.
    """
    entry = _get_entry(tournament, key)
    context = build_public_context(request, tournament, "entries", entry.division)
    card = load_player_page(entry)
    balanced = tournament.starts == StartPolicy.BALANCED
    running = {step.round: (step.standing.rank, step.standing.spread) for step in card.steps if step.standing}
    context |= {
        "entry": entry,
        "card": card,
        "playing": find_current_pairing(entry),
        "balanced": balanced,
        "table": CardTable(card.steps, context["links"], balanced=balanced, caption=_("Games")),
        "curves": build_player_curves(running),
    }
    if tournament.public_reasons:
        context["why"] = _list_pairing_reasons(entry)
    return render(request, "tournament/entries/public_player.html", context)


def _list_pairing_reasons(entry: Entry) -> list[tuple[str, str]]:
    """Why the player met whom, round by round, where the tables that the reasons tell of are seen. Three queries."""
    pairings = [each for each in list_entry_pairings(entry) if get_sight(each.round).reasons]
    names = name_entries(list_division_entries(entry.division)) if pairings else {}
    return [
        (_("Round %(number)s, %(pairing)s") % {"number": pairing.round.number, "pairing": who}, reasons)
        for pairing in pairings
        for who, reasons in list_pairing_reasons([pairing], names, entry.division.tournament.rules)
    ]


def _get_entry(tournament: Tournament, key: str) -> Entry:
    """The entry with that key, names and division fetched; 404 if there is none."""
    entries = Entry.objects.filter(tournament=tournament).with_names().select_related("division")
    entry = get_object_or_404(entries, key=key.replace("\0", "\ufffd"))  # PostgreSQL takes no NUL, not even to ask
    entry.division.tournament = tournament
    return entry


@require_safe
@cache_public_page
def show_current_pairing(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """Where one player sits now: a piece of the front page. Six queries."""
    entry = _get_entry(tournament, key)
    balanced = tournament.starts == StartPolicy.BALANCED
    context = {"tournament": tournament, "entry": entry, "playing": find_current_pairing(entry), "balanced": balanced}
    return render(request, "tournament/entries/playing.html", context)


@require_safe
def redirect_to_own_page(request: HttpRequest, slug: str) -> HttpResponse:
    """To the card of the player picked on the front page; back there if nobody was."""
    tournament = get_public_tournament(slug)
    key = request.GET.get("player", "")
    known = Entry.objects.filter(tournament=tournament, key=key.replace("\0", "\ufffd")).exists()
    return redirect("public:player", slug, key) if known else redirect("public:tournament", slug)
