"""The page on which a session is prepared, of an organiser that has none."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import DuplicateSession, DuplicateTurn
from tests import factories
from tests.games.conftest import browser
from tests.games.duplicate.test_views import SESSION, open_page
from tests.games.judge.conftest import load
from tournament.models import Division


@pytest.fixture
def doris_client(unprepared: Division) -> Client:
    return browser(User.objects.get(username="doris"))


@pytest.fixture
def base(unprepared: Division) -> str:
    return SESSION.format(slug=unprepared.tournament.slug)


def test_session_is_usually_played_with_the_letters_that_the_organiser_has(doris_client: Client, base: str) -> None:
    def get_usual_letters(address: str) -> list[str]:
        return re.findall(r'<option value="(\w+)" selected>', open_page(doris_client, address))

    assert get_usual_letters(base) == ["nl"]  # by the rules

    load("AN\nAB\n", letters="de")
    assert get_usual_letters(base) == ["de"]
    load("AT\n", letters="en", title="Words")
    assert get_usual_letters(base) == ["nl"]  # who has several says it once

    open_page(doris_client, f"{base}prepare/", letters="en", words="Words", max_turns="2", seconds="90")
    later = factories.event("Januari", players=4, rounds=0, ruleset="sbnl-duplicate", minutes=None)
    assert get_usual_letters(SESSION.format(slug=later.tournament.slug)) == ["en"]


def test_session_is_prepared_and_drawn(doris_client: Client, base: str) -> None:
    assert "Prepare the session" in open_page(doris_client, base)

    prepared = open_page(doris_client, f"{base}prepare/", letters="nl", words="", max_turns="2", seconds="90", seed="7")

    assert "Draw turn 1" in prepared
    session = DuplicateSession.objects.get()
    assert (session.max_turns, session.seconds, session.seed) == (2, 90, 7)
    drawn = open_page(doris_client, f"{base}draw/", draw="", redrawn="")
    turn = DuplicateTurn.objects.get()
    assert "Turn 1 of 2" in drawn
    assert all(f'duplicate-tile">{tile}' in drawn for tile in turn.draw)
