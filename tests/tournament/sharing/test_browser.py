"""In Chromium: frames in a page of another origin, and the page that writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests import factories
from tests.browsers import faults, read_english
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.models import Tournament

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Elsewhere = Callable[[str], str]


def demo() -> Tournament:
    size = DemoSize(23, rounds=7, played=5)
    return make_demo_tournament(actor=factories.director(), today=timezone.localdate(), size=size)


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    """Another website: a function that takes a piece of HTML and returns the address of the page that holds it."""
    held = [b""]

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(b"<!doctype html>" + held[0])

        def log_message(self, *_said: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()

        def hold(code: str) -> str:
            held[0] = code.encode()
            return f"http://127.0.0.1:{server.server_port}/"

        yield hold
        server.shutdown()


def test_another_website_shows_the_frame_and_no_other_page(
    live_server: Any, page: Page, context: Any, elsewhere: Elsewhere
) -> None:
    event = demo()
    read_english(context, live_server.url)
    page.goto(f"{live_server.url}/t/{event.slug}/share/?part=pairings&theme=dark")
    code = page.locator("#share-code").input_value()
    problems = faults(page)
    address = elsewhere(code)
    page.goto(address)
    frame = page.frame_locator("iframe")
    frame.locator("h1", has_text="Runde 6").wait_for()
    ground = frame.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor")
    name = frame.locator("tbody a").first
    called = name.inner_text()
    with context.expect_page() as opened:
        name.click()
    opened.value.wait_for_load_state()

    assert problems == []
    assert ground == "rgb(20, 24, 22)"
    assert "/players/" in opened.value.url
    assert called in opened.value.title()
    assert page.url == address

    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(elsewhere(code.replace("/embed/pairings/?theme=dark", "/table/")))
    page.wait_for_load_state("networkidle")

    assert any("frame-ancestors" in text for text in said)


def test_frames_are_for_everybody_and_stay_up_to_date(live_server: Any, page: Page) -> None:
    event = demo()
    page.clock.install()
    page.goto(f"{live_server.url}/t/{event.slug}/embed/table/")
    before = page.locator("tbody").inner_text()
    open_game = event.divisions.get().rounds.get(number=6).pairings.filter(kind="game", results=None)[0]
    factories.result(open_game.round, open_game.table or 0, 500, 300)
    page.clock.run_for(10_000)
    page.wait_for_function("(before) => document.querySelector('tbody').innerText !== before", arg=before)

    assert faults(page) == []
    page.goto("about:blank")
