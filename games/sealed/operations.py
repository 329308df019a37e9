"""Prepare a session for several clubs, seal it, join what the clubs send back, and rule on what they differ about."""

from dataclasses import asdict, fields
from secrets import SystemRandom

from django.utils.translation import gettext_lazy as _

from games.duplicate.operations.sessions import NoDuplicateRules, clean_reason, find_session_plan_problems
from games.duplicate.queries import ListedWords, get_listed_words, serialize_envelope
from games.judge.lists import list_word_lists
from games.models import JoinedClub, PreparedSession, Ruling, WordList
from games.sealed.plan import NoTurnsPrepared, SealedPlan, parse_fixed_turns
from games.sealed.queries import ClubFile
from scoring import sealed
from scoring.joined import WordKey
from scoring.sealed import Envelope
from tournament.basics import limits as event_limits
from tournament.basics.refusals import NotPrintable, Refusal, Refusals, find_length_refusals, find_range_refusals
from tournament.core.change import Actor, change
from tournament.models import Division


class SessionAlreadySealed(Refusal):
    code = "already_sealed"
    message = _("“%(name)s” is sealed, so it can no longer be changed. Undo the sealing in the journal first.")


class SessionNotSealed(Refusal):
    code = "not_sealed"
    message = _("“%(name)s” is not sealed yet.")


class SessionNameMissing(Refusal):
    code = "name_missing"
    message = _("The session needs a name by which the clubs know it.")
    field = "name"


class ClubAlreadyJoined(Refusal):
    code = "joined_already"
    message = _("“%(name)s” is joined already. Remove the file that is there first, if this one is to take its place.")
    field = "sent"


def save_prepared_session(division: Division, *, plan: SealedPlan, actor: Actor) -> PreparedSession:
    """Keep a session as it is prepared so far. Raises `NoDuplicateRules`, `SessionAlreadySealed`, or `Refusals`."""
    tournament = division.tournament
    if tournament.rules.duplicate is None:
        raise NoDuplicateRules(ruleset=tournament.rules.name)
    if faults := [*_find_name_problems(plan.name), *find_session_plan_problems(plan, division)]:
        raise Refusals(faults)
    parse_fixed_turns(plan)
    with change(tournament, actor=actor, verb="save_prepared", division=division.name, name=plan.name) as log:
        stored = PreparedSession.objects.filter(division=division).first()
        if stored is None:
            return log.create(PreparedSession(division=division, **asdict(plan)))
        if stored.envelope:
            raise SessionAlreadySealed(name=stored.name)
        log.save(stored, **asdict(plan))
        return stored


def _find_name_problems(name: str) -> list[Refusal]:
    found: list[Refusal] = [] if name.strip() else [SessionNameMissing()]
    if not name.isprintable():
        found.append(NotPrintable(field="name", value=name))
    return found + find_length_refusals("name", name, event_limits.SEALED_NAME)


def find_prepared_word_list(division: Division, plan: SealedPlan | PreparedSession) -> WordList | None:
    """The loaded list by which a prepared session is judged; None without one."""
    own = list_word_lists(division.tournament.organiser).filter(letters=plan.letters, title=plan.words)
    return own.order_by("-pk").first() if plan.words else None


def get_sealed_plan(row: PreparedSession) -> SealedPlan:
    """What a stored session was prepared with."""
    return SealedPlan(**{each.name: getattr(row, each.name) for each in fields(SealedPlan)})


def seal_session(row: PreparedSession, *, actor: Actor) -> Envelope:
    """Seal a session: from now on it cannot be changed, and clubs can be sent its file.

    Raises `SessionAlreadySealed`, `NoTurnsPrepared`, or `Refusals` with what is wrong with its turns.
    """
    division = row.division
    turns = parse_fixed_turns(get_sealed_plan(row))
    if not turns:
        raise NoTurnsPrepared
    with change(division.tournament, actor=actor, verb="seal_session", division=division.name, name=row.name) as log:
        stored = PreparedSession.objects.get(pk=row.pk)
        if stored.envelope:
            raise SessionAlreadySealed(name=stored.name)
        word_list = find_prepared_word_list(division, stored)
        unsealed = Envelope(
            name=stored.name,
            ruleset=division.tournament.ruleset,
            letters=stored.letters,
            max_turns=len(turns),
            seconds=stored.seconds,
            words=stored.words,
            words_hash=word_list.sha256 if word_list else "",
            masters=stored.masters,
            salt="",
            turns=(),
        )
        random = SystemRandom()
        code = sealed.make_opening_code(random)
        envelope = sealed.seal_turns(unsealed, turns, code, random)
        log.save(stored, envelope=serialize_envelope(envelope), code=code)
        return envelope


def join_club(row: PreparedSession, *, file: ClubFile, actor: Actor) -> JoinedClub:
    """Keep what a club has sent back. `file` has been checked against the session (`read_club_file`).

    Raises `SessionNotSealed` or `ClubAlreadyJoined`.
    """
    division = row.division
    with change(division.tournament, actor=actor, verb="join_clubs", division=division.name, name=file.name) as log:
        stored = PreparedSession.objects.get(pk=row.pk)
        if not stored.envelope:
            raise SessionNotSealed(name=stored.name)
        there = JoinedClub.objects.filter(prepared=stored)
        same = there.filter(hash=file.hash).first() or there.filter(name=file.name).first()
        if same is not None:
            raise ClubAlreadyJoined(name=same.name)
        return log.create(JoinedClub(prepared=stored, name=file.name, hash=file.hash, text=file.text))


def remove_club(club: JoinedClub, *, actor: Actor) -> None:
    """Take a club's file out of the table."""
    division = club.prepared.division
    with change(division.tournament, actor=actor, verb="remove_club", division=division.name, name=club.name) as log:
        log.delete(JoinedClub.objects.get(pk=club.pk))


def rule_on_word(row: PreparedSession, *, word: WordKey, points: int, why: str, actor: Actor) -> Ruling:
    """Decide what a word that clubs have judged differently scores everywhere, and why. Raises `Refusals`."""
    turn, position, text = word
    faults = find_range_refusals("points", points, event_limits.SLIP_POINTS)
    reason = clean_reason(why, field="why")
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


def get_prepared_words(row: PreparedSession) -> ListedWords | None:
    """The words that slips of every club are judged by; None without a list."""
    return get_listed_words(find_prepared_word_list(row.division, row))
