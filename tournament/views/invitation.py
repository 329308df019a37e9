"""An invitation's link: whoever opens it makes an account, or joins with the one they have."""

from ipaddress import ip_address

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.forms.members import AccountForm
from tournament.models import Invitation, Role
from tournament.operations import members
from tournament.refusals import Refusal
from tournament.views.director.shell import organiser_query


def links(request: HttpRequest, invitations: list[Invitation]) -> list[tuple[Invitation, str]]:
    """Each invitation with its whole link, to copy."""
    return [
        (each, request.build_absolute_uri(reverse("invitation", args=[members.token(each)]))) for each in invitations
    ]


def leads_to_this_machine(request: HttpRequest) -> bool:
    """Whether links made on this page lead every reader to their own machine, where nothing is."""
    host = request.get_host().rpartition(":")[0] or request.get_host()
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


@never_cache
@require_http_methods(["GET", "POST"])
def accept(request: HttpRequest, token: str) -> HttpResponse:
    """Become a member: with the account that is signed in, or with a new one."""
    try:
        found = members.invitation_of(token)
        if isinstance(request.user, User):
            return _with_account(request, found, request.user)
        return _with_new_account(request, found)
    except Refusal as refusal:
        return render(request, "registration/invitation_closed.html", {"refusal": str(refusal)}, status=410)


def _with_account(request: HttpRequest, found: Invitation, user: User) -> HttpResponse:
    if request.method == "POST":
        members.accept(found, user=user)
        return _welcome(request, found)
    return render(request, "registration/invitation.html", _context(found))


def _with_new_account(request: HttpRequest, found: Invitation) -> HttpResponse:
    form = AccountForm(request.POST or None)
    if form.is_valid():
        with transaction.atomic():
            user = form.save()
            members.accept(found, user=user)
        login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
        return _welcome(request, found)
    return render(request, "registration/invitation.html", {**_context(found), "form": form})


def _context(found: Invitation) -> dict[str, object]:
    return {"invitation": found, "role": Role(found.role).label}


def _welcome(request: HttpRequest, found: Invitation) -> HttpResponse:
    figures = {"organiser": found.organiser.name, "role": Role(found.role).label}
    messages.success(request, _("Welcome! Your role for %(organiser)s: %(role)s.") % figures)
    return redirect(reverse("director:home") + organiser_query(found.organiser))
