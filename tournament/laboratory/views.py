"""The laboratory's page: what is asked, how far it has come, what came out; and that as files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.basics.version import get_version
from tournament.laboratory.figures import FEWEST_EVENTS, StudyFigures, count_study
from tournament.laboratory.forms import LaboratoryForm
from tournament.laboratory.paper import render_study_pdf
from tournament.laboratory.running import StudyRun
from tournament.laboratory.tables import build_results
from tournament.laboratory.values import Study
from tournament.models import Organiser
from tournament.pages.caching import forbid_caching
from tournament.pages.frames import build_organiser_context
from tournament.pages.kept_input import login_required
from tournament.pages.views import answer_state

FIGURES_KEPT_SECONDS = 3600
PROGRESS_STEPS = 50  # how often a page that waits is told anew


def get_laboratory_folder() -> Path:
    """Where runs are kept. No backup needs them: a link plays each anew."""
    return Path(settings.DATA_DIR) / "laboratory"


def _get_run(study: Study) -> StudyRun:
    return StudyRun(get_laboratory_folder(), study.name_run(get_version()), study)


def _count_run(run: StudyRun) -> StudyFigures | None:
    """The figures of what has been played, kept for a while; None of too little."""
    # By how far it has come: figures of a run that goes on are of fewer events than those of its end.
    key = f"laboratory:{run.name}:{run.count_events()}"
    figures: StudyFigures | None = cache.get(key)
    if figures is None and len(events := run.read_events()) >= FEWEST_EVENTS:
        figures = count_study(run.study, events)
        cache.set(key, figures, FIGURES_KEPT_SECONDS)
    return figures


@login_required
@require_http_methods(["GET", "POST"])
def show_laboratory(request: HttpRequest) -> HttpResponse:
    """What is to be played, and what came of it. A post begins, goes on, or stops; the address it leads to repeats the
    run."""
    around = build_organiser_context(request)
    is_sent = request.method == "POST"
    form = LaboratoryForm(request.POST if is_sent else request.GET, organiser=around["organiser"], is_sent=is_sent)
    context: dict[str, Any] = {**around, "form": form}
    if form.is_valid():
        run = _get_run(form.cleaned_data["study"])
        address = f"{request.path}?{_build_query(form, around)}"
        if is_sent:
            if "stop" in request.POST:
                run.stop()
                messages.info(request, _("Stopped. What has been played is kept; you can go on later."))
            # In this order: a second click finds the run running, and a run that is done is not begun anew.
            elif not run.is_running and run.count_events() < run.study.events and not run.start(around["organiser"].pk):
                messages.error(
                    request,
                    _("Another comparison of this organiser is being played. Wait until it is done, or stop it."),
                )
            return redirect(address)
        context |= _show_run(run, form, around)
    return render(request, "tournament/laboratory/laboratory.html", context)


def _build_query(form: LaboratoryForm, around: Mapping[str, Any]) -> str:
    return "&".join(part for part in (form.build_query(), around["organiser_query"].removeprefix("?")) if part)


def _show_run(run: StudyRun, form: LaboratoryForm, around: Mapping[str, Any]) -> dict[str, Any]:
    """How far a run has come; its results once it does not go on."""
    event_count = run.count_events()
    context = {"run": run, "done": event_count, "query": _build_query(form, around), "state": _describe_state(run)}
    context["others"] = run.count_others()
    # No figures of a run that goes on: half-way they would be read as its result.
    if run.is_running or not event_count:
        return context
    figures = _count_run(run)
    return context if figures is None else {**context, "results": build_results(figures)}


def _describe_state(run: StudyRun) -> str:
    return f"{run.is_running}-{run.count_events() * PROGRESS_STEPS // run.study.events}-{run.count_others()}"


def _get_asked_run(request: HttpRequest) -> tuple[StudyRun, Organiser]:
    """The run of an address, and for whom; 404 if the address asks for none."""
    organiser = build_organiser_context(request)["organiser"]
    form = LaboratoryForm(request.GET, organiser=organiser)
    if not form.is_valid():
        raise Http404
    return _get_run(form.cleaned_data["study"]), organiser


@login_required
@require_safe
def answer_laboratory_news(request: HttpRequest) -> HttpResponse:
    """Whether a run has come further."""
    return answer_state(request, _describe_state(_get_asked_run(request)[0]))


@login_required
@require_safe
def show_laboratory_paper(request: HttpRequest) -> HttpResponse:
    """What came out, as PDF; before anything was played, to the page."""
    run, organiser = _get_asked_run(request)
    figures = _count_run(run)
    if figures is None:
        return _redirect_to_page(request)
    return forbid_caching(HttpResponse(render_study_pdf(figures, organiser.name), content_type="application/pdf"))


@login_required
@require_safe
def show_laboratory_file(request: HttpRequest) -> HttpResponse:
    """What came out, as the JSON that `simulate` prints; before anything was played, to the page."""
    figures = _count_run(_get_asked_run(request)[0])
    return _redirect_to_page(request) if figures is None else forbid_caching(JsonResponse(figures.stored()))


def _redirect_to_page(request: HttpRequest) -> HttpResponse:
    return redirect(f"{reverse('director:laboratory')}?{request.GET.urlencode()}")
