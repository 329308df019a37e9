"""What was sent after the session had expired is lost on no page of the director."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests import factories
from tests.games.conftest import browser
from tournament.models import Division, Entry, Tournament
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


@pytest.fixture
def division(db: None) -> Division:
    return factories.event(players=4)


@pytest.fixture
def anybody() -> Client:
    return Client()


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
