"""The recipes for developers, followed to the letter: their code goes into a copy of the program, which then runs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
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
        shutil.copytree(ROOT / folder, program / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / name, program)
    for path, line, code in (step for steps in RECIPES.values() for step in steps):
        source = (program / path).read_text(encoding="utf-8")
        (program / path).write_text(source.replace(f"{line}\n", f"{line}\n{code}\n", 1), encoding="utf-8")
    return program


def run(program: Path, *words: str) -> str:
    """What a command of the copy prints; fails if it does."""
    unset = ("DATABASE_URL", "CACHE_URL", "DJANGO_SETTINGS_MODULE")
    env = {name: value for name, value in os.environ.items() if name not in unset} | {"TSO_DATA": str(program / "data")}
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, cwd=program, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_method_draws_and_says_why_not_and_document_is_printed(copy: Path) -> None:
    run(copy, "makemigrations", "tournament", "-n", "neighbours")
    run(copy, "migrate", "-v0")
    run(copy, "demo", "--players", "8", "--rounds", "4", "--played", "2")
    run(copy, "pair", "herbst-cup", "--method", "neighbours", "--accept-missing", "--seed", "1")

    why = run(copy, "why", "herbst-cup", "4", "P01", "P04", "--language", "en")
    names = copy / "names.pdf"
    run(copy, "print", "herbst-cup", "names", "-o", str(names))

    assert "neighbours in the table would be kept together less well" in why
    assert names.read_bytes().startswith(b"%PDF")
