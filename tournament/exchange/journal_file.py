"""The journal as a file for spreadsheet programs; docs/formats.md says what JSON prints."""

from collections.abc import Iterable, Iterator

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.exchange import cells
from tournament.models import JournalEntry, Tournament
from tournament.words import journal


def headings() -> list[str]:
    """The headings in the reader's language."""
    return [
        _("No."),
        _("Day"),
        _("Time"),
        _("Who"),
        _("What"),
        _("In words"),
        _("Division"),
        _("Round"),
        _("Table"),
        _("First player’s points"),
        _("Second player’s points"),
    ]


def as_csv(tournament: Tournament) -> bytes:
    """Every entry, oldest first: who, when, what in words, and the figures of results. One query."""
    entries = JournalEntry.objects.filter(tournament=tournament).defer("rows").order_by("number")
    return cells.csv_file(_lines(entries.iterator()))


def _lines(entries: Iterable[JournalEntry]) -> Iterator[list[cells.Cell]]:
    yield [*headings()]
    for entry in entries:
        yield _line(entry)


def _line(entry: JournalEntry) -> list[cells.Cell]:
    """One entry. What a verb does not tell of stays empty."""
    at, details = timezone.localtime(entry.at), entry.details
    figures = (_figure(details.get(key)) for key in ("round", "table", "first_points", "second_points"))
    told = [journal.title(entry), journal.sentence(entry), str(details.get("division") or "")]
    return [entry.number, f"{at:%Y-%m-%d}", f"{at:%H:%M:%S}", entry.by_name, *told, *figures]


def _figure(value: object) -> int | None:
    """A detail that is a whole number; other verbs may keep something else under the same name."""
    return value if isinstance(value, int) else None
