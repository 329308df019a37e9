"""The window gets one line, the file gets everything."""

import errno
import json
import logging
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import cast

import pytest
from waitress.channel import ClientDisconnected

from config import logs


def record(*, failed: bool) -> logging.LogRecord:
    try:
        int("inner reason")
    except ValueError:
        cause = sys.exc_info() if failed else None
    return logging.LogRecord("django.request", logging.ERROR, __file__, 1, "Internal Server Error: %s", ("/x/",), cause)


def file_line(folder: Path) -> logging.Formatter:
    """How the file's lines are written."""
    wanted = logs.build_logging_settings(folder)["formatters"]["file"]
    return logs.FileLine(wanted["fmt"], style=wanted["style"])


def test_window_without_traceback() -> None:
    line = logs.OneLine(Path("data/tso.log")).format(record(failed=True))

    assert line.endswith(f"ERROR: Internal Server Error: /x/ (ValueError, see {Path('data/tso.log')})")
    assert "\n" not in line


def test_window_plain_message() -> None:
    line = logs.OneLine(Path("tso.log")).format(record(failed=False))

    assert line.endswith("ERROR: Internal Server Error: /x/")


def test_file_with_traceback_after_the_window(tmp_path: Path) -> None:
    failed = record(failed=True)
    logs.OneLine(tmp_path / "tso.log").format(failed)

    text = file_line(tmp_path).format(failed)

    assert "Traceback" in text
    assert "inner reason" in text


FORGED = "ä\n2026-11-24 INFO x\x1b[2J \x9b31m\u2028\u202e\ud800"
"""A name that begins a line of its own, empties the window, and cannot be written as UTF-8."""


@pytest.mark.parametrize("form", ["window", "file", "json"])
def test_message_cannot_forge_a_line_or_lead_the_terminal(form: str, tmp_path: Path) -> None:
    written = logging.LogRecord("django.request", logging.ERROR, __file__, 1, "Not found: %s", (FORGED,), None)
    formatter = {
        "window": logs.OneLine(tmp_path / "tso.log"),
        "file": file_line(tmp_path),
        "json": logs.Json(),
    }[form]

    line = formatter.format(written)

    assert line.isprintable()
    assert "ä\\n2026-11-24 INFO x\\u001b[2J \\u009b31m\\u2028\\u202e\\ud800" in line
    if form == "json":
        assert json.loads(line)["message"] == f"Not found: {FORGED}"


class Full:
    """A file on a full disk."""

    def write(self, _text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def flush(self) -> None:
        """There is nothing to flush."""

    def close(self) -> None:
        """There is nothing to close."""


def test_full_disk_is_no_reason_to_fill_the_window(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handler = logs.LogFile(tmp_path / "tso.log")
    handler.stream.close()
    handler.stream = cast("TextIOWrapper", Full())

    handler.handle(record(failed=True))

    assert capsys.readouterr().err == ""


def test_fault_of_the_program_itself_is_still_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handler = logs.LogFile(tmp_path / "tso.log")

    handler.handle(logging.LogRecord("x", logging.ERROR, __file__, 1, "%d", ("no number",), None))
    handler.close()

    assert "Logging error" in capsys.readouterr().err


def test_laptops_file_is_this_one(tmp_path: Path) -> None:
    assert logs.build_logging_settings(tmp_path)["handlers"]["file"]["class"] == "config.logs.LogFile"


UNREAD = "uncaptured python exception, closing channel <x> (<class 'ValueError'>:Invalid IPv6 URL [y])"


@pytest.mark.parametrize(
    "text", ["uncaptured python exception, closing channel <x> (<class 'KeyError'>:1 [y])", "Exception while serving /"]
)
def test_faults_of_the_program_are_said_each(text: str) -> None:
    said = logging.LogRecord("waitress", logging.ERROR, __file__, 1, text, None, None)

    assert logs.OddRequests().filter(said)
    assert said.levelname == "ERROR"


def said_by_waitress() -> logging.LogRecord:
    """What waitress says of a malformed request whose sender has hung up."""
    fault = AttributeError("'HTTPRequestParser' object has no attribute 'path'")
    fault.__context__ = ClientDisconnected()
    text, raised = "Exception when servicing <x>", (type(fault), fault, None)
    return logging.LogRecord("waitress", logging.ERROR, __file__, 1, text, None, raised)


def test_odd_requests_are_counted_and_said_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = logs.OddRequests()
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    unread = [logging.LogRecord("waitress", logging.ERROR, __file__, 1, UNREAD, None, None) for _each in range(99)]

    said = [each for each in [*unread, said_by_waitress()] if odd.filter(each)]
    now += logs.ODD_REQUESTS_INTERVAL
    last = said_by_waitress()

    assert [(each.levelname, each.getMessage()) for each in said] == [("INFO", "Malformed requests since the start: 1")]
    assert odd.filter(last)
    assert (last.getMessage(), last.exc_info) == ("Malformed requests since the start: 101", None)
