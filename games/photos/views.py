"""The photos of a game: seen, attached, deleted. Only the tournament's directors can reach them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from games.limits import PHOTOS
from games.models import Photo
from games.photos import operations
from games.photos.forms import PhotosForm
from games.shared import frame
from games.shared.lookup import row_of
from tournament import access
from tournament.models import Pairing
from tournament.pictures.files import response
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required


def of(pairing: Pairing) -> list[Photo]:
    """A game's photos in the order they were attached."""
    return list(Photo.objects.filter(pairing=pairing).order_by("pk"))


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A game's photos, and the form that attaches more."""
    tournament = access.directed_tournament(request, slug)
    pairing = access.pairing_of(tournament, pk)
    form = PhotosForm(request.POST, request.FILES) if request.method == "POST" else PhotosForm()
    made: list[Photo] = []
    if request.method == "POST" and form.done(lambda _data: made.extend(_attached(request, pairing, form))):
        _say(request, len(made), len(form.sent))
        return redirect("games:photos", slug, pk)
    shown = {"form": form, "photos": of(pairing), "most": PHOTOS}
    return render(request, "games/photos/photos.html", {**frame.of(pairing), **shown})


def _attached(request: HttpRequest, pairing: Pairing, form: PhotosForm) -> list[Photo]:
    return operations.attach_photos(pairing, sent=form.sent, actor=access.actor(request))


def _say(request: HttpRequest, made: int, sent: int) -> None:
    if made:
        said = ngettext("%(count)s photo is attached.", "%(count)s photos are attached.", made) % {"count": made}
        messages.success(request, said)
    if sent > made:
        messages.info(request, _("What was attached already is not attached a second time."))


@login_required
@require_GET
def photo(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """The picture itself, as a file that no browser takes for anything else."""
    found = row_of(Photo, access.directed_tournament(request, slug), pk)
    return response(found.name, f"photo-{found.pk}.jpg")


@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask once, then delete a photo for good."""
    found = row_of(Photo, access.directed_tournament(request, slug), pk)
    pairing = access.pairing_of(found.pairing.round.division.tournament, found.pairing_id)
    if request.method == "GET":
        return render(request, "games/photos/delete.html", {**frame.of(pairing), "photo": found})
    with button_refusals.refusals(request):
        operations.delete_photo(found, actor=access.actor(request))
        messages.success(request, _("The photo is deleted."))
    return redirect("games:photos", slug, pairing.pk)
