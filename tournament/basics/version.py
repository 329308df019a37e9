"""The version of this program."""

import re
import tomllib
from functools import cache
from pathlib import Path

PROJECT_FILE = Path(__file__).resolve().parents[2] / "pyproject.toml"
OLDEST_VERSION = (0, 0)


@cache
def get_version() -> str:
    """The version that `pyproject.toml` states."""
    return str(tomllib.loads(PROJECT_FILE.read_text(encoding="utf-8"))["project"]["version"])


def parse_version(text: str) -> tuple[int, int]:
    """The first two figures of a version, which are those that count: (1, 0) of “1.0.2”; else `OLDEST_VERSION`."""
    match = re.match(r"(\d{1,6})\.(\d{1,6})", text)
    return (int(match[1]), int(match[2])) if match else OLDEST_VERSION


def is_newer_version(text: str) -> bool:
    """Whether a version is newer than this program."""
    return parse_version(text) > parse_version(get_version())
