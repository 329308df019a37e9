"""Photos of the paper sheets: attached to a game, and deleted.

The file is written before its row and removed after it: a crash in between leaves a file that nothing refers to,
never a row without its picture. A photo that was deleted is gone: somebody may ask for that (a face, the wrong paper),
so the file does not wait for an undo; the page asks once first.
"""

from functools import partial
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext_lazy as _

from games.limits import PHOTOS
from games.models import Photo
from tournament.basics.pictures import Jpeg, SentFile, clean_photos, remove_upload, store_picture
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.words.rounds import make_place_details
from tournament.models import JournalEntry, Pairing
from tournament.results.operations import get_published_round


class TooManyPhotos(Refusal):
    code = "too_many_photos"
    message = _("%(count)s photo(s) are attached to this game; at most %(limit)s are possible. Delete one first.")
    field = "photos"


class TooManyOwnPhotos(Refusal):
    code = "too_many_photos_of_one"
    message = _("You have sent %(count)s photo(s) of this game; each player may send %(limit)s.")
    field = "photos"


class TooManyPhotosSent(Refusal):
    code = "too_many_sent"
    message = _("These are %(count)s photos; a game may have %(limit)s. Choose fewer.")
    field = "photos"


class NoPhotoChosen(Refusal):
    code = "no_photo"
    message = _("No photo was chosen. Take one or choose a file.")
    field = "photos"


def attach_photos(
    pairing: Pairing, *, sent: list[SentFile], actor: Actor, most_of_one: int | None = None
) -> list[Photo]:
    """Attach pictures to a game, all or none; returns the new ones. One that is attached already is not attached again.

    `most_of_one`: the actor may have attached so many, no more. Raises `Refusals` with a fault for each file that is
    not kept, `NoPhoto`, `TooManySent`, `RoundNotPublished`, `TooManyPhotos`, `TooManyOfOne`, `NotKept`, or `Busy` where
    others send files at the same moment.
    """
    if not sent:
        raise NoPhotoChosen
    if len(sent) > PHOTOS:
        raise TooManyPhotosSent(count=len(sent), limit=PHOTOS)
    cleaned = clean_photos(sent)
    return _attach_pictures(pairing, {picture.sha256: picture for picture in cleaned}, actor, most_of_one)


def _attach_pictures(
    pairing: Pairing, pictures_by_hash: dict[str, Jpeg], actor: Actor, most_of_one: int | None
) -> list[Photo]:
    tournament = pairing.round.division.tournament
    written: list[str] = []
    try:
        with change(tournament, actor=actor, verb="attach_photos", **_build_journal_details(pairing)) as log:
            get_published_round(pairing)
            there = set(Photo.objects.filter(pairing=pairing).values_list("sha256", flat=True))
            new = {key: picture for key, picture in pictures_by_hash.items() if key not in there}
            _require_room(len(there), len(new))
            if most_of_one is not None:
                _require_own_room(pairing, actor, len(new), most_of_one)
            log.tell(count=len(new))
            made = []
            for picture in new.values():
                columns = store_picture(picture)
                written.append(columns["name"])
                by = {"by": actor.user, "by_name": actor.shown_name, "at": log.now}
                made.append(log.create(Photo(pairing=pairing, **columns, **by)))
            return made
    except BaseException:
        for name in written:
            remove_upload(name)
        raise


def _require_room(there: int, new: int) -> None:
    if there + new > PHOTOS:
        raise TooManyPhotos(count=there, limit=PHOTOS)


def _require_own_room(pairing: Pairing, actor: Actor, new: int, limit: int) -> None:
    theirs = Photo.objects.filter(pairing=pairing, by=actor.user, by_name=actor.shown_name).count()
    if theirs + new > limit:
        raise TooManyOwnPhotos(count=theirs, limit=limit)


def delete_photo(photo: Photo, *, actor: Actor) -> None:
    """Delete a photo for good: the row, then the file once that is certain. Raises `change.Gone` if it is gone."""
    pairing = photo.pairing
    with change(
        pairing.round.division.tournament, actor=actor, verb="delete_photo", **_build_journal_details(pairing)
    ) as log:
        log.delete(Photo.objects.get(pk=photo.pk))
        transaction.on_commit(partial(remove_upload, photo.name))


def remove_photo_file(sender: type[models.Model], instance: models.Model, **_kwargs: Any) -> None:
    """A photo's row was deleted: with a whole tournament its file goes too, when that is certain.

    A tournament that is being deleted has handed its journal over. Otherwise (a knock-out game that is laid out anew)
    undo can bring the row back, and then its file has to be there.
    """
    assert isinstance(instance, Photo)
    tournament = instance.pairing.round.division.tournament_id
    if not JournalEntry.objects.filter(tournament=tournament).exists():
        transaction.on_commit(partial(remove_upload, instance.name))


def _build_journal_details(pairing: Pairing) -> dict[str, Any]:
    names = [seat.entry.name for seat in pairing.seats.all()]
    return {**make_place_details(pairing), "names": names}
