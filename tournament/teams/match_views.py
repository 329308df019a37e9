"""The pages of a match as a unit, and of a team that leaves or comes back: each act with what it will do beforehand."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.words import describe_oddities
from scoring.team_matches import LeaverMatches
from tournament.access.rules import get_actor, get_visible_round
from tournament.core.words.figures import format_half_wins
from tournament.core.words.outcomes import describe_award
from tournament.core.words.rounds import format_table_name
from tournament.models import Division, Entry, Round, Tournament
from tournament.pages.frames import build_director_context, make_division_address
from tournament.pages.requests import director_page, show_refusals
from tournament.pairing.values import Method
from tournament.results.league_games import list_division_entries
from tournament.rounds.round_matches import RoundMatch, list_round_matches
from tournament.rounds.team_matches import load_team_matches, name_teams_by_entry
from tournament.rounds.views import build_round_url
from tournament.teams.forms import MatchForm
from tournament.teams.operations import award_match, bring_back_team, list_open_matches, record_match, withdraw_team


def _get_team(tournament: Tournament, pk: int) -> tuple[Division, str]:
    """The team of an entry, with its division; "" for somebody who plays for none, 404 for another tournament's."""
    entry = get_object_or_404(Entry.objects.select_related("division"), pk=pk, tournament=tournament)
    entry.division.tournament = tournament
    return entry.division, name_teams_by_entry(list_division_entries(entry.division)).get(pk, "")


def _find_match(tournament: Tournament, number: int, pk: int) -> tuple[Round, RoundMatch | None]:
    """A published round, and the match of an entry's team in it; None where the team has no opponent there."""
    division, team = _get_team(tournament, pk)
    round = get_visible_round(division, number)
    matches = list_round_matches(round) if round.method == Method.TEAMS else []
    # A team with the bye stands in the round as well, as a match against nobody: nothing of it can be entered or
    # awarded.
    own = (match for match in matches if match.away is not None and team in (match.home, match.away))
    return round, next(own, None)


def _redirect_to_round(request: HttpRequest, round: Round) -> HttpResponse:
    """Back to the round, where a team has no match."""
    messages.error(request, _("In round %(number)s no teams meet.") % {"number": round.number})
    return redirect(build_round_url(round))


@director_page("GET", "POST")
def enter_match(request: HttpRequest, tournament: Tournament, number: int, pk: int) -> HttpResponse:
    """All results of a match on one page, saved in one step; odd figures are asked about once."""
    round, match = _find_match(tournament, number, pk)
    if match is None:
        return _redirect_to_round(request, round)
    form = MatchForm(request.POST or None, match=match)
    odd: list[str] = []
    if form.is_valid():
        odd = [sentence for report in form.reports.values() for sentence in describe_oddities(report)]
    # Asked once for the whole match: board by board, each answer would lead to the next question.
    is_agreed = not odd or "sure" in request.POST
    if is_agreed and (
        outcome := form.done(
            lambda _typed: record_match(
                match, reports=form.reports, expected_versions=form.versions, actor=get_actor(request)
            )
        )
    ):
        message = ngettext("%(count)s result is saved.", "%(count)s results are saved.", outcome.result)
        messages.success(request, message % {"count": outcome.result})
        return redirect(build_round_url(round))
    context = build_director_context(tournament, round.division, "rounds")
    context |= {
        "form": form,
        "odd": odd,
        "match": match,
        "pk": pk,
        "round": round,
        "score": [format_half_wins(half_wins) for half_wins in match.half_wins],
        "boards": [(board, form.get_fields(board)) for board in match.boards],
    }
    return render(request, "tournament/teams/match.html", context)


@director_page("GET", "POST")
def award_match_view(request: HttpRequest, tournament: Tournament, number: int, pk: int) -> HttpResponse:
    """Award what is open of a match (POST); say before what that gives (GET, `?at_fault=home`, `away` or `both`)."""
    round, match = _find_match(tournament, number, pk)
    if match is None:
        return _redirect_to_round(request, round)
    teams = {"home": [match.home], "away": [str(match.away)], "both": [match.home, str(match.away)]}
    chosen = request.POST.get("at_fault") or request.GET.get("at_fault") or ""
    at_fault = teams.get(chosen, [])
    if request.method == "POST":
        with show_refusals(request):
            count = award_match(match, at_fault=at_fault, actor=get_actor(request))
            message = ngettext("%(count)s game is awarded.", "%(count)s games are awarded.", count)
            messages.success(request, message % {"count": count})
        return redirect(build_round_url(round))
    if not at_fault:
        return redirect("director:match", tournament.slug, number, pk)
    context = build_director_context(tournament, round.division, "rounds")
    context |= {"match": match, "pk": pk, "round": round, "chosen": chosen, "at_fault": at_fault}
    context |= {"awards": list_awards(match, at_fault), "clause": tournament.rules.clauses.forfeits.whole}
    return render(request, "tournament/teams/walkover.html", context)


def list_awards(match: RoundMatch, at_fault: list[str]) -> list[str]:
    """A sentence for each open game of a match: what it credits if these teams did not show up."""
    tournament = match.round.division.tournament
    return [
        f"{format_table_name(board.pairing)}: {describe_award(board.pairing, match.award(board, at_fault), tournament)}"
        for board in match.open_games
    ]


@director_page("GET", "POST")
def withdraw_team_view(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Let a team leave (POST); say beforehand who leaves, what is awarded, and what becomes of its matches (GET)."""
    division, team = _get_team(tournament, pk)
    address = make_division_address("director:teams", division)
    if not team:
        messages.error(request, _("This player plays for no team."))
        return redirect(address)
    if request.method == "POST":
        with show_refusals(request):
            withdraw_team(division, team, actor=get_actor(request))
            messages.success(request, _("%(team)s is withdrawn.") % {"team": team})
        return redirect(address)
    names = name_teams_by_entry(list_division_entries(division))
    members = [entry for entry in list_division_entries(division) if names.get(entry.pk) == team]
    played = [match for match in load_team_matches(division).matches if match.away and team in match.teams]
    context = build_director_context(tournament, division, "table")
    context |= {
        "team": team,
        "pk": pk,
        "members": [entry.name for entry in members if not entry.is_withdrawn],
        "awards": [line for match in list_open_matches(division, team) for line in list_awards(match, [team])],
        "played": len(played),
        "is_struck": tournament.team_leavers == LeaverMatches.STRUCK,
        "address": address,
    }
    return render(request, "tournament/teams/withdraw_team.html", context)


@director_page("POST")
def bring_back_team_view(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Let the players of a team play again who have withdrawn."""
    division, team = _get_team(tournament, pk)
    with show_refusals(request):
        bring_back_team(division, team, actor=get_actor(request))
        messages.success(request, _("%(team)s plays again from the next round.") % {"team": team})
    return redirect(make_division_address("director:teams", division))
