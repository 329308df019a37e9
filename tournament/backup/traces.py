"""What somebody leaves beside the database when their personal data are deleted: the notes of journal entries, copies
that are not packed yet, and the `-wal`. All follow from the database, so that nothing has to say whom it is about."""

import json
from collections.abc import Mapping
from typing import Any

from tournament.backup.files import FolderUnusable
from tournament.backup.health import renew_mark, require_noted_entries
from tournament.backup.making import discard_unpacked_copies, uses_installation_file
from tournament.backup.noting import begin_rewriting, rewrite_notes
from tournament.backup.places import get_installation
from tournament.core.change import take_snapshot
from tournament.models import JournalEntry

REMOVE_TRACES = "remove_traces"
"""The errand that follows wherever entries of a journal were rewritten."""


def remove_traces(_details: Mapping[str, Any]) -> None:
    """Throw away the copies that are not packed yet, write the notes anew as the journals stand now, and overwrite the
    `-wal`. Raises `OSError` or a `Refusal`; then all of it is to be done again."""
    home = get_installation()
    if uses_installation_file():
        require_noted_entries(home)  # else the notes are what brings those back
    # First of all: a copy taken before has another number than the notes now, and is given up even if it is packed at
    # this very moment.
    begin_rewriting(home)
    discard_unpacked_copies(home)
    rewrite_notes(home, _note_as_stored)
    # Pages of the database with the name in them stay in the `-wal` until others take their place. Moved into the file
    # and cut off, they are gone.
    if uses_installation_file() and not renew_mark(home, patient=True):
        raise FolderUnusable(folder=home.wal, reason="busy")


def _note_as_stored(row: Mapping[str, Any]) -> dict[str, Any]:
    """A noted entry as it stands in the journal; the key alone of one that does not, or not any more."""
    stored = JournalEntry.objects.filter(pk=row["id"]).first()
    # The key alone does not tell: after a restore another entry may have it, whose rows would get into a note about
    # something else.
    if stored is None or "rows" not in row or stored.at.isoformat() != row.get("at"):
        return {"id": row["id"]}
    now = json.loads(json.dumps(take_snapshot(stored)))
    return {**row, **{name: now[name] for name in ("by_name", "details", "rows")}}
