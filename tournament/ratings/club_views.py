"""An organiser's own list of ratings, for those who keep its register: the list, a player's history, what a correction
changed, and files."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from scoring.ratings import RatingSystem
from tournament.models import Organiser, Player, Result
from tournament.models.choices import RATING_SYSTEM_LABELS
from tournament.models.play import prefetch_seats
from tournament.pages.frames import build_organiser_context, build_own_organiser_context
from tournament.pages.kept_input import signed_in_page
from tournament.pages.views import answer_with_file
from tournament.ratings.club import ClubList, find_moved_players, list_corrections, load_club_list
from tournament.ratings.publishing import compare_with_published, get_last_published, list_published_lists
from tournament.ratings.tables import ClubRows, HistoryRows, MovedRows, build_club_history_csv
from tournament.ratings.words import describe_correction, name_published

CLUB_FILES: Mapping[str, Callable[[ClubList], bytes]] = {
    "list": lambda found: ClubRows(found).build_csv(),
    "history": build_club_history_csv,
}
"""The files of a list by their names."""


@signed_in_page("GET")
def show_club_list(request: HttpRequest) -> HttpResponse:
    """The list, by the procedure `?system=`, with the latest corrections."""
    around = build_organiser_context(request)
    system, query = choose_system(request, around["organiser"])
    club_list = load_club_list(around["organiser"], system)
    corrections = [
        (describe_correction(correction), reverse("director:rating_correction", args=[correction.pk]) + query)
        for correction in list_corrections(around["organiser"])
    ]
    files = {"list": _("List"), "history": _("History")}
    # Before the first published list nothing has moved: compared with none, every player would.
    last = get_last_published(around["organiser"])
    published = list_published_lists(around["organiser"], withdrawn=True)
    context = {
        **around,
        "found": club_list,
        "table": ClubRows(club_list, query),
        "corrections": corrections,
        "published": [(name_published(published_list), published_list) for published_list in published],
        "moved": len(compare_with_published(club_list, last)) if last else None,
        "query": query,
        "systems": [
            (label, _make_query(around["organiser"], rating_system), rating_system == system)
            for rating_system, label in RATING_SYSTEM_LABELS.items()
        ],
        "files": [
            (f"{files[name]} (CSV)", reverse("director:rating_list_file", args=[name]) + query) for name in CLUB_FILES
        ],
    }
    return render(request, "tournament/ratings/club_list.html", context)


@signed_in_page("GET")
def download_club_list(request: HttpRequest, name: str) -> HttpResponse:
    """One of the `CLUB_FILES`; 404 for another name."""
    organiser = build_organiser_context(request)["organiser"]
    if name not in CLUB_FILES:
        raise Http404(_("There are no ratings as “%(format)s”.") % {"format": name})
    system, _query = choose_system(request, organiser)
    content = CLUB_FILES[name](load_club_list(organiser, system))
    return answer_with_file(content, "text/csv; charset=utf-8", f"{organiser.slug}-{system}-{name}.csv")


@signed_in_page("GET")
def show_rating_history(request: HttpRequest, pk: int) -> HttpResponse:
    """What each event made of a player's rating in the list; 404 for a player who is not in it."""
    player = get_object_or_404(Player.objects.select_related("organiser"), pk=pk)
    around = build_own_organiser_context(request, player.organiser_id)
    system, query = choose_system(request, player.organiser)
    players = load_club_list(player.organiser, system).players
    listed = next((listed_player for listed_player in players if listed_player.player.pk == pk), None)
    if listed is None:
        raise Http404(_("This player has no rated game."))
    table = HistoryRows(reversed(listed.history), system)
    context = {**around, "listed": listed, "table": table, **_link_list(system, query)}
    return render(request, "tournament/ratings/rating_history.html", context)


@signed_in_page("GET")
def show_rating_correction(request: HttpRequest, pk: int) -> HttpResponse:
    """What a corrected result changed in the list against the version before it."""
    results = Result.objects.filter(official=True, version__gt=1, pairing__round__division__tournament__rated=True)
    results = results.select_related(
        "pairing__round__division__tournament__organiser", "pairing__round__division__knockout"
    ).prefetch_related(prefetch_seats("pairing__seats"))
    result = get_object_or_404(results, pk=pk)
    organiser = result.pairing.round.division.tournament.organiser
    around = build_own_organiser_context(request, organiser.pk)
    system, query = choose_system(request, organiser)
    context = {
        **around,
        "said": describe_correction(result),
        "result": result,
        "table": MovedRows(
            find_moved_players(organiser, result, system),
            caption=_("Changed ratings"),
            before=_("Before the correction"),
            now=_("Now"),
        ),
        **_link_list(system, query),
    }
    return render(request, "tournament/ratings/rating_correction.html", context)


def choose_system(request: HttpRequest, organiser: Organiser) -> tuple[RatingSystem, str]:
    """The procedure that the address names, and the query string that keeps it; 404 for an unknown one."""
    system = request.GET.get("system", RatingSystem.TSH_DEU)
    if system not in list(RatingSystem):
        raise Http404(_("There are no ratings as “%(format)s”.") % {"format": system})
    return RatingSystem(system), _make_query(organiser, RatingSystem(system))


def _make_query(organiser: Organiser, system: RatingSystem) -> str:
    return "?" + urlencode({"organiser": organiser.slug, "system": system.value})


def _link_list(system: RatingSystem, query: str) -> dict[str, Any]:
    return {"system": RATING_SYSTEM_LABELS[system], "list_url": reverse("director:rating_list") + query}
