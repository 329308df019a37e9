"""Files out: the event as an archive, for other programs, as a text."""

import tempfile
from collections.abc import Callable
from typing import IO

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament import access, languages
from tournament.exchange import downloads, faults
from tournament.exchange.archive import writing as archives
from tournament.exchange.website import writing as websites
from tournament.models import Tournament
from tournament.printing import final_text as ranked
from tournament.refusals import Refusal
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import shell


@login_required
@require_safe
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """The files that can be saved."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    return render(request, "director/export.html", shell(tournament, division, "settings"))


@login_required
@require_safe
def final_text(request: HttpRequest, slug: str) -> HttpResponse:
    """The final ranking as plain text to copy, in the language of the event."""
    tournament = access.directed_tournament(request, slug)
    language = languages.on_paper(tournament.language)
    with translation.override(language):
        text = ranked.text(tournament)
    division = access.division_of(request, tournament)
    context = {**shell(tournament, division, "settings"), "text": text, "text_language": language}
    return render(request, "director/final_text.html", context)


@login_required
@require_safe
def take_along(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The whole event as an archive, to go on with it on another laptop."""
    tournament = access.directed_tournament(request, slug)
    return _zip(request, tournament, archives.write, str(tournament.revision))


@login_required
@require_safe
def website(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The event's public pages as a website in one zip."""
    return _zip(request, access.directed_tournament(request, slug), websites.write, "website")


def _zip(
    request: HttpRequest, tournament: Tournament, write: Callable[[Tournament, IO[bytes]], object], what: str
) -> HttpResponseBase:
    """A zip as it is written, called by the event and by what it is; back to the page where it cannot be written."""
    written = tempfile.TemporaryFile()  # noqa: SIM115  # the response closes it once it is sent
    try:
        write(tournament, written)
    except (Refusal, faults.Faults) as refused:
        written.close()
        messages.error(request, str(refused))
        return redirect("director:export", tournament.slug)
    written.seek(0)
    name = f"{tournament.slug}-{what}.zip"
    return FileResponse(written, as_attachment=True, filename=name, content_type="application/zip")


@login_required
@require_safe
def download(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """One of these files."""
    tournament = access.directed_tournament(request, slug)
    if kind not in downloads.KINDS:
        raise Http404(_("There is no export “%(kind)s”.") % {"kind": kind})
    made = downloads.make(tournament, kind)
    response = HttpResponse(made.content, content_type=made.content_type)
    response["Content-Disposition"] = f'attachment; filename="{made.name}"'
    return response
