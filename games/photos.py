"""Photos of the paper sheets. The file is written before its row and removed after it: a crash never leaves a row
without its picture. A deleted photo is gone for good (a face, the wrong paper); the page asks once first."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods

from games.core.pages import get_game_row_or_404, make_table_context
from games.limits import PHOTOS
from games.models import Photo
from tournament.access.rules import get_actor, get_directed_tournament, get_open_pairing
from tournament.basics.pictures import SentFile, build_picture_response, clean_photos, remove_upload, store_picture
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.errands import REMOVE_UPLOAD, leave_errand
from tournament.core.words.rounds import make_place_details
from tournament.models import JournalEntry, Pairing
from tournament.pages.forms import FilesInput, OperationForm, PhotosField
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals
from tournament.results.operations import get_published_round


def attach_photos(
    pairing: Pairing, *, sent: list[SentFile], actor: Actor, most_of_one: int | None = None, again: bool = True
) -> list[Photo]:
    """Attach pictures to a game, all or none; returns those that are new to it. `most_of_one`: how many the actor may
    attach in all; `again`: whether it may have photos already. Raises what `clean_photos` and `store_picture` raise,
    `no_photo`, `RoundNotPublished`, or a refusal if there are too many or some already."""
    if not sent:
        raise Refusal("no_photo", gettext_lazy("No photo was chosen. Take one or choose a file."), field="photos")
    if len(sent) > PHOTOS:
        message = gettext_lazy("These are %(count)s photos; a game may have %(limit)s. Choose fewer.")
        raise Refusal("too_many_sent", message, field="photos", count=len(sent), limit=PHOTOS)
    # Before the lock is taken: photos are decoded in a process of its own, and meanwhile nobody else could save a
    # result.
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
            photos = []
            for picture in new:
                columns = store_picture(picture)
                written.append(columns["name"])
                by = {"by": actor.user, "by_name": actor.shown_name, "at": log.now}
                photos.append(log.create(Photo(pairing=pairing, **columns, **by)))
            return photos
    # Ctrl+C and a full disk as well: the row is rolled back with the change, the file would stay, and nothing points to
    # it any more.
    except BaseException:
        for name in written:
            remove_upload(name)
        raise


def _require_room(
    pairing: Pairing, actor: Actor, new: int, there: int, most_of_one: int | None, *, again: bool
) -> None:
    # Of new ones only: a phone that heard no answer sends the same photo again, and that is no second one.
    if new and there and not again:
        message = gettext_lazy(
            "A photo of this game is there already. To send one more, tick this and choose the photo again."
        )
        raise Refusal("photo_there", message, field="again")
    if there + new > PHOTOS:
        raise Refusal(
            "too_many_photos",
            gettext_lazy("This game already has photos (%(count)s); at most %(limit)s are possible. Delete one first."),
            field="photos",
            count=there,
            limit=PHOTOS,
        )
    if most_of_one is None:
        return
    # By the name as well: players come by a personal link and have no account, so that all of them would be one.
    own = Photo.objects.filter(pairing=pairing, by=actor.user, by_name=actor.shown_name).count()
    if own + new > most_of_one:
        message = gettext_lazy(
            "Photos of this game that you have sent: %(count)s. Each player can send at most %(limit)s."
        )
        raise Refusal("too_many_photos_of_one", message, field="photos", count=own, limit=most_of_one)


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


class PhotosForm(OperationForm):
    """Photos to attach: those taken now and those chosen from the device."""

    # Two fields, since a phone opens its camera at once for one with `capture`, and offers no pictures that were taken
    # before.
    camera = PhotosField(
        label=gettext_lazy("Take a photo"),
        required=False,
        widget=FilesInput(attrs={"accept": "image/*", "capture": "environment"}),
    )
    photos = PhotosField(
        label=gettext_lazy("Or choose photos"),
        required=False,
        help_text=gettext_lazy("JPEG, PNG or WebP, at most 10 MB each. Place, time and camera are removed."),
    )

    again = forms.BooleanField(required=False, label=gettext_lazy("One more photo, beside the one that is there"))

    @property
    def sent(self) -> list[SentFile]:
        return [*self.cleaned_data["camera"], *self.cleaned_data["photos"]]


def list_photos(pairing: Pairing) -> list[Photo]:
    """A game's photos in the order they were attached."""
    return list(Photo.objects.filter(pairing=pairing).order_by("pk"))


@login_required
@require_http_methods(["GET", "POST"])
def show_photos(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A game's photos, and the form that attaches more."""
    pairing = get_open_pairing(get_directed_tournament(request, slug), pk)
    form = PhotosForm(request.POST, request.FILES) if request.method == "POST" else PhotosForm()
    if outcome := form.done(lambda _data: attach_photos(pairing, sent=form.sent, actor=get_actor(request))):
        if count := len(outcome.result):
            message = ngettext("%(count)s photo is attached.", "%(count)s photos are attached.", count)
            messages.success(request, message % {"count": count})
        if len(form.sent) > count:
            messages.info(request, _("Photos that were already attached are not attached again."))
        return redirect("games:photos", slug, pk)
    context = {"form": form, "photos": list_photos(pairing), "most": PHOTOS}
    return render(request, "games/photos/photos.html", {**make_table_context(pairing), **context})


@login_required
@require_GET
def show_photo(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """The picture itself, sent so that no browser takes it for anything else."""
    photo = get_game_row_or_404(Photo, get_directed_tournament(request, slug), pk)
    return build_picture_response(photo.name, f"photo-{photo.pk}.jpg")


@login_required
@require_http_methods(["GET", "POST"])
def confirm_photo_deletion(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask once, then delete a photo for good."""
    photo = get_game_row_or_404(Photo, get_directed_tournament(request, slug), pk)
    pairing = get_open_pairing(photo.pairing.round.division.tournament, photo.pairing_id)
    if request.method == "GET":
        return render(request, "games/photos/delete.html", {**make_table_context(pairing), "photo": photo})
    with show_refusals(request):
        delete_photo(photo, actor=get_actor(request))
        messages.success(request, _("The photo is deleted."))
    return redirect("games:photos", slug, pairing.pk)


urlpatterns = [
    path("director/<slug:slug>/result/<int:pk>/photos/", show_photos, name="photos"),
    path("director/<slug:slug>/photo/<int:pk>/", show_photo, name="photo"),
    path("director/<slug:slug>/photo/<int:pk>/delete/", confirm_photo_deletion, name="photo_delete"),
]
