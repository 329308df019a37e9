"""Both modes of the look on one machine: the style sheet's tokens under a class each, read from the sheet itself."""

import re

from tournament.basics.style_sheets import DARK, list_style_rules, read_style_sheet

TOKEN = re.compile(r"--(?!bs-)([a-z-]+): (?:#|rgb|var)")


def list_tokens() -> list[str]:
    """The names of the colours, in the sheet's order."""
    first = next(body for selector, body in list_style_rules(read_style_sheet()) if selector == ":root")
    return TOKEN.findall(first)


def build_modes_sheet() -> str:
    """`.style-light` and `.style-dark` with all tokens of that mode, and a class for each colour's swatch."""
    rules = list(list_style_rules(read_style_sheet()))
    light = "".join(body for selector, body in rules if selector == ":root")
    dark = [rule for selector, body in rules if selector == DARK for rule in list_style_rules(body)]
    sheet = [
        f".style-light, .style-dark {{ {light}; background: var(--paper); color: var(--ink); color-scheme: light }}"
    ]
    for selector, body in dark:
        scoped = selector.replace(":root", "").strip()
        sheet.append(f".style-dark {scoped} {{ {body} }}")
    sheet.append(".style-dark { color-scheme: dark }")
    sheet += [f".token-{name} {{ background: var(--{name}) }}" for name in list_tokens()]
    return "\n".join(sheet)
