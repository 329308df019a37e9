"""One change of state: a transaction that locks the tournament, writes a journal entry and raises the revision. Every
operation writes through the `Change` it opens, so that the journal holds each row before and after. That makes the
journal the director's log and the source of undo, and lets the event be rebuilt from it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DatabaseError, models, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.basics.latest import note_revision
from tournament.basics.precautions import announce_entry, announce_irreversible_step, closes_round, round_closed
from tournament.basics.refusals import Refusal
from tournament.core.public_view import is_public_view_open
from tournament.core.seen import SeenThing, refuse_unseen
from tournament.models import Club, JournalEntry, Organiser, Tournament

Row = TypeVar("Row", bound=models.Model)
JournalRow = tuple[str, int, dict[str, Any] | None, dict[str, Any] | None]


class Written(Protocol):
    """A row that says who wrote it: the account, where there was one, and the name."""

    @property
    def by_id(self) -> int | None: ...

    @property
    def by_name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a signed-in user, or somebody known by name only (terminal, helper's code). `seen` is the tournament's
    revision that the page showed; None without a page, or if what is changed has versions of its own (results, score
    sheets). `register_seen` is the same for the organiser's register. `organiser` is whom they act for; what they make
    belongs to it."""

    user: User | None = None
    name: str = ""
    seen: int | None = None
    register_seen: int | None = None
    organiser: Organiser | None = None

    @property
    def primary_key(self) -> int | None:
        return self.user.pk if self.user else None

    @property
    def shown_name(self) -> str:
        return self.name or (self.user.get_username() if self.user else "")

    def has_written(self, row: "Written") -> bool:
        """Whether this account, or the device with this code, has written a row."""
        if row.by_id is not None:
            return row.by_id == self.primary_key
        # Nobody who comes with a code has an account: by that alone all of them would be one.
        return self.user is None and bool(row.by_name) and row.by_name == self.shown_name


TERMINAL_ACTOR = Actor(name="Terminal")  # whoever types a command at the machine


class RowDeleted(Refusal, code="gone"):
    """A row that the operation is about was deleted between the caller's reading and the lock."""

    message = _("Somebody has deleted this in the meantime. Nothing was changed; reload the page.")


def take_snapshot(row: models.Model) -> dict[str, Any]:
    """A row's fields as JSON values, as the journal keeps them."""
    # All columns, also those that follow from others: an undo compares whole rows with what the entry left.
    fields = row._meta.concrete_fields
    return {field.attname: write_journal_value(field, field.value_from_object(row)) for field in fields}


def take_snapshots(rows: models.QuerySet[Any]) -> dict[int, dict[str, Any]]:
    """The same for many rows, by primary key, without making an object for each."""
    fields = rows.model._meta.concrete_fields
    columns = [field.attname for field in fields]
    snapshots = rows.values_list("pk", *columns)
    return {pk: dict(zip(columns, map(write_journal_value, fields, values), strict=True)) for pk, *values in snapshots}


def complete_snapshot(model: type[models.Model], row: Mapping[str, Any]) -> dict[str, Any]:
    """A snapshot taken by an earlier version, in today's form: columns added since at their defaults, every value
    written as it is today, and derived columns derived anew."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    later = {name: write_journal_value(field, field.get_default()) for name, field in fields.items() if name not in row}
    state = {**later, **{name: _rewrite_value(fields.get(name), value) for name, value in row.items()}}
    return {**state, **model.derive_columns(state)} if hasattr(model, "derive_columns") else state


def write_journal_value(field: "models.Field[Any, Any]", value: Any) -> Any:
    """A column's value as the journal keeps it: one form for each value, whether somebody typed it or it was read from
    the database. 18:45 in Berlin was noted as `+01:00` and read back as `+00:00`; the journal seemed to be broken, and
    with it each backup and the archive."""
    if value is None:
        return None
    if isinstance(field, models.DateField):  # moments, too
        read = field.to_python(value)
        return read.astimezone(UTC).isoformat() if isinstance(read, datetime) else read.isoformat()
    if isinstance(field, models.JSONField):
        return json.loads(json.dumps(value, cls=field.encoder))
    return field.to_python(value)


def _rewrite_value(field: "models.Field[Any, Any] | None", value: Any) -> Any:
    """A journal's value in today's form; unchanged if its column is gone or cannot hold it."""
    try:
        return value if field is None else write_journal_value(field, value)
    except (ArithmeticError, TypeError, ValidationError, ValueError):
        return value


class ChangeLog:
    """What an operation of an organiser writes through, so that every row is noted."""

    def __init__(self, organiser_id: int, details: dict[str, Any]) -> None:
        self.organiser_id = organiser_id
        self.details = details
        self.now = timezone.now()
        self.rows: list[JournalRow] = []
        self.relied_on: list[SeenThing] = []
        self.clubs: dict[str, Club] = {}  # those named so far, by their folded names

    def create(self, row: Row) -> Row:
        """Insert one row."""
        row.save(force_insert=True)
        self.created(row)
        return row

    def created(self, row: models.Model) -> None:
        """Note a new row that was inserted before, such as a tournament, which must exist to be locked."""
        self._note(row, None, take_snapshot(row))

    def rewritten(self, row: models.Model) -> None:
        """Note a row whose past in the journal was rewritten as well (a pseudonym): before and after are both as it is
        now."""
        self._note(row, take_snapshot(row), take_snapshot(row))

    def create_all(self, rows: Iterable[Row]) -> list[Row]:
        """Insert many rows of one table in few statements."""
        listed = list(rows)
        if not listed:
            return []
        rows_made = type(listed[0])._default_manager.bulk_create(listed, batch_size=200)
        for row in rows_made:
            self._note(row, None, take_snapshot(row))
        return rows_made

    def save(self, row: models.Model, **values: Any) -> None:
        """Set the given fields of a stored row and save only these."""
        before = take_snapshot(row)
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=list(values))
        after = take_snapshot(row)
        # Forms send every field, changed or not: without this an act that changes nothing would stand in the journal.
        if before != after:
            self._note(row, before, after)

    def delete(self, row: models.Model) -> None:
        """Delete one row. Rows that refer to it must be gone already."""
        # Noted first: Django takes the key off a row that it has deleted.
        self._note(row, take_snapshot(row), None)
        row.delete()

    def delete_all(self, rows: Sequence[models.Model]) -> None:
        """Delete many rows of one table in few statements. Rows that refer to them must be gone already."""
        if not rows:
            return
        for row in rows:
            self._note(row, take_snapshot(row), None)
        type(rows[0])._default_manager.filter(pk__in=[row.pk for row in rows]).delete()

    def _note(self, row: models.Model, before: dict[str, Any] | None, after: dict[str, Any] | None) -> None:
        # The rows stand in the order of the writing: an undo goes backwards through it, so that nothing refers to what
        # is not there yet.
        self.rows.append((row._meta.model_name or "", row.pk, before, after))


class Change(ChangeLog):
    """One change of a tournament, opened by `change`; not kept after its transaction."""

    def __init__(self, tournament: Tournament, details: dict[str, Any]) -> None:
        super().__init__(tournament.organiser_id, details)
        self.tournament = tournament

    def rely_on(self, *things: SeenThing) -> None:
        """Name what the decision rests on besides what it writes. The change is refused if somebody has changed that
        since the actor's page was shown."""
        self.relied_on += things

    def tell(self, **details: Any) -> None:
        """Add details to the journal entry once they are known."""
        self.details |= details


@contextmanager
def change(tournament: Tournament, *, actor: Actor, verb: str, **details: Any) -> Iterator[Change]:
    """Open one change of `tournament`: everything inside happens, or nothing. The tournament's row is locked and read
    again first, so that operations on one tournament follow one another and decide on its current state. A change that
    wrote no row leaves no entry. Raises `RowDeleted` if a row that it is about is gone, `ChangedMeanwhile` or
    `SentTwice` if the actor has not seen what it would overwrite."""
    # What is held back would be missing from all that it reads: it would decide on half of the facts.
    if is_public_view_open():
        raise RuntimeError("no operation may decide on what the public sees")
    # Before the transaction: inside of one this is taken for a part of a larger step, and no backup is made.
    announce_irreversible_step(verb, newest=tournament.revision, number=details.get("number", 0))
    with _refuse_if_gone(), transaction.atomic():
        # SQLite knows no locks of rows: there the transaction takes the whole database when it begins. With one that
        # takes it at its first write, 179 of 400 reports at once failed.
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        change = Change(locked, details)
        yield change
        if not change.rows:
            return
        # The caller's own row is not the locked one: what is done with it next in the same request has to start from
        # the new revision.
        tournament.revision = _write_entry(change, actor, actor.seen, tournament=locked, verb=verb)
        # Told after the commit: pages would ask for a revision that a rollback takes back.
        pk, revision = locked.pk, locked.revision
        transaction.on_commit(lambda: note_revision(pk, revision))
        # Only after the commit: the backup that this sets off reads the file, where the round would still be open.
        if closes_round(change.rows):
            transaction.on_commit(lambda: round_closed.send_robust(sender=None))


def _write_entry(
    log: ChangeLog,
    actor: Actor,
    seen: int | None,
    *,
    verb: str,
    tournament: Tournament | None = None,
    organiser: Organiser | None = None,
) -> int:
    """Write the journal entry of a tournament or an organiser under its next revision, which is returned. Raises
    `ChangedMeanwhile` or `SentTwice` if the actor has seen only revision `seen`."""
    owner = tournament or organiser
    assert owner is not None
    # Two directors with one round open: the second wrote over what the first had done, and only the journal knew. Now
    # the second sees it and decides.
    if seen is not None and seen < owner.revision:
        since = JournalEntry.objects.filter(tournament=tournament, organiser=organiser, number__gt=seen)
        by = (actor.primary_key, actor.shown_name)
        refuse_unseen(since, log.rows, relied_on=log.relied_on, by=by, verb=verb, details=log.details)
    owner.revision += 1
    owner.save(update_fields=["revision"])
    by_columns = {"by": actor.user, "by_name": actor.shown_name}
    about = {"tournament": tournament, "organiser": organiser, "verb": verb, "details": log.details}
    entry = JournalEntry.objects.create(number=owner.revision, at=log.now, rows=log.rows, **by_columns, **about)
    transaction.on_commit(lambda: announce_entry(lambda: take_snapshot(entry)))
    return owner.revision


@contextmanager
def _refuse_if_gone() -> Iterator[None]:
    try:
        yield
    except ObjectDoesNotExist as gone:
        raise RowDeleted from gone
    except DatabaseError as fault:
        if type(fault) is DatabaseError:  # raised by Django itself: no row to update; drivers raise subclasses
            raise RowDeleted from fault
        raise


def lock_tournaments(tournaments: QuerySet[Tournament]) -> None:
    """Lock several tournaments within a transaction, always in the same order, to avoid deadlocks."""
    list(tournaments.order_by("pk").select_for_update())


@contextmanager
def open_register_change(organiser: Organiser, *, actor: Actor, verb: str, **details: Any) -> Iterator[ChangeLog]:
    """Open one change of what an organiser owns besides tournaments (register, word lists, members): all or nothing.
    The organiser's row is locked first, so that its journal entries are numbered without gaps or duplicates.
    Tournaments that change as well have to be locked before. Raises as `change` does."""
    announce_irreversible_step(verb)
    with _refuse_if_gone(), transaction.atomic():
        locked = Organiser.objects.select_for_update(no_key=True).get(pk=organiser.pk)  # others may refer to it
        log = ChangeLog(locked.pk, details)
        yield log
        if log.rows:
            _write_entry(log, actor, actor.register_seen, organiser=locked, verb=verb)
