"""A session prepared for several clubs, sealed, and what the clubs send back joined and ruled on."""

from dataclasses import asdict
from secrets import SystemRandom

from django.utils.translation import gettext_lazy as _

from games.duplicate import envelopes, reading
from games.duplicate.operations.sessions import (
    LettersUnknown,
    ListUnknown,
    NoDuplicateRules,
    checked_reason,
)
from games.judge import lists
from games.models import JoinedClub, PreparedSession, Ruling, WordList
from games.sealed import plan as plans
from games.sealed.clubs import ClubFile
from games.sealed.plan import NoTurns, SealedPlan
from scoring import sealed
from scoring.joined import Word
from scoring.letters import LETTER_SETS
from scoring.sealed import Envelope
from tournament import limits as event_limits
from tournament.models import Division
from tournament.operations.change import Actor, change
from tournament.refusals import NotPrintable, Refusal, Refusals, out_of_range, too_long


class AlreadySealed(Refusal):
    code = "already_sealed"
    message = _("“%(name)s” is sealed, so it can no longer be changed. Undo the sealing in the journal first.")


class NotSealed(Refusal):
    code = "not_sealed"
    message = _("“%(name)s” is not sealed yet.")


class NameMissing(Refusal):
    code = "name_missing"
    message = _("The session needs a name by which the clubs know it.")
    field = "name"


class JoinedAlready(Refusal):
    code = "joined_already"
    message = _("“%(name)s” is joined already. Remove the file that is there first, if this one is to take its place.")
    field = "sent"


def save_prepared(division: Division, *, plan: SealedPlan, actor: Actor) -> PreparedSession:
    """Keep a session as it is prepared so far. Raises `NoDuplicateRules`, `AlreadySealed`, or `Refusals`."""
    tournament = division.tournament
    if tournament.rules.duplicate is None:
        raise NoDuplicateRules(ruleset=tournament.rules.name)
    if faults := _problems(plan, division):
        raise Refusals(faults)
    plans.fixed_turns(plan)
    with change(tournament, actor=actor, verb="save_prepared", division=division.name, name=plan.name) as log:
        stored = PreparedSession.objects.filter(division=division).first()
        if stored is None:
            return log.create(PreparedSession(division=division, **asdict(plan)))
        if stored.envelope:
            raise AlreadySealed(name=stored.name)
        log.save(stored, **asdict(plan))
        return stored


def _problems(plan: SealedPlan, division: Division) -> list[Refusal]:
    found: list[Refusal] = [] if plan.name.strip() else [NameMissing()]
    if not plan.name.isprintable():
        found.append(NotPrintable(field="name", value=plan.name))
    found += [
        *too_long("name", plan.name, event_limits.SEALED_NAME),
        *out_of_range("max_turns", plan.max_turns, event_limits.DUPLICATE_TURNS),
        *out_of_range("seconds", plan.seconds, event_limits.TURN_SECONDS),
    ]
    if plan.letters not in LETTER_SETS:
        return [*found, LettersUnknown(value=plan.letters, allowed=", ".join(LETTER_SETS))]
    if plan.words and list_of(division, plan) is None:
        titles = lists.of(division.tournament.organiser).filter(letters=plan.letters).values_list("title", flat=True)
        allowed = ", ".join(f"“{title}”" for title in titles) or "–"
        found.append(ListUnknown(value=plan.words, letters=plan.letters, allowed=allowed))
    return found


def list_of(division: Division, plan: SealedPlan | PreparedSession) -> WordList | None:
    """The loaded list by which a prepared session is judged; None without one."""
    own = lists.of(division.tournament.organiser).filter(letters=plan.letters, title=plan.words)
    return own.order_by("-pk").first() if plan.words else None


def plan_of(row: PreparedSession) -> SealedPlan:
    """What a stored session was prepared with."""
    return SealedPlan(
        row.name, row.letters, row.max_turns, row.seconds, row.words, row.seed, masters=row.masters, turns=row.turns
    )


def seal_session(row: PreparedSession, *, actor: Actor) -> Envelope:
    """Seal a session: from now on it cannot be changed, and clubs can be sent its file. Raises `AlreadySealed`,
    `NoTurns`, or `Refusals` with what is wrong with its turns."""
    division = row.division
    turns = plans.fixed_turns(plan_of(row))
    if not turns:
        raise NoTurns
    with change(division.tournament, actor=actor, verb="seal_session", division=division.name, name=row.name) as log:
        stored = PreparedSession.objects.get(pk=row.pk)
        if stored.envelope:
            raise AlreadySealed(name=stored.name)
        random = SystemRandom()
        code = sealed.new_code(random)
        envelope = sealed.seal(_head(stored, division, len(turns)), turns, code, random)
        log.save(stored, envelope=envelopes.as_object(envelope), code=code)
        return envelope


def _head(row: PreparedSession, division: Division, turns: int) -> Envelope:
    word_list = list_of(division, row)
    return Envelope(
        name=row.name,
        ruleset=division.tournament.ruleset,
        letters=row.letters,
        max_turns=turns,
        seconds=row.seconds,
        words=row.words,
        words_hash=word_list.sha256 if word_list else "",
        masters=row.masters,
        salt="",
        turns=(),
    )


def join_club(row: PreparedSession, *, file: ClubFile, actor: Actor) -> JoinedClub:
    """Keep what a club has sent back. `file` has been checked against the session (`clubs.read`).

    Raises `NotSealed` or `JoinedAlready`.
    """
    division = row.division
    with change(division.tournament, actor=actor, verb="join_clubs", division=division.name, name=file.name) as log:
        stored = PreparedSession.objects.get(pk=row.pk)
        if not stored.envelope:
            raise NotSealed(name=stored.name)
        there = JoinedClub.objects.filter(prepared=stored)
        same = there.filter(hash=file.hash).first() or there.filter(name=file.name).first()
        if same is not None:
            raise JoinedAlready(name=same.name)
        return log.create(JoinedClub(prepared=stored, name=file.name, hash=file.hash, text=file.text))


def remove_club(club: JoinedClub, *, actor: Actor) -> None:
    """Take a club's file out of the table."""
    division = club.prepared.division
    with change(division.tournament, actor=actor, verb="remove_club", division=division.name, name=club.name) as log:
        log.delete(JoinedClub.objects.get(pk=club.pk))


def rule(row: PreparedSession, *, word: Word, points: int, why: str, actor: Actor) -> Ruling:
    """Decide what a word scores in every club where they have judged it differently, and why. Raises `Refusals`."""
    turn, position, text = word
    faults = out_of_range("points", points, event_limits.SLIP_POINTS)
    reason = checked_reason(why, field="why")
    if faults:
        raise Refusals(faults)
    division = row.division
    about = {"division": division.name, "turn": turn, "name": f"{position} {text}", "count": points, "why": reason}
    with change(division.tournament, actor=actor, verb="rule_slip", **about) as log:
        same = {"prepared": row, "turn": turn, "position": position, "word": text}
        stored = Ruling.objects.filter(**same).first()
        if stored is None:
            return log.create(Ruling(**same, points=points, why=reason))
        log.save(stored, points=points, why=reason)
        return stored


def allows_of(row: PreparedSession) -> reading.ListedWords | None:
    """The words that slips of every club are judged by; None without a list."""
    return reading.listed(list_of(row.division, row))
