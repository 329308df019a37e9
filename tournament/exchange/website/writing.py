"""The zip of an event's website: every page that its public pages lead to, and the files these need."""

import posixpath
import zipfile
import zlib
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import translation
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from tournament import languages
from tournament.exchange.website import asking, rewriting
from tournament.models import Tournament
from tournament.queries import league
from tournament.refusals import Refusal

FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)
"""The parts of an archive carry no time of their own, so that the same event gives the same archive."""

READABLE = 0o100644
"""The rights of each file: a web server may read what is unpacked there."""

KEPT_QUERIES = ("division", "by", "after", "turn")
"""The parts of a query that make another page; a table sorted otherwise is none, since it takes a click each."""

OUTSIDE = ("http", "https", "mailto", "tel")


class NotPublic(Refusal):
    code = "website_not_public"
    message = _(
        "%(name)s has no public pages: the director has hidden it. A website is made of what everybody may see."
    )


@dataclass(slots=True)
class Site:
    """What has been found of a website so far.

    `files` says what stands where: the file of each address, None for one that is no part of the site. `waiting` are
    the pages to be written, compressed, since a large event has some thousand.
    """

    tournament: Tournament
    language: str
    home: str
    first_division: str
    files: dict[str, str | None] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    waiting: deque[tuple[str, str, bytes]] = field(default_factory=deque)
    ready: list[tuple[str, bytes]] = field(default_factory=list)

    def file_of(self, address: str) -> str | None:
        """The file of an address of ours; None where it is no part of the site. Asks for it the first time."""
        plain = self._plain(address)
        if plain is None:
            return None
        if plain not in self.files:
            self.files[plain] = None
            self.files[plain] = self._asked(plain)
        return self.files[plain]

    def _plain(self, address: str) -> str | None:
        """One address for everything that gives the same page; None for another order of a table."""
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query))
        if set(query) - set(KEPT_QUERIES):
            return None
        if query.get("division") == self.first_division:
            del query["division"]
        return parts.path + (f"?{urlencode(sorted(query.items()))}" if query else "")

    def _asked(self, address: str) -> str | None:
        path = urlsplit(address).path
        if path.startswith(settings.STATIC_URL):
            return self._static(path.removeprefix(settings.STATIC_URL))
        if not path.startswith(self.home):
            return None
        answer = asking.ask(address, self.language)
        if answer is None:
            return None
        if answer.moved_to:
            return self.file_of(urljoin(address, answer.moved_to))
        name = self._name(address, is_page=answer.is_page)
        if answer.is_page:
            self.waiting.append((address, name, zlib.compress(answer.content, 1)))
        else:
            self.ready.append((name, answer.content))
        return name

    def _static(self, name: str) -> str | None:
        """A file of the program that pages need: the style, the icon."""
        found = finders.find(unquote(name))
        if found is None:
            return None
        file = f"style/{posixpath.basename(name)}"
        self.ready.append((file, Path(found).read_bytes()))
        return file

    def _name(self, address: str, *, is_page: bool) -> str:
        """What a file is called: index.html for the first page, others by their address."""
        parts = urlsplit(address)
        if address == self.home:
            return "index.html"
        rest, ending = posixpath.splitext(unquote(parts.path.removeprefix(self.home)).strip("/"))
        told = [rest if not is_page else rest + ending, *(f"{key} {value}" for key, value in parse_qsl(parts.query))]
        stem = slugify(" ".join(told).replace("/", " ")) or "page"
        folder, ending = ("pages", ".html") if is_page else ("files", ending)
        name, number = f"{folder}/{stem}{ending}", 2
        while name in self.taken:
            name, number = f"{folder}/{stem}-{number}{ending}", number + 1
        self.taken.add(name)
        return name

    def written(self, address: str, name: str, page: bytes) -> bytes:
        """A page for its file, the links relative to it."""

        def lead(link: str) -> str | None:
            parts = urlsplit(link)
            if parts.scheme in OUTSIDE or (not parts.path and not parts.query):
                return link
            found = self.file_of(urljoin(address, link))
            if found is None:
                return None
            relative = quote(posixpath.relpath(found, posixpath.dirname(name) or "."))
            return f"{relative}#{parts.fragment}" if parts.fragment else relative

        return rewriting.rewritten(page.decode(), lead).encode()


def write(tournament: Tournament, out: IO[bytes]) -> int:
    """Write the event's website as a zip, in the event's language; return how many pages it has. Raises `NotPublic`.

    The pages are those of the public, so a website shows what is published and nothing else.
    """
    if not tournament.is_public:
        raise NotPublic(name=tournament.name)
    language = languages.on_paper(tournament.language)
    home = reverse("public:tournament", args=[tournament.slug])
    site = Site(tournament, language, home, league.divisions(tournament)[0].name)
    count = 0
    with translation.override(language), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        site.file_of(home)
        while site.waiting:
            address, name, packed = site.waiting.popleft()
            _put(parts, tournament, name, site.written(address, name, zlib.decompress(packed)))
            count += 1
            while site.ready:
                _put(parts, tournament, *site.ready.pop())
    return count


def _put(parts: zipfile.ZipFile, tournament: Tournament, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(f"{tournament.slug}/{name}", FIRST_DAY_OF_ZIP)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = READABLE << 16
    parts.writestr(info, content)
