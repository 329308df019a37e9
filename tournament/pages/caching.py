"""Whole pages, kept until the tournament's revision moves on.

Every operation raises the revision, so it is all there is to check, besides what is seen by now of what is held back:
one cheap query, or two, tells whether the page in the cache, or the one in the visitor's browser, is still valid.
Pages are shared only among anonymous visitors: without a session and without messages. For them no page holds a CSRF
token or a name.
"""

import gzip
import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial, wraps
from http import HTTPStatus
from pathlib import Path
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import cache as pages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from tournament.access.rules import get_public_tournament
from tournament.basics.languages import PageLanguage, choose_page_language
from tournament.core.public_view import get_view_state, open_public_view
from tournament.models import Tournament

CACHED_SECONDS = 86400  # how long a page is kept; a new revision leaves the old page behind, which goes after this

GZIP_LEVEL = 5  # gzip's level: a tenth of a long table's size in two milliseconds

QUERY_NAMES = frozenset({"division", "by", "sort", "after", "turn"})
"""The parts of a query that our own links have. Pages with others are made anew, so that nobody fills the cache."""

MAX_CACHED_QUERIES = 200
"""Pages with a query that are kept of one revision; several divisions with all their orders have fewer."""

CACHED_HEADERS = ("Content-Type", "Content-Disposition")

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Tournament, P], HttpResponse]
Page = Callable[Concatenate[HttpRequest, str, P], HttpResponse]

_LOCKS = [threading.Lock() for _ in range(16)]


def cache_public_page(view: View[P]) -> Page[P]:
    """Decorate a view of a public tournament: load it by its slug (404) and answer from the cache if possible."""

    @wraps(view)
    def shown(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        tournament = get_public_tournament(slug)
        activate_event_language(request, tournament)
        make = partial(view, request, tournament, *args, **kwargs)
        with open_public_view(tournament):
            if not is_shareable(request):
                return forbid_caching(make())
            found = get_or_make_page(
                make_page_key(request, tournament), make, partial(has_cache_room, request, tournament)
            )
        response = answer_with_page(request, found) if isinstance(found, CachedPage) else forbid_caching(found)
        if tournament.language == PageLanguage.BROWSER:
            patch_vary_headers(response, ("Accept-Language",))
        return response

    return shown  # type: ignore[return-value]  # Django passes the slug by name, which a ParamSpec cannot say


def activate_event_language(request: HttpRequest, tournament: Tournament) -> None:
    """From here on speak the language of the event, or the visitor's own."""
    request.LANGUAGE_CODE = choose_page_language(request, tournament.language)
    translation.activate(request.LANGUAGE_CODE)


def forbid_caching(response: HttpResponse) -> HttpResponse:
    """An answer for one visitor, which no cache is to keep: neither ours nor the browser's."""
    patch_cache_control(response, private=True, no_store=True)
    return response


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page as it is cached: its bytes, compressed with gzip if that helps, its headers, and a tag that changes only
    with it."""

    content: bytes
    is_packed: bool
    headers: dict[str, str]
    etag: str


def get_or_make_page(
    key: str, make: Callable[[], HttpResponse], may_keep: Callable[[], bool]
) -> CachedPage | HttpResponse:
    """The page cached under this key, made and cached first if necessary.

    Any other answer of a view (a redirect, say) is returned as it is and not cached; so is one that may not be kept.
    """
    kept: CachedPage | None = pages.get(key)
    if kept is not None:
        return kept
    with _LOCKS[int(key[:8], 16) % len(_LOCKS)]:  # the next reader of the same page waits instead of making it too
        kept = pages.get(key)
        if kept is not None:
            return kept
        response = make()
        return store_page(key, response) if response.status_code == HTTPStatus.OK and may_keep() else response


def has_cache_room(request: HttpRequest, tournament: Tournament) -> bool:
    """Whether another page may be kept: those with a query, whose values anybody can make up, are counted."""
    if not request.GET:
        return True
    counter = f"queries:{tournament.pk}:{get_view_state()}"
    pages.add(counter, 0, CACHED_SECONDS)
    try:
        return pages.incr(counter) <= MAX_CACHED_QUERIES
    except ValueError:  # the cache has lost it meanwhile
        return False


def store_page(key: str, response: HttpResponse) -> CachedPage:
    """Put a page into the cache."""
    content = response.content
    etag = f'W/"{hashlib.sha256(content).hexdigest()}"'
    headers = {name: response.headers[name] for name in CACHED_HEADERS if name in response.headers}
    packs = headers["Content-Type"].startswith(("text/", "application/json"))
    kept = CachedPage(gzip.compress(content, GZIP_LEVEL, mtime=0) if packs else content, packs, headers, etag)
    pages.set(key, kept, CACHED_SECONDS)
    return kept


def answer_with_page(request: HttpRequest, kept: CachedPage) -> HttpResponse:
    """The page, or 304 if the visitor's browser has it; either way the browser is to ask again next time.

    A change that the page does not show (a draft, say) leaves the tag as it was, so nobody notices. The page is sent
    compressed: a hall full of phones shares one radio channel, and it holds no secret that its length could betray.
    """
    response = get_conditional_response(request, etag=kept.etag) or _make_page_response(request, kept)
    response.headers["ETag"] = kept.etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ("Cookie", "Accept-Encoding"))
    return response


def _make_page_response(request: HttpRequest, kept: CachedPage) -> HttpResponse:
    if not kept.is_packed:
        return HttpResponse(kept.content, headers=kept.headers)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(kept.content, headers={**kept.headers, "Content-Encoding": "gzip"})
    return HttpResponse(gzip.decompress(kept.content), headers=kept.headers)


def is_shareable(request: HttpRequest) -> bool:
    """Whether what this visitor sees may be shown to others."""
    theirs = {settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name} & request.COOKIES.keys()
    return not theirs and request.method in ("GET", "HEAD") and request.GET.keys() <= QUERY_NAMES


def make_page_key(request: HttpRequest, tournament: Tournament) -> str:
    """Everything the page depends on, as one digest: tournament, revision and what is seen by now, organiser, address,
    language, day, this program's files."""
    parts = (
        str(tournament.pk),
        get_view_state(),
        tournament.organiser.slug,
        tournament.organiser.name,
        request.get_full_path(),
        translation.get_language() or "",
        timezone.localdate().isoformat(),
        digest_program(),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def digest_program() -> str:
    """A digest of the program's files, so that no page outlives the version that made it."""
    digest = hashlib.sha256()
    for folder in ("templates", "static", "locale", "games", "tournament", "scoring"):
        for path in sorted(Path(settings.BASE_DIR, folder).rglob("*.*")):
            if path.suffix in {".html", ".css", ".mo", ".py", ".js"}:
                digest.update(f"{path.name} {path.stat().st_mtime_ns}".encode())
    return digest.hexdigest()
