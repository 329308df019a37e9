"""How tests ask the read interface, and what it says of itself."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tournament.api.version1 import MOUNTED_AT, api
from tournament.models import Division, Season

KEPT = Path(__file__).parents[3] / "docs" / "openapi-v1.json"
"""How version 1 describes itself, for good."""

TOLD_IN_WORDS = ("description", "title", "summary")
"""What may be put better without being another version."""


def describe() -> dict[str, Any]:
    """The description as programs get it."""
    return dict(json.loads(json.dumps(api.get_openapi_schema(path_prefix=MOUNTED_AT))))


def without_words(value: Any, *, names: bool = False) -> Any:
    """A description without its words. `names`: the keys are names, which may be any word."""
    if isinstance(value, list):
        return [without_words(each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {key: each for key, each in value.items() if names or key not in TOLD_IN_WORDS}
    return {key: without_words(each, names=key in ("properties", "schemas")) for key, each in kept.items()}


def ask(path: str, **query: Any) -> Any:
    """The JSON at a path below the interface's own; fails unless it is there."""
    answer = Client().get(MOUNTED_AT + path, query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def ask_event(division: Division, what: str = "", **query: Any) -> Any:
    """The JSON about an event."""
    return ask(f"events/{division.tournament.slug}{'/' if what else ''}{what}", **query)


def list_addresses(division: Division, season: Season) -> dict[str, str]:
    """The address of each path that the description has, for an event and a season."""
    return {
        path: path.replace("{slug}", season.slug if "/seasons/" in path else division.tournament.slug)
        for path in describe()["paths"]
    }


def find_faults(path: str, status: int, answer: Any) -> list[str]:
    """What is wrong with an answer by the description."""
    jsonschema = pytest.importorskip("jsonschema", reason="comes with requirements-dev.txt")
    told = describe()
    response = told["paths"][path]["get"]["responses"].get(str(status))
    if response is None:
        return [f"{path}: {status} is not described"]
    schema = response["content"]["application/json"]["schema"] | {"components": told["components"]}
    return [f"{path}: {each.message}" for each in jsonschema.Draft202012Validator(schema).iter_errors(answer)]


def count_queries(address: str) -> int:
    """How many queries an address takes when nothing is kept."""
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        assert Client().get(address).status_code == 200, address
    return len(queries)
