"""Two phones in a browser: reports that a bad network delays are kept and arrive once, and the pages are in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from games.models import GameReport, Photo
from tests import factories
from tests.browsers import faults, read_english
from tournament.access.codes import make_personal_link
from tournament.models import Entry, Pairing, Result, Tournament

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table() -> Pairing:
    """The first table of a round that has just been published."""
    division = factories.event(players=4)
    Tournament.objects.update(language="browser")
    round = factories.published(division)
    return Pairing.objects.with_players().get(round=round, table=1)


def address(live_server: Any, entry: Entry | None) -> str:
    assert entry is not None
    return f"{live_server.url}/me/{make_personal_link(Entry.objects.select_related('tournament').get(pk=entry.pk))}/"


@pytest.fixture
def phone(page: Page, live_server: Any, table: Pairing) -> Page:
    """The starter's phone, on their own page."""
    read_english(page.context, live_server.url)
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address(live_server, table.first))
    return page


def type_and_send(phone: Page, own: str, other: str) -> None:
    phone.get_by_label("My points").fill(own)
    phone.get_by_label("Points of").fill(other)
    phone.get_by_role("button", name="Report the result").click()


def test_two_phones_make_a_result(phone: Page, live_server: Any, table: Pairing) -> None:
    found = faults(phone)
    type_and_send(phone, "431", "402")
    phone.get_by_text("You reported 431 : 402.").wait_for()
    found += faults(phone)

    other = phone.context.new_page()
    other.goto(address(live_server, table.second))
    found += faults(other)
    other.get_by_role("button", name="Yes, that is right").click()
    other.get_by_text("The result is in: 402 : 431.").wait_for()

    assert found == []
    assert (Result.objects.get().first_points, Result.objects.get().second_points) == (431, 402)


def test_report_without_a_network_is_kept_and_arrives_once(phone: Page, table: Pairing) -> None:
    phone.context.set_offline(True)
    type_and_send(phone, "431", "402")
    phone.get_by_text("Not sent yet: 431 : 402.").wait_for()
    assert not GameReport.objects.exists()

    phone.context.set_offline(False)
    phone.get_by_text("You reported 431 : 402.").wait_for()
    phone.reload()

    assert GameReport.objects.count() == 1
    assert phone.get_by_text("Not sent yet").count() == 0


def test_report_kept_is_still_there_when_the_page_is_opened_again(phone: Page, table: Pairing) -> None:
    phone.context.set_offline(True)
    type_and_send(phone, "431", "402")
    phone.get_by_text("Not sent yet: 431 : 402.").wait_for()
    again = phone.url
    phone.goto("about:blank")

    phone.context.set_offline(False)
    phone.goto(again)
    phone.get_by_text("You reported 431 : 402.").wait_for()

    assert GameReport.objects.count() == 1


def test_odd_figures_are_asked_about_before_they_count(phone: Page, table: Pairing) -> None:
    type_and_send(phone, "95", "402")
    phone.get_by_text("95 is unusually low").wait_for()
    assert not GameReport.objects.exists()

    phone.get_by_role("button", name="It is right, send it").click()
    phone.get_by_text("You reported 95 : 402.").wait_for()

    assert GameReport.objects.count() == 1


def test_refused_report_does_not_hold_up_the_right_one(phone: Page, table: Pairing) -> None:
    type_and_send(phone, "401", "37x")
    phone.get_by_text("401 : 37x is not reported yet.").wait_for()
    assert phone.get_by_label("My points").input_value() == "401"

    phone.get_by_label("Points of").fill("377")
    phone.get_by_role("button", name="Report the result").click()
    phone.get_by_text("You reported 401 : 377.").wait_for()

    assert GameReport.objects.count() == 1
    assert phone.locator("#outbox").inner_text() == ""


def test_refused_report_comes_back_into_its_form_when_the_page_is_opened_again(phone: Page, table: Pairing) -> None:
    type_and_send(phone, "401", "37x")
    phone.get_by_text("401 : 37x is not reported yet.").wait_for()

    phone.reload()
    phone.get_by_text("401 : 37x is not reported yet.").wait_for()

    assert phone.get_by_label("My points").input_value() == "401"
    assert phone.get_by_label("Points of").input_value() == "37x"


def test_throwing_a_refused_report_away_sends_nothing(phone: Page, table: Pairing) -> None:
    type_and_send(phone, "401", "37x")
    phone.get_by_text("401 : 37x is not reported yet.").wait_for()
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.method))

    phone.get_by_role("button", name="Throw it away").click()
    phone.wait_for_timeout(200)

    assert (sent, phone.locator("#outbox").inner_text()) == ([], "")


@pytest.mark.parametrize(("own", "other", "focused"), [("", "", "own"), ("401", "", "other"), (" ", "377", "own")])
def test_report_without_both_scores_is_not_sent(
    phone: Page, table: Pairing, own: str, other: str, focused: str
) -> None:
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.method))

    type_and_send(phone, own, other)
    phone.get_by_text("Enter both scores as they stand on the sheet.").wait_for()

    assert sent == []
    assert phone.evaluate("document.activeElement.name") == f"{focused}_points"
    type_and_send(phone, "401", "377")
    phone.get_by_text("You reported 401 : 377.").wait_for()


@pytest.mark.parametrize(
    ("status", "waits"), [(400, 0), (403, 0), (404, 0), (413, 0), (408, 1), (429, 1), (500, 1), (503, 1)]
)
def test_only_what_found_no_answer_waits(phone: Page, table: Pairing, status: int, waits: int) -> None:
    phone.route("**/report/**", lambda route: route.fulfill(status=status, body="<p>No.</p>", content_type="text/html"))

    type_and_send(phone, "401", "377")
    phone.get_by_text("Not sent yet: 401 : 377." if waits else "401 : 377 is not reported yet.").wait_for()

    box = f"JSON.parse(localStorage['outbox-{phone.url.rstrip('/').rsplit('/', 1)[1]}']).length"
    assert phone.evaluate(box) == waits
    phone.unroute("**/report/**")
    phone.get_by_role("button", name="Try now").click()
    phone.get_by_text("You reported 401 : 377.").wait_for()


def test_last_of_two_reports_without_a_network_is_the_one_that_is_sent(phone: Page, table: Pairing) -> None:
    phone.route("**/report/**", lambda route: route.abort())
    type_and_send(phone, "401", "37x")
    phone.get_by_text("Not sent yet: 401 : 37x.").wait_for()
    phone.reload()
    type_and_send(phone, "401", "377")
    phone.get_by_text("Not sent yet: 401 : 377.").wait_for()

    phone.unroute("**/report/**")
    phone.get_by_role("button", name="Try now").click()
    phone.get_by_text("You reported 401 : 377.").wait_for()

    assert GameReport.objects.count() == 1
    assert phone.locator("#outbox").inner_text() == ""


def test_box_of_an_earlier_version_with_a_refused_report_is_no_dead_end(phone: Page, table: Pairing) -> None:
    name = f"outbox-{phone.url.rstrip('/').rsplit('/', 1)[1]}"
    old = {
        "key": "1",
        "url": phone.url + "report/1/",
        "what": "401 : ?",
        "values": [["own_points", "401"]],
        "refused": "Why.",
    }
    phone.evaluate("([name, old]) => localStorage.setItem(name, JSON.stringify([old]))", [name, old])

    phone.reload()
    phone.get_by_text("401 : ? is not reported yet. Why.").wait_for()
    type_and_send(phone, "401", "377")

    phone.get_by_text("You reported 401 : 377.").wait_for()


def test_photo_is_made_smaller_before_it_is_sent(phone: Page, table: Pairing, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    sheet = tmp_path / "sheet.jpg"
    Image.effect_noise((2400, 3000), 60).save(sheet, quality=95)

    phone.get_by_text("Photo of the sheet").click()
    phone.get_by_label("Take a photo").set_input_files(sheet)
    with phone.expect_request("**/photo/**") as sent:
        phone.get_by_role("button", name="Send the photo").click()
    phone.get_by_text("1 photo of the sheet is with the director").wait_for()

    assert int(sent.value.all_headers()["content-length"]) < sheet.stat().st_size
    assert max(Photo.objects.values_list("width", "height").get(pairing=table)) <= 2000
    assert faults(phone) == []
