"""Agreements and decisions in the knock-out: what was played later is asked about before it goes."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.compare.agreement import agree_sheet
from games.core.pages import format_seen_state
from games.gcg.conversion import export_sheet_as_gcg
from games.models import Incident, Scoresheet
from games.photos import attach_photos
from games.referee.catalogue import IncidentEffect
from games.sheets.operations import open_sheet
from tests import factories
from tests.games.compare.typed import SECOND, sheet
from tests.games.conftest import browser
from tests.games.photos import samples
from tests.games.referee.steps import log
from tests.tournament.knockout import knockouts
from tournament.core.words.journal import describe_entry
from tournament.models import Division, JournalEntry, Pairing, Result
from tournament.results.knockout_games import LaterGamesDisturbed


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """Four players; the semi-finals were won by who started, and the final is played."""
    made = knockouts.seeded()
    knockouts.semis(made)
    knockouts.play(made, 2, 1, 1, 430, 400)
    return made


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def semi(division: Division) -> Pairing:
    return knockouts.game(division, 1)


@pytest.fixture
def doris_client(division: Division) -> Client:
    return browser(factories.director().user)


def test_agreement_that_turns_a_semi_final_is_asked_about(semi: Pairing, division: Division) -> None:
    made = sheet(semi)
    told: dict[str, Any] = {"actor": factories.director(), "expected_version": None, "expected_sheet": made.version}

    with pytest.raises(LaterGamesDisturbed) as asked:
        agree_sheet(made, **told)

    assert not Scoresheet.objects.filter(agreed=True).exists()
    agree_sheet(made, **told, disturb=asked.value.results)
    assert Result.objects.get(pairing=semi, official=True).second_points == 111
    assert knockouts.replayed(division) == []


def test_page_sends_what_it_has_asked_about(semi: Pairing, doris_client: Client) -> None:
    made = sheet(semi)
    slug = semi.round.division.tournament.slug
    response = doris_client.get(reverse("games:compare", args=[slug, semi.pk]))
    offer = response.context["page"].offer
    assert "would no longer count" in response.content.decode()
    fields = {"sheet": made.pk, "version": made.version, "seen": offer.seen}
    agree = reverse("games:compare_agree", args=[slug, semi.pk])

    doris_client.post(agree, fields)
    assert not Scoresheet.objects.filter(agreed=True).exists()
    doris_client.post(agree, {**fields, "disturbs": offer.consequences.knockout.agreed})

    assert Scoresheet.objects.get().agreed


def test_disqualification_that_turns_a_semi_final_is_asked_about(semi: Pairing) -> None:
    with pytest.raises(LaterGamesDisturbed):
        log(semi, IncidentEffect.AWARD, 1, stopped_at=(420, 380))

    assert not Incident.objects.exists()


def test_incidents_page_sends_what_it_has_asked_about(semi: Pairing, doris_client: Client) -> None:
    slug = semi.round.division.tournament.slug
    address = reverse("games:incident", args=[slug, semi.pk, "device"])
    shown = doris_client.get(address).context["seen"]
    fields = {"who": "first", "effect": "award", "seen": shown, "first_points": "420", "second_points": "380"}

    review = doris_client.post(address, fields).context["review"]
    doris_client.post(address, {**fields, "asked": review["asked"], "disturbs": review["consequences"].knockout.agreed})

    assert Result.objects.get(pairing=semi, official=True).outcome == "first_forfeits"
    assert Incident.objects.get().version == 2


@pytest.mark.django_db
def test_points_that_waited_ask_before_they_turn_a_semi_final() -> None:
    division = knockouts.seeded()
    made = log(knockouts.game(division, 1), IncidentEffect.POINTS, 1, points=50)
    knockouts.semis(division)
    knockouts.play(division, 2, 1, 1, 430, 400)
    doris = browser(factories.director().user)
    address = reverse("games:incident_apply", args=[division.tournament.slug, made.pk])

    question = doris.post(address, {"seen": format_seen_state(knockouts.game(division, 1))})

    assert "would no longer count" in question.content.decode()
    assert Incident.objects.get().version is None
    doris.post(address, dict(question.context["asked"]["hidden"]))
    assert Incident.objects.get().version == 2
    assert knockouts.match(division, 1).loser == knockouts.game(division, 1).first.pk


def test_journal_and_file_name_a_game_of_the_knockout_by_its_place(semi: Pairing, division: Division) -> None:
    made = sheet(semi)
    open_sheet(semi, keeper=SECOND, actor=factories.director())
    attach_photos(semi, sent=[samples.sent("a.jpg")], actor=factories.director())
    log(semi, IncidentEffect.NOTE, 1)

    with translation.override("en"):
        told = [describe_entry(entry) for entry in JournalEntry.objects.order_by("number")]
    begun = next(sentence for sentence in told if sentence.startswith("Score sheet begun"))
    assert begun.startswith("Score sheet begun: Semi-final 1 · ")
    assert [sentence for sentence in told if "1101" in sentence] == []
    lines = [line for line in made.lines.order_by("number") if line.kind == line.Kind.PASS]
    assert "#description A · KO1 · M1 · G1" in export_sheet_as_gcg(made, lines)
