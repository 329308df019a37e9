"""The journal replayed into an empty database, and compared with what is stored."""

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from tournament import records
from tournament.models import JournalEntry, Tournament
from tournament.operations.change import completed, snapshots


def replay(tournament: Tournament) -> list[str]:
    """Replay the journal into an empty database and say, row by row, where the stored rows differ."""
    replayed: dict[tuple[str, int], Mapping[str, Any]] = {}
    entries = JournalEntry.objects.filter(tournament=tournament).order_by("number")
    for rows in entries.values_list("rows", flat=True).iterator():
        for table, pk, _before, after in rows:
            if after is None:
                replayed.pop((table, pk), None)
            else:
                replayed[table, pk] = after
    return [fault for model in records.OWNED for fault in _differences(tournament, model, replayed)]


def _differences(
    tournament: Tournament,
    model: type[models.Model],
    replayed: Mapping[tuple[str, int], Mapping[str, Any]],
) -> list[str]:
    table = model._meta.model_name
    stored = snapshots(records.rows_of(model, tournament))
    expected = {pk: completed(model, row) for (name, pk), row in replayed.items() if name == table}
    faults = []
    for pk in sorted(stored.keys() | expected.keys()):
        have, want = stored.get(pk), expected.get(pk)
        if have is None or want is None:
            faults.append(f"{table} {pk}: " + (_("not in the journal") if want is None else _("not in the database")))
            continue
        faults += [
            f"{table} {pk}.{name}: {want[name]!r} ≠ {value!r}"
            for name, value in have.items()
            if name != "revision" and want[name] != value
        ]
    return faults
