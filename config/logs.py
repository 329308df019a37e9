"""Where the program writes what went wrong: all of it into the data folder, one line of it into its window."""

import logging
from pathlib import Path
from typing import Any


class OneLine(logging.Formatter):
    """A record for the window: one line, without a traceback to frighten anybody; the file has that."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file

    def format(self, record: logging.LogRecord) -> str:
        line = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname}: {record.getMessage()}"
        return f"{line} ({self._cause(record)}, see {self.file})" if record.exc_info else line

    @staticmethod
    def _cause(record: logging.LogRecord) -> str:
        kind = record.exc_info[0] if record.exc_info else None
        return kind.__name__ if kind else "error"


def configuration(folder: Path) -> dict[str, Any]:
    """Django's `LOGGING` with five files of one megabyte in the folder."""
    file = folder / "tso.log"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "window": {"()": "config.logs.OneLine", "file": file},
            "file": {"format": "{asctime} {levelname} {name} {message}", "style": "{"},
        },
        "handlers": {
            "window": {"class": "logging.StreamHandler", "level": "WARNING", "formatter": "window"},
            "file": {
                "class": "logging.handlers.RotatingFileHandler",
                "filename": file,
                "maxBytes": 1_000_000,
                "backupCount": 4,
                "encoding": "utf-8",
                "delay": True,  # no file until there is something to say
                "formatter": "file",
            },
        },
        "root": {"handlers": ["window", "file"], "level": "INFO"},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # A page that is not there, a foreign host name: the visitor is told, the director need not be.
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "ERROR"},
            "django.security.DisallowedHost": {"level": "CRITICAL"},
            "waitress": {"level": "WARNING"},
            "waitress.queue": {"level": "ERROR"},  # more readers than threads for a moment is not a fault
        },
    }
