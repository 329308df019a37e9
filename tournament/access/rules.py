"""Who may see and do what, by the table in `acts`. Views load what they work on only here. Strangers get a 404
for anything of an organiser, whether it exists or not; a member whose role does not allow an act gets a 403."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournament.access.acts import ALLOWED_KINDS, UserKind, get_act
from tournament.access.codes import get_opened_code
from tournament.core.change import Actor
from tournament.core.public_view import annotate_holds_back, annotate_stream_delay, build_rounds_filter
from tournament.models import (
    AccessCode,
    ClubPicture,
    ClubPictureUse,
    Division,
    Member,
    Organiser,
    Pairing,
    Role,
    Round,
    SeasonEvent,
    Tournament,
)
from tournament.models.event import TournamentQuerySet

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
OPEN_CODES_KEY = "access_codes"  # where a session keeps the codes opened in its browser

_CODE = "tso.access_code"  # where a request keeps the code that let it in


def _may_ask(request: HttpRequest, role: str) -> bool:
    assert request.resolver_match is not None
    return UserKind(role) in ALLOWED_KINDS[get_act(request.resolver_match.view_name)]


def check_role(request: HttpRequest, role: str) -> None:
    """Raise a 403 if the role does not allow this address."""
    if not _may_ask(request, role):
        if get_access_code(request):
            message = _("This page is not for the role “%(role)s”, which the code gives.")
        else:
            message = _("This page is not for the role “%(role)s”. An owner can change roles.")
        raise PermissionDenied(message % {"role": Role(role).label})


SEASON = ("slug", "name")  # columns of the season that an event counts in


@cache
def _make_query_of_public_tournaments() -> TournamentQuerySet:
    """All public tournaments, with all that their pages are made of: the query, never its rows."""
    logo = ClubPicture.objects.filter(organiser=OuterRef("organiser"), use=ClubPictureUse.LOGO).values("pk")
    public = annotate_holds_back(select_with_mirrors(Tournament.objects.public()))
    seasons = SeasonEvent.objects.filter(division__tournament=OuterRef("pk"), season__is_public=True)
    newest = {f"season_{name}": Subquery(seasons.order_by("-season").values(f"season__{name}")[:1]) for name in SEASON}
    return public.annotate(logo_pk=Subquery(logo), **newest)


def get_public_tournament(slug: str) -> Tournament:
    """A public tournament; 404 if there is none."""
    tournament: Any = get_object_or_404(_make_query_of_public_tournaments(), slug=slug)
    tournament.logo = tournament.logo_pk
    tournament.season = (tournament.season_slug, tournament.season_name) if tournament.season_slug else None
    # Where no row refers to the event Django raises an AttributeError of its own, and asks the database nothing: it was
    # joined.
    tournament.mirror = getattr(tournament, "mirror_link", None)
    return cast("Tournament", tournament)


class PageBasis(NamedTuple):
    """What tells, of a public tournament, whether a page made of it is still right: the columns of one row."""

    pk: int
    revision: int
    language: str
    holds_back: bool
    mirror_link: int | None
    organiser__slug: str
    organiser__name: str
    organiser__colour: str
    organiser__profiles_public: bool
    organiser__revision: int
    logo_pk: int | None
    season_slug: str | None
    season_name: str | None


SLUG_PLACE = "slug of the tournament"


@cache
def _compile_state_query(_vendor: str) -> tuple[str, tuple[Any, ...]]:
    """The query of a `PageBasis` in SQL, with SLUG_PLACE among its parameters."""
    # Kept for each kind of database, since each has its own SQL.
    tournaments = _make_query_of_public_tournaments().filter(slug=SLUG_PLACE)
    sql, params = tournaments.values_list(*PageBasis._fields).query.sql_with_params()
    return sql, tuple(params)


def read_public_state(slug: str) -> PageBasis | None:
    """The state of a public tournament; None if there is none. One query, put into SQL once: to build and compile it
    for each phone that asks again took five times as long as the answer."""
    sql, params = _compile_state_query(connection.vendor)
    with connection.cursor() as cursor:
        # By its place among the parameters: SLUG_PLACE has blanks, which no slug can have.
        cursor.execute(sql, [slug if param == SLUG_PLACE else param for param in params])
        row = cursor.fetchone()
    return PageBasis(*row) if row else None


def select_with_mirrors(tournaments: TournamentQuerySet) -> TournamentQuerySet:
    """With organisers and the links by which events come from a laptop, without the states that came."""
    return tournaments.select_related("organiser", "mirror_link").defer("mirror_link__state")


@lru_cache
def _make_query_of_tournaments(user: int) -> TournamentQuerySet:
    """All tournaments with their mirrors and the role of the user with this key: the query, never its rows. It is made
    once for each, since making it took as long as asking."""
    return annotate_stream_delay(select_with_mirrors(Tournament.objects.with_role_of(user)))


def get_directed_tournament(request: HttpRequest, slug: str) -> Tournament:
    """A tournament where the user works, as a member or by a code open in this browser, with their `role`; else 404, or
    403 if the role does not allow this address or the code is void. One query, one more for each code."""
    tournament = None
    if isinstance(request.user, User):
        with suppress(Tournament.DoesNotExist):
            tournament = _make_query_of_tournaments(request.user.pk).get(slug=slug)
    # Whoever has signed in for another club may still have a code open for this event.
    if tournament is None or tournament.role is None:
        tournament = _find_code_tournament(request, slug)
    if tournament is None or tournament.role is None:
        raise Http404(_("You have no tournament “%(slug)s”.") % {"slug": slug})
    check_role(request, tournament.role)
    tournament.mirror = getattr(tournament, "mirror_link", None)
    # At the door of all pages: whatever was changed here, the next state from the hall would write over it.
    if tournament.mirror is not None and request.method not in SAFE_METHODS:
        raise PermissionDenied(_("This event comes from the laptop in the hall. It can only be changed there."))
    return tournament


def _find_code_tournament(request: HttpRequest, slug: str) -> Tournament | None:
    opened = get_open_codes(request)
    for pk, secret in opened.items():
        # A session is JSON, which makes a text of each key.
        code = get_opened_code(int(pk), secret, slug)
        if code is not None:
            request.META[_CODE] = code
            code.tournament.role = code.role
            code.tournament.access_code = code
            return code.tournament
    # Whoever had a code for this event is told that it is void; for everybody else there is no such event.
    if opened and AccessCode.objects.filter(pk__in=opened, tournament__slug=slug).exists():
        raise PermissionDenied(_("The code is no longer valid: it was taken back, or the tournament is over."))
    return None


def get_open_codes(request: HttpRequest) -> dict[str, str]:
    """The codes opened in this browser, each with its secret. No query without a session."""
    codes: dict[str, str] = request.session.get(OPEN_CODES_KEY, {})
    return codes


def is_at_work(session: Mapping[str, Any] | SessionBase) -> bool:
    """Whether this session is of somebody who has signed in or has opened a code, by what it holds."""
    return bool(session.get(SESSION_KEY) or session.get(OPEN_CODES_KEY))


def may_work(request: HttpRequest) -> bool:
    """Whether somebody has signed in, or has a code open and asks for a tournament's page, which is checked later."""
    if request.user.is_authenticated:
        return True
    match = request.resolver_match
    # The host's pages have a slug, too, of an organiser: no code opens these.
    of_a_tournament = match is not None and match.namespace != "host" and "slug" in match.kwargs
    return of_a_tournament and bool(get_open_codes(request))


def identify_worker(request: HttpRequest) -> tuple[str, str]:
    """A key that tells people at work apart, and their name."""
    code = get_access_code(request)
    return (f"code {code.pk}", code.name) if code else (str(request.user.pk), request.user.get_username())


def get_access_code(request: HttpRequest) -> AccessCode | None:
    """The code by which `get_directed_tournament` let somebody in."""
    code: AccessCode | None = request.META.get(_CODE)
    return code


def find_role(request: HttpRequest, tournament: Tournament) -> str | None:
    """What somebody who reads a public page does at its tournament, as a member or by a code open in this browser. One
    query for whoever has signed in, one for each code."""
    if isinstance(request.user, User):
        member = Member.objects.filter(user=request.user, organiser=tournament.organiser_id).first()
        if member is not None:
            return member.role
    opened = (get_opened_code(int(pk), secret, tournament.slug) for pk, secret in get_open_codes(request).items())
    return next((code.role for code in opened if code), None)


def require_host(request: HttpRequest) -> None:
    """Raise a 403 unless the user looks after the installation."""
    if not (isinstance(request.user, User) and request.user.is_superuser):
        raise PermissionDenied(_("Only those who look after the installation may see this."))


def is_owner_of(request: HttpRequest, organiser: Organiser) -> bool:
    """Whether the signed-in user is an owner of the organiser. One query."""
    return Member.objects.filter(user=request.user.pk, organiser=organiser, role=Role.OWNER).exists()


def list_memberships(request: HttpRequest) -> list[Member]:
    """The user's memberships, by the organiser's name. One query."""
    members = Member.objects.filter(user=request.user.pk).select_related("organiser")
    return list(members.order_by("organiser__name", "pk"))


def choose_membership(request: HttpRequest, found: list[Member]) -> Member:
    """The membership that `?organiser=` names, by default the first whose role allows this address. 404 if the user
    does not work for that organiser, 403 if no role allows the address."""
    slug = request.GET.get("organiser")
    named = [membership for membership in found if slug in (None, membership.organiser.slug)]
    if slug is not None and not named:
        raise Http404(_("You have no organiser “%(slug)s”.") % {"slug": slug})
    if not named:
        raise PermissionDenied(_("Your account belongs to no organiser yet. Ask for an invitation."))
    member = next((membership for membership in named if _may_ask(request, membership.role)), named[0])
    check_role(request, member.role)
    return member


def get_chosen_organiser(request: HttpRequest) -> Organiser:
    """The organiser that this page is about, as `choose_membership` says. One query."""
    return choose_membership(request, list_memberships(request)).organiser


def get_owning_membership(request: HttpRequest, found: list[Member], organiser_pk: int) -> Member:
    """The membership in the organiser that owns a row; 404 if there is none, 403 as `check_role`."""
    member = next((membership for membership in found if membership.organiser_id == organiser_pk), None)
    if member is None:
        raise Http404
    check_role(request, member.role)
    return member


def get_chosen_division(request: HttpRequest, tournament: Tournament) -> Division:
    """The division that `?division=` names, by default the first; 404 if there is none. What is posted under that name
    is a field of a form: with an error in it the form is shown again, and “17” is no name of a division."""
    name = request.GET.get("division")
    divisions = list(tournament.divisions.select_related("knockout").order_by("position", "pk"))
    chosen = next((division for division in divisions if division.name == name or not name), None)
    if chosen is None:
        raise Http404(_("This tournament has no division “%(name)s”.") % {"name": name or ""})
    chosen.tournament = tournament
    return chosen


def get_visible_round(division: Division, number: int, *, drafts: bool = False, knockout: bool = False) -> Round:
    """Round `number` of a division; 404 if there is none that the reader may see. `drafts` includes drafts. A knock-out
    round needs `knockout`: it has no table, and the director cannot change it."""
    rounds = Round.objects.filter(build_rounds_filter(), division=division)
    if not knockout:
        rounds = rounds.league()
    visible_round = get_object_or_404(rounds if drafts else rounds.public(), number=number)
    visible_round.division = division
    return visible_round


def get_open_pairing(tournament: Tournament, pk: int) -> Pairing:
    """A pairing of this tournament; else 404. 403 as `check_round_open`, and for a table that is not the code's."""
    pairings = Pairing.objects.select_related("round__division__tournament", "round__division__knockout")
    pairings = pairings.with_players().with_results()
    pairing = get_object_or_404(pairings, pk=pk, round__division__tournament=tournament)
    pairing.round.division.tournament = tournament
    check_round_open(tournament, pairing.round)
    if tournament.access_code is not None and not tournament.access_code.holds(pairing.table):
        raise PermissionDenied(_("The code is for other tables."))
    return pairing


def may_change_round(tournament: Tournament, round: Round) -> bool:
    """Whether the reader may change the results of a round: helpers and referees while it is open, directors always."""
    # Pages ask this before they offer a link, not only when something is sent: helpers were shown ways to correct what
    # belongs to a closed round, which only refused them.
    return tournament.role not in (Role.HELPER, Role.REFEREE) or round.state == Round.State.PUBLISHED


def check_round_open(tournament: Tournament, round: Round) -> None:
    """Raise a 403 for a helper or referee unless the round is open: drafts and closed rounds are for directors."""
    if not may_change_round(tournament, round):
        raise PermissionDenied(_("This round is not open. Only directors can change it now."))


def get_actor(request: HttpRequest, organiser: Organiser | None = None) -> Actor:
    """Who acts, for which organiser, and the `revision` or `register` revision that the posted page showed."""
    user = request.user if request.user.is_authenticated else None
    seen, register_seen = (_parse_seen(request.POST.get(name)) for name in ("revision", "register"))
    code = get_access_code(request)
    return Actor(user=user, name=code.name if code else "", seen=seen, register_seen=register_seen, organiser=organiser)


def get_latest_actor(request: HttpRequest) -> Actor:
    """Who acts where it does not matter what else has happened since the page was shown: the last button pressed at the
    hall's desk counts, and rows of results and slips have a version of their own for two at once."""
    return replace(get_actor(request), seen=None)


def _parse_seen(revision: str | None) -> int | None:
    """The revision that a page showed; 0 for anything but a number."""
    if revision is None:
        return None
    # Not None for nonsense: None would let the act write over whatever has happened since, 0 has it compared with all.
    return int(revision) if re.fullmatch("[0-9]{1,9}", revision) else 0
