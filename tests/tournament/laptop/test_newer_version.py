"""What the window says when somebody asks for a newer version."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.utils import translation

from tournament.basics.version import get_version
from tournament.laptop.newer_version import describe_newest_version, split_version


@pytest.fixture
def announce() -> Iterator[Callable[[bytes], str]]:
    """Give it an answer, and it says the address that gives it."""
    servers: list[HTTPServer] = []

    def announce(content: bytes) -> str:
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_words: object) -> None:
                """Say nothing."""

        server = HTTPServer(("127.0.0.1", 0), Answer)
        servers.append(server)
        threading.Thread(target=server.serve_forever).start()
        return f"http://127.0.0.1:{server.server_port}/"

    yield announce
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("99.1", f"Version 99.1 is there, this is {get_version()}: https://example.org/"),
        (f"{get_version()}.1", f"Version {get_version()}.1 is there, this is {get_version()}: https://example.org/"),
        (get_version(), f"There is no newer version than this: {get_version()}"),
        ("0.9", f"There is no newer version than this: {get_version()}"),
    ],
)
def test_newest_version_told(announce: Callable[[bytes], str], version: str, told: str) -> None:
    address = announce(b'{"version": "%s", "address": "https://example.org/"}' % version.encode())

    with translation.override("en"):
        assert describe_newest_version(address) == told


@pytest.mark.parametrize("content", [b"<html>", b"[]", b"{}", b'{"version": "2.0"}', b"\xff", b"[" * 60_000])
def test_other_answers_told(announce: Callable[[bytes], str], content: bytes) -> None:
    address = announce(content)

    with translation.override("en"):
        assert describe_newest_version(address) == f"Nobody answers where new versions are announced: {address}"


def test_no_answer_told() -> None:
    with translation.override("en"):
        assert "Nobody answers" in describe_newest_version("http://127.0.0.1:9/")


def test_figures_compared_as_numbers() -> None:
    assert split_version("1.10") > split_version("1.9.3") > split_version("1.9")
