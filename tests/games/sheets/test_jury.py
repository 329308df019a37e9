"""A sheet by the Dutch match rules: the jury that is asked for an exchange stands on it."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from games.models import Line, Scoresheet
from games.sheets.lines import WrittenLine
from games.sheets.operations import open_sheet, write_line
from games.sheets.sheet_page import SheetPage, get_scoresheet
from tests import factories
from tests.games.conftest import browser
from tests.games.sheets import steps
from tests.games.sheets.test_views import page
from tournament.models import Pairing


def begun(ruleset: str) -> Scoresheet:
    """Klara's sheet of an event by these rules."""
    round = factories.published(factories.event("Clubavond", players=2, ruleset=ruleset))
    table = Pairing.objects.filter(round=round).select_related("round__division__tournament").with_players().get()
    made = open_sheet(table, keeper=Scoresheet.Keeper.FIRST, actor=factories.director())
    return get_scoresheet(round.division.tournament, made.pk)


def address(paper: Scoresheet) -> str:
    return reverse("games:sheet", args=[paper.pairing.round.division.tournament.slug, paper.pk])


@pytest.fixture
def paper(db: None) -> Scoresheet:
    return begun("sbnl-wedstrijd")


@pytest.fixture
def doris_client(paper: Scoresheet) -> Client:
    return browser(factories.director().user)


def test_consent_and_refusal_are_typed_and_shown(doris_client: Client, paper: Scoresheet) -> None:
    steps.write(paper, "-EN", "-ER")
    doris_client.post(address(paper), page(paper, position="-ENR *"))
    doris_client.post(address(paper), page(paper, side="2", kind="pass", jury="asked"))

    shown = doris_client.get(address(paper))

    assert steps.lines(paper)[2:] == ["3: 1 -ENR *", "4: 2 - *"]
    assertContains(shown, "jury consented", 1)
    assertContains(shown, "jury refused", 1)
    assert shown.context["page"].count.second.penalties == -20
    assert shown.context["page"].problems == ()


def test_sheet_says_what_the_jury_would_have_had_to_allow(doris_client: Client, paper: Scoresheet) -> None:
    steps.write(paper, "-EN", "-ER", "-ENR", "-")

    shown = doris_client.get(address(paper))

    assertContains(shown, "beyond 1 the jury has to consent. (Wedstrijdscrabble III-7)")
    assertContains(shown, "the turn is lost and costs 20 points. (Wedstrijdscrabble III-8)")


def test_line_is_changed_with_what_the_jury_said(doris_client: Client, paper: Scoresheet) -> None:
    steps.write(paper, "-EN", "-ER", "-ENR *")

    field = doris_client.get(address(paper), {"line": 3}).context["form"]["jury"]
    doris_client.post(address(paper), page(paper, mode="change", number="3", kind="exchange", word="ENR"))

    assert field.value() == "asked"
    assert steps.lines(paper)[2] == "3: 1 -ENR"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("ruleset", ["sbnl-punten", "tso-2017"])
def test_jury_is_not_offered_where_it_has_no_say(paper: Scoresheet, doris_client: Client, ruleset: str) -> None:
    other = begun(ruleset)
    write_line(other, line=WrittenLine(1, points=20, jury=True), actor=factories.director(), expected_version=None)

    shown = doris_client.get(address(other))

    assertNotContains(shown, "asked before the turn")
    assertContains(shown, "the ruleset does not let it allow an exchange")
    assert Line.objects.get(scoresheet=other).jury
    assert SheetPage(other).count.first.plays == 20
