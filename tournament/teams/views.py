"""The table of teams: for the director, and for everybody where one is announced; and who plays for which team."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournament.access.rules import get_actor, get_chosen_division
from tournament.models import Division, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import (
    build_director_context,
    build_public_context,
    make_division_address,
)
from tournament.pages.requests import director_page, paired_events_only, redirect_to_session
from tournament.paper.documents import make_header
from tournament.table.league import list_division_entries
from tournament.teams.files import build_teams_csv, build_teams_json
from tournament.teams.forms import TeamsForm
from tournament.teams.operations import name_teams
from tournament.teams.paper import render_teams
from tournament.teams.queries import TeamTable, load_team_table
from tournament.teams.tables import list_team_lines
from tournament.teams.words import CRITERION_HEADS, describe_exceptions, describe_team_rule, list_figure_criteria

FORMATS: Mapping[str, tuple[str, Callable[[Division, TeamTable], bytes]]] = {
    "pdf": ("application/pdf", lambda division, _found: render_teams(make_header(division), division, None)),
    "csv": ("text/csv; charset=utf-8", lambda _division, found: build_teams_csv(found)),
    "json": (
        "application/json",
        lambda _division, found: json.dumps(build_teams_json(found), ensure_ascii=False, indent=1).encode(),
    ),
}
"""The content type of each kind of file, and how it is made."""


@director_page("GET")
def show_director_teams(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The table by all results, those held back from the public included."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    context = build_director_context(tournament, division, "table")
    found = load_team_table(division)
    if found is not None:
        context |= _build_teams_context(found)
        context["files"] = _list_files("director:teams_file", tournament, context["division_query"])
    return render(request, "tournament/teams/director_teams.html", context)


@director_page("GET", "POST")
def edit_teams(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """For which team each player plays."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    entries = sorted(
        list_division_entries(division), key=lambda each: (each.team_name.casefold(), each.player.sort_name, each.pk)
    )
    form = TeamsForm(request.POST or None, entries=entries)
    if done := form.done(lambda _typed: name_teams(division, teams=form.teams, actor=get_actor(request))):
        said = ngettext("%(count)s player changed teams.", "%(count)s players changed teams.", done.result)
        messages.success(request, said % {"count": done.result})
        return redirect(make_division_address("director:teams", division))
    context = build_director_context(tournament, division, "table")
    context |= {"form": form, "known": sorted({each.team_name for each in entries} - {""})}
    return render(request, "tournament/teams/edit_teams.html", context)


@director_page("GET")
def download_director_teams(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The table as a file; 404 for a kind that is not in `FORMATS`, and where no table is announced."""
    return _answer_file(get_chosen_division(request, tournament), fmt)


@require_safe
@cache_public_page
@paired_events_only
def show_teams(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The table as far as the public may know; 404 where none is announced."""
    context = build_public_context(request, tournament, "teams")
    context |= _build_teams_context(_get_announced_table(context["division"]))
    context["files"] = _list_files("public:teams_file", tournament, context["division_query"])
    return render(request, "tournament/teams/teams.html", context)


@require_safe
@cache_public_page
@paired_events_only
def download_teams(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The public table as a file; 404 for a kind that is not in `FORMATS`, and where no table is announced."""
    return _answer_file(get_chosen_division(request, tournament), fmt)


def _get_announced_table(division: Division) -> TeamTable:
    found = load_team_table(division)
    if found is None:
        raise Http404(_("No table of teams is announced."))
    return found


def _build_teams_context(found: TeamTable) -> dict[str, Any]:
    return {
        "found": found,
        "lines": list_team_lines(found),
        "heads": [CRITERION_HEADS[each] for each in list_figure_criteria(found.rule)] if found.has_begun else [],
        "said": describe_team_rule(found.division.tournament),
        "exceptions": describe_exceptions(found),
    }


def _list_files(page: str, tournament: Tournament, query: str) -> list[tuple[str, str]]:
    return [(name.upper(), reverse(page, args=[tournament.slug, name]) + query) for name in FORMATS]


def _answer_file(division: Division, fmt: str) -> HttpResponse:
    found = _get_announced_table(division)
    if fmt not in FORMATS:
        raise Http404(_("There is no table as “%(format)s”.") % {"format": fmt})
    content_type, write = FORMATS[fmt]
    name = "-".join(part for part in (division.tournament.slug, slugify(division.name), "teams") if part)
    headers = {"Content-Type": content_type, "Content-Disposition": f'attachment; filename="{name}.{fmt}"'}
    return HttpResponse(write(division, found), headers=headers)
