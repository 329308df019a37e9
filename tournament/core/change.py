"""One change of state: a transaction that locks the tournament, writes the journal and raises the revision.

Every operation writes through the `Change` it opens, never around it, so that the journal holds each row's state before
and after. So the journal is the director's log, the source of undo, and can be replayed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, models, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics.latest import note_revision
from tournament.basics.precautions import announce_entry, announce_irreversible_step, closes_round, round_closed
from tournament.basics.refusals import Refusal
from tournament.core.public_view import is_public_view_open
from tournament.core.seen import SeenThing, refuse_unseen
from tournament.models import JournalEntry, Organiser, Tournament

Row = TypeVar("Row", bound=models.Model)
JournalRow = tuple[str, int, dict[str, Any] | None, dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a signed-in user, or somebody known by name only (terminal, helper's code).

    `seen` is the tournament's revision that the page showed; None where no page did, or where the operation has a
    version of its own for what is changed (results, score sheets). `register_seen` likewise: the revision of the
    organiser's register. `organiser` is for whom they act; what they make belongs to it.
    """

    user: User | None = None
    name: str = ""
    seen: int | None = None
    register_seen: int | None = None
    organiser: Organiser | None = None

    @property
    def primary_key(self) -> int | None:
        """The account's primary key; None without an account."""
        return self.user.pk if self.user else None

    @property
    def shown_name(self) -> str:
        return self.name or (self.user.get_username() if self.user else "")


TERMINAL_ACTOR = Actor(name="Terminal")  # whoever sits at the machine and types a command


class RowDeleted(Refusal):
    """A row that the operation is about was deleted after the caller read it and before it got the lock."""

    code = "gone"
    message = _("Meanwhile somebody has deleted what this is about. Nothing was changed; load the page again.")


def take_snapshot(row: models.Model) -> dict[str, Any]:
    """The stored fields of a row as JSON values: what the journal keeps of it."""
    return {field.attname: _to_json_value(field.value_from_object(row)) for field in row._meta.concrete_fields}


def take_snapshots(rows: models.QuerySet[Any]) -> dict[int, dict[str, Any]]:
    """The same of many rows, by their primary keys, without an object for each."""
    columns = [field.attname for field in rows.model._meta.concrete_fields]
    found = rows.values_list("pk", *columns)
    return {pk: dict(zip(columns, map(_to_json_value, values), strict=True)) for pk, *values in found}


def complete_snapshot(model: type[models.Model], row: Mapping[str, Any]) -> dict[str, Any]:
    """A snapshot that an earlier version took, with the columns that the table has got since at their defaults."""
    fields = model._meta.concrete_fields
    later = {field.attname: _to_json_value(field.get_default()) for field in fields if field.attname not in row}
    return {**later, **row}


def _to_json_value(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | datetime) else value


class ChangeLog:
    """What an operation writes with: it notes every row that goes through it, for the organiser whom it concerns."""

    def __init__(self, organiser_id: int) -> None:
        self.organiser_id = organiser_id
        self.now = timezone.now()
        self.rows: list[JournalRow] = []

    def create(self, row: Row) -> Row:
        """Insert one row."""
        row.save(force_insert=True)
        self.created(row)
        return row

    def created(self, row: models.Model) -> None:
        """Note a row that is in the database already (a new tournament, which has to be there to be locked)."""
        self._note(row, None, take_snapshot(row))

    def rewritten(self, row: models.Model) -> None:
        """Note a row whose history was written anew as well (a pseudonym): as it is now, before and after."""
        self._note(row, take_snapshot(row), take_snapshot(row))

    def create_all(self, rows: Iterable[Row]) -> list[Row]:
        """Insert many rows of one kind in few statements."""
        listed = list(rows)
        if not listed:
            return []
        made = type(listed[0])._default_manager.bulk_create(listed, batch_size=200)
        for row in made:
            self._note(row, None, take_snapshot(row))
        return made

    def save(self, row: models.Model, **values: Any) -> None:
        """Set the given fields of a stored row and save only these."""
        before = take_snapshot(row)
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=list(values))
        after = take_snapshot(row)
        if before != after:
            self._note(row, before, after)

    def delete(self, row: models.Model) -> None:
        """Delete one row; rows that refer to it must have been deleted before."""
        self._note(row, take_snapshot(row), None)
        row.delete()

    def delete_all(self, rows: Sequence[models.Model]) -> None:
        """Delete many rows of one kind in few statements; rows that refer to them must have been deleted before."""
        if not rows:
            return
        for row in rows:
            self._note(row, take_snapshot(row), None)
        type(rows[0])._default_manager.filter(pk__in=[row.pk for row in rows]).delete()

    def _note(self, row: models.Model, before: dict[str, Any] | None, after: dict[str, Any] | None) -> None:
        self.rows.append((row._meta.model_name or "", row.pk, before, after))


class Change(ChangeLog):
    """The log of one change of a tournament. Made by `change`; not kept after its transaction."""

    def __init__(self, tournament: Tournament, details: dict[str, Any]) -> None:
        super().__init__(tournament.organiser_id)
        self.tournament = tournament
        self.details = details
        self.relied_on: list[SeenThing] = []

    def rely_on(self, *things: SeenThing) -> None:
        """Say what the act was decided on besides what it writes: it is refused if that has changed since."""
        self.relied_on += things

    def tell(self, **details: Any) -> None:
        """Add details to the journal entry, once the change knows them."""
        self.details |= details


@contextmanager
def change(tournament: Tournament, *, actor: Actor, verb: str, **details: Any) -> Iterator[Change]:
    """Open one change of `tournament`: everything inside happens, or nothing.

    The tournament's row is locked first, so that operations on one tournament follow one another, and read again, so
    that the operation decides on its current state. An operation that wrote no row leaves no trace. Raises
    `RowDeleted` if a row that the operation is about no longer exists, `ChangedMeanwhile` or `SentTwice` if the actor
    has not seen what it would write over.
    """
    if is_public_view_open():
        raise RuntimeError("no operation may decide on what the public sees")
    announce_irreversible_step(verb, newest=tournament.revision, number=details.get("number", 0))
    with _refuse_if_gone(), transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        change = Change(locked, details)
        yield change
        if not change.rows:
            return
        if actor.seen is not None and actor.seen < locked.revision:
            since = JournalEntry.objects.filter(tournament=locked, number__gt=actor.seen)
            by, relied_on = (actor.primary_key, actor.shown_name), change.relied_on
            refuse_unseen(since, change.rows, relied_on=relied_on, by=by, verb=verb, details=change.details)
        locked.revision += 1
        locked.save(update_fields=["revision"])
        tournament.revision = locked.revision
        _write_entry(change, actor, tournament=locked, number=locked.revision, verb=verb, details=change.details)
        pk, revision = locked.pk, locked.revision
        transaction.on_commit(lambda: note_revision(pk, revision))
        if closes_round(change.rows):
            transaction.on_commit(lambda: round_closed.send_robust(sender=None))


def _write_entry(log: ChangeLog, actor: Actor, **columns: Any) -> None:
    """Write the journal's entry, and tell those who keep backups of it once it is stored."""
    by = {"by": actor.user, "by_name": actor.shown_name}
    entry = JournalEntry.objects.create(at=log.now, rows=log.rows, **by, **columns)
    transaction.on_commit(lambda: announce_entry(lambda: take_snapshot(entry)))


@contextmanager
def _refuse_if_gone() -> Iterator[None]:
    try:
        yield
    except ObjectDoesNotExist as gone:
        raise RowDeleted from gone
    except DatabaseError as fault:
        if type(fault) is DatabaseError:  # Django's own, when there was no row to update; drivers' are subclasses
            raise RowDeleted from fault
        raise


def lock_tournaments(tournaments: QuerySet[Tournament]) -> None:
    """Lock several tournaments within a transaction, always in the same order, so that no two wait for each other."""
    list(tournaments.order_by("pk").select_for_update())


@contextmanager
def open_register_change(organiser: Organiser, *, actor: Actor, verb: str, **details: Any) -> Iterator[ChangeLog]:
    """Open one change of what an organiser owns beside tournaments (register, word lists, members): all or nothing.

    The organiser's row is locked first, so that its entries follow one another and are numbered without gap or twin.
    Whoever changes tournaments as well locks them first. Raises `RowDeleted`, `ChangedMeanwhile` and `SentTwice` as
    `change` does.
    """
    announce_irreversible_step(verb)
    with _refuse_if_gone(), transaction.atomic():
        locked = Organiser.objects.select_for_update(no_key=True).get(pk=organiser.pk)  # others may refer to it
        log = ChangeLog(locked.pk)
        yield log
        if not log.rows:
            return
        if actor.register_seen is not None and actor.register_seen < locked.revision:
            since = JournalEntry.objects.filter(organiser=locked, number__gt=actor.register_seen)
            by = (actor.primary_key, actor.shown_name)
            refuse_unseen(since, log.rows, by=by, verb=verb, details=details)
        locked.revision += 1
        locked.save(update_fields=["revision"])
        _write_entry(log, actor, organiser=locked, number=locked.revision, verb=verb, details=details)
