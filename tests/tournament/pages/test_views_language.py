"""The language switch."""

import pytest
from django.test import Client


def test_language_is_kept_and_leads_back(db: None, client: Client) -> None:
    answer = client.post("/language/", {"language": "en", "next": "/t/herbst-cup/table/?division=A"})

    assert (answer.status_code, answer.headers["Location"]) == (302, "/t/herbst-cup/table/?division=A")
    assert '<html lang="en">' in client.get("/").content.decode()


def test_language_needs_no_token(db: None) -> None:
    client = Client(enforce_csrf_checks=True)

    assert client.post("/language/", {"language": "en", "next": "/"}).status_code == 302


@pytest.mark.parametrize("to", ["https://example.org/", "//example.org/", "javascript:alert(1)"])
def test_language_leads_nowhere_else(db: None, client: Client, to: str) -> None:
    assert client.post("/language/", {"language": "en", "next": to}).headers["Location"] == "/"


def test_unknown_language_changes_nothing(db: None, client: Client) -> None:
    client.post("/language/", {"language": "tlh", "next": "/"})

    assert '<html lang="de">' in client.get("/").content.decode()


def test_language_refuses_other_methods(db: None, client: Client) -> None:
    assert client.get("/language/").status_code == 405
