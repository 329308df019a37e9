"""The print room: every document of a division, for the chosen round."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import translation
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from tournament import access, languages
from tournament.layout import typeface
from tournament.models import Tournament
from tournament.printing import documents
from tournament.queries import league
from tournament.views import query_string, ways_in
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell


@login_required
@require_GET
def room(request: HttpRequest, slug: str) -> HttpResponse:
    """What can be printed, and the round to print it for (`?round=`, by default the last)."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    progress = league.rounds(division, drafts=True)
    knockout = league.knockout_rounds(division)
    number = _number(request, progress[-1].round.number if progress else 0)
    context = {
        **shell(tournament, division, "prints"),
        "query": query(division),
        "progress": progress,
        "knockout_rounds": knockout,
        "number": number,
        "unprintable": [entry.name for entry in league.entries(division) if typeface.has_unknown(entry.name)],
        "other_language": _other_language(tournament),
        "chosen": next((item.round for item in knockout if item.round.number == number), None),
    }
    return render(request, "director/print_room.html", context)


def _other_language(tournament: Tournament) -> str:
    """The language of the tournament's paper by its own name, if it is not that of this page."""
    code = languages.on_paper(tournament.language)
    return "" if code == languages.active() else tournament.get_language_display()


@login_required
@require_GET
def document(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """One document as PDF, shown in the browser; 404 for a name or a round that does not exist."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    number = _number(request, 0)
    if name not in documents.DOCUMENTS:
        raise Http404(_("There is no document “%(name)s”.") % {"name": name})
    round = access.round_of(division, number, drafts=True, knockout=True) if number else None
    with translation.override(languages.on_paper(tournament.language)):
        content = documents.render(name, division, round, address=ways_in.of(request).chosen)
    return _shown(content, f"{tournament.slug}-{name}{f'-{number}' if number else ''}.pdf")


@login_required
@require_GET
def player_card(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One player's card as PDF."""
    tournament = access.directed_tournament(request, slug)
    entry = get_object_or_404(tournament.entries.with_names().select_related("division__knockout"), pk=pk)
    entry.division.tournament = tournament
    with translation.override(languages.on_paper(tournament.language)):
        content = documents.player_card(entry, ways_in.of(request).chosen)
    return _shown(content, f"{tournament.slug}-player-card-{entry.key}.pdf")


def _shown(content: bytes, filename: str) -> HttpResponse:
    """A document that the browser shows."""
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = content_disposition_header(False, filename) or "inline"
    return response


def _number(request: HttpRequest, default: int) -> int:
    """The round that `?round=` asks for; 404 for something that is not a number."""
    number = query_string.number(request, "round", default)
    if number is None:
        raise Http404(_("“%(asked)s” is not the number of a round.") % {"asked": request.GET["round"]})
    return number
