"""Photos of players for the ceremony: given, taken along to a copied event, and removed.

A photo that was removed is gone: a player may ask not to be shown, so the file does not wait for an undo.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from tournament.models import Entry, JournalEntry, Portrait
from tournament.operations.change import Actor, Change, change
from tournament.pictures import files
from tournament.pictures.rewriting import SentFile, clean_all
from tournament.refusals import Refusal

EDGE = 1200
"""Pixels of the longer edge: a screen's whole height, or half of that of a very fine one."""


class NoPortrait(Refusal):
    code = "no_portrait"
    message = _("No photo was chosen for %(name)s. Take one or choose a file.")
    field = "photos"


def give_portrait(entry: Entry, *, sent: SentFile | None, actor: Actor) -> Portrait:
    """Keep a photo of a player, rewritten without its hidden data; one that was given before is gone.

    Raises `NoPortrait`, `Refusals` for a file that is no such picture, `files.NotKept`, or `Busy` where others send
    files at the same moment.
    """
    if sent is None:
        raise NoPortrait(name=entry.name)
    (picture,) = clean_all([sent], EDGE)
    columns = files.keep(picture)
    try:
        with change(entry.tournament, actor=actor, verb="give_portrait", name=entry.name) as log:
            _delete(log, entry)
            return log.create(Portrait(entry=Entry.objects.get(pk=entry.pk), **columns))
    except BaseException:
        files.remove(columns["name"])
        raise


def remove_portrait(entry: Entry, *, actor: Actor) -> None:
    """Remove a player's photo for good; nothing happens where there is none."""
    with change(entry.tournament, actor=actor, verb="remove_portrait", name=entry.name) as log:
        _delete(log, entry)


def take_along(log: Change, made: Mapping[int, Entry]) -> None:
    """Give the entries of a copied event, by the old entry's id, the photos of the old ones, each a file of its own.

    A photo whose file is not there any more, or cannot be written again, stays behind: the copy is not refused for it.
    """
    for old in Portrait.objects.filter(entry__in=made).order_by("pk"):
        try:
            name = files.write(files.path(old.name).read_bytes())
        except OSError:
            continue
        same = {field: getattr(old, field) for field in ("content_type", "size", "width", "height", "sha256")}
        log.create(Portrait(entry=made[old.entry_id], name=name, **same))


def leave_with_entry(log: Change, entry: Entry) -> None:
    """Take the row away with an entry that is taken back; the file stays, since undo may bring both back."""
    log.delete_all(list(Portrait.objects.filter(entry=entry)))


def _delete(log: Change, entry: Entry) -> None:
    for portrait in Portrait.objects.filter(entry=entry):
        log.delete(portrait)
        transaction.on_commit(partial(files.remove, portrait.name))


def remove_with_tournament(sender: type[models.Model], instance: models.Model, **_kwargs: Any) -> None:
    """A photo's row was deleted: with a whole tournament its file goes too, when that is certain.

    A tournament that is being deleted has handed its journal over. Otherwise (an entry that was taken back) undo can
    bring the row back, and then its file has to be there.
    """
    assert isinstance(instance, Portrait)
    if not JournalEntry.objects.filter(tournament=instance.entry.tournament_id).exists():
        transaction.on_commit(partial(files.remove, instance.name))
