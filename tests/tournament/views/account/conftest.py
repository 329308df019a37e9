"""Doris has an account, and a server sends her letters."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client, override_settings

from config.mail import Mail
from tests import factories

SERVER = Mail("smtps", "mail.example.org", 465, "tso", "x", "TSO <tso@example.org>")


@pytest.fixture(autouse=True)
def fresh_counts() -> None:
    caches["attempts"].clear()


@pytest.fixture
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, DEFAULT_FROM_EMAIL=SERVER.sender):
        yield


@pytest.fixture
def doris(db: None) -> User:
    made = factories.user("doris")
    made.email = "doris@example.org"
    made.save()
    return made


@pytest.fixture
def browser(doris: User) -> Client:
    client = Client()
    client.force_login(doris)
    return client
