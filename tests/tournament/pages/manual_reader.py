"""Whoever follows the manual in a browser: goes where a chapter says, presses what it names, and notes which of its
words the pages have shown meanwhile."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from pypdf import PdfReader

from tournament.pages.manual import list_chapters

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Locator, Page, Request

QUOTED = {"de": re.compile("„([^“]+)“"), "en": re.compile("“([^”]+)”"), "nl": re.compile("“([^”]+)”")}
PLACE = re.compile(r"%\(\w+\)s|%%s")
BOLD = re.compile(r"\*\*([^*]+)\*\*")
PRESSED = "a, button, summary, label, input[type=submit]"
SHOWN = """() => [document.body.innerText,
    ...[...document.querySelectorAll("[placeholder], [aria-label], [title], option")]
    .filter((part) => part.checkVisibility() || part.closest("select")?.checkVisibility())
    .flatMap((part) => [part.placeholder, part.ariaLabel, part.title, part.tagName == "OPTION" ? part.text : ""])]
    .filter(Boolean).join("\\n")"""
"""Script: all that a page shows to whoever reads it, or says of its fields."""
PATIENCE, MOMENT = 15_000, 80  # milliseconds for a page that changes by itself, and between two looks at it


@cache
def list_messages(language: str) -> dict[str, frozenset[str]]:
    """What the program says in a language, each with the texts of the sources that it translates."""
    polib = pytest.importorskip("polib", reason="comes with requirements-dev.txt")
    source = Path(settings.BASE_DIR) / "locale" / ("de" if language == "en" else language) / "LC_MESSAGES/django.po"
    texts: dict[str, set[str]] = {}
    for entry in polib.pofile(str(source)):
        english, translated = (entry.msgid, entry.msgid_plural), (entry.msgstr, *entry.msgstr_plural.values())
        for form in filter(None, english if language == "en" else translated):
            texts.setdefault(" ".join(PLACE.sub("…", form).split()), set()).add(entry.msgid)
    return {form: frozenset(ids) for form, ids in texts.items()}


def find_messages(language: str, word: str) -> frozenset[str]:
    """The texts of the sources that a word of the manual may be the translation of: whole, or else part of."""
    messages = list_messages(language)
    if word in messages:
        return messages[word]
    part = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    return frozenset().union(*(ids for text, ids in messages.items() if part.search(text)))


def list_quoted(language: str, key: str) -> dict[str, frozenset[str]]:
    """What a chapter quotes of the program, with the texts of the sources that it may be; without examples and what
    only the terminal says."""
    quoted = (" ".join(word.split()) for word in QUOTED[language].findall(list_chapters(language)[key].text))
    found = {word: find_messages(language, word) for word in quoted}
    return {word: ids for word, ids in found.items() if ids}


def list_words(language: str, key: str) -> list[str]:
    """What a chapter names of the program, in its order: what it quotes, and in bold what the program says as well."""
    text = list_chapters(language)[key].text
    messages = list_messages(language)
    bold = [(match.start(), match[1]) for match in BOLD.finditer(text) if " ".join(match[1].split()) in messages]
    quoted = [(match.start(), match[1]) for match in QUOTED[language].finditer(text)]
    return [" ".join(word.split()) for _place, word in sorted(quoted + bold)]


def compile_word(word: str) -> re.Pattern[str]:
    """A word of the manual as it stands on a page, where something may stand for each `…`."""
    first, word = (f"(?i:{re.escape(word[0])})", word[1:]) if word[0].isalpha() else ("", word)
    parts = [re.escape(part).replace(r"\ ", r"\s+") for part in word.split("…")]
    return re.compile(rf"(?<!\w){first}{'(?:…|.{1,80}?)'.join(parts)}(?!\w)")


class Reader:
    """A browser with the manual beside it."""

    def __init__(self, page: Page, root: str) -> None:
        self.page, self.root = page, root
        self.left: set[str] = set()
        self.named: set[str] = set()
        self.pending: set[Request] = set()
        page.on("request", self._note_request)
        for end in ("requestfinished", "requestfailed"):
            page.on(end, self._forget_request)

    def _note_request(self, request: Request) -> None:
        """Note what leads to another page or changes something: it is waited for before the next step."""
        if request.is_navigation_request() or request.method == "POST":
            self.pending.add(request)

    def _forget_request(self, request: Request) -> None:
        self.pending.discard(request)

    def settle(self) -> None:
        """Wait until what was pressed has had its answer."""
        for _try in range(PATIENCE // MOMENT):
            self.page.wait_for_timeout(MOMENT)
            if not self.pending:
                break
        self.page.wait_for_load_state()

    def open_chapter(self, key: str) -> None:
        """Begin to follow a chapter."""
        self.named = set(list_words("de", key))
        self.left = set(self.named)

    def go(self, path: str) -> None:
        """Open an address of the program."""
        if self.page.url != "about:blank":
            self.look()
        self.page.goto(self.root + path)
        self.look()

    @property
    def path(self) -> str:
        """The address that is open, within the program."""
        return self.page.url.removeprefix(self.root)

    def read(self, path: str) -> None:
        """Note which words of the chapter stand on a document to print."""
        paper = PdfReader(io.BytesIO(self.page.request.get(self.root + path).body()))
        self.note("\n".join(sheet.extract_text() for sheet in paper.pages))

    def look(self) -> None:
        """Note which words of the chapter the page shows now."""
        self.note(str(self.page.evaluate(SHOWN)))

    def note(self, text: str) -> None:
        self.left = {word for word in self.left if not compile_word(word).search(text)}

    def find(self, word: str) -> Locator:
        """What is called by a word, whole or at its beginning, and can be pressed."""
        pressed = self.page.locator(PRESSED).filter(visible=True)
        pattern = compile_word(word).pattern
        whole = pressed.filter(has_text=re.compile(rf"^\s*{pattern}\W*$"))
        begun = pressed.filter(has_text=re.compile(rf"^\s*{pattern}"))
        for role in ("link", "button"):
            begun = begun.or_(self.page.get_by_role(role, name=re.compile(pattern)).filter(visible=True))
        whole.or_(begun).first.wait_for(timeout=PATIENCE)
        return whole.first if whole.count() else begun.first

    def press(self, *words: str) -> None:
        """Press one thing after the other; each has to be named by the chapter."""
        for word in words:
            assert word in self.named, f"The chapter does not name {word}"
            self.press_besides(word)

    def upload(self, name: str, kind: str, content: bytes) -> None:
        """Choose a file of this kind in the page's first field for one."""
        file: FilePayload = {"name": name, "mimeType": kind, "buffer": content}
        self.page.locator("main [type=file]").first.set_input_files(file)

    def press_besides(self, *words: str) -> None:
        """Press what the chapter describes without its name."""
        for word in words:
            target = self.find(word)
            self.look()
            target.click()
            self.settle()
            self.look()

    def fill(self, **values: str) -> None:
        """Type into fields by their names."""
        for name, value in values.items():
            field = self.page.locator(f"main [name={name}]").filter(visible=True).first
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)

    def finish(self) -> set[str]:
        """The words that no page has shown, once the last one has settled."""
        self.settle()
        self.look()
        return self.left


def read_german(context: Any, address: str) -> None:
    """A visitor's choice of German in a browser that will visit this address."""
    context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "de", "url": address}])
