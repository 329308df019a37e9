"""A walk: every address of the program, each method, asked by everybody, for what is theirs and for what is not.

`docs/access.md` is what the walk found; `TSO_WRITE_DOCS=1 pytest tests/config/test_access.py` writes it anew.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse

from config.mail import MailServer
from tests.config import stage as stages
from tournament.access.acts import ACTS_BY_ADDRESS, ALLOWED_KINDS, Act, UserKind, get_act

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "access.md"
YES, NO, UNKNOWN, SIGN_IN = "yes", "no", "not found", "sign in"
SECRET = "Geheimrat"
"""The name of all of the first organiser's players."""

PERSONAL = {Act.OWN_GAMES, Act.ONLINE_ENTRY, Act.OWN_DESK, Act.ACCOUNT}
OF_A_TOURNAMENT = frozenset(Act) - PERSONAL - {Act.READ, Act.SIGN_IN, Act.SEASONS, Act.MEMBERS, Act.HOST}
"""Acts whose addresses lead to a tournament, where they name one."""

OF_AN_ORGANISER = frozenset({Act.TOURNAMENTS, Act.REGISTER, Act.WORD_LISTS, Act.SEASONS, Act.MEMBERS})
"""Acts whose addresses name an organiser where they name no row and no tournament."""

PUSH = frozenset({"public:push", "public:push_worker"})
"""Addresses that are there where the library of push is."""

NO_LOOK_UP = frozenset({"director:remove_entry", "director:allow_to_meet", "director:discard_lot"})
"""Addresses that find nothing to do, rather than nothing, for a row of another tournament."""


SECOND_FACTOR = frozenset(
    {
        "account:recovery_codes",
        "account:second_factor",
        "account:second_factor_off",
        "host:second_factors",
        "login_code",
    }
)
"""Addresses that are there where a second factor is offered."""

BY_CODE = {f"{role} by code": role for role in ("helper", "referee")}
"""Who works at the tournament of the stage by a code, without an account, as which role."""

HALF = "half signed in"
"""Somebody whose password was right and who has not given the code yet: nobody."""

DONE_ELSEWHERE = frozenset({"director:demo", "director:make_backup", "director:website"})
"""What takes seconds is not done for those who may: the tests of these pages do it."""


@dataclass(frozen=True, slots=True)
class Address:
    """One address: its name, its way as the documents write it, the places to fill in."""

    name: str
    route: str
    places: frozenset[str]

    @property
    def act(self) -> Act:
        return get_act(self.name)


def addresses() -> list[Address]:
    """All addresses of the program, those of Django's admin by its first page only."""
    found = [Address("admin:index", "/admin/", frozenset())]
    return found + list(_within(get_resolver().url_patterns, "/", ""))


def _within(patterns: list[Any], route: str, space: str) -> Iterator[Address]:
    for each in patterns:
        here = route + str(each.pattern)
        if isinstance(each, URLResolver) and each.namespace != "admin":
            inner = f"{space}{each.namespace}:" if each.namespace else space
            yield from _within(each.url_patterns, here, inner)
        elif isinstance(each, URLPattern):
            yield Address(f"{space}{each.name}", here, frozenset(each.pattern.converters))


def test_every_address_names_its_act() -> None:
    """Name the act of a new address in `tournament/access/acts.py`."""
    named = {address.name for address in addresses()}

    assert sorted(named - ACTS_BY_ADDRESS.keys() - {"admin:index"}) == []
    assert sorted(ACTS_BY_ADDRESS.keys() - named) == []


def test_every_act_is_allowed_to_somebody_and_has_an_address() -> None:
    assert set(ALLOWED_KINDS) == set(Act)
    assert set(ACTS_BY_ADDRESS.values()) == set(Act)
    assert all(ALLOWED_KINDS.values())


@dataclass(slots=True)
class Walk:
    """What was asked and answered."""

    seen: dict[str, dict[str, str]] = field(default_factory=dict)
    """For each address what everybody is told about what belongs to the first organiser."""
    wrong: list[str] = field(default_factory=list)
    asked: int = 0
    framed: set[str] = field(default_factory=set)
    """The addresses that another website may show in a frame."""
    lacking: set[tuple[str, str]] = field(default_factory=set)
    """The addresses that do not have a method, with that method, as somebody was told who has signed in."""


SERVED: dict[str, Any] = {
    "MAIL": MailServer("smtps", "mail.example.org", 465, "", "", "tso@example.org"),
    "HOSTED": True,
    "BEHIND_HTTPS": True,
    "SERVICE_ADDRESS": "https://tso.example.org",
}
"""The settings of a hosted service with e-mail, where every address is there but those of `ON_LAPTOPS`."""

ON_LAPTOPS = {"director:mirror", "director:mirror_act", "director:website_folder"}


@pytest.fixture(scope="module")
def walk(django_db_setup: None, django_db_blocker: Any) -> Iterator[Walk]:
    with django_db_blocker.unblock(), transaction.atomic(), override_settings(**SERVED):
        yield walk_addresses()
        transaction.set_rollback(True)


def walk_addresses(only: Collection[str] = (), *, every: int = 1) -> Walk:
    """Ask every address (or every third, say) as everybody, for what is theirs and for what is not, or as those named
    for ours alone."""
    ours = stages.stage("SC Hier", SECRET)
    theirs = ours if only else stages.stage("SC Dort", "Anders")
    found, others = Walk(), stages.anybody()
    links, their_links = stages.tokens(ours), stages.tokens(theirs)
    # The owner first: a method that an address does not have is asked for by the owner and by a visitor.
    people = {**ours.browsers, **others, "owner of another": theirs.browsers["owner"]}
    if settings.SECOND_FACTOR:
        people[HALF] = stages.half_signed_in(ours)
    people = {who: client for who, client in people.items() if not only or who in only}
    for address in addresses()[::every]:
        names = ours.names(address.name, set(address.places))
        for who, client in people.items():
            if address.name in DONE_ELSEWHERE and _expected(address, who) == YES:
                found.seen.setdefault(address.name, {})[who] = YES
                continue
            secret, typed = who not in ours.browsers, ours.typed(address.name)
            with override_settings(HOSTED=address.name not in ON_LAPTOPS):
                told = _ask(found, client, address, _url(address, names, links, ours), secret=secret, typed=typed)
            _note(found, address, who, told)
        if only:
            continue
        if "pk" in names and "slug" in names and address.name not in NO_LOOK_UP:
            mixed = {**names, "pk": theirs.names(address.name, set(address.places))["pk"]}
            told = _ask(found, ours.browsers["owner"], address, _url(address, mixed, links, ours), secret=False)
            found.wrong += [f"{address.name}: another's row: {told}"] if told - {UNKNOWN} else []
        if address.name in DONE_ELSEWHERE:
            continue
        own = _url(address, theirs.names(address.name, set(address.places)), their_links, theirs)
        _ask(
            found,
            theirs.browsers["owner"],
            address,
            own,
            secret=address.act not in (Act.READ, Act.SIGN_IN, Act.OWN_GAMES, Act.ONLINE_ENTRY),
        )
    return found


def _url(address: Address, names: dict[str, object], links: dict[str, str], of: stages.Stage) -> str:
    token = {"token": links[address.name]} if address.name in links and "token" in address.places else {}
    token |= {"link": links.get(address.name, links["games:me"])} if "link" in address.places else {}
    token |= {"uidb64": "x", "token": "x"} if "uidb64" in address.places else {}
    url = reverse(address.name, kwargs={**names, **token})
    if address.act in OF_AN_ORGANISER and not {"slug", "pk"} & address.places:
        return f"{url}?organiser={of.organiser.slug}"
    return f"{url}?file={of.backup}" if address.name == "director:download_backup" else url


def _ask(
    walk: Walk, client: Client, address: Address, url: str, *, secret: bool, typed: Mapping[str, Any] = {}
) -> set[str]:
    """What an address says to GET and POST, a method aside that it does not have; nothing stays of what they do."""
    told = set()
    is_signed_in = settings.SESSION_COOKIE_NAME in client.cookies
    for method, data in (("GET", {}), ("POST", typed)):
        if is_signed_in and (address.name, method) in walk.lacking:
            continue
        with transaction.atomic():
            answer: Any = client.get(url, data) if method == "GET" else client.post(url, data)
            transaction.set_rollback(True)
        walk.asked += 1
        if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            if is_signed_in:
                walk.lacking.add((address.name, method))
            continue
        told.add(_outcome(answer))
        policy = answer.headers.get("Content-Security-Policy", "")
        if answer.headers.get("X-Frame-Options") != "DENY" or "frame-ancestors *" in policy:
            walk.framed.add(resolve(url.partition("?")[0]).view_name)
        public = url.startswith(("/t/", "/api/", "/organisers/", "/seasons/", "/code/", "/me/")) or url == "/"
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            walk.wrong.append(f"{url}: {answer.status_code}")
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        if secret and not public and SECRET in content.decode(errors="replace"):
            walk.wrong.append(f"{url}: shows a player of another organiser")
    return told


def _outcome(answer: Any) -> str:
    if answer.status_code == HTTPStatus.FORBIDDEN:
        return NO
    if answer.status_code == HTTPStatus.NOT_FOUND:
        return UNKNOWN
    to = answer.headers.get("Location", "")
    return SIGN_IN if to.startswith(("/login/", "/admin/login/")) else YES


def _note(walk: Walk, address: Address, who: str, told: set[str]) -> None:
    expected = {_expected(address, who)}
    if told != expected:
        walk.wrong.append(f"{address.name}: {who} is told {sorted(told)}, not {sorted(expected)}")
    walk.seen.setdefault(address.name, {})[who] = ", ".join(sorted(told))


def _expected(address: Address, who: str) -> str:
    """What the table says."""
    if address.name in SECOND_FACTOR and not settings.SECOND_FACTOR:
        return UNKNOWN
    if address.name in PUSH and find_spec("pywebpush") is None:
        return UNKNOWN
    if who in BY_CODE:
        who = BY_CODE[who] if "slug" in address.places and address.act in OF_A_TOURNAMENT else UserKind.ANYBODY
    who = UserKind.ANYBODY if who == HALF else who
    allowed = ALLOWED_KINDS[address.act]
    if address.act == Act.HOST:
        refused = SIGN_IN if who == UserKind.ANYBODY or address.name == "admin:index" else NO
        return YES if who == UserKind.HOST else refused
    if who in allowed or (UserKind.ACCOUNT in allowed and who != UserKind.ANYBODY):
        return YES
    if who == UserKind.ANYBODY:
        return SIGN_IN
    return NO if who in (UserKind.HELPER, UserKind.REFEREE, UserKind.DIRECTOR, UserKind.OWNER) else UNKNOWN


@pytest.mark.dear
@pytest.mark.long
@pytest.mark.django_db
def test_everybody_gets_what_the_table_says_and_nobody_sees_anothers(walk: Walk) -> None:
    assert sorted(set(walk.wrong)) == []
    assert walk.asked > 10 * len(addresses())


@pytest.mark.dear
@pytest.mark.long
@pytest.mark.django_db
def test_one_address_alone_may_stand_in_the_frame_of_another_website(walk: Walk) -> None:
    assert walk.framed == {"public:embed"}


COLUMNS = (
    UserKind.ANYBODY,
    UserKind.ACCOUNT,
    UserKind.HELPER,
    UserKind.REFEREE,
    *BY_CODE,
    UserKind.DIRECTOR,
    UserKind.OWNER,
    UserKind.HOST,
)
HEAD = """# Who may do what

Found by asking: every address, with both methods, by everybody, for what belongs to the organiser for whom the
helper, the referee, the director and the owner work, and of whose tournaments the two codes are. “yes” is an answer,
“no” a 403, “not found” a 404, “sign in” leads there.
Whoever works for another organiser is told “not found” where a bare account is. What is theirs everybody finds at
the same addresses, and there is nothing of anybody else's in it.

The table that says so is `ALLOWED` in `tournament/access/acts.py`.
`TSO_WRITE_DOCS=1 pytest tests/config/test_access.py` writes this page anew.
"""


def document(walk: Walk) -> str:
    """The page."""
    parts = [HEAD]
    for act in Act:
        listed = [address for address in addresses() if address.act == act]
        rows = [" | ".join([f"`{_written(a)}`", *(walk.seen[a.name][who] for who in COLUMNS)]) for a in listed]
        head = " | ".join(["address", *COLUMNS])
        lines = "\n".join(f"| {row} |" for row in sorted(rows))
        parts.append(f"## {act[0].upper()}{act[1:]}\n\n| {head} |\n|{'---|' * (len(COLUMNS) + 1)}\n{lines}\n")
    return "\n".join(parts)


def _written(address: Address) -> str:
    """The route with its places in capitals: `/t/SLUG/rounds/NUMBER/`."""
    route = address.route
    while "<" in route:
        before, _open, rest = route.partition("<")
        place, _close, after = rest.partition(">")
        route = f"{before}{place.partition(':')[2].upper()}{after}"
    return route


@pytest.mark.dear
@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.skipif(not settings.SECOND_FACTOR, reason="some addresses come with requirements-hosted.txt")
def test_document_says_what_was_found(walk: Walk) -> None:
    found = document(walk)
    if os.environ.get("TSO_WRITE_DOCS"):
        DOCUMENT.write_text(found, encoding="utf-8")

    assert DOCUMENT.read_text(encoding="utf-8") == found
