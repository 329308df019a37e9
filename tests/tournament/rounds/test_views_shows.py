"""The director is told what the public sees of a round, and changes it."""

import re

import pytest
from django.test import Client

from tests import factories
from tournament.basics.showing import ShowingRule
from tournament.core.public_view import open_public_view
from tournament.models import Division, Round
from tournament.table.league import list_league_rounds

pytestmark = pytest.mark.django_db
SLUG = "/director/herbst-cup"


@pytest.fixture
def doris_client() -> Client:
    client = Client()
    factories.sign_in(client)
    return client


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Division:
    division = factories.event(players=4)
    factories.played(division)
    return division


@pytest.fixture
def cup(cup_of_module: Division, db: None) -> Division:
    return factories.fresh(cup_of_module)


def told(client: Client, address: str) -> str:
    """The card that says what the public sees, as text."""
    page = client.get(address).content.decode()
    card = re.search(r'id="shown".*?</section>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", card[0]).split()) if card else ""


def press(client: Client, name: str, value: str, number: int = 1) -> str:
    """Press a button of the card, and what the page says then."""
    answer = client.post(f"{SLUG}/rounds/{number}/shows/", {name: value}, follow=True)
    return answer.content.decode()


def test_round_says_what_the_public_sees(doris_client: Client, cup: Division) -> None:
    before = told(doris_client, f"{SLUG}/rounds/1/")
    press(doris_client, "hold", "results")
    after = told(doris_client, f"{SLUG}/rounds/1/")

    assert before.count("für alle zu sehen") == len(ShowingRule.of(Round.objects.get()).columns)
    assert (after.count("für alle zu sehen"), after.count("zu sehen, sobald die Turnierleitung sie zeigt")) == (1, 2)


def test_buttons_show_hold_back_and_follow_the_rule(doris_client: Client, cup: Division) -> None:
    found = []
    for name, value in (("hold", "pairings"), ("show", "results"), ("usual", "yes")):
        press(doris_client, name, value)
        found.append(ShowingRule.of(Round.objects.get()).columns)

    assert [list(each.values()) for each in found] == [
        ["hand", "hand", "hand"],
        ["published", "published", "hand"],
        ["published", "published", "published"],
    ]


def test_button_that_is_none_changes_nothing(doris_client: Client, cup: Division) -> None:
    revision = Round.objects.get().division.tournament.revision

    assert "Erlaubt sind: pairings, results, table." in press(doris_client, "show", "everything")
    assert Round.objects.get().division.tournament.revision == revision


def test_rule_is_set_for_the_rounds_to_come(doris_client: Client, cup: Division) -> None:
    form = doris_client.get(f"{SLUG}/settings/?change=public").context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    rule = {"results_since": "closed", "results_wait": "10", "table_since": "hand", "table_wait": ""}
    answer = doris_client.post(f"{SLUG}/settings/?change=public", {**sent, **rule})
    tournament = factories.fresh(cup).tournament

    assert answer.status_code == 302
    assert list(ShowingRule.of(tournament).columns.values()) == ["published", "closed+10", "hand"]
    assert list(ShowingRule.of(Round.objects.get()).columns.values()) == ["published"] * 3


def test_minutes_beside_by_hand_are_refused(doris_client: Client, cup: Division) -> None:
    form = doris_client.get(f"{SLUG}/settings/?change=public").context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    wrong = {"table_since": "hand", "table_wait": "5"}
    page = doris_client.post(f"{SLUG}/settings/?change=public", {**sent, **wrong}).content.decode()

    assert "Was von Hand gezeigt wird, wartet keine Minuten ab" in page


def test_overview_warns_of_what_is_held_back(doris_client: Client, cup: Division) -> None:
    before = doris_client.get(f"{SLUG}/").content.decode()
    press(doris_client, "hold", "table")
    after = doris_client.get(f"{SLUG}/").content.decode()

    warning = "Das Publikum sieht noch nicht alles"
    assert (warning in before, warning in after) == (False, True)


def test_stages_of_the_knockout_have_their_buttons(doris_client: Client, cup: Division) -> None:
    knockout = factories.knockout(cup, 4)
    page = doris_client.get(f"{SLUG}/knockout/").content.decode()
    press(doris_client, "hold", "results", number=1101)
    with open_public_view(knockout.tournament):
        public = list_league_rounds(knockout)

    assert "/rounds/1101/shows/" in page
    assert len(public) == 1
    assert Round.objects.get(number=1101).results_shown == "hand"
