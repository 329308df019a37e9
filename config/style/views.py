"""The page of the style itself, for those who make pages: every component, state and token, in both modes. It names
nobody and is for whoever has signed in."""

import re
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from config.style.samples import PARTS_ONLY, list_samples, make_sample_bar, render_sample
from tournament.basics.style_sheets import DARK, list_style_rules, read_style_sheet
from tournament.pages.kept_input import login_required

MODES = ("light", "dark")
TOKEN = re.compile(r"--(?!bs-)([a-z-]+): (?:#|rgb|var)")


class Shown(NamedTuple):
    """A component and how it looks in each of its states; `note` where it cannot stand alone."""

    name: str
    states: list[SafeString]
    note: str


@login_required
@require_safe
def show_style(request: HttpRequest) -> HttpResponse:
    """The page; `?mode=dark` shows the other mode whatever the machine prefers."""
    mode = request.GET.get("mode", MODES[0])
    samples = list_samples(request)
    context: dict[str, Any] = {
        "mode": mode if mode in MODES else MODES[0],
        "modes": MODES,
        "tokens": list_tokens(),
        "bar": make_sample_bar(),
        "components": [
            Shown(name, [render_sample(name, inputs, request) for inputs in states], PARTS_ONLY.get(name, ""))
            for name, states in sorted(samples.items())
        ],
    }
    return render(request, "style/style.html", context)


@login_required
@require_safe
def show_modes_sheet(request: HttpRequest) -> HttpResponse:
    """The style sheet of both modes."""
    return HttpResponse(build_modes_sheet(), content_type="text/css; charset=utf-8")


# Both modes on one machine: the tokens under a class each, read from the sheet itself.


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
