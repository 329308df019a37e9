"""The laboratory's page and its files."""

import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tournament.laboratory import views
from tournament.laboratory.plans import format_own_plan, parse_own_plan
from tournament.rounds.plan import PlanSegment

pytestmark = pytest.mark.django_db

SMALL = {
    "players": "8",
    "rounds": "5",
    "events": "12",
    "seed": "2",
    "strength": "42",
    "plan1": "swiss",
    "plan2": "hill",
}


@pytest.fixture(autouse=True)
def _no_runs_left() -> Iterator[None]:
    """Runs of a test end with it."""
    yield
    for mark in views.get_laboratory_folder().glob("*.running"):
        mark.unlink(missing_ok=True)
    wait_for_end()
    for path in views.get_laboratory_folder().glob("*"):
        path.unlink()


def wait_for_end() -> None:
    for thread in threading.enumerate():
        if thread.name == "laboratory":
            thread.join(120)


def ask(client: Client, **more: str) -> Any:
    return client.get(reverse("director:laboratory"), {**SMALL, **more})


def play(client: Client, **more: str) -> Any:
    """Have it played to the end; the page that follows."""
    answer = client.post(reverse("director:laboratory"), {**SMALL, **more})
    wait_for_end()
    return client.get(answer.headers["Location"])


def find_lines(page: Any) -> list[str]:
    """The lines of a page's plots."""
    found = re.findall(r'<polyline[^>]*points="([^"]+)"', page.content.decode())
    assert len(found) == 9
    return found


class TestPage:
    def test_it_asks_what_is_to_be_played(self, doris_client: Client) -> None:
        page = doris_client.get(reverse("director:laboratory")).content.decode()
        assert 'value="24"' in page
        assert page.count("<select") == 5

    @pytest.mark.long
    def test_it_tells_how_far_a_run_has_come(self, doris_client: Client) -> None:
        answer = doris_client.post(reverse("director:laboratory"), {**SMALL, "events": "5000"})
        page = doris_client.get(answer.headers["Location"]).content.decode()
        assert "<progress" in page
        assert "/static/live." in page
        news = re.findall(r'data-news="([^"]+)"', page)[0].replace("&amp;", "&")
        state = doris_client.get(news).json()["state"]
        assert state.startswith("True")
        stopped = doris_client.post(answer.headers["Location"], {**SMALL, "events": "5000", "stop": "yes"}, follow=True)
        wait_for_end()
        assert doris_client.get(news).json()["state"].startswith("False")
        assert stopped.status_code == 200

    @pytest.mark.long
    def test_only_one_run_at_a_time(self, doris_client: Client) -> None:
        address = reverse("director:laboratory")
        doris_client.post(address, {**SMALL, "events": "5000"})
        refused = doris_client.post(address, {**SMALL, "seed": "9"}, follow=True)
        assert "note-bad" in refused.content.decode() or "alert" in refused.content.decode()
        assert len(list(views.get_laboratory_folder().glob("*.jsonl"))) == 1

    def test_a_run_is_played_and_shown_and_not_played_again(self, doris_client: Client) -> None:
        page = play(doris_client).content.decode()
        assert page.count("<svg") == 4 + 2
        assert page.count("<tbody>") == 4
        assert "12" in page

        (kept,) = views.get_laboratory_folder().glob("*.jsonl")
        before = kept.read_text()
        play(doris_client)
        assert kept.read_text() == before

    @pytest.mark.long
    def test_the_address_repeats_the_run(self, doris_client: Client) -> None:
        page = play(doris_client, plan3="random", rounds3="3")
        for kept in views.get_laboratory_folder().glob("*.jsonl"):
            kept.unlink()
        assert "<figure" not in ask(doris_client, plan3="random", rounds3="3").content.decode()
        assert find_lines(play(doris_client, plan3="random", rounds3="3")) == find_lines(page)

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            *(("players", "3"), ("players", "x"), ("events", "1"), ("rounds", "41"), ("seed", "0"), ("strength", "-1")),
            *(("plan1", "nothing"), ("plan1", ""), ("field", "77"), ("own", "1-2:what"), ("own", "2-3:swiss")),
            *(("own", "1-99:swiss"), ("own", "1:swiss"), ("own", "1-2:swiss:fx"), ("own", "1-2:swiss:z")),
        ],
    )
    @pytest.mark.sampled(5)
    def test_what_cannot_be_played_is_refused(self, doris_client: Client, name: str, value: str) -> None:
        kept = set(views.get_laboratory_folder().glob("*.jsonl"))
        answer = doris_client.post(reverse("director:laboratory"), {**SMALL, name: value})
        assert answer.status_code == 200
        assert "note-bad" in answer.content.decode()
        assert set(views.get_laboratory_folder().glob("*.jsonl")) <= kept

    def test_no_run_keeps_the_laboratory_for_hours(self, doris_client: Client) -> None:
        much = {**SMALL, "players": "120", "rounds": "40", "events": "10000"}
        answer = doris_client.post(reverse("director:laboratory"), much)
        assert "1562" in answer.content.decode()
        assert not list(views.get_laboratory_folder().glob("*.jsonl"))

    def test_others_events_are_no_field(self, doris_client: Client) -> None:
        theirs = factories.event(by=factories.director("otto", factories.organiser("Andere")), players=8)
        answer = doris_client.post(reverse("director:laboratory"), {**SMALL, "field": str(theirs.pk)})
        assert "note-bad" in answer.content.decode()

    @pytest.mark.long
    def test_an_event_is_the_field(self, doris_client: Client) -> None:
        division = factories.event(players=6)
        page = play(doris_client, field=str(division.pk)).content.decode()
        assert page.count("<figure") == 4

    @pytest.mark.long
    def test_an_events_own_plan(self, doris_client: Client) -> None:
        own = [PlanSegment(1, 4, "swiss"), PlanSegment(5, 5, "king_of_the_hill", repeats=True)]
        page = play(doris_client, own=format_own_plan(own), plan1="own", plan2="swiss").content.decode()
        assert page.count("<figure") == 4

    def test_own_plan_in_an_address_keeps_its_figures(self) -> None:
        own = [PlanSegment(1, 4, "australian", repeats=True, repeats_after=2), PlanSegment(5, 6, "factor", factor=3)]
        assert parse_own_plan(format_own_plan(own)) == own


class TestFiles:
    @pytest.mark.long
    def test_pdf_and_json(self, doris_client: Client) -> None:
        play(doris_client)
        pdf = doris_client.get(reverse("director:laboratory_paper"), SMALL)
        assert pdf.content.startswith(b"%PDF")
        stated = doris_client.get(reverse("director:laboratory_file"), SMALL).json()
        assert [plan["name"] for plan in stated["plans"]] == ["swiss:5", "hill:5"]

    def test_nothing_was_played(self, doris_client: Client) -> None:
        for name in ("director:laboratory_paper", "director:laboratory_file"):
            answer = doris_client.get(reverse(name), SMALL)
            assert (answer.status_code, answer.headers["Location"].partition("?")[0]) == (
                302,
                reverse("director:laboratory"),
            )
        broken = {**SMALL, "players": "1"}
        assert doris_client.get(reverse("director:laboratory_paper"), broken).status_code == 404
        assert doris_client.get(reverse("director:laboratory_news"), broken).status_code == 404
