"""Which backups are kept: all of today, then the last of each day, then the last of each month.

Days are those on which there are backups, and the order is that of their numbers: a clock that is wrong for an hour
costs nothing.
"""

from collections.abc import Iterable, Mapping, Sequence

from tournament.laptop.backup.places import BackupName
from tournament.laptop.backup.values import BackupReason

NEWEST = 20
"""So many of the newest are kept whatever their time says."""
DAYS = 30
MOST_BYTES = 4 * 1024**3
"""Beyond this the oldest of today that were made by the clock go, before the disk is full."""
ORDINARY = frozenset(
    {BackupReason.SCHEDULE, BackupReason.START, BackupReason.STOP, BackupReason.ROUND_CLOSED, BackupReason.UNDO}
)
"""Of these one a day is enough, once the day is over; those made before a step are kept for `DAYS`."""


def superfluous(backups: Iterable[BackupName], sizes: Mapping[BackupName, int] | None = None) -> list[BackupName]:
    """The backups that may go. Doubtful ones never take the place of good ones; the last good one always stays."""
    found = sorted(backups, reverse=True)
    good = [each for each in found if each.is_good]
    doubtful = [each for each in found if not each.is_good]
    kept = _kept(good) | _kept(doubtful)
    kept -= _too_many_bytes([each for each in found if each in kept], sizes or {})
    return [each for each in found if each not in kept]


def _kept(newest_first: Sequence[BackupName]) -> set[BackupName]:
    days: dict[object, list[BackupName]] = {}
    months: dict[object, BackupName] = {}
    for each in newest_first:
        days.setdefault(each.at.date(), []).append(each)
        months.setdefault((each.at.year, each.at.month), each)
    kept = {*newest_first[:NEWEST], *months.values()}
    for number, of_day in enumerate(list(days.values())[:DAYS]):
        kept.add(of_day[0])
        kept.update(each for each in of_day if number == 0 or each.reason not in ORDINARY)
    return kept


def _too_many_bytes(newest_first: Sequence[BackupName], sizes: Mapping[BackupName, int]) -> set[BackupName]:
    """Those made by the clock that must go so that the rest fits into `MOST_BYTES`, the oldest first."""
    total = sum(sizes.get(each, 0) for each in newest_first)
    going: set[BackupName] = set()
    for each in reversed(newest_first[NEWEST:]):
        if total <= MOST_BYTES:
            break
        if each.reason is BackupReason.SCHEDULE:
            going.add(each)
            total -= sizes.get(each, 0)
    return going
