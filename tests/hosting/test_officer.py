"""A federation on a hosted service: a club hands in from its laptop over the net, again and at the same time, and two
officers act at once. Whoever is second changes nothing, and nobody gets an error."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.hosting import stage_file
from tests.hosting.browser import Answer, Browser
from tests.hosting.helpers import side_by_side
from tests.hosting.service import NAME, ROOT, Service

pytestmark = pytest.mark.hosted


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with tempfile.TemporaryDirectory(prefix="tso-officer-") as folder:
        found = Service(Path(folder), hosts=(NAME, "127.0.0.1"))
        try:
            found.start()
            yield found
        finally:
            found.stop()


class Laptop:
    """A club's own machine: another copy of the data, and commands only."""

    def __init__(self, service: Service, folder: Path) -> None:
        self.settings = {name: text for name, text in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        self.settings |= {"TSO_DATA": str(folder), "SSL_CERT_FILE": service.settings["TSO_CERTIFICATE"]}

    def run(self, *words: str) -> str:
        """What a command prints. Raises `CalledProcessError`."""
        command = [sys.executable, "manage.py", *words]
        return subprocess.run(command, cwd=ROOT, env=self.settings, capture_output=True, text=True, check=True).stdout

    def hand_in(self, slug: str, *words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run("hand_in", slug, *words, "--format", "json"))
        return found


def manage(service: Service, *words: str) -> Any:
    """What a command of the service prints as JSON."""
    return service.python("manage.py", *words, "--format", "json")


def post_at_once(officers: list[Browser], page: str, way: str, **typed: str) -> list[Answer]:
    """Each looks at the page; then both post its form to `way` there, at the same time."""
    forms = [{**officer.ask(page).fields, **typed} for officer in officers]
    answers: list[Answer] = []
    side_by_side(
        *(
            partial(lambda officer, form: answers.append(officer.ask(way, form)), officer, form)
            for officer, form in zip(officers, forms, strict=True)
        )
    )
    return answers


def confirm_at_once(officers: list[Browser], page: str) -> None:
    number = re.findall(r"number=(\d+)", officers[0].ask(page).text)[0]
    answers = post_at_once(officers, page, f"{page}?number={number}&confirm=yes")
    assert [answer.status for answer in answers] == [302, 302]


def tick_at_once(service: Service, officers: list[Browser]) -> None:
    """A season is made, and its only event ticked by both at once."""
    officers[0].send(
        "/director/register/seasons/", name="Pokal", slug="pokal", preset="own", rule="places", shared="each"
    )
    season = re.findall(r"/director/register/seasons/(\d+)/", officers[0].ask("/director/register/seasons/").text)[0]
    page = f"/director/register/seasons/{season}/"
    division = re.findall(r'name="division" value="(\d+)"', officers[0].ask(page).text)[0]
    answers = post_at_once(officers, page, f"{page}choose/", division=division)
    assert {answer.status for answer in answers} <= {200, 302}  # whoever is second may be told so
    (counted,) = manage(service, "season_events", "pokal")["events"]
    assert counted["counts"]


def test_events_come_over_the_net_and_two_officers_act_at_once(service: Service, tmp_path: Path) -> None:
    facts = service.python(str(stage_file("officer_stage.py")))
    officers = [Browser(service.port, session=session) for session in facts["sessions"]]
    laptop = Laptop(service, tmp_path / "laptop")
    demo = laptop.run("demo", "--players", "8", "--rounds", "3", "--played", "3", "--format", "json")
    slug = json.loads(demo)["slug"]

    # Handed in, and again, and twice at the same time: one event.
    first = laptop.hand_in(slug, "--link", f"https://127.0.0.1:{service.port}{facts['way']}")
    assert (first["state"], first["federation"]) == ("open", "Verband")
    laptop.hand_in(slug)
    side_by_side(partial(laptop.hand_in, slug), partial(laptop.hand_in, slug))
    (event,) = manage(service, "handed_in")["events"]
    assert event["state"] == "open"
    pk = event["code"].partition(".")[0]

    # Confirmed by both at once: one event of the federation's own.
    page = f"/director/register/handed-in/{pk}/"
    assert "Was aus der Wertungsliste wird" in officers[0].ask(page).text
    confirm_at_once(officers, page)
    (event,) = manage(service, "handed_in")["events"]
    assert event["state"] == "confirmed"
    listed = manage(service, "rating_list", "--organiser", "verband")
    assert (listed["events"], len(listed["rows"])) == (1, 8)

    # Published by both at once: one list, which everybody reads.
    form = "/director/register/rating-list/publish/"
    answers = post_at_once(officers, form, form)
    assert [answer.status for answer in answers] == [302, 302]
    (published,) = manage(service, "rating_list", "--organiser", "verband")["published"]
    stranger = Browser(service.port)
    address = f"/organisers/verband/ratings/{published['list']}.json"
    assert json.loads(stranger.ask(address).text)["rows"] == listed["rows"]

    # Corrected and handed in again: shown before, confirmed by both at once; the published list stays.
    laptop.run("result", slug, "1", "1", "500", "300")
    laptop.hand_in(slug)
    (event,) = manage(service, "handed_in")["events"]
    assert event["is_correction"]
    assert event["moved"]
    confirm_at_once(officers, page)
    now = manage(service, "rating_list", "--organiser", "verband")
    assert {row["player"]: row["now"] for row in now["moved"]} == {row["player"]: row["now"] for row in event["moved"]}
    assert json.loads(stranger.ask(address).text)["rows"] == listed["rows"]
    assert laptop.hand_in(slug, "--ask")["state"] == "confirmed"
    tick_at_once(service, officers)
    service.step("manage", "check_data")
