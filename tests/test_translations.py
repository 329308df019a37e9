"""German and Dutch are complete, and what is compiled is what was translated. English needs no catalogue: it is the
source."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.utils import translation

ROOT = Path(__file__).resolve().parents[1]
PLACE = re.compile(r"%\(\w+\)[sd]|%%|\{\w+\}|<[^>]+>")
MARKS = re.compile(r"<[^>]+>|%\(\w+\)s|[\W\d_]")

polib = pytest.importorskip("polib", reason="comes with requirements-dev.txt")


@dataclass(frozen=True, slots=True)
class Language:
    """A language that texts are translated into: its quotation marks, the words by which somebody is addressed, those
    for which the glossary has another one, and the texts that need no other word."""

    code: str
    quotes: str
    familiar: re.Pattern[str]
    second: re.Pattern[str]
    same: Collection[str]

    @property
    def path(self) -> Path:
        return ROOT / "locale" / self.code / "LC_MESSAGES" / "django.po"


GERMAN = Language(
    code="de",
    quotes="„“",
    familiar=re.compile(r"\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]ein\w*|Ihnen)\b"),
    second=re.compile(
        r"\b(Spiel(?! um Platz)|Spiele[ns]?|Spiels|Spiel(zettel|protokoll)|Rang|Nachrechnen|[Aa]uf der Tabelle"
        r"|Auslosung Nr)\b"
    ),
    same={
        *("Name", "Name:", "Name:     %(name)s", "Plan", "System", "Plan %(place)s", "Version", "Countdown"),
        *("Version %(version)s, %(who)s, %(at)s, %(how)s", "%(order)s (TSO 6.1)"),
        *("R%(number)s", "R %(number)s", "P", "2W", "3W", "J", "Position", "Jury", "Code", "Codes"),
        *("Solo", "Solos", "%(seconds)s s", "Wedstrijdscrabble"),
    },
)
DUTCH = Language(
    code="nl",
    quotes="“”",
    familiar=re.compile(r"\b([Jj]e|[Jj]ij|[Jj]ouw?|[Uu]|[Uu]w)\b"),
    second=re.compile(r"\b(het spel|rang|[Rr]onden|schaakklok\w*|teruggeteld|uit de buurt)\b"),
    same={
        *("Insert", "Home", "End", "Alt+Delete", "Page ↓", "Page ↑"),  # on Dutch keyboards
        *("2L", "3L", "2W", "3W", "R%(number)s", "R %(number)s", "P", "best of", "criteria", "lot", "terminal"),
        *(
            "Club",
            "Plan %(place)s",
            "Clubs",
            "club",
            "clubs",
            "Code",
            "code",
            "Codes",
            "Rating",
            "Ratings",
            "rating",
            "rating %(rating)s",
            "Score",
            "Plan",
        ),
        *("Knock-out", "knock-out", "knock-outs", "Record", "Records", "Factor", "Menu", "Helper", "E-mail", "e-mail"),
        *(
            "Team",
            "Teams",
            "team",
            "Open",
            "open",
            "open %(score)s",
            "%(n)s open",
            "Jury",
            "J",
            "Solo",
            "Wedstrijdscrabble",
            "%(seconds)s s",
        ),
    },
)
LANGUAGES = [pytest.param(language, id=language.code) for language in (GERMAN, DUTCH)]


def described(entries: list[Any]) -> list[str]:
    return [entry.msgid for entry in entries]


def texts(entry: Any) -> list[str]:
    """An entry's translation: one text, or one for each number."""
    return list(entry.msgstr_plural.values()) or [entry.msgstr]


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Language:
    found: Language = request.param
    return found


@cache
def read_catalogue(path: Path) -> Any:
    return polib.pofile(str(path))


@pytest.fixture
def catalogue(language: Language) -> Any:
    return read_catalogue(language.path)


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program whose catalogues have just been collected from it."""
    folder = tmp_path_factory.mktemp("collected")
    for name in ("config", "games", "locale", "scoring", "templates", "tournament", "manage.py"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    command = [sys.executable, "manage.py", "makemessages", "-l", GERMAN.code, "-l", DUTCH.code, "--no-obsolete"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run(command, cwd=folder, env=environment, check=True)
    return folder


MARKED_TEXT = re.compile(r'\b_\(\s*"((?:[^"\\]|\\.)*)"\s*[,)]|\{% translate "([^"]*)"')
"""A text that stands alone in one string, in a program or in a template."""


def test_texts_of_one_string_are_in_the_catalogue(catalogue: Any) -> None:
    folders = [ROOT / name for name in ("config", "games", "templates", "tournament")]
    sources = [path for folder in folders for suffix in ("*.py", "*.html") for path in folder.rglob(suffix)]
    texts_by_file = {path: MARKED_TEXT.findall(path.read_text(encoding="utf-8")) for path in sources}
    written = {
        (ast.literal_eval(f'"{of_program}"') or of_template.replace("%", "%%"), path.name)
        for path, pairs in texts_by_file.items()
        for of_program, of_template in pairs
    }
    translated = {entry.msgid for entry in catalogue}

    assert len(written) > 2000
    assert [pair for pair in sorted(written) if pair[0] not in translated] == []


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("xgettext"), reason="needs the gettext tools")
def test_every_text_of_the_program_is_translated(language: Language, collected: Path) -> None:
    found = polib.pofile(str(collected / language.path.relative_to(ROOT)))

    assert described([entry for entry in found if not entry.translated()]) == []


def test_nothing_is_fuzzy_or_missing(catalogue: Any) -> None:
    assert described(catalogue.fuzzy_entries()) == []
    assert described(catalogue.untranslated_entries()) == []
    assert described(catalogue.obsolete_entries()) == []


def test_places_and_tags_are_kept(catalogue: Any) -> None:
    def places(text: str) -> list[str]:
        return sorted(PLACE.findall(text))

    wrong = [
        entry.msgid
        for entry in catalogue
        for text in texts(entry)
        if places(text) not in (places(entry.msgid), places(entry.msgid_plural or entry.msgid))
    ]

    assert wrong == []


NOT_COUNTED = r"limit|most|needed|least|round|low|high|next|step|line|name|who|player|winner|nick"
COUNTED = re.compile(
    rf"(?<![Rr]ound )(?<!Number )(?<!number )(?<!after line )%\((?!(?:{NOT_COUNTED})\))\w+\)s "
    r"(?:new |other |more |missing |penalty |planned |withdrawn |rating |percentage |rated )*"
    r"(?:points|places|rounds|wins|games|results|players|tiles|words|lines|photos|days|minutes|hours|seconds|slips"
    r"|entries|exchanges|rows|draws|seeds|starts|registrations|letters|times|passes|connections|pictures|prizes|events|matches|teams|tables|sheets|lots|copies|backups|squares|characters|slides|turns|moves|bytes)\b"
    r"|\(\w{1,2}\) "
)
"""A figure before what is counted, or a plural in brackets."""

NEVER_ONE = {
    "figures of the rules": (
        *(
            "%(points)s points for each",
            "%(points)s points per",
            "costs %(points)s points",
        ),
        "lost for %(points)s points",
        *("%(count)s tiles or more", "%(seconds)s seconds", "%(letters)s tiles for all", "within %(hours)s hours"),
        *(
            "after %(days)s days",
            "%(days)s days before the first day",
            "At most %(count)s words",
            "%(count)s minutes for the whole",
            "%(time)s minutes",
        ),
        *("A code has %(turn)s letters", "%(size)s players", "%(sizes)s players", "%(turns)s turns"),
    ),
    "too many of them, or at least two": (
        *("is %(count)s words", "lays %(found)s tiles", "%(found)s new tiles", "%(found)s words challenged"),
        *("on the board %(found)s times", "contains %(count)s pictures", "are %(count)s photos", "%(value)s games"),
        *("%(value)s entries in its parts", "has %(found)s lines", "has %(count)s lines", "%(found)s draws put back"),
        *(
            "the jury %(asked)s words",
            "%(count)s players are named so",
            "Points for %(count)s places",
            "%(row)s starts in a row",
        ),
        *("%(rounds)s rounds earlier", "best of %(games)s games", "%(number)s players", "%(count)s matches are"),
        *("%(events)s events of each plan, all", "at least %(count)s events, as soon"),
        *("from %(players)s players", "each of at least %(players)s players"),
        *("The file has %(size)s bytes", "takes %(bytes)s bytes", "%(found)s turns are more", "%(count)s slides are"),
        *("at least %(figure)s rounds", "That is %(count)s words", "with %(entered)s players"),
    ),
    "no count, or a large one": (
        *("%(average)s points a game", "The plan has %(planned)s rounds"),
        *("%(interval)s percentage points", "standard deviation of %(deviation)s points"),
    ),
}


def test_a_figure_that_can_be_one_has_a_plural(catalogue: Any) -> None:
    allowed = {fragment for fragments in NEVER_ONE.values() for fragment in fragments}
    counted = [entry.msgid for entry in catalogue if not entry.msgid_plural and COUNTED.search(entry.msgid)]

    assert [text for text in counted if not any(fragment in text for fragment in allowed)] == []
    assert [fragment for fragment in allowed if not any(fragment in text for text in counted)] == []


PERCENT = re.compile(r"(?:\)s|\d)(\s?)%%?(?![\w(])")


def test_percentages_are_written_as_the_language_writes_them(language: Language, catalogue: Any) -> None:
    sources = [text for entry in catalogue for text in (entry.msgid, entry.msgid_plural)]
    translated = [text for entry in catalogue for text in texts(entry)]
    space = {"de": "\N{NO-BREAK SPACE}", "nl": ""}[language.code]

    assert len([text for text in sources if PERCENT.search(text)]) > 10
    assert [text for text in sources if set(PERCENT.findall(text)) - {""}] == []
    assert [text for text in translated if set(PERCENT.findall(text)) - {space}] == []


WRITTEN_PERCENT = re.compile(r"[}\d](?: |\xa0|&nbsp;|\\N\{NO-BREAK SPACE\})%(?:[\"'<)]|$)", re.MULTILINE)
REMARK = re.compile(r'""".*?"""|#.*?$', re.DOTALL | re.MULTILINE)


def test_no_percentage_is_written_beside_the_catalogue() -> None:
    paths = [path for name in ("config", "games", "templates", "tournament") for path in (ROOT / name).rglob("*.*")]
    sources = {path.name: path.read_text("utf-8") for path in paths if path.suffix in {".html", ".py", ".txt"}}

    assert [name for name, source in sources.items() if WRITTEN_PERCENT.search(REMARK.sub("", source))] == []


def list_written_texts(source: str) -> Iterator[str]:
    """What a command writes out word for word as it stands in its source."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("self.stdout.write", "self.stderr.write"):
            parts = call.args[0].values if isinstance(call.args[0], ast.JoinedStr) else call.args[:1]
            yield from (str(part.value) for part in parts if isinstance(part, ast.Constant))


def test_what_commands_print_is_translated() -> None:
    """What is written out stands in the catalogue, or says no word."""
    paths = [path for name in ("games", "tournament") for path in (ROOT / name / "management").rglob("*.py")]
    written = [(path.name, text) for path in paths for text in list_written_texts(path.read_text("utf-8"))]

    assert len(paths) > 30
    assert [(name, text) for name, text in written if re.search(r"[A-Za-z]{2}", text)] == []


def test_no_english_is_left(language: Language, catalogue: Any) -> None:
    left = [
        entry.msgid
        for entry in catalogue
        for text in texts(entry)
        if text == entry.msgid and MARKS.sub("", text) and entry.msgid not in language.same
    ]

    assert left == []


def test_quotation_marks_are_the_languages_own(language: Language, catalogue: Any) -> None:
    opening, closing = tuple(language.quotes)
    foreign = re.compile(f'[{"".join(set("„“”") - set(language.quotes))}"]')

    def plain(text: str) -> str:
        return re.sub(r"<[^>]+>", "", text)

    wrong = [
        entry.msgid
        for entry in catalogue
        for text in texts(entry)
        if plain(text).count(opening) != plain(text).count(closing) or foreign.search(plain(text))
    ]

    assert wrong == []


def test_nobody_is_addressed_by_name(language: Language, catalogue: Any) -> None:
    assert [text for entry in catalogue for text in texts(entry) if language.familiar.search(text)] == []


def test_one_thing_has_one_word(language: Language, catalogue: Any) -> None:
    assert [entry.msgid for entry in catalogue if any(language.second.search(text) for text in texts(entry))] == []


def test_the_two_tables_have_two_words() -> None:
    for code, words in (("de", ("Tisch", "Tabelle")), ("nl", ("Tafel", "Stand"))):
        with translation.override(code):
            assert (translation.gettext("Table"), translation.gettext("Standings")) == words


TERM = re.compile(r"^\| (?P<de>[^|]+) \| (?P<en>[^|]+) \| (?P<nl>[^|]+) \|", re.MULTILINE)

AMBIGUOUS = {
    *("After", "End", "Plan", "Play", "Withdraw", "Match", "Undo"),
    *("draw", "forfeit", "put back", "seed", "the play stands", "won"),
}
"""Texts whose English is also that of another term, or bent otherwise in a heading."""


def terms(cell: str) -> set[str]:
    """The words that a cell of the glossary allows, explanations aside."""
    return {re.sub(r" *\(.*?\)|^.*: ", "", term).strip(" “”").lower() for term in re.split("[,;]", cell)}


def test_glossarys_words_are_used(language: Language, catalogue: Any) -> None:
    rows = TERM.finditer((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))
    allowed: dict[str, set[str]] = {}
    for row in rows:
        for english in terms(row["en"]):
            allowed.setdefault(english, set()).update(terms(row[language.code]))

    named = [entry for entry in catalogue if entry.msgid.lower() in allowed and entry.msgid not in AMBIGUOUS]
    wrong = [(entry.msgid, entry.msgstr) for entry in named if entry.msgstr.lower() not in allowed[entry.msgid.lower()]]

    assert len(named) > 80
    assert wrong == []


def test_djangos_sentences_about_passwords_are_dutch() -> None:
    with translation.override("nl"):
        with pytest.raises(ValidationError) as refused:
            password_validation.validate_password("1")
        told = password_validation.password_validators_help_texts()

    assert refused.value.messages[0] == "Dit wachtwoord is te kort. Het moet minstens 8 tekens bevatten."
    assert [text for text in told if DUTCH.familiar.search(text)] == []
    assert "Het wachtwoord moet minstens 8 tekens bevatten." in told


def test_english_is_the_source() -> None:
    with translation.override("en"):
        found = translation.gettext("Standings")
        few = translation.ngettext("%(number)s entry", "%(number)s entries", 2)

    assert (found, few) == ("Standings", "%(number)s entries")


def test_no_header_changes_by_itself(language: Language, catalogue: Any) -> None:
    assert catalogue.metadata == {
        "Project-Id-Version": "TSO",
        "Language": language.code,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }


def test_compiled_file_is_current(language: Language, catalogue: Any) -> None:
    def pairs(file: Any) -> dict[tuple[str | None, str], object]:
        return {(entry.msgctxt, entry.msgid): dict(entry.msgstr_plural) or entry.msgstr for entry in file}

    compiled = polib.mofile(str(language.path.with_suffix(".mo")))

    assert pairs(compiled) == pairs(catalogue)


SAID_OTHERWISE = {
    "en": r"taken to be|used up\b|^Tournament made|of your own, in words|starts starts|in turn: at most",
    "de": (
        r"geht nicht mehr|^Bis Platz|aufeinandertrafen|gewinnt mit \+|Zusatzpunkte"
        r"|bisherigen Gegnern|Schlussverl|Turnierenden"
    ),
    "nl": (
        r"plankje|edstrijdformulier(?!en)|\baandelen\b|gesimuleerde aflopen|\beindes\b"
        r"|opgebruikt|winstpartij|^bye\b|minst ontmoete|\bontwerp\b|uryverslag|het register"
    ),
}
"""Words that nobody says: for each there is one that the program, the books or everyday speech use."""


@pytest.mark.parametrize("code", SAID_OTHERWISE)
def test_texts_are_said_as_one_says_them(code: str) -> None:
    entries = polib.pofile(str(ROOT / "locale" / ("de" if code == "en" else code) / "LC_MESSAGES" / "django.po"))
    texts = [
        text
        for entry in entries
        for text in ([entry.msgid] if code == "en" else [entry.msgstr, *entry.msgstr_plural.values()])
    ]

    assert len(texts) > 1000
    assert [text for text in texts if re.search(SAID_OTHERWISE[code], text)] == []
