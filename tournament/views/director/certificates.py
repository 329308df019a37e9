"""The text of certificates: set by the director, and looked at before it is."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from tournament import access, languages
from tournament.forms.certificates import CertificateForm
from tournament.models import Division
from tournament.operations import certificates
from tournament.plan.certificate import CertificateText
from tournament.printing import documents
from tournament.printing.certificates import Design
from tournament.views import pairs
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell

DESIGNS = {
    "tiles": (Design.TILES, gettext_lazy("with letter tiles")),
    "classic": (Design.CLASSIC, gettext_lazy("with a frame")),
    "band": (Design.BAND, gettext_lazy("with a grey band")),
}
"""The designs by the names that the form sends, and what they are called."""


@login_required
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """What certificates say; a post keeps it, or with `preview` shows it on a certificate and keeps nothing."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    form = CertificateForm(request.POST or None, text=CertificateText.read(tournament.certificate))
    preview = request.POST.get("preview", "")
    if preview in DESIGNS and form.is_valid():
        return _shown(division, form.text(), DESIGNS[preview][0])
    if preview not in DESIGNS and form.done(
        lambda _typed: certificates.set_certificate(tournament, text=form.text(), actor=access.actor(request))
    ):
        messages.success(request, _("Saved. All certificates say this from now on."))
        return redirect(reverse("director:certificate", args=[slug]) + query(division))
    context = {
        **shell(tournament, division, "settings", tabs=False),
        "form": form,
        "query": query(division),
        "places": certificates.known(),
        "designs": [(name, called) for name, (_design, called) in DESIGNS.items()],
    }
    return render(request, "director/certificate.html", context)


def _shown(division: Division, text: CertificateText, design: Design) -> HttpResponse:
    """A certificate with this text, which is kept nowhere."""
    division.tournament.certificate = text.stored()
    with translation.override(languages.on_paper(division.tournament.language)):
        return HttpResponse(documents.sample_certificate(division, design), content_type="application/pdf")
