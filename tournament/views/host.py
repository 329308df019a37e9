"""The pages of whoever looks after the installation: organisers, and invitations to own one. Events are not theirs."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament import access, second_factor
from tournament.forms.fields import key
from tournament.forms.members import OrganiserForm
from tournament.models import Member, Organiser, Role
from tournament.operations import members
from tournament.operations import organisers as operations
from tournament.views import invitation
from tournament.views.account.second_factor import where_offered
from tournament.views.director.kept_input import login_required


@login_required
@require_http_methods(["GET", "POST"])
def organisers(request: HttpRequest) -> HttpResponse:
    """All organisers; a post makes another one."""
    access.require_host(request)
    form, made = OrganiserForm(request.POST or None), []
    if form.done(lambda typed: made.append(operations.add_organiser(actor=access.actor(request), **typed))):
        messages.success(request, _("%(name)s is made. Next: invite somebody to own it.") % {"name": made[0].name})
        return redirect("host:organiser", made[0].slug)
    counted = Organiser.objects.annotate(
        people=Count("members", distinct=True), events=Count("tournaments", distinct=True)
    )
    context = {
        "form": form,
        "listed": counted.order_by("name", "pk"),
        "second_factor": settings.SECOND_FACTOR,
    }
    return render(request, "host/organisers.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def organiser(request: HttpRequest, slug: str) -> HttpResponse:
    """One organiser: who owns it, its name and address; a post renames it or invites another owner."""
    access.require_host(request)
    found = get_object_or_404(Organiser, slug=slug)
    if "invite" in request.POST:
        members.invite(found, role=Role.OWNER, actor=access.actor(request))
        messages.success(request, _("The invitation is made. Send the link below to the person it is meant for."))
        return redirect("host:organiser", slug)
    form = OrganiserForm(request.POST or None, of=found, initial={"name": found.name, "slug": found.slug})
    if form.done(lambda typed: operations.edit_organiser(found, actor=access.actor(request), **typed)):
        messages.success(request, _("Saved."))
        return redirect("host:organisers")
    invitations = [each for each in members.open_invitations(found) if each.role == Role.OWNER]
    context = {
        "form": form,
        "organiser": found,
        "owners": Member.objects.filter(organiser=found, role=Role.OWNER).select_related("user").order_by("pk"),
        "invitations": invitation.links(request, invitations),
        "only_here": invitation.leads_to_this_machine(request),
    }
    return render(request, "host/organiser.html", context)


@where_offered
@login_required
@require_http_methods(["GET", "POST"])
def second_factors(request: HttpRequest) -> HttpResponse:
    """The accounts that have a second factor; a post turns one of them off, for somebody who has lost the phone."""
    access.require_host(request)
    if request.method == "POST":
        found = get_object_or_404(User, pk=key(request.POST.get("account", "")))
        second_factor.turn_off(found)
        said = _("“%(name)s” signs in with the password only, until a second factor is turned on again.")
        messages.success(request, said % {"name": found.get_username()})
        return redirect("host:second_factors")
    return render(request, "host/second_factors.html", {"accounts": second_factor.with_one()})
