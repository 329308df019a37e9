"""What the director says was never written down of a match of the knock-out, and takes back."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from scoring.knockout import Fact
from tournament import access
from tournament.models import NotRecorded
from tournament.models.choices import FACTS
from tournament.operations import knockout_facts as operations
from tournament.views.director import button_refusals, knockout_back
from tournament.views.director.kept_input import login_required
from tournament.views.director.knockout_back import address


@login_required
@require_POST
def not_recorded(request: HttpRequest, slug: str, stage: int, position: int) -> HttpResponse:
    """Note that nobody wrote down what a match waits for."""
    division = access.division_of(request, access.directed_tournament(request, slug))
    if request.POST.get("fact") not in list(Fact):
        raise Http404(_("No match waits for that."))
    fact = Fact(request.POST["fact"])
    with button_refusals.refusals(request):
        operations.say_not_recorded(division, stage=stage, position=position, fact=fact, actor=access.actor(request))
        messages.success(request, _("Noted as not recorded: %(fact)s.") % {"fact": FACTS[fact]})
    return redirect(address(division))


@login_required
@require_http_methods(["GET", "POST"])
def recorded_again(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let the match wait for the figures again; ask first if games that were played would no longer count."""
    tournament = access.directed_tournament(request, slug)
    said = get_object_or_404(NotRecorded, pk=pk, knockout__division__tournament=tournament)
    actor = access.actor(request)
    return knockout_back.take_back(
        request,
        said.knockout.division,
        lambda agreed: operations.take_back_not_recorded(said, disturb=agreed, actor=actor),
        heading=_("Wait for the figures again"),
        done=_("The match waits for the figures again."),
    )
