"""The window gets one line, the file gets everything."""

import logging
import sys
from pathlib import Path

from config import logs


def record(*, failed: bool) -> logging.LogRecord:
    try:
        int("inner reason")
    except ValueError:
        cause = sys.exc_info() if failed else None
    return logging.LogRecord("django.request", logging.ERROR, __file__, 1, "Internal Server Error: %s", ("/x/",), cause)


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
    wanted = logs.configuration(tmp_path)["formatters"]["file"]

    text = logging.Formatter(wanted["format"], style=wanted["style"]).format(failed)

    assert "Traceback" in text
    assert "inner reason" in text
