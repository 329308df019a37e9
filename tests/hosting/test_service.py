"""Two processes of the program on a real PostgreSQL and a real Redis, behind nginx: parts of it go away and come back.

On demand, and a step of `.ci/run`: `TSO_HOSTED_TESTS=required pytest -p no:randomly tests/hosting`.
"""

import json
import re
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.config.test_secrets_in_logs import SECRET, SECRET_ADDRESSES, make_path
from tests.hosting import stage_file
from tests.hosting.browser import Answer, Browser
from tests.hosting.helpers import OK, Helper, Score, Seen, side_by_side, under_load
from tests.hosting.service import NAME, Service, until
from tournament.access.signing_in import FOR_ACCOUNT

pytestmark = pytest.mark.hosted
PEOPLE, ENTRIES = 16, 80
SLOWER = 5.0
"""Seconds that a page may take while something is away."""


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    # Not in pytest's own folder: PostgreSQL and nginx have users of their own, who may not enter there.
    with tempfile.TemporaryDirectory(prefix="tso-hosted-") as folder:
        found = Service(Path(folder))
        try:
            found.start()
            yield found
        finally:
            found.stop()


@pytest.fixture(scope="module")
def facts(service: Service) -> dict[str, Any]:
    """The example event, and people who are signed in."""
    found: dict[str, Any] = service.python(str(stage_file()), str(PEOPLE))
    return found


@pytest.fixture
def people(service: Service, facts: dict[str, Any]) -> list[Helper]:
    """Each in a browser of their own, at a table of their own."""
    sat = zip(facts["sessions"], facts["tables"], strict=False)
    return [
        Helper(Browser(service.port, session=session), f"/director/{facts['slug']}/result/{table}/", table)
        for session, table in sat
    ]


def rows(service: Service, query: str) -> list[tuple[Any, ...]]:
    """What the database says."""
    import psycopg  # noqa: PLC0415  # not installed on a laptop

    with psycopg.connect(service.settings["DATABASE_URL"]) as connection:
        return connection.execute(query).fetchall()


def official(service: Service) -> dict[int, Score]:
    """The official result of each pairing."""
    found = rows(
        service,
        "SELECT pairing_id, first_points, second_points FROM tournament_result"
        " WHERE official AND first_points IS NOT NULL",
    )
    return {pairing: (first, second) for pairing, first, second in found}


def lost(service: Service, people: list[Helper]) -> list[int]:
    """The tables whose result is not what was acknowledged."""
    kept = official(service)
    return [each.table for each in people if not each.fits(kept.get(each.table))]


def numbers_are_whole(service: Service) -> bool:
    """Whether every journal counts 1, 2, 3 … without gap or twin."""
    of_each = rows(
        service,
        "SELECT count(*), count(DISTINCT number), min(number), max(number) FROM tournament_journalentry"
        " GROUP BY tournament_id, organiser_id",
    )
    return all(count == distinct == last and first == 1 for count, distinct, first, last in of_each)


def test_sixteen_people_type_results_and_the_other_process_shows_them(service: Service, people: list[Helper]) -> None:
    ports = list(service.processes)

    def type_and_look(each: Helper) -> None:
        for port in ports:
            writing = Browser(port, session=each.browser.cookies["sessionid"], direct=True)
            each.browser = writing
            assert each.save().status == 302
            assert each.acknowledged is not None
            elsewhere = next(other for other in ports if other != port)
            reading = Browser(elsewhere, session=writing.cookies["sessionid"], direct=True)
            shown = reading.ask(each.page).fields
            assert (int(shown["first_points"]), int(shown["second_points"])) == each.acknowledged

    side_by_side(*(partial(type_and_look, each) for each in people))

    assert lost(service, people) == []
    assert numbers_are_whole(service)


def test_a_page_for_everybody_is_new_at_once_in_the_other_process(
    service: Service, facts: dict[str, Any], people: list[Helper]
) -> None:
    one, other = (Browser(port, direct=True) for port in service.processes)
    public = f"/t/{facts['slug']}/rounds/{facts['round']}/"
    for reader in (one, other, one, other):
        assert people[0].save().status == 302
        assert people[0].acknowledged is not None
        points = people[0].acknowledged[0]

        page = reader.ask(public)

        assert (page.status, str(points) in page.text) == (200, True)


def test_entries_of_a_register_are_numbered_without_gap_or_twin(service: Service, facts: dict[str, Any]) -> None:
    seen = Seen()

    def enter(browser: Browser, number: int) -> Answer:
        return browser.send("/director/register/players/new/", name=f"Neu, {number}")

    def enter_some(session: str, first: int) -> None:
        browser = Browser(service.port, session=session)
        for number in range(first, first + ENTRIES // PEOPLE):
            seen.ask(partial(enter, browser, number))

    sessions = enumerate(facts["sessions"])
    side_by_side(*(partial(enter_some, session, ENTRIES // PEOPLE * at) for at, session in sessions))

    assert [answer.status for answer in seen.answers] == [302] * ENTRIES
    assert rows(service, "SELECT count(*) FROM tournament_player WHERE name LIKE 'Neu, %'") == [(ENTRIES,)]
    assert numbers_are_whole(service)


def test_however_many_phones_ask_for_news_a_process_is_asked_once_a_second(
    service: Service, facts: dict[str, Any], people: list[Helper]
) -> None:
    public, path = Browser(service.port), f"/t/{facts['slug']}/news/"
    before = service.asked("public:news")

    state = json.loads(public.ask(path).text)["state"]
    begun = time.monotonic()
    same = [public.ask(f"{path}?seen={state}").status for _phone in range(40)]
    took = time.monotonic() - begun
    asked = service.asked("public:news") - before

    assert same == [204] * 40
    assert asked <= 2 + took
    assert people[0].save().status == 302
    until(lambda: public.ask(f"{path}?seen={state}").status == 200, "news of the result", seconds=5)


def test_each_process_tells_its_own_figures_and_the_proxy_none(service: Service, facts: dict[str, Any]) -> None:
    one, other = (Browser(port, direct=True) for port in service.processes)
    counted = re.compile(r'tso_requests_total\{method="GET",status="200",view="public:statistics"\} ([0-9]+)')
    for browser in (one, one, other):
        assert browser.ask(f"/t/{facts['slug']}/statistics/").status == 200

    figures = [counted.findall(browser.ask("/metrics").text) for browser in (one, other)]

    assert figures == [["2"], ["1"]]
    assert Browser(service.port).ask("/metrics").status == 404


def test_no_log_of_any_process_holds_what_opens_a_page(service: Service, facts: dict[str, Any]) -> None:
    """Asked through the proxy and without it, too large, misspelt, half sent, and of a process that hangs up."""
    port = next(iter(service.processes))
    for browser in (Browser(service.port), Browser(port, direct=True)):
        for path in map(make_path, SECRET_ADDRESSES):
            for asked in (path, path.rstrip("/"), path.upper(), f"/{path}", f"{path}%", f"{path}?next={path}"):
                browser.ask(asked)
            browser.ask(path, {"password": SECRET, "code": SECRET})
            with suppress(OSError):  # hangs up before it has read so much
                browser.ask(path, {"text": SECRET * 200_000})
    for request in (
        f"GET /me/{SECRET}/\r\n\r\n",
        f"GET /me/{SECRET} HTTP/9.9\r\n\r\n",
        f"POST /me/{SECRET}/ HTTP/1.1\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as half:
            half.sendall(request.encode())

    service.log.flush()
    logs = [path for path in service.folder.rglob("*") if path.is_file() and not path.is_relative_to(service.program)]
    assert service.asked("games:me") > 0
    assert [str(path) for path in logs if SECRET.encode() in path.read_bytes()] == []


def test_who_signs_in_at_one_is_signed_in_at_the_other(service: Service) -> None:
    one, other = service.processes
    browser = Browser(one, direct=True)

    answer = browser.send("/login/", username="person0", password="Quarzuhr-17")
    browser.port = other

    assert (answer.status, browser.ask("/account/").status) == (302, 200)


def test_wrong_passwords_count_in_both(service: Service) -> None:
    ports = cycle(service.processes)
    browser = Browser(0, direct=True, address="198.51.100.9")
    statuses = []
    until(lambda: time.time() % 60 < 50, "a minute with room for this", 15)
    for _time in range(FOR_ACCOUNT + 1):
        browser.port = next(ports)
        statuses.append(browser.send("/login/", username="person0", password="falsch").status)

    assert statuses == [200] * FOR_ACCOUNT + [429]


def test_large_body_of_a_stranger_is_refused_before_it_has_come(service: Service) -> None:
    head = f"POST /login/ HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 300000000\r\n\r\n"
    for _try in range(3):
        connection = Browser(service.port)._connection(60)
        connection.connect()
        with connection.sock as line:
            line.sendall(head.encode() + b"x" * 1_000_000)
            first = line.recv(100).split(b"\r\n")[0]
        # On a busy machine nginx may find the line to the program closed before it has read the answer.
        if first != b"HTTP/1.1 502 Bad Gateway":
            break

    assert first == b"HTTP/1.1 413 Request Entity Too Large"


def ask_processes(service: Service) -> list[str]:
    """What each process says of itself on its machine."""
    found = []
    for port in service.processes:
        with urlopen(f"http://127.0.0.1:{port}/health/ready") as answer:
            found.append(answer.read().decode())
    return found


def test_without_redis_pages_are_slower_but_come(service: Service, facts: dict[str, Any], people: list[Helper]) -> None:
    public = Browser(service.port)
    service.kill_cache()
    try:
        begun = time.monotonic()
        answers = [public.ask(f"/t/{facts['slug']}/{part}") for part in ("", "table/", "rounds/", "")]
        answers += [people[0].save(), people[1].save()]
        took = time.monotonic() - begun
        ready = public.ask("/health/ready")
        told = ask_processes(service)
    finally:
        service.start_cache()

    assert [answer.status for answer in answers] == [200] * 4 + [302] * 2
    assert took < SLOWER * len(answers)
    assert (ready.status, ready.text) == (200, "yes\n")
    assert all('"cache": "away"' in text for text in told)
    until(lambda: all('"cache": "ok"' in text for text in ask_processes(service)), "the cache again")


def test_when_postgresql_crashes_nothing_acknowledged_is_lost(service: Service, people: list[Helper]) -> None:
    with under_load(*(each.save for each in people[:8])) as seen:
        # Whoever has not been answered yet would be held against the result of the test before.
        until(lambda: all(each.acknowledged for each in people[:8]), "a result of everybody")
        service.kill_database()
        until(lambda: any(answer.status == 503 for answer in seen.answers), "a page that asks for patience")
        service.start_database()
        came_back = len(seen.answers)
        until(lambda: any(answer.status == 302 for answer in seen.answers[came_back:]), "a result saved again")
    away = [answer for answer in seen.answers if answer.status not in OK]

    assert seen.broken == []
    assert {answer.status for answer in away} == {503}
    assert {answer.headers.get("Retry-After") for answer in away} == {"5"}
    assert lost(service, people[:8]) == []
    assert numbers_are_whole(service)


def test_no_request_fails_during_a_rolling_restart(
    service: Service, facts: dict[str, Any], people: list[Helper]
) -> None:
    public = Browser(service.port)
    reads = [partial(public.ask, f"/t/{facts['slug']}/{part}") for part in ("", "table/", "rounds/")]
    with under_load(*(each.save for each in people[:6]), *reads) as seen:
        for port in list(service.processes):
            service.restart(port)

    assert seen.failed == []
    assert len(seen.answers) > 50
    assert lost(service, people[:6]) == []


def test_every_journal_can_be_replayed_after_all_that(
    service: Service, facts: dict[str, Any], people: list[Helper]
) -> None:
    assert people[0].save().status == 302

    verified = service.python("manage.py", "check_data", "--format", "json")

    assert verified["faults"] == []
    assert facts["slug"] in verified["replayed"]


def test_everything_can_be_backed_up(service: Service, tmp_path: Path) -> None:
    service.step("backup", str(tmp_path))

    assert len(list(tmp_path.glob("tso-*.zip"))) == 1
