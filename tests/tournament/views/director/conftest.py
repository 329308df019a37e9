"""Doris directs the cup of tests/tournament/conftest.py; Sven has an account and directs nothing here."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tournament.operations.change import Actor


@pytest.fixture
def doris_client(doris: Actor) -> Client:
    client = Client()
    client.force_login(doris.user)  # type: ignore[arg-type]  # a user all the same
    return client


@pytest.fixture
def sven_client(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("sven"))
    return client
