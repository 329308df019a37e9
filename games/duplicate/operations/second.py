"""The second correction: somebody else types the slips again, blind; where the two differ, the paper decides."""

from dataclasses import asdict, dataclass, field, replace
from datetime import date

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games.duplicate.operations.slips import WrittenSlip, clean_slip, require_player
from games.duplicate.operations.turns import make_turn_details
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
    """What somebody has read on a slip; `missing`: there is none."""

    written: WrittenSlip = field(default_factory=WrittenSlip)
    missing: bool = False

    @classmethod
    def first(cls, row: DuplicateSlip | None) -> "SlipReading":
        return cls(missing=True) if row is None else cls(WrittenSlip.of(row))

    @classmethod
    def second(cls, row: SecondReading) -> "SlipReading":
        return cls(WrittenSlip.of(row), row.missing)

    def agrees_with(self, other: "SlipReading") -> bool:
        """Whether both say the same; marks of blanks do not count."""
        own, theirs = (replace(each.written, word=(each.written.word or "").upper()) for each in (self, other))
        return (self.missing, own) == (other.missing, theirs)

    def __str__(self) -> str:
        return str(_("no slip")) if self.missing else str(self.written)


def switch_second_correction(session: DuplicateSession, *, on: bool, actor: Actor) -> None:
    """Switch the second correction on or off; what has been read stays."""
    division = session.division
    with change(division.tournament, actor=actor, verb="type_twice", division=division.name) as log:
        log.save(DuplicateSession.objects.get(pk=session.pk), twice=on)


def record_second_reading(turn: DuplicateTurn, *, entry: Entry, read: SlipReading, actor: Actor) -> SecondReading:
    """Keep what somebody else has read on a player's slip; whoever read it may read it again.

    Raises `SlipsTypedOnce`, `PlayerNotInDivision`, `CannotRetypeOwnSlip`, `SlipTypedTwice`, or `Refusals` with what
    cannot be kept.
    """
    kept = WrittenSlip() if read.missing else clean_slip(turn, read.written)
    tournament = turn.session.division.tournament
    with change(tournament, actor=actor, verb="read_again", **make_turn_details(turn, entry)) as log:
        if not DuplicateSession.objects.get(pk=turn.session_id).twice:
            raise SlipsTypedOnce
        require_player(entry, turn)
        first = DuplicateSlip.objects.filter(turn=turn, entry=entry).first()
        if first is not None and first.by_id is not None and first.by_id == actor.primary_key:
            raise CannotRetypeOwnSlip(name=entry.name)
        stored = SecondReading.objects.filter(turn=turn, entry=entry).first()
        values = {**asdict(kept), "missing": read.missing}
        if stored is None:
            return log.create(SecondReading(turn=turn, entry=entry, **values, by=actor.user))
        if stored.by_id != actor.primary_key:
            raise SlipTypedTwice(name=entry.name)
        log.save(stored, **values, version=stored.version + 1)
        return stored


def settle_slip(turn: DuplicateTurn, *, entry: Entry, read: SlipReading, today: date, actor: Actor) -> None:
    """Settle from the paper what a slip says, where its two readings differ; then both say so.

    In a closed turn, a change of points becomes a correction that everybody can read. Raises `SlipReadingsAgree`,
    `CannotSettleOwnSlip`, or `Refusals` with what cannot be kept.
    """
    kept = SlipReading(WrittenSlip() if read.missing else clean_slip(turn, read.written), read.missing)
    about = {**make_turn_details(turn, entry), "name": str(kept)}
    with change(turn.session.division.tournament, actor=actor, verb="settle_slip", **about) as log:
        stored = DuplicateTurn.objects.select_related("session__division__tournament").get(pk=turn.pk)
        first = DuplicateSlip.objects.filter(turn=stored, entry=entry).first()
        second = SecondReading.objects.filter(turn=stored, entry=entry).first()
        if second is None or SlipReading.first(first).agrees_with(SlipReading.second(second)):
            raise SlipReadingsAgree(name=entry.name)
        if second.by_id is not None and second.by_id == actor.primary_key:
            raise CannotSettleOwnSlip(name=entry.name)
        before = _score_slip(stored, entry)
        _store_slip(log, stored, entry, first, kept)
        log.save(second, **asdict(kept.written), missing=kept.missing, version=second.version + 1)
        after = _score_slip(stored, entry)
        if stored.is_closed and before != after:
            _record_correction(log, stored, entry, after, today, actor)


def _store_slip(log: Change, turn: DuplicateTurn, entry: Entry, first: DuplicateSlip | None, kept: SlipReading) -> None:
    """Make the slip say what the paper says."""
    if kept.missing:
        if first is not None:
            log.delete(first)
    elif first is None:
        log.create(DuplicateSlip(turn=turn, entry=entry, **asdict(kept.written)))
    else:
        log.save(first, **asdict(kept.written), version=first.version + 1)


def _score_slip(turn: DuplicateTurn, entry: Entry) -> int:
    return load_session_state(turn.session).result(turn.number).slips[str(entry.pk)].points


def _record_correction(log: Change, turn: DuplicateTurn, entry: Entry, points: int, today: date, actor: Actor) -> None:
    """A correction of this piece of paper alone, with its reason in the event's language."""
    with translation.override(choose_paper_language(turn.session.division.tournament.language)):
        why = describe_second_reading()
    by = {"by": actor.user, "by_name": actor.shown_name}
    log.create(DuplicateCorrection(turn=turn, entry=entry, points=points, why=why, on=today, alone=True, **by))


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
        differing=tuple(DifferingSlip(*pair) for pair in pairs if not pair[1].agrees_with(pair[2])),
        missing=tuple(entry for pk, entry in entries.items() if pk in wanted and pk not in seconds),
        own=tuple((entries[each.entry_id], SlipReading.second(each)) for each in reversed(own)),
    )
