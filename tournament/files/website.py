"""The website of an event as files: every page that its public pages lead to, and the files these need; and its zip."""

import posixpath
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from http import HTTPStatus
from typing import IO
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin, urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import FileResponse, Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django_htmx.middleware import HtmxDetails

from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import Refusal
from tournament.basics.static_files import find_static_file, split_content_name
from tournament.core.records import list_divisions
from tournament.exchange.rows import ZIP_TIMESTAMP
from tournament.models import Tournament

WEBSITE_VIEWS = frozenset(
    {
        *(
            f"public:{name}"
            for name in ("tournament", "announcement", "entries", "rounds", "round", "table", "table_after")
        ),
        *(f"public:{name}" for name in ("crosstable", "bracket", "statistics", "player", "ratings", "ratings_file")),
        *(f"public:{name}" for name in ("teams", "teams_file")),
        *(f"public:{name}" for name in ("club_colour", "club_picture", "table_file", "bracket_file", "final_file")),
        *(f"games:{name}" for name in ("replay", "replay_file", "round_play_public", "duplicate_public")),
    }
)
"""The addresses that become part of a website."""


def _ask_for_page(address: str, language: str) -> HttpResponseBase | None:
    """What a visitor without an account gets at an address of ours (path and query), asked for without a server. None
    where there is nothing for a website."""
    parts = urlsplit(address)
    try:
        match = resolve(parts.path)
    except Resolver404:
        return None
    if match.view_name not in WEBSITE_VIEWS:
        return None
    request = HttpRequest()
    request.method = "GET"
    request.path = request.path_info = parts.path
    request.GET = QueryDict(parts.query)
    # A host that Django allows, though nobody is asked: pages build addresses, and `*` is no part of one.
    host = next((name for name in settings.ALLOWED_HOSTS if name.strip("*.") == name), "localhost")
    request.META = {
        "REQUEST_METHOD": "GET",
        "SERVER_NAME": host,
        "SERVER_PORT": "80",
        "QUERY_STRING": parts.query,
        "HTTP_ACCEPT_LANGUAGE": language,
    }
    request.LANGUAGE_CODE = language
    request.user = AnonymousUser()
    request.session = {}  # type: ignore[assignment]  # nobody's
    request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]  # as its middleware does
    request.resolver_match = match
    try:
        response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    except Http404:
        return None
    # Django's handler does that otherwise, which is not asked here.
    if hasattr(response, "render") and not getattr(response, "is_rendered", True):
        response.render()
    return response


LinkRewriter = Callable[[str], str | None]  # where a link leads from now on; None if it leads nowhere any more

TagAttributes = list[tuple[str, str | None]]

REMOVED_ELEMENTS = frozenset({"script", "form", "button", "template", "dialog"})
"""Elements that need a script or a server."""

REMOVED_CLASSES = frozenset({"account-ways", "mark", "profile-way", "share-ways"})
"""Parts of pages that lead away from the event: to signing in, to all tournaments, to a player's other events, and to
what only a server has."""

VOID_ELEMENTS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
KEPT_LINK_RELATIONS = frozenset({"stylesheet", "icon"})
SCRIPT_ATTRIBUTE_PREFIXES = ("data-", "hx-", "on")  # what attributes begin with that only scripts read …
STYLE_ATTRIBUTE = "data-label"
"""… but this one: what a cell is called where a narrow screen has no room for the head of its column."""


def rewrite_page(page: str, lead: LinkRewriter) -> str:
    """The page for a folder of files."""
    writer = _PageRewriter(lead)
    writer.feed(page)
    writer.close()
    return "".join(writer.parts)


class _PageRewriter(HTMLParser):
    """Repeats what it reads, except what is left out."""

    def __init__(self, lead: LinkRewriter) -> None:
        super().__init__(convert_charrefs=False)  # what is escaped in a page stays so
        self.parts: list[str] = []
        self._lead = lead
        self._skipped = ""
        self._depth = 0
        self._links: list[str] = []

    def handle_starttag(self, tag: str, attrs: TagAttributes) -> None:
        if self._skipped:
            # Elements of the same kind within it are counted: else the first end tag would end what is left out.
            self._depth += tag == self._skipped
            return
        if tag in REMOVED_ELEMENTS or REMOVED_CLASSES & set((dict(attrs).get("class") or "").split()):
            if tag not in VOID_ELEMENTS:
                self._skipped, self._depth = tag, 1
            return
        stated = dict(attrs)
        # Feeds and manifests lead to a server, and htmx has nobody to ask.
        if (tag == "link" and stated.get("rel") not in KEPT_LINK_RELATIONS) or stated.get("name") == "htmx-config":
            return
        attributes = [
            attribute
            for attribute in attrs
            if attribute[0] == STYLE_ATTRIBUTE or not attribute[0].startswith(SCRIPT_ATTRIBUTE_PREFIXES)
        ]
        self._write(tag, attributes, "")
        if tag == "head":
            self.parts.append(f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">')

    def handle_startendtag(self, tag: str, attrs: TagAttributes) -> None:
        if not self._skipped:
            self._write(tag, attrs, "/")

    def _write(self, tag: str, attrs: TagAttributes, end: str) -> None:
        """A start tag, its links led elsewhere; a link that leads nowhere is plain text."""
        led = [self._lead_attribute(tag, *attribute) for attribute in attrs]
        gone = tag == "a" and "href" in dict(attrs) and "href" not in dict(led)
        name = "span" if gone else tag
        # By which name a link began is remembered until its end comes, which says `</a>` in any case.
        if tag == "a" and not end:
            self._links.append(name)
        if gone:
            led = [attribute for attribute in led if attribute[0] in ("class", "lang", "title")]
        # Escaped anew: the parser gives texts as they stand in the page, but the values of attributes unescaped.
        words = "".join(f" {key}" if value is None else f' {key}="{escape(value)}"' for key, value in led if key)
        self.parts.append(f"<{name}{words}{' /' if end else ''}>")

    def _lead_attribute(self, tag: str, name: str, value: str | None) -> tuple[str, str | None]:
        """An attribute as it is written; without a name it is left out."""
        if name not in ("href", "src", "xlink:href") or value is None:
            return name, value
        target = self._lead(value)
        return ("", None) if target is None else (name, target)

    def handle_endtag(self, tag: str) -> None:
        if self._skipped:
            self._depth -= tag == self._skipped
            if not self._depth:
                self._skipped = ""
            return
        if tag not in REMOVED_ELEMENTS:
            self.parts.append(f"</{self._links.pop() if tag == 'a' and self._links else tag}>")

    def _repeat(self, text: str) -> None:
        if not self._skipped:
            self.parts.append(text)

    def handle_data(self, data: str) -> None:
        self._repeat(data)

    def handle_entityref(self, name: str) -> None:
        self._repeat(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._repeat(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self._repeat(f"<!{decl}>")


CONTENT_POLICY = (
    "default-src 'none'; style-src 'self' file:; img-src 'self' file: data:; base-uri 'none'; form-action 'none'"
)
"""What a browser may load for a page: the website's own styles and pictures, from a stick as well, and no script."""

READABLE_FILE_MODE = 0o100644  # the rights of each file: a web server may read what is unpacked there

KEPT_QUERY_KEYS = ("division", "by", "after", "turn")
"""The parts of a query that make another page; a table sorted otherwise is none, since it takes a click each."""

OUTSIDE_SCHEMES = ("http", "https", "mailto", "tel")


@dataclass(slots=True)
class WebsiteFiles:
    """What has been found of a website so far. `files` says what stands where: the file of each address, None for one
    that is no part of the site. `waiting` are the pages to be written, compressed, since a large event has
    thousands."""

    tournament: Tournament
    language: str
    home: str
    club: str
    first_division: str
    files: dict[str, str | None] = field(default_factory=dict)
    names_in_use: set[str] = field(default_factory=set)
    waiting: deque[tuple[str, str, bytes]] = field(default_factory=deque)
    ready: list[tuple[str, bytes]] = field(default_factory=list)

    def find_file(self, address: str) -> str | None:
        """The file of an address of ours; None where it is no part of the site. Asks for it the first time."""
        plain = self._simplify(address)
        if plain is None:
            return None
        # Noted before it is asked for: of two addresses that lead to each other each would be asked for without end.
        if plain not in self.files:
            self.files[plain] = None
            self.files[plain] = self._make_file(plain)
        return self.files[plain]

    def _simplify(self, address: str) -> str | None:
        """One address for everything that gives the same page; None for another order of a table."""
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query))
        if set(query) - set(KEPT_QUERY_KEYS):
            return None
        # The first division is shown without being named: one page under two addresses would be two files.
        if query.get("division") == self.first_division:
            del query["division"]
        return parts.path + (f"?{urlencode(sorted(query.items()))}" if query else "")

    def _make_file(self, address: str) -> str | None:
        path = urlsplit(address).path
        if path.startswith(settings.STATIC_URL):
            return self._copy_static_file(path.removeprefix(settings.STATIC_URL))
        # Beside the event its club's own addresses: the colour and the logo of every page lie there.
        if not path.startswith((self.home, self.club)):
            return None
        response = _ask_for_page(address, self.language)
        if response is None:
            return None
        if response.status_code in (HTTPStatus.FOUND, HTTPStatus.MOVED_PERMANENTLY):
            return self.find_file(urljoin(address, response.headers["Location"]))
        if response.status_code != HTTPStatus.OK:
            return None
        content = b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]  # the two kinds
        if isinstance(response, FileResponse) and response.file_to_stream:
            # Thousands of files would stay open until Python collects them.
            response.file_to_stream.close()  # the server, which else does that, is not asked
        is_page = response.headers["Content-Type"].startswith("text/html")
        name = self._name_file(address, is_page=is_page)
        if is_page:
            self.waiting.append((address, name, zlib.compress(content, 1)))
        else:
            self.ready.append((name, content))
        return name

    def _copy_static_file(self, name: str) -> str | None:
        """A file of the program that pages need: the style, the icon."""
        plain, _digest = split_content_name(unquote(name))
        path = find_static_file(plain)
        if path is None:
            return None
        file = f"style/{posixpath.basename(plain)}"
        self.ready.append((file, path.read_bytes()))
        return file

    def _name_file(self, address: str, *, is_page: bool) -> str:
        """What a file is called: index.html for the first page, others by their address."""
        parts = urlsplit(address)
        if address == self.home:
            return "index.html"
        rest, ending = posixpath.splitext(unquote(parts.path.removeprefix(self.home)).strip("/"))
        words = [rest + ending if is_page else rest, *(f"{key} {value}" for key, value in parse_qsl(parts.query))]
        stem = slugify(" ".join(words).replace("/", " ")) or "page"
        folder, ending = ("pages", ".html") if is_page else ("files", ending)
        name, number = f"{folder}/{stem}{ending}", 2
        # Two addresses may give one name: slugs know neither accents nor capitals.
        while name in self.names_in_use:
            name, number = f"{folder}/{stem}-{number}{ending}", number + 1
        self.names_in_use.add(name)
        return name

    def rewrite(self, address: str, name: str, page: bytes) -> bytes:
        """A page for its file, the links relative to it."""

        def lead(link: str) -> str | None:
            parts = urlsplit(link)
            if parts.scheme in OUTSIDE_SCHEMES or (not parts.path and not parts.query):
                return link
            target_file = self.find_file(urljoin(address, link))
            if target_file is None:
                return None
            relative = quote(posixpath.relpath(target_file, posixpath.dirname(name) or "."))
            return f"{relative}#{parts.fragment}" if parts.fragment else relative

        return rewrite_page(page.decode(), lead).encode()


def make_website_files(tournament: Tournament) -> Iterator[tuple[str, bytes]]:
    """The files of the event's website, name and content, in the event's language: pages end in `.html`. The pages are
    those of the public, so a website shows what is published and nothing else. Raises `website_not_public`."""
    if not tournament.is_public:
        raise Refusal(
            "website_not_public",
            _("%(name)s has no public pages: the director has hidden it. A website contains only what is public."),
            name=tournament.name,
        )
    language = choose_paper_language(tournament.language)
    home = reverse("public:tournament", args=[tournament.slug])
    club = reverse("public:organiser", args=[tournament.organiser.slug])
    site = WebsiteFiles(tournament, language, home, club, list_divisions(tournament)[0].name)
    with translation.override(language):
        site.find_file(home)
        # What is found while a page is written comes behind the others: the site is walked until nothing leads to
        # anything new.
        while site.waiting:
            address, name, packed = site.waiting.popleft()
            yield name, site.rewrite(address, name, zlib.decompress(packed))
            while site.ready:
                yield site.ready.pop()


def write_website(tournament: Tournament, out: IO[bytes]) -> int:
    """Write the event's website as a zip; return how many pages it has. Raises `website_not_public`."""
    count = 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        for name, content in make_website_files(tournament):
            info = zipfile.ZipInfo(f"{tournament.slug}/{name}", ZIP_TIMESTAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = READABLE_FILE_MODE << 16
            parts.writestr(info, content)
            count += name.endswith(".html")
    return count
