"""Whole pages, cached until the tournament's revision changes. Every operation raises the revision. Together with what
is shown by now of what was held back, it tells in one or two cheap queries whether a page in the cache or in the
visitor's browser is still valid. Pages are shared only among visitors without a session or messages: for them no page
holds a CSRF token or a name."""

import gzip
import hashlib
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial, wraps
from http import HTTPStatus
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import cache as pages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from tournament.access.rules import PageBasis, get_public_tournament, read_public_state
from tournament.basics.addresses import build_full_address, get_service_address
from tournament.basics.languages import PageLanguage, choose_page_language
from tournament.basics.version import get_version
from tournament.core.public_view import get_view_state, open_public_view
from tournament.models import Tournament

CACHED_SECONDS = 86400  # after a new revision, the old page stays in the cache until then

GZIP_LEVEL = 5  # makes a long table ten times smaller in two milliseconds
GZIP_FORMAT = zlib.MAX_WBITS | 16  # that zlib is to read gzip's header

QUERY_NAMES = frozenset({"division", "by", "sort", "after", "turn", "part", "theme"})
"""The query parameters of our own links. Pages with others are not cached, so that nobody fills the cache."""

MAX_CACHED_QUERIES = 200  # cached pages with a query of one revision; several divisions in all their orders have fewer

CACHED_HEADERS = ("Content-Type", "Content-Disposition")
PACKED_TYPES = ("text/", "application/json")

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Tournament, P], HttpResponse]
Page = Callable[Concatenate[HttpRequest, str, P], HttpResponse]

# A few that all pages share: one for each key would stay for ever, and anybody can make up keys.
_LOCKS = [threading.Lock() for _ in range(16)]


def cache_public_page(view: View[P]) -> Page[P]:
    """Decorator: load a public tournament by its slug (else 404) and answer from the cache if possible."""
    return _cache_page(view)


def cache_addressed_page(view: View[P]) -> Page[P]:
    """The same for a page that holds full addresses of ours: by each name of the program it is another one."""
    return _cache_page(view, has_addresses=True)


def _cache_page(view: View[P], *, has_addresses: bool = False) -> Page[P]:
    @wraps(view)
    def shown(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        begins = build_full_address("", request) if has_addresses else ""
        if page_answer := _find_kept_page(request, slug, begins):
            return page_answer
        tournament = get_public_tournament(slug)
        activate_event_language(request, tournament)
        make = partial(view, request, tournament, *args, **kwargs)
        with open_public_view(tournament):
            if not is_shareable(request):
                return forbid_caching(make())
            key = make_page_key(request, tournament, begins)
            is_counted = has_addresses and not get_service_address()  # a Host header can name any port
            # Asked while the page is made and not before: counting is a write, which a page that is kept already does
            # not need.
            may_keep = partial(has_cache_room, request, tournament, "addressed" if is_counted else "queries")
            page = get_or_make_page(key, make, may_keep)
        # A redirection, or a page for which there is no room: it is sent to this visitor alone.
        if not isinstance(page, CachedPage):
            return _note_language(forbid_caching(page), tournament.language)
        # Only pages that change with the revision alone: what is held back appears with the clock, what a hall sends
        # grows old.
        if not tournament.holds_back and tournament.mirror is None:
            pages.add(_name_kept(slug), True, CACHED_SECONDS)
        return _note_language(answer_with_page(request, page), tournament.language)

    return shown  # type: ignore[return-value]  # Django passes the slug by name, which a ParamSpec cannot say


def _find_kept_page(request: HttpRequest, slug: str, begins: str) -> HttpResponse | None:
    """The answer with a page that is kept and still right, by one query and without a row as an object; None where
    there is none, or where time alone may change it."""
    if not is_shareable(request) or not pages.get(_name_kept(slug)):
        return None
    # Asked with each answer: another process may have raised the revision, and its pages are not dropped here.
    state = read_public_state(slug)
    if state is None or state.holds_back or state.mirror_link is not None:
        pages.delete(_name_kept(slug))
        return None
    activate_event_language(request, state)
    season = (state.season_slug, state.season_name) if state.season_slug else None
    has_profiles = bool(state.organiser__profiles_public) and state.organiser__revision
    about = (state.pk, str(state.revision), state.organiser__slug, state.organiser__name, state.organiser__colour)
    page = pages.get(_digest_page(request, (*about, state.logo_pk, season, has_profiles), begins))
    return _note_language(answer_with_page(request, page), state.language) if page else None


def _name_kept(slug: str) -> str:
    """Under which key the cache knows that it has pages of this event."""
    # Cut, since a made-up address may be of any length and a cache takes keys of 250 letters.
    return f"kept:{slug[:100]}"


def _note_language(response: HttpResponse, language: str) -> HttpResponse:
    """Tell caches if the browser's language chose the page's."""
    if language == PageLanguage.BROWSER:
        patch_vary_headers(response, ("Accept-Language",))
    return response


def activate_event_language(request: HttpRequest, tournament: Tournament | PageBasis) -> None:
    """Activate the event's language, or the visitor's choice."""
    request.LANGUAGE_CODE = choose_page_language(request, tournament.language)
    translation.activate(request.LANGUAGE_CODE)


Response = TypeVar("Response", bound=HttpResponseBase)


def forbid_caching(response: Response) -> Response:
    """Mark an answer as for one visitor only, so that no cache keeps it, not even the browser's."""
    patch_cache_control(response, private=True, no_store=True)
    return response


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A cached page: its bytes, gzipped if that helps, its headers, and an ETag that changes only with it."""

    content: bytes
    is_packed: bool
    headers: dict[str, str]
    etag: str


def get_or_make_page(
    key: str, make: Callable[[], HttpResponse], may_keep: Callable[[], bool]
) -> CachedPage | HttpResponse:
    """The page cached under this key, made first if necessary; an answer that may not be cached, as it is."""
    page: CachedPage | None = pages.get(key)
    if page is not None:
        return page
    with _LOCKS[int(key[:8], 16) % len(_LOCKS)]:  # others who ask for the page wait instead of making it too
        page = pages.get(key)
        if page is not None:
            return page
        response = make()
        return store_page(key, response) if response.status_code == HTTPStatus.OK and may_keep() else response


def has_cache_room(request: HttpRequest, tournament: Tournament, kind: str = "queries") -> bool:
    """Whether to cache another page of this kind; those with a query, and those by the name that a browser gives the
    program, both of which anybody can make up, are counted."""
    # Not `request.GET`: of “?&&&” nothing is read, and yet it is an address of its own.
    has_query = bool(request.META.get("QUERY_STRING"))
    if kind != "addressed" and not has_query:
        return True
    counter = f"{kind}:{tournament.pk}:{get_view_state()}"
    pages.add(counter, 0, CACHED_SECONDS)
    try:
        return pages.incr(counter) <= MAX_CACHED_QUERIES
    except ValueError:  # the cache has lost it meanwhile
        return False


def store_page(key: str, response: HttpResponse) -> CachedPage:
    """Put a page into the cache."""
    page = pack_page(response)
    pages.set(key, page, CACHED_SECONDS)
    return page


def answer_from_cache(
    request: HttpRequest, make_key: Callable[[], str], make: Callable[[], HttpResponse]
) -> HttpResponse:
    """An answer that is no event's page, from the cache under this key; made anew, and never shared, for who is signed
    in and for an address with a query."""
    # The language switch at a page's foot names the whole address: kept with a query, the page would lead others to it.
    # Not `request.GET`, which is empty for “?&&&”.
    if not is_shareable(request) or request.META.get("QUERY_STRING"):
        return forbid_caching(make())
    page = get_or_make_page(make_key(), make, lambda: True)
    return answer_with_page(request, page) if isinstance(page, CachedPage) else forbid_caching(page)


def digest_state(request: HttpRequest, *state: str) -> str:
    """A key for `answer_from_cache`: of this state, the path, the language and the program."""
    parts = (*state, request.path, translation.get_language() or "", digest_program())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def pack_page(response: HttpResponse) -> CachedPage:
    """A page as the cache holds it."""
    content = response.content
    etag = f'W/"{hashlib.sha256(content).hexdigest()}"'
    headers = {name: response.headers[name] for name in CACHED_HEADERS if name in response.headers}
    packs = headers["Content-Type"].startswith(PACKED_TYPES)
    # Without the time in gzip's header: the same page is the same bytes, whoever packs it and when.
    return CachedPage(gzip.compress(content, GZIP_LEVEL, mtime=0) if packs else content, packs, headers, etag)


def answer_with_page(request: HttpRequest, kept: CachedPage) -> HttpResponse:
    """The page, or 304 if the visitor's browser has it; the browser must ask again next time. It is sent compressed,
    since a hall full of phones shares one radio channel; its length betrays no secret."""
    response = get_conditional_response(request, etag=kept.etag) or _make_page_response(request, kept)
    # Set and not patched, for both answers are new: a phone asks every few seconds, and what it has is mostly right.
    response.headers["ETag"] = kept.etag
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Cookie, Accept-Encoding"
    return response


def _make_page_response(request: HttpRequest, kept: CachedPage) -> HttpResponse:
    if not kept.is_packed:
        return HttpResponse(kept.content, headers=kept.headers)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(kept.content, headers={**kept.headers, "Content-Encoding": "gzip"})
    # Not `gzip.decompress`, which reads the header and adds up the checksum in Python: a tenth of the whole answer.
    return HttpResponse(zlib.decompress(kept.content, wbits=GZIP_FORMAT), headers=kept.headers)


def is_shareable(request: HttpRequest) -> bool:
    """Whether this visitor's page may be shared with others."""
    # A message waits in a cookie of its own: shown on a shared page, everybody would be told what one visitor has done.
    theirs = {settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name} & request.COOKIES.keys()
    return not theirs and request.method in ("GET", "HEAD") and request.GET.keys() <= QUERY_NAMES


def make_page_key(request: HttpRequest, tournament: Tournament, begins: str = "") -> str:
    """A digest of everything that the page depends on; `begins`: what its full addresses begin with, if it has any."""
    organiser = tournament.organiser
    has_profiles = organiser.profiles_public and organiser.revision  # who has a profile to lead to
    about = (tournament.pk, get_view_state(), organiser.slug, organiser.name, organiser.colour)
    return _digest_page(request, (*about, tournament.logo, tournament.season, has_profiles), begins)


def _digest_page(request: HttpRequest, about: tuple[object, ...], begins: str) -> str:
    parts = (
        begins,
        *map(str, about),
        request.get_full_path(),
        translation.get_language() or "",
        # Pages tell moments of today by the hour alone, and no operation raises the revision at midnight.
        timezone.localdate().isoformat(),
        digest_program(),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def digest_program() -> str:
    """A digest of the program's files, so that no page outlives its version."""
    digest = hashlib.sha256(get_version().encode())  # an installed package's files have no times of their own
    for folder in ("templates", "static", "locale", "games", "tournament", "scoring"):
        for path in sorted(Path(settings.BASE_DIR, folder).rglob("*.*")):
            if path.suffix in {".html", ".css", ".mo", ".py", ".js"}:
                digest.update(f"{path.name} {path.stat().st_mtime_ns}".encode())
    return digest.hexdigest()
