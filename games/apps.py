"""The app's name and label."""

from django.apps import AppConfig
from django.db.models import signals
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """What happens at a table."""

    name = "games"
    verbose_name = _("Games")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make this app's tables and verbs known to the journal, to undo and to deleting a tournament, its addresses
        to `acts`."""
        from games import access as own_access  # noqa: PLC0415  # as below
        from games import archive  # noqa: PLC0415  # models can be imported only once the apps are loaded
        from games import journal as own  # noqa: PLC0415  # as above
        from games.duplicate import demo, public, rows, undoing  # noqa: PLC0415  # as above
        from games.duplicate import documents as session  # noqa: PLC0415  # as above
        from games.entry import second  # noqa: PLC0415  # as above
        from games.models import Photo, WordList  # noqa: PLC0415  # as above
        from games.photos import operations as photos  # noqa: PLC0415  # as above
        from games.round_play import views as round_play  # noqa: PLC0415  # as above
        from tournament import acts, records  # noqa: PLC0415  # as above
        from tournament import demo as examples  # noqa: PLC0415  # as above
        from tournament.exchange import duplicates  # noqa: PLC0415  # as above
        from tournament.exchange.archive import additions  # noqa: PLC0415  # as above
        from tournament.models import Screen  # noqa: PLC0415  # as above
        from tournament.operations import undo  # noqa: PLC0415  # as above
        from tournament.printing import documents, final_text  # noqa: PLC0415  # as above
        from tournament.views.screens import parts as shown  # noqa: PLC0415  # as above
        from tournament.words import journal  # noqa: PLC0415  # as above

        acts.add(own_access.ADDRESSES)
        records.add(own.OWNED)
        records.BESIDE.append(WordList)
        records.UNSETTLED.append(second.unsettled)
        records.DETAILS.update(own.DETAILS)
        records.FILES[Photo] = records.pictures("pairing__seats__entry")
        examples.KINDS["duplicate"] = demo.load
        duplicates.ROWS.append(duplicates.SessionStore(rows.store, rows.load))
        additions.LISTS.update(archive.LISTS)
        additions.CHECKS.update(archive.CHECKS)
        additions.WORD_LISTS.append(archive.lists_asked)
        additions.MISSING_LISTS.append(archive.lists_missing)
        shown.MADE[Screen.Shows.DUPLICATE] = public.screen
        shown.MADE[Screen.Shows.ROUND_PLAY] = round_play.screen
        journal.VERBS.update(own.VERBS)
        journal.QUIET.update(own.QUIET)
        documents.MORE.update({f"session-{name}": session.printed_as(name) for name in session.DOCUMENTS})
        final_text.SESSIONS.append(session.lines)
        undo.UNDOABLE.update(own.UNDOABLE)
        undo.STILL_FITS.update(undoing.STILL_FITS)
        signals.post_delete.connect(photos.remove_with_tournament, sender=Photo)
