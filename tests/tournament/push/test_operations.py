"""Browsers are told what is new, by a push service of our own that checks who sends and reads what browsers do."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from tests import factories
from tests.tournament.push.stand_in import serve_as
from tournament.basics.showing import SHOWN_AT_ONCE
from tournament.ending.operations import end_tournament
from tournament.entries.operations.entries import NewEntry, enter_players
from tournament.entries.operations.register import Person
from tournament.events.operations import update_settings
from tournament.models import Club, Division, PushSubscription, Round, Tournament
from tournament.push.keys import get_public_key
from tournament.push.operations import RETRY_PAUSES, send_push_messages

http_ece = pytest.importorskip("http_ece", reason="comes with requirements-hosted.txt")
pytest.importorskip("pywebpush", reason="comes with requirements-hosted.txt")

from cryptography.hazmat.primitives.asymmetric import ec, utils  # noqa: E402  # only where it is installed
from cryptography.hazmat.primitives.hashes import SHA256  # noqa: E402  # as above
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: E402  # as above

AT = "/t/herbst-cup/"
SERVICE = "https://tso.example.org"


def encode(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushService:
    """A push service for one browser: it keeps what came, and answers with `status`."""

    address = "https://web.push.apple.com"

    def __init__(self) -> None:
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
        self.status = 201
        self.came: list[tuple[dict[str, str], bytes]] = []

    @property
    def subscription(self) -> dict[str, Any]:
        """What the browser would send."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": f"{self.address}/me", "keys": {"p256dh": encode(point), "auth": encode(self.secret)}}

    def read(self) -> list[dict[str, str]]:
        """The messages that came, each proven to be from whoever has the service's key; afterwards there are none."""
        found = []
        for headers, content in self.came:
            self._check_sender(headers["authorization"])
            text = http_ece.decrypt(content, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
            found.append(json.loads(text))
        self.came.clear()
        return found

    def _check_sender(self, authorization: str) -> None:
        parts = dict(part.strip().split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
        head, claims, signature = parts["t"].split(".")
        assert parts["k"] == get_public_key()
        said = json.loads(decode(claims))
        assert (said["aud"], said["sub"]) == (self.address, SERVICE)
        assert said["exp"] < timezone.now().timestamp() + 24 * 3600
        numbers = decode(signature)
        proof = utils.encode_dss_signature(int.from_bytes(numbers[:32]), int.from_bytes(numbers[32:]))
        known = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(parts["k"]))
        known.verify(proof, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))


@pytest.fixture
def service(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    made = PushService()

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            made.came.append(({name.lower(): value for name, value in self.headers.items()}, content))
            self.send_response(made.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_said: object) -> None:
            """Say nothing."""

    settings.HOSTED = settings.BEHIND_HTTPS = True
    settings.SERVICE_ADDRESS, settings.DATA_DIR = SERVICE, tmp_path
    with serve_as("web.push.apple.com", Answer, tmp_path, monkeypatch):
        yield made


def ask(service: PushService, *follow: str, language: str = "de", **changed: Any) -> int:
    """Post a browser's wish."""
    sent = {**service.subscription, "follow": list(follow), "language": language, **changed}
    return Client().post(f"{AT}push/", sent, content_type="application/json").status_code


def result(division: Division, number: int, table: int, first: int, second: int) -> None:
    factories.result(division.rounds.get(number=number), table, first, second)


def test_browser_is_told_of_result_and_next_table(public_cup: Division, service: PushService) -> None:
    assert ask(service, "P02") == 204
    assert send_push_messages() == {"sent": 0, "later": 0, "forgotten": 0}
    result(public_cup, 3, 2, 410, 390)
    counts = send_push_messages()
    [message] = service.read()
    factories.published(factories.fresh(public_cup))
    send_push_messages()
    [paired] = service.read()

    assert counts == {"sent": 1, "later": 0, "forgotten": 0}
    assert message["title"] == "Dvořák, Jana · Herbst-Cup"
    assert message["url"] == f"{SERVICE}{AT}"
    assert message["body"].startswith("Runde 3, Ergebnis: ")
    assert message["body"].endswith("gegen Müller-Lüdenscheidt, Ann-Kathrin")
    assert paired["body"].startswith("Runde 4: Tisch ")
    assert send_push_messages() == {"sent": 0, "later": 0, "forgotten": 0}


def test_message_is_in_the_language_of_the_page_and_for_a_club_in_one(
    public_cup: Division, service: PushService
) -> None:
    club = Club.objects.create(organiser=public_cup.tournament.organiser, name="Verein")
    public_cup.entries.update(club=club)
    ask(service, "club:Verein", language="en")
    result(public_cup, 3, 2, 410, 390)
    factories.published(factories.fresh(public_cup))
    send_push_messages()
    [message] = service.read()

    assert message["title"] == "Herbst-Cup"
    assert len(message["body"].splitlines()) == 4
    assert all(": Round 4: table " in line for line in message["body"].splitlines())


def test_many_players_are_one_message_that_a_service_takes(public_cup: Division, service: PushService) -> None:
    people = [Person(f"Köhler-Ludwigsburgs-Hohenlohe, Ann-Kathrin {number:02}") for number in range(40)]
    newcomers = [NewEntry(person, public_cup) for person in people]
    enter_players(public_cup.tournament, newcomers=newcomers, actor=factories.director())
    ask(service, *(f"P{number:02}" for number in range(5, 45)))
    factories.published(public_cup)
    send_push_messages()
    content = service.came[0][1]
    [message] = service.read()

    assert len(content) <= 4096
    assert message["body"].splitlines()[-1] == "und 34 weitere"


def test_corrected_result_is_told_again(public_cup: Division, service: PushService) -> None:
    ask(service, "P01")
    result(public_cup, 3, 1, 300, 500)
    send_push_messages()

    assert "300" in service.read()[0]["body"]


def test_what_is_held_back_is_told_once_it_is_shown(public_cup: Division, service: PushService) -> None:
    ask(service, "P02")
    Round.objects.filter(number=3).update(results_shown="hand", table_shown="hand")
    result(public_cup, 3, 2, 410, 390)
    send_push_messages()
    held = service.read()
    Round.objects.filter(number=3).update(results_shown=SHOWN_AT_ONCE, table_shown=SHOWN_AT_ONCE)
    Tournament.objects.update(revision=99)
    send_push_messages()

    assert held == []
    assert "Ergebnis" in service.read()[0]["body"]


def test_end_tells_the_place(public_cup: Division, service: PushService) -> None:
    ask(service, "P02")
    result(public_cup, 3, 2, 410, 390)
    send_push_messages()
    service.read()
    end_tournament(public_cup.tournament, actor=factories.director(), accept_open=True)
    send_push_messages()

    assert service.read()[0]["body"].startswith("Endstand: Platz ")


@pytest.mark.parametrize("status", [404, 410])
def test_browser_that_is_gone_is_forgotten(public_cup: Division, service: PushService, status: int) -> None:
    ask(service, "P02")
    result(public_cup, 3, 2, 410, 390)
    service.status = status

    assert send_push_messages() == {"sent": 0, "later": 0, "forgotten": 1}
    assert not PushSubscription.objects.exists()


def test_service_that_is_away_is_asked_again_less_and_less_often(public_cup: Division, service: PushService) -> None:
    ask(service, "P02")
    result(public_cup, 3, 2, 410, 390)
    service.status, now = 503, timezone.now()
    counts = [send_push_messages(now), send_push_messages(now)]
    service.came.clear()
    service.status = 201
    counts.append(send_push_messages(now + RETRY_PAUSES[0]))

    assert counts == [
        {"sent": 0, "later": 1, "forgotten": 0},
        {"sent": 0, "later": 0, "forgotten": 0},
        {"sent": 1, "later": 0, "forgotten": 0},
    ]
    assert len(service.read()) == 1


def test_service_that_stays_away_loses_the_browser(public_cup: Division, service: PushService) -> None:
    ask(service, "P02")
    result(public_cup, 3, 2, 410, 390)
    service.status, now = 500, timezone.now()
    for pause in RETRY_PAUSES:
        send_push_messages(now)
        now += pause

    assert not PushSubscription.objects.exists()


def test_nobody_answers_and_keys_that_are_none(public_cup: Division, service: PushService) -> None:
    ask(service, "P02")
    ask(service, "P02", endpoint=f"{service.address}/other", keys={"p256dh": "AAAA", "auth": "AAAA"})
    result(public_cup, 3, 2, 410, 390)
    service.status = 201
    counts = send_push_messages()

    assert (counts["sent"], counts["forgotten"]) == (1, 1)
    assert [each.endpoint for each in PushSubscription.objects.all()] == [f"{service.address}/me"]


def test_another_sender_sends_nothing_twice(public_cup: Division, service: PushService) -> None:
    ask(service, "P02")
    result(public_cup, 3, 2, 410, 390)
    PushSubscription.objects.update(due_at=timezone.now() + timedelta(minutes=1), tries=1)  # somebody else sends it

    assert send_push_messages() == {"sent": 0, "later": 0, "forgotten": 0}
    assert service.came == []


def test_wish_changes_and_ends(public_cup: Division, service: PushService) -> None:
    ask(service, "P02")
    ask(service, "P01", "P04")
    changed = PushSubscription.objects.get().follows
    ended = ask(service)

    assert changed == ["P01", "P04"]
    assert ended == 204
    assert not PushSubscription.objects.exists()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "changed",
    [
        {"endpoint": "https://127.0.0.1/x"},
        {"endpoint": "http://169.254.169.254/latest"},
        {"endpoint": "http://[broken"},
        {"endpoint": 7},
        {"endpoint": ""},
        {"follow": "P02"},
        {"follow": [7]},
        {"keys": []},
        {"keys": {"p256dh": "x" * 200, "auth": "x"}},
        {"keys": {"p256dh": "ä", "auth": "x"}},
    ],
)
def test_anything_else_is_refused(public_cup: Division, service: PushService, changed: dict[str, Any]) -> None:
    assert ask(service, "P02", **changed) == 400
    assert not PushSubscription.objects.exists()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("body", ["", "[]", "{", "[" * 100_000])
def test_what_is_no_object_is_refused(public_cup: Division, service: PushService, body: str) -> None:
    answer = Client().post(f"{AT}push/", body[:60_000], content_type="application/json")

    assert answer.status_code == 400


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("endpoint", "is_taken"),
    [
        ("https://fcm.googleapis.com/fcm/send/x", True),
        ("https://updates.push.services.mozilla.com/wpush/v2/x", True),
        ("https://web.push.apple.com/x", True),
        ("https://fcm.googleapis.com.evil.example/x", False),
        ("https://evilpush.apple.com/x", False),
        ("http://fcm.googleapis.com/x", False),
        ("https://fcm.googleapis.com:8443/x", False),
        ("https://me@fcm.googleapis.com/x", False),
        ("https://127.0.0.1\\.push.apple.com/../../internal/admin?delete=1", False),
        ("https://x;.push.apple.com/", False),
        ("https://.push.apple.com/", False),
    ],
)
def test_only_makers_of_browsers_are_asked(
    endpoint: str, is_taken: bool, public_cup: Division, service: PushService
) -> None:
    assert (ask(service, "P02", endpoint=endpoint) == 204) == is_taken


@pytest.mark.long
def test_visitor_who_fills_all_places_pushes_out_their_own_alone(
    public_cup: Division, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.basics.limits.PUSH_SUBSCRIPTIONS", 6)

    def ask_from(address: str, name: str) -> int:
        sent = {**service.subscription, "endpoint": f"{service.address}/{name}", "follow": ["P02"], "language": "de"}
        path, header = f"{AT}push/", {"X-Forwarded-For": address}
        return Client().post(path, sent, content_type="application/json", headers=header).status_code

    first = ask_from("192.0.2.1", "hall")
    flood = {ask_from("198.51.100.9", f"flood{number}") for number in range(20)}
    later = [ask_from(f"192.0.2.{number}", f"late{number}") for number in (1, 2)]
    flood |= {ask_from("198.51.100.9", f"more{number}") for number in range(20)}
    same = ask_from("192.0.2.1", "hall")

    names = {each.endpoint.rpartition("/")[2] for each in PushSubscription.objects.all()}
    assert {first, same, *flood, *later} == {204}
    assert names == {"hall", "late1", "late2", "more17", "more18", "more19"}
    assert not [
        each for each in PushSubscription.objects.all() if "192.0.2." in each.origin or "198.51." in each.origin
    ]


def test_old_wishes_are_forgotten(public_cup: Division, service: PushService) -> None:
    ask(service, "P02")
    day = date(2026, 10, 3)
    update_settings(public_cup.tournament, actor=factories.director(), starts_on=day, ends_on=day)
    end_tournament(public_cup.tournament, actor=factories.director(), accept_open=True)
    PushSubscription.objects.update(made_at=datetime(2026, 10, 3, tzinfo=UTC), told=[])

    assert send_push_messages(datetime(2026, 10, 12, tzinfo=UTC))["forgotten"] == 1


def test_wishes_of_an_event_that_nobody_ends_are_forgotten_after_four_weeks(
    public_cup: Division, service: PushService
) -> None:
    ask(service, "P02")
    made = PushSubscription.objects.get().made_at

    assert send_push_messages(made + timedelta(weeks=4))["forgotten"] == 0
    assert send_push_messages(made + timedelta(weeks=4, seconds=1))["forgotten"] == 1


def test_hidden_event_tells_nothing(public_cup: Division, service: PushService) -> None:
    ask(service, "P02")
    result(public_cup, 3, 2, 410, 390)
    Tournament.objects.update(is_public=False)

    assert send_push_messages() == {"sent": 0, "later": 0, "forgotten": 0}


def test_command_says_what_was_sent(public_cup: Division, service: PushService, capsys: Any) -> None:
    ask(service, "P02")
    result(public_cup, 3, 2, 410, 390)
    call_command("send_push", format="json")

    assert json.loads(capsys.readouterr().out) == {"sent": 1, "later": 0, "forgotten": 0}


def test_page_offers_it_over_https_alone(public_cup: Division, service: PushService, settings: Any) -> None:
    offered = Client().get(AT).content.decode()
    worker = Client().get(f"{AT}push-worker.js")
    settings.BEHIND_HTTPS = False
    Tournament.objects.update(revision=77)

    assert f'data-key="{get_public_key()}"' in offered
    assert worker.headers["Content-Type"] == "text/javascript"
    assert b"showNotification" in worker.content
    assert "data-push" not in Client().get(AT).content.decode()
    assert Client().get(f"{AT}push-worker.js").status_code == 404
    assert ask(service, "P02") == 404


@pytest.mark.long
def test_queries_do_not_grow_with_the_browsers(
    public_cup: Division, service: PushService, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        ask(service, "P02", endpoint=f"{service.address}/{number}")
    PushSubscription.objects.update(seen="")
    with django_assert_max_num_queries(20):
        assert send_push_messages() == {"sent": 0, "later": 0, "forgotten": 0}
