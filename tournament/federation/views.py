"""The report to the federation for the director: what is missing, what else there is to say, and its files."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _

from tournament.access.rules import get_actor, get_chosen_division
from tournament.basics.languages import choose_paper_language
from tournament.federation.files import make_report_zip, name_report
from tournament.federation.forms import ReportNotesForm
from tournament.federation.operations import write_report_notes
from tournament.federation.paper import render_report
from tournament.federation.report import FederationReport, load_report
from tournament.federation.words import describe_games, get_deviations_heading, list_gap_lines
from tournament.models import Tournament
from tournament.pages.frames import build_director_context
from tournament.pages.requests import director_page
from tournament.pages.views import answer_with_file

FORMATS: Mapping[str, tuple[str, Callable[[FederationReport], bytes]]] = {
    "zip": ("application/zip", make_report_zip),
    "pdf": ("application/pdf", render_report),
}
"""The content type of each kind of file, and how it is made."""


@director_page("GET", "POST")
def show_report(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What is missing, the files, and what the director tells in their own words; POST saves that."""
    form = ReportNotesForm(request.POST or None, tournament=tournament)
    if form.done(lambda typed: write_report_notes(tournament, **typed, actor=get_actor(request))):
        messages.success(request, _("Saved."))
        return redirect("director:report", tournament.slug)
    report = load_report(tournament)
    context = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "end", tabs=False),
        "form": form,
        "report": report,
        "missing": list_gap_lines(report, advisory=False),
        "to_look_at": list_gap_lines(report, advisory=True),
        "games": describe_games(report) if tournament.rules.is_paired else "",
        "deviations_heading": get_deviations_heading(tournament),
    }
    return render(request, "tournament/federation/report.html", context)


@director_page("GET", "HEAD")
def download_report(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The report in one of the `FORMATS`, else 404; in the language of the event's paper."""
    if fmt not in FORMATS:
        raise Http404(_("There is no report as “%(format)s”.") % {"format": fmt})
    content_type, write = FORMATS[fmt]
    # Loaded in that language as well: deviations from the rules are sentences as soon as the report is there.
    with translation.override(choose_paper_language(tournament.language)):
        report = load_report(tournament)
        content = write(report)
    return answer_with_file(content, content_type, name_report(report, fmt))
