"""Both modes of the look on one machine: the style sheet's tokens under a class each, read from the sheet itself."""

import re
from collections.abc import Iterator

from django.conf import settings

DARK = "@media screen and (prefers-color-scheme: dark)"
TOKEN = re.compile(r"--(?!bs-)([a-z-]+): (?:#|rgb|var)")


def _read_sheet() -> str:
    text = (settings.BASE_DIR / "static/tso.css").read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def _list_rules(text: str) -> Iterator[tuple[str, str]]:
    """The rules of a sheet, each with what is between its braces."""
    start = 0
    while (opening := text.find("{", start)) >= 0:
        depth, at = 1, opening + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield text[start:opening].strip(), text[opening + 1 : at - 1]
        start = at


def list_tokens() -> list[str]:
    """The names of the colours, in the sheet's order."""
    first = next(body for selector, body in _list_rules(_read_sheet()) if selector == ":root")
    return TOKEN.findall(first)


def build_modes_sheet() -> str:
    """`.style-light` and `.style-dark` with all tokens of that mode, and a class for each colour's swatch."""
    rules = list(_list_rules(_read_sheet()))
    light = "".join(body for selector, body in rules if selector == ":root")
    dark = [rule for selector, body in rules if selector == DARK for rule in _list_rules(body)]
    sheet = [
        f".style-light, .style-dark {{ {light}; background: var(--paper); color: var(--ink); color-scheme: light }}"
    ]
    for selector, body in dark:
        scoped = selector.replace(":root", "").strip()
        sheet.append(f".style-dark {scoped} {{ {body} }}")
    sheet.append(".style-dark { color-scheme: dark }")
    sheet += [f".token-{name} {{ background: var(--{name}) }}" for name in list_tokens()]
    return "\n".join(sheet)
