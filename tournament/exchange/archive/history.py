"""A journal as values: what was written, entry by entry, wherever it is kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max, QuerySet
from django.utils.translation import gettext_lazy as _

from tournament.models import JournalEntry, Tournament
from tournament.operations.change import JournalRow
from tournament.refusals import Refusal

MOST_KNOWN = 20
"""So many addresses are named to somebody who asks for one that is not there."""


class NoJournal(Refusal):
    code = "no_journal"
    message = _("There is neither a tournament “%(slug)s” nor the journal of a deleted one. Known: %(known)s.")


@dataclass(frozen=True, slots=True)
class Written:
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
    entries: Callable[[], Iterable[Written]]


def of(slug: str) -> EventJournal:
    """The journal of the tournament at this address, or of the one last deleted from it. Raises `NoJournal`."""
    living = Tournament.objects.filter(slug=slug).first()
    if living is not None:
        return _history(slug, JournalEntry.objects.filter(tournament=living.pk))
    for first in JournalEntry.objects.filter(number=1, deleted_tournament__isnull=False).order_by("-pk"):
        if _address(first) == slug:
            return _history(slug, JournalEntry.objects.filter(deleted_tournament=first.deleted_tournament))
    known = ", ".join(Tournament.objects.order_by("slug").values_list("slug", flat=True)[:MOST_KNOWN]) or "–"
    raise NoJournal(slug=slug, known=known)


def _history(slug: str, found: "QuerySet[JournalEntry]") -> EventJournal:
    """The journal as it is now; what comes to it later does not count."""
    last = found.aggregate(last=Max("number"))["last"] or 0

    def read() -> Iterator[Written]:
        for entry in found.filter(number__lte=last).order_by("number").iterator(chunk_size=200):
            yield Written(
                entry.number, entry.at, entry.by_id, entry.by_name, entry.verb, entry.details, list(entry.rows)
            )

    return EventJournal(slug, read)


def _address(entry: JournalEntry) -> str | None:
    """The address that a journal's first entry gave its tournament."""
    return next((after["slug"] for table, _pk, _before, after in entry.rows if table == "tournament" and after), None)
