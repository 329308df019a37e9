"""What a federation and its clubs do with a sealed session, in a word each."""

import json
from dataclasses import replace

from games.duplicate.operations.sessions import close_turn, import_sealed_session, open_turn
from games.duplicate.operations.slips import WrittenSlip, save_slip
from games.models import DuplicateSession, JoinedClub, PreparedSession
from games.sealed.club_files import ClubFile, read_club_file
from games.sealed.operations import (
    SealedPlan,
    fill_in_turns,
    join_club,
    save_prepared_session,
    seal_session,
)
from games.sessions.session_state import load_session_state
from scoring.duplicate import find_master_word
from scoring.sealed import Envelope, derive_turn_code, open_sealed_turn
from tests import factories
from tests.games.duplicate.steps import players
from tournament.core.change import Actor
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.objects import make_object_json
from tournament.exchange.tournament_file import format_tournament_file
from tournament.models import Division

TURNS = "AEENTZS 8G ZEST\nAAEENNT 7H TEEN"
OURS = factories.director


def prepared(division: Division, *, masters: bool = True, turns: str = TURNS, words: str = "lijst") -> PreparedSession:
    """A session of two turns, or of these."""
    wanted = SealedPlan(name="Simultaan 2026", max_turns=2, words=words, seed=7, masters=masters, turns=turns)
    return save_prepared_session(division, plan=wanted, actor=OURS())


def filled(division: Division, *, turns: int = 4, masters: bool = True) -> PreparedSession:
    """A session that the program has drawn, and the masters found."""
    wanted = SealedPlan(name="Simultaan 2026", max_turns=turns, words="lijst", seed=7, masters=masters)
    lines = fill_in_turns(wanted, division)
    return save_prepared_session(division, plan=replace(wanted, turns=lines), actor=OURS())


def sealed(row: PreparedSession) -> Envelope:
    return seal_session(row, actor=OURS())


def code_of(row: PreparedSession) -> str:
    return PreparedSession.objects.get(pk=row.pk).code


def club(name: str, envelope: Envelope, *, people: int = 2, place: str = "") -> DuplicateSession:
    """A club's own event, with the session read in."""
    division = factories.event(name, players=people, rounds=0, ruleset="sbnl-duplicate", minutes=None)
    return import_sealed_session(division, envelope=envelope, actor=OURS())


def play_turns(session: DuplicateSession, code: str, *turns_played: tuple[str, ...]) -> None:
    """Play turn after turn with these slips, each as `8H ZES`, "" for none; the fixed word is laid, or the proposed."""
    field = players(session)
    for texts in turns_played:
        turn = open_turn(session, code=code, actor=OURS())
        for entry, text in zip(field, texts, strict=False):
            if text:
                position, word = text.split()
                save_slip(turn, entry=entry, written=WrittenSlip(position, word), actor=OURS())
        proposed = find_master_word(load_session_state(session).result(turn.number))
        if (session.sealed or {})["masters"]:
            close_turn(turn, actor=OURS())
        elif proposed is not None:
            close_turn(turn, position=proposed.position, word=proposed.word, actor=OURS())


def saved(session: DuplicateSession) -> str:
    """The club's tournament file."""
    return format_tournament_file(load_event_data(session.division.tournament))


def read(text: str, envelope: Envelope, name: str = "utrecht.json") -> ClubFile:
    return read_club_file(text, file=name, envelope=envelope)


def joined(row: PreparedSession, envelope: Envelope, *sessions: DuplicateSession) -> None:
    """The files of these clubs, joined."""
    for session in sessions:
        join_club(row, file=read(saved(session), envelope), actor=OURS())


def federation(division: Division, by: Actor) -> JoinedClub:
    """A sealed session of one turn in this division, and what a club with one player has sent back."""
    wanted = SealedPlan(name="Simultaan 2026", max_turns=1, seed=7, turns="AEENTZS 8G ZEST")
    row = save_prepared_session(division, plan=wanted, actor=by)
    row.division = division
    envelope = seal_session(row, actor=by)
    return join_club(row, file=read(sent_back(envelope, code_of(row)), envelope), actor=by)


def sent_back(envelope: Envelope, code: str) -> str:
    """The file of a club with one player who has handed in the word that was fixed for the first turn."""
    fixed = open_sealed_turn(envelope, 1, code)
    assert fixed.master is not None
    place = {"position": fixed.master.position, "word": fixed.master.word}
    turn = {
        "number": 1,
        "draw": fixed.draw,
        "code": derive_turn_code(envelope.salt, code, 1),
        "slips": [{"player": "P01", **place, "claimed": None, "late": False}],
        "master": {**place, "reason": None},
    }
    session = {
        "letters": envelope.letters,
        "max_turns": envelope.max_turns,
        "seconds": envelope.seconds,
        "words": envelope.words or None,
        "sealed": make_object_json(envelope),
        "turns": [turn],
    }
    file = {
        "format": "tso-tournament",
        "version": 1,
        "slug": "utrecht",
        "name": "Utrecht",
        "ruleset": envelope.ruleset,
        "minutes": None,
        "players": [{"id": "P01", "name": "Speler, An", "division": "A"}],
        "divisions": [{"name": "A", "duplicate": session}],
    }
    return json.dumps(file)
