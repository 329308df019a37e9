"""An event made anew or carried elsewhere, in words: what came along and what did not."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Tournament


def describe_rebuilt_event(tournament: Tournament, entries: int) -> str:
    """What was made, of how much, and where it is."""
    text = ngettext(
        "“%(name)s” is made anew from %(count)s entry of its journal: %(slug)s.",
        "“%(name)s” is made anew from %(count)s entries of its journal: %(slug)s.",
        entries,
    )
    return text % {"name": tournament.name, "count": entries, "slug": tournament.slug}


def describe_missing_from_journal(files: int, files_gone: int, set_aside: str) -> Iterator[str]:
    """What a journal does not hold, as far as it matters to this event."""
    if files:
        text = ngettext(
            "%(count)s photo was copied: its file is still in the data folder; the journal does not hold it.",
            "%(count)s photos were copied: their files are still in the data folder; the journal does not hold them.",
            files,
        )
        yield text % {"count": files}
    if files_gone:
        text = ngettext(
            "%(count)s photo is missing: its file is gone, so its line in the list of photos is left out.",
            "%(count)s photos are missing: their files are gone, so their lines in the list of photos are left out.",
            files_gone,
        )
        yield text % {"count": files_gone}
    if set_aside:
        yield _("The rows that were not what the journal says are kept at %(slug)s, seen by the directors only.") % {
            "slug": set_aside
        }
    yield _(
        "The journal holds neither accounts nor word lists: those who directed the tournament direct it again if they "
        "still have an account here, and the word judge asks the list that is in use."
    )


def describe_earlier_event(tournament: Tournament) -> str:
    """That an event stands here from before at the address that an archive had: whoever brings it back has it twice."""
    return _(
        "“%(name)s” at %(slug)s stands here from before and stays as it was. If it is the same event, please go on in "
        "one of them only; the other can be hidden or deleted in its settings."
    ) % {"name": tournament.name, "slug": tournament.slug}


def describe_written_archive(name: str, entries: int, path: str) -> str:
    """What was written, and where."""
    text = ngettext(
        "“%(name)s” with %(count)s entry of its journal: %(path)s",
        "“%(name)s” with %(count)s entries of its journal: %(path)s",
        entries,
    )
    return text % {"name": name, "count": entries, "path": path}


def describe_missing_from_archive(word_lists: Iterable[str]) -> Iterator[str]:
    """What an archive does not hold, as far as it matters to this event."""
    yield _("Accounts, e-mail addresses and word lists are not in it: whoever reads it in directs the event there.")
    for title in word_lists:
        yield _("The other program needs the word list “%(title)s” for the word judge.") % {"title": title}


def describe_imported_archive(tournament: Tournament, entries: int, photos: int) -> str:
    """What was read in, and where it is."""
    text = ngettext(
        "“%(name)s” is read in with %(count)s entry of its journal (photos: %(photos)s): %(slug)s.",
        "“%(name)s” is read in with %(count)s entries of its journal (photos: %(photos)s): %(slug)s.",
        entries,
    )
    return text % {"name": tournament.name, "count": entries, "photos": photos, "slug": tournament.slug}


def describe_continued_event(tournament: Tournament, entries: int, photos: int) -> str:
    """That an event is read in and goes on here."""
    return _(
        "“%(name)s” is read in (entries of its journal: %(count)s, photos: %(photos)s). It goes on here as it stood; "
        "on the other laptop nothing more should be entered."
    ) % {"name": tournament.name, "count": entries, "photos": photos}


def describe_left_behind(photos_gone: int, lists_missing: Iterable[str]) -> Iterator[str]:
    """What did not come along."""
    if photos_gone:
        text = ngettext(
            "%(count)s photo is not in the archive, so it did not come along.",
            "%(count)s photos are not in the archive, so they did not come along.",
            photos_gone,
        )
        yield text % {"count": photos_gone}
    yield from lists_missing
