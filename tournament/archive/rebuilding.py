"""An event made anew from its journal alone: every row it ever had under a new key, and the journal with it.

Rows are written as the journal has them, past the operations that once made them: these have checked them, and their
entries come along.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import DatabaseError, OperationalError, transaction
from django.utils.translation import gettext_lazy as _

from tournament.archive.history import EventJournal, JournalSurvey, get_event_journal
from tournament.archive.numbering import (
    KeptFiles,
    OutsideKeys,
    Renumbering,
    find_existing_rows,
    find_lost_players,
    get_or_create_register_rows,
    keep_files,
    read_stored_file,
)
from tournament.archive.replaying import BROKEN_JOURNAL_ERRORS, find_journal_differences
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, Change, change
from tournament.core.records import OWNED_TABLES
from tournament.events.operations import set_tournament_aside
from tournament.journal.operations import rebuild_row
from tournament.models import JournalEntry, Tournament

BATCH, BATCH_ROWS = 200, 5000
"""How many rows, and entries with how many rows, are written at once."""

RowStates = dict[str, dict[int, tuple[Any, ...]]]
"""Rows as a journal leaves them, by table and new primary key: the values of their columns."""


class AddressTaken(Refusal):
    code = "address_taken"
    message = _("There is already a tournament with the address “%(slug)s”. Choose another one.")


class JournalContradiction(Refusal):
    code = "journal_contradiction"
    message = _("The journal of “%(slug)s” is damaged or contradicts itself, so nothing was made from it (%(why)s).")


@dataclass(frozen=True, slots=True)
class RebuiltEvent:
    """An event that was made from a journal: of how many entries, and how many of its files came along or are gone.

    `set_aside` is the new address of the rows that were not what the journal says.
    """

    tournament: Tournament
    entries: int
    files: int
    files_gone: int
    set_aside: str = ""


def rebuild_event(slug: str, new_slug: str, *, actor: Actor) -> RebuiltEvent:
    """Make the event at `slug`, or the one last deleted from there, anew at `new_slug`, from its journal alone.

    `new_slug` may be its own if it was deleted, or if its rows are not what its journal says: these are then moved
    aside under another address. Raises `NoJournal`, a refusal of `JournalSurvey`, `AddressTaken`, or
    `JournalContradiction` if the journal is at odds with itself; then nothing has changed.
    """
    found = get_event_journal(slug)
    survey = JournalSurvey(found)
    with keep_files(survey, read_stored_file) as kept, transaction.atomic():
        aside = _free_address(new_slug, own=slug == new_slug, actor=actor)
        here = find_existing_rows(survey)
        lost = find_lost_players(survey, here)
        made = create_event_from_journal(
            found,
            survey,
            slug=new_slug,
            kept=kept,
            outside=here,
            register=lambda log: get_or_create_register_rows(log, lost, {}),
            opened=lambda row: change(row, actor=actor, verb="rebuild_tournament", name=slug, count=survey.count),
        )
    return RebuiltEvent(made, survey.count, kept.count, kept.count_gone, aside)


def _free_address(slug: str, *, own: bool, actor: Actor) -> str:
    """Free the address if it is the event's own and its rows are damaged; the address that these have then.

    Raises `AddressTaken`.
    """
    there = Tournament.objects.filter(slug=slug).first()
    if there is None:
        return ""
    if not own or not find_journal_differences(there):
        raise AddressTaken(slug=slug)
    return set_tournament_aside(there, actor=actor).slug


def create_event_from_journal(
    history: EventJournal,
    survey: JournalSurvey,
    *,
    slug: str,
    kept: KeptFiles,
    outside: OutsideKeys,
    register: Callable[[Change], OutsideKeys],
    opened: Callable[[Tournament], AbstractContextManager[Change]],
    is_checked: bool = False,
) -> Tournament:
    """Make an event and its journal from a history that was surveyed, within a transaction that is open.

    `outside` are the rows here that stand for those that the history refers to; `register` adds players and clubs,
    within the change that `opened` opens and that ends the new journal. `is_checked`: the history is from elsewhere.
    Raises `JournalContradiction`.
    """
    with refuse_broken_rows(history.slug):
        numbers = Renumbering(survey.keys, outside=dict(outside), files=kept.names, slug=slug, is_checked=is_checked)
        # The row as it was first, so that there is something to lock; its revision counts the journal.
        made = rebuild_row(Tournament, {**(numbers.state(Tournament, survey.first) or {}), "revision": survey.count})
        assert isinstance(made, Tournament)
        made.save_base(raw=True, force_insert=True)  # raw: the day it was made on stays
        with opened(made) as log:
            for model, keys in register(log).items():
                numbers.outside[model] = {**numbers.outside.get(model, {}), **keys}
            states = _write_journal(history, numbers, made)
            _write_rows(states)
            log.created(Tournament.objects.get(pk=made.pk))
            for model, names in kept.gone.items():
                log.delete_all(list(model._default_manager.filter(name__in=names).order_by("pk")))
    if differences := find_journal_differences(made):
        raise JournalContradiction(slug=history.slug, why=differences[0])
    return Tournament.objects.get(pk=made.pk)


def _write_journal(history: EventJournal, numbers: Renumbering, made: Tournament) -> RowStates:
    """Write the journal's entries under their own numbers; return every row as they leave it."""
    states: RowStates = defaultdict(dict)
    batch: list[JournalEntry] = []
    for written in history.entries():
        rows = numbers.rows(written)
        for table, pk, _before, after in rows:
            states[table].pop(pk, None)
            if after is not None:
                states[table][pk] = tuple(after.values())
        batch.append(
            JournalEntry(
                tournament=made,
                number=written.number,
                at=written.at,
                by_id=numbers.outside.get(User, {}).get(written.by or 0),
                by_name=written.by_name,
                verb=written.verb,
                details=numbers.details(written),
                rows=rows,
            )
        )
        if len(batch) == BATCH or sum(len(entry.rows) for entry in batch) > BATCH_ROWS:
            JournalEntry.objects.bulk_create(batch)
            batch.clear()
    JournalEntry.objects.bulk_create(batch)
    return states


def _write_rows(states: RowStates) -> None:
    """Write every row that the journal leaves, those that others refer to first."""
    for model in OWNED_TABLES:
        columns = [field.attname for field in model._meta.concrete_fields]
        found = states.get(model._meta.model_name or "", {})
        keys = sorted(found)
        for start in range(0, len(keys), BATCH):
            batch = keys[start : start + BATCH]
            rows = [rebuild_row(model, dict(zip(columns, found[pk], strict=True))) for pk in batch]
            if model is Tournament:
                changed = [name for name in columns if name not in ("id", "revision")]
                rows[0].save_base(raw=True, update_fields=changed)
            else:
                model._default_manager.bulk_create(rows)


@contextmanager
def refuse_broken_rows(slug: str) -> Iterator[None]:
    """Turn what broken rows lead to into a refusal."""
    try:
        yield
    except OperationalError:  # a full disk, a database that is away: the rows are not to blame
        raise
    except BROKEN_JOURNAL_ERRORS as fault:
        why = str(fault) if isinstance(fault, DatabaseError) else f"{type(fault).__name__}: {fault}"
        raise JournalContradiction(slug=slug, why=why[:QUOTED_TEXT]) from fault
