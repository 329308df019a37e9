"""The table of teams: for the director, and for everybody where one is announced; who plays for which team, and who
lines up."""

import json
from collections.abc import Callable, Mapping
from typing import TypeVar

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournament.access.rules import get_actor, get_chosen_division
from tournament.models import Absence, Division, Tournament
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_director_context, build_public_context, list_file_links, make_division_address
from tournament.pages.requests import director_page, paired_events_only, redirect_to_session
from tournament.pages.views import answer_with_division_file
from tournament.pairing.values import Method
from tournament.paper.documents import make_header
from tournament.results.league_games import list_division_entries
from tournament.rounds.team_matches import DivisionMatches, group_teams, load_team_matches
from tournament.table.league import get_last_round_number, plans_team_matches
from tournament.teams.files import build_matches_csv, build_matches_json, build_teams_csv, build_teams_json
from tournament.teams.forms import LineUpForm, TeamsForm
from tournament.teams.operations import line_up, name_teams
from tournament.teams.paper import render_teams
from tournament.teams.tables import ShownTeams, build_shown_teams
from tournament.teams.team_table import TeamTable, load_team_table

T = TypeVar("T")

FORMATS: Mapping[str, tuple[str, Callable[[Division], bytes]]] = {
    "pdf": ("application/pdf", lambda division: render_teams(make_header(division), division, None)),
    "csv": ("text/csv; charset=utf-8", lambda division: _write(division, build_teams_csv, build_matches_csv)),
    "json": (
        "application/json",
        lambda division: json.dumps(
            _write(division, build_teams_json, build_matches_json), ensure_ascii=False, indent=1
        ).encode(),
    ),
}
"""The content type of each kind of file, and how it is made where a table is announced."""


def _write(division: Division, of_players: Callable[[TeamTable], T], of_matches: Callable[[DivisionMatches], T]) -> T:
    """What is made of the table that is announced."""
    # Both loaders together do not tell whether a table is announced: the one of matches makes one for any division.
    # Callers have asked `build_shown_teams` before.
    if (table := load_team_table(division)) is not None:
        return of_players(table)
    return of_matches(load_team_matches(division))


@director_page("GET")
def show_director_teams(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The table by all results, those held back from the public included."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    context = build_director_context(tournament, division, "table")
    context["shown"] = build_shown_teams(division)
    is_played = division.rounds.filter(method=Method.TEAMS).exists()
    context["has_matches"] = is_played or plans_team_matches(division)
    context["files"] = list_file_links("director:teams_file", tournament, FORMATS, context["division_query"])
    return render(request, "tournament/teams/director_teams.html", context)


@director_page("GET", "POST")
def edit_teams(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """For which team each player plays."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    entries = sorted(
        list_division_entries(division),
        key=lambda entry: (entry.team_name.casefold(), entry.player.sort_name, entry.pk),
    )
    form = TeamsForm(request.POST or None, entries=entries)
    if outcome := form.done(lambda _typed: name_teams(division, teams=form.teams, actor=get_actor(request))):
        message = ngettext("%(count)s player changed teams.", "%(count)s players changed teams.", outcome.result)
        messages.success(request, message % {"count": outcome.result})
        return redirect(make_division_address("director:teams", division))
    context = build_director_context(tournament, division, "table")
    context |= {"form": form, "known": sorted({entry.team_name for entry in entries} - {""})}
    return render(request, "tournament/teams/edit_teams.html", context)


@director_page("GET", "POST")
def edit_line_ups(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The order of each team, and who rests in the next round."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    number = get_last_round_number(division) + 1
    teams = group_teams(entry for entry in list_division_entries(division) if entry.plays_in(number))
    members = [entry for team in teams.values() for entry in team]
    resting = set(Absence.objects.filter(entry__division=division, number=number).values_list("entry_id", flat=True))
    form = LineUpForm(request.POST or None, entries=members, resting=resting)

    def save() -> None:
        line_up(division, number=number, boards=form.boards, resting=form.resting, actor=get_actor(request))

    if form.done(lambda _typed: save()):
        messages.success(request, _("The line-ups for round %(number)s are saved.") % {"number": number})
        return redirect(make_division_address("director:line_ups", division))
    # Those who rest make room first: the fourth of a team of three boards plays where one of the others rests.
    playing = {
        entry.pk: board
        for team in teams.values()
        for board, entry in enumerate([entry for entry in team if entry.pk not in resting][: tournament.team_best], 1)
    }
    context = build_director_context(tournament, division, "table")
    context |= {
        "form": form,
        "number": number,
        "teams": [
            (name, [(entry, playing.get(entry.pk), *form.get_fields(entry)) for entry in team])
            for name, team in sorted(teams.items(), key=lambda named_team: named_team[0].casefold())
        ],
    }
    return render(request, "tournament/teams/line_ups.html", context)


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
    context["shown"] = _require_announced(build_shown_teams(context["division"]))
    context["files"] = list_file_links("public:teams_file", tournament, FORMATS, context["division_query"])
    return render(request, "tournament/teams/teams.html", context)


@require_safe
@cache_public_page
@paired_events_only
def download_teams(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The public table as a file; 404 for a kind that is not in `FORMATS`, and where no table is announced."""
    return _answer_file(get_chosen_division(request, tournament), fmt)


def _require_announced(found: ShownTeams | None) -> ShownTeams:
    if found is None:
        raise Http404(_("No table of teams is announced."))
    return found


def _answer_file(division: Division, fmt: str) -> HttpResponse:
    _require_announced(build_shown_teams(division))
    if fmt not in FORMATS:
        raise Http404(_("There is no table as “%(format)s”.") % {"format": fmt})
    content_type, write = FORMATS[fmt]
    return answer_with_division_file(division, "teams", fmt, write(division), content_type)
