"""A journal looked through once before anything is made of it: whether it is whole, and which rows it speaks of."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.db import models
from django.db.models import Max, QuerySet
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.refusals import Refusal
from tournament.core.change import JournalRow
from tournament.core.records import OWNED_TABLES, PICTURE_TABLES, REGISTER_TABLES, get_journal_model
from tournament.models import JournalEntry, Tournament

MAX_KNOWN_SLUGS = 20
"""How many addresses are named to somebody who asks for one that is not there."""


class NoJournal(Refusal):
    code = "no_journal"
    message = _("There is neither a tournament “%(slug)s” nor the journal of a deleted one. Known: %(known)s.")


@dataclass(frozen=True, slots=True)
class JournalEntryData:
    """One entry of a journal, wherever it was read from."""

    number: int
    at: datetime
    by: int | None
    by_name: str
    verb: str
    details: Mapping[str, Any]
    rows: list[JournalRow]


@dataclass(frozen=True, slots=True)
class EventJournal:
    """The journal of one event. `entries` reads it from its beginning each time it is called."""

    slug: str
    entries: Callable[[], Iterable[JournalEntryData]]


def get_event_journal(slug: str) -> EventJournal:
    """The journal of the tournament at this address, or of the one last deleted from it. Raises `NoJournal`."""
    living = Tournament.objects.filter(slug=slug).first()
    if living is not None:
        return _make_event_journal(slug, JournalEntry.objects.filter(tournament=living.pk))
    for first in JournalEntry.objects.filter(number=1, deleted_tournament__isnull=False).order_by("-pk"):
        made = (after for table, _pk, _before, after in first.rows if table == "tournament" and after)
        if next((after["slug"] for after in made), None) == slug:
            return _make_event_journal(slug, JournalEntry.objects.filter(deleted_tournament=first.deleted_tournament))
    known = ", ".join(Tournament.objects.order_by("slug").values_list("slug", flat=True)[:MAX_KNOWN_SLUGS]) or "–"
    raise NoJournal(slug=slug, known=known)


def _make_event_journal(slug: str, found: "QuerySet[JournalEntry]") -> EventJournal:
    """The journal as it is now; what comes to it later does not count."""
    last = found.aggregate(last=Max("number"))["last"] or 0

    def read() -> Iterator[JournalEntryData]:
        for entry in found.filter(number__lte=last).order_by("number").iterator(chunk_size=200):
            yield JournalEntryData(
                entry.number, entry.at, entry.by_id, entry.by_name, entry.verb, entry.details, list(entry.rows)
            )

    return EventJournal(slug, read)


MAX_GAPS_SHOWN = 5
"""How many missing stretches are named."""


class JournalEmpty(Refusal):
    code = "journal_empty"
    message = _("The journal of “%(slug)s” has no entry; nothing can be made from it.")


class JournalWithoutBeginning(Refusal):
    code = "journal_no_beginning"
    message = _("The journal of “%(slug)s” does not begin with the making of the tournament, but with entry %(first)s.")


class JournalGap(Refusal):
    code = "journal_gap"
    message = _(
        "Entries are missing from the journal of “%(slug)s”: %(missing)s. Without them nothing is made from it."
    )


class UnknownJournalTable(Refusal):
    code = "journal_table"
    message = _("Entry %(number)s of the journal writes “%(table)s”, which this program does not know.")


class TooManyJournalRows(Refusal):
    code = "journal_rows"
    message = _("The journal of “%(slug)s” has more than %(limit)s rows; more are not read.")


class TooManyJournalRowsForPage(Refusal):
    code = "journal_rows_page"
    message = _(
        "The journal of “%(slug)s” has more than %(limit)s rows; reading it would take minutes. It can be read in with "
        "the command import_event."
    )


class JournalSurvey:
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
                self.first = _get_first_state(history.slug, written)
            rows += len(written.rows)
            if rows > self.most:
                refusal = TooManyJournalRows if self.most == limits.ARCHIVE_ROWS else TooManyJournalRowsForPage
                raise refusal(slug=history.slug, limit=self.most)
            for model, row in list_journal_rows(written):
                self._note(model, row)
        _check_numbers(history.slug, numbers)
        self.count = len(numbers)

    def _note(self, model: type[models.Model], row: JournalRow) -> None:
        _table, pk, before, after = row
        if model in REGISTER_TABLES:
            return
        self.keys[model].add(pk)
        for state in (before, after):
            if state is None:
                continue
            for name, target in find_outside_references(model):
                if state.get(name) is not None:
                    self.outside[target].add(state[name])
            if model in PICTURE_TABLES:
                self.files[model][state["name"]] = state


def list_journal_rows(written: JournalEntryData) -> Iterator[tuple[type[models.Model], JournalRow]]:
    """An entry's rows with their tables. Raises `UnknownJournalTable`."""
    for row in written.rows:
        try:
            yield get_journal_model(row[0]), row
        except KeyError as unknown:
            raise UnknownJournalTable(number=written.number, table=row[0]) from unknown


def find_outside_references(model: type[models.Model]) -> list[tuple[str, type[models.Model]]]:
    """The columns of an event's table that refer to rows outside of the event, each with the table it refers to."""
    targets = ((field.attname, field.related_model) for field in model._meta.concrete_fields if field.is_relation)
    return [(name, target) for name, target in targets if isinstance(target, type) and target not in OWNED_TABLES]


def _get_first_state(slug: str, written: JournalEntryData) -> Mapping[str, Any]:
    """The tournament as its first entry made it. Raises `JournalWithoutBeginning`."""
    made = next((row for model, row in list_journal_rows(written) if model is Tournament), None)
    if written.number != 1 or made is None or made[2] is not None or made[3] is None:
        raise JournalWithoutBeginning(slug=slug, first=written.number)
    return made[3]


def _check_numbers(slug: str, numbers: list[int]) -> None:
    """Raise `JournalEmpty` or `JournalGap` unless the entries are numbered from 1 without a gap."""
    if not numbers:
        raise JournalEmpty(slug=slug)
    gaps = [
        f"{before + 1}–{number - 1}" if number - before > 2 else str(before + 1)
        for before, number in pairwise(numbers)
        if number != before + 1
    ]
    if gaps:
        shown = ", ".join(gaps[:MAX_GAPS_SHOWN])
        raise JournalGap(slug=slug, missing=f"{shown} …" if len(gaps) > MAX_GAPS_SHOWN else shown)
