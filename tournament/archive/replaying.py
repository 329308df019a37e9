"""The journal replayed: compared with what is stored, and noted entries brought into a backup that lacks them.

An entry counts only if the rows are as it found them, so what is done again is what was done. Entries that do not fit
are left out and counted; whoever restores is told.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.models import Max, Model, Q
from django.utils.translation import gettext as _

from tournament.core.change import complete_snapshot, take_snapshot, take_snapshots
from tournament.core.records import OWNED_TABLES, get_journal_model, list_tournament_rows
from tournament.events.operations import keep_journal
from tournament.journal.operations import rebuild_row, remove_revision
from tournament.models import JournalEntry, Organiser, Tournament


def find_journal_differences(tournament: Tournament) -> list[str]:
    """Replay the journal into an empty database and say, row by row, where the stored rows differ."""
    replayed: dict[tuple[str, int], Mapping[str, Any]] = {}
    entries = JournalEntry.objects.filter(tournament=tournament).order_by("number")
    for rows in entries.values_list("rows", flat=True).iterator():
        for table, pk, _before, after in rows:
            if after is None:
                replayed.pop((table, pk), None)
            else:
                replayed[table, pk] = after
    return [fault for model in OWNED_TABLES for fault in _find_table_differences(tournament, model, replayed)]


def _find_table_differences(
    tournament: Tournament, model: type[Model], replayed: Mapping[tuple[str, int], Mapping[str, Any]]
) -> list[str]:
    table = model._meta.model_name
    stored = take_snapshots(list_tournament_rows(model, tournament))
    expected = {pk: complete_snapshot(model, row) for (name, pk), row in replayed.items() if name == table}
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


BROKEN_JOURNAL_ERRORS = (
    *(ArithmeticError, AttributeError, DatabaseError, LookupError, TypeError, ValidationError, ValueError),
)
"""What a journal raises whose rows are not what this program writes."""

BROKEN_ENTRY_ERRORS = (*BROKEN_JOURNAL_ERRORS, ObjectDoesNotExist, RecursionError)
"""What an entry raises that is broken, or that belongs to another state."""

RowValues = dict[str, Any]


class EntryDoesNotFit(ValueError):
    """An entry that does not go on from the rows as they are."""


@dataclass(frozen=True, slots=True)
class ReplayCounts:
    """How many entries were done again, how many were left out, and the accounts that were made anew for them."""

    done: int = 0
    left_out: int = 0
    accounts: tuple[str, ...] = ()


def replay_noted_entries(noted: list[RowValues]) -> ReplayCounts:
    """Do again what was noted and is not in the database yet.

    Entries of other data than these are all left out, and so are all where the outcome would be at odds with a journal;
    otherwise those that do not fit, or refer to a row which is not there, and those of the same event after them.
    Raises `OperationalError` where the disk takes nothing: then nothing can be said of the notes.
    """
    last = JournalEntry.objects.aggregate(last=Max("pk"))["last"] or 0
    new = [row for row in noted if row["id"] > last]
    if new and _is_continuation(noted, last):
        for careful in (False, True):
            try:
                with transaction.atomic():
                    return _try_entries(new, careful=careful)
            except OperationalError:
                raise
            except BROKEN_ENTRY_ERRORS:
                continue
    return ReplayCounts(left_out=len(new))


def _is_continuation(noted: list[RowValues], last: int) -> bool:
    """Whether the notes are of these data: what both have is the same, and nothing is missing between them."""
    known = {row["id"]: row.get("at") for row in noted if row["id"] <= last}
    if not known:
        return bool(noted[0]["id"] == last + 1)
    stored = dict(JournalEntry.objects.filter(pk__gte=min(known)).values_list("pk", "at"))
    return all(key in stored and stored[key].isoformat() == at for key, at in known.items() if at is not None)


def _try_entries(new: list[RowValues], *, careful: bool) -> ReplayCounts:
    """Do again what fits. With `careful` each entry is asked what it refers to, otherwise all of them at the end.

    Raises what is in `BROKEN_ENTRY_ERRORS`.
    """
    known = _find_journal_faults(new)
    lost: set[tuple[Any, Any]] = set()
    accounts: list[str] = []
    left_out = 0
    for row in new:
        owner = (row.get("tournament_id"), row.get("organiser_id"))
        if owner in lost or not _try_entry(row, accounts, careful=careful):
            lost.add(owner)  # what came after it cannot fit, either
            left_out += 1
    connection.check_constraints()
    if odd := _find_journal_faults(new) - known:
        raise EntryDoesNotFit(min(odd))
    return ReplayCounts(len(new) - left_out, left_out, tuple(accounts))


def _try_entry(entry: RowValues, accounts: list[str], *, careful: bool) -> bool:
    try:
        with transaction.atomic():
            made = _replay_entry(entry)
            if careful:
                connection.check_constraints()
    except OperationalError:
        raise
    except BROKEN_ENTRY_ERRORS:
        return False
    accounts += made
    return True


def _replay_entry(entry: RowValues) -> list[str]:
    """Write what an entry wrote, and the entry itself; the accounts that had to be made for that."""
    accounts = [name for pk, name in _list_accounts(entry) if _create_missing_account(pk, name)]
    for table, pk, before, after in entry["rows"]:
        _write_row(get_journal_model(table), pk, before, after)
    _advance_revision(Tournament, entry["tournament_id"], entry["number"])
    _advance_revision(Organiser, entry["organiser_id"], entry["number"])
    made = rebuild_row(JournalEntry, entry)
    assert isinstance(made, JournalEntry)
    if made.by_id is not None and not User.objects.filter(pk=made.by_id).exists():
        made.by_id = None  # an account that there is no more: the journal still has the name
    made.save_base(raw=True, force_insert=True)
    return accounts


def _list_accounts(entry: RowValues) -> Iterator[tuple[Any, Any]]:
    """The accounts that an entry tells of, each with its name: who made it, and who became a member."""
    yield entry["by_id"], entry["by_name"]
    for table, _pk, before, after in entry["rows"]:
        if table == "member" and before is None:
            yield after["user_id"], entry["details"]["name"]


def _create_missing_account(pk: Any, name: Any) -> bool:
    """Make an account that is missing, without a password and without any rights of its own; whether it was missing."""
    if type(pk) is not int or not (isinstance(name, str) and name):
        return False
    if User.objects.filter(Q(pk=pk) | Q(username=name)).exists():
        return False
    made = User(pk=pk, username=name)
    made.set_unusable_password()
    made.save(force_insert=True)
    return True


def _write_row(model: type[Model], pk: int, before: RowValues | None, after: RowValues | None) -> None:
    """One row as the entry leaves it.

    Raises `EntryDoesNotFit` unless it is as the entry found it, or leaves it already: a new name of a player stands in
    the entries of several tournaments.
    """
    there = model._default_manager.filter(pk=pk).first()
    found = None if there is None else remove_revision(take_snapshot(there))
    if found == _complete_row(model, after):
        return
    if found != _complete_row(model, before):
        raise EntryDoesNotFit(f"{model.__name__} {pk}")
    if after is None:
        if isinstance(there, Tournament):
            keep_journal(there)
        if there is not None:
            there.delete()
        return
    row = rebuild_row(model, after)
    if row.pk != pk:
        raise EntryDoesNotFit(f"{model.__name__} {pk} ≠ {row.pk}")
    if there is not None and model in (Tournament, Organiser):
        row.revision = there.revision  # type: ignore[attr-defined]  # both count their entries
    row.save_base(raw=True, force_insert=there is None, force_update=there is not None)


def _complete_row(model: type[Model], row: RowValues | None) -> RowValues | None:
    return None if row is None else remove_revision(complete_snapshot(model, row))


def _advance_revision(model: type[Tournament | Organiser], pk: int | None, number: int) -> None:
    """Raise an owner's revision to the entry's number. Raises `EntryDoesNotFit` if entries before it are missing."""
    if pk is None:
        return
    owner = model._default_manager.get(pk=pk)
    if owner.revision != number - 1:
        raise EntryDoesNotFit(f"{model.__name__} {pk}: {owner.revision} → {number}")
    owner.revision = number
    owner.save(update_fields=["revision"])


def _find_journal_faults(new: list[RowValues]) -> set[str]:
    """Where the rows of the tournaments that the entries are about are not what their journals say."""
    touched = Tournament.objects.filter(pk__in={row["tournament_id"] for row in new if row.get("tournament_id")})
    return {fault for tournament in touched for fault in find_journal_differences(tournament)}
