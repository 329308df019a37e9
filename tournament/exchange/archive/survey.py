"""A journal looked through once before anything is made of it: whether it is whole, and which rows it speaks of."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament import limits, records
from tournament.exchange.archive.history import EventJournal, Written
from tournament.models import Tournament
from tournament.operations.change import JournalRow
from tournament.refusals import Refusal

MOST_GAPS = 5
"""So many missing stretches are named."""


class Empty(Refusal):
    code = "journal_empty"
    message = _("The journal of “%(slug)s” has no entry; nothing can be made from it.")


class NoBeginning(Refusal):
    code = "journal_no_beginning"
    message = _("The journal of “%(slug)s” does not begin with the making of the tournament, but with entry %(first)s.")


class Gap(Refusal):
    code = "journal_gap"
    message = _(
        "Entries are missing from the journal of “%(slug)s”: %(missing)s. Without them nothing is made from it."
    )


class UnknownTable(Refusal):
    code = "journal_table"
    message = _("Entry %(number)s of the journal writes “%(table)s”, which this program does not know.")


class TooManyRows(Refusal):
    code = "journal_rows"
    message = _("The journal of “%(slug)s” has more than %(limit)s rows; more are not read.")


class TooManyRowsForPage(Refusal):
    code = "journal_rows_page"
    message = _(
        "The journal of “%(slug)s” has more than %(limit)s rows; reading it would take minutes. It can be read in with "
        "the command import_event."
    )


class Survey:
    """What a journal speaks of. Raises a `Refusal` for one from which no event can be made.

    `is_sent`: it came through a page, which nobody is to wait for long.

    `keys` are the rows of the event's own tables, living and gone; `outside` those of other tables (register,
    accounts, the organiser) that its rows refer to; `files` the states of rows that name a file, by its name.
    """

    def __init__(self, history: EventJournal, *, is_sent: bool = False) -> None:
        self.most = limits.ARCHIVE_ROWS_SENT if is_sent else limits.ARCHIVE_ROWS
        self.count = 0
        self.first: Mapping[str, Any] = {}
        self.keys: dict[type[models.Model], set[int]] = defaultdict(set)
        self.outside: dict[type[models.Model], set[int]] = defaultdict(set)
        self.files: dict[type[models.Model], dict[str, Mapping[str, Any]]] = defaultdict(dict)
        self._look(history)

    def _look(self, history: EventJournal) -> None:
        numbers, rows = [], 0
        for written in history.entries():
            numbers.append(written.number)
            if len(numbers) == 1:
                self.first = _beginning(history.slug, written)
            rows += len(written.rows)
            if rows > self.most:
                refusal = TooManyRows if self.most == limits.ARCHIVE_ROWS else TooManyRowsForPage
                raise refusal(slug=history.slug, limit=self.most)
            for model, row in rows_of(written):
                self._note(model, row)
        _require_whole(history.slug, numbers)
        self.count = len(numbers)

    def _note(self, model: type[models.Model], row: JournalRow) -> None:
        _table, pk, before, after = row
        if model in records.REGISTER:
            return
        self.keys[model].add(pk)
        for state in (before, after):
            if state is None:
                continue
            for name, target in references(model):
                if state.get(name) is not None:
                    self.outside[target].add(state[name])
            if kept := records.FILES.get(model):
                self.files[model][state[kept.column]] = state


def rows_of(written: Written) -> Iterator[tuple[type[models.Model], JournalRow]]:
    """An entry's rows with their tables. Raises `UnknownTable`."""
    for row in written.rows:
        try:
            yield records.model_of(row[0]), row
        except KeyError as unknown:
            raise UnknownTable(number=written.number, table=row[0]) from unknown


def references(model: type[models.Model]) -> list[tuple[str, type[models.Model]]]:
    """The columns of an event's table that refer to rows outside of the event, each with the table it refers to."""
    targets = ((field.attname, field.related_model) for field in model._meta.concrete_fields if field.is_relation)
    return [(name, target) for name, target in targets if isinstance(target, type) and target not in records.OWNED]


def _beginning(slug: str, written: Written) -> Mapping[str, Any]:
    """The tournament as its first entry made it. Raises `NoBeginning`."""
    made = next((row for model, row in rows_of(written) if model is Tournament), None)
    if written.number != 1 or made is None or made[2] is not None or made[3] is None:
        raise NoBeginning(slug=slug, first=written.number)
    return made[3]


def _require_whole(slug: str, numbers: list[int]) -> None:
    """Raise `Empty` or `Gap` unless the entries are numbered from 1 without a gap."""
    if not numbers:
        raise Empty(slug=slug)
    gaps = [
        f"{before + 1}–{number - 1}" if number - before > 2 else str(before + 1)
        for before, number in pairwise(numbers)
        if number != before + 1
    ]
    if gaps:
        shown = ", ".join(gaps[:MOST_GAPS])
        raise Gap(slug=slug, missing=f"{shown} …" if len(gaps) > MOST_GAPS else shown)
