"""The referee's log: challenges and incidents noted and struck. A consequence that changes the result is recorded in
one transaction with its line. A line noted by mistake is struck, with a reason, and what it did is taken back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import limits
from games.core.words import CitingRefusal
from games.models import Challenge, Incident
from games.referee.catalogue import IncidentEffect
from games.referee.effects import (
    RefereeDecision,
    apply_decision,
    build_decision,
    convert_result_to_report,
    find_reversal,
)
from scoring.awards import Outcome
from scoring.rulesets.values import Ruleset
from tournament.basics.limits import PENALTY
from tournament.basics.refusals import Refusal, Refusals, find_length_refusals, find_range_refusals
from tournament.core.change import Actor, Change, change
from tournament.core.words.rounds import make_place_details
from tournament.entries.operations.attendance import withdraw_entry
from tournament.models import Entry, Pairing, Result, Tournament
from tournament.results.operations import ResultChanged, get_published_round, record_result, withdraw_result

LoggedRow = TypeVar("LoggedRow", Challenge, Incident)


class NothingChallenged(Refusal, code="nothing_challenged", field="words"):
    message = _("A challenge names at least one word, and says of each whether it stands.")


@dataclass(frozen=True, slots=True)
class NotedIncident:
    """What a referee notes. `is_offered`: the clause has this consequence for it; another one needs a note."""

    kind: str
    decision: RefereeDecision
    figures: dict[str, Any] = field(default_factory=dict)
    clause: str = ""
    note: str = ""
    is_offered: bool = True


def find_incident_problems(noted: NotedIncident) -> list[Refusal]:
    """Everything that is wrong with what a referee notes."""
    problems: list[Refusal] = []
    effect, points = noted.decision.effect, noted.decision.points
    if effect == IncidentEffect.POINTS and not points:
        problems.append(Refusal("points_missing", _("Say how many penalty points."), field="points"))
    else:
        problems += find_range_refusals("points", points, PENALTY)
    if not noted.is_offered and not noted.note:
        message = _("“%(effect)s” is not among the decisions of %(clause)s. Say in the note why you decided this way.")
        named = {"effect": effect.label, "clause": noted.clause or _("the rules")}
        problems.append(Refusal("consequence_reason", message, field="note", **named))
    return [*problems, *find_length_refusals("note", noted.note, limits.INCIDENT_NOTE)]


def log_incident(
    pairing: Pairing, *, noted: NotedIncident, actor: Actor, expected_version: int | None, disturb: Collection[int] = ()
) -> Incident:
    """Note an incident and put its consequence into effect, all or nothing; penalty points without a result wait for
    `apply_incident`. `expected_version`: the official version seen (0: none; None: any). A player disqualified from the
    event is out after the last published round. Raises `Refusals`, or as `record_result`, `withdraw_entry`."""
    if faults := find_incident_problems(noted):
        raise Refusals(faults)
    decision = noted.decision
    tournament = pairing.round.division.tournament
    with transaction.atomic():
        current = _get_seen_result(pairing, expected_version)
        version = _record_effect(pairing, current, decision, actor, disturb)
        names = [entry.name for entry in _list_concerned_entries(pairing, decision.sides)]
        about = {**make_place_details(pairing), "kind": noted.kind, "names": names, "name": noted.clause}
        with change(tournament, actor=actor, verb="log_incident", **about) as log:
            # A note changes no result: then nothing has asked yet whether the round is still published.
            get_published_round(pairing)
            _get_seen_result(pairing, expected_version if version is None else version)
            incident = log.create(_build_incident(pairing, noted, version, actor, log))
        if decision.effect == IncidentEffect.EXPELLED:
            for entry in _list_concerned_entries(pairing, decision.sides):
                withdraw_entry(entry, actor=actor, disqualified=True)
    return incident


def _get_seen_result(pairing: Pairing, expected_version: int | None) -> Result | None:
    """The official result, if it is the one that the referee saw. Raises `ResultChanged`. Locks the tournament first:
    if two people take off the same points, the second must not take the first one's result for their own."""
    Tournament.objects.select_for_update().filter(pk=pairing.round.division.tournament_id).first()
    current = Result.objects.filter(pairing=pairing, official=True).first()
    if expected_version is not None and expected_version != (current.version if current else 0):
        raise ResultChanged(pairing, current=current, offered=None)
    return current


def _record_effect(
    pairing: Pairing, current: Result | None, decision: RefereeDecision, actor: Actor, disturb: Collection[int]
) -> int | None:
    """Make official what the decision makes of the result; returns its version if it is a new one."""
    report = apply_decision(convert_result_to_report(current), decision)
    if report is None:
        return None
    before = current.version if current else 0
    why = decision.words[: limits.WHY]
    saved = record_result(pairing, report=report, actor=actor, expected_version=before, why=why, disturb=disturb)
    # A decision that changes nothing makes no version: struck later, its line has none to take back.
    return None if saved.version == before else saved.version


def _build_incident(pairing: Pairing, noted: NotedIncident, version: int | None, actor: Actor, log: Change) -> Incident:
    sides = noted.decision.sides
    return Incident(
        pairing=pairing,
        side=None if len(sides) > 1 else next(iter(sides)),
        kind=noted.kind,
        figures=noted.figures,
        clause=noted.clause,
        consequence=noted.decision.effect.value,
        # Points typed beside another decision are taken off nowhere, and striking the line must not give them back.
        points=noted.decision.points if noted.decision.effect == IncidentEffect.POINTS else 0,
        version=version,
        note=noted.note,
        by=actor.user,
        by_name=actor.shown_name,
        at=log.now,
    )


def apply_incident(
    incident: Incident, *, actor: Actor, expected_version: int | None, words: str, disturb: Collection[int] = ()
) -> None:
    """Take off the penalty points of an incident that waited for the game's result. `words` give the reason. Raises
    `already_withdrawn`, `already_applied`, `nothing_to_apply`, or what `record_result` raises."""
    pairing = incident.pairing
    with transaction.atomic():
        current = _get_seen_result(pairing, expected_version)
        version = _record_effect(pairing, current, build_decision(incident, words), actor, disturb)
        about = {**make_place_details(pairing), "kind": incident.kind}
        with change(pairing.round.division.tournament, actor=actor, verb="apply_incident", **about) as log:
            # Looked at after the points were taken off, behind the lock: where the line is struck or applied already,
            # the refusal rolls them back with everything else.
            stored = _get_standing_row(incident)
            if stored.version is not None or stored.consequence != IncidentEffect.POINTS:
                raise Refusal(
                    "already_applied", _("This consequence is already in the result, or does not change one.")
                )
            if version is None:
                raise Refusal(
                    "nothing_to_apply",
                    _("These penalty points cannot be taken off: this table has no result of a played game."),
                )
            log.save(stored, version=version)


def _get_standing_row(row: LoggedRow) -> LoggedRow:
    """The line as it is stored now. Raises `already_withdrawn`."""
    stored = type(row)._default_manager.get(pk=row.pk)
    if stored.is_withdrawn:
        raise Refusal("already_withdrawn", _("This line is struck already."))
    return stored


def list_waiting_incidents(pairing: Pairing) -> list[Incident]:
    """The incidents of a game whose penalty points are in no result yet."""
    rows = Incident.objects.filter(pairing=pairing, consequence=IncidentEffect.POINTS, version=None, is_withdrawn=False)
    return list(rows.order_by("pk"))


def withdraw_incident(
    incident: Incident, *, why: str, actor: Actor, expected_version: int | None, disturb: Collection[int] = ()
) -> None:
    """Strike a line of the log, and take back what it did to the result as `find_reversal` knows; where nothing
    is taken back, this can be undone. Raises `Refusals`, `already_withdrawn`, `ResultChanged`."""
    if faults := find_strike_problems(why):
        raise Refusals(faults)
    pairing = incident.pairing
    tournament = pairing.round.division.tournament
    with transaction.atomic():
        current = _get_seen_result(pairing, expected_version)
        back = find_reversal(incident, current)
        details = {**make_place_details(pairing), "why": why}
        # A verb of its own for each: the first can be undone in the journal, the second cannot, since the result has
        # gone on to another version.
        if back is None:
            with change(tournament, actor=actor, verb="withdraw_incident", **details) as log:
                _strike_incident(log, incident, why)
            return
        with change(tournament, actor=actor, verb="revert_incident", **details) as log:
            _strike_incident(log, incident, why)
        version = current.version if current else 0
        handed: dict[str, Any] = {"actor": actor, "why": why, "disturb": disturb, "expected_version": version}
        if back.report is None:
            withdraw_result(pairing, **handed)
        else:
            record_result(pairing, report=back.report, **handed)


def _strike_incident(log: Change, incident: Incident, why: str) -> None:
    """Strike the line. Whom no other line disqualifies is no longer called so, but stays withdrawn: whether they play
    again is the director's to say."""
    log.save(_get_standing_row(incident), is_withdrawn=True, why_withdrawn=why)
    if incident.consequence != IncidentEffect.EXPELLED:
        return
    sides = build_decision(incident, "").sides
    for entry in _list_concerned_entries(incident.pairing, sides):
        # A line without a side is about both players; in another game the same player may have sat on the other side.
        lines = Incident.objects.filter(consequence=IncidentEffect.EXPELLED, is_withdrawn=False)
        others = lines.filter(pairing__seats__entry=entry).exclude(pk=incident.pk)
        sides_of = {seat.pairing_id: seat.side for seat in entry.seats.filter(pairing__in=others.values("pairing"))}
        if entry.disqualified and not any(line.side in (None, sides_of[line.pairing_id]) for line in others):
            log.save(entry, disqualified=False)


def log_challenge(
    pairing: Pairing,
    *,
    challenger: int,
    words: Sequence[tuple[str, bool]],
    actor: Actor,
    turn: int | None = None,
    penalty: int | None = None,
    reason: str = "",
) -> Challenge:
    """Note who challenged which words, and which stand; the points are the sheets'. `penalty` None: as the rules say.
    Raises `Refusals`, or `no_control_afterwards` where the rules want no word looked at after the game."""
    tournament = pairing.round.division.tournament
    if faults := find_challenge_problems(tournament.rules, words=words, turn=turn, penalty=penalty, reason=reason):
        raise Refusals(faults)
    named = {
        "names": [entry.name for entry in _list_concerned_entries(pairing, frozenset({challenger}))],
        "name": ", ".join(word for word, _stands in words),
    }
    with change(tournament, actor=actor, verb="log_challenge", **make_place_details(pairing), **named) as log:
        get_published_round(pairing)
        # Asked behind the lock of the change: the result may have come while the referee was typing.
        rules = tournament.rules.challenges
        if rules and rules.in_play_only and is_game_over(pairing):
            message = _(
                "The game is over and has its result. A word is challenged right after it was laid; there is no check "
                "after the game."
            )
            raise CitingRefusal("no_control_afterwards", message, clause=rules.clause)
        return log.create(
            Challenge(
                pairing=pairing,
                challenger=challenger,
                turn=turn,
                # As JSON keeps them: the row that is handed back is the one that would be read.
                words=[list(word) for word in words],
                penalty=penalty,
                reason=reason,
                by=actor.user,
                by_name=actor.shown_name,
                at=log.now,
            )
        )


def is_game_over(pairing: Pairing) -> bool:
    """Whether a game was played to its end: it has its result."""
    return Result.objects.filter(pairing=pairing, official=True, outcome=Outcome.PLAYED).exists()


def find_challenge_problems(
    rules: Ruleset, *, words: Sequence[tuple[str, bool]], turn: int | None, penalty: int | None, reason: str
) -> list[Refusal]:
    """Everything that is wrong with a challenge under these rules."""
    problems: list[Refusal] = []
    if not limits.CHALLENGED_WORDS.holds(len(words)):
        problems.append(NothingChallenged())
    else:
        for word, _stands in words:
            problems += find_length_refusals("words", word, limits.CHALLENGED_WORD)
    problems += find_length_refusals("reason", reason, limits.REASON)
    if rules.challenges is None:
        problems.append(Refusal("no_challenges", _("%(rules)s has no challenges during play."), rules=rules.name))
    problems += find_range_refusals("turn", turn, limits.TURN)
    problems += find_range_refusals("penalty", penalty, PENALTY)
    # Whatever the figure: one that is typed is a decision, also where it is the one that the rules give.
    if penalty is not None and not reason:
        message = _("A penalty that differs from the rules (%(points)s instead of theirs) needs a reason.")
        problems.append(Refusal("penalty_reason", message, field="reason", points=penalty))
    return problems


def withdraw_challenge(challenge: Challenge, *, why: str, actor: Actor) -> None:
    """Strike a challenge from the log; it stays there, with the reason. Raises `Refusals`, `already_withdrawn`."""
    if faults := find_strike_problems(why):
        raise Refusals(faults)
    tournament, details = challenge.pairing.round.division.tournament, make_place_details(challenge.pairing)
    with change(tournament, actor=actor, verb="withdraw_challenge", why=why, **details) as log:
        log.save(_get_standing_row(challenge), is_withdrawn=True, why_withdrawn=why)


def find_strike_problems(why: str) -> list[Refusal]:
    """Everything that is wrong with the reason for striking a line."""
    if not why.strip():
        return [Refusal("why_missing", _("Say why you strike the line; it stays in the log."), field="why")]
    return find_length_refusals("why", why, limits.WHY)


def _list_concerned_entries(pairing: Pairing, sides: frozenset[int]) -> list[Entry]:
    seats = pairing.seats.select_related("entry__player", "entry__tournament").order_by("side")
    return [seat.entry for seat in seats if seat.side in sides]
