"""Those entered, from their rows to the lines of the printed lists."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Division, Entry
from tournament.printing import values
from tournament.words import figures, outcomes


def entry_lines(division: Division) -> tuple[tuple[values.EntryLine, ...], tuple[str, ...]]:
    """Everybody entered, by name, and how many they are in words. One query."""
    lines = tuple(_entry_line(entry) for entry in Entry.objects.filter(division=division).with_names().by_name())
    return lines, (ngettext("%(count)s player", "%(count)s players", len(lines)) % {"count": len(lines)},)


def _entry_line(entry: Entry) -> values.EntryLine:
    late = _("from round %(number)s") % {"number": entry.first_round}
    marks = (
        _("guest") if entry.guest else "",
        late if entry.first_round > 1 else "",
        "" if entry.withdrawn_after is None else outcomes.withdrawn(entry.withdrawn_after),
        entry.exception,
    )
    return values.EntryLine(
        key=entry.key,
        name=entry.name,
        club=entry.club.name if entry.club else "",
        rating=figures.rating(entry.rating),
        games=figures.points(entry.games),
        mark=", ".join(mark for mark in marks if mark),
        present=entry.present,
        fee_paid=entry.fee_paid,
    )
