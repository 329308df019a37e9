"""Parts of an event's public pages that other websites may show in a frame: table, bracket, pairings."""

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.sessions.session_state import rank_session
from tournament.knockout.svg import build_bracket_svg
from tournament.knockout.words import build_bracket_picture
from tournament.models import Division
from tournament.pages.tables import TournamentLinks
from tournament.pairing.values import StartPolicy
from tournament.results.knockout_state import load_knockout_state
from tournament.rounds.tables import PairingsTable
from tournament.table.league import find_round_of_day, list_league_rounds, list_round_pairings
from tournament.table.public_table import find_current_round_number, load_public_table
from tournament.table.tables import StandingsTable


class EmbedPart(StrEnum):
    """What can be shown elsewhere."""

    TABLE = "table"
    BRACKET = "bracket"
    PAIRINGS = "pairings"


EMBED_NAMES: dict[EmbedPart, Promise] = {
    EmbedPart.TABLE: gettext_lazy("Standings"),
    EmbedPart.BRACKET: gettext_lazy("Knock-out"),
    EmbedPart.PAIRINGS: gettext_lazy("Pairings"),
}

EMBED_THEMES = {
    "": gettext_lazy("as the reader’s device"),
    "light": gettext_lazy("light"),
    "dark": gettext_lazy("dark"),
}
"""The colours of a frame by the value of `?theme=`."""

FRAMED_POLICY = "; ".join(
    f"{directive} {' '.join(sources)}"
    for directive, sources in {**settings.SECURE_CSP, "frame-ancestors": ["*"]}.items()
)


def allow_frames(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: any website may show this page in a frame. It must have no button that a visitor could be led to."""

    @wraps(page)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = page(request, *args, **kwargs)
        # A policy that is there is left alone by the middleware, so this one has to say everything that the usual one
        # says.
        response.headers["Content-Security-Policy"] = FRAMED_POLICY
        response.xframe_options_exempt = True  # as Django's own decorator does
        return response

    return shown


def build_embed_context(division: Division, part: EmbedPart, links: TournamentLinks) -> dict[str, Any]:
    """What a frame shows: a `table` under its `title`, a `picture`, or the `ranks` of a duplicate session; nothing of
    them before there is any. `full` is the page that a frame leads to. At most eight queries."""
    slug = division.tournament.slug
    if not division.tournament.rules.is_paired:
        ranking = rank_session(division)
        full = reverse("games:duplicate_public", args=[slug]) + links.division
        return {"title": EMBED_NAMES[part], "full": full, "ranks": ranking.ranks if part == EmbedPart.TABLE else ()}
    if part == EmbedPart.BRACKET:
        state = load_knockout_state(division)
        picture = build_bracket_picture(state.bracket, state.names) if state else None
        drawn = build_bracket_svg(picture, title=_("Knock-out")) if picture else None
        full = reverse("public:bracket", args=[slug]) + links.division
        return {"title": EMBED_NAMES[part], "full": full, "picture": drawn}
    return _build_table_context(division, links) if part == EmbedPart.TABLE else _build_round_context(division, links)


def _build_table_context(division: Division, links: TournamentLinks) -> dict[str, Any]:
    full = reverse("public:table", args=[links.tournament.slug]) + links.division
    progress = list_league_rounds(division)
    after = find_current_round_number(progress)
    if not after:
        return {"title": EMBED_NAMES[EmbedPart.TABLE], "full": full}
    public_table = load_public_table(division, progress, after=after, moves=True)
    title = _("Standings after round %(number)s") % {"number": after}
    table = StandingsTable(
        public_table.lines, links, basis=public_table.ranking.basis, moves=after > 1, caption=title, orderable=False
    )
    return {"title": title, "full": full, "table": table, "is_provisional": public_table.is_provisional}


def _build_round_context(division: Division, links: TournamentLinks) -> dict[str, Any]:
    # By the day here, not in UTC: after midnight a league's round would still be yesterday's.
    of_day = find_round_of_day(list_league_rounds(division), localdate())
    if of_day is None:
        full = reverse("public:rounds", args=[links.tournament.slug]) + links.division
        return {"title": EMBED_NAMES[EmbedPart.PAIRINGS], "full": full}
    round = of_day.round
    round.division = division
    title = _("Round %(number)s") % {"number": round.number}
    balanced = division.tournament.starts == StartPolicy.BALANCED
    table = PairingsTable(
        list_round_pairings(round), links, tournament=division.tournament, balanced=balanced, caption=title
    )
    return {"title": title, "full": links.round(round.number), "table": table}
