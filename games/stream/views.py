"""The stream of a table as a page: a screen that nobody turns."""

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.shared.guessing import is_unsolved_at
from games.stream import board
from tournament import access
from tournament.models import Division, Tournament
from tournament.queries.hall import is_streamed
from tournament.views.public import caching
from tournament.views.screens import pages, parts
from tournament.views.screens.values import Part, sentence


@require_safe
@caching.page
def show(request: HttpRequest, tournament: Tournament, table: int) -> HttpResponse:
    """The board of a streamed table in the current round; 404 unless the director has switched its stream on."""
    division = access.division_of(request, tournament)
    if not is_streamed(division, table):
        raise Http404(_("Table %(number)s is not streamed.") % {"number": table})
    name = _("Table %(number)s") % {"number": table}
    return pages.page_of_part(request, tournament, _part(division, table, name), name)


def _part(division: Division, table: int, name: str) -> Part:
    round = parts.current(division)
    if round and is_unsolved_at(round, table):
        return sentence(name, _("The board is shown again once the play of the round is solved."))
    found = board.of(round, table) if round else None
    if found is None:
        return sentence(name, _("Nothing is typed of this game yet. The board appears here by itself."))
    html = render_to_string("games/stream/_board.html", {"streamed": found, "name": name})
    return Part("board", title=name, html=SafeString(html))
