"""Who works for an organiser: members, their roles, invitations; and what the organiser is called."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tournament import access
from tournament.forms import members as forms
from tournament.models import Invitation, Member, Organiser
from tournament.operations import members, organisers
from tournament.views import invitation
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import organiser_query, organiser_shell, own_shell


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The members and the open invitations; a post invites somebody."""
    around = organiser_shell(request)
    organiser: Organiser = around["organiser"]
    form = forms.InviteForm(request.POST or None)
    if form.done(lambda typed: members.invite(organiser, actor=access.actor(request), **typed)):
        messages.success(request, _("The invitation is made. Send the link below to the person it is meant for."))
        return redirect(reverse("director:members") + around["organiser_query"])
    context = {
        **around,
        "form": form,
        "members": Member.objects.filter(organiser=organiser).select_related("user").order_by("user__username", "pk"),
        "invitations": invitation.links(request, members.open_invitations(organiser)),
        "only_here": invitation.leads_to_this_machine(request),
        "what_roles_may": forms.WHAT_ROLES_MAY,
    }
    return render(request, "director/members.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def member(request: HttpRequest, pk: int) -> HttpResponse:
    """One member: another role."""
    found = get_object_or_404(Member.objects.select_related("user", "organiser"), pk=pk)
    around = own_shell(request, found.organiser_id)
    form = forms.RoleForm(request.POST or None, initial={"role": found.role})

    def set_role(typed: dict[str, Any]) -> None:
        _tell_taken_back(request, members.set_role(found, role=typed["role"], actor=access.actor(request)))

    if form.done(set_role):
        messages.success(request, _("Saved."))
        return _to_members(request, found)
    context = {**around, "form": form, "member": found, "what_roles_may": forms.WHAT_ROLES_MAY}
    return render(request, "director/member.html", context)


@login_required
@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """End a membership."""
    found = get_object_or_404(Member.objects.select_related("user", "organiser"), pk=pk)
    own_shell(request, found.organiser_id)
    with button_refusals.refusals(request):
        _tell_taken_back(request, members.remove_member(found, actor=access.actor(request)))
        figures = {"name": found.user.get_username(), "organiser": found.organiser.name}
        messages.success(request, _("“%(name)s” does not work for %(organiser)s any more.") % figures)
    return _to_members(request, found)


def _tell_taken_back(request: HttpRequest, count: int) -> None:
    """Say that open invitations have ended with their maker's right to invite."""
    if count:
        said = ngettext(
            "%(count)s open invitation of this account is taken back; its link leads nowhere now.",
            "%(count)s open invitations of this account are taken back; their links lead nowhere now.",
            count,
        )
        messages.warning(request, said % {"count": count})


def _to_members(request: HttpRequest, about: Member | Invitation) -> HttpResponse:
    """Back to the members; to one's own tournaments for somebody who may not see them any more."""
    if not access.owns(request, about.organiser):
        return redirect("director:home")
    several = len(access.memberships(request)) > 1
    return redirect(reverse("director:members") + (organiser_query(about.organiser) if several else ""))


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an invitation back."""
    found = get_object_or_404(Invitation.objects.select_related("organiser"), pk=pk)
    own_shell(request, found.organiser_id)
    members.revoke(found, actor=access.actor(request))
    messages.success(request, _("The invitation is taken back; its link leads nowhere now."))
    return _to_members(request, found)


@login_required
@require_http_methods(["GET", "POST"])
def organiser(request: HttpRequest) -> HttpResponse:
    """The organiser's name and address."""
    around = organiser_shell(request)
    found: Organiser = around["organiser"]
    form = forms.OrganiserForm(request.POST or None, of=found, initial={"name": found.name, "slug": found.slug})
    if form.done(lambda typed: organisers.edit_organiser(found, actor=access.actor(request), **typed)):
        messages.success(request, _("Saved."))
        return redirect("director:home")
    return render(request, "director/organiser.html", {**around, "form": form})
