"""Backups in words: why one was made, what is in it, how old the last one is."""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.backup.places import BackupReason, DataFacts, EventFigures
from tournament.basics.moments import format_recent_time

SMALL_MEGABYTES = 10  # megabytes below which a size has a decimal


def format_backup_time(at: datetime) -> str:
    """A time of today as 14:32, an earlier one with its day."""
    # The times in the names of backups are local already, and have no zone.
    local = timezone.localtime(at) if timezone.is_aware(at) else at
    if local.date() == timezone.localdate():
        return date_format(local, "H:i")
    return date_format(local, "SHORT_DATE_FORMAT") + local.strftime(", %H:%M")


def format_megabytes(size: int) -> str:
    """A size in bytes as people read it: 0.3 MB, 12 MB."""
    figure = size / 1024**2
    # Never 0.0 MB, which would look like an empty file.
    return f"{number_format(max(figure, 0.1), 1 if figure < SMALL_MEGABYTES else 0)} MB"


def describe_backup_event(event: EventFigures) -> str:
    figures = [
        ngettext("%(n)s player", "%(n)s players", event.entries) % {"n": event.entries},
        ngettext("%(n)s round", "%(n)s rounds", event.rounds) % {"n": event.rounds},
        ngettext("%(n)s result", "%(n)s results", event.results) % {"n": event.results},
    ]
    return f"{event.name}: {', '.join(figures)}"


def describe_last_backup(at: datetime | None) -> str:
    if at is None:
        return _("There is no good backup yet.")
    return _("Last good backup: %(time)s") % {"time": format_recent_time(at)}


def describe_entries_since(facts: DataFacts, page: str) -> Iterator[str]:
    """What was entered after a backup that is restored over lost data: what comes back with it, and what somebody has
    to look through. Accounts get their passwords at the address `page`."""
    if facts.caught_up:
        yield ngettext(
            "What was entered after this backup is restored as well: %(n)s journal entry.",
            "What was entered after this backup is restored as well: %(n)s journal entries.",
            facts.caught_up,
        ) % {"n": facts.caught_up}
        if facts.caught_up_to:
            until = format_backup_time(datetime.fromisoformat(facts.caught_up_to))
            yield _("The last of them is from %(time)s; anything later has to be entered again.") % {"time": until}
        yield from map(describe_backup_event, facts.events)
    if facts.left_out:
        yield ngettext(
            "%(n)s journal entry made after this backup does not fit and is not included: please check the last "
            "results.",
            "%(n)s journal entries made after this backup do not fit and are not included: please check the last "
            "results.",
            facts.left_out,
        ) % {"n": facts.left_out}
    if facts.accounts:
        yield _(
            "Accounts created after this backup have been kept, but have no password: %(names)s. Set one on the page "
            "%(page)s."
        ) % {"names": ", ".join(facts.accounts), "page": page}
    # Also where nothing was noted: whoever has lost a database has to know that the last hour may be missing.
    if not facts.caught_up:
        yield _("What was entered after this backup is not in it: please check the last results.")


def describe_lost_photos(count: int, folder: Path) -> str:
    """That photos of the database have lost their files, and where these may still be."""
    return ngettext(
        "%(n)s photo is missing in %(folder)s: its file is gone or damaged. An earlier backup may still have it: a "
        "backup is a zip, and the photos lie in it in “uploads”.",
        "%(n)s photos are missing in %(folder)s: their files are gone or damaged. An earlier backup may still have "
        "them: a backup is a zip, and the photos lie in it in “uploads”.",
        count,
    ) % {"n": count, "folder": folder / "uploads"}


def describe_backup(at: datetime, reason: BackupReason, program: str, size: int) -> str:
    local = timezone.localtime(at)
    figures = {"day": date_format(local, "SHORT_DATE_FORMAT"), "time": date_format(local, "H:i"), "why": reason.label}
    figures |= {"program": program, "size": format_megabytes(size)}
    return _("Made on %(day)s at %(time)s, %(why)s, by version %(program)s; %(size)s") % figures


def describe_data_fault(text: str) -> str:
    return _("Fault in the data: %(text)s") % {"text": text}


def describe_first_fault(faults: Sequence[str]) -> str:
    """The first of the faults of a backup's data, and how many there are besides."""
    if not faults:
        return "–"
    more = len(faults) - 1
    if not more:
        return faults[0]
    return _("%(fault)s, and %(n)s more") % {"fault": faults[0], "n": more}


def describe_possible_loss(entries: int, after: timedelta) -> str:
    """What may be lost with a backup after which so many journal entries were made in so much time."""
    return ngettext(
        "Up to %(n)s journal entry of the %(minutes)s min after it may be lost.",
        "Up to %(n)s journal entries of the %(minutes)s min after it may be lost.",
        entries,
    ) % {"n": entries, "minutes": math.ceil(after / timedelta(minutes=1))}


def describe_saved_backup(path: Path, events: int | None, size: int) -> str:
    """Where everything was saved; `events` is None if they could not be counted."""
    figures = {"file": path, "size": format_megabytes(size), "n": events}
    if events is None:
        return _("Saved: %(file)s (%(size)s)") % figures
    return (
        ngettext(
            "Saved: %(file)s (%(n)s tournament, %(size)s)", "Saved: %(file)s (%(n)s tournaments, %(size)s)", events
        )
        % figures
    )


def describe_deleted_backups(count: int) -> str:
    return ngettext(
        "%(n)s backup with the name was deleted, after a new one without it was made.",
        "%(n)s backups with the name were deleted, after a new one without it was made.",
        count,
    ) % {"n": count}
