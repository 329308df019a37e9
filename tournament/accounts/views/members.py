"""Pages about invitations, members and the organiser's name; for the host, all organisers and second factors."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament.access.rules import get_actor, is_owner_of, list_memberships, require_host
from tournament.access.second_factor import list_second_factor_users, turn_off_second_factor
from tournament.accounts.forms import (
    ROLE_DESCRIPTIONS,
    AccountForm,
    ClubPictureForm,
    InviteForm,
    OrganiserForm,
    OwnOrganiserForm,
    RoleForm,
)
from tournament.accounts.members import (
    accept_invitation,
    get_open_invitation,
    invite_member,
    list_open_invitations,
    make_invitation_token,
    remove_member,
    revoke_invitation,
    set_member_role,
)
from tournament.accounts.operations import add_organiser, give_club_picture, remove_club_picture, update_organiser
from tournament.accounts.views.account import require_second_factor_offered
from tournament.basics.addresses import build_full_address, is_loopback
from tournament.basics.refusals import Refusal
from tournament.models import ClubPicture, ClubPictureUse, Invitation, Member, Organiser, Role
from tournament.pages.forms import OperationForm, parse_key
from tournament.pages.frames import build_organiser_context, build_own_organiser_context, make_organiser_query
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import show_refusals


def build_invitation_context(request: HttpRequest, invitations: list[Invitation]) -> dict[str, Any]:
    """The `invitations`, each with its full link; `only_here`: links name a loopback address, which leads others
    nowhere."""
    tokens = [(invitation, make_invitation_token(invitation)) for invitation in invitations]
    links = [
        (invitation, build_full_address(reverse("invitation", args=[token]), request)) for invitation, token in tokens
    ]
    host = urlsplit(build_full_address("/", request)).hostname or ""
    return {"invitations": links, "only_here": is_loopback(host)}


@never_cache
@require_http_methods(["GET", "POST"])
def open_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Become a member, with the signed-in account or a new one."""
    form = None if request.user.is_authenticated else AccountForm(request.POST or None)
    try:
        invitation = get_open_invitation(token)
        if request.method == "POST" and (form is None or form.is_valid()):
            if form is None:
                assert isinstance(request.user, User)
                accept_invitation(invitation, user=request.user)
            else:
                # Both or neither: if the invitation was used a moment ago, the account would be left without a club,
                # and its name taken for the next try.
                with transaction.atomic():
                    user = form.save()
                    accept_invitation(invitation, user=user)
                login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
            figures = {"organiser": invitation.organiser.name, "role": Role(invitation.role).label}
            messages.success(request, _("Welcome! Your role for %(organiser)s: %(role)s.") % figures)
            return redirect(reverse("director:home") + make_organiser_query(invitation.organiser))
    except Refusal as refusal:
        return render(request, "tournament/accounts/invitation_closed.html", {"refusal": str(refusal)}, status=410)
    context = {"invitation": invitation, "role": Role(invitation.role).label, "form": form}
    return render(request, "tournament/accounts/invitation.html", context)


@signed_in_page("GET", "POST")
def show_members(request: HttpRequest) -> HttpResponse:
    """The members and open invitations; POST invites somebody."""
    around = build_organiser_context(request)
    organiser: Organiser = around["organiser"]
    form = InviteForm(request.POST or None)
    if form.done(lambda typed: invite_member(organiser, actor=get_actor(request), **typed)):
        messages.success(
            request, _("The invitation has been created. Send the link below to the person you are inviting.")
        )
        return redirect(reverse("director:members") + around["organiser_query"])
    context = {
        **around,
        "form": form,
        "members": Member.objects.filter(organiser=organiser).select_related("user").order_by("user__username", "pk"),
        **build_invitation_context(request, list_open_invitations(organiser)),
        "what_roles_may": ROLE_DESCRIPTIONS,
    }
    return render(request, "tournament/accounts/members.html", context)


@signed_in_page("GET", "POST")
def edit_member(request: HttpRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(Member.objects.select_related("user", "organiser"), pk=pk)
    around = build_own_organiser_context(request, member.organiser_id)
    form = RoleForm(request.POST or None, initial={"role": member.role})
    if outcome := form.done(lambda typed: set_member_role(member, role=typed["role"], actor=get_actor(request))):
        _warn_of_revoked_invitations(request, outcome.result)
        messages.success(request, _("Saved."))
        return _redirect_to_members(request, member)
    context = {**around, "form": form, "member": member, "what_roles_may": ROLE_DESCRIPTIONS}
    return render(request, "tournament/accounts/member.html", context)


@signed_in_page("POST")
def end_membership(request: HttpRequest, pk: int) -> HttpResponse:
    member = get_object_or_404(Member.objects.select_related("user", "organiser"), pk=pk)
    build_own_organiser_context(request, member.organiser_id)
    with show_refusals(request):
        _warn_of_revoked_invitations(request, remove_member(member, actor=get_actor(request)))
        figures = {"name": member.user.get_username(), "organiser": member.organiser.name}
        messages.success(request, _("“%(name)s” no longer works for %(organiser)s.") % figures)
    return _redirect_to_members(request, member)


def _warn_of_revoked_invitations(request: HttpRequest, count: int) -> None:
    """Say how many invitations were revoked with their maker's right to invite."""
    if count:
        message = ngettext(
            "%(count)s open invitation of this account has been taken back; its link no longer works.",
            "%(count)s open invitations of this account have been taken back; their links no longer work.",
            count,
        )
        messages.warning(request, message % {"count": count})


def _redirect_to_members(request: HttpRequest, about: Member | Invitation) -> HttpResponse:
    """Back to the members, or to one's own tournaments for somebody who may not see the members any more."""
    if not is_owner_of(request, about.organiser):
        return redirect("director:home")
    several = len(list_memberships(request)) > 1
    return redirect(reverse("director:members") + (make_organiser_query(about.organiser) if several else ""))


@signed_in_page("POST")
def take_invitation_back(request: HttpRequest, pk: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation.objects.select_related("organiser"), pk=pk)
    build_own_organiser_context(request, invitation.organiser_id)
    revoke_invitation(invitation, actor=get_actor(request))
    messages.success(request, _("The invitation has been taken back; its link no longer works."))
    return _redirect_to_members(request, invitation)


@signed_in_page("GET", "POST")
def edit_organiser(request: HttpRequest) -> HttpResponse:
    around = build_organiser_context(request)
    organiser: Organiser = around["organiser"]
    form = _make_organiser_form(organiser, request.POST or None)
    if form.done(lambda typed: update_organiser(organiser, actor=get_actor(request), **typed)):
        messages.success(request, _("Saved."))
        return redirect("director:home")
    return _render_organiser(request, around, form=form)


def _make_organiser_form(organiser: Organiser, sent: QueryDict | None = None) -> OwnOrganiserForm:
    fields = ("name", "slug", "colour", "word", "profiles_public")
    return OwnOrganiserForm(sent, of=organiser, initial={name: getattr(organiser, name) for name in fields})


def _render_organiser(request: HttpRequest, around: dict[str, Any], **sent: OperationForm) -> HttpResponse:
    """An organiser's own page; a form that was refused stands there by its name as it was sent."""
    organiser: Organiser = around["organiser"]
    pictures_by_use = {picture.use: picture for picture in ClubPicture.objects.filter(organiser=organiser)}
    uses = [
        # A prefix for each: both forms stand on one page, with a field of the same name.
        (use, sent.get(use.value) or ClubPictureForm(prefix=use.value), pictures_by_use.get(use))
        for use in ClubPictureUse
    ]
    context = {**around, "form": sent.get("form") or _make_organiser_form(organiser), "pictures": uses}
    return render(request, "tournament/accounts/director_organiser.html", context)


@signed_in_page("POST")
def submit_club_picture(request: HttpRequest) -> HttpResponse:
    """Keep or remove a club's logo or picture."""
    around = build_organiser_context(request)
    organiser, actor = around["organiser"], get_actor(request)
    back = reverse("director:organiser") + around["organiser_query"]
    use = next(
        (picture_use for picture_use in ClubPictureUse if picture_use.value == request.POST.get("picture")), None
    )
    if use is None:
        return redirect(back)
    if "remove" in request.POST:
        remove_club_picture(organiser, use=use, actor=actor)
        messages.success(request, _("The picture is deleted."))
        return redirect(back)
    form = ClubPictureForm(request.POST, request.FILES, prefix=use.value)
    if form.done(
        lambda typed: give_club_picture(organiser, use=use, sent=next(iter(typed["photos"]), None), actor=actor)
    ):
        messages.success(request, _("The picture is kept."))
        return redirect(back)
    return _render_organiser(request, around, **{use.value: form})


# The host's pages.


@signed_in_page("GET", "POST")
def show_organisers(request: HttpRequest) -> HttpResponse:
    """All organisers; POST makes another one."""
    require_host(request)
    form = OrganiserForm(request.POST or None)
    if outcome := form.done(lambda typed: add_organiser(actor=get_actor(request), **typed)):
        organiser = outcome.result
        messages.success(request, _("%(name)s has been created. Next: invite an owner.") % {"name": organiser.name})
        return redirect("host:organiser", organiser.slug)
    # Distinct, since the two joins meet: each member would be counted once for every tournament.
    counted = Organiser.objects.annotate(
        people=Count("members", distinct=True), events=Count("tournaments", distinct=True)
    )
    context = {"form": form, "listed": counted.order_by("name", "pk"), "second_factor": settings.SECOND_FACTOR}
    return render(request, "tournament/accounts/organisers.html", context)


@signed_in_page("GET", "POST")
def edit_organiser_as_host(request: HttpRequest, slug: str) -> HttpResponse:
    """One organiser and its owners; POST renames it or invites another owner."""
    require_host(request)
    organiser = get_object_or_404(Organiser, slug=slug)
    if "invite" in request.POST:
        invite_member(organiser, role=Role.OWNER, actor=get_actor(request))
        messages.success(
            request, _("The invitation has been created. Send the link below to the person you are inviting.")
        )
        return redirect("host:organiser", slug)
    form = OrganiserForm(request.POST or None, of=organiser, initial={"name": organiser.name, "slug": organiser.slug})
    if form.done(lambda typed: update_organiser(organiser, actor=get_actor(request), **typed)):
        messages.success(request, _("Saved."))
        return redirect("host:organisers")
    # Of owners alone: the links by which an organiser lets its own helpers in are no business of the host.
    invitations = [invitation for invitation in list_open_invitations(organiser) if invitation.role == Role.OWNER]
    context = {
        "form": form,
        "organiser": organiser,
        "owners": Member.objects.filter(organiser=organiser, role=Role.OWNER).select_related("user").order_by("pk"),
        **build_invitation_context(request, invitations),
    }
    return render(request, "tournament/accounts/host_organiser.html", context)


@require_second_factor_offered
@signed_in_page("GET", "POST")
def show_second_factors(request: HttpRequest) -> HttpResponse:
    """The accounts with a second factor; POST turns one off, for somebody who lost the phone."""
    require_host(request)
    if request.method == "POST":
        user = get_object_or_404(User, pk=parse_key(request.POST.get("account", "")))
        turn_off_second_factor(user)
        message = _("“%(name)s” signs in with the password only, until a second factor is turned on again.")
        messages.success(request, message % {"name": user.get_username()})
        return redirect("host:second_factors")
    return render(request, "tournament/accounts/second_factors.html", {"accounts": list_second_factor_users()})
