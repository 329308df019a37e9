"""What a page of another origin may read, in Chromium; and the page for programs, usable by everybody."""

import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests import factories
from tests.browsers import faults

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READ = """async ([address, etag]) => {
  try {
    const answer = await fetch(address, {cache: "no-store", headers: etag ? {"If-None-Match": etag} : {}});
    const kept = Object.fromEntries(["etag", "ratelimit-limit"].map(name => [name, answer.headers.get(name)]));
    return [answer.status, (await answer.text()).length > 0, kept];
  } catch (error) { return [error.name, false, {}]; }
}"""
"""Script: status, whether there is content, and the headers that may be read."""


class Overlay(BaseHTTPRequestHandler):
    """Serves an empty page, without a policy of ours."""

    def do_GET(self) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_said: Any) -> None:
        pass


@pytest.fixture
def overlay() -> Iterator[str]:
    """The address of a page of another origin."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Overlay) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_page_of_another_origin_reads_the_interface_and_nothing_else(live_server: Any, page: Any, overlay: str) -> None:
    division = factories.event(players=4)
    factories.played(division)
    slug = division.tournament.slug
    page.goto(overlay)

    for address in (f"/api/v1/events/{slug}/table", f"/t/{slug}/tourney.js"):
        status, is_filled, headers = page.evaluate(READ, [live_server.url + address, ""])
        assert (status, is_filled, headers["ratelimit-limit"]) == (200, True, "600")
        # A header of one's own makes the browser ask first whether it may be sent.
        assert page.evaluate(READ, [live_server.url + address, headers["etag"]])[:2] == [304, False]
    for address in (f"/t/{slug}/table/", f"/t/{slug}/table.json", "/api/"):
        assert page.evaluate(READ, [live_server.url + address, ""])[0] == "TypeError"


def test_page_for_programs_is_for_everybody(live_server: Any, page: Any) -> None:
    factories.event(players=4, name="Internationales Herbst-Turnier zu Müller-Lüdenscheidt")

    page.goto(live_server.url + "/api/")

    assert faults(page) == []
