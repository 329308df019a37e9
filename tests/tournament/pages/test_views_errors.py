"""The pages that say why something is not shown, and the way to sign in."""

import re

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from tests import factories
from tournament.models import Role


def test_missing_page_says_so_in_the_readers_language(reader: Client) -> None:
    answer = reader.get("/t/nichts/")

    assert answer.status_code == 404
    assert "There is nothing at this address" in answer.content.decode()
    assert '<html lang="en">' in answer.content.decode()
    assert 'href="/"' in answer.content.decode()


def test_player_that_no_database_could_hold(reader: Client) -> None:
    factories.event()

    assert reader.get("/t/herbst-cup/players/%00/").status_code == 404


def test_forbidden_page_gives_the_reason(stranger: User, stranger_client: Client) -> None:
    factories.event()
    factories.member(stranger, Role.HELPER)
    stranger_client.cookies["django_language"] = "en"

    answer = stranger_client.get("/director/herbst-cup/settings/")

    assert answer.status_code == 403
    assert "Helper" in answer.content.decode()


def test_outdated_form_says_that_nothing_was_saved(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies["django_language"] = "en"

    answer = client.post("/login/", {"username": "doris", "password": "doris"})

    assert answer.status_code == 403
    assert "Nothing has been saved." in answer.content.decode()


@pytest.mark.parametrize("language", ["de", "en"])
def test_page_of_an_error_needs_nothing_around_it(language: str) -> None:
    with translation.override(language):
        page = render_to_string("500.html")

    assert f'<html lang="{language}">' in page
    assert re.search(r'href="/static/tso\.[0-9a-f]{12}\.css"', page)


@pytest.mark.parametrize(("name", "password"), [("doris", "falsch"), ("", ""), ("doris", "")])
def test_sign_in_that_fails_keeps_the_name_and_says_why(reader: Client, name: str, password: str) -> None:
    factories.director()

    answer = reader.post("/login/", {"username": name, "password": password})

    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()
    assert "falsch" not in answer.content.decode()
    assert ('value="doris"' in answer.content.decode()) == bool(name)


def test_sign_in_leads_to_where_one_wanted_to_go(db: None, client: Client) -> None:
    factories.event()

    refused = client.get("/director/herbst-cup/")
    answer = client.post(refused.headers["Location"], {"username": "doris", "password": "doris"})

    assert refused.headers["Location"] == "/login/?next=/director/herbst-cup/"
    assert answer.headers["Location"] == "/director/herbst-cup/"


def test_sign_in_leads_nowhere_else(db: None, client: Client) -> None:
    factories.director()

    answer = client.post("/login/?next=https://example.org/", {"username": "doris", "password": "doris"})

    assert answer.headers["Location"] == "/director/"
