"""German is complete, and what is compiled is what was translated. English needs no catalogue: it is the source."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"
PLACE = re.compile(r"%\(\w+\)[sd]|%%|\{\w+\}|<[^>]+>")
MARKS = re.compile(r"<[^>]+>|%\(\w+\)s|[\W\d_]")
SAME_IN_GERMAN = {
    *(
        "Name",
        "Name:",
        "Name:     %(name)s",
        "Plan",
        "Version",
        "Version %(version)s, %(who)s, %(at)s, %(how)s",
    ),
    *("R%(number)s", "R %(number)s", "%(order)s (TSO 6.1)", "P"),
    *("2W", "3W", "Position", "Jury"),
}
"""Texts that need no other word in German."""
FAMILIAR = re.compile(r"\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]ein\w*|Ihnen)\b")

polib = pytest.importorskip("polib", reason="comes with requirements-dev.txt")


def described(entries: list[Any]) -> list[str]:
    return [entry.msgid for entry in entries]


def texts(entry: Any) -> list[str]:
    """An entry's German: one text, or one for each number."""
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


@pytest.fixture(scope="module")
def german() -> Any:
    return polib.pofile(str(CATALOGUE))


@pytest.mark.skipif(not shutil.which("xgettext"), reason="needs the gettext tools")
def test_every_text_of_the_program_is_translated(tmp_path: Path) -> None:
    for name in ("config", "games", "locale", "scoring", "templates", "tournament", "manage.py"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    command = [sys.executable, "manage.py", "makemessages", "-l", "de", "--no-obsolete"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}

    subprocess.run(command, cwd=tmp_path, env=environment, check=True)

    collected = polib.pofile(str(tmp_path / CATALOGUE.relative_to(ROOT)))
    assert described([entry for entry in collected if not entry.translated()]) == []


def test_nothing_is_fuzzy_or_missing(german: Any) -> None:
    assert described(german.fuzzy_entries()) == []
    assert described(german.untranslated_entries()) == []
    assert described(german.obsolete_entries()) == []


def test_places_and_tags_are_kept(german: Any) -> None:
    def places(text: str) -> list[str]:
        return sorted(PLACE.findall(text))

    wrong = [
        entry.msgid
        for entry in german
        for text in texts(entry)
        if places(text) not in (places(entry.msgid), places(entry.msgid_plural or entry.msgid))
    ]

    assert wrong == []


def test_no_english_is_left(german: Any) -> None:
    left = [
        entry.msgid
        for entry in german
        for text in texts(entry)
        if text == entry.msgid and MARKS.sub("", text) and entry.msgid not in SAME_IN_GERMAN
    ]

    assert left == []


def test_quotation_marks_are_german(german: Any) -> None:
    def plain(text: str) -> str:
        return re.sub(r"<[^>]+>", "", text)

    wrong = [
        entry.msgid
        for entry in german
        for text in texts(entry)
        if plain(text).count("„") != plain(text).count("“") or "”" in text or '"' in plain(text)
    ]

    assert wrong == []


def test_nobody_is_addressed_by_name(german: Any) -> None:
    assert [text for entry in german for text in texts(entry) if FAMILIAR.search(text)] == []


def test_the_two_tables_have_two_words() -> None:
    with translation.override("de"):
        furniture, ranking = translation.gettext("Table"), translation.gettext("Standings")

    assert (furniture, ranking) == ("Tisch", "Tabelle")


def test_english_is_the_source() -> None:
    with translation.override("en"):
        found = translation.gettext("Standings")
        few = translation.ngettext("%(number)s entry", "%(number)s entries", 2)

    assert (found, few) == ("Standings", "%(number)s entries")


def test_no_header_changes_by_itself(german: Any) -> None:
    assert german.metadata == {
        "Project-Id-Version": "TSO",
        "Language": "de",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }


def test_compiled_file_is_current(german: Any) -> None:
    def pairs(catalogue: Any) -> dict[tuple[str | None, str], object]:
        return {(entry.msgctxt, entry.msgid): dict(entry.msgstr_plural) or entry.msgstr for entry in catalogue}

    compiled = polib.mofile(str(CATALOGUE.with_suffix(".mo")))

    assert pairs(compiled) == pairs(german)
