"""Pages about handing in: the club's, with its one button; the federation's, with what was handed in and the links of
its clubs; and what takes the messages."""

from contextlib import suppress
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

from scoring.ratings import RatingSystem
from tournament.access.rules import get_actor, get_chosen_division
from tournament.basics import limits
from tournament.basics.addresses import build_full_address
from tournament.basics.qr import make_qr_picture
from tournament.basics.refusals import Refusal
from tournament.exchange.tournament_file import format_tournament_file
from tournament.federation.report import load_report
from tournament.federation.words import list_gap_lines
from tournament.hand_in.confirming import confirm_handed_in, find_moved_ratings, match_players
from tournament.hand_in.forms import ClubQuestionForm, HandInLinkForm, HandInTargetForm
from tournament.hand_in.messages import CONTENT_TYPE
from tournament.hand_in.operations import ask_federation, hand_in_event, set_hand_in_target
from tournament.hand_in.receiving import (
    NoSuchClubLink,
    ask_back,
    create_hand_in_link,
    list_handed_in,
    load_handed_in,
    revoke_hand_in_link,
    take_handed_in_message,
)
from tournament.hand_in.words import describe_hand_in, describe_handed_in, list_handed_in_sections
from tournament.mirror.messages import SIGNATURE_HEADER, BadMessage, make_secret
from tournament.models import HandedInEvent, HandIn, HandInLink, HandInTarget, Tournament
from tournament.models.hand_in import HandInState
from tournament.pages.frames import build_director_context, build_organiser_context, build_own_organiser_context
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import director_page, show_refusals
from tournament.pages.views import answer_with_file
from tournament.ratings.tables import MovedRows

NEW_LINK_KEY = "new_hand_in_link"  # where a session keeps the link that was just made, until it is shown


# No session stands behind a message: what lets it in is its signature, which no page of others can make.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def receive_handed_in_message(request: HttpRequest, key: str) -> HttpResponse:
    """Take a message from a club. Whoever opens the link in a browser is told what it is for."""
    if request.method == "GET":
        return render(request, "tournament/hand_in/opened.html")
    # By its head, before any of it is read: anybody may post here.
    if int(request.META.get("CONTENT_LENGTH") or 0) > limits.MIRROR_PACKED_BYTES:
        return HttpResponse(status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        answer, signature = take_handed_in_message(key, request.body, request.headers.get(SIGNATURE_HEADER, ""))
    except NoSuchClubLink:
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED)
    except BadMessage:
        return HttpResponse(status=HTTPStatus.BAD_REQUEST)
    return HttpResponse(answer, content_type=CONTENT_TYPE, headers={SIGNATURE_HEADER: signature})


# In the club.


@director_page("GET", "POST")
def show_hand_in(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What is missing, and the button that hands the event in; POST with `act` hands it in or asks how it stands, any
    other POST keeps the link of the federation."""
    target = HandInTarget.objects.filter(organiser=tournament.organiser_id).first()
    act = request.POST.get("act", "")
    if target is not None and act in ("hand_in", "ask"):
        with show_refusals(request):
            if act == "hand_in":
                federation = hand_in_event(load_report(tournament), target).federation
                messages.success(request, _("Handed in: %(federation)s has it.") % {"federation": federation})
            elif ask_federation(tournament, target) is None:
                messages.info(request, _("The federation has nothing of this event yet."))
        return redirect("director:hand_in", tournament.slug)
    form = HandInTargetForm(request.POST if request.method == "POST" and not act else None)
    if form.done(lambda typed: set_hand_in_target(tournament.organiser, link=typed["link"])):
        messages.success(request, _("The club’s events are handed in there from now on."))
        return redirect("director:hand_in", tournament.slug)
    report, hand_in = load_report(tournament), HandIn.objects.filter(tournament=tournament).first()
    context: dict[str, Any] = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "end", tabs=False),
        "report": report,
        "missing": list_gap_lines(report, advisory=False),
        "to_look_at": list_gap_lines(report, advisory=True),
        "target": target,
        "hand_in": hand_in,
        "state": describe_hand_in(hand_in, tournament) if hand_in else None,
        "form": form,
    }
    return render(request, "tournament/hand_in/hand_in.html", context)


# At the federation.


@signed_in_page("GET")
def show_handed_in(request: HttpRequest) -> HttpResponse:
    """The events that clubs have handed in, those to be looked at first."""
    around = build_organiser_context(request)
    rows = [(event, describe_handed_in(event)) for event in list_handed_in(around["organiser"])]
    return render(request, "tournament/hand_in/handed_in.html", {**around, "rows": rows})


def _get_own_event(request: HttpRequest, pk: int) -> tuple[HandedInEvent, dict[str, Any]]:
    """An event that was handed in to an organiser for whom the user works, and the page's context; else 404."""
    handed_in = get_object_or_404(HandedInEvent.objects.select_related("link__organiser", "tournament"), pk=pk)
    return handed_in, build_own_organiser_context(request, handed_in.link.organiser_id)


@signed_in_page("GET", "POST")
def show_handed_in_event(request: HttpRequest, pk: int) -> HttpResponse:
    """What a club has handed in, what is open about it, who its players are, and what becomes of the list of ratings;
    POST asks the club, with `?confirm` makes it one of the organiser's own events, with `?look` only shows what would
    become of the list by the answers."""
    handed_in, around = _get_own_event(request, pk)
    number = request.GET.get("number", "")  # of the message that the officer has looked at
    confirms, looks = (request.method == "POST" and name in request.GET for name in ("confirm", "look"))
    answers = {name.removeprefix("player-"): str(answer) for name, answer in request.POST.items()}
    if confirms:
        with show_refusals(request):
            actor = get_actor(request, handed_in.link.organiser)
            tournament = confirm_handed_in(handed_in, number=number, answers=answers, actor=actor)
            messages.success(request, _("Confirmed: %(name)s counts from now on.") % {"name": tournament.name})
            return redirect("director:handed_in_event", pk)
    asks = request.method == "POST" and not confirms and not looks
    form = ClubQuestionForm(request.POST if asks else None, handed_in=handed_in)
    if form.done(lambda typed: ask_back(handed_in, number=number, **typed)):
        messages.success(request, _("Saved. The club reads it the next time it asks."))
        return redirect("director:handed_in_event", pk)
    content = load_handed_in(handed_in)
    moved = None
    if handed_in.state != HandInState.CONFIRMED:
        # As long as it is open who somebody is, nobody knows; whoever asks is told so.
        with show_refusals(request) if looks else suppress(Refusal):
            actor = get_actor(request, handed_in.link.organiser)
            rows = find_moved_ratings(handed_in, answers=answers, actor=actor, system=RatingSystem.TSH_DEU)
            heads = {"before": _("Before"), "now": _("After")}
            moved = MovedRows(rows, caption=_("What becomes of the list of ratings"), **heads)
    context = {
        **around,
        "handed_in": handed_in,
        "number": str(handed_in.number),
        "state": describe_handed_in(handed_in),
        "sections": list_handed_in_sections(content),
        "event": content.event,
        "players": (players := match_players(handed_in, content, answers)),
        "has_answers": any(matched.candidates for matched in players),
        "moved": moved,
        "form": form,
    }
    return render(request, "tournament/hand_in/handed_in_event.html", context)


@signed_in_page("GET", "HEAD")
def download_handed_in_event(request: HttpRequest, pk: int) -> HttpResponse:
    """The tournament file that was handed in."""
    handed_in, _around = _get_own_event(request, pk)
    event = load_handed_in(handed_in).event
    return answer_with_file(format_tournament_file(event), "application/json", f"{event.slug}.json")


@signed_in_page("GET", "POST")
def show_hand_in_links(request: HttpRequest) -> HttpResponse:
    """The links by which clubs hand in; POST makes one, which is shown once, or takes that of `?revoke=` back."""
    around = build_organiser_context(request)
    here = reverse("director:hand_in_links") + around["organiser_query"]
    links = HandInLink.objects.filter(organiser=around["organiser"])
    if request.method == "POST" and "revoke" in request.GET:
        pk = request.GET["revoke"]
        # A number of more digits than a column has would be an error of the database instead of a 404.
        revoke_hand_in_link(get_object_or_404(links, pk=pk if pk.isdecimal() and len(pk) < 10 else 0))
        messages.success(request, _("The link is taken back."))
        return redirect(here)
    form = HandInLinkForm(request.POST or None)
    if outcome := form.done(lambda typed: create_hand_in_link(around["organiser"], **typed)):
        request.session[NEW_LINK_KEY] = outcome.result.pk
        return redirect(here)
    # Taken out of the session: a new link is shown once, and not to whoever sits down here later.
    new = links.filter(pk=request.session.pop(NEW_LINK_KEY, None)).first()
    context: dict[str, Any] = {**around, "form": form, "links": links.order_by("-made_at", "-pk"), "new": None}
    if new is not None:
        address = f"{build_full_address(reverse('hand_in', args=[new.nonce]), request)}#{make_secret(new)}"
        context["new"] = {"name": new.name, "address": address, "picture": make_qr_picture(address)}
    return render(request, "tournament/hand_in/links.html", context)
