"""An event made anew or carried elsewhere, in words: what came along and what did not."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Tournament


def rebuilt(tournament: Tournament, entries: int) -> str:
    """What was made, of how much, and where it is."""
    text = ngettext(
        "“%(name)s” is made anew from %(count)s entry of its journal: %(slug)s.",
        "“%(name)s” is made anew from %(count)s entries of its journal: %(slug)s.",
        entries,
    )
    return text % {"name": tournament.name, "count": entries, "slug": tournament.slug}


def not_in_the_journal(files: int, files_gone: int, set_aside: str) -> Iterator[str]:
    """What a journal does not hold, as far as it matters to this event."""
    if files:
        text = ngettext(
            "%(count)s photo was copied: its file is still in the data folder; the journal does not hold it.",
            "%(count)s photos were copied: their files are still in the data folder; the journal does not hold them.",
            files,
        )
        yield text % {"count": files}
    yield from photos_gone(files_gone)
    if set_aside:
        yield _("The rows that were not what the journal says are kept at %(slug)s, seen by the directors only.") % {
            "slug": set_aside
        }
    yield _(
        "The journal holds neither accounts nor word lists: those who directed the tournament direct it again if they "
        "still have an account here, and the word judge asks the list that is in use."
    )


def photos_gone(count: int) -> Iterator[str]:
    """That pictures are missing."""
    if count:
        text = ngettext(
            "%(count)s photo is missing: its file is gone, so its line in the list of photos is left out.",
            "%(count)s photos are missing: their files are gone, so their lines in the list of photos are left out.",
            count,
        )
        yield text % {"count": count}
