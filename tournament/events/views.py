"""Tournaments as a whole: the director's home, a new one, a copy, deleting, settings and plan; what everybody sees."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from scoring.standings import RankingBasis
from tournament.access.rules import get_actor, get_chosen_division, get_chosen_organiser, list_memberships
from tournament.backup.keeper import describe_backup_status
from tournament.backup.places import get_installation
from tournament.basics import limits
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.division_tables import format_tables, list_division_tables
from tournament.core.records import list_divisions
from tournament.ending.awarded_prizes import list_prizes, load_awarded_prizes
from tournament.ending.certificate_codes import get_certificate_key
from tournament.ending.final_ranking import find_winners, load_final_ranking, may_be_final
from tournament.ending.tables import EndPage
from tournament.ending.words import format_prize_title
from tournament.entries.operations.waiting_list import get_online_entry, has_tournament_begun, is_online_entry_offered
from tournament.events.console import build_console_context
from tournament.events.demo import make_demo_tournament
from tournament.events.following import follow_across, group_by_club
from tournament.events.forms import (
    GROUP_ROWS,
    CopyTournamentForm,
    DeleteTournamentForm,
    DivisionForm,
    NewTournamentForm,
    NextSeasonForm,
    SettingsForm,
    list_group_fields,
    list_settings_beside_the_book,
)
from tournament.events.front import (
    MOST_BANNERS,
    list_entry_offers,
    list_winners,
    load_running_event,
    load_season_top,
)
from tournament.events.groups import count_own_values, describe_plan, describe_preset, list_evening_lines, list_sections
from tournament.events.next_season import propose_next_season, start_next_season
from tournament.events.operations import (
    add_division,
    build_from_preset,
    copy_tournament,
    create_tournament,
    delete_tournament,
    remove_division,
    set_public,
    update_division,
    update_settings,
)
from tournament.events.presets import PRESETS, Preset
from tournament.events.queries import (
    EventOrigin,
    group_public_tournaments,
    list_public_organisers,
    list_tournaments,
    load_event_origin,
)
from tournament.events.shapes import build_earlier_row, build_preset_row, list_shape_legend
from tournament.events.states import load_division_states
from tournament.events.words import describe_event, list_announcement_facts
from tournament.hall.queries import get_hall
from tournament.hall.words import describe_clock_end, describe_round_start
from tournament.knockout.words import list_knockout_facts
from tournament.laboratory.plans import build_laboratory_query
from tournament.models import ClubPicture, ClubPictureUse, Division, Entry, Organiser, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.forms import parse_day
from tournament.pages.frames import (
    build_director_context,
    build_organiser_context,
    build_public_context,
    make_division_address,
)
from tournament.pages.kept_input import login_required
from tournament.pages.requests import (
    SingleSubmission,
    director_page,
    paginate_rows,
    read_query_number,
    redirect_to_session,
    show_refusals,
)
from tournament.pages.views import answer_state
from tournament.pairing.values import StartPolicy
from tournament.ratings.publishing import list_valid_lists
from tournament.ratings.words import name_published
from tournament.registration.calling_off import list_minimum_facts
from tournament.results.knockout_state import get_stored_knockout
from tournament.rounds.forms import build_plan_formset
from tournament.rounds.plan import fit_plan_to_entries, read_round_plan, set_plan
from tournament.rounds.words import describe_due_day
from tournament.seasons.season_table import list_public_seasons
from tournament.table.following import read_following
from tournament.table.league import RoundProgress, find_round_of_day, get_last_round_number, list_league_rounds
from tournament.table.public_table import (
    find_current_round_number,
    get_division_progress,
    list_exceptions,
    load_public_table,
)
from tournament.table.tables import TopTable

TOURNAMENTS_A_PAGE = 50
EARLIER_EVENTS = 5  # offered to be copied
KEPT_FIELDS = ("name", "place", "starts_on", "ends_on")  # what stays typed where another preset is chosen


@login_required
@require_safe
def show_director_home(request: HttpRequest) -> HttpResponse:
    """The tournaments of the organiser for whom the user works, newest first, and where each is. Six queries with
    session and user, and those for winners not kept."""
    memberships = list_memberships(request)
    if not memberships:
        return render(request, "tournament/events/no_organiser.html")
    around = build_organiser_context(request, memberships)
    page = paginate_rows(request, list_tournaments(around["organiser"]), TOURNAMENTS_A_PAGE)
    states = load_division_states(page)
    ended = [state.division for event in page if event.is_ended for state in states.get(event.pk, ())]
    winners, today = find_winners(ended), timezone.localdate()
    context = {
        "page": page,
        "listed": [(event, describe_event(event, states.get(event.pk, ()), winners, today)) for event in page],
        "once": SingleSubmission(request),
        "kept": describe_backup_status(get_installation()),
        "area": "home",
    }
    return render(request, "tournament/events/director_home.html", {**around, **context})


@login_required
@require_safe
def show_presets(request: HttpRequest) -> HttpResponse:
    """The presets and earlier events to choose from, the first one chosen."""
    chosen = next(iter(PRESETS.values()))
    form = NewTournamentForm(preset=chosen)
    form.fields["name"].widget.attrs.pop("autofocus")  # it would move a phone past the presets
    return _render_new(request, chosen, form, SingleSubmission(request))


@login_required
@require_http_methods(["GET", "POST"])
def create_from_preset(request: HttpRequest, preset: str) -> HttpResponse:
    """The same with this preset chosen; a short form beside it, the rest has defaults, said in words."""
    chosen = PRESETS.get(preset)
    if chosen is None:
        raise Http404(_("There is no preset “%(key)s”.") % {"key": preset})
    preset_fields = {name: request.GET[name] for name in KEPT_FIELDS if request.GET.get(name)}
    if parse_day(preset_fields.get("starts_on", "")) == timezone.localdate():
        del preset_fields["starts_on"]  # an evening's proposal, which no other preset has
    # Pressed twice, the button makes one tournament: the second press is answered with the address that the first one
    # gave.
    form, once = (
        NewTournamentForm(request.POST or None, preset=chosen, initial=preset_fields),
        SingleSubmission(request),
    )

    def create() -> str:
        actor = get_actor(request, get_chosen_organiser(request))
        tournament = create_tournament(actor=actor, preset=chosen, **form.cleaned_data)
        messages.success(
            request, _("“%(name)s” has been created. Next: enter the players.") % {"name": tournament.name}
        )
        return reverse("director:entries", args=[tournament.slug])

    if outcome := form.done(lambda _typed: once.run(create)):
        return redirect(outcome.result)
    return _render_new(request, chosen, form, once)


def _render_new(request: HttpRequest, chosen: Preset, form: NewTournamentForm, once: SingleSubmission) -> HttpResponse:
    around = build_organiser_context(request)
    rounds = form.cleaned_data.get("rounds") if form.is_bound else chosen.rounds
    # The field asks for its blocks by itself; whoever opens such an address has a field with the preset's own number.
    if request.headers.get("HX-Request"):
        rounds = read_query_number(request, "rounds", chosen.rounds)
    if chosen.rounds and rounds and limits.ROUND.holds(rounds):
        chosen = replace(chosen, plan=chosen.plan_for(rounds))
    laboratory = {} if chosen.basis == RankingBasis.KEIZER else build_laboratory_query(chosen.plan)
    # Only who works for several organisers has them in addresses.
    if laboratory and around["organiser_query"]:
        laboratory["organiser"] = around["organiser"].slug
    earlier = list_tournaments(around["organiser"]).prefetch_related("divisions")[:EARLIER_EVENTS]
    context = {
        **around,
        "form": form,
        "once": once,
        "rows": [build_preset_row(chosen if preset.key == chosen.key else preset) for preset in PRESETS.values()],
        "earlier": [build_earlier_row(event) for event in earlier],
        "legend": list_shape_legend(),
        "preset": chosen,
        "is_usual": chosen == PRESETS[chosen.key],
        "facts": describe_preset(build_from_preset(chosen)),
        "laboratory": urlencode(laboratory),
    }
    return render(request, "tournament/events/new.html", context)


@login_required
@require_POST
def make_demo_event(request: HttpRequest) -> HttpResponse:
    """Make the example event and go there."""
    actor, once = get_actor(request, get_chosen_organiser(request)), SingleSubmission(request)

    def load() -> str:
        tournament = make_demo_tournament(actor=actor, today=timezone.localdate())
        messages.success(request, _("This is the example event. Nothing in it is real; try everything out."))
        return reverse("director:console", args=[tournament.slug])

    return redirect(once.run(load))


@director_page("GET", "POST")
def request_tournament_copy(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Make another tournament like this one, without results."""
    form, once = CopyTournamentForm(request.POST or None, source=tournament), SingleSubmission(request)

    def make() -> str:
        event_copy = copy_tournament(tournament, actor=get_actor(request), **form.cleaned_data)
        messages.success(
            request, _("The copy has been created. Only you can see it until you make it public in its settings.")
        )
        return reverse("director:settings", args=[event_copy.slug])

    if outcome := form.done(lambda _typed: once.run(make)):
        return redirect(outcome.result)
    context = build_director_context(tournament, list_divisions(tournament)[0], "settings")
    return render(request, "tournament/events/copy.html", {**context, "form": form, "once": once})


@director_page("GET", "POST")
def request_next_season(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Make the next season of an ended league: who goes up and down as proposed, or as the director says."""
    proposals, once = propose_next_season(tournament), SingleSubmission(request)
    form = NextSeasonForm(request.POST or None, source=tournament, proposals=proposals)

    def make() -> str:
        season = start_next_season(tournament, actor=get_actor(request), **form.season)
        messages.success(
            request, _("The next season is made. Only you can see it until you make it public in its settings.")
        )
        return reverse("director:entries", args=[season.slug])

    if outcome := form.done(lambda _typed: once.run(make)):
        return redirect(outcome.result)
    context = {
        **build_director_context(tournament, list_divisions(tournament)[0], "settings", tabs=False),
        "form": form,
        "once": once,
        "proposals": [
            (division, [(line, form[f"entry_{line.entry.pk}"]) for line in lines]) for division, lines in proposals
        ],
    }
    return render(request, "tournament/events/next_season.html", context)


@director_page("GET", "POST")
def confirm_tournament_deletion(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Delete a tournament whose name the director types."""
    form = DeleteTournamentForm(request.POST or None)
    if form.done(lambda typed: delete_tournament(tournament, actor=get_actor(request), **typed)):
        messages.success(request, _("“%(name)s” is deleted.") % {"name": tournament.name})
        return redirect("director:home")
    context = build_director_context(tournament, list_divisions(tournament)[0], "settings")
    context |= {"form": form, "entered": tournament.entries.count()}
    return render(request, "tournament/events/delete.html", context)


@director_page("GET", "POST")
def edit_settings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A line for each group of settings. `?change=` unfolds a group and saves it; `restore` gives it back what the
    event was made with. `?all=` shows every line of a club's evening."""
    group = request.GET.get("change", "")
    if group and not (group in GROUP_ROWS and list_group_fields(group, tournament)):
        raise Http404(_("There is no group “%(key)s” of settings.") % {"key": group})
    origin = load_event_origin(tournament)
    if not group:
        if request.method == "POST":
            messages.error(request, _("Nothing is saved: the address names no group of settings."))
        return _render_settings(request, tournament, origin, None)
    actor = get_actor(request)
    # An event from a file was given nothing, and has nothing to go back to.
    if origin and "restore" in request.POST:
        with show_refusals(request):
            update_settings(tournament, actor=actor, **origin.list_given(group))
            messages.success(request, _("Saved."))
        return redirect(_get_settings_url(tournament, group))
    # Not `request.POST or None`: a group whose only tick is taken away may send nothing, and would be taken for a page
    # that is opened.
    form = SettingsForm(request.POST if request.method == "POST" else None, tournament=tournament, group=group)
    if outcome := form.done(lambda typed: update_settings(tournament, actor=actor, **typed)):
        messages.success(request, _("Saved."))
        stays = list_settings_beside_the_book(outcome.result) if outcome.result.ruleset != tournament.ruleset else []
        if stays:
            message = _("Not as the ruleset usually has it, since it was set before: %(names)s.")
            messages.info(request, message % {"names": ", ".join(stays)})
        return redirect(_get_settings_url(tournament, group))
    return _render_settings(request, tournament, origin, form)


def _render_settings(
    request: HttpRequest, tournament: Tournament, origin: EventOrigin | None, form: SettingsForm | None
) -> HttpResponse:
    division, divisions = get_chosen_division(request, tournament), list_divisions(tournament)
    sections = list_sections(tournament, divisions, origin)
    is_short = origin is not None and origin.is_evening and form is None and "all" not in request.GET
    context = build_director_context(tournament, division, "settings") | {
        "form": form,
        "origin": origin,
        "sections": [("", list_evening_lines(sections))] if is_short else sections,
        "is_short": is_short,
        "own": 0 if origin is None else count_own_values(tournament, divisions, origin),
        "published": get_last_round_number(division),
    }
    return render(request, "tournament/events/settings.html", context)


def _get_settings_url(tournament: Tournament, group: str) -> str:
    return f"{reverse('director:settings', args=[tournament.slug])}?all=yes#{group}"


@director_page("GET", "POST")
def edit_plan(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The plan of a division's rounds, row by row; with `restore` it is again what the event was made with."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    origin = load_event_origin(tournament)
    preset_plan = origin.plans.get(division.position, ()) if origin and origin.has_own_plan(division) else ()
    restores = bool(preset_plan) and "restore" in request.POST
    formset = build_plan_formset(None if restores else request.POST or None, segments=read_round_plan(division.plan))
    refusals: list[Refusal] = []
    if restores or formset.is_valid():
        try:
            set_plan(division, segments=preset_plan if restores else formset.segments(), actor=get_actor(request))
        except Refusals as refused:
            refusals = refused.refusals
        else:
            messages.success(request, _("The plan is saved."))
            return redirect(make_division_address("director:plan", division))
    context = build_director_context(tournament, division, "settings")
    context |= {"formset": formset, "refusals": refusals, "published": get_last_round_number(division)}
    context |= {"origin": origin, "given": describe_plan(preset_plan) if preset_plan else []}
    laboratory = build_laboratory_query(read_round_plan(division.plan), division)
    context["laboratory"] = urlencode(laboratory and {**laboratory, "organiser": tournament.organiser.slug})
    return render(request, "tournament/events/plan.html", context)


@director_page("POST")
def refit_plan(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Give an all-play-all as many rounds as its players need."""
    division = get_chosen_division(request, tournament)
    with show_refusals(request):
        fit_plan_to_entries(division, actor=get_actor(request))
        messages.success(request, _("The plan fits the entries now."))
    return redirect(make_division_address("director:entries", division))


@director_page("GET", "POST")
def show_divisions(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The divisions, and a new one."""
    form = DivisionForm(request.POST or None)
    # A new division plays as the one before it does, until its plan is changed.
    segments = read_round_plan(list_divisions(tournament)[-1].plan)
    if form.done(lambda typed: add_division(tournament, segments=segments, actor=get_actor(request), **typed)):
        messages.success(request, _("Division %(name)s is added.") % form.cleaned_data)
        return redirect("director:divisions", tournament.slug)
    context = build_director_context(tournament, list_divisions(tournament)[0], "settings", tabs=False)
    tables = list_division_tables(tournament)
    divisions = tournament.divisions.annotate(entered=Count("entries")).order_by("position", "pk")
    listed = [(division, format_tables(tables[division.pk])) for division in divisions]
    context |= {"form": form, "listed": listed}
    return render(request, "tournament/events/divisions.html", context)


@director_page("GET", "POST")
def edit_division(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Change a division's name and tables, or delete it while nobody has entered it."""
    division = get_object_or_404(Division.objects.select_related("tournament"), pk=pk, tournament=tournament)
    actor = get_actor(request)
    initial = {"name": division.name, "tables": format_tables(division.tables)}
    initial |= {column: str(moves) for column, moves in (("up", division.up), ("down", division.down)) if moves}
    form = DivisionForm(request.POST or None, initial=initial)
    # Before the form: a division that is removed needs no valid name.
    if "remove" in request.POST:
        with show_refusals(request):
            remove_division(division, actor=actor)
            messages.success(request, _("Division %(name)s is removed.") % {"name": division.name})
        return redirect("director:divisions", tournament.slug)
    if form.done(lambda typed: update_division(division, actor=actor, **typed)):
        messages.success(request, _("Saved."))
        return redirect("director:divisions", tournament.slug)
    context = {**build_director_context(tournament, division, "settings", tabs=False), "form": form, "found": division}
    return render(request, "tournament/events/division.html", context)


@director_page("POST")
def set_visibility(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the tournament to everybody, or to its directors only."""
    public = request.POST.get("public") == "yes"
    set_public(tournament, public=public, actor=get_actor(request))
    messages.success(request, _("Everybody can see it now.") if public else _("Only its directors see it now."))
    return redirect(_get_settings_url(tournament, "public"))


# What everybody sees.

ENDED_A_PAGE = 20


@require_safe
def show_home(request: HttpRequest) -> HttpResponse:
    """The front page: of the only club that shows anything, else of all. Six queries, one more with the entries of
    events to come, three with a season; what costs more is kept."""
    organisers = list_public_organisers()
    club = organisers[0] if len(organisers) == 1 else None
    context = _build_front_context(request, club) | {
        "club": club,
        "organisers": organisers if len(organisers) > 1 else [],
    }
    return render(request, "tournament/events/public_home.html", context)


@require_safe
def show_organiser(request: HttpRequest, slug: str) -> HttpResponse:
    """The front page of one club; 404 if there is none."""
    club = get_object_or_404(Organiser, slug=slug)
    return render(request, "tournament/events/public_home.html", _build_front_context(request, club) | {"club": club})


def _list_rating_links(club: Organiser | None) -> list[tuple[str, str]]:
    """The organisers' valid lists of ratings, of one or of all: what each is called, and its address. One query."""
    links = []
    for published in list_valid_lists(club):
        name = name_published(published)
        shown_name = name if club else f"{name} · {published.organiser.name}"
        links.append((shown_name, reverse("public:rating_list", args=[published.organiser.slug])))
    return links


def _build_front_context(request: HttpRequest, club: Organiser | None) -> dict[str, Any]:
    """What runs, what comes and what was, of everybody or of one club, with a season."""
    listed = group_public_tournaments(timezone.localdate(), club)
    running, coming = listed.get("running", []), listed.get("coming", [])
    offers = list_entry_offers(coming, timezone.now())
    ended = paginate_rows(request, listed.get("ended", []), ENDED_A_PAGE)
    seasons = list_public_seasons(club)
    pictures = {picture.use: picture for picture in ClubPicture.objects.filter(organiser=club)} if club else {}
    return {
        "listed": listed,
        "banners": [load_running_event(tournament) for tournament in running[:MOST_BANNERS]],
        "more_running": running[MOST_BANNERS:],
        "coming": [(tournament, offers.get(tournament.pk)) for tournament in coming],
        "page": ended,
        "ended": [(tournament, list_winners(tournament)) for tournament in ended],
        "season": load_season_top(seasons),
        "seasons": seasons,
        "rating_lists": _list_rating_links(club),
        "logo": pictures.get(ClubPictureUse.LOGO),
        "photo": pictures.get(ClubPictureUse.PHOTO),
    }


@require_safe
@cache_public_page
def show_tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What is now: before the start when and where, then the round, whom the reader follows (`?follow=`) and the
    top of the table, at last the final ranking. Thirteen queries, two where letters are sent; for whom somebody
    follows six, seven in the last rounds; after the last round seven, five for a knock-out, five for prizes."""
    context = build_public_context(request, tournament, "tournament")
    division = context["division"]
    progress = list_league_rounds(division)
    standing = get_division_progress(division, progress)
    is_paired = tournament.rules.is_paired
    # The cheap question first: whether the ranking can be final is seen by the rounds, and to load it takes a dozen
    # queries.
    if is_paired and may_be_final(division, progress) and (ranking := load_final_ranking(division)).is_final:
        context["end"] = EndPage(ranking, load_awarded_prizes(ranking), context["links"])
        context["checks_certificates"] = bool(get_certificate_key(tournament))
    elif is_paired and standing.number:
        context |= _build_now_context(request, context, progress)
    if "end" not in context:
        context |= _build_entry_context(tournament)
    context |= {
        "standing": standing,
        "entered": division.entries.filter(withdrawn_after=None).count(),
        "has_knockout": get_stored_knockout(division) is not None,
    }
    return render(request, "tournament/events/tournament.html", context)


def _build_now_context(request: HttpRequest, around: dict[str, Any], progress: list[RoundProgress]) -> dict[str, Any]:
    """An event that runs: who is followed, the top of the table, the clock, and what comes."""
    tournament, division, links = around["tournament"], around["division"], around["links"]
    players = list(Entry.objects.filter(tournament=tournament).with_names().by_name())
    following = read_following(request, players)
    after = find_current_round_number(progress)
    public_table = load_public_table(division, progress, after=after, moves=True) if after else None
    coming = progress[-1].round.number + 1
    of_day = find_round_of_day(progress, timezone.localdate()) or progress[-1]
    # A round whose results are held back counts as being played: that its last result is in must not be told.
    is_running = of_day.missing or not of_day.sight.results
    began = ""
    if is_running and of_day.round.due_on is not None:
        began = describe_due_day(of_day.round.due_on)
    elif is_running and of_day.round.published_at is not None:
        began = describe_round_start(tournament, of_day.round.published_at)
    # The whole table, with the rows of the followed players marked.
    division_query = around["division_query"]
    address = reverse("public:table", args=[tournament.slug]) + division_query
    return {
        "clubs": group_by_club(players),
        "following": following,
        "followed": follow_across(around["divisions"], following.entries, {division.pk: public_table}),
        "shown": public_table,
        "before": after - 1,
        "table": TopTable(public_table, links, mine=following.keys) if public_table else None,
        "table_url": f"{address}{'&' if division_query else '?'}{following.query}" if following.query else address,
        "hall": get_hall(tournament),
        "began": began,
        "clock_means": describe_clock_end(tournament),
        "picks": links.picks([item.round.number for item in progress], links.round),
        "coming": coming,
        # Of a round beyond the plan nothing is said: how it is paired is still the director's to choose.
        "next_part": next((part for part in read_round_plan(division.plan) if part.first <= coming <= part.last), None),
        **_build_following_context(tournament),
    }


def _build_following_context(tournament: Tournament) -> dict[str, Any]:
    """What a row of a followed player needs to know of the event."""
    return {"tournament": tournament, "balanced": tournament.starts == StartPolicy.BALANCED}


def _build_entry_context(tournament: Tournament) -> dict[str, Any]:
    """Whether the event takes registrations. What changes by the minute is left to their page: this one is cached."""
    online = get_online_entry(tournament) if is_online_entry_offered() else None
    takes = online is not None and online.is_on and not tournament.is_ended and not has_tournament_begun(tournament)
    return {"online": online, "takes_registrations": takes}


@require_safe
@cache_public_page
def show_followed_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every player as the front page shows those who are followed: its script takes out whom the reader follows."""
    entries = list(Entry.objects.filter(tournament=tournament).with_names().in_order())
    context = {
        # Everybody, so that the page is one for all readers and can be kept: whom somebody follows stays in their
        # browser.
        "followed": follow_across(list_divisions(tournament), entries, {}),
        **_build_following_context(tournament),
    }
    return render(request, "tournament/events/followed.html", context)


@require_safe
@cache_public_page
def show_announcement(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The announcement (Ausschreibung): what the rules want to be told before the start. Ten queries."""
    context = build_public_context(request, tournament, "announcement")
    division = context["division"]
    if division.prizes_public:
        context["prizes"] = [(format_prize_title(prize), prize.award) for prize in list_prizes(division)]
    context |= {
        "announced": [*list_minimum_facts(tournament), *list_announcement_facts(tournament)],
        "segments": read_round_plan(division.plan),
        "knockout": list_knockout_facts(get_stored_knockout(division), tournament.rules),
        "exceptions": list_exceptions(tournament),
        **_build_entry_context(tournament),
    }
    return render(request, "tournament/events/announcement.html", context)


@director_page("GET")
def show_console(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Where the division stands and what comes next."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    return render(request, "tournament/events/console.html", build_console_context(division))


@director_page("GET", "HEAD")
def answer_console_news(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Whether anything has changed in a tournament that the reader directs."""
    return answer_state(request, str(tournament.revision))
