"""The second correction: somebody else types the slips again, blind; where the two differ, the paper settles it."""

from dataclasses import dataclass, field
from datetime import date

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games.duplicate.operations.slips import PlayerNotInDivision, WrittenSlip, clean_slip
from games.duplicate.queries import SessionState, load_session_state
from games.duplicate.words import describe_second_reading
from games.models import DuplicateCorrection, DuplicateSession, DuplicateSlip, DuplicateTurn, SecondReading
from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, Change, change
from tournament.models import Entry


class SlipsTypedOnce(Refusal):
    code = "not_twice"
    message = _("In this session slips are typed once; a director can switch the second correction on.")


class CannotRetypeOwnSlip(Refusal):
    code = "own_slip"
    message = _("The slip of %(name)s was typed the first time from this account; somebody else has to read it again.")
    field = "player"


class SlipTypedTwice(Refusal):
    code = "second_there"
    message = _("The slip of %(name)s has been typed a second time already, by somebody else.")
    field = "player"


class CannotSettleOwnSlip(Refusal):
    code = "typed_last"
    message = _(
        "The slip of %(name)s was typed last from this account; somebody else looks at the paper and settles it."
    )


class SlipReadingsAgree(Refusal):
    code = "no_difference"
    message = _("The two readings of the slip of %(name)s do not differ.")


@dataclass(frozen=True, slots=True)
class SlipReading:
    """What somebody has read of a slip; `missing`: there is none."""

    written: WrittenSlip = field(default_factory=WrittenSlip)
    missing: bool = False

    @classmethod
    def first(cls, row: DuplicateSlip | None) -> "SlipReading":
        """What the first typing says."""
        return cls(missing=True) if row is None else cls(WrittenSlip.of(row))

    @classmethod
    def second(cls, row: SecondReading) -> "SlipReading":
        """What the second typing says."""
        return cls(WrittenSlip(row.position, row.word, row.claimed, row.late), row.missing)

    @property
    def told(self) -> tuple[object, ...]:
        """What two readings are compared by: marks of blanks do not count."""
        written = self.written
        return self.missing, written.position, (written.word or "").upper(), written.claimed, written.late

    def __str__(self) -> str:
        return str(_("no slip")) if self.missing else str(self.written)


def switch_second_correction(session: DuplicateSession, *, on: bool, actor: Actor) -> None:
    """Switch the second correction on or off; what has been read stays."""
    division = session.division
    with change(division.tournament, actor=actor, verb="type_twice", division=division.name) as log:
        log.save(DuplicateSession.objects.get(pk=session.pk), twice=on)


def record_second_reading(turn: DuplicateTurn, *, entry: Entry, read: SlipReading, actor: Actor) -> SecondReading:
    """Keep what somebody else has read of a player's slip; whoever read it may read it again.

    Raises `NotTwice`, `PlaysElsewhere`, `OwnSlip`, `SecondThere`, or `Refusals` with what cannot be kept.
    """
    kept = WrittenSlip() if read.missing else clean_slip(turn, read.written)
    division = turn.session.division
    about = {"division": division.name, "turn": turn.number, "names": [entry.name]}
    with change(division.tournament, actor=actor, verb="read_again", **about) as log:
        if not DuplicateSession.objects.get(pk=turn.session_id).twice:
            raise SlipsTypedOnce
        if Entry.objects.filter(pk=entry.pk, division=division).first() is None:
            raise PlayerNotInDivision(name=entry.name)
        first = DuplicateSlip.objects.filter(turn=turn, entry=entry).first()
        if first is not None and first.by_id is not None and first.by_id == actor.primary_key:
            raise CannotRetypeOwnSlip(name=entry.name)
        stored = SecondReading.objects.filter(turn=turn, entry=entry).first()
        values = {**_get_slip_values(kept), "missing": read.missing}
        if stored is None:
            return log.create(SecondReading(turn=turn, entry=entry, **values, by=actor.user))
        if stored.by_id != actor.primary_key:
            raise SlipTypedTwice(name=entry.name)
        log.save(stored, **values, version=stored.version + 1)
        return stored


def _get_slip_values(written: WrittenSlip) -> dict[str, object]:
    return {"position": written.position, "word": written.word, "claimed": written.claimed, "late": written.late}


def settle_slip(turn: DuplicateTurn, *, entry: Entry, read: SlipReading, today: date, actor: Actor) -> None:
    """Settle from the paper what a slip says, where its two readings differ; both say so then.

    In a closed turn other points become a correction that everybody can read. Raises `NoDifference`, `TypedLast`, or
    `Refusals` with what cannot be kept.
    """
    kept = SlipReading(WrittenSlip() if read.missing else clean_slip(turn, read.written), read.missing)
    division = turn.session.division
    about = {"division": division.name, "turn": turn.number, "names": [entry.name], "name": str(kept)}
    with change(division.tournament, actor=actor, verb="settle_slip", **about) as log:
        stored = DuplicateTurn.objects.select_related("session__division__tournament").get(pk=turn.pk)
        first = DuplicateSlip.objects.filter(turn=stored, entry=entry).first()
        second = SecondReading.objects.filter(turn=stored, entry=entry).first()
        if second is None or SlipReading.first(first).told == SlipReading.second(second).told:
            raise SlipReadingsAgree(name=entry.name)
        if second.by_id is not None and second.by_id == actor.primary_key:
            raise CannotSettleOwnSlip(name=entry.name)
        before = _score_slip(stored, entry)
        _store_slip(log, stored, entry, first, kept)
        log.save(second, **_get_slip_values(kept.written), missing=kept.missing, version=second.version + 1)
        after = _score_slip(stored, entry)
        if stored.is_closed and before != after:
            _record_correction(log, stored, entry, after, today, actor)


def _store_slip(log: Change, turn: DuplicateTurn, entry: Entry, first: DuplicateSlip | None, kept: SlipReading) -> None:
    """Make the slip say what the paper says."""
    if kept.missing:
        if first is not None:
            log.delete(first)
    elif first is None:
        log.create(DuplicateSlip(turn=turn, entry=entry, **_get_slip_values(kept.written)))
    else:
        log.save(first, **_get_slip_values(kept.written), version=first.version + 1)


def _score_slip(turn: DuplicateTurn, entry: Entry) -> int:
    """What a player's slip scores in a turn as it stands."""
    return load_session_state(turn.session).result(turn.number).slips[str(entry.pk)].points


def _record_correction(log: Change, turn: DuplicateTurn, entry: Entry, points: int, today: date, actor: Actor) -> None:
    """A correction of this piece of paper alone, with its reason in the event's language."""
    with translation.override(choose_paper_language(turn.session.division.tournament.language)):
        why = describe_second_reading()
    by = {"by": actor.user, "by_name": actor.shown_name}
    log.create(DuplicateCorrection(turn=turn, entry=entry, points=points, why=why, on=today, alone=True, **by))


# A turn's second correction as its pages show it: how far it has come, who is missing, and what differs.


@dataclass(frozen=True, slots=True)
class DifferingSlip:
    """A slip that two people have read differently."""

    entry: Entry
    first: SlipReading
    second: SlipReading


@dataclass(frozen=True, slots=True)
class SecondProgress:
    """How far the second correction of a turn has come. `own` are the readings of whoever looks, the last one first."""

    done: int
    expected: int
    differing: tuple[DifferingSlip, ...]
    missing: tuple[Entry, ...]
    own: tuple[tuple[Entry, SlipReading], ...]


def load_second_progress(found: SessionState, turn: DuplicateTurn, user_pk: int | None) -> SecondProgress:
    """The second correction of a turn, for somebody who types. One query."""
    seconds = {each.entry_id: each for each in SecondReading.objects.filter(turn=turn).order_by("pk")}
    firsts = {each.entry_id: each for each in found.slips.get(turn.pk, ())}
    entries = {entry.pk: entry for entry in found.entries}
    wanted = firsts.keys() | seconds.keys()
    pairs = [(entries[pk], SlipReading.first(firsts.get(pk)), SlipReading.second(each)) for pk, each in seconds.items()]
    own = [each for each in seconds.values() if each.by_id == user_pk]
    return SecondProgress(
        done=len(seconds),
        expected=len(wanted),
        differing=tuple(DifferingSlip(*pair) for pair in pairs if pair[1].told != pair[2].told),
        missing=tuple(entry for pk, entry in entries.items() if pk in wanted and pk not in seconds),
        own=tuple((entries[each.entry_id], SlipReading.second(each)) for each in reversed(own)),
    )
