"""A turn's second correction as its pages show it: how far it has come, who is missing, and what differs."""

from dataclasses import dataclass

from games.duplicate.operations.second import SlipReading
from games.duplicate.reading import SessionState
from games.models import DuplicateTurn, SecondReading
from tournament.models import Entry


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


def progress(found: SessionState, turn: DuplicateTurn, user_pk: int | None) -> SecondProgress:
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
