"""The knock-out: as a picture with a list, and as files."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament import access
from tournament.layout.bracket import BracketPicture
from tournament.models import Division, Tournament
from tournament.printing import bracket_svg, documents
from tournament.queries.knockout import KnockoutState, knockout_state
from tournament.tables.base import Links
from tournament.tables.bracket import MatchesTable, MatchRow
from tournament.views import pairs
from tournament.views.public import caching
from tournament.views.public.frame import frame
from tournament.words import bracket_cards, knockout_plan

FILES = {"pdf": "application/pdf", "svg": "image/svg+xml"}
"""What the knock-out can be fetched as."""


@require_safe
@caching.page
@pairs.only
def show(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The knock-out of a division as a picture, and its matches as a list under it. Eight queries."""
    context = frame(request, tournament, "bracket")
    links: Links = context["links"]
    state = knockout_state(context["division"])
    if state is not None:
        picture = bracket_cards.picture(state.bracket, state.names)
        context |= {
            "state": state,
            "picture": bracket_svg.svg(picture, title=_("Knock-out"), address=bracket_svg.into_list),
            "stages": stages(state, picture, links),
            "facts": knockout_plan.facts(state.knockout, tournament.rules),
            "files": [(name.upper(), links.bracket_file(name)) for name in FILES],
        }
    return render(request, "public/bracket.html", context)


@dataclass(frozen=True, slots=True)
class StageTable:
    """A stage of the list: its name and its matches."""

    title: str
    table: MatchesTable


def stages(state: KnockoutState, picture: BracketPicture, links: Links) -> list[StageTable]:
    """The list, stage by stage, the match for third place last."""
    columns = (*picture.columns, *((picture.third,) if picture.third else ()))
    matches = {match.place: match for match in state.bracket.matches}
    return [
        StageTable(
            column.title,
            MatchesTable(
                [MatchRow.of(matches[card.stage, card.position], card, state.entries) for card in column.cards],
                links,
                caption=column.title,
            ),
        )
        for column in columns
    ]


@require_safe
@caching.page
@pairs.only
def file(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The knock-out as one of the `FILES`; 404 for any other, and if there is no knock-out."""
    division = access.division_of(request, tournament)
    if fmt not in FILES:
        raise Http404(_("There is no knock-out as “%(format)s”.") % {"format": fmt})
    content = _written(division, fmt)
    if content is None:
        raise Http404(_("This division has no knock-out."))
    name = "-".join(part for part in (tournament.slug, slugify(division.name), "bracket") if part)
    response = HttpResponse(content, content_type=FILES[fmt])
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{fmt}"'
    return response


def _written(division: Division, fmt: str) -> bytes | str | None:
    state = knockout_state(division)
    if state is None:
        return None
    return documents.render("bracket", division) if fmt == "pdf" else bracket_svg.file_of(state)
