"""An event without chess clocks prints no rule about overtime, on no form and on no page."""

import pytest
from django.urls import reverse
from django.utils import translation

from tests import factories
from tests.games.conftest import browser
from tests.tournament.paper import samples
from tournament.events.operations import update_settings
from tournament.events.words import list_announcement_facts
from tournament.files.print_room import render_document
from tournament.models import Round

pytestmark = pytest.mark.usefixtures("english")


WORDS = ("vertime", "itüberschreitung", "itstrafe", "ime penalty")


@pytest.fixture
def paired(db: None) -> Round:
    """A round is published, and nobody has a clock."""
    division = factories.event("Ohne Uhr", players=4, ruleset="tso-2017", rounds=1)
    update_settings(division.tournament, actor=factories.director(), minutes=None)
    return factories.published(factories.fresh(division))


@pytest.mark.parametrize("name", ["scoresheets", "result-slips", "announcement"])
@pytest.mark.sampled(1)
def test_document_says_nothing_of_overtime(paired: Round, name: str) -> None:
    said = " ".join(samples.pages(render_document(name, paired.division, paired)))

    assert [word for word in WORDS if word in said] == []


def test_announcement_states_that_there_is_no_clock(paired: Round) -> None:
    with translation.override("en"):
        facts = dict(list_announcement_facts(paired.division.tournament))

    assert facts["Time per player"].startswith("No clock")
    assert "Overtime" not in facts


def test_pages_of_a_game_do_not_ask_for_overtime(paired: Round) -> None:
    game = paired.pairings.first()
    slug = paired.division.tournament.slug
    client = browser(factories.director().user)

    for name in ("games:result", "games:referee"):
        page = client.get(reverse(name, args=[slug, game.pk])).content.decode()
        assert [word for word in WORDS if word in page] == [], name
