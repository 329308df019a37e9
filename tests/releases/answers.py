"""What every later version has to answer about the data of a release: what the commands print."""

import io
import json
from pathlib import Path
from typing import Any

from django.core.management import call_command

QUESTIONS = ("standings", "bracket", "final", "ratings")
Answers = dict[str, Any]

FIXTURES = Path(__file__).resolve().parent
EXPECTED, MIGRATIONS = "expected.json", "migrations.json"
DATA, BACKUP, TOURNAMENT, ARCHIVE = "data", "backup.zip", "tournament.json", "event.zip"


def answers(slug: str) -> Answers:
    """Table, bracket, final ranking and ratings of an event, as JSON."""
    return {question: json.loads(said(question, slug, "--format", "json")) for question in QUESTIONS}


def said(*words: str) -> str:
    """What a command prints."""
    out = io.StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def holds(found: Any, expected: Any) -> bool:
    """Whether an answer says all that was expected; later versions may say more."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(holds(found.get(key), value) for key, value in expected.items())
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(holds, found, expected))
    return bool(found == expected)
