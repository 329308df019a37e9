"""The recipes for developers, followed to the letter: their code goes into a copy of the program, which then runs."""

import re
import shutil
from pathlib import Path

import pytest

from tests.terminal import ROOT, Terminal

PROGRAM = ("config", "games", "locale", "scoring", "static", "templates", "tournament")
STEP = re.compile(r"```python\n +# (?P<path>[\w/.]+), below `(?P<line>[^\n]+)`\n(?P<code>.*?)\n +```", re.DOTALL)
INDENTED = "   "  # a recipe's code stands in a numbered list


def read_steps(recipe: str) -> list[tuple[str, str, str]]:
    """Of a recipe each step with code: the file, the line below which it goes, the code."""
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    [body] = re.findall(rf"^## {recipe}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    steps = STEP.findall(body)
    return [(path, line, re.sub(f"^{INDENTED}", "", code, flags=re.MULTILINE)) for path, line, code in steps]


RECIPES = {recipe: read_steps(recipe) for recipe in ("A method of pairing", "A document to print")}


@pytest.mark.parametrize("recipe", RECIPES)
def test_lines_that_recipes_name_are_there_once(recipe: str) -> None:
    assert RECIPES[recipe]

    for path, line, _code in RECIPES[recipe]:
        assert (ROOT / path).read_text(encoding="utf-8").splitlines().count(line) == 1, f"{path}: {line}"


def test_every_code_for_the_program_is_followed() -> None:
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")

    assert text.count("```python") == sum(map(len, RECIPES.values())) + 1  # the ruleset: test_documents.py


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The program with both recipes followed."""
    program = tmp_path / "program"
    for folder in PROGRAM:
        shutil.copytree(ROOT / folder, program / folder)  # with what is compiled of it: only what changes is anew
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / name, program)
    for path, line, code in (step for steps in RECIPES.values() for step in steps):
        source = (program / path).read_text(encoding="utf-8")
        (program / path).write_text(source.replace(f"{line}\n", f"{line}\n{code}\n", 1), encoding="utf-8")
    return program


@pytest.mark.long
def test_method_draws_and_says_why_not_and_document_is_printed(copy: Path) -> None:
    with Terminal(copy / "data", program=copy) as terminal:

        def run(*words: str) -> str:
            """What a command of the copy prints; fails if it does."""
            done = terminal.run(*words)
            assert done.returncode == 0, done.stderr
            return done.stdout

        run("makemigrations", "tournament", "-n", "neighbours")
        run("migrate", "-v0")
        run("demo", "--players", "8", "--rounds", "4", "--played", "2")
        run("pair", "herbst-cup", "--method", "neighbours", "--accept-missing", "--seed", "1")

        why = run("why", "herbst-cup", "4", "P01", "P04")
        names = copy / "names.pdf"
        run("print", "herbst-cup", "names", "-o", str(names))

    assert "neighbours in the table would be kept together less well" in why
    assert names.read_bytes().startswith(b"%PDF")
