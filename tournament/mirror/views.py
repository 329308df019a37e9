"""Pages about mirrors: where an event is sent (on a laptop), the links (hosted); and what takes the messages."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from tournament.access.rules import get_chosen_division
from tournament.basics import limits
from tournament.basics.addresses import build_full_address, is_laptop
from tournament.basics.qr import make_qr_picture
from tournament.mirror.forms import MirrorLinkForm, MirrorTargetForm, WebsiteFolderForm
from tournament.mirror.messages import CONTENT_TYPE, SIGNATURE_HEADER, BadMessage, make_secret
from tournament.mirror.operations import (
    end_mirror,
    end_website_folder,
    forget_mirror,
    pause_mirror,
    pause_website_folder,
    read_scanned_link,
    set_mirror_target,
    set_website_folder,
    take_mirror_over,
)
from tournament.mirror.receiving import (
    NoSuchLink,
    create_mirror_link,
    remove_mirror_link,
    revoke_mirror_link,
    take_message,
)
from tournament.mirror.sending import SendFault, get_sender
from tournament.mirror.words import describe_folder, describe_link, describe_target
from tournament.models import MirrorLink, MirrorTarget, Tournament, WebsiteFolder
from tournament.pages.frames import build_director_context, build_organiser_context, build_own_organiser_context
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import director_page

NEW_LINK_KEY = "new_mirror_link"  # where a session keeps the link that was just made, until it is shown
HEAD_BYTES = 2_000  # of a message, before the state


# A laptop has no cookie of ours, and so no token: the signature says from whom a message is.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def receive_message(request: HttpRequest, key: str) -> HttpResponse:
    """Take a message from a laptop. Whoever opens the link in a browser is told what it is for."""
    if request.method == "GET":
        return render(request, "tournament/mirror/opened.html")
    # Asked before the body is read: whoever has no link must not fill the memory with one.
    if int(request.META.get("CONTENT_LENGTH") or 0) > limits.MIRROR_PACKED_BYTES + HEAD_BYTES:
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        answer, signature = take_message(key, request.body, request.headers.get(SIGNATURE_HEADER, ""))
    except NoSuchLink:
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    except BadMessage:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    return HttpResponse(answer, content_type=CONTENT_TYPE, headers={SIGNATURE_HEADER: signature})


# On the laptop.


@director_page("GET", "POST", offered=is_laptop)
def edit_mirror(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Where the event is sent, and which folder holds its website; POST sends it by a link, pasted or
    scanned."""
    form = MirrorTargetForm(request.POST, request.FILES) if request.method == "POST" else MirrorTargetForm()
    if form.done(lambda typed: set_mirror_target(tournament, link=typed["link"] or read_scanned_link(form.pictures))):
        messages.success(request, _("The event is sent to the mirror from now on."))
        return _back_to_mirror(tournament)
    return _render_mirror_page(request, tournament, form=form)


@director_page("POST", offered=is_laptop)
def submit_website_folder(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Keep the website in a folder; the page again if it cannot be."""
    form = WebsiteFolderForm(request.POST)
    if form.done(lambda typed: set_website_folder(tournament, path=typed["path"])):
        messages.success(request, _("The website is kept up to date in this folder from now on."))
        return _back_to_mirror(tournament)
    return _render_mirror_page(request, tournament, folder_form=form)


@director_page("POST", offered=is_laptop)
def act_on_mirror(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Press a button: pause, go on, take over, end, forget. Nothing happens where nothing is sent any more."""
    target = MirrorTarget.objects.filter(tournament=tournament).first()
    folder = WebsiteFolder.objects.filter(tournament=tournament).first()
    act, sentence = request.POST.get("act", ""), ""
    if target is not None and act in TARGET_ACTS:
        do, text = TARGET_ACTS[act]
        do(target)
        sentence = str(text())
    elif folder is not None and act in FOLDER_ACTS:
        do_folder, text = FOLDER_ACTS[act]
        do_folder(folder)
        sentence = str(text())
    if sentence:
        messages.success(request, sentence)
    return _back_to_mirror(tournament)


TARGET_ACTS: dict[str, tuple[Callable[[MirrorTarget], None], Callable[[], str]]] = {
    "pause": (lambda target: pause_mirror(target, paused=True), lambda: _("The mirror is paused.")),
    "resume": (lambda target: pause_mirror(target, paused=False), lambda: _("The mirror goes on.")),
    "take_over": (take_mirror_over, lambda: _("This laptop sends the event from now on.")),
    "end": (end_mirror, lambda: _("Nothing more is sent. What the mirror shows stays there.")),
    "forget": (forget_mirror, lambda: _("The mirror deletes the event as soon as it can be reached.")),
}
FOLDER_ACTS: dict[str, tuple[Callable[[WebsiteFolder], None], Callable[[], str]]] = {
    "folder_pause": (lambda row: pause_website_folder(row, paused=True), lambda: _("The folder is left as it is.")),
    "folder_resume": (lambda row: pause_website_folder(row, paused=False), lambda: _("The folder is kept up to date.")),
    "folder_end": (end_website_folder, lambda: _("Nothing more is written into the folder. The files stay there.")),
}


def _back_to_mirror(tournament: Tournament) -> HttpResponse:
    if (sender := get_sender()) is not None:
        sender.wake()
    return redirect("director:mirror", tournament.slug)


def _render_mirror_page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    form: MirrorTargetForm | None = None,
    folder_form: WebsiteFolderForm | None = None,
) -> HttpResponse:
    sender = get_sender()
    target = MirrorTarget.objects.filter(tournament=tournament).first()
    folder = WebsiteFolder.objects.filter(tournament=tournament).first()
    progress = sender.progress.get(target.pk) if sender and target else None
    follower = sender.folders.get(folder.pk) if sender and folder else None
    context: dict[str, Any] = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "mirror", tabs=False),
        "target": target,
        "state": describe_target(target, progress) if target else None,
        "shown_at": f"{target.address}{progress.path}" if target and progress and progress.path else "",
        "is_other": bool(progress and progress.fault == SendFault.OTHER),
        "form": form or MirrorTargetForm(),
        "folder": folder,
        "folder_state": describe_folder(follower, paused=folder.is_paused) if folder else None,
        "folder_form": folder_form or WebsiteFolderForm(),
        "sends": sender is not None,
    }
    return render(request, "tournament/mirror/mirror.html", context)


# On the hosted side.


@signed_in_page("GET", "POST")
def show_mirror_links(request: HttpRequest) -> HttpResponse:
    """The links by which events may be sent here; POST makes one, which is shown once."""
    around = build_organiser_context(request)
    form = MirrorLinkForm(request.POST or None)
    if outcome := form.done(lambda typed: create_mirror_link(around["organiser"], **typed)):
        request.session[NEW_LINK_KEY] = outcome.result.pk
        return redirect(reverse("director:mirror_links") + around["organiser_query"])
    # Without the states: each is a whole event, and the list needs none of them.
    mirror_links = MirrorLink.objects.filter(organiser=around["organiser"]).select_related("tournament").defer("state")
    links = [(link, describe_link(link)) for link in mirror_links.order_by("-made_at", "-pk")]
    new = _take_new_link(request, [link for link, _state in links])
    return render(request, "tournament/mirror/links.html", {**around, "form": form, "links": links, "new": new})


def _take_new_link(request: HttpRequest, links: list[MirrorLink]) -> dict[str, Any] | None:
    """The link that was just made, with its secret and as a code to scan; only the first time."""
    # Out of the session with the first look: whoever opens the page in this browser later is not shown the secret
    # again.
    pk = request.session.pop(NEW_LINK_KEY, None)
    link = next((link for link in links if link.pk == pk), None)
    if link is None:
        return None
    path = reverse("mirror", args=[link.nonce])
    address = f"{build_full_address(path, request)}#{make_secret(link)}"
    return {"name": link.name, "address": address, "picture": make_qr_picture(address)}


@signed_in_page("GET", "POST")
def confirm_mirror_link_end(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a link back, or with `?remove` delete it with the event that came by it, after a question."""
    link = get_object_or_404(MirrorLink.objects.select_related("organiser", "tournament").defer("state"), pk=pk)
    around = build_own_organiser_context(request, link.organiser_id)
    removes = "remove" in request.GET
    if request.method == "POST":
        (remove_mirror_link if removes else revoke_mirror_link)(link)
        messages.success(request, _("The link is deleted.") if removes else _("The link is taken back."))
        return redirect(reverse("director:mirror_links") + around["organiser_query"])
    return render(request, "tournament/mirror/link_end.html", {**around, "link": link, "removes": removes})
