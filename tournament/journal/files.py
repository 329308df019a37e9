"""The journal as a file for spreadsheet programs; docs/formats.md says what JSON prints."""

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.basics.cells import CellValue, build_csv
from tournament.core.words.journal import describe_entry, get_entry_title
from tournament.models import JournalEntry, Tournament


def build_journal_csv(tournament: Tournament) -> bytes:
    """Every entry, oldest first: who, when, what in words, and the figures of results. One query."""
    entries = JournalEntry.objects.filter(tournament=tournament).defer("rows").order_by("number")
    headings: list[CellValue] = [_("No."), _("Day"), _("Time"), _("Who"), _("What"), _("In words")]
    headings += [_("Division"), _("Round"), _("Table"), _("First player’s points"), _("Second player’s points")]
    return build_csv([headings, *map(_build_journal_row, entries.iterator())])


def _build_journal_row(entry: JournalEntry) -> list[CellValue]:
    """One entry; what its verb does not tell is empty."""
    at, details = timezone.localtime(entry.at), entry.details
    texts = [get_entry_title(entry), describe_entry(entry), str(details.get("division") or "")]
    row: list[CellValue] = [entry.number, f"{at:%Y-%m-%d}", f"{at:%H:%M:%S}", entry.by_name, *texts]
    for key in ("round", "table", "first_points", "second_points"):
        value = details.get(key)
        row.append(value if isinstance(value, int) else None)  # some verbs keep something else under this name
    return row
