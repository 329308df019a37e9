"""Every template compiles and keeps the house's rules: local files only, nothing inline, whole sentences."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import get_template

TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
NAMES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.html"))
PICTURES = sorted(path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.svg"))

HANDLER = re.compile(
    r"\son(?:blur|change|click|error|focus|input|key\w+|load|submit)=|javascript:|\shx-on", re.IGNORECASE
)
RULES = {
    "inline script": re.compile(r"<script(?![^>]*\bsrc=)", re.IGNORECASE),
    "inline style": re.compile(r"<style|\sstyle=", re.IGNORECASE),
    "handler in an attribute": HANDLER,
    "outside address": re.compile(r"(?:src|href|action)=[\"']?(?:https?:)?//", re.IGNORECASE),
    "blocktranslate without trimmed": re.compile(r"{%\s*blocktranslate(?![^%]*\btrimmed\b)"),
    "old tag name": re.compile(r"{%\s*(?:trans|blocktrans)\s"),
}
LONGEST, WIDEST = 120, 160
"""So many lines a template may have, and so many characters a line."""


@pytest.mark.parametrize("name", NAMES)
def test_template_compiles(name: str) -> None:
    found: Any = get_template(name)

    assert found.template.name == name


@pytest.mark.parametrize("rule", RULES)
def test_no_template_has(rule: str) -> None:
    found = [name for name in NAMES if RULES[rule].search((TEMPLATES / name).read_text(encoding="utf-8"))]

    assert found == []


def lines(name: str) -> list[str]:
    return (TEMPLATES / name).read_text(encoding="utf-8").splitlines()


def test_no_template_is_too_long() -> None:
    lengths = {name: len(lines(name)) for name in (*NAMES, *PICTURES)}

    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_no_line_is_too_wide() -> None:
    wide = [
        f"{name}:{number}"
        for name in (*NAMES, *PICTURES)
        for number, line in enumerate(lines(name), 1)
        if len(line) > WIDEST
    ]

    assert wide == []
