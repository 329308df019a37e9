"""Who may see and do what: one table role × act × address. Views load what they work on here and nowhere else.

Each address is there for one act, and each act is allowed to some. Whoever is no member of an organiser gets a 404 for
all that belongs to it, whether it exists or not; a member whose role does not allow an act gets a 403 that says so.
"""

import re
from collections.abc import Mapping
from enum import StrEnum

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournament.models import AccessCode, Division, Member, Organiser, Pairing, Role, Round, Tournament
from tournament.operations import access_codes
from tournament.operations.change import Actor
from tournament.queries import public_view

CODES = "access_codes"
"""Where a session keeps the codes that its browser has opened."""
_CODE = "tso.access_code"

REVISION = re.compile("[0-9]{1,9}")


class Who(StrEnum):
    """Everybody who can ask for a page. Helper, referee, director and owner are somebody's `Role` for the organiser;
    the first two also at one tournament, by a code."""

    ANYBODY = "anybody"
    ACCOUNT = "account"
    """Signed in, whatever they are a member of."""
    HELPER = Role.HELPER.value
    REFEREE = Role.REFEREE.value
    DIRECTOR = Role.DIRECTOR.value
    OWNER = Role.OWNER.value
    HOST = "host"
    """A superuser, who looks after the installation: accounts and organisers, but no organiser's events."""


class Act(StrEnum):
    """What an address is there for."""

    READ = "read what is published"
    SIGN_IN = "sign in and out, open a code, accept an invitation, replace a lost password"
    OWN_GAMES = "see and report one's own games by a personal link"
    OWN_DESK = "see where one works"
    ACCOUNT = "look after one's own account"
    RESULTS = "enter and correct results of the open round"
    CHECK_IN = "check players in"
    ENTRIES = "enter players and settle who plays"
    DRAW = "draw, change and publish rounds"
    KNOCKOUT = "run the knock-out"
    SHEETS = "keep score sheets and photos"
    DUPLICATE = "run a duplicate session"
    REFEREE = "keep the referee's log and ask the word judge"
    WAY_IN = "let helpers, referees and players in"
    HALL = "run the screens of the hall, its clock and its messages"
    PRINT = "print and save files"
    JOURNAL = "read the journal and undo"
    SETTINGS = "set a tournament up and end it"
    TOURNAMENTS = "make, copy, read in and delete tournaments"
    REGISTER = "keep the register of players"
    WORD_LISTS = "keep the word lists"
    SEASONS = "count events together as a season"
    MEMBERS = "invite members, change roles, name the organiser"
    HOST = "look after accounts, organisers and backups"


EVERYBODY = frozenset(Who)
ACCOUNTS = EVERYBODY - {Who.ANYBODY}
HELPERS = frozenset({Who.HELPER, Who.DIRECTOR, Who.OWNER})
DIRECTORS = frozenset({Who.DIRECTOR, Who.OWNER})

ALLOWED: dict[Act, frozenset[Who]] = {
    Act.READ: EVERYBODY,
    Act.SIGN_IN: EVERYBODY,
    Act.OWN_GAMES: EVERYBODY,
    Act.OWN_DESK: ACCOUNTS,
    Act.ACCOUNT: ACCOUNTS,
    Act.RESULTS: HELPERS,
    Act.CHECK_IN: HELPERS,
    Act.ENTRIES: DIRECTORS,
    Act.DRAW: DIRECTORS,
    Act.KNOCKOUT: DIRECTORS,
    Act.SHEETS: DIRECTORS,
    Act.DUPLICATE: DIRECTORS,
    Act.REFEREE: DIRECTORS | {Who.REFEREE},
    Act.WAY_IN: DIRECTORS,
    Act.HALL: DIRECTORS,
    Act.PRINT: DIRECTORS,
    Act.JOURNAL: DIRECTORS,
    Act.SETTINGS: DIRECTORS,
    Act.TOURNAMENTS: DIRECTORS,
    Act.REGISTER: DIRECTORS,
    Act.WORD_LISTS: DIRECTORS,
    Act.SEASONS: DIRECTORS,
    Act.MEMBERS: frozenset({Who.OWNER}),
    Act.HOST: frozenset({Who.HOST}),
}
"""Who may do what."""

_ADDRESSES: dict[Act, str] = {
    Act.READ: """
        set_language public:home public:home_news public:language public:organiser public:organiser_news
        public:tournament public:news public:entries public:rounds public:round public:table public:table_after
        public:table_file public:crosstable public:bracket public:bracket_file public:final_file public:statistics
        public:clock public:mine public:playing public:player public:screens public:screen public:screen_news
        public:season public:season_news public:season_file
    """,
    Act.SIGN_IN: """
        login login_code logout first_start invitation password_reset password_reset_sent password_reset_choose
        access_code access_code_link leave_access_code
    """,
    Act.OWN_DESK: "director:home director:kept_input",
    Act.ACCOUNT: """
        account:own account:email account:password account:second_factor account:second_factor_off
        account:recovery_codes
    """,
    Act.RESULTS: "director:at_work",
    Act.CHECK_IN: "director:check_in director:tick",
    Act.ENTRIES: """
        director:entries director:import_players director:absentees director:entry director:move_entry
        director:remove_entry director:keep_apart director:allow_to_meet director:withdraw director:bring_back
        director:absence director:remove_absence
    """,
    Act.DRAW: """
        director:console director:news director:rounds director:draft director:round director:publish
        director:unpublish director:discard director:close director:reopen director:shows director:anew director:by_hand
        director:one_pairing director:lots director:discard_lot
    """,
    Act.KNOCKOUT: """
        director:knockout director:announce_knockout director:take_back_knockout director:not_recorded
        director:recorded_again director:match_lot director:discard_match_lot
    """,
    Act.WAY_IN: """
        director:way_in director:revoke_code director:renew_code director:let_code_go director:renew_link
        director:wifi director:big_code
    """,
    Act.HALL: """
        director:hall director:hall_news director:hall_clock director:hall_minutes director:hall_message
        director:hall_message_back director:hall_countdown director:hall_stream
        director:hall_ceremony director:hall_end_stream director:add_screen director:screen
        director:show_on_screen director:hold_pages director:remove_screen
    """,
    Act.PRINT: """
        director:print_room director:document director:player_card director:export director:download director:take_along
        director:final_text director:website
    """,
    Act.JOURNAL: "director:journal director:journal_file director:undo",
    Act.SETTINGS: """
        director:settings director:plan director:fit_plan director:divisions director:division director:visible
        director:end director:end_tournament director:reopen_tournament director:add_prize director:usual_prizes
        director:publish_prizes director:edit_prize director:remove_prize director:move_prize_up
        director:certificate director:turning_point
    """,
    Act.TOURNAMENTS: """
        director:new director:new_from director:demo director:import_file director:copy director:delete
    """,
    Act.REGISTER: "director:players director:add_player director:import_register director:edit_player",
    Act.SEASONS: """
        director:seasons director:season director:add_season_event director:remove_season_event director:join_players
        director:take_back_same_person director:delete_season
    """,
    Act.MEMBERS: """
        director:members director:member director:remove_member director:revoke_invitation director:organiser
    """,
    Act.HOST: """
        administration_login host:organisers host:organiser host:second_factors
        director:backups director:make_backup director:second_place
        director:look_at_backup director:download_backup
    """,
}

ACTS: dict[str, Act] = {}
"""What each address is for, by its name. An app above adds its own when it is ready (`games.apps`)."""


def add(addresses: Mapping[Act, str]) -> None:
    """Add names of addresses, with blanks between them, under the act that they are for."""
    ACTS.update({name: act for act, names in addresses.items() for name in names.split()})


add(_ADDRESSES)


def act_of(address: str) -> Act:
    """What the address of this name is for. Raises KeyError for one that nobody has added."""
    return Act.HOST if address.startswith("admin:") else ACTS[address]


def check(request: HttpRequest, role: str) -> None:
    """Refuse with a 403 what the role does not allow at this address."""
    assert request.resolver_match is not None
    if Who(role) not in ALLOWED[act_of(request.resolver_match.view_name)]:
        if access_code(request):
            said = _("This page is not for the role “%(role)s”, which the code gives.")
        else:
            said = _("This page is not for the role “%(role)s”. An owner can change roles.")
        raise PermissionDenied(said % {"role": Role(role).label})


def public_tournament(slug: str) -> Tournament:
    """The tournament that anyone may see under this address; 404 if there is none or it is not public."""
    public = public_view.with_holding_back(Tournament.objects.public().select_related("organiser"))
    return get_object_or_404(public, slug=slug)


def directed_tournament(request: HttpRequest, slug: str) -> Tournament:
    """The tournament for whose organiser the signed-in user works, or at which a code lets this browser work, with
    their `role` there.

    404 if there is none or it is another organiser's, 403 if the role does not allow this address, or the code is not
    valid any more. One query, one more for each code.
    """
    found = _of_member(request, slug) or _by_code(request, slug)
    if found is None or found.role is None:
        raise Http404(_("There is no tournament “%(slug)s” among yours.") % {"slug": slug})
    check(request, found.role)
    return found


def _of_member(request: HttpRequest, slug: str) -> Tournament | None:
    if not isinstance(request.user, User):
        return None
    found = Tournament.objects.with_role_of(request.user).select_related("organiser").filter(slug=slug).first()
    return found if found is not None and found.role is not None else None


def _by_code(request: HttpRequest, slug: str) -> Tournament | None:
    opened = codes_in(request)
    for pk, secret in opened.items():
        code = access_codes.opened_with(int(pk), secret, slug)
        if code is not None:
            request.META[_CODE] = code
            code.tournament.role = code.role
            code.tournament.access_code = code
            return code.tournament
    if opened and AccessCode.objects.filter(pk__in=opened, tournament__slug=slug).exists():
        raise PermissionDenied(_("The code is not valid any more: it was taken back, or the tournament is over."))
    return None


def codes_in(request: HttpRequest) -> dict[str, str]:
    """The codes that this browser has opened, each with its secret. No query without a session."""
    found: dict[str, str] = request.session.get(CODES, {})
    return found


def may_work(request: HttpRequest) -> bool:
    """Whether somebody has signed in, or has a code open and asks for a page of a tournament; whether it is theirs is
    asked then."""
    if request.user.is_authenticated:
        return True
    asked = request.resolver_match
    of_a_tournament = asked is not None and asked.namespace != "host" and "slug" in asked.kwargs
    return of_a_tournament and bool(codes_in(request))


def who(request: HttpRequest) -> tuple[str, str]:
    """A key that tells those apart who are at work, and the name they are known by."""
    code = access_code(request)
    return (f"code {code.pk}", code.name) if code else (str(request.user.pk), request.user.get_username())


def access_code(request: HttpRequest) -> AccessCode | None:
    """The code by which `directed_tournament` has let somebody in."""
    found: AccessCode | None = request.META.get(_CODE)
    return found


def directs(user: User, tournament: Tournament) -> bool:
    """Whether the user directs a tournament. One query."""
    found = Member.objects.filter(user=user, organiser=tournament.organiser_id, role__in=DIRECTORS)
    return found.exists()


def host(request: HttpRequest) -> None:
    """Refuse with a 403 whoever does not look after the installation."""
    if not (isinstance(request.user, User) and request.user.is_superuser):
        raise PermissionDenied(_("Only whoever looks after the installation may see this."))


def owns(request: HttpRequest, organiser: Organiser) -> bool:
    """Whether the signed-in user is an owner of the organiser. One query."""
    return Member.objects.filter(user=request.user.pk, organiser=organiser, role=Role.OWNER).exists()


def memberships(request: HttpRequest) -> list[Member]:
    """For whom the signed-in user works, by name. One query."""
    found = Member.objects.filter(user=request.user.pk).select_related("organiser")
    return list(found.order_by("organiser__name", "pk"))


def chosen(request: HttpRequest, found: list[Member]) -> Member:
    """The membership that `?organiser=` names, by default the first whose role allows this address.

    404 for an organiser for whom the user does not work, 403 if no role allows the address.
    """
    slug = request.GET.get("organiser")
    named = [each for each in found if slug in (None, each.organiser.slug)]
    if slug is not None and not named:
        raise Http404(_("There is no organiser “%(slug)s” among yours.") % {"slug": slug})
    if not named:
        raise PermissionDenied(_("Your account belongs to no organiser yet. Ask for an invitation."))
    assert request.resolver_match is not None
    allowed = ALLOWED[act_of(request.resolver_match.view_name)]
    member = next((each for each in named if Who(each.role) in allowed), named[0])
    check(request, member.role)
    return member


def organiser(request: HttpRequest) -> Organiser:
    """The organiser whose register, lists or members this page is about, as `chosen`. One query."""
    return chosen(request, memberships(request)).organiser


def of_owner(request: HttpRequest, found: list[Member], organiser_pk: int) -> Member:
    """The membership for the organiser to whom a row belongs; 404 if there is none, 403 as `check`."""
    member = next((each for each in found if each.organiser_id == organiser_pk), None)
    if member is None:
        raise Http404
    check(request, member.role)
    return member


def division_of(request: HttpRequest, tournament: Tournament) -> Division:
    """The division that `?division=` names, by default the first; 404 for a name that the tournament does not have."""
    name = request.GET.get("division") or request.POST.get("division")
    found = list(tournament.divisions.select_related("knockout").order_by("position", "pk"))
    chosen = next((division for division in found if division.name == name or not name), None)
    if chosen is None:
        raise Http404(_("This tournament has no division “%(name)s”.") % {"name": name or ""})
    chosen.tournament = tournament
    return chosen


def round_of(division: Division, number: int, *, drafts: bool = False, knockout: bool = False) -> Round:
    """Round `number` of a division; 404 if there is none or, without `drafts`, if it is not published or the reader may
    not see it yet.

    A round of the knock-out is found only with `knockout`: it has no table and the director cannot change it.
    """
    rounds = Round.objects.filter(public_view.rounds(), division=division)
    if not knockout:
        rounds = rounds.league()
    found = get_object_or_404(rounds if drafts else rounds.public(), number=number)
    found.division = division
    return found


def pairing_of(tournament: Tournament, pk: int) -> Pairing:
    """A pairing of this tournament by its id; 404 for another tournament's, 403 as `check_open` and for a table that is
    not the code's."""
    pairings = Pairing.objects.select_related("round__division__tournament", "round__division__knockout")
    pairings = pairings.with_players().with_results()
    found = get_object_or_404(pairings, pk=pk, round__division__tournament=tournament)
    found.round.division.tournament = tournament
    check_open(tournament, found.round)
    if tournament.access_code is not None and not tournament.access_code.holds(found.table):
        raise PermissionDenied(_("The code is for other tables."))
    return found


def check_open(tournament: Tournament, round: Round) -> None:
    """Refuse a round that is not open to a helper or referee with a 403: what is drafted or closed is for directors."""
    if tournament.role in (Role.HELPER, Role.REFEREE) and round.state != Round.State.PUBLISHED:
        raise PermissionDenied(_("This round is not open. Only directors change it now."))


def actor(request: HttpRequest, organiser: Organiser | None = None) -> Actor:
    """Who acts in this request, for whom, and what the page that was posted had shown (`revision` of a
    tournament, `register` of an organiser's).

    What they make is that organiser's.
    """
    user = request.user if request.user.is_authenticated else None
    seen, register_seen = (_seen(request.POST.get(name)) for name in ("revision", "register"))
    code = access_code(request)
    return Actor(user=user, name=code.name if code else "", seen=seen, register_seen=register_seen, organiser=organiser)


def _seen(revision: str | None) -> int | None:
    """The revision that a page showed; a page that says something else has seen nothing."""
    if revision is None:
        return None
    return int(revision) if REVISION.fullmatch(revision) else 0
