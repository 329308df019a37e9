"""What is done in a session, in a word each."""

from datetime import date

from games.duplicate import reading
from games.duplicate.operations import slips, turns
from games.duplicate.operations.slips import Written
from games.models import DuplicateCorrection, DuplicateSession, DuplicateSlip, DuplicateTurn
from tests import factories
from tournament.models import Entry

DRAW = "AEENTZS"


def players(session: DuplicateSession) -> list[Entry]:
    return list(Entry.objects.filter(division=session.division).with_names().in_order())


def opened(session: DuplicateSession, draw: str | None = DRAW) -> DuplicateTurn:
    """The next turn, with these tiles, or with those that the program draws."""
    return turns.open_turn(session, draw=draw, actor=factories.director())


def written(text: str) -> Written:
    """A slip as `8H ZES 32`, `-` for what is missing; `late` for one that came too late."""
    if text == "late":
        return Written(late=True)
    position, word, claimed = (None if part == "-" else part for part in text.split())
    return Written(position, word, int(claimed) if claimed else None)


def slip(turn: DuplicateTurn, player: int, text: str, *, version: int = 0) -> DuplicateSlip:
    """The slip of the player of that number, from 1."""
    entry = players(turn.session)[player - 1]
    return slips.save_slip(
        turn, entry=entry, written=written(text), actor=factories.director(), expected_version=version
    )


def closed(turn: DuplicateTurn, position: str, word: str, reason: str = "") -> None:
    turns.close_turn(turn, position=position, word=word, reason=reason, actor=factories.director())


def corrected(turn: DuplicateTurn, player: int, points: int, why: str = "Staat in Van Dale") -> DuplicateCorrection:
    entry = players(turn.session)[player - 1]
    return slips.correct_slip(
        turn, entry=entry, points=points, why=why, today=date(2026, 11, 25), actor=factories.director()
    )


def points(session: DuplicateSession) -> list[list[int]]:
    """What everybody scores, turn by turn."""
    found = reading.read(session)
    return [[judged.points for judged in result.slips.values()] for result in found.value.results]
