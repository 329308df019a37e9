"""The second correction: somebody else types the slips again, blind; where the two differ, the paper settles it."""

from dataclasses import dataclass, field
from datetime import date

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games.duplicate import reading, words
from games.duplicate.operations.slips import PlaysElsewhere, WrittenSlip, tidied
from games.models import DuplicateCorrection, DuplicateSession, DuplicateSlip, DuplicateTurn, SecondReading
from tournament import languages
from tournament.models import Entry
from tournament.operations.change import Actor, Change, change
from tournament.refusals import Refusal


class NotTwice(Refusal):
    code = "not_twice"
    message = _("In this session slips are typed once; a director can switch the second correction on.")


class OwnSlip(Refusal):
    code = "own_slip"
    message = _("The slip of %(name)s was typed the first time from this account; somebody else has to read it again.")
    field = "player"


class SecondThere(Refusal):
    code = "second_there"
    message = _("The slip of %(name)s has been typed a second time already, by somebody else.")
    field = "player"


class TypedLast(Refusal):
    code = "typed_last"
    message = _(
        "The slip of %(name)s was typed last from this account; somebody else looks at the paper and settles it."
    )


class NoDifference(Refusal):
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


def type_twice(session: DuplicateSession, *, on: bool, actor: Actor) -> None:
    """Switch the second correction on or off; what has been read stays."""
    division = session.division
    with change(division.tournament, actor=actor, verb="type_twice", division=division.name) as log:
        log.save(DuplicateSession.objects.get(pk=session.pk), twice=on)


def read_again(turn: DuplicateTurn, *, entry: Entry, read: SlipReading, actor: Actor) -> SecondReading:
    """Keep what somebody else has read of a player's slip; whoever read it may read it again.

    Raises `NotTwice`, `PlaysElsewhere`, `OwnSlip`, `SecondThere`, or `Refusals` with what cannot be kept.
    """
    kept = WrittenSlip() if read.missing else tidied(turn, read.written)
    division = turn.session.division
    about = {"division": division.name, "turn": turn.number, "names": [entry.name]}
    with change(division.tournament, actor=actor, verb="read_again", **about) as log:
        if not DuplicateSession.objects.get(pk=turn.session_id).twice:
            raise NotTwice
        if Entry.objects.filter(pk=entry.pk, division=division).first() is None:
            raise PlaysElsewhere(name=entry.name)
        first = DuplicateSlip.objects.filter(turn=turn, entry=entry).first()
        if first is not None and first.by_id is not None and first.by_id == actor.primary_key:
            raise OwnSlip(name=entry.name)
        stored = SecondReading.objects.filter(turn=turn, entry=entry).first()
        values = {**_columns(kept), "missing": read.missing}
        if stored is None:
            return log.create(SecondReading(turn=turn, entry=entry, **values, by=actor.user))
        if stored.by_id != actor.primary_key:
            raise SecondThere(name=entry.name)
        log.save(stored, **values, version=stored.version + 1)
        return stored


def _columns(written: WrittenSlip) -> dict[str, object]:
    return {
        "position": written.position,
        "word": written.word,
        "claimed": written.claimed,
        "late": written.late,
    }


def settle_slip(turn: DuplicateTurn, *, entry: Entry, read: SlipReading, today: date, actor: Actor) -> None:
    """Settle from the paper what a slip says, where its two readings differ; both say so then.

    In a closed turn other points become a correction that everybody can read. Raises `NoDifference`, `TypedLast`, or
    `Refusals` with what cannot be kept.
    """
    kept = SlipReading(WrittenSlip() if read.missing else tidied(turn, read.written), read.missing)
    division = turn.session.division
    about = {"division": division.name, "turn": turn.number, "names": [entry.name], "name": str(kept)}
    with change(division.tournament, actor=actor, verb="settle_slip", **about) as log:
        stored = DuplicateTurn.objects.select_related("session__division__tournament").get(pk=turn.pk)
        first = DuplicateSlip.objects.filter(turn=stored, entry=entry).first()
        second = SecondReading.objects.filter(turn=stored, entry=entry).first()
        if second is None or SlipReading.first(first).told == SlipReading.second(second).told:
            raise NoDifference(name=entry.name)
        if second.by_id is not None and second.by_id == actor.primary_key:
            raise TypedLast(name=entry.name)
        before = _points(stored, entry)
        _store_slip(log, stored, entry, first, kept)
        log.save(second, **_columns(kept.written), missing=kept.missing, version=second.version + 1)
        after = _points(stored, entry)
        if stored.is_closed and before != after:
            _tell_everybody(log, stored, entry, after, today, actor)


def _store_slip(log: Change, turn: DuplicateTurn, entry: Entry, first: DuplicateSlip | None, kept: SlipReading) -> None:
    """Make the slip say what the paper says."""
    if kept.missing:
        if first is not None:
            log.delete(first)
    elif first is None:
        log.create(DuplicateSlip(turn=turn, entry=entry, **_columns(kept.written)))
    else:
        log.save(first, **_columns(kept.written), version=first.version + 1)


def _points(turn: DuplicateTurn, entry: Entry) -> int:
    """What a player's slip scores in a turn as it stands."""
    return reading.read(turn.session).result(turn.number).slips[str(entry.pk)].points


def _tell_everybody(log: Change, turn: DuplicateTurn, entry: Entry, points: int, today: date, actor: Actor) -> None:
    """A correction of this piece of paper alone, with its reason in the event's language."""
    with translation.override(languages.on_paper(turn.session.division.tournament.language)):
        why = words.second_reading()
    by = {"by": actor.user, "by_name": actor.shown_name}
    log.create(DuplicateCorrection(turn=turn, entry=entry, points=points, why=why, on=today, alone=True, **by))
