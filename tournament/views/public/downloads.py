"""The table as a file: for a spreadsheet, for another program, for the wall."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament import access
from tournament.exchange import final_file, standings_file
from tournament.models import Division, Tournament
from tournament.printing import documents
from tournament.queries import final, league, public
from tournament.views import pairs
from tournament.views.public import caching


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its content type, and how it is made from a division's table after a round."""

    content_type: str
    write: Callable[[Division, int], bytes]


def _csv(division: Division, after: int) -> bytes:
    return standings_file.as_csv(league.table(division, after=after))


def _xlsx(division: Division, after: int) -> bytes:
    return standings_file.as_xlsx(league.table(division, after=after))


def _json(division: Division, after: int) -> bytes:
    rows = standings_file.as_json(league.table(division, after=after))
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()


def _pdf(division: Division, after: int) -> bytes:
    return documents.render("standings", division, access.round_of(division, after) if after else None)


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "csv": Format("text/csv; charset=utf-8", _csv),
        "xlsx": Format("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", _xlsx),
        "json": Format("application/json", _json),
        "pdf": Format("application/pdf", _pdf),
    }
)


@require_safe
@caching.page
@pairs.only
def table(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The table after public round `?after=` (by default the one shown now) in one of the `FORMATS`, else 404."""
    division = access.division_of(request, tournament)
    wanted = FORMATS.get(fmt)
    if wanted is None:
        raise Http404(_("There is no table as “%(format)s”.") % {"format": fmt})
    after = _after(request, division)
    name = "-".join(part for part in (tournament.slug, slugify(division.name), str(after)) if part)
    response = HttpResponse(wanted.write(division, after), content_type=wanted.content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{fmt}"'
    return response


@require_safe
@caching.page
@pairs.only
def final_ranking(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The final ranking of a division as it stands, as PDF or JSON; 404 for anything else."""
    division = access.division_of(request, tournament)
    if fmt not in ("json", "pdf"):
        raise Http404(_("There is no final ranking as “%(format)s”.") % {"format": fmt})
    name = "-".join(part for part in (tournament.slug, slugify(division.name), "final") if part)
    if fmt == "pdf":
        content = documents.render("final", division)
    else:
        content = json.dumps(final_file.as_json(final.ranking(division)), ensure_ascii=False, indent=1).encode()
    response = HttpResponse(content, content_type=FORMATS[fmt].content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{fmt}"'
    return response


def _after(request: HttpRequest, division: Division) -> int:
    """The round that the query names, whose table is seen; 404 for any other. 0 only before the first."""
    progress = league.rounds(division)
    current = public.current_round(progress)
    text = request.GET.get("after", "")
    seen = [item.round.number for item in progress if item.sight.table]
    known = {str(number): number for number in (current, *seen)}
    if text and text not in known:
        raise Http404(_("There is no table after round %(number)s.") % {"number": text})
    return known[text] if text else current
