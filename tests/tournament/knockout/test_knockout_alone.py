"""A knock-out without rounds before it, by its preset; and announced, seeded and taken back in the terminal."""

import json

import pytest
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.markup import read_words
from tests.tournament.exchange.terminal import run
from tests.tournament.knockout import knockouts
from tournament.core.change import Actor
from tournament.events.console import build_console_context
from tournament.events.operations import create_tournament
from tournament.events.presets import PRESETS
from tournament.hall.desk import find_moment
from tournament.knockout.words import list_knockout_facts
from tournament.models import Division


@pytest.fixture
def division(doris: Actor) -> Division:
    event = create_tournament(actor=doris, name="Doppel", preset=PRESETS["double_elimination"], is_public=True)
    return event.divisions.get()


def test_overview_leads_from_the_entries_to_the_seeding_by_rating(doris_client: Client, division: Division) -> None:
    def read_heading() -> str:
        return str(build_console_context(factories.fresh(division))["next"].heading)

    headings = [read_heading()]
    factories.enter(division, 1)
    headings.append(read_heading())
    factories.enter(division, 9)
    headings.append(read_heading())
    waiting = read_words(doris_client.get(knockouts_page(division)).content.decode())
    factories.enter(division, 6)
    headings.append(read_heading())

    context = build_console_context(factories.fresh(division))
    form = doris_client.get(knockouts_page(division)).context["form"]
    entered = knockouts.field(division)
    by_rating = sorted(entered, key=lambda entry: -(entry.player.rating or 0))

    assert headings == [
        "Noch ist niemand eingetragen",
        "1 von 16 Spielern ist eingetragen",
        "10 von 16 Spielern sind eingetragen",
        "Die K.‑o.-Phase kann gesetzt werden",
    ]
    assert "10 von 16 Spielern sind eingetragen." in waiting
    assert [(step.label, step.state) for step in context["steps"]] == [
        ("Teilnehmer", "done"),
        ("K.‑o.-Phase", "now"),
        ("Endstand", "coming"),
    ]
    assert find_moment(division) == "enter_players"
    assert [form[f"seed_{number}"].value() for number in range(1, 17)] == [str(entry.pk) for entry in by_rating]
    assert "Runde 1 paaren" in read_words(doris_client.get(console_page(division)).content.decode())


def test_announcement_speaks_of_no_table_where_there_is_none(division: Division) -> None:
    alone = dict(list_knockout_facts(division.knockout, division.tournament.rules))
    division.plan = [{"rounds": [1, 7], "method": "swiss"}]
    after_rounds = dict(list_knockout_facts(division.knockout, division.tournament.rules))

    assert (alone["Spieler"], after_rounds["Spieler"]) == ("16", "Die ersten 16 der Tabelle")


def test_terminal_announces_seeds_and_takes_back(division: Division) -> None:
    slug = division.tournament.slug
    factories.enter(division, 4)

    assert run("knockout", slug, "--announce", "4", "--system", "page_playoff", "--criteria", "most_bingos")[0] == 0
    with pytest.raises(CommandError, match=r"„page“ ist nicht möglich\. Möglich sind: single_elimination, "):
        run("knockout", slug, "--announce", "4", "--system", "page")
    assert run("knockout", slug, "--announce", "5", "--system", "page_playoff")[2] == (
        "„Page-Play-off“ ist für 4 Spieler, nicht für 5.\n"
    )
    assert "--third-place geht nur mit --announce." in run("knockout", slug, "--seed", "--third-place")[2]
    assert "„P99“" in run("knockout", slug, "--seed", "P01", "P99")[2]
    status, out, _err = run("knockout", slug, "--seed", "P02", "P01", "P03", "P04", "--format", "json")
    shown = json.loads(out)

    assert (status, shown["seeds"]) == (0, ["P02", "P01", "P03", "P04"])
    assert (shown["announced"]["system"], shown["announced"]["criteria"]) == ("page_playoff", ["most_bingos"])
    assert run("knockout", slug)[1].splitlines()[-1].startswith("  4  P04  ")
    assert run("knockout", slug, "--cancel")[0] == 0
    assert run("knockout", slug)[1] == "Gruppe A hat keine K.‑o.-Phase.\n"
    assert run("knockout", slug, "--take-back")[0] == 1
    assert knockouts.replayed(division) == []


def knockouts_page(division: Division) -> str:
    return reverse("director:knockout", args=[division.tournament.slug])


def console_page(division: Division) -> str:
    return reverse("director:console", args=[division.tournament.slug])
