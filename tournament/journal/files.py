"""The journal as a file for spreadsheet programs; docs/formats.md says what JSON prints."""

from collections.abc import Iterable, Iterator

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.basics.cells import CellValue, build_csv
from tournament.core.words.journal import describe_entry, get_entry_title
from tournament.models import JournalEntry, Tournament


def list_journal_headings() -> list[str]:
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


def build_journal_csv(tournament: Tournament) -> bytes:
    """Every entry, oldest first: who, when, what in words, and the figures of results. One query."""
    entries = JournalEntry.objects.filter(tournament=tournament).defer("rows").order_by("number")
    return build_csv(_list_journal_rows(entries.iterator()))


def _list_journal_rows(entries: Iterable[JournalEntry]) -> Iterator[list[CellValue]]:
    yield [*list_journal_headings()]
    for entry in entries:
        yield _build_journal_row(entry)


def _build_journal_row(entry: JournalEntry) -> list[CellValue]:
    """One entry. What a verb does not tell of stays empty."""
    at, details = timezone.localtime(entry.at), entry.details
    figures = (_get_whole_number(details.get(key)) for key in ("round", "table", "first_points", "second_points"))
    told = [get_entry_title(entry), describe_entry(entry), str(details.get("division") or "")]
    return [entry.number, f"{at:%Y-%m-%d}", f"{at:%H:%M:%S}", entry.by_name, *told, *figures]


def _get_whole_number(value: object) -> int | None:
    """A detail that is a whole number; other verbs may keep something else under the same name."""
    return value if isinstance(value, int) else None
