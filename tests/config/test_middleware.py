"""What every answer carries: a language, a security policy; and what is too large is refused with a page."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests import factories

pytestmark = pytest.mark.django_db

POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"


@pytest.mark.parametrize("wish", [None, "en", "en-GB,en;q=0.9", "nl"])
def test_language_german_whatever_the_browser_wishes(client: Client, wish: str | None) -> None:
    headers = {"accept-language": wish} if wish else {}

    response = client.get("/login/", headers=headers)

    assert response.headers["Content-Language"] == "de"
    assert b'<html lang="de">' in response.content


def test_language_chosen(client: Client) -> None:
    client.post("/i18n/setlang/", {"language": "en", "next": "/login/"})

    response = client.get("/login/", headers={"accept-language": "de"})

    assert response.headers["Content-Language"] == "en"
    assert b'<html lang="en">' in response.content


@pytest.mark.parametrize("cookie", ["fr", "", "x" * 500, "../de"])
def test_language_cookie_unknown(client: Client, cookie: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie

    response = client.get("/login/")

    assert response.headers["Content-Language"] == "de"


def test_language_varies_by_cookie_not_by_browser(client: Client) -> None:
    response = client.get("/nothing-here/")

    assert response.headers["Vary"] == "Cookie, Accept-Encoding"


@pytest.mark.parametrize(("path", "status"), [("/login/", 200), ("/nothing-here/", 404), ("/static/tso.css", 200)])
def test_policy_on_every_answer(client: Client, path: str, status: int) -> None:
    response = client.get(path)
    response.close()

    assert response.status_code == status
    assert response.headers["Content-Security-Policy"] == POLICY
    assert response.headers["X-Frame-Options" if status != 200 else "X-Content-Type-Options"] in {"DENY", "nosniff"}


def test_host_unknown(client: Client) -> None:
    response = client.get("/login/", headers={"host": "evil.example"})

    assert response.status_code == 400
    assert response.headers["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize(("room", "status"), [(0, 200), (-1, 413)])
def test_upload_by_its_size(client: Client, settings: Any, room: int, status: int) -> None:
    body = "username=" + "x" * 5000
    settings.UPLOAD_LIMIT = len(body) + room

    response = client.post("/login/", body, content_type="application/x-www-form-urlencoded")

    assert response.status_code == status
    assert ("413.html" in [template.name for template in response.templates]) is (status == 413)


def test_upload_of_unstated_size(client: Client) -> None:
    response = client.post("/login/", {}, CONTENT_LENGTH="many")

    assert response.status_code == 200


@pytest.mark.django_db
def test_large_upload_is_for_those_who_have_signed_in(client: Client, settings: Any) -> None:
    body, kind = "words=" + "x" * settings.ANONYMOUS_UPLOAD_LIMIT, "application/x-www-form-urlencoded"

    assert client.post("/login/", body, content_type=kind).status_code == 413
    client.force_login(factories.user("doris"))
    assert client.post("/login/", body, content_type=kind).status_code == 302
