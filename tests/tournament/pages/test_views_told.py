"""What a page tells after an act: once, with the way to take it back, and at the page's own place where it has one."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests import factories
from tests.games.conftest import browser
from tournament.models import Division, Entry, JournalEntry, Round

pytestmark = pytest.mark.django_db

AT = "/director/herbst-cup/"
ABSENT = "misses round 1."


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=4)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def doris_client(division: Division) -> Client:
    return browser(factories.director().user)


def test_act_is_told_once_with_its_undo(doris_client: Client) -> None:
    pk = Entry.objects.order_by("pk")[0].pk

    page = doris_client.post(f"{AT}entries/{pk}/absence/", {"number": "1"}, follow=True).text

    assert page.count(ABSENT) == 1
    assert f'href="{AT}journal/' in page.partition('class="messages told"')[2].partition("</button>")[0]
    assert "told" not in doris_client.get(f"{AT}entries/{pk}/").text.partition("<main")[2].partition("<h1")[0]


def test_publishing_can_be_undone_amid_the_form_of_the_results(doris_client: Client, division: Division) -> None:
    """A form inside another one is none to a browser: its button sent the results."""
    factories.draft(division)
    doris_client.post(f"{AT}rounds/1/publish/", follow=True)  # where a message tells of it, with an undo of its own
    page = doris_client.get(f"{AT}results/1/").text
    grid = page.partition('<form id="grid"')[2].partition("</form>")[0]

    (button,) = re.findall(r'<button[^>]*form="way-back"[^>]*>', grid)
    assert "<form" not in grid
    assert '<form id="way-back" method="post">' in page.partition('<form id="grid"')[0]
    address, revision = (re.search(rf'{name}="([^"]*)"', button)[1] for name in ("formaction", "value"))  # type: ignore[index]
    doris_client.post(address, {"revision": revision})
    assert Round.objects.get(division=division).is_draft


def test_check_in_of_everybody_is_told_at_its_place_alone(doris_client: Client) -> None:
    keys = list(Entry.objects.values_list("pk", flat=True))

    page = doris_client.post(f"{AT}entries/check-in/", {"shown": keys, "everybody": "yes"}, follow=True).text

    assert "The check-in is saved." not in page
    assert page.count("Players checked in") == 1


def test_old_act_is_not_told_beside_another_message(doris_client: Client) -> None:
    doris_client.post(f"{AT}entries/{Entry.objects.order_by('pk')[0].pk}/absence/", {"number": "1"})
    JournalEntry.objects.update(at=timezone.now() - timedelta(hours=1))

    page = doris_client.get(f"{AT}end/", headers={"referer": f"http://testserver{AT}end/"}).text

    assert page.count(ABSENT) == 1
    assert (
        'href="/director/herbst-cup/journal/'
        not in page.partition('class="messages told"')[2].partition("</button>")[0]
    )


def test_page_whose_acts_are_silent_tells_its_own_alone(doris_client: Client) -> None:
    doris_client.post(f"{AT}entries/{Entry.objects.order_by('pk')[0].pk}/absence/", {"number": "1"}, follow=True)
    elsewhere = doris_client.get(f"{AT}end/", headers={"referer": f"http://testserver{AT}entries/"}).text
    here = doris_client.get(f"{AT}end/", headers={"referer": f"http://testserver{AT}end/"}).text

    assert "Absence noted" not in elsewhere
    assert here.count("Absence noted") == 1


def test_tick_brings_the_state_that_the_form_shows_then(doris_client: Client, division: Division) -> None:
    """Otherwise one's own ticks made “Everybody is there” fail: the form knew only what was before them."""
    pk = Entry.objects.order_by("pk")[0].pk

    answer = doris_client.post(f"{AT}entries/check-in/{pk}/present/on/", headers={"hx-request": "true"}).text

    revision = factories.fresh(division).tournament.revision
    inside = answer.partition('id="check-in-last"')[2].partition("</span>")[0]
    assert f'name="revision" value="{revision}"' in inside
