"""Every template compiles, has nothing that the content security policy forbids, and compares with words that exist."""

import re
from enum import StrEnum
from pathlib import Path

import pytest
from django.db.models import TextChoices
from django.template import TemplateSyntaxError
from django.template.loader import get_template

from games.models import Scoresheet
from scoring.awards import Outcome
from scoring.knockout_values import FactKind
from scoring.rulesets.values import PenaltyUnit
from scoring.teams import TeamRule
from tournament.by_itself.queries import StepKind
from tournament.core.second_entries import SecondEntryState
from tournament.events.next_season import SeasonMove
from tournament.exchange.players import RowFate
from tournament.models import Pairing, RegistrationState, Role, Round, Screen
from tournament.models.hand_in import HandInState
from tournament.pages.bars import BarIcon
from tournament.pairing.values import Method, StartPolicy
from tournament.registration.queries import FeeState
from tournament.rounds.phase import DirectorStep

TEMPLATES = Path(__file__).resolve().parents[1] / "templates"
NAMES = sorted(
    path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.*") if path.suffix in {".html", ".txt"}
)

HANDLER = re.compile(
    r"\son(?:blur|change|click|error|focus|input|key\w+|load|submit)=|javascript:|\shx-on", re.IGNORECASE
)
RULES = {
    "inline script": re.compile(r"<script(?![^>]*\bsrc=)(?! type=\"application/ld\+json\">)", re.IGNORECASE),
    "inline style": re.compile(r"<style|\sstyle=", re.IGNORECASE),
    "handler in an attribute": HANDLER,
    "line over 160 columns": re.compile(r"^.{161}", re.MULTILINE),
    "outside address": re.compile(r"(?:src|href|action)=[\"']?(?:https?:)?//", re.IGNORECASE),
}


def test_every_template_compiles() -> None:
    faults = {}
    for name in NAMES:
        try:
            get_template(name)
        except TemplateSyntaxError as fault:
            faults[name] = str(fault)

    assert len(NAMES) > 400
    assert faults == {}


@pytest.mark.parametrize("rule", RULES)
def test_no_template_has(rule: str) -> None:
    found = [name for name in NAMES if RULES[rule].search((TEMPLATES / name).read_text(encoding="utf-8"))]

    assert found == []


INCLUDED = re.compile(r'include "([^"]+)"')
HTMX = re.compile(r"\shx-(?!headers)")


def with_parts(name: str) -> str:
    """A template's text with that of everything that it includes by name."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    return text + "".join(with_parts(part) for part in INCLUDED.findall(text))


def test_pages_load_htmx_if_they_use_it_and_no_others() -> None:
    texts = {name: with_parts(name) for name in NAMES}
    directed = {name: text for name, text in texts.items() if 'extends "tournament/pages/director_base.html"' in text}
    uses = {name for name, text in directed.items() if HTMX.search(text)}

    assert uses == {name for name, text in directed.items() if "{% htmx_script %}" in text}
    assert len(uses) > 5


COMPARED = re.compile(r"([\w.]+) [!=]= \"([a-z_]+)\"")
VOCABULARIES: dict[str, type[StrEnum] | type[TextChoices]] = {
    "tournament.starts": StartPolicy,
    "tournament.team_rule": TeamRule,
    "round.method": Method,
    "round.state": Round.State,
    "item.round.state": Round.State,
    "pairing.kind": Pairing.Kind,
    "pairing.result.outcome": Outcome,
    "rules.challenges.per": PenaltyUnit,
    "role": Role,
    "registration.state": RegistrationState,
    "one.state": RegistrationState,
    "handed_in.state": HandInState,
    "phase.step": DirectorStep,
    "count.kind": StepKind,
    "row.fact": FactKind,
    "fee": FeeState,
    "row.fee": FeeState,
    "screen.shows": Screen.Shows,
    "chosen.screen.shows": Screen.Shows,
    "item.fate": RowFate,
    "row.check": SecondEntryState,
    "keeper": Scoresheet.Keeper,
    "line.move": SeasonMove,
    "shape": BarIcon,
}
"""What templates compare with words of a vocabulary."""
OWN_WORDS = {
    *("step.state", "part.kind", "text.anchor", "message.level_tag", "refusal.code"),
    *("game.state", "chosen.state", "tab.state", "look", "answer", "matched.answer"),
    *("name", "mode", "area", "place", "line.key", "request.headers.x_requested_with"),
}
"""What they compare with words that the page's own view or part has made up."""


def test_words_that_templates_compare_with_are_those_of_their_vocabulary() -> None:
    compared = {pair for name in NAMES for pair in COMPARED.findall((TEMPLATES / name).read_text(encoding="utf-8"))}
    unknown = {
        (what, word)
        for what, word in compared
        if what not in OWN_WORDS and word not in {str(each.value) for each in VOCABULARIES[what]}
    }

    assert unknown == set()
    assert {*VOCABULARIES, *OWN_WORDS} == {what for what, _word in compared}


WHOLE_PAGE = re.compile(r"<html\b")


def test_every_page_with_a_field_selects_what_gets_the_focus_by_itself() -> None:
    """`static/focus.js` does, for whatever a template or a script gives the focus; base.html loads it on every page."""
    texts = {name: with_parts(name) for name in NAMES}
    whole = {name for name, text in texts.items() if WHOLE_PAGE.search(text)}

    assert "focus.js" in texts["base.html"].partition("{% block scripts %}")[0]
    assert [
        name for name in sorted(whole - {"base.html"}) if re.search(r"<input(?![^>]*hidden)|autofocus", texts[name])
    ] == []
    assert [name for name, text in texts.items() if "{% block scripts %}" in text and name in whole] == ["base.html"]
