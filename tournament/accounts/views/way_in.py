"""Pages about ways in: access codes, the addresses for codes on walls and cards, the hall's network, personal links."""

import re
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.access.codes import (
    AccessCodeInUse,
    AccessCodeUnknown,
    close_access_code,
    find_access_code,
    get_opened_code,
    make_access_code,
    make_personal_link,
    open_access_code,
    release_access_code,
    renew_access_code,
    renew_personal_link,
    revoke_access_code,
    tidy_access_code,
)
from tournament.access.rules import OPEN_CODES_KEY, get_actor, get_chosen_division, get_open_codes
from tournament.access.signing_in import TooManyAttempts, count_wrong_code, give_ticket, slow_guessing
from tournament.accounts.forms import AccessCodeForm, NewCodeForm, WifiForm
from tournament.accounts.operations import format_wifi_code, save_wifi
from tournament.basics import limits
from tournament.basics.addresses import (
    NetworkReach,
    build_full_address,
    find_network_addresses,
    get_local_name,
    get_reach,
)
from tournament.basics.program import format_lan_command
from tournament.basics.qr import make_qr_picture
from tournament.basics.refusals import Refusal
from tournament.core.division_tables import format_tables
from tournament.models import AccessCode, Entry, Role, Tournament, Wifi
from tournament.pages.frames import build_director_context
from tournament.pages.requests import director_page, render_wait

# Helpers and referees open a code on one device, typed or scanned.

MOST_OPEN_CODES = 5  # in one browser


@never_cache
@require_http_methods(["GET", "POST"])
def enter_access_code(request: HttpRequest) -> HttpResponse:
    """Ask for a code; POST leads to the page that says what it opens."""
    form = AccessCodeForm(request.POST or None)
    try:
        if form.done(lambda sent: _find_code(request, sent["code"])):
            return redirect("access_code_link", tidy_access_code(request.POST["code"]))
    except TooManyAttempts as many:
        return _show_wait_for_code(request, many, request.POST["code"])
    give_ticket(request)  # which is old enough when a code has been typed
    return render(request, "tournament/accounts/access_code.html", {"form": form})


@never_cache
@require_http_methods(["GET", "POST"])
def open_code_link(request: HttpRequest, token: str) -> HttpResponse:
    """What a code opens; POST opens it on this device, so that programs that follow links open nothing."""
    try:
        code = _find_code(request, token)
        if request.method == "POST" and not _has_open_code(request, code):
            try:
                secret = open_access_code(code)
            # As a wrong one: otherwise whoever guesses would be told for nothing which codes there are.
            except AccessCodeInUse:
                count_wrong_code(request)
                raise
            # As at every sign-in: whoever knew the session's key from before does not work along with the code.
            request.session.cycle_key()
            # The oldest makes room: a helper's phone goes through many codes, and a session is to stay small.
            open_codes = dict(list(get_open_codes(request).items())[1 - MOST_OPEN_CODES :])
            request.session[OPEN_CODES_KEY] = {**open_codes, str(code.pk): secret}
            messages.success(request, _("Welcome, %(name)s!") % {"name": code.name})
            return redirect(*_get_work_page(code))
    except TooManyAttempts as many:
        return _show_wait_for_code(request, many, token)
    except Refusal as refusal:
        context = {"form": AccessCodeForm(), "refusal": str(refusal)}
        return render(request, "tournament/accounts/access_code.html", context, status=410)
    if _has_open_code(request, code):
        return redirect(*_get_work_page(code))
    context = {"code": code, "tables": format_tables(code.tables), "role": Role(code.role).label}
    return render(request, "tournament/accounts/access_code_open.html", context)


@never_cache
@require_POST
def leave_access_codes(request: HttpRequest) -> HttpResponse:
    """Close every code in this browser; each can be opened again, here or elsewhere."""
    for pk, secret in get_open_codes(request).items():
        close_access_code(int(pk), secret)
    request.session.pop(OPEN_CODES_KEY, None)
    # A director who looked at a helper's page stays signed in; of anybody else nothing remains on a lent phone.
    if not request.user.is_authenticated:
        request.session.flush()
    messages.success(request, _("The code is closed on this device."))
    return redirect("access_code")


def _show_wait_for_code(request: HttpRequest, many: TooManyAttempts, typed: str) -> HttpResponse:
    code = re.sub(r"\W", "", tidy_access_code(typed))[: limits.QUOTED_TEXT] or "-"  # what a path and a header can hold
    return render_wait(request, many, "429.html", again=reverse("access_code_link", args=[code]))


def _find_code(request: HttpRequest, text: str) -> AccessCode:
    """Find the code. Raises `AccessCodeUnknown`, or `TooManyAttempts` if codes are being guessed."""
    code_text = tidy_access_code(text)
    slow_guessing(request, code_text)
    try:
        code = find_access_code(text)
    except AccessCodeUnknown:
        count_wrong_code(request)
        raise
    give_ticket(request, found=code_text)
    return code


def _has_open_code(request: HttpRequest, code: AccessCode) -> bool:
    secret = get_open_codes(request).get(str(code.pk), "")
    # By the database as well: a code that the session still has may be taken back by now, or let go for another device.
    return bool(secret) and get_opened_code(code.pk, secret, code.tournament.slug) is not None


def _get_work_page(code: AccessCode) -> tuple[str, str]:
    page = "games:referee_overview" if code.role == Role.REFEREE else "games:current"
    return page, code.tournament.slug


# The address at which others reach the program.

CHOSEN_ADDRESS_KEY = "address_for_others"  # where a director's session keeps the chosen address

HTTP_PORT = "80"


@dataclass(frozen=True, slots=True)
class WaysIn:
    """The addresses where others may reach the program, the chosen one first; none without a network."""

    addresses: tuple[str, ...]
    is_closed: bool  # the program was started for this machine alone
    named: str = ""  # the address by a name, where one leads here

    @property
    def chosen(self) -> str:
        """The address for codes; "" without one."""
        return self.addresses[0] if self.addresses else ""

    @property
    def command(self) -> str:
        """What starts the program so that others get in."""
        return format_lan_command()

    @property
    def printed(self) -> str:
        """The address for cards on paper; "" without one, or while nobody else can open it."""
        return "" if self.is_closed else self.chosen


def find_ways_in(request: HttpRequest) -> WaysIn:
    """Find the addresses, as numbers on a laptop since names like `tso.local` fail on many phones; one that leads here
    comes on top."""
    # A service is known by its name; what addresses its machine has is nobody's business.
    if settings.HOSTED or settings.NAMED_HOSTS or settings.SERVICE_ADDRESS:
        return WaysIn((build_full_address("/", request),), is_closed=False)
    suffix = "" if (port := request.get_port()) == HTTP_PORT else f":{port}"
    chosen = request.session.get(CHOSEN_ADDRESS_KEY)
    ways = [f"http://{address}{suffix}/" for address in find_network_addresses()]
    # Sorting is stable: the chosen one comes first, all others stay as the system names them.
    ways.sort(key=lambda address: address != chosen)
    named = f"http://{name}{suffix}/" if (name := get_local_name()) else ""
    return WaysIn(tuple(ways), is_closed=get_reach() == NetworkReach.THIS_MACHINE, named=named)


def build_shared_address(request: HttpRequest, path: str) -> str:
    """The full address of a path for others."""
    base = find_ways_in(request).chosen or build_full_address("/", request)
    return base.rstrip("/") + path


def build_opening_address(request: HttpRequest, path: str) -> str:
    """The full address of a path, to be opened on another machine; the reader's own address if only this machine is
    served."""
    return request.build_absolute_uri(path) if find_ways_in(request).is_closed else build_shared_address(request, path)


def build_personal_page(request: HttpRequest, entry: Entry) -> dict[str, Any]:
    """Where a player's personal link leads: the path, the full address, and that as a picture for phones unless none
    could open it. Fetch `tournament`."""
    path = reverse("games:me", args=[make_personal_link(entry)])
    address = build_opening_address(request, path)
    picture = None if find_ways_in(request).is_closed else make_qr_picture(address)
    return {"path": path, "address": address, "picture": picture}


# The director's page of the ways in.

NEW_CODE_KEY = "new_access_code"  # where a director's session keeps a new code until it has been shown


@never_cache
@director_page("GET", "POST")
def show_way_in(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Addresses, network and codes; POST makes a code."""
    form = NewCodeForm(request.POST or None)
    if outcome := form.done(lambda typed: make_access_code(tournament, actor=get_actor(request), **typed)):
        _keep_new_code(request, *outcome.result)
        return redirect("director:way_in", tournament.slug)
    context = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "way_in", tabs=False),
        **build_way_in_context(request, tournament),
        "form": form,
        "new": _pop_new_code(request, tournament),
        "wifi_form": _make_wifi_form(tournament),
    }
    return render(request, "tournament/accounts/way_in.html", context)


def build_way_in_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """The `ways`, the chosen one as a picture, the valid `codes`, each with its tables, and the `wifi`. Two queries."""
    access_codes = AccessCode.objects.filter(tournament=tournament, revoked_at=None).select_related("device")
    ways = find_ways_in(request)
    return {
        "ways": ways,
        "way_code": make_qr_picture(ways.chosen) if ways.chosen else None,
        "codes": [(code, format_tables(code.tables)) for code in access_codes.order_by("role", "name", "pk")],
        "wifi": _find_wifi(tournament),
    }


def _find_wifi(tournament: Tournament) -> Wifi | None:
    return Wifi.objects.filter(organiser=tournament.organiser_id).first()


def _keep_new_code(request: HttpRequest, code: AccessCode, text: str) -> None:
    request.session[NEW_CODE_KEY] = {"pk": code.pk, "text": text}


def _pop_new_code(request: HttpRequest, tournament: Tournament) -> dict[str, Any] | None:
    """The new code, once: its row, its text, its address, and that as a picture unless no phone could open it."""
    code_keys = request.session.pop(NEW_CODE_KEY, None)
    code = (
        AccessCode.objects.filter(tournament=tournament, pk=code_keys["pk"], revoked_at=None).first()
        if code_keys
        else None
    )
    if code is None:
        return None
    address = build_shared_address(request, reverse("access_code_link", args=[tidy_access_code(code_keys["text"])]))
    return {
        "code": code,
        "text": code_keys["text"],
        "address": address,
        "typed_at": build_opening_address(request, reverse("access_code")),
        "picture": None if find_ways_in(request).is_closed else make_qr_picture(address),
    }


def _make_wifi_form(tournament: Tournament, data: Any = None) -> WifiForm:
    wifi = _find_wifi(tournament)
    return WifiForm(data, initial={"name": wifi.name, "password": wifi.password} if wifi else {})


def _get_code_or_404(tournament: Tournament, pk: int) -> AccessCode:
    return get_object_or_404(AccessCode.objects.select_related("tournament"), tournament=tournament, pk=pk)


@director_page("POST")
def take_code_back(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    code = _get_code_or_404(tournament, pk)
    revoke_access_code(code, actor=get_actor(request))
    messages.success(request, _("The code of %(name)s is taken back.") % {"name": code.name})
    return redirect("director:way_in", tournament.slug)


@director_page("POST")
def replace_code(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    _keep_new_code(request, *renew_access_code(_get_code_or_404(tournament, pk), actor=get_actor(request)))
    return redirect("director:way_in", tournament.slug)


@director_page("POST")
def let_code_go(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    code = _get_code_or_404(tournament, pk)
    release_access_code(code)
    messages.success(request, _("The code of %(name)s can be opened on another device now.") % {"name": code.name})
    return redirect("director:way_in", tournament.slug)


@director_page("POST")
def replace_personal_link(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    entry = get_object_or_404(tournament.entries.with_names(), pk=pk)
    renew_personal_link(entry, actor=get_actor(request))
    messages.success(
        request, _("%(name)s has a new personal link; the old one no longer works.") % {"name": entry.name}
    )
    return redirect("director:entry", tournament.slug, pk)


@never_cache
@director_page("GET", "POST")
def edit_wifi(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The hall's network; or a POST with the `address` for others, to be chosen for this session."""
    if request.method == "POST" and "address" in request.POST:
        # Only one of our own: what was posted would be printed on every card as the address to open.
        if request.POST["address"] in find_ways_in(request).addresses:
            request.session[CHOSEN_ADDRESS_KEY] = request.POST["address"]
        return redirect("director:way_in", tournament.slug)
    form = _make_wifi_form(tournament, request.POST or None)
    if form.done(lambda typed: save_wifi(tournament.organiser, **typed)):
        messages.success(request, _("Saved."))
        return redirect("director:way_in", tournament.slug)
    around = build_director_context(tournament, get_chosen_division(request, tournament), "way_in", tabs=False)
    return render(request, "tournament/accounts/wifi.html", {**around, "form": form})


@never_cache
@director_page("GET", "HEAD")
def show_big_code(request: HttpRequest, tournament: Tournament, name: str) -> HttpResponse:
    """A QR code that fills the screen, of the program's `address`, the public `tournament` or the `wifi`; or 404."""
    network = _find_wifi(tournament)
    if name == "wifi" and network is not None:
        picture, text = make_qr_picture(format_wifi_code(network)), network.name
    elif name == "address" or (name == "tournament" and tournament.is_public):
        path = "/" if name == "address" else reverse("public:tournament", args=[tournament.slug])
        text = build_shared_address(request, path)
        picture = make_qr_picture(text)
    else:
        raise Http404
    context = {"tournament": tournament, "name": name, "picture": picture, "text": text, "network": network}
    return render(request, "tournament/accounts/big_code.html", context)
