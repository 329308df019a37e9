"""Where the program writes what went wrong: all of it into the data folder, one line of it into its window.

A message may quote what somebody has sent. No sign in it ends a line, moves a terminal's cursor, or cannot be written.
"""

import json
import logging
import sys
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any


def escape_unprintable(text: str) -> str:
    """The text with everything that is no visible sign as JSON writes it: \\n, \\u001b."""
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


class OneLine(logging.Formatter):
    """A record for the window: one line, without a traceback to frighten anybody; the file has that."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file

    def format(self, record: logging.LogRecord) -> str:
        line = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname}: {escape_unprintable(record.getMessage())}"
        if not record.exc_info:
            return line
        kind = record.exc_info[0]
        return f"{line} ({kind.__name__ if kind else 'error'}, see {self.file})"


class FileLine(logging.Formatter):
    """A record for the file: its message on one line, the traceback below it."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the name that logging calls
        """The line, without the traceback."""
        return escape_unprintable(super().formatMessage(record))


class LogFile(RotatingFileHandler):
    """The file of the data folder. Where the disk is full or write-protected, the line in the window has to do."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name that logging calls
        """Print nothing of a file that cannot be written: the window is no place for two hundred lines of it."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


class OddRequests(logging.Filter):
    """What makes no sense as a request ends its connection; where the server says so as of a fault of its own, that is
    for the file, not for the window."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if text.startswith("uncaptured python exception") and "<class 'ValueError'>" in text:
            record.levelno, record.levelname = logging.INFO, "INFO"
        return True


class Json(logging.Formatter):
    """A record as one JSON object on one line: time, level, logger, message, request, its `facts` and the traceback,
    where it has them."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": getattr(record, "request_id", ""),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return escape_unprintable(json.dumps(line, ensure_ascii=False))


def build_logging_settings(folder: Path, *, form: str = "files") -> dict[str, Any]:
    """Django's `LOGGING`: five `files` of one megabyte in the folder and the window, or `json` lines on standard
    output, for a host that collects them."""
    if form == "json":
        return _add_common_settings(_build_stdout_settings())
    found = _add_common_settings(_build_file_settings(folder))
    found["loggers"]["config.request_ids"] = {"level": "WARNING"}  # a laptop's log is for what went wrong
    return found


def _build_stdout_settings() -> dict[str, Any]:
    return {
        "formatters": {"json": {"()": "config.logs.Json"}},
        "handlers": {
            "stdout": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stdout",
                "formatter": "json",
                "filters": ["request_id"],
            }
        },
        "root": {"handlers": ["stdout"], "level": "INFO"},
    }


def _build_file_settings(folder: Path) -> dict[str, Any]:
    file = folder / "tso.log"
    return {
        "formatters": {
            "window": {"()": "config.logs.OneLine", "file": file},
            "file": {"()": "config.logs.FileLine", "fmt": "{asctime} {levelname} {name} {message}", "style": "{"},
        },
        "handlers": {
            "window": {"class": "logging.StreamHandler", "level": "WARNING", "formatter": "window"},
            "file": {
                "class": "config.logs.LogFile",
                "filename": file,
                "maxBytes": 1_000_000,
                "backupCount": 4,
                "encoding": "utf-8",
                "delay": True,  # no file until there is something to say
                "formatter": "file",
            },
        },
        "root": {"handlers": ["window", "file"], "level": "INFO"},
    }


def _add_common_settings(written: dict[str, Any]) -> dict[str, Any]:
    """What all forms share beside where it is written."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "request_id": {"()": "config.request_ids.WithRequestId"},
            "odd_requests": {"()": "config.logs.OddRequests"},
        },
        **written,
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # A page that is not there, a foreign host name: the visitor is told, the director need not be.
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "waitress": {"level": "WARNING", "filters": ["odd_requests"]},
            "waitress.queue": {"level": "ERROR"},  # more readers than threads for a moment is not a fault
        },
    }
