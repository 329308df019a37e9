"""Pages that show, attach and delete the photos of a game; for the tournament's directors only."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods

from games.core.pages import get_game_row_or_404, make_table_context
from games.limits import PHOTOS
from games.models import Photo
from games.photos.forms import PhotosForm
from games.photos.operations import attach_photos, delete_photo
from tournament.access.rules import get_actor, get_directed_tournament, get_open_pairing
from tournament.basics.pictures import build_picture_response
from tournament.models import Pairing
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals


def list_photos(pairing: Pairing) -> list[Photo]:
    """A game's photos in the order they were attached."""
    return list(Photo.objects.filter(pairing=pairing).order_by("pk"))


@login_required
@require_http_methods(["GET", "POST"])
def show_photos(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A game's photos, and the form that attaches more."""
    pairing = get_open_pairing(get_directed_tournament(request, slug), pk)
    form = PhotosForm(request.POST, request.FILES) if request.method == "POST" else PhotosForm()
    if done := form.done(lambda _data: attach_photos(pairing, sent=form.sent, actor=get_actor(request))):
        if count := len(done.result):
            said = ngettext("%(count)s photo is attached.", "%(count)s photos are attached.", count)
            messages.success(request, said % {"count": count})
        if len(form.sent) > count:
            messages.info(request, _("Photos that were already attached are not attached again."))
        return redirect("games:photos", slug, pk)
    shown = {"form": form, "photos": list_photos(pairing), "most": PHOTOS}
    return render(request, "games/photos/photos.html", {**make_table_context(pairing), **shown})


@login_required
@require_GET
def show_photo(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """The picture itself, sent so that no browser takes it for anything else."""
    found = get_game_row_or_404(Photo, get_directed_tournament(request, slug), pk)
    return build_picture_response(found.name, f"photo-{found.pk}.jpg")


@login_required
@require_http_methods(["GET", "POST"])
def confirm_photo_deletion(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask once, then delete a photo for good."""
    found = get_game_row_or_404(Photo, get_directed_tournament(request, slug), pk)
    pairing = get_open_pairing(found.pairing.round.division.tournament, found.pairing_id)
    if request.method == "GET":
        return render(request, "games/photos/delete.html", {**make_table_context(pairing), "photo": found})
    with show_refusals(request):
        delete_photo(found, actor=get_actor(request))
        messages.success(request, _("The photo is deleted."))
    return redirect("games:photos", slug, pairing.pk)
