"""What would be a defect wherever it stood: a write past the journal, a clause or a book named outside the rulesets."""

import ast
import inspect
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver

from scoring import rulesets
from tournament.core.words.journal import UNDOABLE_VERBS, VERB_TITLES

ROOT = Path(__file__).resolve().parents[1]


def modules(*folders: str) -> Iterator[Path]:
    """The Python files of these folders; migrations are Django's."""
    for folder in folders:
        yield from (path for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts)


def test_models_are_written_through_the_journal_alone() -> None:
    write = re.compile(r"objects\.(?:bulk_)?(?:create|update)\(|get_or_create\(|update_or_create\(|\)\.update\(\w+=")
    allowed = {
        ROOT / "tournament/core/change.py",  # the journal itself
        ROOT / "tournament/core/errands.py",  # what is still to be done: gone when it is done
        ROOT / "tournament/events/operations.py",  # a deleted tournament's lines, which stay
        ROOT / "tournament/access/codes.py",  # which device has a code: nobody's record, like a session
        ROOT / "tournament/registration/forgetting.py",  # a person's name, in the journal as well
        ROOT / "tournament/letters/outbox.py",  # letters that wait: gone when they are sent
        ROOT / "tournament/push/operations.py",  # browsers that are told of news: nobody's record
        ROOT / "tournament/accounts/operations.py",  # a password, which a journal would keep for ever
        ROOT / "tournament/mirror/receiving.py",  # what comes from a hall, which keeps the journal
        ROOT / "tournament/hand_in/receiving.py",  # what comes from a club, which keeps the journal
        ROOT / "tournament/archive/rebuilding.py",  # a journal's rows and lines, as they were written
    }
    found = {path for path in modules("games", "tournament") if write.search(path.read_text(encoding="utf-8"))}

    assert found - allowed == set()


def test_links_begin_as_one_setting_says() -> None:
    by_request = re.compile(r"build_absolute_uri|get_host\(|is_secure\(|NAMED_HOSTS\[")
    allowed = {
        ROOT / "config/middleware.py",  # whether a page that sent something is ours
        ROOT / "config/settings.py",
        ROOT / "tournament/basics/addresses.py",  # the one place
        ROOT / "tournament/accounts/views/way_in.py",  # another machine's links, while only this one is served
    }
    found = {path for path in modules("config", "games", "tournament") if by_request.search(path.read_text("utf-8"))}

    assert found - allowed == set()


def test_every_slice_stands_on_the_ladder() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (ladder,) = (contract["layers"] for contract in contracts if contract["name"].startswith("One ladder of slices"))
    rungs = [name for layer in ladder for name in re.split(r" [|:] ", layer)]
    parts = {
        f"{app}.{path.stem}"
        for app in ("games", "tournament")
        for path in (ROOT / app).iterdir()
        if (path / "__init__.py").exists() or (path.suffix == ".py" and path.stem != "__init__")
    }

    assert sorted(rungs) == sorted(parts - {"games.migrations", "tournament.migrations"})


def list_page_modules(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    """The module of each page of ours, in the order of their addresses."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from list_page_modules(pattern.url_patterns)
        elif (module := inspect.unwrap(pattern.callback).__module__).startswith(("config.", "games.", "tournament.")):
            yield module


def test_pages_stand_in_views_or_in_a_slice_of_one_file() -> None:
    allowed = {"tournament.laptop.first_start", "tournament.pages.kept_input"}  # one page, beside what it reads
    modules_of_pages = set(list_page_modules(get_resolver().url_patterns))

    elsewhere = {name for name in modules_of_pages if not re.search(r"[._]views\b", name) and name.count(".") > 1}

    assert len(modules_of_pages) > 20
    assert elsewhere - allowed == set()


def test_admin_holds_accounts_only() -> None:
    assert {model._meta.app_label for model in admin.site._registry} == {"auth"}


def verbs(*openers: str) -> set[str]:
    """What the operations that open their change with these call the change."""
    found = set()
    for path in modules("tournament", "games"):
        text = path.read_text(encoding="utf-8")
        if not any(f"{opener}(" in text for opener in openers):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in openers:
                found |= {
                    str(word.value.value)
                    for word in node.keywords
                    if word.arg == "verb" and isinstance(word.value, ast.Constant)
                }
    return found


def test_every_verb_has_words_and_every_word_a_verb() -> None:
    # Some name their verb by what they do; the edits of a draft hand theirs on to one change.
    named_elsewhere = {"lock", "unlock", "undo", "redo", "discard_match_lot", "take_back_match_winner"}
    named_elsewhere |= {"withdraw", "disqualify"}
    named_elsewhere.add("rename_division")  # of journals from before divisions had tables
    named_elsewhere |= verbs("_edit_draft", "_open_sheet_edit")

    assert verbs("change") | named_elsewhere == set(VERB_TITLES)


def test_verbs_that_can_be_undone_are_verbs() -> None:
    assert set(UNDOABLE_VERBS) - set(VERB_TITLES) == set()


CLAUSE = re.compile(r"\b(?:TSO|Puntenscrabble|Wedstrijdscrabble|Allgemeine Spielregeln) [0-9IVX]+[-.0-9]*")
BOOK = re.compile(r"TSO|Puntenscrabble|Wedstrijdscrabble|Allgemeine Spielregeln")
CATALOGUE = ROOT / "games" / "referee" / "catalogue.py"
"""Incidents are listed book by book, each with its clause."""


def spoken(text: str) -> Iterator[str]:
    """The texts of a module that somebody may read on a page: all but what documents the code."""
    tree = ast.parse(text)
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


def test_clauses_are_the_rulesets_to_cite() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in modules("games", "tournament") if path != CATALOGUE}
    code = {path: list(spoken(text)) for path, text in sources.items() if BOOK.search(text)}
    pages = {path: [path.read_text(encoding="utf-8")] for path in sorted((ROOT / "templates").rglob("*.html"))}
    catalogues = {path: [path.read_text(encoding="utf-8")] for path in sorted((ROOT / "locale").rglob("django.po"))}
    texts = code | pages | catalogues

    assert [str(path.relative_to(ROOT)) for path, said in texts.items() if CLAUSE.search("\n".join(said))] == []


def test_no_code_asks_which_ruleset_it_is() -> None:
    known = {ruleset.key for ruleset in rulesets.RULESETS.values()}
    allowed = {"tournament/events/presets.py", "tournament/models/event.py", "tournament/exchange/tournament_file.py"}
    sources = {path: path.read_text(encoding="utf-8") for path in modules("games", "tournament")}
    asking = {
        path.relative_to(ROOT).as_posix()
        for path, text in sources.items()
        if any(key in text for key in known) and known & set(spoken(text))
    }

    assert asking <= allowed


def test_a_class_name_means_one_thing() -> None:
    names = Counter(
        name
        for path in modules("config", "games", "scoring", "tournament")
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE)
    )
    called_so_by_django = {"Command", "DatabaseWrapper"}

    assert {name for name, times in names.items() if times > 1} == called_so_by_django
