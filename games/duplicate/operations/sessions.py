"""A session prepared, changed before its first turn, ended by the director, and gone on with."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from games import limits
from games.judge import lists
from games.models import DuplicateSession, DuplicateTurn
from scoring.duplicate import USUAL
from scoring.letters import LETTER_SETS
from tournament import limits as event_limits
from tournament.models import Division
from tournament.operations.change import Actor, change
from tournament.refusals import NotPrintable, Refusal, Refusals, out_of_range, too_long

SEEDS = 2**31
"""Seeds are below this."""


class NoDuplicateRules(Refusal):
    code = "no_duplicate_rules"
    message = _("By %(ruleset)s two players meet at a board; a duplicate session needs the rules of Duplicatescrabble.")


class AlreadyPlayed(Refusal):
    code = "already_played"
    message = _("Turn %(number)s has been drawn already, so the session can no longer be prepared differently.")


class LettersUnknown(Refusal):
    code = "letters_unknown"
    message = _("There is no letter set “%(value)s”. Allowed are: %(allowed)s.")
    field = "letters"


class ListUnknown(Refusal):
    code = "list_unknown"
    message = _("No word list “%(value)s” is loaded for the letter set %(letters)s. Allowed are: %(allowed)s.")
    field = "words"


class TurnIsOpen(Refusal):
    code = "turn_is_open"
    message = _("Turn %(number)s is still being played; lay its master word first.")


class SessionFixed(Refusal):
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
    seconds: int = USUAL.turn_seconds
    words: str = ""
    seed: int = 0


def prepare_session(division: Division, *, plan: SessionPlan, actor: Actor) -> DuplicateSession:
    """Prepare the session of a division, or prepare it differently before its first turn.

    Raises `NoDuplicateRules`, `AlreadyPlayed`, `SessionFixed`, or `Refusals` with everything that is wrong with the
    plan.
    """
    tournament = division.tournament
    if tournament.rules.duplicate is None:
        raise NoDuplicateRules(ruleset=tournament.rules.name)
    if faults := _problems(plan, division):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="prepare_session", division=division.name) as log:
        values = {
            "letters": plan.letters,
            "max_turns": plan.max_turns,
            "seconds": plan.seconds,
            "words": plan.words,
            "seed": plan.seed,
        }
        stored = DuplicateSession.objects.filter(division=division).first()
        if stored is None:
            return log.create(DuplicateSession(division=division, **values))
        if played := DuplicateTurn.objects.filter(session=stored).order_by("-number").first():
            raise AlreadyPlayed(number=played.number)
        if stored.sealed:
            raise SessionFixed(name=stored.sealed["name"])
        log.save(stored, **values)
        return stored


def _problems(plan: SessionPlan, division: Division) -> list[Refusal]:
    found: list[Refusal] = [
        *out_of_range("max_turns", plan.max_turns, event_limits.DUPLICATE_TURNS),
        *out_of_range("seconds", plan.seconds, event_limits.TURN_SECONDS),
    ]
    if plan.letters not in LETTER_SETS:
        return [*found, LettersUnknown(value=plan.letters, allowed=", ".join(LETTER_SETS))]
    own = lists.of(division.tournament.organiser).filter(letters=plan.letters)
    titles = list(own.values_list("title", flat=True)) if plan.words else []
    if plan.words and plan.words not in titles:
        allowed = ", ".join(f"“{title}”" for title in titles) or "–"
        found.append(ListUnknown(value=plan.words, letters=plan.letters, allowed=allowed))
    return found


def end_session(session: DuplicateSession, *, why: str, actor: Actor) -> None:
    """End a session before the rules do. Raises `Refusals` for the reason, or `TurnIsOpen`."""
    reason = checked_reason(why)
    with change(
        session.division.tournament, actor=actor, verb="end_session", division=session.division.name, why=reason
    ) as log:
        require_none_open(session)
        log.save(DuplicateSession.objects.get(pk=session.pk), stopped=reason)


def resume_session(session: DuplicateSession, *, actor: Actor) -> None:
    """Go on with a session that the director has ended."""
    division = session.division
    with change(division.tournament, actor=actor, verb="resume_session", division=division.name) as log:
        log.save(DuplicateSession.objects.get(pk=session.pk), stopped="")


def require_none_open(session: DuplicateSession) -> None:
    """Raise `TurnIsOpen` while a turn is being played."""
    found = DuplicateTurn.objects.filter(session=session, is_closed=False).first()
    if found is not None:
        raise TurnIsOpen(number=found.number)


def checked_reason(text: str, *, field: str = "reason") -> str:
    """A reason on one line. Raises `Refusals` if it is missing, too long or cannot be shown."""
    reason = " ".join(text.split())
    faults: list[Refusal] = [] if reason else [ReasonMissing()]
    if not reason.isprintable():
        faults.append(NotPrintable(field=field, value=reason))
    faults += too_long(field, reason, limits.REASON)
    if faults:
        raise Refusals(faults)
    return reason
