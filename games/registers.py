"""What this app adds to the registers of the app below: its tables and verbs, its addresses, its parts of files,
screens and paper."""

from django.db.models import signals

from games import access, archive, journal
from games.duplicate import demo, public, rows, undoing
from games.duplicate import documents as session
from games.entry import second
from games.models import Photo, WordList
from games.photos import operations as photos
from games.round_play import views as round_play
from tournament import acts, records
from tournament import demo as examples
from tournament.exchange import duplicate_sessions
from tournament.exchange.archive import additions
from tournament.models import Screen
from tournament.operations import undo
from tournament.printing import documents, final_text
from tournament.views.screens import parts
from tournament.words import journal as journal_words


def fill() -> None:
    """Make everything known; once, when the program starts."""
    acts.add(access.ADDRESSES)
    _tables_and_verbs()
    _files()
    examples.KINDS["duplicate"] = demo.load
    parts.MADE[Screen.Shows.DUPLICATE] = public.screen
    parts.MADE[Screen.Shows.ROUND_PLAY] = round_play.screen
    documents.MORE.update({f"session-{name}": session.printed_as(name) for name in session.DOCUMENTS})
    final_text.SESSIONS.append(session.lines)
    signals.post_delete.connect(photos.remove_with_tournament, sender=Photo)


def _tables_and_verbs() -> None:
    """For the journal, undo, and deleting a tournament."""
    records.add(journal.OWNED)
    records.BESIDE.append(WordList)
    records.UNSETTLED.append(second.unsettled)
    records.DETAILS.update(journal.DETAILS)
    records.FILES[Photo] = records.pictures("pairing__seats__entry")
    journal_words.VERBS.update(journal.VERBS)
    journal_words.QUIET.update(journal.QUIET)
    undo.UNDOABLE.update(journal.UNDOABLE)
    undo.STILL_FITS.update(undoing.STILL_FITS)


def _files() -> None:
    """For tournament files and archives."""
    duplicate_sessions.STORES.append(duplicate_sessions.SessionStore(rows.store, rows.load))
    additions.LISTS.update(archive.LISTS)
    additions.CHECKS.update(archive.CHECKS)
    additions.WORD_LISTS.append(archive.lists_asked)
    additions.MISSING_LISTS.append(archive.lists_missing)
