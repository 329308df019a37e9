"""Every component with values that an event has: the long name, the fault, the odd number."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from django import forms
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from scoring.letters import LETTER_SETS
from tournament.basics.qr import make_qr_picture
from tournament.core.words.figures import format_half_wins, format_signed
from tournament.core.words.tiles import lay_name
from tournament.ending.tables import PlaceCard
from tournament.events.console import DayStep
from tournament.models import Tournament
from tournament.pages.bars import Bar, BarEntry, BarIcon
from tournament.pages.forms import NumberSteps
from tournament.pages.shortcuts import SHORTCUTS, list_general_shortcuts
from tournament.pages.tables import BaseTable, Column, FiguresColumn
from tournament.results.league_games import OpenRound

LONG_NAME = "Müller-Lüdenscheidt, Ann-Kathrin"
SENTENCE = "Two results of round 6 are missing; the table is provisional."
LETTERS = next(iter(LETTER_SETS))
Inputs = Mapping[str, Any]
Samples = Mapping[str, Sequence[Inputs]]


class SampleForm(forms.Form):
    """A field of each kind."""

    name = forms.CharField(label="Name", help_text="Surname, given name", max_length=40)
    score = forms.IntegerField(label="Points", min_value=0)
    club = forms.ChoiceField(label="Club", choices=[("", "none"), ("fulda", "SC Fulda")], required=False)
    kinds = forms.MultipleChoiceField(
        label="Prints",
        choices=[("a", "by table"), ("b", "by name")],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    players = forms.IntegerField(label="Players", widget=NumberSteps((2, 4, 8)), initial=12)
    guest = forms.BooleanField(
        label="Plays as a guest", required=False, help_text="A guest plays all rounds and wins neither place nor prize."
    )


class SampleTable(BaseTable):
    """Rows with a long name and figures."""

    rank = FiguresColumn("Rank")
    name = Column("Name", row_heading=True, classes="name")
    wins = FiguresColumn("Wins", write=format_half_wins)
    spread = FiguresColumn("Spread", write=format_signed)
    sortable = True


def make_sample_bar() -> Bar:
    """The bar of a director's page of an event with a long name."""
    ways = [
        BarEntry("Overview", "#", ("console",), icon=BarIcon.HOME),
        BarEntry("Entries", "#", ("entries",)),
        BarEntry("Rounds", "#", ("rounds",), icon=BarIcon.ROUNDS),
        BarEntry("Standings", "#", ("table",), icon=BarIcon.TABLE),
        BarEntry("Hall", "#", ("hall",), icon=BarIcon.HALL),
    ]
    menu = [BarEntry("Settings", "#", value="Weekend cup"), BarEntry("All tournaments", "#", is_first=True)]
    mark, leave = BarEntry("TSO: my tournaments", "/director/"), BarEntry("Sign out", "#", value="doris")
    name = "Offene Stadtmeisterschaft der Scrabble-Freunde Neustadt an der Weinstraße 2026"
    return Bar(name, "#", "Round 6 of 7", "console", ways, mark, menu=menu, leave=leave)


def _make_bracket() -> SimpleNamespace:
    def text(text: str, x: int, y: int, classes: str = "") -> SimpleNamespace:
        return SimpleNamespace(text=text, x=x, y=y, size=14, classes=classes, anchor="start")

    match = SimpleNamespace(
        card=SimpleNamespace(told="Final: Aumann, Klara – Öztürk, Cem, being played", is_bye=False),
        box=SimpleNamespace(x=0, y=24, width=240, height=64),
        divide=(0, 240, 56),
        texts=[text("Aumann, Klara", 12, 46, "bracket-won"), text("Öztürk, Cem", 12, 78)],
    )
    headings = [text("Final", 0, 16, "bracket-stage")]
    return SimpleNamespace(
        width=260,
        height=110,
        edge=8,
        title="Knock-out",
        summary="One match.",
        ways=[],
        headings=headings,
        matches=[match],
    )


def _list_forms() -> Samples:
    bound, fresh = SampleForm({"name": "x" * 50, "score": "-1"}), SampleForm()
    kinds = ("primary", "", "quiet", "ink", "danger")
    question = {"action": "#", "question": "Delete the tournament?", "submit": "Delete", "cancel": "#", "danger": True}
    players = [("P01", "Aumann, Klara"), ("P02", LONG_NAME)]
    answer = SimpleNamespace(players=players, one="P01", other="P02", sentence="They have met in round 2.", obstacle="")
    return {
        "action": [{"action": "#", "label": kind or "usual", "kind": kind} for kind in kinds],
        "confirm": [question],
        "field": [{"field": field} for field in fresh],
        "field_notes": [{"field": bound["name"]}],
        "field_help": [{"field": bound["guest"]}],
        "hint": [
            {"text": "A sentence that few need to read.", "about": "Points", "open": open} for open in (False, True)
        ],
        "segments": [{"field": fresh["players"], "other": True}],
        "find": [{"search": "Müller", "path": "#"}],
        "form": [{"form": bound, "submit": "Save", "cancel": "#"}],
        "form_errors": [{"form": bound}],
        "sign_in": [{"next": "/director/"}],
        "typed_said": [{}],
        "waiting": [{"text": "The backup is being made."}],
        "why_not": [{"asked": answer, "division": ""}],
    }


def _list_notes() -> Samples:
    levels = (constants.SUCCESS, constants.INFO, constants.WARNING, constants.ERROR)
    empty = {
        "title": "Nobody is entered yet",
        "text": "Type a name and press Enter.",
        "url": "#",
        "label": "Upload a list",
    }
    note = {"text": SENTENCE, "url": "#", "label": "Enter them"}
    until = timezone.now() + timedelta(days=7)
    invitation = SimpleNamespace(pk=1, note="Eva", get_role_display="Helper", expires_at=until)
    link = "https://example.org/invitation/x/"
    return {
        "chip": [{"text": "guest"}, *({"text": text, "kind": text} for text in ("now", "warn", "bad"))],
        "come_again": [{"seconds": 20, "minutes": 1}, {"seconds": 300, "minutes": 5}],
        "empty": [empty],
        "forgetting": [{"has_played": True}],
        "invitations": [{"invitations": [(invitation, link)], "only_here": True}],
        "live": [],
        "messages": [{"messages": [Message(level, SENTENCE) for level in levels]}],
        "note": [{"kind": kind, **note} for kind in ("", "good", "warn", "bad")],
        "open_rounds": [{"open_rounds": [OpenRound(6, (8, 11), again=True)], "slug": "herbst-cup"}],
        "qr": [{"picture": make_qr_picture(link), "label": link}],
        "shortcuts": [{"page": SHORTCUTS["games:grid"], "leads": True, "general": list_general_shortcuts()}],
        "reasons": [{"title": "Why these pairs?", "lines": [("Table 1", "Both have 4 wins.")]}],
    }


def _list_event_parts(request: HttpRequest) -> Samples:
    laid = lay_name(LONG_NAME, LETTERS)
    cards = [
        PlaceCard("1st", LONG_NAME, "Ann-Kathrin Müller-Lüdenscheidt", "SC Fulda", "12 wins, +812", "#", 1, laid),
        PlaceCard("2nd", "Öztürk, Cem", "Cem Öztürk", "", "11½ wins, +640", "#", 2),
        PlaceCard("3rd", "Aumann, Klara", "Klara Aumann", "SC Köln", "11 wins, −12", "#", 3),
    ]
    rows = [
        {"rank": 1, "name": LONG_NAME, "wins": 11, "spread": 310},
        {"rank": None, "name": "Öztürk, Cem", "wins": 0, "spread": -1204},
    ]
    steps = [DayStep("Entries", "done"), DayStep("Rounds 1–5", "done"), DayStep("Round 6", "now", 7, 11)]
    steps += [DayStep("Round 7", "coming"), DayStep("Final ranking", "coming")]
    tournament = Tournament(slug="herbst-cup", name="Herbst-Cup", place="Fulda")
    counted = SimpleNamespace(division=SimpleNamespace(tournament=tournament))
    line = SimpleNamespace(number=1, counted=counted, name="Herbst-Cup", query="", standing="24 players")
    return {
        "bracket.svg": [{"picture": _make_bracket(), "key": "sample"}],
        "bracket_match.svg": [],
        "name_tiles": [{"laid": laid}, {"laid": lay_name("Öztürk, Cem", LETTERS)}],
        "podium": [{"cards": cards}],
        "progress": [{"done": 7, "total": 11, "label": "7 of 11 results"}],
        "season_events": [{"events": [line]}, {"events": []}],
        "steps": [{"steps": steps, "label": "The day's steps"}],
        "table": [{"table": SampleTable(rows, caption="Standings"), "request": request}],
    }


def list_samples(request: HttpRequest) -> Samples:
    """The inputs of each component, by its name, once for each state that it has."""
    divisions = [
        SimpleNamespace(pk=number, name=name, slug=name.lower()) for number, name in ((1, "A"), (2, "Evening group"))
    ]
    return {
        **_list_forms(),
        "bar": [],
        "bar_menu": [],
        "division_tabs": [{"divisions": divisions, "division": divisions[0], "path": ""}],
        "footer": [],
        "icon": [{"shape": shape.value} for shape in BarIcon],
        "mark": [{"url": "#", "label": "TSO: all tournaments"}],
        "organiser_tabs": [{"organisers": divisions, "organiser": divisions[1], "path": ""}],
        "pagination": [{"page": Paginator(range(200), 10).get_page(9), "request": request}],
        **_list_notes(),
        **_list_event_parts(request),
    }


PARTS_ONLY = {
    "bar": "at the head of this page",
    "bar_menu": "under “More” in the bar",
    "bracket_match.svg": "inside bracket.svg",
    "footer": "at the foot of this page",
    "live": "attributes of <main>: where it asks for news, and what it says without a connection",
}
"""Components that cannot stand alone, and where they do."""


def render_sample(name: str, inputs: Inputs, request: HttpRequest) -> SafeString:
    """A component as a page would show it."""
    if name == "table":
        inputs["table"].before_render(request)
    html = render_to_string(f"components/{name}.html", {**inputs, "csrf_token": "sample"})
    return SafeString(html.replace(" autofocus", ""))  # the page begins at its head
