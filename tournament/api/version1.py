"""Version 1 of the read interface. It is never changed, only followed by another one: how it describes itself is kept
in `docs/openapi-v1.json`, and a test compares. Each function answers one address; the page shows its summary, too."""

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_noop
from ninja import NinjaAPI, P, Query, QueryEx
from ninja.decorators import decorate_view
from ninja.errors import ValidationError

from tournament.api import answers, schemas
from tournament.api.answers import JSONObject
from tournament.api.schemas import DivisionListing, Listing, Paging
from tournament.api.serving import EventRequest, SeasonRequest, read_afresh, read_public_view, read_season
from tournament.basics import limits
from tournament.events.queries import group_public_tournaments
from tournament.models import Season
from tournament.seasons.files import build_season_json
from tournament.seasons.season_table import build_season_table, list_public_seasons

MOUNTED_AT = "/api/v1/"

ABOUT = (
    "What the public may see of Scrabble tournaments, and nothing else. Every answer has an ETag; send it back as "
    "If-None-Match and an answer that has not changed is a 304 without content. Pages of any origin may read."
)

# Without the library's own pages and its address for the description: all that is answered stands behind
# `open_to_programs`.
api = NinjaAPI(title="TSO", version="1", description=ABOUT, docs_url=None, openapi_url=None)

Operation = TypeVar("Operation", bound=Callable[..., JSONObject])

PROBLEMS = {404: schemas.Problem, 422: schemas.Problem, 429: schemas.Problem}

DivisionName = QueryEx[str | None, P(description="The division's name.")]
"""Of which division; by default the first one, or all where each item says its own."""


@api.exception_handler(Http404)
def tell_what_is_missing(request: HttpRequest, missing: Http404) -> HttpResponse:
    """A 404 that says why."""
    return api.create_response(request, {"detail": str(missing)}, status=404)


@api.exception_handler(ValidationError)
def tell_what_is_wrong(request: HttpRequest, wrong: ValidationError) -> HttpResponse:
    """A 422 that names each value of the query that cannot be read."""
    faults = (f"{fault['loc'][-1]}: {fault['msg']}" for fault in wrong.errors)
    return api.create_response(request, {"detail": "; ".join(faults)}, status=422)


def _offer(path: str, name: str, answer: Any, summary: str) -> Callable[[Operation], Operation]:
    """Decorator: the function answers at this path; its name is the operation's."""
    responses = {200: answer, **PROBLEMS}
    return api.get(path, response=responses, summary=summary, url_name=f"api_{name}", operation_id=name)


def _cut_list(paging: Paging, items: list[Any]) -> JSONObject:
    """The wanted part of a list."""
    return _build_page(paging, len(items), items[paging.offset : paging.offset + paging.limit])


def _build_page(paging: Paging, total: int, items: list[JSONObject]) -> JSONObject:
    return {"total": total, "limit": paging.limit, "offset": paging.offset, "items": items}


@_offer("events", "events", Listing[schemas.EventAnswer], gettext_noop("The public events: running, coming, ended"))
@decorate_view(read_afresh)
def list_events(
    request: HttpRequest,
    paging: Query[Paging],
    state: QueryEx[Literal["running", "coming", "ended"] | None, P(description="Only events in this state.")] = None,
    organiser: QueryEx[str | None, P(description="Only this organiser's, by slug.")] = None,
) -> JSONObject:
    groups = group_public_tournaments(timezone.localdate())
    events = [(tournament, key) for key, listed in groups.items() for tournament in listed if state in (None, key)]
    # Filtered as read and cut afterwards: `total` says how many there are of what was asked for.
    chosen = [event for event in events if organiser in (None, event[0].organiser.slug)]
    listed = _cut_list(paging, chosen)
    return {**listed, "items": [answers.build_event(*event) for event in listed["items"]]}


@_offer("events/{slug:slug}", "event", schemas.EventDetails, gettext_noop("An event and its divisions"))
@decorate_view(read_public_view)
def give_event(request: EventRequest, slug: str) -> JSONObject:
    # Exactly one: a slug of no public event was answered with a 404 before this is asked.
    [(state, [tournament])] = group_public_tournaments(timezone.localdate(), slug=slug).items()
    return answers.build_event(tournament, state) | answers.build_event_details(request.tournament)


@_offer("events/{slug:slug}/entries", "entries", Listing[schemas.EntryAnswer], gettext_noop("Who has entered"))
@decorate_view(read_public_view)
def list_entries(request: EventRequest, slug: str, paging: Query[Paging], division: DivisionName = None) -> JSONObject:
    divisions = answers.choose_divisions(request.tournament, division)
    entries = answers.build_entry_list(request.tournament, divisions)
    return _cut_list(paging, entries)


@_offer("events/{slug:slug}/rounds", "rounds", Listing[schemas.RoundAnswer], gettext_noop("The rounds that are shown"))
@decorate_view(read_public_view)
def list_rounds(request: EventRequest, slug: str, paging: Query[Paging], division: DivisionName = None) -> JSONObject:
    return _cut_list(paging, answers.build_round_list(answers.choose_divisions(request.tournament, division)))


@_offer(
    "events/{slug:slug}/results",
    "results",
    Listing[schemas.ResultAnswer],
    gettext_noop("Who meets whom, and results"),
)
@decorate_view(read_public_view)
def list_results(
    request: EventRequest,
    slug: str,
    paging: Query[Paging],
    division: DivisionName = None,
    round: QueryEx[int | None, P(ge=1, le=99_999, description="Only the round of this number.")] = None,
) -> JSONObject:
    divisions = answers.choose_divisions(request.tournament, division)
    total, results = answers.build_result_list(divisions, round, paging.offset, paging.offset + paging.limit)
    return _build_page(paging, total, results)


@_offer("events/{slug:slug}/table", "table", schemas.TableAnswer, gettext_noop("A division's table after a round"))
@decorate_view(read_public_view)
def give_table(
    request: EventRequest,
    slug: str,
    paging: Query[Paging],
    division: DivisionName = None,
    after: QueryEx[int | None, P(ge=0, le=limits.ROUND.high, description="After this round; by default now.")] = None,
) -> JSONObject:
    about, rows = answers.build_table(answers.choose_paired_division(request.tournament, division), after)
    return {**about, **_cut_list(paging, rows)}


@_offer("events/{slug:slug}/bracket", "bracket", schemas.BracketAnswer, gettext_noop("A division's knock-out"))
@decorate_view(read_public_view)
def give_bracket(request: EventRequest, slug: str, division: DivisionName = None) -> JSONObject:
    return answers.build_bracket(answers.choose_paired_division(request.tournament, division))


@_offer("events/{slug:slug}/statistics", "statistics", schemas.StatisticsAnswer, gettext_noop("Records and upsets"))
@decorate_view(read_public_view)
def give_statistics(request: EventRequest, slug: str, division: DivisionName = None) -> JSONObject:
    return answers.build_statistics(answers.choose_paired_division(request.tournament, division))


@_offer("events/{slug:slug}/chances", "chances", schemas.ChancesAnswer, gettext_noop("Who can still end where"))
@decorate_view(read_public_view)
def give_chances(request: EventRequest, slug: str, paging: Query[Paging], division: DivisionName = None) -> JSONObject:
    about, rows = answers.build_chances(answers.choose_paired_division(request.tournament, division))
    return {**about, **_cut_list(paging, rows)}


@_offer("events/{slug:slug}/teams", "teams", schemas.TeamsAnswer, gettext_noop("A division's table of teams"))
@decorate_view(read_public_view)
def give_teams(request: EventRequest, slug: str, paging: Query[Paging], division: DivisionName = None) -> JSONObject:
    about, rows = answers.build_teams(answers.choose_paired_division(request.tournament, division))
    return {**about, **_cut_list(paging, rows)}


@_offer(
    "events/{slug:slug}/team-matches",
    "team_matches",
    DivisionListing[schemas.TeamMatchAnswer],
    gettext_noop("Which teams meet, and how"),
)
@decorate_view(read_public_view)
def list_team_matches(
    request: EventRequest, slug: str, paging: Query[Paging], division: DivisionName = None
) -> JSONObject:
    about, matches = answers.build_team_matches(answers.choose_paired_division(request.tournament, division))
    return {**about, **_cut_list(paging, matches)}


@_offer("seasons", "seasons", Listing[schemas.SeasonAnswer], gettext_noop("The public seasons"))
@decorate_view(read_afresh)
def list_seasons(request: HttpRequest, paging: Query[Paging]) -> JSONObject:
    listed = _cut_list(paging, list_public_seasons())
    return {**listed, "items": [_build_season(season) for season in listed["items"]]}


@_offer("seasons/{slug:slug}", "season", schemas.SeasonDetails, gettext_noop("A season's events and table"))
@decorate_view(read_season)
def give_season(request: SeasonRequest, slug: str, paging: Query[Paging]) -> JSONObject:
    season = build_season_json(build_season_table(request.season))
    return {**_build_season(request.season), "events": season["events"], **_cut_list(paging, season["rows"])}


@_offer(
    "seasons/{slug:slug}/qualified",
    "season_qualified",
    Listing[schemas.QualifiedAnswer],
    gettext_noop("Who qualifies by a season"),
)
@decorate_view(read_season)
def list_qualified(request: SeasonRequest, slug: str, paging: Query[Paging]) -> JSONObject:
    season = build_season_json(build_season_table(request.season))
    # A season that qualifies nobody lacks the key: an empty list, and no error, for a program that asks anyway.
    qualified = season.get("qualified", [])
    # The file has a sentence beside the figures, version 1 has none: whatever the files get, it stays as it is.
    return _cut_list(paging, [{key: value for key, value in entry.items() if key != "sentence"} for entry in qualified])


def _build_season(season: Season) -> JSONObject:
    return {
        "slug": season.slug,
        "name": season.name,
        "organiser": answers.build_organiser(season.organiser),
        "rule": season.rule,
        "best": season.best,
    }
