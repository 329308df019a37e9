"""What was entered since a backup, brought into it: the noted entries of the journals done again, row by row.

An entry counts only if the rows are as it found them, so what is done again is what was done. Entries that do not fit
are left out and counted; whoever restores is told.
"""

from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction
from django.db.models import Max, Model

from tournament import journal, records
from tournament.models import JournalEntry, Organiser, Tournament
from tournament.operations.change import completed, snapshot
from tournament.operations.tournaments import keep_journal
from tournament.operations.undo import comparable, restored

BROKEN = (ArithmeticError, AttributeError, DatabaseError, LookupError, TypeError, ValidationError, ValueError)
"""What an entry raises that is not what this program writes, or that belongs to another state."""

Row = dict[str, Any]


class DoesNotFit(ValueError):
    """An entry that does not go on from the rows as they are."""


def catch_up(noted: list[Row]) -> int:
    """Do again what was noted and is not in the database yet; how many entries were left out.

    Where the outcome is at odds with a journal, or a row refers to one that is not there, all of them are left out.
    """
    last = JournalEntry.objects.aggregate(last=Max("pk"))["last"] or 0
    new = [row for row in noted if row["id"] > last]
    try:
        with transaction.atomic():
            known = _faults(new)
            left_out = _all_done(new)
            _require_sound(_faults(new) - known)
    except BROKEN:
        return len(new)
    return left_out


def _all_done(new: list[Row]) -> int:
    """Do again what fits; how many entries did not."""
    lost: set[tuple[Any, Any]] = set()
    left_out = 0
    for row in new:
        owner = (row.get("tournament_id"), row.get("organiser_id"))
        if owner in lost or not _done(row):
            lost.add(owner)  # what came after it cannot fit, either
            left_out += 1
    return left_out


def _done(entry: Row) -> bool:
    try:
        with transaction.atomic():
            _do_again(entry)
    except BROKEN:
        return False
    return True


def _do_again(entry: Row) -> None:
    for table, pk, before, after in entry["rows"]:
        _set(records.model_of(table), pk, before, after)
    _count(Tournament, entry["tournament_id"], entry["number"])
    _count(Organiser, entry["organiser_id"], entry["number"])
    made = restored(JournalEntry, entry)
    assert isinstance(made, JournalEntry)
    if made.by_id is not None and not User.objects.filter(pk=made.by_id).exists():
        made.by_id = None  # an account made since the backup: the journal still has the name
    made.save_base(raw=True, force_insert=True)


def _set(model: type[Model], pk: int, before: Row | None, after: Row | None) -> None:
    """One row as the entry leaves it. Raises `DoesNotFit` unless it is as the entry found it."""
    there = model._default_manager.filter(pk=pk).first()
    found = None if there is None else comparable(snapshot(there))
    if found != (None if before is None else comparable(completed(model, before))):
        raise DoesNotFit(f"{model.__name__} {pk}")
    if after is None:
        if isinstance(there, Tournament):
            keep_journal(there)
        if there is not None:
            there.delete()
        return
    row = restored(model, after)
    if there is not None and model in (Tournament, Organiser):
        row.revision = there.revision  # type: ignore[attr-defined]  # both count their entries
    row.save_base(raw=True, force_insert=there is None, force_update=there is not None)


def _count(model: type[Tournament | Organiser], pk: int | None, number: int) -> None:
    """Raise an owner's revision to the entry's number. Raises `DoesNotFit` if entries before it are missing."""
    if pk is None:
        return
    owner = model._default_manager.get(pk=pk)
    if owner.revision != number - 1:
        raise DoesNotFit(f"{model.__name__} {pk}: {owner.revision} → {number}")
    owner.revision = number
    owner.save(update_fields=["revision"])


def _faults(new: list[Row]) -> set[str]:
    """Where the rows of the tournaments that the entries are about are not what their journals say."""
    touched = Tournament.objects.filter(pk__in={row["tournament_id"] for row in new if row.get("tournament_id")})
    return {fault for tournament in touched for fault in journal.replay(tournament)}


def _require_sound(faults: set[str]) -> None:
    """Raise what doing it again has broken."""
    connection.check_constraints()
    if faults:
        raise DoesNotFit(min(faults))
