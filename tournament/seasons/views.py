"""Seasons: for their director (which there are, how one counts, who is one person), for everybody, and as files."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.access.rules import get_actor
from tournament.models import Player, SamePerson, Season
from tournament.pages.caching import answer_from_cache, digest_program
from tournament.pages.frames import build_organiser_context, build_own_organiser_context
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import show_refusals
from tournament.pages.views import answer_state, answer_with_file
from tournament.seasons.files import build_season_json, render_season_pdf
from tournament.seasons.forms import NewSeasonForm, SamePersonForm, SeasonChoiceForm, SeasonForm
from tournament.seasons.operations import (
    choose_season_events,
    decide_same_person,
    delete_season,
    edit_season,
    find_last_choice,
    make_season,
    take_back_choice,
    take_back_same_person,
)
from tournament.seasons.season_table import (
    SeasonTable,
    build_season_table,
    get_public_season,
    get_season_state,
    list_countable_events,
    list_organiser_seasons,
    load_handing_clubs,
)
from tournament.seasons.tables import SeasonRows, list_choosable_lines, list_event_lines, list_qualified_lines
from tournament.seasons.words import describe_season_rules

USUAL_PLACE_POINTS = [20, 17, 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]  # until the director types others


@signed_in_page("GET", "POST")
def show_seasons(request: HttpRequest) -> HttpResponse:
    """The seasons of an organiser; a post makes another."""
    around = build_organiser_context(request)
    organiser = around["organiser"]
    form = NewSeasonForm(request.POST or None, season=Season(points=USUAL_PLACE_POINTS))
    if outcome := form.done(lambda _typed: make_season(plan=form.plan(), actor=get_actor(request, organiser))):
        messages.success(request, _("The season has been created. Now choose its events."))
        return redirect("director:season", outcome.result.pk)
    context = {**around, "form": form, "seasons": list_organiser_seasons(organiser)}
    return render(request, "tournament/seasons/seasons.html", context)


@signed_in_page("GET", "POST")
def show_season(request: HttpRequest, pk: int) -> HttpResponse:
    season, around = _get_own_season(request, pk)
    form = SeasonForm(request.POST or None, season=season)
    if form.done(lambda _typed: edit_season(season, plan=form.plan(), actor=get_actor(request))):
        messages.success(request, _("Saved."))
        return redirect("director:season", season.pk)
    return _render_season(request, season, around, form=form)


@signed_in_page("POST")
def submit_season_choice(request: HttpRequest, pk: int) -> HttpResponse:
    """Count the events that are ticked, and no others."""
    season, around = _get_own_season(request, pk)
    form = SeasonChoiceForm(request.POST, countable=list_countable_events(season), season=season)
    actor = get_actor(request)
    if form.done(lambda _typed: choose_season_events(season, chosen=form.list_chosen(), actor=actor)):
        messages.success(request, _("Saved: what is ticked counts. The way back stands below the list."))
        return _go_back_to_events(season)
    return _render_season(request, season, around, choice=form)


@signed_in_page("POST")
def submit_choice_taken_back(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Count the events as before the last choice, which entry `number` of the journal noted."""
    season, _around = _get_own_season(request, pk)
    with show_refusals(request):
        take_back_choice(season, number=number, actor=get_actor(request))
        messages.success(request, _("The choice is taken back."))
    return _go_back_to_events(season)


def _go_back_to_events(season: Season) -> HttpResponse:
    return redirect(reverse("director:season", args=[season.pk]) + "#events")


@signed_in_page("POST")
def submit_same_person(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that two players are one person, or with `apart` that they are not."""
    season, around = _get_own_season(request, pk)
    form = SamePersonForm(request.POST, possible=_list_season_players(season))
    apart = "apart" in request.POST
    if form.done(lambda typed: decide_same_person(season, **typed, is_same=not apart, actor=get_actor(request))):
        messages.success(request, _("Noted. This can be taken back below."))
        return redirect("director:season", season.pk)
    return _render_season(request, season, around, join=form)


@signed_in_page("POST")
def take_back_decision(request: HttpRequest, pk: int) -> HttpResponse:
    decisions = SamePerson.objects.select_related("season__organiser", "one", "other")
    # Those of the register, which have no season, are taken back on a page of their own.
    decision = get_object_or_404(decisions.exclude(season=None), pk=pk)
    assert decision.season is not None
    build_own_organiser_context(request, decision.season.organiser_id)
    with show_refusals(request):
        take_back_same_person(decision, actor=get_actor(request))
        messages.success(request, _("The decision is taken back."))
    return redirect("director:season", decision.season.pk)


@signed_in_page("POST")
def submit_season_deletion(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a season; its events stay."""
    season, around = _get_own_season(request, pk)
    with show_refusals(request):
        delete_season(season, actor=get_actor(request))
        messages.success(
            request, _("The season “%(name)s” has been deleted; its events are unchanged.") % {"name": season}
        )
        return redirect(reverse("director:seasons") + around["organiser_query"])
    return redirect("director:season", season.pk)


def _render_season(request: HttpRequest, found: Season, around: dict[str, Any], **posted: Any) -> HttpResponse:
    """The season's page, with what was posted and refused, if anything."""
    table = build_season_table(found)
    # The page has three forms: the one that was refused comes back as it was typed, the others as stored.
    choice = posted.get("choice") or SeasonChoiceForm(countable=list_countable_events(found), season=found)
    context = {
        **around,
        "season": found,
        "found": table,
        "table": SeasonRows(table),
        "qualified": list_qualified_lines(table),
        "rules": describe_season_rules(found.counting, with_running=found.with_running),
        "form": posted.get("form") or SeasonForm(season=found),
        "choice": choice,
        "events": list_choosable_lines(table, choice, load_handing_clubs(found.organiser)),
        "last_choice": find_last_choice(found),
        "join": posted.get("join") or SamePersonForm(possible=_list_season_players(found)),
        "joining": "join" in posted,
    }
    return render(request, "tournament/seasons/director_season.html", context)


def _get_own_season(request: HttpRequest, pk: int) -> tuple[Season, dict[str, Any]]:
    """A season of an organiser for whom the user works, and what its page needs around it; 404 and 403 otherwise."""
    season = get_object_or_404(Season.objects.select_related("organiser"), pk=pk)
    return season, build_own_organiser_context(request, season.organiser_id)


def _list_season_players(season: Season) -> QuerySet[Player]:
    """Who is entered in an event of the season, by name."""
    # A row for each event that somebody has played: hence `distinct` below.
    players = Player.objects.filter(entries__division__season_events__season=season)
    return players.distinct().with_names().order_by("sort_name", "pk")


SEASON_FORMATS: Mapping[str, tuple[str, Callable[[SeasonTable], bytes]]] = {
    "csv": ("text/csv; charset=utf-8", lambda found: SeasonRows(found).build_csv()),
    "json": (
        "application/json",
        lambda found: json.dumps(build_season_json(found), ensure_ascii=False, indent=1).encode(),
    ),
    "pdf": ("application/pdf", render_season_pdf),
}
"""The content type of each kind of file, and how it is made from a season's table."""


@require_safe
def show_public_season(request: HttpRequest, slug: str) -> HttpResponse:
    """A public season; 404 for one that is not. Five queries and each final ranking's; three from the cache."""
    season = get_public_season(slug)
    return answer_from_cache(
        request, lambda: make_season_key(request, season), lambda: _render_public_season(request, season)
    )


def _render_public_season(request: HttpRequest, season: Season) -> HttpResponse:
    season_table = build_season_table(season)
    context = {
        "season": season,
        "organiser": season.organiser,
        "logo": season.organiser.logo,
        "found": season_table,
        "table": SeasonRows(season_table),
        "qualified": list_qualified_lines(season_table),
        "events": list_event_lines(season_table.public),
        "facts": describe_season_rules(season.counting, with_running=season.with_running),
        "files": [(name.upper(), reverse("public:season_file", args=[season.slug, name])) for name in SEASON_FORMATS],
    }
    return render(request, "tournament/seasons/public_season.html", context)


@require_safe
def download_season(request: HttpRequest, slug: str, fmt: str) -> HttpResponse:
    """The table of a public season in one of the `SEASON_FORMATS`, else 404."""
    season = get_public_season(slug)
    if fmt not in SEASON_FORMATS:
        raise Http404(_("There is no table as “%(format)s”.") % {"format": fmt})
    content_type, write = SEASON_FORMATS[fmt]
    return answer_from_cache(
        request,
        lambda: make_season_key(request, season),
        lambda: answer_with_file(write(build_season_table(season)), content_type, f"{season.slug}.{fmt}"),
    )


@require_safe
def show_season_news(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether anything has changed in a public season or its events. Three queries; 404 as soon as it is hidden."""
    return answer_state(request, get_season_state(get_public_season(slug)))


def make_season_key(request: HttpRequest, season: Season) -> str:
    """A digest of everything that an answer depends on. Two queries."""
    language, today = translation.get_language() or "", timezone.localdate().isoformat()
    parts = (
        f"season {season.pk}",
        get_season_state(season),
        # With its query: a program that asked for a part of a season by `limit` once got the whole that was kept.
        request.get_full_path(),
        language,
        today,
        digest_program(),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
