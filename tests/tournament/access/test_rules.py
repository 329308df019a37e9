"""Who may do what, asked of the table and of each loader; `tests/config/test_access.py` asks every address."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.test import RequestFactory
from django.urls import resolve

from tests import factories
from tournament.access.acts import ALLOWED_KINDS, Act, UserKind, get_act
from tournament.access.codes import make_access_code, open_access_code, revoke_access_code
from tournament.access.rules import (
    OPEN_CODES_KEY,
    check_role,
    check_round_open,
    find_role,
    get_access_code,
    get_actor,
    get_chosen_division,
    get_chosen_organiser,
    get_directed_tournament,
    get_open_pairing,
    get_owning_membership,
    get_visible_round,
    identify_worker,
    is_owner_of,
    may_work,
    require_host,
)
from tournament.models import AccessCode, Division, Member, Organiser, Pairing, Role, Round, Tournament

ANYBODY, ACCOUNT, HELPER, REFEREE, DIRECTOR, OWNER, HOST = UserKind
TABLE = {
    Act.READ: {ANYBODY, ACCOUNT, HELPER, REFEREE, DIRECTOR, OWNER, HOST},
    Act.TAKE_MIRROR: {ANYBODY, ACCOUNT, HELPER, REFEREE, DIRECTOR, OWNER, HOST},
    Act.SIGN_IN: {ANYBODY, ACCOUNT, HELPER, REFEREE, DIRECTOR, OWNER, HOST},
    Act.OWN_GAMES: {ANYBODY, ACCOUNT, HELPER, REFEREE, DIRECTOR, OWNER, HOST},
    Act.ONLINE_ENTRY: {ANYBODY, ACCOUNT, HELPER, REFEREE, DIRECTOR, OWNER, HOST},
    Act.OWN_DESK: {ACCOUNT, HELPER, REFEREE, DIRECTOR, OWNER, HOST},
    Act.ACCOUNT: {ACCOUNT, HELPER, REFEREE, DIRECTOR, OWNER, HOST},
    Act.RESULTS: {HELPER, DIRECTOR, OWNER},
    Act.CHECK_IN: {HELPER, DIRECTOR, OWNER},
    Act.ENTRIES: {DIRECTOR, OWNER},
    Act.DRAW: {DIRECTOR, OWNER},
    Act.KNOCKOUT: {DIRECTOR, OWNER},
    Act.SHEETS: {DIRECTOR, OWNER},
    Act.DUPLICATE: {DIRECTOR, OWNER},
    Act.REFEREE: {REFEREE, DIRECTOR, OWNER},
    Act.WAY_IN: {DIRECTOR, OWNER},
    Act.MIRROR: {DIRECTOR, OWNER},
    Act.HALL: {DIRECTOR, OWNER},
    Act.PRINT: {DIRECTOR, OWNER},
    Act.JOURNAL: {DIRECTOR, OWNER},
    Act.SETTINGS: {DIRECTOR, OWNER},
    Act.TOURNAMENTS: {DIRECTOR, OWNER},
    Act.REGISTER: {DIRECTOR, OWNER},
    Act.WORD_LISTS: {DIRECTOR, OWNER},
    Act.SEASONS: {DIRECTOR, OWNER},
    Act.MEMBERS: {OWNER},
    Act.HOST: {HOST},
}
RESULTS, DRAW, MEMBERS = "/director/herbst-cup/results/", "/director/herbst-cup/rounds/", "/director/register/members/"
LOG = "/director/herbst-cup/referee/"


@pytest.fixture
def division(db: None) -> Division:
    return factories.event(players=4)


@pytest.fixture
def cup(division: Division) -> Tournament:
    return division.tournament


@pytest.fixture
def elsewhere(db: None) -> Organiser:
    factories.organiser()
    return factories.organiser("SC Anderswo")


def account(role: Role | None, of: Organiser | None = None, name: str = "eva") -> User:
    """Somebody with this role for an organiser, by default Doris'; with none they only have an account."""
    made = User.objects.filter(username=name).first() or factories.user(name)
    if role is not None:
        factories.member(made, role, of)
    return made


def asked(rf: RequestFactory, who: User | AnonymousUser, path: str = DRAW, **data: str) -> HttpRequest:
    """A request for a page, as a view gets it."""
    request = rf.get(path, data)
    request.user, request.resolver_match, request.session = who, resolve(path), SessionBase()
    return request


def posted(rf: RequestFactory, **data: str) -> HttpRequest:
    request = rf.post("/", data)
    request.user = AnonymousUser()
    return request


def test_roles_are_the_organisers() -> None:
    assert [str(who) for who in (HELPER, REFEREE, DIRECTOR, OWNER)] == [
        Role.HELPER,
        Role.REFEREE,
        Role.DIRECTOR,
        Role.OWNER,
    ]


def test_table_of_who_may_do_what() -> None:
    assert {act: set(who) for act, who in ALLOWED_KINDS.items()} == TABLE


def test_pages_of_the_administration_are_the_hosts() -> None:
    assert get_act("admin:index") is Act.HOST
    assert get_act("public:home") is Act.READ


@pytest.mark.parametrize(
    ("role", "path", "may"),
    [
        (Role.HELPER, RESULTS, True),
        (Role.HELPER, DRAW, False),
        (Role.REFEREE, RESULTS, False),
        (Role.REFEREE, LOG, True),
        (Role.DIRECTOR, DRAW, True),
        (Role.DIRECTOR, MEMBERS, False),
        (Role.OWNER, MEMBERS, True),
    ],
)
def test_role_is_checked_at_the_address(rf: RequestFactory, role: Role, path: str, may: bool) -> None:
    request = asked(rf, AnonymousUser(), path)

    if may:
        check_role(request, role)
    else:
        with pytest.raises(PermissionDenied, match=str(role.label)):
            check_role(request, role)


def test_tournament_of_ones_organiser_is_found_with_the_role(rf: RequestFactory, cup: Tournament) -> None:
    found = get_directed_tournament(asked(rf, account(Role.DIRECTOR)), cup.slug)

    assert (found, found.role) == (cup, Role.DIRECTOR)


def test_tournament_of_others_is_not_found(rf: RequestFactory, cup: Tournament, elsewhere: Organiser) -> None:
    for who in (account(None), account(Role.OWNER, elsewhere, "otto")):
        with pytest.raises(Http404, match=cup.slug):
            get_directed_tournament(asked(rf, who), cup.slug)
    with pytest.raises(Http404, match="nirgends"):
        get_directed_tournament(asked(rf, account(Role.DIRECTOR, name="ida")), "nirgends")


def by_code(rf: RequestFactory, cup: Tournament, path: str = RESULTS) -> tuple[HttpRequest, AccessCode]:
    """A request of a browser without an account in which a helper's code of this tournament was opened."""
    code, _text = make_access_code(cup, role=Role.HELPER, name="Eva", actor=factories.director())
    request = asked(rf, AnonymousUser(), path)
    request.session[OPEN_CODES_KEY] = {str(code.pk): open_access_code(code)}
    return request, code


def test_code_lets_in_as_its_role(rf: RequestFactory, cup: Tournament) -> None:
    request, code = by_code(rf, cup)

    found = get_directed_tournament(request, cup.slug)

    assert (found, found.role, found.access_code, get_access_code(request)) == (cup, Role.HELPER, code, code)
    assert identify_worker(request) == (f"code {code.pk}", "Eva")


def test_code_is_of_its_tournament_only(rf: RequestFactory, cup: Tournament) -> None:
    other = factories.event("Anderer Cup").tournament

    with pytest.raises(Http404, match=other.slug):
        get_directed_tournament(by_code(rf, cup)[0], other.slug)


def test_code_that_was_taken_back_is_told(rf: RequestFactory, cup: Tournament) -> None:
    request, code = by_code(rf, cup)
    revoke_access_code(code, actor=factories.director())

    with pytest.raises(PermissionDenied, match="nicht mehr"):
        get_directed_tournament(request, cup.slug)


def test_without_a_code_nothing_is_told_of_codes(rf: RequestFactory, cup: Tournament) -> None:
    by_code(rf, cup)

    with pytest.raises(Http404):
        get_directed_tournament(asked(rf, AnonymousUser(), RESULTS), cup.slug)


def test_who_has_signed_in_is_known_by_the_account(rf: RequestFactory, db: None) -> None:
    eva = account(Role.HELPER)

    assert identify_worker(asked(rf, eva)) == (str(eva.pk), "eva")


@pytest.mark.parametrize(
    ("path", "may"),
    [(RESULTS, True), (MEMBERS, False), ("/host/nirgends/", False)],
    ids=["tournament", "organiser", "host"],
)
def test_code_is_for_pages_of_tournaments(rf: RequestFactory, cup: Tournament, path: str, may: bool) -> None:
    assert may_work(by_code(rf, cup, path)[0]) is may


def test_without_account_or_code_nobody_works(rf: RequestFactory, db: None) -> None:
    nobody = asked(rf, AnonymousUser(), RESULTS)

    assert not may_work(nobody)
    assert may_work(asked(rf, account(None), MEMBERS))
    nobody.session[OPEN_CODES_KEY], nobody.resolver_match = {"1": "x"}, None
    assert not may_work(nobody)


def test_helper_is_told_that_a_page_is_not_theirs(rf: RequestFactory, cup: Tournament) -> None:
    with pytest.raises(PermissionDenied):
        get_directed_tournament(asked(rf, account(Role.HELPER)), cup.slug)


def test_who_may_not_is_told_where_the_role_comes_from(rf: RequestFactory, cup: Tournament) -> None:
    with pytest.raises(PermissionDenied, match="Code"):
        get_directed_tournament(by_code(rf, cup, DRAW)[0], cup.slug)
    with pytest.raises(PermissionDenied, match="Verwaltung"):
        get_directed_tournament(asked(rf, account(Role.HELPER)), cup.slug)


@pytest.mark.parametrize("role", Role)
@pytest.mark.sampled(1)
def test_public_page_knows_who_works_at_its_tournament(rf: RequestFactory, cup: Tournament, role: Role) -> None:
    assert find_role(asked(rf, account(role)), cup) == role
    assert find_role(by_code(rf, cup, DRAW)[0], cup) == Role.HELPER


def test_public_page_knows_nobody_who_works_elsewhere(
    rf: RequestFactory, cup: Tournament, elsewhere: Organiser
) -> None:
    assert find_role(asked(rf, account(Role.OWNER, elsewhere)), cup) is None
    assert find_role(asked(rf, account(None)), cup) is None
    assert find_role(by_code(rf, factories.event("Anderswo").tournament, DRAW)[0], cup) is None


def test_installation_is_the_hosts(rf: RequestFactory, db: None) -> None:
    host = User.objects.create_superuser("host")

    require_host(asked(rf, host))
    for other in (AnonymousUser(), account(Role.OWNER)):
        with pytest.raises(PermissionDenied):
            require_host(asked(rf, other))


@pytest.mark.parametrize(("role", "owns"), [(Role.OWNER, True), (Role.DIRECTOR, False), (Role.HELPER, False)])
def test_who_owns(rf: RequestFactory, cup: Tournament, elsewhere: Organiser, role: Role, owns: bool) -> None:
    request = asked(rf, account(role))

    assert is_owner_of(request, cup.organiser) is owns
    assert not is_owner_of(request, elsewhere)


@pytest.mark.parametrize(("path", "expected"), [(DRAW, "SC Anderswo"), (RESULTS, "A-Verein")])
def test_first_organiser_for_whom_one_may_is_chosen(
    rf: RequestFactory, elsewhere: Organiser, path: str, expected: str
) -> None:
    who = account(Role.HELPER, factories.organiser("A-Verein"))
    account(Role.DIRECTOR, elsewhere)

    assert get_chosen_organiser(asked(rf, who, path)).name == expected


def test_organiser_that_the_address_names_is_chosen(rf: RequestFactory, elsewhere: Organiser) -> None:
    who = account(Role.DIRECTOR, factories.organiser("A-Verein"))
    account(Role.DIRECTOR, elsewhere)

    assert get_chosen_organiser(asked(rf, who, organiser=elsewhere.slug)) == elsewhere
    with pytest.raises(Http404, match="nirgends"):
        get_chosen_organiser(asked(rf, who, organiser="nirgends"))


def test_without_a_role_that_may_nothing_is_chosen(rf: RequestFactory, db: None) -> None:
    with pytest.raises(PermissionDenied, match=str(Role.HELPER.label)):
        get_chosen_organiser(asked(rf, account(Role.HELPER)))
    with pytest.raises(PermissionDenied, match="Einladung"):
        get_chosen_organiser(asked(rf, account(None, name="ida")))


def test_row_is_its_owners(rf: RequestFactory, elsewhere: Organiser) -> None:
    who = account(Role.DIRECTOR)
    found = list(Member.objects.filter(user=who))

    assert get_owning_membership(asked(rf, who), found, found[0].organiser_id) == found[0]
    with pytest.raises(Http404):
        get_owning_membership(asked(rf, who), found, elsewhere.pk)
    with pytest.raises(PermissionDenied):
        get_owning_membership(asked(rf, who, MEMBERS), found, found[0].organiser_id)


def test_division_by_name_from_the_address_only(rf: RequestFactory, cup: Tournament) -> None:
    second = Division.objects.create(tournament=cup, name="B", position=2)

    assert get_chosen_division(asked(rf, AnonymousUser()), cup).name == cup.divisions.order_by("position")[0].name
    assert get_chosen_division(asked(rf, AnonymousUser(), division="B"), cup) == second
    assert get_chosen_division(posted(rf, division="B"), cup) != second  # a field of the form, which holds a key
    with pytest.raises(Http404, match="C"):
        get_chosen_division(asked(rf, AnonymousUser(), division="C"), cup)


def test_draft_is_found_only_where_it_is_looked_for(division: Division) -> None:
    draft = factories.draft(division)

    assert get_visible_round(division, 1, drafts=True) == draft
    with pytest.raises(Http404):
        get_visible_round(division, 1)


def test_round_of_the_knockout_is_found_only_where_it_is_looked_for(division: Division) -> None:
    number = Round.objects.filter(division=factories.knockout(division), stage=1).values_list("number", flat=True)[0]

    assert get_visible_round(division, number, knockout=True).stage == 1
    with pytest.raises(Http404):
        get_visible_round(division, number, drafts=True)


def test_pairing_of_another_tournament_is_not_found(cup: Tournament, division: Division) -> None:
    pairing = Pairing.objects.filter(round=factories.published(division)).order_by("pk")[0]
    other = factories.event("Anderer Cup").tournament

    assert get_open_pairing(cup, pairing.pk) == pairing
    with pytest.raises(Http404):
        get_open_pairing(other, pairing.pk)


def test_code_for_some_tables_is_refused_at_others(cup: Tournament, division: Division) -> None:
    one, two = Pairing.objects.filter(round=factories.published(division)).order_by("table")[:2]
    code, _text = make_access_code(
        cup, role=Role.HELPER, name="Eva", actor=factories.director(), tables=[(two.table or 0, 9)]
    )
    cup.role, cup.access_code = Role.HELPER, code

    assert get_open_pairing(cup, two.pk) == two
    with pytest.raises(PermissionDenied, match="andere Tische"):
        get_open_pairing(cup, one.pk)


@pytest.mark.parametrize(
    ("role", "state", "is_open"),
    [
        (Role.HELPER, Round.State.PUBLISHED, True),
        (Role.HELPER, Round.State.CLOSED, False),
        (Role.HELPER, Round.State.DRAFT, False),
        (Role.REFEREE, Round.State.PUBLISHED, True),
        (Role.REFEREE, Round.State.CLOSED, False),
        (Role.DIRECTOR, Round.State.CLOSED, True),
        (Role.DIRECTOR, Round.State.DRAFT, True),
    ],
)
def test_helpers_change_open_rounds_only(role: Role, state: str, is_open: bool) -> None:
    tournament = Tournament()
    tournament.role = role

    if is_open:
        check_round_open(tournament, Round(state=state))
    else:
        with pytest.raises(PermissionDenied):
            check_round_open(tournament, Round(state=state))


@pytest.mark.parametrize(
    ("fields", "seen", "register"),
    [
        ({}, None, None),
        ({"revision": "7"}, 7, None),
        ({"register": "12"}, None, 12),
        ({"revision": "", "register": "x"}, 0, 0),
        ({"revision": "1234567890"}, 0, None),
    ],
)
def test_actor_says_what_the_page_had_shown(
    rf: RequestFactory, fields: dict[str, str], seen: int | None, register: int | None
) -> None:
    found = get_actor(posted(rf, **fields))

    assert (found.user, found.seen, found.register_seen) == (None, seen, register)


def test_actor_is_who_has_signed_in(rf: RequestFactory, elsewhere: Organiser) -> None:
    who = account(Role.OWNER, elsewhere)

    found = get_actor(asked(rf, who), elsewhere)

    assert (found.user, found.organiser) == (who, elsewhere)
