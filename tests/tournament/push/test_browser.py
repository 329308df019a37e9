"""In Chromium: asking to be told of news, and the worker that shows them. Stood in for are the push service of the
browser's maker and the desktop that shows a message, neither of which is there."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from tests import factories
from tests.browsers import faults, read_english
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.models import PushSubscription, Tournament

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
pytest.importorskip("pywebpush", reason="comes with requirements-hosted.txt")

STAND_IN = """(() => {
  let held = sessionStorage.getItem("held") === "yes";
  const keep = (is) => { held = is; sessionStorage.setItem("held", is ? "yes" : "no"); };
  const made = { toJSON: () => ({ endpoint: "https://fcm.googleapis.com/me", keys: { p256dh: "AAAA", auth: "AAAA" } }),
    unsubscribe: async () => { keep(false); return true; } };
  PushManager.prototype.getSubscription = async () => (held ? made : null);
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (applicationServerKey.length !== 65) throw new Error("no key");
    keep(true);
    return made;
  };
  Notification.requestPermission = async () => "granted";
})()"""


LISTEN = """() => {
  self.shown = new Promise((done) => { self.registration.showNotification = async (...said) => { done(said); }; });
}"""
"""Script: note in the worker what it shows."""


@pytest.fixture
def event(settings: Any, tmp_path: Path) -> Tournament:
    settings.HOSTED = settings.BEHIND_HTTPS = True
    settings.SERVICE_ADDRESS, settings.DATA_DIR = "https://tso.example.org", tmp_path
    size = DemoSize(23, rounds=7, played=5)
    return make_demo_tournament(actor=factories.director(), today=timezone.localdate(), size=size)


def follows(event: Tournament) -> list[list[str]]:
    return [each.follows for each in PushSubscription.objects.filter(tournament=event)]


def test_reader_asks_to_be_told_changes_it_and_ends_it(
    event: Tournament, live_server: Any, page: Page, context: Any
) -> None:
    one, other = event.entries.order_by("pk")[:2]
    read_english(context, live_server.url)
    page.add_init_script(STAND_IN)
    page.goto(f"{live_server.url}/t/{event.slug}/")
    button = page.get_by_role("button", name="Tell me of their news")
    page.locator(".mine-pick").wait_for()
    hidden = button.is_hidden()
    page.goto(f"{live_server.url}/t/{event.slug}/?follow={one.key}")
    with page.expect_response("**/push/") as answer:
        button.click()
    asked = follows(event)
    page.locator("[data-push] button[aria-pressed=true]").wait_for()
    problems = faults(page)
    with page.expect_response("**/push/"):
        page.goto(f"{live_server.url}/t/{event.slug}/?follow={one.key}&follow={other.key}")
    changed = follows(event)
    with page.expect_response("**/push/"):
        button.click()
    page.locator("[data-push] button[aria-pressed=false]").wait_for()

    assert hidden
    assert answer.value.status == 204
    assert asked == [[one.key]]
    assert problems == []
    assert changed == [[one.key, other.key]]
    assert follows(event) == []


def test_worker_shows_what_comes(event: Tournament, live_server: Any, page: Page, context: Any) -> None:
    page.goto(f"{live_server.url}/t/{event.slug}/")
    worker, scope = f"/t/{event.slug}/push-worker.js", f"/t/{event.slug}/"
    with context.expect_event("serviceworker") as made:
        page.evaluate(
            "async ([worker, scope]) => { await navigator.serviceWorker.register(worker, { scope });"
            " await navigator.serviceWorker.ready; }",
            [worker, scope],
        )
    made.value.evaluate(LISTEN)
    message = {"title": "Beispiel, Anna", "body": "Runde 4: Tisch 12", "url": live_server.url + scope}
    browser = context.new_cdp_session(page)
    known: list[dict[str, Any]] = []
    browser.on("ServiceWorker.workerRegistrationUpdated", lambda told: known.extend(told["registrations"]))
    browser.send("ServiceWorker.enable")
    deadline = time.monotonic() + 10
    while not any(each["scopeURL"].endswith(scope) for each in known) and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    registration = next(each["registrationId"] for each in known if each["scopeURL"].endswith(scope))
    browser.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": f"{live_server.url}/", "registrationId": registration, "data": json.dumps(message)},
    )
    title, details = made.value.evaluate("() => self.shown")

    assert (title, details) == (message["title"], {"body": message["body"], "data": {"url": message["url"]}})
    page.goto("about:blank")
