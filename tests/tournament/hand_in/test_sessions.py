"""A duplicate session is handed in and confirmed as any event is."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tests.games.duplicate.steps import evening
from tests.tournament.hand_in.steps import hand_in
from tournament.hand_in.confirming import SOMEBODY_NEW, confirm_handed_in, match_players
from tournament.hand_in.receiving import load_handed_in

pytestmark = pytest.mark.django_db


def test_session_becomes_the_federations() -> None:
    session, _slip = evening("Avond", factories.director())
    federation = factories.organiser("Verband")
    officer = factories.director("olga", of=federation)
    handed_in = hand_in(session.division.tournament, federation)
    content = load_handed_in(handed_in)
    answers = {player.key: SOMEBODY_NEW for player in match_players(handed_in, content) if player.candidates}

    made = confirm_handed_in(handed_in, number=str(handed_in.number), answers=answers, actor=officer)

    assert made.organiser == federation
    assert made.entries.count() == len(content.event.players)


def test_way_to_hand_a_session_in_is_beside_its_files(client: Client) -> None:
    session, _slip = evening("Avond", factories.director())
    factories.sign_in(client)
    slug = session.division.tournament.slug
    address = reverse("director:hand_in", args=[slug])

    assert f'href="{address}"' in client.get(reverse("director:export", args=[slug])).content.decode()
    assert client.get(address).status_code == 200
