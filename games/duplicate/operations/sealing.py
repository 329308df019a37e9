"""A session that somebody else has fixed beforehand: read in before its first turn, and opened."""

from django.utils.translation import gettext_lazy as _

from games.duplicate import envelopes
from games.duplicate.operations.sessions import AlreadyPlayed, LettersUnknown, NoDuplicateRules
from games.models import DuplicateSession, DuplicateTurn
from scoring import sealed
from scoring.letters import LETTER_SETS
from scoring.sealed import Envelope
from tournament.models import Division
from tournament.operations.change import Actor, Change, change
from tournament.refusals import Refusal


class OtherRules(Refusal):
    code = "other_rules"
    message = _("“%(name)s” is played by %(needed)s, this tournament by %(ruleset)s.")
    field = "file"


class NothingSealed(Refusal):
    code = "nothing_sealed"
    message = _("“%(name)s” has no turns.")
    field = "file"


class CodeMissing(Refusal):
    code = "code_missing"
    message = _("Turn %(number)s is sealed. Type its code, or the opening code of the session.")
    field = "code"


class CodeWrong(Refusal):
    code = "code_wrong"
    message = _(
        "“%(code)s” does not open turn %(number)s. A code has %(turn)s letters for one turn, %(opening)s for the "
        "session."
    )
    field = "code"


def take_sealed(division: Division, *, envelope: Envelope, actor: Actor) -> DuplicateSession:
    """Make the division's session the one that was fixed beforehand; what was prepared before is replaced.

    Raises `NoDuplicateRules`, `OtherRules`, `LettersUnknown`, `NothingSealed`, or `AlreadyPlayed`.
    """
    tournament = division.tournament
    if tournament.rules.duplicate is None:
        raise NoDuplicateRules(ruleset=tournament.rules.name)
    if envelope.ruleset != tournament.ruleset:
        raise OtherRules(name=envelope.name, needed=envelope.ruleset, ruleset=tournament.rules.name)
    if envelope.letters not in LETTER_SETS:
        raise LettersUnknown(value=envelope.letters, allowed=", ".join(LETTER_SETS))
    if not envelope.turns:
        raise NothingSealed(name=envelope.name)
    with change(tournament, actor=actor, verb="take_sealed", division=division.name, name=envelope.name) as log:
        return _stored(log, division, envelope)


def _stored(log: Change, division: Division, envelope: Envelope) -> DuplicateSession:
    values = {
        "letters": envelope.letters,
        "max_turns": len(envelope.turns),
        "seconds": envelope.seconds,
        "words": envelope.words,
        "seed": 0,
        "sealed": envelopes.as_object(envelope),
        "code": "",
    }
    stored = DuplicateSession.objects.filter(division=division).first()
    if stored is None:
        return log.create(DuplicateSession(division=division, **values))
    if played := DuplicateTurn.objects.filter(session=stored).order_by("-number").first():
        raise AlreadyPlayed(number=played.number)
    log.save(stored, **values)
    return stored


def opened_with(session: DuplicateSession, envelope: Envelope, number: int, code: str) -> sealed.FixedTurn:
    """What was fixed of a turn, by the code given or by the session's. Raises `CodeMissing` or `CodeWrong`."""
    given = code.strip() or session.code
    if not given:
        raise CodeMissing(number=number)
    try:
        return sealed.opened(envelope, number, sealed.tidy(given))
    except sealed.WrongCode as fault:
        told = {"turn": sealed.TURN_LENGTH, "opening": sealed.OPENING_LENGTH}
        raise CodeWrong(code=given[:40], number=number, **told) from fault
