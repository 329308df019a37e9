"""A season's public page, and its table as files."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.exchange import season_file
from tournament.models import Season
from tournament.printing import season as printing
from tournament.queries import seasons as queries
from tournament.tables.seasons import SeasonRows, event_lines
from tournament.views.public import caching, news
from tournament.words import seasons as words


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its content type, and how it is made from a season's table."""

    content_type: str
    write: Callable[[queries.SeasonTable], bytes]


def _json(found: queries.SeasonTable) -> bytes:
    return json.dumps(season_file.as_json(found), ensure_ascii=False, indent=1).encode()


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "csv": Format("text/csv; charset=utf-8", season_file.as_csv),
        "json": Format("application/json", _json),
        "pdf": Format("application/pdf", printing.season),
    }
)


@require_safe
def show(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of a public season, its events and how it counts; 404 for one that is not public.

    Five queries, and those of each event's final ranking; three from the cache.
    """
    season = _public(slug)
    return _kept(request, season, lambda: _page(request, season))


def _page(request: HttpRequest, season: Season) -> HttpResponse:
    found = queries.table(season)
    context = {
        "season": season,
        "organiser": season.organiser,
        "found": found,
        "table": SeasonRows(found),
        "events": event_lines(found.public),
        "facts": words.facts(season.counting, with_running=season.with_running),
        "files": [(name.upper(), reverse("public:season_file", args=[season.slug, name])) for name in FORMATS],
    }
    return render(request, "public/season.html", context)


@require_safe
def file(request: HttpRequest, slug: str, fmt: str) -> HttpResponse:
    """The table of a public season in one of the `FORMATS`, else 404."""
    season = _public(slug)
    wanted = FORMATS.get(fmt)
    if wanted is None:
        raise Http404(_("There is no table as “%(format)s”.") % {"format": fmt})

    def made() -> HttpResponse:
        response = HttpResponse(wanted.write(queries.table(season)), content_type=wanted.content_type)
        response.headers["Content-Disposition"] = f'attachment; filename="{season.slug}.{fmt}"'
        return response

    return _kept(request, season, made)


@require_safe
def changed(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether anything has changed in a public season or its events. Three queries; 404 as soon as it is hidden."""
    return news.answer(request, queries.state(_public(slug)))


def _public(slug: str) -> Season:
    return get_object_or_404(Season.objects.filter(is_public=True).select_related("organiser"), slug=slug)


def _kept(request: HttpRequest, season: Season, make: Callable[[], HttpResponse]) -> HttpResponse:
    """The answer, from the cache where nothing has changed since; never shared with those who are signed in."""
    if not caching.is_shared(request) or request.GET:
        return caching.unshared(make())
    parts = (
        f"season {season.pk}",
        queries.state(season),
        request.path,
        translation.get_language() or "",
        timezone.localdate().isoformat(),
        caching.program(),
    )
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    found = caching.kept_or_made(key, make, lambda: True)
    return caching.answer(request, found) if isinstance(found, caching.KeptPage) else caching.unshared(found)
