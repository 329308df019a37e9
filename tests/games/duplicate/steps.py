"""What is done in a session, in a word each."""

from datetime import date

from games.duplicate.operations.seats import SeatPlan, give_seat, plan_seats
from games.duplicate.operations.sessions import SessionPlan, close_turn, open_turn, prepare_session
from games.duplicate.operations.slips import WrittenSlip, correct_slip, save_slip, switch_second_correction
from games.models import DuplicateCorrection, DuplicateSession, DuplicateSlip, DuplicateTurn
from games.sessions.session_state import load_session_state
from tests import factories
from tournament.core.change import Actor
from tournament.entries.operations.entries import keep_apart
from tournament.events.operations import add_division
from tournament.models import Entry, KeptApart

DRAW = "AEENTZS"


def players(session: DuplicateSession) -> list[Entry]:
    return list(Entry.objects.filter(division=session.division).with_names().in_order())


def opened(session: DuplicateSession, draw: str | None = DRAW) -> DuplicateTurn:
    """The next turn, with these tiles, or with those that the program draws."""
    return open_turn(session, draw=draw, actor=factories.director())


def written(text: str) -> WrittenSlip:
    """A slip as `8H ZES 32`, `-` for what is missing; `late` for one that came too late."""
    if text == "late":
        return WrittenSlip(late=True)
    position, word, claimed = (None if part == "-" else part for part in text.split())
    return WrittenSlip(position, word, int(claimed) if claimed else None)


def slip(turn: DuplicateTurn, player: int, text: str, *, version: int = 0) -> DuplicateSlip:
    """The slip of the player of that number, from 1."""
    entry = players(turn.session)[player - 1]
    return save_slip(turn, entry=entry, written=written(text), actor=factories.director(), expected_version=version)


def closed(turn: DuplicateTurn, position: str, word: str, reason: str = "") -> None:
    close_turn(turn, position=position, word=word, reason=reason, actor=factories.director())


def corrected(turn: DuplicateTurn, player: int, points: int, why: str = "Staat in Van Dale") -> DuplicateCorrection:
    entry = players(turn.session)[player - 1]
    return correct_slip(turn, entry=entry, points=points, why=why, today=date(2026, 11, 25), actor=factories.director())


def numbered(session: DuplicateSession, by: Actor | None = None, **plan: object) -> DuplicateSession:
    """The session with twelve seats in rows of four, or as the plan says."""
    stated = SeatPlan(**{"seat_count": 12, "seat_row": 4, **plan})  # type: ignore[arg-type]  # named by the caller
    plan_seats(session, plan=stated, actor=by or factories.director())
    return DuplicateSession.objects.select_related("division__tournament").get(pk=session.pk)


def seated(session: DuplicateSession, by: Actor) -> dict[str, int]:
    """Twelve seats, of which the first player has one, who is not to sit beside the second: the keys of both rows."""
    numbered(session, by)
    one, other = players(session)[:2]
    keep_apart(one, other=other, actor=by)
    seat = give_seat(session, entry=one, number=3, actor=by)
    return {"session_seat": seat.pk, "sat_apart": KeptApart.objects.get(one=one).pk}


def points(session: DuplicateSession) -> list[list[int]]:
    """What everybody scores, turn by turn."""
    found = load_session_state(session)
    return [[judged.points for judged in result.slips.values()] for result in found.value.results]


def evening(name: str, by: Actor, mark: str = "") -> tuple[DuplicateSession, DuplicateSlip]:
    """A session of division A with a turn closed and one open, whose late slip is returned; B is prepared."""
    division = factories.event(name, players=0, rounds=0, ruleset="sbnl-duplicate", minutes=None, by=by)
    other = add_division(division.tournament, name="B", actor=by)
    for number in range(1, 4):
        factories.entry(division, f"{mark or 'Speler'}, {number}")
    for each in (division, other):
        prepare_session(factories.fresh(each), plan=SessionPlan(), actor=by)
    session = DuplicateSession.objects.select_related("division__tournament").get(division=division)
    switch_second_correction(session, on=True, actor=by)
    first = opened(session)
    slip(first, 1, "8H ZES 14")
    closed(first, "8H", "ZES")
    corrected(first, 2, 12)
    return session, slip(opened(session, "AAEENNT"), 1, "late")
