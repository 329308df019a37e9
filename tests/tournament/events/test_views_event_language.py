"""The language of an event's pages and paper: its own, what the browser asks for, or what the visitor has chosen."""

import io
import json
from dataclasses import replace
from datetime import date

import pytest
from django.test import Client
from django.utils import translation
from pypdf import PdfReader

from tests import factories
from tournament.basics.languages import PageLanguage, get_usual_language
from tournament.basics.refusals import Refusals
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.events.forms import NewTournamentForm
from tournament.events.operations import copy_tournament, create_tournament, update_settings
from tournament.events.presets import PRESETS
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.models import Tournament

TABLE = "/t/herbst-cup/table/"


def spoken(client: Client, **headers: str) -> tuple[str, str]:
    """The language of the table's page, by its header and by its title."""
    answer = client.get(TABLE, headers=headers)
    text = answer.content.decode()
    title = next(word for word in ("Tabelle", "Standings", "Stand") if f"<title>{word} ·" in text)
    assert f'<html lang="{answer.headers["Content-Language"]}">' in text
    return answer.headers["Content-Language"], title


@pytest.fixture
def visitor(db: None) -> Client:
    """Somebody without an account who has chosen no language."""
    return Client()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("language", "asked", "expected"),
    [
        ("de", "nl", ("de", "Tabelle")),
        ("nl", "de", ("nl", "Stand")),
        ("en", "de", ("en", "Standings")),
        ("browser", "nl-BE,fr;q=0.8", ("nl", "Stand")),
        ("browser", "fr", ("de", "Tabelle")),
    ],
)
def test_page_speaks_the_events_language(visitor: Client, language: str, asked: str, expected: tuple[str, str]) -> None:
    factories.played(factories.event(language=language))

    assert spoken(visitor, accept_language=asked) == expected


def test_visitors_choice_goes_before_the_events(visitor: Client) -> None:
    factories.played(factories.event(language="nl"))
    visitor.cookies["django_language"] = "en"

    assert spoken(visitor) == ("en", "Standings")


def test_kept_page_is_not_shown_to_who_asks_for_another_language(visitor: Client) -> None:
    factories.played(factories.event(language="browser"))

    assert [spoken(visitor, accept_language=code)[0] for code in ("nl", "en", "nl")] == ["nl", "en", "nl"]
    assert "Accept-Language" in visitor.get(TABLE).headers["Vary"]


def test_next_page_of_the_program_is_german_again(visitor: Client) -> None:
    factories.played(factories.event(language="nl"))
    spoken(visitor)

    assert visitor.get("/").headers["Content-Language"] == "de"


@pytest.mark.parametrize(("language", "heading"), [("nl", "Stand na ronde 1"), ("browser", "Standings after round 1")])
def test_paper_speaks_the_events_language(db: None, language: str, heading: str) -> None:
    division = factories.event(language=language)
    factories.played(division)
    director = Client()
    factories.sign_in(director)
    director.cookies["django_language"] = "en"

    answer = director.get(f"/director/{division.tournament.slug}/print/standings.pdf?round=1")

    assert heading in PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()


@pytest.mark.parametrize(
    ("ruleset", "language"), [("tso-2017", "de"), ("sbnl-punten", "nl"), ("sbnl-wedstrijd", "nl"), ("no-such", "de")]
)
def test_ruleset_proposes_the_language_of_its_letters(ruleset: str, language: str) -> None:
    assert get_usual_language(ruleset) == language


def test_new_event_is_offered_its_rulesets_language_and_may_take_another(db: None) -> None:
    preset = replace(PRESETS["club_evening"], ruleset="sbnl-punten")
    form = NewTournamentForm(preset=preset)

    made = create_tournament(actor=factories.director(), name="Avond", preset=preset)
    other = create_tournament(actor=factories.director(), name="Abend", preset=preset, language="de")

    assert (form["language"].value(), made.language, other.language) == ("nl", "nl", "de")


def test_copy_speaks_like_its_source(db: None) -> None:
    source = factories.event(language="nl").tournament

    assert copy_tournament(source, actor=factories.director(), name="Kopie").language == "nl"


@pytest.mark.parametrize(("language", "written"), [("de", None), ("nl", "nl"), ("browser", "browser")])
def test_tournament_file_keeps_the_language(db: None, language: str, written: str | None) -> None:
    tournament = factories.event(language=language).tournament

    text = format_tournament_file(load_event_data(tournament))

    assert json.loads(text).get("language") == written
    assert read_tournament_file(text).language == language


def test_unknown_language_is_refused(db: None) -> None:
    tournament = factories.event().tournament

    with pytest.raises(Refusals) as refused:
        update_settings(tournament, actor=factories.director(), language="fr")

    assert [fault.code for fault in refused.value.refusals] == ["choice_unknown"]
    assert refused.value.refusals[0].figures["allowed"] == "de, en, nl, browser"
    assert Tournament.objects.get().language == PageLanguage.GERMAN


def test_example_event_speaks_like_whoever_loads_it(db: None) -> None:
    with translation.override("nl"):
        made = make_demo_tournament(actor=factories.director(), today=date(2026, 11, 22), size=DemoSize(6, 1, 1))

    assert (made.language, made.announcement.split(".")[0]) == ("nl", "Dit is een voorbeeldtoernooi")
