"""Doris directs the cup of tests/tournament/conftest.py; Sven has an account and directs nothing here."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.tournament.operations import steps
from tournament.exchange import loading, tournament_file
from tournament.models import Division, Entry
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


@pytest.fixture
def saved(division: Division, four: list[Entry], doris: Actor) -> str:
    """The cup with one round played, as a tournament file."""
    steps.played(division, doris)
    return tournament_file.write(loading.load(division.tournament))
