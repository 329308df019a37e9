"""Whose request is answered next: who has signed in first, and of strangers one of each address."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tournament.access.signing_in import STEP_ASIDE
from tournament.laptop import answering_order, connections
from tournament.laptop.answering_order import Turns
from tournament.laptop.connections import note_session

HELPER = "sessionid=helper"
PATIENCE = 20


@pytest.fixture(autouse=True)
def helper_signed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_SEEN", {})
    note_session("helper")


def is_soon(condition: Callable[[], bool]) -> bool:
    """Whether something comes true before long."""
    until = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < until:
        time.sleep(0.005)
    return condition()


class Program:
    """An application that notes who has begun, and answers when it is told to."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._gates: dict[str, threading.Event] = {}
        self.turns = Turns(self.answer)
        self.answers: dict[str, tuple[str, list[bytes]]] = {}
        self.asking: list[threading.Thread] = []

    def answer(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        name = environ["PATH_INFO"]
        self.begun.append(name)
        assert self._gates[name].wait(PATIENCE)
        if name == "broken":
            raise ZeroDivisionError
        start_response("200 OK", [])
        return [name.encode()]

    def ask(self, name: str, address: str, cookie: str = "") -> None:
        """Have somebody ask, and go on as soon as they wait or are answered."""
        before = self._count_asked()
        self.begin(name, address, cookie)
        assert is_soon(lambda: self._count_asked() > before or name in self.answers)

    def begin(self, name: str, address: str, cookie: str = "") -> None:
        """Have somebody ask."""
        self._gates[name] = threading.Event()
        environ = {"PATH_INFO": name, "REQUEST_METHOD": "GET", "REMOTE_ADDR": address, "HTTP_COOKIE": cookie}
        self.asking.append(threading.Thread(target=self._ask, args=(name, environ), daemon=True))
        self.asking[-1].start()

    def finish(self, name: str) -> None:
        """Have the program answer this one."""
        self._gates[name].set()
        assert is_soon(lambda: name in self.answers)

    def _ask(self, name: str, environ: dict[str, Any]) -> None:
        said: list[str] = []

        def start_response(status: str, *_headers: Any) -> Callable[[bytes], object]:
            said.append(status)
            return lambda _data: None

        try:
            body = list(self.turns(environ, start_response))
        except ZeroDivisionError:
            said, body = ["raised"], []
        self.answers[name] = (said[0], body)

    def _count_asked(self) -> int:
        waiting = self.turns._signed_in.count_waiting() + self.turns._strangers.count_waiting()
        return len(self.begun) + waiting


@pytest.fixture
def program() -> Iterator[Program]:
    made = Program()
    yield made
    for gate in made._gates.values():
        gate.set()
    for thread in made.asking:
        thread.join(PATIENCE)


def test_everybody_in_turn_and_nobody_more_than_their_share(program: Program) -> None:
    for number in range(3):
        program.ask(f"flood{number}", "1")
    program.ask("visitor", "2")
    assert is_soon(lambda: program.begun == ["flood0", "visitor"])

    program.finish("flood0")
    program.finish("visitor")

    assert is_soon(lambda: program.begun == ["flood0", "visitor", "flood1"])
    assert program.answers == {"flood0": ("200 OK", [b"flood0"]), "visitor": ("200 OK", [b"visitor"])}


def test_address_that_was_just_served_stands_behind_others(program: Program) -> None:
    for name, address in [("a1", "1"), ("b1", "2"), ("a2", "1"), ("a3", "1"), ("c1", "3")]:
        program.ask(name, address)

    program.finish("a1")
    assert is_soon(lambda: program.begun[2:] == ["a2"])
    program.finish("b1")
    assert is_soon(lambda: program.begun[3:] == ["c1"])


def test_helper_at_the_address_of_a_flood_is_answered_first_and_alone(program: Program) -> None:
    program.ask("helper", "1", HELPER)
    program.ask("flood", "1")
    program.ask("visitor", "2")
    assert is_soon(lambda: program.begun == ["helper"])

    program.finish("helper")

    assert is_soon(lambda: program.begun == ["helper", "flood", "visitor"])


def test_two_questions_of_a_helper_are_answered_at_once(program: Program) -> None:
    for number in range(3):
        program.ask(f"helper{number}", "1", HELPER)
    assert is_soon(lambda: sorted(program.begun) == ["helper0", "helper1"])

    program.finish("helper0")

    assert is_soon(lambda: "helper2" in program.begun)


def test_made_up_cookie_is_a_strangers(program: Program) -> None:
    program.ask("first", "1", "sessionid=made-up")
    program.ask("second", "1", "sessionid=other")

    assert is_soon(lambda: program.begun == ["first"])


def test_beside_long_work_of_a_helper_strangers_are_answered_one_by_one(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering_order, "HEAD_START", 0.05)
    program.ask("helper", "1", HELPER)
    program.ask("visitor", "2")
    program.ask("other", "3")
    assert is_soon(lambda: program.begun == ["helper", "visitor"])
    time.sleep(0.2)
    assert program.begun == ["helper", "visitor"]

    program.finish("visitor")

    assert is_soon(lambda: program.begun == ["helper", "visitor", "other"])


def test_too_many_are_asked_to_come_again(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answering_order, "WAITING_STRANGERS", 4)
    for number in range(4):
        program.ask(f"flood{number}", "1")
    program.ask("visitor", "2")
    program.ask("helper", "1", HELPER)

    assert {name: said for name, (said, _body) in program.answers.items()} == {"flood3": "503 Service Unavailable"}
    assert is_soon(lambda: sorted(program.begun) == ["flood0", "helper", "visitor"])


def test_what_the_program_raises_is_raised_and_frees_the_turn(program: Program) -> None:
    program.ask("broken", "1")
    program.ask("next", "1")

    program.finish("broken")
    program.finish("next")

    assert program.answers == {"broken": ("raised", []), "next": ("200 OK", [b"next"])}


def test_nothing_is_remembered_of_those_who_have_gone(program: Program) -> None:
    for name, cookie in (("visitor", ""), ("helper", HELPER)):
        program.ask(name, "1", cookie)
        program.finish(name)

    for lanes in (program.turns._signed_in, program.turns._strangers):
        assert (dict(lanes.waiting), dict(lanes.running)) == ({}, {})


def test_request_that_only_waits_keeps_no_other_from_its_turn() -> None:
    """A password that waits to be looked at steps aside: the address, and all strangers, go on meanwhile."""
    program = Program()
    waits, goes_on = threading.Event(), threading.Event()

    def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"].startswith("password"):
            with environ[STEP_ASIDE]():
                waits.set()
                assert goes_on.wait(PATIENCE)
        return program.answer(environ, start_response)

    program.turns = Turns(answer)
    for number in range(3):
        program.begin(f"password{number}", "1")
    assert waits.wait(PATIENCE)
    program.begin("page", "1")  # not `ask`: those who step aside are neither waiting nor begun
    program.finish("page")
    assert program.begun == ["page"]
    goes_on.set()
    for number in range(3):
        program.finish(f"password{number}")

    assert is_soon(lambda: not program.turns._strangers.running)
    assert len(program.answers) == 4


def test_where_all_places_are_taken_a_crowded_address_makes_room(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering_order, "WAITING_STRANGERS", 6)
    for number in range(8):  # two are answered, six wait
        program.ask(f"flood{number}", str(number % 3))
    program.begin("newcomer", "9")

    assert is_soon(lambda: bool(program.answers))
    [(name, (status, _body))] = program.answers.items()
    assert (name, status[:3]) == ("flood7", "503")
    for number in range(8):
        program._gates[f"flood{number}"].set()
    program.finish("newcomer")
    assert program.answers["newcomer"] == ("200 OK", [b"newcomer"])
