"""“Nothing new” from memory: only where the view would say the same, and not for longer than a moment."""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests import factories
from tournament.basics import latest
from tournament.basics.latest import (
    _ADDRESSES,
    _ASKED,
    _REVISIONS,
    _STATES,
    FRESH_SECONDS,
    MAX_ADDRESSES,
    STALE_NEWS_SECONDS,
    NewsSubject,
    answer_news_from_memory,
    is_nothing_new,
    note_revision,
    note_states,
)
from tournament.events.operations import set_public
from tournament.models import Division, Tournament

NEWS = "/t/herbst-cup/news/"


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    for memory in (_STATES, _ADDRESSES, _REVISIONS, _ASKED):
        memory.clear()


@pytest.fixture
def division(db: None) -> Division:
    return factories.event(players=4)


class Clock:
    """A clock that only goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(latest, "time", made)
    return made


class Hall:
    """The server's front: what is not answered from memory goes to the program, and is counted."""

    def __init__(self) -> None:
        self.passed_on = 0
        self.application = answer_news_from_memory(self.program)
        self.status = ""

    def program(self, environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        self.passed_on += 1
        answer = Client().get(environ["PATH_INFO"], query_params=self.query)
        start_response(f"{answer.status_code} Whatever", [])
        return iter([answer.content])

    def start_response(self, status: str, *_headers: Any) -> Callable[[bytes], object]:
        self.status = status
        return lambda _data: None

    def ask(self, seen: str = "", method: str = "GET", path: str = NEWS) -> int:
        """The status of the answer to somebody who has seen this state."""
        self.query = {"seen": seen} if seen else {}
        environ = {"PATH_INFO": path, "REQUEST_METHOD": method, "QUERY_STRING": f"seen={seen}" if seen else ""}
        list(self.application(environ, self.start_response))
        return int(self.status.split()[0])


@pytest.fixture
def hall() -> Hall:
    return Hall()


def revision() -> str:
    return str(Tournament.objects.values_list("revision", flat=True).get(slug="herbst-cup"))


def test_second_question_is_answered_from_memory(hall: Hall, division: Division) -> None:
    statuses = [hall.ask(revision()) for _phone in range(5)]

    assert statuses == 5 * [HTTPStatus.NO_CONTENT]
    assert hall.passed_on == 1


def test_answer_from_memory_asks_no_database(hall: Hall, division: Division) -> None:
    seen = revision()
    hall.ask(seen)
    with CaptureQueriesContext(connection) as queries:
        hall.ask(seen)

    assert len(queries) == 0


def test_who_has_seen_something_older_is_told(hall: Hall, division: Division) -> None:
    hall.ask(revision())

    assert hall.ask("0") == HTTPStatus.OK
    assert hall.ask() == HTTPStatus.OK


@pytest.mark.django_db(transaction=True)
def test_change_of_this_process_is_known_at_once(hall: Hall, transactional_db: None) -> None:
    division = factories.event(players=4)
    seen = revision()
    hall.ask(seen)
    factories.enter(division, 1)

    assert hall.ask(seen) == HTTPStatus.OK


def test_change_of_another_process_is_known_within_a_second(hall: Hall, division: Division, clock: Clock) -> None:
    seen = revision()
    hall.ask(seen)
    Tournament.objects.update(revision=99)
    clock.now += FRESH_SECONDS

    assert hall.ask(seen) == HTTPStatus.OK


@pytest.mark.django_db(transaction=True)
def test_event_that_is_hidden_is_gone(hall: Hall, transactional_db: None) -> None:
    cup = factories.event(players=4).tournament
    seen = revision()
    hall.ask(seen)
    set_public(cup, public=False, actor=factories.director())

    assert hall.ask(seen) == HTTPStatus.NOT_FOUND


def test_while_somebody_asks_the_view_the_others_are_still_answered(
    hall: Hall, division: Division, clock: Clock
) -> None:
    seen = revision()
    hall.ask(seen)
    clock.now += FRESH_SECONDS
    note_revision(division.tournament_id, int(seen) + 1)

    assert hall.ask(seen) == HTTPStatus.NO_CONTENT  # by the view, which has not seen it stored yet
    before = hall.passed_on
    assert [hall.ask(seen) for _phone in range(5)] == 5 * [HTTPStatus.NO_CONTENT]
    assert hall.passed_on == before
    clock.now += STALE_NEWS_SECONDS
    hall.ask(seen)
    assert hall.passed_on == before + 1


def test_one_question_keeps_the_memory_true_for_all(hall: Hall, division: Division, clock: Clock) -> None:
    seen = revision()
    hall.ask(seen)

    for _second in range(10):
        clock.now += FRESH_SECONDS
        assert {hall.ask(seen) for _phone in range(20)} == {HTTPStatus.NO_CONTENT}

    assert hall.passed_on == 11


def test_states_of_an_older_revision_are_left_aside(clock: Clock) -> None:
    subject = NewsSubject(1, "public")
    note_states(NEWS, "", subject, 50, {"": "50"})
    note_states(NEWS, "", subject, 49, {"": "49"})

    assert is_nothing_new(NEWS, "seen=50")
    assert not is_nothing_new(NEWS, "seen=49")
    clock.now += 2 * FRESH_SECONDS  # a backup was restored
    note_states(NEWS, "", subject, 40, {"": "40"})
    assert is_nothing_new(NEWS, "seen=40")


@pytest.mark.parametrize(("method", "path"), [("POST", NEWS), ("GET", "/t/herbst-cup/table/"), ("HEAD", NEWS)])
@pytest.mark.sampled(1)
def test_everything_else_goes_to_the_program(hall: Hall, division: Division, method: str, path: str) -> None:
    hall.ask(revision())
    before = hall.passed_on
    hall.ask(revision(), method, path)

    assert hall.passed_on == before + 1


def test_memory_has_an_end() -> None:
    for number in range(MAX_ADDRESSES + 10):
        note_states(f"/me/{number}/news/", str(number), NewsSubject(1, "players"), 1, {})

    assert len(_ADDRESSES) == MAX_ADDRESSES
