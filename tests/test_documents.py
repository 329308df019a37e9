"""What documents and docstrings say is there: files, commands, modules, labels that they quote from the pages."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import get_commands, load_command_class

from scoring import awards, season, standings
from scoring.knockout_values import DecidedBy, MatchCriterion, MatchFormat
from scoring.prizes import PrizeKind
from scoring.standings import RankingBasis, TieRule, WithdrawnPlacement
from tests.scoring import test_rulesets
from tournament.basics import showing
from tournament.files import print_room as documents
from tournament.pairing import values

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
NAMES = [path.relative_to(ROOT).as_posix() for path in DOCUMENTS]
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
SCRIPT = re.compile(r"\b(?:python3?|py|bash) (?:-m )?([\w./]+\.py|\.ci/run)(?: ([a-z_]+))?((?: --[\w-]+(?: \d+)?)*)")
PROGRAMS = ("tso.py", "manage.py")
PLACE = re.compile(r"%\(\w+\)s|%%s")


@cache
def read_file(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(name: str) -> set[str]:
    """The addresses of a document's headings, as they are made where it is shown."""
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(read_file(name)))
    return {heading.replace(" ", "-") for heading in words}


def test_links_lead_somewhere() -> None:
    links = [(name, link) for name in NAMES for link in LINK.findall(read_file(name)) if "://" not in link]

    broken = []
    for name, link in links:
        path, _hash, anchor = link.partition("#")
        target = ((ROOT / name).parent / path).resolve() if path else ROOT / name
        if not target.is_file() or (anchor and anchor not in anchors(target.relative_to(ROOT).as_posix())):
            broken.append((name, link))
    assert len(links) > 100
    assert broken == []


def unknown(script: str, command: str, options: str) -> list[str]:
    """What of a line for the terminal does not exist: the script, the command, its options."""
    if not (ROOT / script).is_file():
        return [script]
    if script not in PROGRAMS or command == "test":
        return []
    name = command or ("start" if script == "tso.py" else "")
    if not name:
        return []
    if name not in get_commands():
        return [name]
    parser = load_command_class(get_commands()[name], name).create_parser(script, name)
    usage = parser.format_help()
    return [option for option in re.findall(r"--[\w-]+", options) if option not in usage]


def test_commands_exist() -> None:
    lines = {(line, name) for name in NAMES for line in SCRIPT.findall(read_file(name))}

    assert len(lines) > 40
    assert [(name, word) for line, name in sorted(lines) for word in unknown(*line)] == []


def test_formats_name_every_command() -> None:
    documented = set(re.findall(r"^\| `([a-z_]+)", read_file("docs/formats.md"), re.MULTILINE))

    own = {name for name, app in get_commands().items() if app in ("tournament", "games")}

    assert own <= documented


WORDS_OF_FILES = [
    *(
        awards.Outcome,
        awards.AwardReason,
        PrizeKind,
        standings.Criterion,
        RankingBasis,
        WithdrawnPlacement,
        TieRule,
        season.SeasonRule,
    ),
    *(MatchFormat, MatchCriterion, DecidedBy, showing.ShowingStep, showing.ShowingTrigger),
    *(
        values.Method,
        values.ByePolicy,
        values.StartPolicy,
        values.PairFlag,
        values.StarterReason,
        values.NoteCode,
        values.ClaimCondition,
    ),
    *(values.ReasonCode, values.FloatReason, values.ByeReason),
]


def test_formats_name_every_word_and_every_document() -> None:
    named = set(re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`]*)`", read_file("docs/formats.md")))))
    words = {str(member.value) for vocabulary in WORDS_OF_FILES for member in vocabulary}

    assert (words | {*documents.DOCUMENTS, *documents.EXTRA_DOCUMENTS}) - named == set()


QUOTED = {"de": re.compile("„([^“]+)“"), "en": re.compile("“([^”]+)”"), "nl": re.compile("“([^”]+)”")}
MANUALS = {"de": "docs/director", "en": "docs/en", "nl": "docs/nl"}
DIRECTORS = [(language, name) for language, manual in MANUALS.items() for name in NAMES if name.startswith(manual)]


def list_labels(language: str) -> list[str]:
    """What the program prints in a language; in English that is what the catalogues translate."""
    polib = pytest.importorskip("polib", reason="comes with requirements-dev.txt")
    catalogue = polib.pofile(str(ROOT / "locale" / ("de" if language == "en" else language) / "LC_MESSAGES/django.po"))
    if language == "en":
        return [form for entry in catalogue for form in (entry.msgid, entry.msgid_plural)]
    return [form for entry in catalogue for form in (entry.msgstr, *entry.msgstr_plural.values())]


@cache
def join_labels(language: str) -> str:
    """What the program says in a language, a line each; a dot of three for each place."""
    labels = [PLACE.sub("…", label) for label in list_labels(language)]
    return "\n".join([*labels, read_file("tso.py"), *dict(settings.LANGUAGES).values()])


@pytest.mark.parametrize(("language", "name"), DIRECTORS)
def test_directors_pages_quote_what_the_program_says(language: str, name: str) -> None:
    known = join_labels(language)

    quoted = QUOTED[language].findall(read_file(name))

    assert quoted
    assert [label for label in quoted if " ".join(label.split()) not in known] == []


CHAPTER = re.compile(r"^<!-- help: ([\w-]+) -->\n#+ ", re.MULTILINE)


def list_chapters(language: str) -> dict[str, list[str]]:
    """The keys of a manual's chapters in their order, by the name that their file has in English."""
    names = [name for name in NAMES if name.startswith(MANUALS[language])]
    return {Path(name).stem.replace("director", "evening"): CHAPTER.findall(read_file(name)) for name in names}


@pytest.mark.parametrize("language", ["en", "nl"])
def test_manuals_have_the_same_chapters(language: str) -> None:
    german = list_chapters("de")
    keys = [key for chapters in german.values() for key in chapters]

    assert len(keys) == len(set(keys)) > 40
    assert list_chapters(language) == german


def test_ruleset_of_the_recipe_is_complete() -> None:
    [recipe] = re.findall(
        r"```python\n(\"\"\"The rules of the federation.*?)```", read_file("docs/recipes.md"), re.DOTALL
    )
    module: dict[str, Any] = {}
    exec(recipe, module)

    for ruleset in module["RULESETS"]:
        test_rulesets.test_ruleset_is_complete(ruleset)


NAMED = re.compile(r"`((?:[a-z_]+\.)+[A-Za-z_]\w*)`")
NO_MODULES = {"config.tsh", "games.csv", "tournament.json", "tso.local"}
PRODUCT = [path for room in ("config", "games", "scoring", "tournament") for path in (ROOT / room).rglob("*.py")]


@cache
def list_defined(path: Path) -> set[str]:
    """What a module, or a class in it, gives a name to or takes in from elsewhere."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.alias):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def endings(path: Path) -> Iterator[str]:
    """The dotted name of a module, and each shorter one by which a docstring may call it."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    for start in range(len(parts)):
        yield ".".join(parts[start:])


def named_in_docstrings(path: Path) -> Iterator[str]:
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)) if NAMED.search(source) else ():
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from set(NAMED.findall(node.value.value)) - NO_MODULES


def named_in_comments(path: Path) -> Iterator[str]:
    """The classes that the comments of a template name as those of its inputs."""
    for comment in re.findall(r"{% comment %}(.*?){% endcomment %}", path.read_text(encoding="utf-8"), re.DOTALL):
        yield from re.findall(r"\b(?:[a-z_]+\.)+[A-Z]\w+", comment)


def test_modules_functions_and_classes_that_are_named_exist() -> None:
    rooms: dict[str, set[str]] = {}
    modules: dict[str, list[Path]] = {}
    for path in PRODUCT:
        for name in endings(path):
            modules.setdefault(name, []).append(path)
            room, _dot, module = name.rpartition(".")
            rooms.setdefault(room, set()).add(module)
    templates = sorted((ROOT / "templates").rglob("*.html"))
    named = [(path, name) for path in PRODUCT for name in named_in_docstrings(path)]
    named += [(path, name) for path in templates for name in named_in_comments(path)]

    lost = []
    for path, name in named:
        room, _dot, last = name.rpartition(".")
        if name.partition(".")[0] not in rooms.keys() | modules.keys() or last in rooms.get(room, ()):
            continue
        if not any(last in list_defined(module) for module in modules.get(room, ())):
            lost.append(f"{path.relative_to(ROOT)}: {name}")
    assert lost == []


DEVELOPERS = (
    "CONTRIBUTING.md",
    *(f"docs/{name}.md" for name in ("developer", "recipes", "testing", "architecture", "walks")),
)
SOURCES = [
    path
    for room in ("benchmarks", "config", "games", "scoring", "static", "templates", "tests", "tournament")
    for path in (ROOT / room).rglob("*")
    if path.suffix in (".py", ".js", ".css", ".html", ".toml")
]
FILE = re.compile(r"^[\w./]+\.(?:py|html|js|css|toml|md)$")
NAME = re.compile(r"^[A-Za-z_]\w*[_A-Z]\w*(?:\.\w+)*$")
EXAMPLES = {"NEIGHBOURS", "Path"}
TO_COME = {"version2.py", "tourney.js"}
"""What a recipe adds, and a file that is made when it is asked for."""


@cache
def list_words_of_sources() -> set[str]:
    return {word for path in SOURCES for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("name", DEVELOPERS)
def test_what_developers_are_told_of_the_source_is_there(name: str) -> None:
    prose = re.sub(r"```.*?```", "", read_file(name), flags=re.DOTALL)
    quoted = set(re.findall(r"`([^`\n]+)`", prose))
    words = list_words_of_sources()
    endings = {"/".join(path.parts[at:]) for path in SOURCES for at in range(len(path.parts))}

    files = [
        file for file in quoted if FILE.match(file) and file not in endings | TO_COME and not (ROOT / file).is_file()
    ]
    names = [name for name in quoted if NAME.match(name) and not FILE.match(name)]
    lost = [name for name in names if not set(name.split(".")) <= words | EXAMPLES]
    assert (files, lost) == ([], [])


ROOMS = "benchmarks|config|docs|games|locale|scoring|static|templates|tests|tournament"
PATH = re.compile(rf"(?<![\w./<{{~-])((?:{ROOMS})/[\w./-]*\w)")
MODULE = re.compile(r"(?<![\w./-])((?:benchmarks|config|games|scoring|tests|tournament)\.[a-z_]\w*(?:\.\w+)*)")


def is_named_in_a_module(name: str) -> bool:
    """Whether a dotted name is that of a package, of a module, or of what a module defines."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:end])
        if place.is_dir() and end == len(parts):
            return True
        module = place.with_suffix(".py") if place.with_suffix(".py").is_file() else place / "__init__.py"
        if module.is_file() and end >= len(parts) - 2:
            return end == len(parts) or parts[end] in list_defined(module)
    return False


def test_paths_and_modules_of_documents_exist() -> None:
    paths = {(path, name) for name in NAMES for path in PATH.findall(read_file(name))}
    modules = {
        (module, name) for name in NAMES for module in MODULE.findall(read_file(name)) if module not in NO_MODULES
    }

    assert sorted(pair for pair in paths if not (ROOT / pair[0]).exists()) == []
    assert sorted(pair for pair in modules if not is_named_in_a_module(pair[0])) == []


def test_ladder_is_drawn_as_it_stands() -> None:
    contracts = tomllib.loads(read_file("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (ladder,) = (contract["layers"] for contract in contracts if contract["name"].startswith("One ladder of slices"))
    rungs = [
        {name.removeprefix("tournament.").replace("games.", "*") for name in re.split(r" [|:] ", layer)}
        for layer in ladder
    ]
    drawn = re.findall(r"^ +\d+  (.*)$", read_file("docs/architecture.md"), re.MULTILINE)

    assert [set(line.split()) for line in drawn] == rungs


CLAUSES_HEAD = "The clauses, where each is, how it is read, and by which test:\n\n"
CHAPTERS_OF_THE_RULES = ("awards", "clock", "knockout_matches", "standings")


@pytest.mark.parametrize("chapter", CHAPTERS_OF_THE_RULES)
def test_clauses_at_the_head_of_a_chapter_lead_to_functions_and_tests(chapter: str) -> None:
    head = ast.get_docstring(ast.parse(read_file(f"scoring/{chapter}.py"))) or ""
    rows = head.partition(CLAUSES_HEAD)[2].splitlines()
    functions = [re.split(r"  +", row.strip())[1].partition(":")[0] for row in rows[::2]]
    tests = [row.strip() for row in rows[1::2]]
    there = list_defined(ROOT / f"scoring/{chapter}.py")
    tested = set().union(*(list_defined(path) for path in (ROOT / "tests/scoring").glob("test_*.py")))

    assert len(functions) == len(tests) > 0
    assert [name for name in functions if not set(name.split(".")) <= there] == []
    assert [name for name in tests if name not in tested] == []
