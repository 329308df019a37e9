"""What a hosted service asks of the program: health, request ids, logs and metrics it can collect."""

import errno
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse

from config import errors, health, logs, metrics, request_ids, services
from config.environment import BadSetting
from config.sqlite.base import DatabaseWrapper
from tests import factories
from tournament.backup.files import write_json
from tournament.backup.places import Installation
from tournament.models import JournalEntry

TOKEN = "a-token-of-some-length"


@pytest.mark.django_db
def test_a_proxy_may_ask_for_health_by_any_name(client: Client) -> None:
    live = client.get(health.LIVE, headers={"host": "10.0.0.7:8000"})
    ready = client.get(health.READY, headers={"host": "10.0.0.7:8000"})
    assert (live.status_code, live.content) == (200, b"ok\n")
    assert (ready.status_code, ready.json()) == (200, {"database": "ok", "cache": "ok"})
    assert ready["Cache-Control"] == "no-store"


def refuse(*_statement: object) -> None:
    """The database's answer to every statement while it is away."""
    raise OperationalError("database is locked")


@pytest.mark.django_db
def test_a_process_whose_database_is_away_is_not_ready(client: Client) -> None:
    with connection.execute_wrapper(refuse):
        answer = client.get(health.READY)
    assert (answer.status_code, answer.json()) == (503, {"database": "away", "cache": "ok"})


@pytest.mark.django_db
@pytest.mark.parametrize(
    "asked", [{"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_X_FORWARDED_FOR": "192.0.2.7"}, {"REMOTE_ADDR": ""}]
)
def test_strangers_read_yes_or_no(client: Client, asked: dict[str, str]) -> None:
    ready = client.get(health.READY, **asked)  # type: ignore[arg-type]  # its stubs know no environment
    with connection.execute_wrapper(refuse):
        away = client.get(health.READY, **asked)  # type: ignore[arg-type]  # its stubs know no environment

    assert (ready.status_code, ready.content) == (200, b"yes\n")
    assert (away.status_code, away.content) == (503, b"no\n")
    assert ready["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_a_process_whose_database_lacks_a_migration_is_not_ready(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'games'")
    answer = client.get(health.READY)
    assert (answer.status_code, answer.json()) == (503, {"database": "behind", "cache": "ok"})


@pytest.mark.django_db
def test_a_process_whose_cache_is_away_is_ready_all_the_same(client: Client, settings: Any) -> None:
    settings.CACHES = {**settings.CACHES, "default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    answer = client.get(health.READY)
    assert (answer.status_code, answer.json()) == (200, {"database": "ok", "cache": "away"})


@pytest.mark.parametrize("given", ["4bf92f3577b34da6a3ce929d0e0e4736", "abcdefgh"])
def test_a_proxys_id_is_taken_over(client: Client, given: str) -> None:
    assert (
        client.get(health.LIVE, headers={request_ids.REQUEST_ID_HEADER: given})[request_ids.REQUEST_ID_HEADER] == given
    )


@pytest.mark.parametrize("given", ["", "short", "x" * 65, "with blank", "line\u2028break", '"},{"'])
def test_an_id_that_could_spoil_a_log_is_replaced(client: Client, given: str) -> None:
    found = client.get(health.LIVE, headers={request_ids.REQUEST_ID_HEADER: given})[request_ids.REQUEST_ID_HEADER]
    assert found != given
    assert request_ids.GIVEN_ID_PATTERN.fullmatch(found)


def test_a_line_of_the_log_names_its_request(rf: RequestFactory, caplog: pytest.LogCaptureFixture) -> None:
    caplog.handler.addFilter(request_ids.WithRequestId())
    caplog.set_level(logging.INFO, request_ids.__name__)

    def answer(_request: HttpRequest) -> HttpResponse:
        logging.getLogger("anything").warning("said within")
        return HttpResponse()

    request_ids.request_ids(answer)(rf.get("/t/cup/", headers={request_ids.REQUEST_ID_HEADER: "abcdefgh"}))
    lines = [json.loads(logs.Json().format(record)) for record in caplog.records]
    assert [line["request_id"] for line in lines] == ["abcdefgh", "abcdefgh"]
    assert lines[0]["message"] == "said within"
    assert {"method": "GET", "view": "", "status": 200}.items() <= lines[1].items()


def test_json_keeps_a_record_on_one_line_with_its_traceback() -> None:
    fault = ValueError("ä\nb")
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "broken\nline", (), (ValueError, fault, None))
    text = logs.Json().format(record)
    assert "\n" not in text
    assert json.loads(text)["traceback"] == "ValueError: ä\nb"


def test_logs_go_where_they_are_asked_for(tmp_path: Path) -> None:
    assert set(logs.build_logging_settings(tmp_path)["handlers"]) == {"window", "file"}
    assert set(logs.build_logging_settings(tmp_path, form="json")["handlers"]) == {"stdout"}


@pytest.fixture
def counted() -> Iterator[Any]:
    pytest.importorskip("prometheus_client", reason="comes with requirements-hosted.txt")
    with override_settings(METRICS_TOKEN=TOKEN):
        import prometheus_client as prometheus  # noqa: PLC0415  # not installed on a laptop

        before = set(prometheus.REGISTRY._collector_to_names)
        yield metrics.metrics(lambda _request: HttpResponse(status=204))
        for collector in set(prometheus.REGISTRY._collector_to_names) - before:
            prometheus.REGISTRY.unregister(collector)


def test_metrics_count_views_for_who_has_the_token(counted: Any, rf: RequestFactory) -> None:
    counted(rf.get("/t/cup/"))
    counted(rf.generic("BREW", "/t/cup/"))
    told = counted(rf.get(metrics.METRICS_ADDRESS, headers={"authorization": f"Bearer {TOKEN}"})).content.decode()
    assert 'tso_requests_total{method="GET",status="204",view="none"} 1.0' in told
    assert 'tso_requests_total{method="other",status="204",view="none"} 1.0' in told
    assert 'tso_request_seconds_count{view="none"} 2.0' in told
    assert "/t/cup/" not in told


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}x", "Bearer ä"])
def test_metrics_are_nobody_elses(counted: Any, rf: RequestFactory, sent: str) -> None:
    assert counted(rf.get(metrics.METRICS_ADDRESS, headers={"authorization": sent})).status_code == 404


@pytest.mark.parametrize(("token", "complaint"), [("short", "5 characters")])
def test_a_token_that_can_be_guessed_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, token: str, complaint: str
) -> None:
    monkeypatch.setenv("TSO_METRICS", token)
    with pytest.raises(BadSetting, match=complaint):
        services.read_metrics_token()


def test_pages_do_without_a_cache_that_is_away(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("redis", reason="comes with requirements-hosted.txt")
    from config.cache import ForgivingRedisCache  # noqa: PLC0415  # not installed on a laptop

    nobody = ForgivingRedisCache("redis://127.0.0.1:1", {"OPTIONS": {"socket_connect_timeout": 0.5}})
    nobody.set("a", 1, 10)
    assert (nobody.get("a"), nobody.get("a", "x"), nobody.add("a", 1), nobody.has_key("a")) == (None, "x", True, False)
    assert (nobody.get_many(["a"]), nobody.set_many({"a": 1}), nobody.delete("a")) == ({}, [], False)
    assert (nobody.incr("a", 3), nobody.touch("a")) == (3, False)
    nobody.delete_many(["a"])
    nobody.clear()
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_counts_go_on_without_a_cache_that_is_away() -> None:
    pytest.importorskip("redis", reason="comes with requirements-hosted.txt")
    from config.cache import CountingRedisCache  # noqa: PLC0415  # not installed on a laptop

    first, second = (
        CountingRedisCache("redis://127.0.0.1:1", {"OPTIONS": {"socket_connect_timeout": 0.5}}) for _thread in range(2)
    )
    counted = first.add("attempts:x", 1, 10), second.add("attempts:x", 1, 10), second.incr("attempts:x")
    assert (counted, first.get_many(["attempts:x", "y"])) == ((True, False, 2), {"attempts:x": 2})
    assert (first.get("attempts:x"), first.get("y", 0)) == (2, 0)
    with pytest.raises(ValueError, match="attempts:z"):
        first.incr("attempts:z")


@pytest.mark.parametrize("vendor", ["postgresql", "sqlite"])
@pytest.mark.parametrize(
    ("fault", "away", "full"),
    [
        (OperationalError("database is locked"), {"postgresql", "sqlite"}, set()),
        (OperationalError("the connection is closed"), {"postgresql"}, set()),
        (InterfaceError("connection already closed"), {"postgresql"}, set()),
        (OperationalError("database or disk is full"), {"postgresql"}, {"sqlite"}),
        (OperationalError("attempt to write a readonly database"), {"postgresql"}, {"sqlite"}),
        (OperationalError("no such table: x"), {"postgresql"}, set()),
        (ValueError("a mistake"), set(), set()),
    ],
)
def test_a_database_that_is_away_asks_for_patience(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch, fault: Exception, away: set[str], full: set[str], vendor: str
) -> None:
    monkeypatch.setattr(connection, "vendor", vendor)
    try:
        raise fault
    except type(fault):
        answer = errors.server_error(rf.get("/"))
    expected = (503, str(errors.RETRY_AFTER)) if vendor in away else (507 if vendor in full else 500, None)
    assert (answer.status_code, answer.get("Retry-After")) == expected


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 507),
        (OSError(errno.EROFS, "Read-only file system"), 507),
        (PermissionError(errno.EACCES, "Permission denied"), 507),
        (OSError(errno.EINVAL, "Invalid argument"), 500),
    ],
)
def test_file_that_the_disk_does_not_take_is_told(rf: RequestFactory, fault: OSError, status: int) -> None:
    try:
        raise fault
    except OSError:
        assert errors.server_error(rf.get("/")).status_code == status


@pytest.mark.sampled(1)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file's own trouble")
@pytest.mark.parametrize(
    ("trouble", "over"),
    [("max_page_count = 1", "max_page_count = 1073741823"), ("query_only = 1", "query_only = 0")],
    ids=["full", "read only"],
)
def test_what_the_disk_does_not_take_is_told_and_can_be_sent_again(trouble: str, over: str, db: None) -> None:
    division = factories.event(players=90)
    address = reverse("director:check_in", args=[division.tournament.slug])
    client = Client(raise_request_exception=False)
    factories.sign_in(client)
    data = {"shown": [entry.pk for entry in division.entries.all()], "everybody": "yes"}
    before = JournalEntry.objects.count()

    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {trouble}")
        answer = client.post(address, data)
        cursor.execute(f"PRAGMA {over}")

    assert answer.status_code == 507
    assert "Gerade kann nichts gespeichert werden" in answer.content.decode()
    assert JournalEntry.objects.count() == before
    assert client.post(address, data).status_code == 302


def test_the_page_of_a_database_that_must_not_be_opened(rf: RequestFactory, tmp_path: Path) -> None:
    home = Installation(tmp_path)
    write_json(home.version, {"version": "99.1"})
    try:
        DatabaseWrapper({"NAME": home.database, "OPTIONS": {}}).get_new_connection({"database": home.database})
    except OperationalError:
        answer = errors.server_error(rf.get("/"))

    assert answer.status_code == 503
    assert "neuere Version" in answer.content.decode()
    assert str(tmp_path) not in answer.content.decode()


def test_the_page_of_a_view_whose_database_is_away(db: None) -> None:
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = "x" * 32
    with connection.execute_wrapper(refuse):
        answer = client.get("/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Einen Augenblick" in answer.content.decode()
