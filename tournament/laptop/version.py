"""Which version of the program this is."""

import tomllib
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


@cache
def version() -> str:
    """The version as the project states it."""
    return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
