"""An event made anew or carried elsewhere, in words: what came along and what did not."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Tournament


def describe_rebuilt_event(tournament: Tournament, entries: int) -> str:
    return ngettext(
        "“%(name)s” has been rebuilt from %(count)s journal entry: %(slug)s.",
        "“%(name)s” has been rebuilt from %(count)s journal entries: %(slug)s.",
        entries,
    ) % {"name": tournament.name, "count": entries, "slug": tournament.slug}


def describe_missing_from_journal(files: int, files_gone: int, set_aside: str) -> Iterator[str]:
    """What a journal does not hold, as far as it matters to this event."""
    if files:
        yield ngettext(
            "%(count)s photo was copied: its file is still in the data folder; the journal does not hold it.",
            "%(count)s photos were copied: their files are still in the data folder; the journal does not hold them.",
            files,
        ) % {"count": files}
    if files_gone:
        yield ngettext(
            "%(count)s photo is missing: its file is gone, so its line in the list of photos is left out.",
            "%(count)s photos are missing: their files are gone, so their lines in the list of photos are left out.",
            files_gone,
        ) % {"count": files_gone}
    if set_aside:
        text = _("The rows that differ from the journal are kept at %(slug)s, visible to the directors only.")
        yield text % {"slug": set_aside}
    yield _(
        "The journal contains neither accounts nor word lists: the tournament's directors direct it again if they "
        "still have an account here, and the word judge uses the current list."
    )


def describe_earlier_event(tournament: Tournament) -> str:
    """That an event stands here from before at the address that an archive had: whoever brings it back has it twice."""
    return _(
        "“%(name)s” at %(slug)s was already here and stays as it was. If it is the same event, please continue in "
        "only one of the two; you can hide or delete the other in its settings."
    ) % {"name": tournament.name, "slug": tournament.slug}


def describe_written_archive(name: str, entries: int, path: str) -> str:
    return ngettext(
        "“%(name)s” with %(count)s entry of its journal: %(path)s",
        "“%(name)s” with %(count)s entries of its journal: %(path)s",
        entries,
    ) % {"name": name, "count": entries, "path": path}


def describe_missing_from_archive(word_lists: Iterable[str]) -> Iterator[str]:
    """What an archive does not hold, as far as it matters to this event."""
    yield _(
        "It contains no accounts, e-mail addresses, phone numbers or word lists: whoever imports the event directs it "
        "there."
    )
    for title in word_lists:
        yield _("The other program needs the word list “%(title)s” for the word judge.") % {"title": title}


def describe_imported_archive(tournament: Tournament, entries: int, photos: int) -> str:
    return ngettext(
        "“%(name)s” has been imported with %(count)s journal entry (photos: %(photos)s): %(slug)s.",
        "“%(name)s” has been imported with %(count)s journal entries (photos: %(photos)s): %(slug)s.",
        entries,
    ) % {"name": tournament.name, "count": entries, "photos": photos, "slug": tournament.slug}


def describe_continued_event(tournament: Tournament, entries: int, photos: int) -> str:
    """That an event is read in and goes on here."""
    return _(
        "“%(name)s” has been imported (journal entries: %(count)s, photos: %(photos)s). Continue here; enter nothing "
        "more on the other laptop."
    ) % {"name": tournament.name, "count": entries, "photos": photos}


def describe_left_behind(photos_gone: int, lists_missing: Iterable[str]) -> Iterator[str]:
    if photos_gone:
        yield ngettext(
            "%(count)s photo was not in the archive, so it is missing here.",
            "%(count)s photos were not in the archive, so they are missing here.",
            photos_gone,
        ) % {"count": photos_gone}
    yield from lists_missing
