"""What a federation and its clubs do with a sealed session, in a word each."""

import json
from dataclasses import replace

from games.duplicate import envelopes, reading
from games.duplicate.operations import slips, turns
from games.duplicate.operations.sealing import take_sealed
from games.duplicate.operations.slips import WrittenSlip
from games.models import DuplicateSession, JoinedClub, PreparedSession
from games.sealed import clubs, operations, plan
from games.sealed.clubs import ClubFile
from games.sealed.plan import SealedPlan
from scoring.duplicate import propose
from scoring.sealed import Envelope, opened, turn_code
from tests import factories
from tests.games.duplicate.steps import players
from tournament.exchange import file_writing, loading, tournament_file
from tournament.models import Division
from tournament.operations.change import Actor

TURNS = "AEENTZS 8G ZEST\nAAEENNT 7H TEEN"
OURS = factories.director


def prepared(division: Division, *, masters: bool = True, turns: str = TURNS, words: str = "lijst") -> PreparedSession:
    """A session of two turns, or of these."""
    wanted = SealedPlan("Simultaan 2026", max_turns=2, words=words, seed=7, masters=masters, turns=turns)
    return operations.save_prepared(division, plan=wanted, actor=OURS())


def filled(division: Division, *, turns: int = 4, masters: bool = True) -> PreparedSession:
    """A session that the program has drawn, and the masters found."""
    wanted = SealedPlan("Simultaan 2026", max_turns=turns, words="lijst", seed=7, masters=masters)
    lines = plan.filled_in(wanted, operations.list_of(division, wanted))
    return operations.save_prepared(division, plan=replace(wanted, turns=lines), actor=OURS())


def sealed(row: PreparedSession) -> Envelope:
    return operations.seal_session(row, actor=OURS())


def code_of(row: PreparedSession) -> str:
    return PreparedSession.objects.get(pk=row.pk).code


def club(name: str, envelope: Envelope, *, people: int = 2, place: str = "") -> DuplicateSession:
    """A club's own event, with the session read in."""
    division = factories.event(name, players=people, rounds=0, ruleset="sbnl-duplicate", minutes=None)
    return take_sealed(division, envelope=envelope, actor=OURS())


def played(session: DuplicateSession, code: str, *turns_played: tuple[str, ...]) -> None:
    """Play turn after turn with these slips, each as `8H ZES`, "" for none; the fixed word is laid, or the proposed."""
    field = players(session)
    for texts in turns_played:
        turn = turns.open_turn(session, code=code, actor=OURS())
        for entry, text in zip(field, texts, strict=False):
            if text:
                position, word = text.split()
                slips.save_slip(turn, entry=entry, written=WrittenSlip(position, word), actor=OURS())
        fixed = envelopes.fixed(turn.session, turn)
        proposed = propose(reading.read(session).result(turn.number))
        if fixed is not None and fixed.master is not None:
            turns.close_turn(turn, actor=OURS())
        elif proposed is not None:
            turns.close_turn(turn, position=proposed.position, word=proposed.word, actor=OURS())


def saved(session: DuplicateSession) -> str:
    """The club's tournament file."""
    return tournament_file.write(loading.load(session.division.tournament))


def read(text: str, envelope: Envelope, name: str = "utrecht.json") -> ClubFile:
    return clubs.read(text, file=name, envelope=envelope)


def joined(row: PreparedSession, envelope: Envelope, *sessions: DuplicateSession) -> None:
    """The files of these clubs, joined."""
    for session in sessions:
        operations.join_club(row, file=read(saved(session), envelope), actor=OURS())


def federation(division: Division, by: Actor) -> JoinedClub:
    """A sealed session of one turn in this division, and what a club with one player has sent back."""
    wanted = SealedPlan("Simultaan 2026", max_turns=1, seed=7, turns="AEENTZS 8G ZEST")
    row = operations.save_prepared(division, plan=wanted, actor=by)
    row.division = division
    envelope = operations.seal_session(row, actor=by)
    return operations.join_club(row, file=read(sent_back(envelope, code_of(row)), envelope), actor=by)


def sent_back(envelope: Envelope, code: str) -> str:
    """The file of a club with one player who has handed in the word that was fixed for the first turn."""
    fixed = opened(envelope, 1, code)
    assert fixed.master is not None
    place = {"position": fixed.master.position, "word": fixed.master.word}
    turn = {
        "number": 1,
        "draw": fixed.draw,
        "code": turn_code(envelope.salt, code, 1),
        "slips": [{"player": "P01", **place, "claimed": None, "late": False}],
        "master": {**place, "reason": None},
    }
    session = {
        "letters": envelope.letters,
        "max_turns": envelope.max_turns,
        "seconds": envelope.seconds,
        "words": envelope.words or None,
        "sealed": file_writing.sealed(envelope),
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
