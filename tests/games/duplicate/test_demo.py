"""The example session, as the command makes it."""

import io
import json

import pytest
from django.core.management import call_command

from games.sessions.session_state import find_duplicate_session, load_session_state
from tournament.archive.replaying import find_journal_differences
from tournament.models import Tournament


def made(capacity: int = 6, seed: int = 1) -> Tournament:
    out = io.StringIO()
    sized = ["--players", str(capacity), "--played", "2", "--seed", str(seed)]
    call_command("demo", "--kind", "duplicate", *sized, "--format", "json", stdout=out)
    return Tournament.objects.get(slug=json.loads(out.getvalue())["slug"])


def slips(tournament: Tournament) -> list[list[int]]:
    session = find_duplicate_session(tournament.divisions.get())
    assert session is not None
    found = load_session_state(session)
    assert (found.closed, found.open_turn is not None, found.allows is not None) == (2, True, True)
    return [[judged.points for judged in result.slips.values()] for result in found.value.results]


@pytest.mark.django_db
def test_same_seed_gives_the_same_session_and_the_list_is_loaded_once() -> None:
    first, second = made(), made()

    assert slips(first) == slips(second)
    assert first.slug != second.slug
    assert find_journal_differences(first) == []
