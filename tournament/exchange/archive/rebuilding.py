"""An event made anew from its journal alone: every row it ever had under a new key, and the journal with it.

Rows are written as the journal has them, past the operations that once made them: these have checked them, and their
entries come along.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DatabaseError, OperationalError, transaction
from django.utils.translation import gettext_lazy as _

from tournament import journal, records
from tournament.exchange.archive import history as histories
from tournament.exchange.archive import outside as outsiders
from tournament.exchange.archive.history import EventJournal, Written
from tournament.exchange.archive.named_files import Kept, keeping, stored
from tournament.exchange.archive.numbering import Renumbering
from tournament.exchange.archive.outside import Outside
from tournament.exchange.archive.survey import Survey
from tournament.limits import QUOTED
from tournament.models import JournalEntry, Tournament
from tournament.operations import tournaments
from tournament.operations.change import Actor, Change, JournalRow, change
from tournament.operations.undo import restored
from tournament.refusals import Refusal

BATCH, BATCH_ROWS = 200, 5000
"""So many rows are written at once, and entries with so many rows."""

States = dict[str, dict[int, tuple[Any, ...]]]
"""Rows as a journal leaves them, by table and new primary key: the values of their columns."""

BROKEN = (ArithmeticError, AttributeError, DatabaseError, LookupError, TypeError, ValidationError, ValueError)
"""What a journal raises whose rows are not what this program writes."""


class AddressTaken(Refusal):
    code = "address_taken"
    message = _("There is already a tournament with the address “%(slug)s”. Choose another one.")


class Contradiction(Refusal):
    code = "journal_contradiction"
    message = _("The journal of “%(slug)s” is damaged or contradicts itself, so nothing was made from it (%(why)s).")


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """An event that was made from a journal: of how many entries, and how many of its files came along or are gone.

    `set_aside` is the new address of the rows that were not what the journal says.
    """

    tournament: Tournament
    entries: int
    files: int
    files_gone: int
    set_aside: str = ""


def rebuild(slug: str, new_slug: str, *, actor: Actor) -> Rebuilt:
    """Make the event at `slug`, or the one last deleted from there, anew at `new_slug`, from its journal alone.

    `new_slug` may be its own if it was deleted, or if its rows are not what its journal says: these are then moved
    aside under another address. Raises `NoJournal`, a refusal of `Survey`, `AddressTaken`, or `Contradiction` if the
    journal is at odds with itself; then nothing has changed.
    """
    found = histories.of(slug)
    survey = Survey(found)
    with keeping(survey, stored) as kept, transaction.atomic():
        aside = _set_aside(new_slug, own=slug == new_slug, actor=actor)
        here = outsiders.still_here(survey)
        lost = outsiders.lost(survey, here)
        made = store(
            found,
            survey,
            slug=new_slug,
            kept=kept,
            outside=here,
            register=lambda log: outsiders.registered(log, lost, {}),
            opened=lambda row: change(row, actor=actor, verb="rebuild_tournament", name=slug, count=survey.count),
        )
    return Rebuilt(made, survey.count, kept.count, kept.count_gone, aside)


def _set_aside(slug: str, *, own: bool, actor: Actor) -> str:
    """Free the address if it is the event's own and its rows are damaged; the address that these have then.

    Raises `AddressTaken`.
    """
    there = Tournament.objects.filter(slug=slug).first()
    if there is None:
        return ""
    if not own or not journal.replay(there):
        raise AddressTaken(slug=slug)
    return tournaments.set_aside(there, actor=actor).slug


def store(
    history: EventJournal,
    survey: Survey,
    *,
    slug: str,
    kept: Kept,
    outside: Outside,
    register: Callable[[Change], Outside],
    opened: Callable[[Tournament], AbstractContextManager[Change]],
    is_checked: bool = False,
) -> Tournament:
    """Make an event and its journal from a history that was surveyed, within a transaction that is open.

    `outside` are the rows here that stand for those that the history refers to; `register` adds players and clubs,
    within the change that `opened` opens and that ends the new journal. `is_checked`: the history is from elsewhere.
    Raises `Contradiction`.
    """
    with refused_if_broken(history.slug):
        numbers = Renumbering(survey.keys, outside=outside, files=kept.names, slug=slug, is_checked=is_checked)
        made = _begun(numbers, survey)
        with opened(made) as log:
            numbers.outside = outsiders.joined(outside, register(log))
            states = _journal(history, numbers, made)
            _rows(states)
            log.created(Tournament.objects.get(pk=made.pk))
            for model, names in kept.gone.items():
                column = records.FILES[model].column
                log.delete_all(list(model._default_manager.filter(**{f"{column}__in": names}).order_by("pk")))
    if differences := journal.replay(made):
        raise Contradiction(slug=history.slug, why=differences[0])
    return Tournament.objects.get(pk=made.pk)


def _begun(numbers: Renumbering, survey: Survey) -> Tournament:
    """The tournament's row as it was first, so that there is something to lock; its revision counts the journal."""
    row = restored(Tournament, {**(numbers.state(Tournament, survey.first) or {}), "revision": survey.count})
    assert isinstance(row, Tournament)
    row.save_base(raw=True, force_insert=True)  # raw: the day it was made on stays
    return row


def _journal(history: EventJournal, numbers: Renumbering, made: Tournament) -> States:
    """Write the journal's entries under their own numbers; return every row as they leave it."""
    states: States = defaultdict(dict)
    batch: list[JournalEntry] = []
    for written in history.entries():
        rows = numbers.rows(written)
        for table, pk, _before, after in rows:
            states[table].pop(pk, None)
            if after is not None:
                states[table][pk] = tuple(after.values())
        batch.append(_entry(written, numbers, rows, made))
        if len(batch) == BATCH or sum(len(entry.rows) for entry in batch) > BATCH_ROWS:
            JournalEntry.objects.bulk_create(batch)
            batch.clear()
    JournalEntry.objects.bulk_create(batch)
    return states


def _entry(written: Written, numbers: Renumbering, rows: list[JournalRow], made: Tournament) -> JournalEntry:
    return JournalEntry(
        tournament=made,
        number=written.number,
        at=written.at,
        by_id=numbers.outside.get(User, {}).get(written.by or 0),
        by_name=written.by_name,
        verb=written.verb,
        details=numbers.details(written),
        rows=rows,
    )


def _rows(states: States) -> None:
    """Write every row that the journal leaves, those that others refer to first."""
    for model in records.OWNED:
        columns = [field.attname for field in model._meta.concrete_fields]
        found = states.get(model._meta.model_name or "", {})
        for keys in batched(sorted(found), BATCH):
            rows = [restored(model, dict(zip(columns, found[pk], strict=True))) for pk in keys]
            if model is Tournament:
                changed = [name for name in columns if name not in ("id", "revision")]
                rows[0].save_base(raw=True, update_fields=changed)
            else:
                model._default_manager.bulk_create(rows)


def batched(found: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """These in stretches of at most so many."""
    for start in range(0, len(found), size):
        yield found[start : start + size]


@contextmanager
def refused_if_broken(slug: str) -> Iterator[None]:
    """Turn what broken rows lead to into a refusal."""
    try:
        yield
    except OperationalError:  # a full disk, a database that is away: the rows are not to blame
        raise
    except BROKEN as fault:
        why = str(fault) if isinstance(fault, DatabaseError) else f"{type(fault).__name__}: {fault}"
        raise Contradiction(slug=slug, why=why[:QUOTED]) from fault
