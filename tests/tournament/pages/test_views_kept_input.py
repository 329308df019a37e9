"""What was sent after the session had expired is lost on no page of the director."""

import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.messages import ERROR
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests import factories
from tests.games.conftest import browser
from tournament.access.codes import make_access_code, release_access_code
from tournament.models import Division, Entry, Role, Tournament
from tournament.pages.kept_input import KEPT_INPUT_KEY, MAX_KEPT_CHARACTERS

KINDS: dict[str, Any] = {"int": 1, "slug": "herbst-cup", "str": "x", "path": "x"}
SIGN_IN = "/login/?next="


def patterns(found: Any = None, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every address of the program with the route that leads there."""
    for each in (found or get_resolver()).url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from patterns(each, route)
        else:
            yield route, each


def address(route: str, pattern: URLPattern) -> str:
    """An address that a route stands for."""
    for name, converter in pattern.pattern.converters.items():
        kind = type(converter).__name__.removesuffix("Converter").lower().replace("string", "str")
        route = route.replace(f"<{kind}:{name}>", str(KINDS[kind]))
    return f"/{route}"


DIRECTOR = sorted({address(*each) for each in patterns() if each[0].startswith("director/")})
"""Every address of the director."""


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=4)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def anybody(division: Division) -> Client:
    """A browser in which somebody was signed in until a moment ago."""
    client = signed_in(Client())
    client.post("/logout/")
    return client


def signed_in(client: Client) -> Client:
    client.post("/login/", {"username": "doris", "password": "doris"})
    return client


def test_walk_finds_the_pages_of_both_apps() -> None:
    assert len(DIRECTOR) > 80
    assert {"/director/herbst-cup/entries/", "/director/herbst-cup/result/1/referee/challenge/"} <= set(DIRECTOR)


@pytest.mark.sampled(11)
@pytest.mark.parametrize("at", DIRECTOR)
def test_what_is_sent_without_a_session_is_kept(at: str, anybody: Client, division: Division) -> None:
    sent = anybody.post(at, {"name": "Zwetschge, Änne", "once": "abc"})
    waiting = anybody.session[KEPT_INPUT_KEY]

    assert sent.status_code == 302
    assert sent["Location"] in (f"{SIGN_IN}{reverse('director:kept_input')}", f"{SIGN_IN}{at}")
    assert (waiting["path"], "Zwetschge" in waiting["values"]) == (at, True)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("at", DIRECTOR)
def test_script_is_told_that_nobody_is_signed_in(at: str, anybody: Client, division: Division) -> None:
    answer = anybody.post(at, {"name": "Zwetschge, Änne"}, headers={"HX-Request": "true"})

    assert answer.status_code == 401


def test_what_was_typed_is_shown_and_sent_after_signing_in(anybody: Client, division: Division) -> None:
    at = "/director/herbst-cup/entries/?division=A"
    values = {"name": "Zwetschge, Änne", "club": "SC Neu", "once": "abc"}
    anybody.post(at, values)

    page = signed_in(anybody).get(reverse("director:kept_input"))
    anybody.post(page.context["address"], dict(page.context["values"]))

    assert page.context["address"] == at
    assert page.context["typed"] == ["Zwetschge, Änne", "SC Neu"]
    assert Entry.objects.filter(player__name="Zwetschge, Änne", club__name="SC Neu").exists()
    assert KEPT_INPUT_KEY not in anybody.session


@pytest.mark.long
def test_several_values_of_one_name_and_lines_are_kept(anybody: Client, division: Division) -> None:
    anybody.post(
        "/director/herbst-cup/entries/check-in/", {"shown": ["1", "2"], "present": ["2"], "note": "eins\nzwei"}
    )

    page = signed_in(anybody).get(reverse("director:kept_input"))

    assert page.context["values"] == [("shown", "1"), ("shown", "2"), ("present", "2"), ("note", "eins\nzwei")]
    assert "\neins\nzwei</textarea>" in page.content.decode().replace("\r", "")


def test_markup_that_was_typed_stays_text(anybody: Client, division: Division) -> None:
    anybody.post("/director/herbst-cup/entries/", {"name": "</textarea><script>alert(1)</script>"})

    page = signed_in(anybody).get(reverse("director:kept_input")).content.decode()

    assert "<script>alert" not in page


def test_button_without_input_waits_too(anybody: Client, division: Division) -> None:
    factories.draft(division)
    anybody.post("/director/herbst-cup/rounds/1/publish/")

    page = signed_in(anybody).get(reverse("director:kept_input"))
    anybody.post(page.context["address"])

    assert page.context["typed"] == []
    assert division.rounds.get().state == "published"


def test_files_are_named_that_have_to_be_chosen_again(anybody: Client, division: Division) -> None:
    file = SimpleUploadedFile("liste.csv", b"Name\nBeispiel, Anna\n")
    anybody.post("/director/herbst-cup/entries/import/", {"file": file, "text": ""})

    page = signed_in(anybody).get(reverse("director:kept_input"))

    assert page.context["files"] == ["liste.csv"]
    assert "liste.csv" in page.content.decode()


def test_what_is_thrown_away_is_gone(anybody: Client, division: Division) -> None:
    anybody.post("/director/herbst-cup/entries/", {"name": "Zwetschge, Änne"})

    signed_in(anybody).post(reverse("director:kept_input"))

    assert KEPT_INPUT_KEY not in anybody.session
    assert anybody.get(reverse("director:kept_input")).status_code == 302


def test_of_a_stranger_nothing_is_stored(division: Division) -> None:
    stranger = Client()
    storage: Any = CookieStorage(HttpRequest())
    stranger.cookies["messages"] = storage._encode([Message(ERROR, secrets.token_hex(25)) for _time in range(60)])

    stranger.post("/director/herbst-cup/entries/", {"name": "Zwetschge, Änne"})

    assert not Session.objects.exists()


def test_stranger_who_only_reads_is_given_no_cookie(division: Division) -> None:
    stranger = Client()

    pages = [stranger.get(path) for path in ("/", "/t/herbst-cup/", "/t/herbst-cup/?sort=name", "/t/herbst-cup/?x=1")]

    assert [page.status_code for page in pages] == [200] * 4
    assert not stranger.cookies


def test_stranger_who_sends_something_is_told_that_nothing_is_kept(division: Division) -> None:
    stranger = Client()
    stranger.post("/director/herbst-cup/entries/", {"name": "Zwetschge, Änne"})

    page = signed_in(stranger).get("/director/").content.decode()

    assert "nichts gespeichert" in page


def test_what_a_helper_sends_after_the_code_was_closed_is_kept(division: Division) -> None:
    client = Client()
    code, text = make_access_code(division.tournament, role=Role.HELPER, name="Hanna", actor=factories.director())
    client.post(f"/code/{text}/")
    release_access_code(code)
    client.cookies.pop("sessionid")

    client.post("/director/herbst-cup/result/1/", {"note": "wichtig"})

    assert "wichtig" in client.session[KEPT_INPUT_KEY]["values"]


def test_what_is_too_long_to_be_kept_is_said(anybody: Client, division: Division) -> None:
    sent = anybody.post("/director/herbst-cup/entries/import/", {"text": "x" * (MAX_KEPT_CHARACTERS + 1)})

    page = signed_in(anybody).get("/director/").content.decode()

    assert sent["Location"] == f"{SIGN_IN}/director/"
    assert "zu lang" in page


def test_what_somebody_else_directs_is_not_sent(anybody: Client, division: Division) -> None:
    factories.user("otto")
    anybody.post("/director/herbst-cup/entries/", {"name": "Zwetschge, Änne"})
    anybody.post("/login/", {"username": "otto", "password": "otto"})

    page = anybody.get(reverse("director:kept_input"))
    answer = anybody.post(page.context["address"], dict(page.context["values"]))

    assert answer.status_code == 404
    assert Tournament.objects.get().entries.count() == 4


def test_page_without_anything_kept_leads_home(division: Division) -> None:
    answer = browser(factories.director().user).get(reverse("director:kept_input"))

    assert answer["Location"] == reverse("director:home")
