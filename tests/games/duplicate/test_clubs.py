"""The result sheet of a club: the whole table, its own players marked, on the page and on paper."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.duplicate.paper import OWN_MARK, render_club_results
from games.models import DuplicateSession
from games.sessions.session_state import load_session_state
from tests.games.conftest import browser
from tests.games.duplicate import steps
from tests.games.duplicate.test_views import open_page
from tests.tournament.paper import samples
from tournament.models import Club, Entry
from tournament.paper.documents import make_header


@pytest.fixture
def played(session: DuplicateSession) -> DuplicateSession:
    """A turn is closed; the first two players and the fourth have a club each, the third has none."""
    clubs = ["Xanten", "Ypern & Co", "", "Xanten"]
    for entry, club in zip(steps.players(session), clubs, strict=True):
        organiser = session.division.tournament.organiser
        row = Club.objects.get_or_create(organiser=organiser, name=club)[0] if club else None
        Entry.objects.filter(pk=entry.pk).update(club=row)
    turn = steps.opened(session)
    for player, text in ((1, "8G ZEST 18"), (2, "8H ZES 14"), (3, "late"), (4, "8H ZE 22")):
        steps.slip(turn, player, text)
    steps.closed(turn, "8G", "ZEST")
    return session


def get_marked(text: str) -> list[str]:
    """The names in rows that are marked as the club's own."""
    return re.findall(r'<tr class="is-own">.*?class="name">(.*?)</span>', text, re.DOTALL)


def test_page_marks_the_clubs_own_players_and_nobody_else(client: Client, played: DuplicateSession) -> None:
    one, two, _three, four = (entry.name for entry in steps.players(played))
    address = f"/t/{played.division.tournament.slug}/duplicate/"

    assert get_marked(open_page(client, address)) == []
    assert 'href="?club=Ypern%20%26%20Co&amp;turn=1"' in open_page(client, address)
    assert sorted(get_marked(open_page(client, f"{address}?club=Xanten"))) == sorted([one, four])
    assert get_marked(open_page(client, f"{address}?club=Ypern%20%26%20Co&turn=1")) == [two]
    assert client.get(f"{address}?club=Zwolle").status_code == 404


def test_paper_has_a_sheet_for_each_club(played: DuplicateSession) -> None:
    header, state = make_header(played.division), load_session_state(played)
    names = [entry.name for entry in steps.players(played)]

    xanten, ypern = samples.pages(render_club_results(header, state))

    assert "Xanten" in xanten
    assert "Ypern & Co" in ypern
    assert all(name in page for name in names for page in (xanten, ypern))
    assert (xanten.count(OWN_MARK), ypern.count(OWN_MARK)) == (3, 2)  # each once more in the note
    assert samples.pages(render_club_results(header, state, "Ypern & Co")) == [ypern]


def test_paper_of_one_club_is_asked_for_by_its_name(played: DuplicateSession) -> None:
    doris = browser(User.objects.get(username="doris"))
    address = f"/director/{played.division.tournament.slug}/duplicate/print/clubs.pdf"

    assert len(samples.pages(doris.get(address).content)) == 2
    assert len(samples.pages(doris.get(f"{address}?club=Xanten").content)) == 1


def test_session_of_nobody_with_a_club_says_so(session: DuplicateSession) -> None:
    Entry.objects.filter(division=session.division).update(club=None)

    [page] = samples.pages(render_club_results(make_header(session.division), load_session_state(session)))

    assert "Verein" in page
