"""Logging: everything into the data folder, one line per problem into the program's window. A message may quote what
somebody sent, so control characters are escaped."""

import json
import logging
import re
import sys
import time
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from waitress.channel import ClientDisconnected


def escape_unprintable(text: str) -> str:
    """The text with unprintable characters as JSON writes them: \\n, \\u001b."""
    return "".join(letter if letter.isprintable() else json.dumps(letter)[1:-1] for letter in text)


SECRET_PARTS = re.compile(
    r"""(?i)(/(?:me|invitation|mirror|hand-in|code|first-start|registration)/)[^/\s?'"\\]+|(/password/)[^\s?'"\\]+"""
)
"""The part of an address that opens something to whoever has it: a player's page, an account."""


def cut_secrets(text: str) -> str:
    """The text with the secret parts of addresses as …; a log is read, kept and sent around by people who have no right
    to them."""
    return SECRET_PARTS.sub(r"\1\2…", text)


class OneLine(logging.Formatter):
    """A record for the window: one line; the traceback is in the file."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file

    def format(self, record: logging.LogRecord) -> str:
        message = cut_secrets(escape_unprintable(record.getMessage()))
        line = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname}: {message}"
        if not record.exc_info:
            return line
        kind = record.exc_info[0]
        return f"{line} ({kind.__name__ if kind else 'error'}, see {self.file})"


class FileLine(logging.Formatter):
    """A record for the file: its message on one line, the traceback below it."""

    def format(self, record: logging.LogRecord) -> str:
        # The traceback as well: it may quote an address.
        return cut_secrets(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the name that logging calls
        """The line, without the traceback."""
        return escape_unprintable(super().formatMessage(record))


class LogFile(RotatingFileHandler):
    """The log file in the data folder; if it cannot be written, the line in the window must do."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # the name that logging calls
        """Print nothing about a file that cannot be written, which would fill the window."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


ODD_REQUESTS_INTERVAL = 600.0  # seconds between two lines about them


class OddRequests(logging.Filter):
    """Counts malformed requests, which the server reports as errors of its own: strangers fill no log."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        # Not 0: this clock may have begun with the machine, and the first line would be held back.
        self._said_at = -ODD_REQUESTS_INTERVAL

    def filter(self, record: logging.LogRecord) -> bool:
        if not self._is_odd(record):
            return True
        self.count += 1
        if time.monotonic() - self._said_at < ODD_REQUESTS_INTERVAL:
            return False
        self._said_at = time.monotonic()
        record.levelno, record.levelname = logging.INFO, "INFO"
        record.msg, record.args, record.exc_info = f"Malformed requests since the start: {self.count}", (), None
        return True

    @staticmethod
    def _is_odd(record: logging.LogRecord) -> bool:
        """Whether the record is about a request that waitress failed to read, or an answer to somebody who had hung
        up."""
        text = record.getMessage()
        if text.startswith("uncaptured python exception"):
            return "<class 'ValueError'>" in text
        fault = record.exc_info[1] if record.exc_info else None
        return isinstance(fault, AttributeError) and isinstance(fault.__context__, ClientDisconnected)


class Json(logging.Formatter):
    """A record as one line of JSON, with its `facts` and traceback if it has any."""

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
        return cut_secrets(escape_unprintable(json.dumps(line, ensure_ascii=False)))


def build_logging_settings(folder: Path, *, form: str = "files") -> dict[str, Any]:
    """Django's `LOGGING`: five `files` of 1 MB in the folder, and the window; or `json` lines on standard output."""
    if form == "json":
        to_stdout = {
            "class": "logging.StreamHandler",
            "stream": "ext://sys.stdout",
            "formatter": "json",
            "filters": ["request_id"],
        }
        return _add_common_settings(
            {
                "formatters": {"json": {"()": "config.logs.Json"}},
                "handlers": {"stdout": to_stdout},
                "root": {"handlers": ["stdout"], "level": "INFO"},
            }
        )
    logging_settings = _add_common_settings(_build_file_settings(folder))
    logging_settings["loggers"]["config.request_ids"] = {"level": "WARNING"}  # a laptop's log is for what went wrong
    return logging_settings


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
    """Add what both forms share."""
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
            "gunicorn.error": {"level": "WARNING", "propagate": True},  # its own handlers would write addresses whole
            "waitress": {"level": "WARNING", "filters": ["odd_requests"]},
            "waitress.queue": {"level": "ERROR"},  # more readers than threads for a moment is not a fault
        },
    }
