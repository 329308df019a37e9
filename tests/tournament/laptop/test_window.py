"""The window of a program that was started by a double click, on a screen that nobody sees."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import translation

from tournament.laptop import window
from tournament.laptop.serving import create_server, stop_server

tk = pytest.importorskip("tkinter", reason="this Python has no Tk")

ONLY_HERE = (
    "Nur dieser Rechner kann es öffnen. Telefone und andere Rechner lässt es herein, wenn es so gestartet wird: "
    "TSO starten mit Telefonen.cmd"
)
FIREWALL = (
    "The first time, the machine's firewall asks whether to let others reach Python. "
    "Tick private networks and allow it."
)
ADDRESS = "http://127.0.0.1:8000/"


class Program:
    """Stands for the program behind the window: it answers until it is stopped."""

    def __init__(self) -> None:
        self.end = threading.Event()
        self.stops = 0
        self.fault: Exception | None = None
        self.language: str | None = ""

    def serve(self) -> None:
        self.language = translation.get_language()
        self.end.wait()
        if self.fault is not None:
            raise self.fault

    def stop(self) -> None:
        self.stops += 1
        self.end.set()


def read_texts(parent: Any) -> list[str]:
    """What stands in a window, from the top."""
    found = [str(parent.cget("text"))] if parent.winfo_class() in {"TLabel", "TButton"} else []
    found = list(filter(None, found))
    for child in parent.winfo_children():
        found += read_texts(child)
    return found


def count_codes(parent: Any) -> int:
    return int(parent.winfo_class() == "Canvas") + sum(count_codes(child) for child in parent.winfo_children())


@pytest.fixture
def program() -> Program:
    return Program()


@pytest.fixture
def look(screen: str, program: Program, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[list[str], int]]:
    """Open the window, look at it after a while, and have its program stopped: its texts and its number of codes."""
    monkeypatch.setenv("DISPLAY", screen)

    def look(text: window.WindowText, addresses: tuple[str, ...] = (), then: str = "stop") -> tuple[list[str], int]:
        root = window.open_tk()
        assert root is not None
        shown = window.StartWindow(
            root, text, serve=program.serve, stop=program.stop, find_addresses=lambda: list(addresses)
        )
        seen: list[tuple[list[str], int]] = []

        def end() -> None:
            seen.append((read_texts(root), count_codes(root)))
            (shown if then == "stop" else program).stop()

        root.after(50, end)
        shown.run()
        return seen[0]

    return look


def test_says_that_it_runs_and_where(look: Callable[..., Any], program: Program) -> None:
    with translation.override("de"):
        texts, codes = look(
            window.WindowText(ADDRESS, "TSO starten mit Telefonen.cmd", "Passwort: kafuti", ("Ein Satz.",))
        )

    assert texts == [
        "Das Programm läuft.",
        f"Auf diesem Rechner: {ADDRESS}",
        "Passwort: kafuti",
        "Ein Satz.",
        ONLY_HERE,
        "Browser öffnen",
        "Programm beenden",
    ]
    assert (codes, program.stops, program.language) == (0, 1, "de")


@pytest.mark.parametrize(
    ("addresses", "told", "codes"),
    [
        ((), ["This machine is not on a network. Join the hall’s, or open a hotspot; the address appears here."], 0),
        (
            ("http://192.168.1.7:8000/",),
            ["For phones and other machines in the same network:", "http://192.168.1.7:8000/", FIREWALL],
            1,
        ),
        (
            ("http://192.168.1.7/", "http://10.0.0.2/"),
            [
                "For phones and other machines in the same network:",
                "http://192.168.1.7/\nhttp://10.0.0.2/",
                "This machine is on several networks. The code holds the first address.",
                FIREWALL,
            ],
            1,
        ),
    ],
)
def test_network_said_in_words(
    look: Callable[..., Any], addresses: tuple[str, ...], told: list[str], codes: int
) -> None:
    with translation.override("en"):
        texts, shown = look(window.WindowText(ADDRESS), addresses)

    assert texts[2:-2] == told
    assert shown == codes


def test_window_closes_when_the_program_ends_by_itself(look: Callable[..., Any], program: Program) -> None:
    look(window.WindowText(ADDRESS), then="program")

    assert program.stops == 1  # the program's own end


def test_what_breaks_the_program_is_told_by_whoever_opened_the_window(
    look: Callable[..., Any], program: Program
) -> None:
    program.fault = OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        look(window.WindowText(ADDRESS), then="program")


def test_no_window_without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")

    assert window.open_tk() is None


def test_no_window_where_the_screen_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":987654")
    monkeypatch.setattr("sys.platform", "linux")

    assert window.open_tk() is None


def test_server_stops_from_another_thread_after_what_it_is_answering() -> None:
    answering, may_end = threading.Event(), threading.Event()

    def application(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
        answering.set()
        may_end.wait(30)
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
        return [b"ok"]

    server = create_server(0, lan=False, application=application)
    running = threading.Thread(target=server.run)
    running.start()
    with socket.create_connection(("127.0.0.1", server.effective_port), timeout=30) as asked:
        asked.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert answering.wait(30)
        stop_server(server)
        may_end.set()
        running.join(30)
    assert not running.is_alive()


def test_signal_to_the_terminal_stops_the_program_behind_the_window(
    screen: str, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", screen)
    before = signal.signal(signal.SIGTERM, lambda *_said: sys.exit())
    try:
        root = window.open_tk()
        assert root is not None
        shown = window.StartWindow(
            root, window.WindowText(ADDRESS), serve=program.serve, stop=program.stop, find_addresses=list
        )
        root.after(50, lambda: os.kill(os.getpid(), signal.SIGTERM))
        shown.run()
    finally:
        signal.signal(signal.SIGTERM, before)

    assert program.stops == 1


def test_newer_version_asked_for_only_by_the_button(
    screen: str, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", screen)
    root = window.open_tk()
    assert root is not None
    asked: list[str | None] = []
    seen: list[list[str]] = []

    def ask() -> str:
        asked.append(translation.get_language())
        return "Version 9 is there."

    with translation.override("nl"):
        shown = window.StartWindow(
            root,
            window.WindowText(ADDRESS, "x"),
            serve=program.serve,
            stop=program.stop,
            find_addresses=list,
            ask_for_newest=ask,
        )

    def press() -> None:
        seen.append([*read_texts(root), *filter(None, asked)])
        shown.ask_for_newest()
        root.after(50, end)

    def end() -> None:
        if "Version 9 is there." in read_texts(root):
            shown.stop()
        else:
            root.after(50, end)

    root.after(50, press)
    shown.run()

    assert "Is er een nieuwere versie?" in seen[0]
    assert "Version 9 is there." not in seen[0]
    assert asked == ["nl"]


@pytest.mark.parametrize("answer", [True, False])
def test_stopping_is_asked_first(
    screen: str, program: Program, monkeypatch: pytest.MonkeyPatch, *, answer: bool
) -> None:
    monkeypatch.setenv("DISPLAY", screen)
    asked: list[str] = []

    def ask(_title: str, question: str, **_options: object) -> bool:
        asked.append(question)
        return answer

    monkeypatch.setattr("tkinter.messagebox.askokcancel", ask)
    root = window.open_tk()
    assert root is not None
    texts: list[str] = []

    def press() -> None:
        shown.ask_to_stop()
        shown.ask_to_stop()  # the second click
        texts.extend(read_texts(root))
        if not answer:
            shown.stop()

    with translation.override("en"):
        shown = window.StartWindow(
            root, window.WindowText(ADDRESS, "x"), serve=program.serve, stop=program.stop, find_addresses=list
        )
        root.after(50, press)
        shown.run()

    assert program.stops == 1
    assert len(asked) == (1 if answer else 2)
    assert texts[0] == ("The program is being stopped …" if answer else "The program is running.")
