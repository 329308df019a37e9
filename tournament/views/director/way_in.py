"""Who gets in: the addresses with their codes, the hall's network, helpers, referees, players' personal links."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access
from tournament.forms.access_codes import MakeCodeForm, WifiForm, tables_written
from tournament.laptop import qr
from tournament.models import AccessCode, Tournament, Wifi
from tournament.operations import access_codes
from tournament.operations import wifi as wifi_operations
from tournament.views import ways_in
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import shell

SHOWN_ONCE = "new_access_code"
"""Where a director's session keeps a code that was just made, until its page has been shown."""


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Addresses, network and codes; a post makes a code."""
    tournament = access.directed_tournament(request, slug)
    form = MakeCodeForm(request.POST or None)
    if form.done(lambda typed: _made(request, tournament, typed)):
        return _back(tournament)
    context = {
        **shell(tournament, access.division_of(request, tournament), "hall", tabs=False),
        **summary(request, tournament),
        "form": form,
        "new": _new(request, tournament),
        "wifi_form": _wifi_form(tournament),
    }
    return render(request, "director/way_in.html", context)


def summary(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """What the desk says of the ways in: `ways`, the first as a picture (`way_code`), the valid `codes`, each with its
    tables, and the `wifi`. Two queries."""
    found = AccessCode.objects.filter(tournament=tournament, revoked_at=None).select_related("device")
    listed = [(code, tables_written(code.tables)) for code in found.order_by("role", "name", "pk")]
    ways = ways_in.of(request)
    return {
        "ways": ways,
        "way_code": qr.picture(ways.chosen) if ways.chosen else None,
        "codes": listed,
        "wifi": Wifi.objects.filter(organiser=tournament.organiser_id).first(),
    }


def _made(request: HttpRequest, tournament: Tournament, typed: dict[str, Any]) -> None:
    """Make a code, and keep it for the page that shows it. Raises the operation's refusals."""
    _show_once(request, *access_codes.make_code(tournament, actor=access.actor(request), **typed))


def _show_once(request: HttpRequest, code: AccessCode, text: str) -> None:
    request.session[SHOWN_ONCE] = {"pk": code.pk, "text": text}


def _new(request: HttpRequest, tournament: Tournament) -> dict[str, Any] | None:
    """The code that was just made, this once: its row, its text, its address and that as a picture."""
    kept = request.session.pop(SHOWN_ONCE, None)
    code = AccessCode.objects.filter(tournament=tournament, pk=kept["pk"], revoked_at=None).first() if kept else None
    if code is None:
        return None
    path = reverse("access_code_link", args=[access_codes.tidied(kept["text"])])
    address = ways_in.whole(request, path)
    typed_at = ways_in.whole(request, reverse("access_code"))
    shown = {"code": code, "text": kept["text"], "address": address, "typed_at": typed_at}
    return {**shown, "picture": qr.picture(address)}


def _wifi_form(tournament: Tournament, data: Any = None) -> WifiForm:
    kept = Wifi.objects.filter(organiser=tournament.organiser_id).first()
    initial = {"name": kept.name, "password": kept.password} if kept else {}
    return WifiForm(data, initial=initial)


def _back(tournament: Tournament) -> HttpResponse:
    return redirect("director:way_in", tournament.slug)


def _code(request: HttpRequest, slug: str, pk: int) -> AccessCode:
    tournament = access.directed_tournament(request, slug)
    return get_object_or_404(AccessCode.objects.select_related("tournament"), tournament=tournament, pk=pk)


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a code back."""
    code = _code(request, slug, pk)
    access_codes.revoke_code(code, actor=access.actor(request))
    messages.success(request, _("The code of %(name)s is taken back.") % {"name": code.name})
    return _back(code.tournament)


@login_required
@require_POST
def renew(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Another code instead of this one."""
    code = _code(request, slug, pk)
    _show_once(request, *access_codes.renew_code(code, actor=access.actor(request)))
    return _back(code.tournament)


@login_required
@require_POST
def let_go(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let a code be opened on another device."""
    code = _code(request, slug, pk)
    access_codes.let_go(code)
    messages.success(request, _("The code of %(name)s can be opened on another device now.") % {"name": code.name})
    return _back(code.tournament)


@login_required
@require_POST
def renew_link(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Another personal link for a player."""
    tournament = access.directed_tournament(request, slug)
    entry = get_object_or_404(tournament.entries.with_names(), pk=pk)
    access_codes.renew_link(entry, actor=access.actor(request))
    messages.success(request, _("%(name)s has a new personal link; the old one leads nowhere.") % {"name": entry.name})
    return redirect("director:entry", slug, pk)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def wifi(request: HttpRequest, slug: str) -> HttpResponse:
    """The hall's network and the address for others: a post notes them."""
    tournament = access.directed_tournament(request, slug)
    if request.method == "POST" and "address" in request.POST:
        ways_in.choose(request, request.POST["address"])
        return _back(tournament)
    form = _wifi_form(tournament, request.POST or None)
    if form.done(lambda typed: wifi_operations.note_wifi(tournament.organiser, **typed)):
        messages.success(request, _("Saved."))
        return _back(tournament)
    around = shell(tournament, access.division_of(request, tournament), "hall", tabs=False)
    return render(request, "director/wifi.html", {**around, "form": form})


@never_cache
@login_required
@require_safe
def big(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """A code as large as the glass: of the program's address (`address`), of this tournament's public page
    (`tournament`), or of the network (`wifi`). 404 where there is none."""
    tournament = access.directed_tournament(request, slug)
    network = Wifi.objects.filter(organiser=tournament.organiser_id).first()
    if name == "wifi" and network is not None:
        picture, text = qr.picture(wifi_operations.code_text(network)), network.name
    elif name == "address":
        text = ways_in.whole(request, "/")
        picture = qr.picture(text)
    elif name == "tournament" and tournament.is_public:
        text = ways_in.whole(request, reverse("public:tournament", args=[slug]))
        picture = qr.picture(text)
    else:
        raise Http404
    context = {"tournament": tournament, "name": name, "picture": picture, "text": text}
    return render(request, "director/big_code.html", {**context, "network": network})
