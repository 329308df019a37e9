"""Photos of the paper sheets: attached to a game, and deleted.

The file is written before its row and removed after it: a crash in between leaves a file that nothing refers to,
never a row without its picture. A photo that was deleted is gone: somebody may ask for that (a face, the wrong paper),
so the file does not wait for an undo; the page asks once first.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import IO, Any

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from games.limits import PHOTO_BYTES, PHOTOS
from games.models import Photo
from games.photos import pictures, store
from tournament import one_at_a_time, records
from tournament.limits import QUOTED
from tournament.models import JournalEntry, Pairing
from tournament.operations.change import Actor, change
from tournament.operations.results import published_round
from tournament.refusals import Refusal, Refusals
from tournament.words import round_names

ENDING = ".jpg"


class TooManyPhotos(Refusal):
    code = "too_many_photos"
    message = _("%(count)s photo(s) are attached to this game; at most %(limit)s are possible. Delete one first.")
    field = "photos"


class TooManyOfOne(Refusal):
    code = "too_many_photos_of_one"
    message = _("You have sent %(count)s photo(s) of this game; each player may send %(limit)s.")
    field = "photos"


class TooManySent(Refusal):
    code = "too_many_sent"
    message = _("These are %(count)s photos; a game may have %(limit)s. Choose fewer.")
    field = "photos"


class NoPhoto(Refusal):
    code = "no_photo"
    message = _("No photo was chosen. Take one or choose a file.")
    field = "photos"


class NotKept(Refusal):
    code = "not_kept"
    message = _("The photo could not be written to the data folder (%(fault)s). Nothing was attached.")
    field = "photos"


@dataclass(frozen=True, slots=True)
class Sent:
    """A file as the browser sent it, read only when its turn comes. Its name is shown and never used as one."""

    name: str
    file: IO[bytes]

    def read(self) -> bytes:
        """The file, or as much of it as shows that it is too large."""
        self.file.seek(0)
        return self.file.read(PHOTO_BYTES + 1)

    @property
    def quoted(self) -> str:
        """The sender's name for it, printable and cut short."""
        shown = "".join(letter if letter.isprintable() else "�" for letter in self.name)
        return shown if len(shown) <= QUOTED else f"{shown[:QUOTED]}…"


def attach_photos(pairing: Pairing, *, sent: list[Sent], actor: Actor, most_of_one: int | None = None) -> list[Photo]:
    """Attach pictures to a game, all or none; returns the new ones. One that is attached already is not attached again.

    `most_of_one`: the actor may have attached so many, no more. Raises `Refusals` with a fault for each file that is
    not kept, `NoPhoto`, `TooManySent`, `RoundNotPublished`, `TooManyPhotos`, `TooManyOfOne`, `NotKept`, or `Busy` where
    others send files at the same moment.
    """
    if not sent:
        raise NoPhoto
    if len(sent) > PHOTOS:
        raise TooManySent(count=len(sent), limit=PHOTOS)
    with one_at_a_time.turn():
        cleaned = _cleaned(sent)
    return _attach(pairing, {_hash(picture): picture for picture in cleaned}, actor, most_of_one)


def _cleaned(sent: list[Sent]) -> list[pictures.Jpeg]:
    cleaned: list[pictures.Jpeg] = []
    faults: list[Refusal] = []
    for each in sent:
        try:
            cleaned.append(pictures.clean(each.quoted, each.read()))
        except Refusal as fault:
            faults.append(fault)
    if faults:
        raise Refusals(faults)
    return cleaned


def _attach(
    pairing: Pairing, pictures_by_hash: dict[str, pictures.Jpeg], actor: Actor, most_of_one: int | None
) -> list[Photo]:
    tournament = pairing.round.division.tournament
    written: list[str] = []
    try:
        with change(tournament, actor=actor, verb="attach_photos", **_about(pairing)) as log:
            published_round(pairing)
            there = set(Photo.objects.filter(pairing=pairing).values_list("sha256", flat=True))
            new = {key: picture for key, picture in pictures_by_hash.items() if key not in there}
            _require_room(len(there), len(new))
            if most_of_one is not None:
                _require_own_room(pairing, actor, len(new), most_of_one)
            log.tell(count=len(new))
            made = []
            for key, picture in new.items():
                written.append(_written(picture))
                made.append(log.create(_row(pairing, picture, name=written[-1], key=key, actor=actor, at=log.now)))
            return made
    except BaseException:
        for name in written:
            store.remove(name)
        raise


def _require_room(there: int, new: int) -> None:
    if there + new > PHOTOS:
        raise TooManyPhotos(count=there, limit=PHOTOS)


def _require_own_room(pairing: Pairing, actor: Actor, new: int, limit: int) -> None:
    theirs = Photo.objects.filter(pairing=pairing, by=actor.user, by_name=actor.shown_name).count()
    if theirs + new > limit:
        raise TooManyOfOne(count=theirs, limit=limit)


def _written(picture: pictures.Jpeg) -> str:
    try:
        return store.write(picture.content, ENDING)
    except OSError as fault:
        raise NotKept(fault=fault.strerror or type(fault).__name__) from fault


def _row(pairing: Pairing, picture: pictures.Jpeg, *, name: str, key: str, actor: Actor, at: datetime) -> Photo:
    return Photo(
        pairing=pairing,
        name=name,
        content_type=pictures.CONTENT_TYPE,
        size=len(picture.content),
        width=picture.width,
        height=picture.height,
        sha256=key,
        by=actor.user,
        by_name=actor.shown_name,
        at=at,
    )


def delete_photo(photo: Photo, *, actor: Actor) -> None:
    """Delete a photo for good: the row, then the file once that is certain. Raises `change.Gone` if it is gone."""
    pairing = photo.pairing
    with change(pairing.round.division.tournament, actor=actor, verb="delete_photo", **_about(pairing)) as log:
        log.delete(Photo.objects.get(pk=photo.pk))
        transaction.on_commit(partial(store.remove, photo.name))


def remove_with_tournament(sender: type[models.Model], instance: models.Model, **_kwargs: Any) -> None:
    """A photo's row was deleted: with a whole tournament its file goes too, when that is certain.

    A tournament that is being deleted has handed its journal over. Otherwise (a knock-out game that is laid out anew)
    undo can bring the row back, and then its file has to be there.
    """
    assert isinstance(instance, Photo)
    tournament = instance.pairing.round.division.tournament_id
    if not JournalEntry.objects.filter(tournament=tournament).exists():
        transaction.on_commit(partial(store.remove, instance.name))


def _keep(row: Mapping[str, Any], content: bytes) -> str:
    """Keep the picture of a photo from elsewhere. Raises ValueError if it is not one of the program's own making."""
    pictures.require_own(content, width=row["width"], height=row["height"])
    return store.write(content, ENDING)


FILES = records.Files(
    column="name",
    digest="sha256",
    path=store.path,
    keep=_keep,
    drawn_name=partial(store.drawn_name, ENDING),
    remove=store.remove,
)
"""How the files of photos are kept, for events that are made anew or come from elsewhere."""


def _hash(picture: pictures.Jpeg) -> str:
    return hashlib.sha256(picture.content).hexdigest()


def _about(pairing: Pairing) -> dict[str, Any]:
    names = [seat.entry.name for seat in pairing.seats.all()]
    return {**round_names.where(pairing), "names": names}
