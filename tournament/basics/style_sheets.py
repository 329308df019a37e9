"""The style sheet's own rules, read from the sheet: what another page or another website needs of a mode."""

import re
from collections.abc import Iterator
from functools import lru_cache

from django.conf import settings

DARK = "@media screen and (prefers-color-scheme: dark)"
THEMES = ("light", "dark")


def read_style_sheet() -> str:
    """The style sheet without its comments."""
    text = (settings.BASE_DIR / "static/tso.css").read_text(encoding="utf-8")
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def list_style_rules(text: str) -> Iterator[tuple[str, str]]:
    """The rules of a sheet, each with what is between its braces."""
    start = 0
    while (opening := text.find("{", start)) >= 0:
        # By counting: the rules inside of an `@media` have braces of their own.
        depth, at = 1, opening + 1
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield text[start:opening].strip(), text[opening + 1 : at - 1]
        start = at


@lru_cache(maxsize=len(THEMES))
def build_theme_sheet(theme: str) -> str:
    """A sheet that keeps a page in one of the `THEMES`, whatever the reader's device prefers."""
    rules = list(list_style_rules(read_style_sheet()))
    if theme == "dark":
        return "".join(body for selector, body in rules if selector == DARK) + ":root { color-scheme: dark }"
    return (
        "".join(f":root {{{body}}}" for selector, body in rules if selector == ":root")
        + ":root { color-scheme: light }"
    )
