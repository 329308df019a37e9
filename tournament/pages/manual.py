"""The manual of `docs/`, shown as the program's help: its chapters in each language, which of them is about which page,
and in which of them words stand. A comment `<!-- help: KEY -->` above a heading begins a chapter."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import PurePosixPath

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString

from tournament.basics.names import fold_text

DOCUMENTS = settings.BASE_DIR / "docs"
MANUALS = {
    "de": ("director.md", "director"),
    "en": ("en/evening.md", "en"),
    "nl": ("nl/evening.md", "nl"),
}
"""Where a language's manual lies: its first document, and the folder with those that follow."""
EXCERPT = 200  # letters of a paragraph that are shown where words were found

CHAPTERS = {
    # Whatever begins so, unless a longer beginning is named.
    "": "visitors",
    "me/": "players",
    "code/": "codes",
    "invitation/": "members",
    "login/": "start",
    "password/": "faults",
    "account/": "members",
    "host/": "members",
    "organisers/": "members",
    "seasons/": "seasons",
    "t/<slug:slug>/register/": "online-entry",
    "t/<slug:slug>/registration/": "online-entry",
    "t/<slug:slug>/table/": "table",
    "t/<slug:slug>/crosstable/": "table",
    "t/<slug:slug>/statistics/": "statistics",
    "t/<slug:slug>/chances/": "chances",
    "t/<slug:slug>/ratings/": "ratings",
    "t/<slug:slug>/teams/": "teams",
    "t/<slug:slug>/bracket/": "knockout",
    "t/<slug:slug>/share/": "sharing",
    "t/<slug:slug>/game/": "replay",
    "t/<slug:slug>/duplicate/": "duplicate",
    "director/": "start",
    "director/register/": "register",
    "director/register/alike/": "register",
    "director/register/handed-in/": "hand-in",
    "director/register/invitations/": "members",
    "director/register/members/": "members",
    "director/register/mirrors/": "internet",
    "director/register/organiser/": "members",
    "director/register/rating-list/": "ratings",
    "director/register/same-persons/": "seasons",
    "director/register/season": "seasons",
    "director/register/words/": "judge",
    "director/tournaments/": "new",
    "director/tournaments/backups/": "backup",
    "director/tournaments/import/": "export",
    "director/tournaments/laboratory/": "laboratory",
    "director/tournaments/not-saved-yet/": "results",
    "director/<slug:slug>/": "overview",
    "director/<slug:slug>/by-itself/": "by-itself",
    "director/<slug:slug>/chances/": "chances",
    "director/<slug:slug>/copy/": "new",
    "director/<slug:slug>/delete/": "new",
    "director/<slug:slug>/duplicate/": "duplicate",
    "director/<slug:slug>/duplicate/sealed/": "sealed",
    "director/<slug:slug>/end/": "end",
    "director/<slug:slug>/entries/": "entries",
    "director/<slug:slug>/entries/<int:pk>/": "coming-and-going",
    "director/<slug:slug>/entries/<int:pk>/link/": "players",
    "director/<slug:slug>/entries/check-in/": "check-in",
    "director/<slug:slug>/export/": "export",
    "director/<slug:slug>/fees": "fees",
    "director/<slug:slug>/hall/": "screens",
    "director/<slug:slug>/hall/ceremony/": "ceremony",
    "director/<slug:slug>/hand-in/": "hand-in",
    "director/<slug:slug>/journal/": "corrections",
    "director/<slug:slug>/judge/": "judge",
    "director/<slug:slug>/knockout/": "knockout",
    "director/<slug:slug>/lots/": "table",
    "director/<slug:slug>/mirror/": "internet",
    "director/<slug:slug>/next-season/": "draw",
    "director/<slug:slug>/photo": "photos",
    "director/<slug:slug>/portraits/": "ceremony",
    "director/<slug:slug>/print/": "print",
    "director/<slug:slug>/prizes/": "prizes",
    "director/<slug:slug>/challenge/": "referee",
    "director/<slug:slug>/incident/": "referee",
    "director/<slug:slug>/ratings": "ratings",
    "director/<slug:slug>/referee/": "referee",
    "director/<slug:slug>/registrations/": "online-entry",
    "director/<slug:slug>/letters/": "online-entry",
    "director/<slug:slug>/report": "report",
    "director/<slug:slug>/result/": "one-result",
    "director/<slug:slug>/result/<int:pk>/compare/": "compare",
    "director/<slug:slug>/result/<int:pk>/gcg/": "gcg",
    "director/<slug:slug>/result/<int:pk>/photos/": "photos",
    "director/<slug:slug>/result/<int:pk>/referee/": "referee",
    "director/<slug:slug>/result/<int:pk>/sheets/": "sheets",
    "director/<slug:slug>/results/": "results",
    "director/<slug:slug>/rounds/": "draw",
    "director/<slug:slug>/settings/": "settings",
    "director/<slug:slug>/sheet/": "sheets",
    "director/<slug:slug>/table": "table",
    "director/<slug:slug>/teams": "teams",
    "director/<slug:slug>/way-in/": "codes",
}
"""Which chapter is about the pages whose route begins so."""

_CHAPTER = re.compile(r"^<!-- help: ([\w-]+) -->\n(#+) (.+)\n", re.MULTILINE)
_NUMBER = re.compile(r"^\d+\. ")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_PICTURE = re.compile(r"^!\[.*\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
_PARAGRAPH = re.compile(r"\n\n|\n(?=[|\d-])")
_MARKS = re.compile(r"[*_`|#]+")


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the manual. `level` is that of its heading in the `document` it stands in, `text` what follows it, in
    Markdown."""

    key: str
    heading: str
    level: int
    text: str
    document: str

    @property
    def title(self) -> str:
        """The heading without its number."""
        return _NUMBER.sub("", self.heading)

    @property
    def url(self) -> str:
        return reverse("public:help_chapter", args=[self.key])


@cache
def list_chapters(language: str) -> dict[str, Chapter]:
    """The chapters of the manual in this language, by their keys and in their order."""
    first, folder = MANUALS[language]
    others = (DOCUMENTS / folder).glob("*.md")
    # The first document may lie among the others of the folder: it comes once, and before them.
    documents = dict.fromkeys([first, *sorted(path.relative_to(DOCUMENTS).as_posix() for path in others)])
    chapters = {}
    for document in documents:
        text = (DOCUMENTS / document).read_text(encoding="utf-8")
        _before, *parts = _CHAPTER.split(text)
        for key, marks, heading, body in zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=True):
            chapters[key] = Chapter(key, heading, len(marks), body, document)
    return chapters


def find_chapter_key(route: str) -> str:
    """The chapter about the pages of this route: that of the longest beginning."""
    return CHAPTERS[max((beginning for beginning in CHAPTERS if route.startswith(beginning)), key=len)]


def make_help_address(request: HttpRequest) -> str:
    """The address of the chapter about the page that is asked for; about the public pages where there is none."""
    route = request.resolver_match.route if request.resolver_match else ""
    return reverse("public:help_chapter", args=[find_chapter_key(route)])


@cache
def render_chapter(language: str, key: str) -> SafeString:
    """The chapter's text as HTML, below a heading of the first level: links between chapters lead there, those to other
    documents and pictures are left out."""
    chapter = list_chapters(language)[key]
    targets = _list_anchors(language)

    def lead(link: re.Match[str]) -> str:
        label, target = link.groups()
        if "://" in target:
            return link[0]
        path, _hash, anchor = target.partition("#")
        document = _resolve(chapter.document, path)
        # By the heading it stands under: a link of the document leads to an address within it, which may be in the
        # middle of a chapter.
        chapter_key = targets.get((document, anchor))
        if chapter_key == key:
            return f"[{label}](#{anchor})"
        if chapter_key:
            return f"[{label}]({reverse('public:help_chapter', args=[chapter_key])}{'#' if anchor else ''}{anchor})"
        return label

    # Before Markdown is read: what it makes of a link is HTML already, in which the document it leads to is hard to
    # tell.
    text = _LINK.sub(lead, _PICTURE.sub("", chapter.text))
    from markdown_it import MarkdownIt  # noqa: PLC0415  # slow to load, and only needed where the manual is read

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    for heading, words in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", make_anchor(words.content))
        if heading.type in {"heading_open", "heading_close"}:
            heading.tag = f"h{int(heading.tag[1]) - chapter.level + 1}"
    return SafeString(markdown.renderer.render(tokens, markdown.options, {}))  # the documents are ours


def make_anchor(heading: str) -> str:
    """The address of a heading within its document, as it is made where documents are usually read."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def search_chapters(language: str, words: str) -> list[tuple[Chapter, str]]:
    """The chapters in which all the words stand, those with one in the title first, each with a part of the first
    paragraph that has a word; of no words, none."""
    folded = fold_text(words).split()
    if not folded:
        return []
    matches = []
    for chapter in list_chapters(language).values():
        text = _LINK.sub(r"\1", _PICTURE.sub("", chapter.text))
        paragraphs = [" ".join(_MARKS.sub(" ", part).split()) for part in [chapter.title, *_PARAGRAPH.split(text)]]
        if all(word in fold_text(" ".join(paragraphs)) for word in folded):
            first = next(part for part in paragraphs if any(word in fold_text(part) for word in folded))
            matches.append((chapter, _cut_excerpt(first, folded)))
    return sorted(matches, key=lambda match: not any(word in fold_text(match[0].title) for word in folded))


def _cut_excerpt(paragraph: str, folded: Iterable[str]) -> str:
    """So much of a paragraph as is shown, with the first of the words in it."""
    # The place in the folded text is nearly that in the text: an ß that becomes two letters moves the excerpt by one,
    # which nobody sees.
    place = min((fold_text(paragraph).find(word) for word in folded if word in fold_text(paragraph)), default=0)
    begin = 0 if place < EXCERPT // 2 else paragraph.rfind(" ", 0, place - EXCERPT // 4) + 1
    end = len(paragraph) if len(paragraph) - begin <= EXCERPT else paragraph.rfind(" ", begin, begin + EXCERPT)
    return f"{'… ' if begin else ''}{paragraph[begin:end]}{' …' if end < len(paragraph) else ''}"


@cache
def _list_anchors(language: str) -> dict[tuple[str, str], str]:
    """For each document and address within it the chapter in which it stands; "" is the document's first."""
    anchors: dict[tuple[str, str], str] = {}
    for chapter in list_chapters(language).values():
        anchors.setdefault((chapter.document, ""), chapter.key)
        for heading in [chapter.heading, *_HEADING.findall(chapter.text)]:
            anchors[chapter.document, make_anchor(heading)] = chapter.key
    return anchors


def _resolve(document: str, path: str) -> str:
    """The document that a path within another one means, from the folder of documents."""
    if not path:
        return document
    parts: list[str] = []
    for part in (PurePosixPath(document).parent / path).parts:
        # By the words of the path alone, without asking the disk: what is wanted is its name within the documents.
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)
