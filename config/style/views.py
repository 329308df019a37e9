"""The page of the style itself, for those who make pages: every component, state and token, in both modes. It names
nobody and is for whoever has signed in."""

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from config.style.modes import build_modes_sheet, list_tokens
from config.style.samples import PARTS_ONLY, list_samples, make_sample_bar, render_sample
from tournament.pages.kept_input import login_required

MODES = ("light", "dark")


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
