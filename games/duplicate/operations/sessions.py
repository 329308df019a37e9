"""Prepare a session, read in one that was fixed beforehand for several clubs, end a session and resume it."""

from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from games import limits
from games.duplicate.queries import serialize_envelope
from games.judge.lists import list_word_lists
from games.models import DuplicateSession, DuplicateTurn
from scoring import sealed
from scoring.duplicate import DEFAULT_DUPLICATE_RULES
from scoring.letters import LETTER_SETS
from scoring.sealed import Envelope
from tournament.basics import limits as event_limits
from tournament.basics.refusals import NotPrintable, Refusal, Refusals, find_length_refusals, find_range_refusals
from tournament.core.change import Actor, Change, change
from tournament.models import Division

SEED_LIMIT = 2**31
"""Seeds are below this."""


class NoDuplicateRules(Refusal):
    code = "no_duplicate_rules"
    message = _("By %(ruleset)s two players meet at a board; a duplicate session needs the rules of Duplicatescrabble.")


class SessionAlreadyStarted(Refusal):
    code = "already_played"
    message = _("Turn %(number)s has been drawn already, so the session can no longer be prepared differently.")


class LetterSetUnknown(Refusal):
    code = "letters_unknown"
    message = _("There is no letter set “%(value)s”. Allowed are: %(allowed)s.")
    field = "letters"


class WordListUnknown(Refusal):
    code = "list_unknown"
    message = _("No word list “%(value)s” is loaded for the letter set %(letters)s. Allowed are: %(allowed)s.")
    field = "words"


class TurnIsOpen(Refusal):
    code = "turn_is_open"
    message = _("Turn %(number)s is still being played; lay its master word first.")


class SessionIsSealed(Refusal):
    code = "session_fixed"
    message = _("“%(name)s” was fixed beforehand for several clubs, so it can only be played as it is.")


class ReasonMissing(Refusal):
    code = "reason_missing"
    message = _("This needs a reason, which everybody can read afterwards.")
    field = "reason"


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What a session is prepared with; `words` is the title of a loaded list, "" for none."""

    letters: str = "nl"
    max_turns: int = event_limits.DUPLICATE_TURNS.high
    seconds: int = DEFAULT_DUPLICATE_RULES.turn_seconds
    words: str = ""
    seed: int = 0


def prepare_session(division: Division, *, plan: SessionPlan, actor: Actor) -> DuplicateSession:
    """Prepare the session of a division, or prepare it differently before its first turn.

    Raises `NoDuplicateRules`, `SessionAlreadyStarted`, `SessionIsSealed`, or `Refusals` with everything that is wrong
    with the plan.
    """
    tournament = division.tournament
    if tournament.rules.duplicate is None:
        raise NoDuplicateRules(ruleset=tournament.rules.name)
    if faults := find_session_plan_problems(plan, division):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="prepare_session", division=division.name) as log:
        return _store_session(log, division, asdict(plan))


def _store_session(log: Change, division: Division, values: dict[str, Any]) -> DuplicateSession:
    """The session of a division with these values; one that is sealed is replaced by a sealed one only."""
    stored = DuplicateSession.objects.filter(division=division).first()
    if stored is None:
        return log.create(DuplicateSession(division=division, **values))
    if played := DuplicateTurn.objects.filter(session=stored).order_by("-number").first():
        raise SessionAlreadyStarted(number=played.number)
    if stored.sealed and "sealed" not in values:
        raise SessionIsSealed(name=stored.sealed["name"])
    log.save(stored, **values)
    return stored


def find_session_plan_problems(plan: SessionPlan, division: Division) -> list[Refusal]:
    """What is wrong with turns, seconds, letters and list of a plan."""
    found: list[Refusal] = [
        *find_range_refusals("max_turns", plan.max_turns, event_limits.DUPLICATE_TURNS),
        *find_range_refusals("seconds", plan.seconds, event_limits.TURN_SECONDS),
    ]
    if plan.letters not in LETTER_SETS:
        return [*found, LetterSetUnknown(value=plan.letters, allowed=", ".join(LETTER_SETS))]
    own = list_word_lists(division.tournament.organiser).filter(letters=plan.letters)
    titles = list(own.values_list("title", flat=True)) if plan.words else []
    if plan.words and plan.words not in titles:
        allowed = ", ".join(f"“{title}”" for title in titles) or "–"
        found.append(WordListUnknown(value=plan.words, letters=plan.letters, allowed=allowed))
    return found


def end_session(session: DuplicateSession, *, why: str, actor: Actor) -> None:
    """End a session before the rules do. Raises `Refusals` for the reason, or `TurnIsOpen`."""
    reason, division = clean_reason(why), session.division
    with change(division.tournament, actor=actor, verb="end_session", division=division.name, why=reason) as log:
        check_no_open_turn(session)
        log.save(DuplicateSession.objects.get(pk=session.pk), stopped=reason)


def resume_session(session: DuplicateSession, *, actor: Actor) -> None:
    """Go on with a session that the director has ended."""
    division = session.division
    with change(division.tournament, actor=actor, verb="resume_session", division=division.name) as log:
        log.save(DuplicateSession.objects.get(pk=session.pk), stopped="")


def check_no_open_turn(session: DuplicateSession) -> None:
    """Raise `TurnIsOpen` while a turn is being played."""
    found = DuplicateTurn.objects.filter(session=session, is_closed=False).first()
    if found is not None:
        raise TurnIsOpen(number=found.number)


def clean_reason(text: str, *, field: str = "reason") -> str:
    """A reason on one line. Raises `Refusals` if it is missing, too long or cannot be shown."""
    reason = " ".join(text.split())
    faults: list[Refusal] = [] if reason else [ReasonMissing()]
    if not reason.isprintable():
        faults.append(NotPrintable(field=field, value=reason))
    faults += find_length_refusals(field, reason, limits.REASON)
    if faults:
        raise Refusals(faults)
    return reason


class RulesetDiffers(Refusal):
    code = "other_rules"
    message = _("“%(name)s” is played by %(needed)s, this tournament by %(ruleset)s.")
    field = "file"


class SealedSessionEmpty(Refusal):
    code = "nothing_sealed"
    message = _("“%(name)s” has no turns.")
    field = "file"


class TurnCodeMissing(Refusal):
    code = "code_missing"
    message = _("Turn %(number)s is sealed. Type its code, or the opening code of the session.")
    field = "code"


class TurnCodeWrong(Refusal):
    code = "code_wrong"
    message = _(
        "“%(code)s” does not open turn %(number)s. A code has %(turn)s letters for one turn, %(opening)s for the "
        "session."
    )
    field = "code"


def import_sealed_session(division: Division, *, envelope: Envelope, actor: Actor) -> DuplicateSession:
    """Make the division's session the one that was fixed beforehand, in place of what was prepared before.

    Raises `NoDuplicateRules`, `RulesetDiffers`, `LetterSetUnknown`, `SealedSessionEmpty`, or `SessionAlreadyStarted`.
    """
    tournament = division.tournament
    if tournament.rules.duplicate is None:
        raise NoDuplicateRules(ruleset=tournament.rules.name)
    if envelope.ruleset != tournament.ruleset:
        raise RulesetDiffers(name=envelope.name, needed=envelope.ruleset, ruleset=tournament.rules.name)
    if envelope.letters not in LETTER_SETS:
        raise LetterSetUnknown(value=envelope.letters, allowed=", ".join(LETTER_SETS))
    if not envelope.turns:
        raise SealedSessionEmpty(name=envelope.name)
    with change(tournament, actor=actor, verb="take_sealed", division=division.name, name=envelope.name) as log:
        plan = SessionPlan(envelope.letters, len(envelope.turns), envelope.seconds, envelope.words)
        return _store_session(log, division, {**asdict(plan), "sealed": serialize_envelope(envelope), "code": ""})


def unseal_fixed_turn(session: DuplicateSession, envelope: Envelope, number: int, code: str) -> sealed.FixedTurn:
    """What was fixed for a turn, opened by the code given or by the session's.

    Raises `TurnCodeMissing` or `TurnCodeWrong`.
    """
    given = code.strip() or session.code
    if not given:
        raise TurnCodeMissing(number=number)
    try:
        return sealed.open_sealed_turn(envelope, number, sealed.tidy_code(given))
    except sealed.WrongCode as fault:
        told = {"turn": sealed.TURN_LENGTH, "opening": sealed.OPENING_LENGTH}
        raise TurnCodeWrong(code=given[:40], number=number, **told) from fault
