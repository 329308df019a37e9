"""The director's home, and tournaments as a whole: a new one, a copy, deleting, the settings, plan and divisions."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access.rules import (
    get_actor,
    get_chosen_division,
    get_chosen_organiser,
    get_directed_tournament,
    list_memberships,
)
from tournament.backup.keeper import describe_backup_status
from tournament.backup.places import get_installation
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.records import list_divisions
from tournament.events.demo import make_demo_tournament
from tournament.events.forms import (
    CopyTournamentForm,
    DeleteTournamentForm,
    DivisionForm,
    NewTournamentForm,
    SettingsForm,
)
from tournament.events.operations import (
    add_division,
    build_from_preset,
    copy_tournament,
    create_tournament,
    delete_tournament,
    remove_division,
    rename_division,
    set_public,
    update_settings,
)
from tournament.events.presets import PRESETS, get_preset
from tournament.events.queries import list_counted_divisions, list_tournaments
from tournament.events.words import describe_segment, format_segment_rounds, list_announcement_facts
from tournament.models import Division, Tournament
from tournament.pages.frames import build_director_context, build_organiser_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import SingleSubmission, paginate_rows, redirect_to_session, show_refusals
from tournament.rounds.forms import build_plan_formset
from tournament.rounds.plan import fit_plan_to_entries, read_round_plan, set_plan
from tournament.table.league import get_last_round_number

TOURNAMENTS_A_PAGE = 50


def get_console_url(tournament: Tournament) -> str:
    """The address of a tournament's console."""
    return reverse("director:console", args=[tournament.slug])


@login_required
@require_safe
def show_director_home(request: HttpRequest) -> HttpResponse:
    """The tournaments of the organiser for whom the user works, newest first. Five queries with session and user."""
    found = list_memberships(request)
    if not found:
        return render(request, "tournament/events/no_organiser.html")
    around = build_organiser_context(request, found)
    page = paginate_rows(request, list_tournaments(around["organiser"]), TOURNAMENTS_A_PAGE)
    context = {"page": page, "once": SingleSubmission(request), "kept": describe_backup_status(get_installation())}
    return render(request, "tournament/events/director_home.html", {**around, **context})


@login_required
@require_safe
def show_presets(request: HttpRequest) -> HttpResponse:
    """The presets to choose from."""
    return render(request, "tournament/events/new.html", {**build_organiser_context(request), "presets": PRESETS})


@login_required
@require_http_methods(["GET", "POST"])
def create_from_preset(request: HttpRequest, preset: str) -> HttpResponse:
    """One short form for a tournament from a preset; the rest has defaults, said in words."""
    chosen = get_preset(preset)
    if chosen is None:
        raise Http404(_("There is no preset “%(key)s”.") % {"key": preset})
    around = build_organiser_context(request)
    form, once = NewTournamentForm(request.POST or None, preset=chosen), SingleSubmission(request)

    def create() -> str:
        actor = get_actor(request, around["organiser"])
        made = create_tournament(actor=actor, preset=chosen, **form.cleaned_data)
        messages.success(request, _("“%(name)s” is made. Next: enter the players.") % {"name": made.name})
        return reverse("director:entries", args=[made.slug])

    if done := form.done(lambda _typed: once.run(create)):
        return redirect(done.result)
    context = {
        **around,
        "form": form,
        "preset": chosen,
        "once": once,
        "facts": list_announcement_facts(build_from_preset(chosen)),
        "plan": [(format_segment_rounds(part), describe_segment(part)) for part in chosen.plan],
    }
    return render(request, "tournament/events/new_from.html", context)


@login_required
@require_POST
def make_demo_event(request: HttpRequest) -> HttpResponse:
    """Make the example event and go there."""
    actor, once = get_actor(request, get_chosen_organiser(request)), SingleSubmission(request)

    def load() -> str:
        made = make_demo_tournament(actor=actor, today=timezone.localdate())
        messages.success(request, _("This is the example event. Nothing in it is real; try out everything."))
        return get_console_url(made)

    return redirect(once.run(load))


@login_required
@require_http_methods(["GET", "POST"])
def request_tournament_copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Make another tournament like this one, without results."""
    tournament = get_directed_tournament(request, slug)
    form, once = CopyTournamentForm(request.POST or None, initial={"name": tournament.name}), SingleSubmission(request)

    def make() -> str:
        made = copy_tournament(tournament, actor=get_actor(request), **form.cleaned_data)
        messages.success(request, _("The copy is made. Only you see it until you make it visible in its settings."))
        return reverse("director:settings", args=[made.slug])

    if done := form.done(lambda _typed: once.run(make)):
        return redirect(done.result)
    context = build_director_context(tournament, list_divisions(tournament)[0], "settings")
    return render(request, "tournament/events/copy.html", {**context, "form": form, "once": once})


@login_required
@require_http_methods(["GET", "POST"])
def confirm_tournament_deletion(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a tournament whose name the director types."""
    tournament = get_directed_tournament(request, slug)
    form = DeleteTournamentForm(request.POST or None)
    if form.done(lambda typed: delete_tournament(tournament, actor=get_actor(request), **typed)):
        messages.success(request, _("“%(name)s” is deleted.") % {"name": tournament.name})
        return redirect("director:home")
    context = build_director_context(tournament, list_divisions(tournament)[0], "settings")
    context |= {"form": form, "entered": tournament.entries.count()}
    return render(request, "tournament/events/delete.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules, the table's order, byes and the announcement in one form."""
    tournament = get_directed_tournament(request, slug)
    form = SettingsForm(request.POST or None, tournament=tournament)
    if form.done(lambda typed: update_settings(tournament, actor=get_actor(request), **typed)):
        messages.success(request, _("The settings are saved."))
        return redirect("director:settings", slug)
    division = get_chosen_division(request, tournament)
    context = build_director_context(tournament, division, "settings")
    context |= {"form": form, "published": get_last_round_number(division)}
    return render(request, "tournament/events/settings.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """The plan of a division's rounds, row by row."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    formset = build_plan_formset(request.POST or None, segments=read_round_plan(division.plan))
    refusals: list[Refusal] = []
    if formset.is_valid():
        try:
            set_plan(division, segments=formset.segments(), actor=get_actor(request))
        except Refusals as refused:
            refusals = refused.refusals
        else:
            messages.success(request, _("The plan is saved."))
            return redirect(reverse("director:plan", args=[slug]) + make_division_query(division))
    context = build_director_context(tournament, division, "settings")
    context |= {"formset": formset, "refusals": refusals, "published": get_last_round_number(division)}
    return render(request, "tournament/events/plan.html", context)


@login_required
@require_POST
def refit_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Give an all-play-all as many rounds as its players need."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    with show_refusals(request):
        fit_plan_to_entries(division, actor=get_actor(request))
        messages.success(request, _("The plan fits the entries now."))
    return redirect(reverse("director:entries", args=[slug]) + make_division_query(division))


@login_required
@require_http_methods(["GET", "POST"])
def show_divisions(request: HttpRequest, slug: str) -> HttpResponse:
    """The divisions, and a new one."""
    tournament = get_directed_tournament(request, slug)
    form = DivisionForm(request.POST or None)
    if form.done(lambda typed: add_division(tournament, actor=get_actor(request), **typed)):
        messages.success(request, _("Division %(name)s is added.") % form.cleaned_data)
        return redirect("director:divisions", slug)
    context = build_director_context(tournament, list_divisions(tournament)[0], "settings", tabs=False)
    context |= {"form": form, "listed": list_counted_divisions(tournament)}
    return render(request, "tournament/events/divisions.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def edit_division(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Rename a division, or delete it while nobody has entered it."""
    tournament = get_directed_tournament(request, slug)
    found = get_object_or_404(Division.objects.select_related("tournament"), pk=pk, tournament=tournament)
    actor = get_actor(request)
    form = DivisionForm(request.POST or None, initial={"name": found.name})
    if "remove" in request.POST:
        with show_refusals(request):
            remove_division(found, actor=actor)
            messages.success(request, _("Division %(name)s is removed.") % {"name": found.name})
        return redirect("director:divisions", slug)
    if form.done(lambda typed: rename_division(found, actor=actor, **typed)):
        messages.success(request, _("Saved."))
        return redirect("director:divisions", slug)
    context = {**build_director_context(tournament, found, "settings", tabs=False), "form": form, "found": found}
    return render(request, "tournament/events/division.html", context)


@login_required
@require_POST
def set_visibility(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tournament to everybody, or to its directors only."""
    tournament = get_directed_tournament(request, slug)
    public = request.POST.get("public") == "yes"
    set_public(tournament, public=public, actor=get_actor(request))
    messages.success(request, _("Everybody can see it now.") if public else _("Only its directors see it now."))
    return redirect("director:settings", slug)
