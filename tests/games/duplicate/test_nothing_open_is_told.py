"""What is handed in for the turn that is open is told nowhere, and neither is what the program will draw."""

from random import Random

import pytest
from django.core.cache import cache
from django.test import Client

from games.duplicate.operations.sessions import SessionPlan, prepare_session
from games.duplicate.operations.slips import SlipReading, record_second_reading, switch_second_correction
from games.models import DuplicateSession, DuplicateSlip, DuplicateTurn, SecondReading
from tests import factories
from tests.games.duplicate import steps
from tests.games.duplicate.conftest import WORDS
from tests.games.duplicate.test_laws import play
from tests.games.judge.conftest import load
from tests.laws import seeds
from tournament.core.change import Actor
from tournament.models import Division, Role, Screen

CLOSED = 3
SHOWN = ("", "entries/", "duplicate/", *(f"duplicate/?turn={turn}" for turn in range(1, CLOSED + 2)))
ADDRESSES = (*SHOWN, "duplicate/hall/", "screen/1/")


def running(division: Division, seed: int) -> DuplicateTurn:
    """The open turn of a random session in which slips are handed in, one of them typed twice where the list let all
    turns before it be closed."""
    load("\n".join(WORDS.split()), letters="nl", title="lijst")
    random, doris = Random(seed), factories.director()
    prepare_session(division, plan=SessionPlan(words="lijst", seed=seed, max_turns=9), actor=doris)
    session = DuplicateSession.objects.select_related("division__tournament").get(division=division)
    switch_second_correction(session, on=True, actor=doris)
    for _turn in range(CLOSED):
        turn = steps.opened(session, None)
        play(turn, random)
        if not DuplicateTurn.objects.get(pk=turn.pk).is_closed:  # the list has no word for this draw
            return turn
    opened = steps.opened(session, None)
    for number in range(1, 4):
        steps.slip(opened, number, random.choice(("8H ZES 14", "8H EEN 6", "A1 TEEN 30", "late")))
    eva = Actor(user=factories.member(factories.user("eva"), Role.HELPER).user)
    record_second_reading(
        opened, entry=steps.players(session)[0], read=SlipReading(steps.written("8H TET 5")), actor=eva
    )
    return opened


def answers(division: Division) -> dict[str, bytes]:
    cache.clear()
    address = f"/t/{division.tournament.slug}/"
    return {each: Client().get(address + each).content for each in ADDRESSES}


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(2))
def test_nothing_of_the_open_turn_is_told(unprepared: Division, seed: int) -> None:
    turn = running(unprepared, seed)
    screen = Screen.Shows.DUPLICATE
    Screen.objects.create(tournament=unprepared.tournament, number=1, shows=screen)
    before = answers(unprepared)

    DuplicateSlip.objects.filter(turn=turn, entry=steps.players(turn.session)[1]).delete()
    left = DuplicateSlip.objects.filter(turn=turn)
    assert left.update(position="1A", word="TAAN", claimed=99, late=False, refused=True)
    SecondReading.objects.all().delete()
    DuplicateSession.objects.update(seed=seed + 1, code="ABCD")
    DuplicateTurn.objects.filter(pk=turn.pk).update(redrawn=["AAEENNT"], code="EFGH")

    assert [each for each, answer in answers(unprepared).items() if answer != before[each]] == []
