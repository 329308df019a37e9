"""Photos of the paper sheets. The file is written before its row and removed after it: a crash never leaves a row
without its picture. A deleted photo is gone for good (a face, the wrong paper); the page asks once first."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.limits import PHOTOS
from games.models import Photo
from tournament.basics.pictures import SentFile, clean_photos, remove_upload, store_picture
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.errands import REMOVE_UPLOAD, leave_errand
from tournament.core.words.rounds import make_place_details
from tournament.models import JournalEntry, Pairing
from tournament.results.operations import get_published_round


class TooManyPhotos(Refusal, code="too_many_photos", field="photos"):
    message = _("This game already has photos (%(count)s); at most %(limit)s are possible. Delete one first.")


class NoPhotoChosen(Refusal, code="no_photo", field="photos"):
    message = _("No photo was chosen. Take one or choose a file.")


def attach_photos(
    pairing: Pairing, *, sent: list[SentFile], actor: Actor, most_of_one: int | None = None, again: bool = True
) -> list[Photo]:
    """Attach pictures to a game, all or none; returns those that are new to it. `most_of_one`: how many the actor may
    attach in all; `again`: whether it may have photos already. Raises what `clean_photos` and `store_picture` raise,
    `NoPhotoChosen`, `RoundNotPublished`, or a refusal if there are too many or some already."""
    if not sent:
        raise NoPhotoChosen
    if len(sent) > PHOTOS:
        said = _("These are %(count)s photos; a game may have %(limit)s. Choose fewer.")
        raise Refusal("too_many_sent", said, field="photos", count=len(sent), limit=PHOTOS)
    pictures_by_hash = {picture.sha256: picture for picture in clean_photos(sent)}
    tournament = pairing.round.division.tournament
    written: list[str] = []
    try:
        with change(tournament, actor=actor, verb="attach_photos", **_build_journal_details(pairing)) as log:
            get_published_round(pairing)
            there = set(Photo.objects.filter(pairing=pairing).values_list("sha256", flat=True))
            new = [picture for key, picture in pictures_by_hash.items() if key not in there]
            _require_room(pairing, actor, len(new), len(there), most_of_one, again=again)
            log.tell(count=len(new))
            made = []
            for picture in new:
                columns = store_picture(picture)
                written.append(columns["name"])
                by = {"by": actor.user, "by_name": actor.shown_name, "at": log.now}
                made.append(log.create(Photo(pairing=pairing, **columns, **by)))
            return made
    # Ctrl+C and a full disk as well: the row is rolled back with the change, the file would stay, and nothing points to
    # it any more.
    except BaseException:
        for name in written:
            remove_upload(name)
        raise


def _require_room(
    pairing: Pairing, actor: Actor, new: int, there: int, most_of_one: int | None, *, again: bool
) -> None:
    if new and there and not again:
        said = _("A photo of this game is there already. To send one more, tick this and choose the photo again.")
        raise Refusal("photo_there", said, field="again")
    if there + new > PHOTOS:
        raise TooManyPhotos(count=there, limit=PHOTOS)
    if most_of_one is None:
        return
    own = Photo.objects.filter(pairing=pairing, by=actor.user, by_name=actor.shown_name).count()
    if own + new > most_of_one:
        said = _("Photos of this game that you have sent: %(count)s. Each player can send at most %(limit)s.")
        raise Refusal("too_many_photos_of_one", said, field="photos", count=own, limit=most_of_one)


def delete_photo(photo: Photo, *, actor: Actor) -> None:
    """Delete a photo for good: the row, then the file once that is certain. Raises `RowDeleted` if it is gone."""
    tournament, details = photo.pairing.round.division.tournament, _build_journal_details(photo.pairing)
    with change(tournament, actor=actor, verb="delete_photo", **details) as log:
        log.delete(Photo.objects.get(pk=photo.pk))
        leave_errand(REMOVE_UPLOAD, name=photo.name)


def remove_photo_file(sender: type[models.Model], instance: models.Model, **_kwargs: Any) -> None:
    """Remove the file of a photo whose row went with its whole tournament, once that is certain: such a tournament has
    no journal any more. Otherwise undo can bring the row back, and then its file has to be there."""
    assert isinstance(instance, Photo)
    if not JournalEntry.objects.filter(tournament=instance.pairing.round.division.tournament_id).exists():
        leave_errand(REMOVE_UPLOAD, name=instance.name)


def _build_journal_details(pairing: Pairing) -> dict[str, Any]:
    return {**make_place_details(pairing), "names": [seat.entry.name for seat in pairing.seats.all()]}
