"""The record of a session on paper: several turns to a page, each with its board, nobody left out."""

import pytest

from games.duplicate.record import render_session_record
from games.models import DuplicateSession
from games.sessions.session_state import load_session_state
from tests import factories
from tests.games.duplicate import steps
from tests.tournament.paper import samples
from tournament.models import Division
from tournament.paper.documents import make_header


@pytest.fixture
def printed(division: Division, session: DuplicateSession) -> list[str]:
    """Two turns; the word of the first one was handed in by two, one of whom claimed too much."""
    turn = steps.opened(session)
    for player, text in ((1, "8G ZEST 18"), (2, "8H ZES 99"), (3, "8H ZES 14"), (4, "late")):
        steps.slip(turn, player, text)
    steps.closed(turn, "8G", "ZEST")
    steps.closed(steps.opened(session, "AANTEES"), "9F", "AAN", "Beste woord")
    return samples.pages(render_session_record(make_header(division), load_session_state(session)))


def test_turns_share_a_page_and_words_stand_once_with_everybody_who_had_them(
    printed: list[str], session: DuplicateSession
) -> None:
    one, two, three, four = (player.name for player in steps.players(session))
    [page] = printed

    assert [f"{number}: " in page for number in (1, 2, 3)] == [True, True, False]  # a time of day has no blank
    assert page.count("8H ZES") == 1
    assert f"{two} (99) {three}" in page  # too long for one row together
    assert all(name in page for name in (one, four))


def test_board_after_each_turn_stands_beside(printed: list[str]) -> None:
    tiles = [word for word in printed[0].split() if len(word) == 1 and word.isalpha()]

    assert sorted(tiles) == sorted("ZEST" + "ZEST" + "AAN")


@pytest.mark.long
def test_turn_that_fills_more_than_a_page_goes_on_and_names_everybody(
    division: Division, session: DuplicateSession
) -> None:
    factories.enter(division, 180)
    steps.closed(steps.opened(session), "8G", "ZEST", "Beste woord")

    pages = samples.pages(render_session_record(make_header(division), load_session_state(session)))

    assert len(pages) == 2
    assert all(player.name in "".join(pages) for player in steps.players(session))
