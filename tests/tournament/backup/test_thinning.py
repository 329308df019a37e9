"""Which backups go, and that nothing ever costs the newest ones."""

from datetime import date, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tournament.backup.places import (
    DAYS_KEPT,
    MOST_BYTES,
    NEWEST_KEPT,
    BackupName,
    BackupReason,
    find_superfluous_backups,
    thin_out_backups,
)

NOON = datetime(2026, 11, 22, 12)  # noqa: DTZ001  # local, as in a file's name


def name(number: int, at: datetime, reason: BackupReason = BackupReason.SCHEDULE, *, good: bool = True) -> BackupName:
    return BackupName(number, at, reason, "abcdef", is_good=good)


def days_long(days: int, a_day: int = 4) -> list[BackupName]:
    """So many backups on each of so many days, the newest at noon of the last."""
    first = NOON - timedelta(days=days - 1)
    times = [first + timedelta(days=day, hours=hour - a_day) for day in range(days) for hour in range(a_day)]
    return [name(number, at) for number, at in enumerate(times, 1)]


def left(found: list[BackupName]) -> list[BackupName]:
    return sorted(set(found) - set(find_superfluous_backups(found)))


def test_a_backup_that_is_deleted_at_this_moment_is_passed_over(tmp_path: Path) -> None:
    backups = days_long(DAYS_KEPT + 10)
    for backup in backups:
        (tmp_path / str(backup)).write_bytes(b"x")
    gone = tmp_path / str(name(1_000, NOON))
    gone.symlink_to(tmp_path / "nothing")  # listed in the folder, and not there when it is looked at

    thin_out_backups(tmp_path, "abcdef")

    assert sorted(path.name for path in tmp_path.iterdir() if path != gone) == [str(backup) for backup in left(backups)]


def test_all_of_today_stay() -> None:
    today = [name(number, NOON + timedelta(minutes=number)) for number in range(1, 101)]

    assert find_superfluous_backups(today) == []


def test_a_day_that_is_over_keeps_its_last_one() -> None:
    found = days_long(10)

    by_day: dict[date, int] = {}
    for each in left(found)[:-NEWEST_KEPT]:
        by_day[each.at.date()] = by_day.get(each.at.date(), 0) + 1

    assert set(by_day.values()) == {1}
    assert {each.at.date() for each in left(found)} == {each.at.date() for each in found}


def test_a_month_that_is_over_keeps_its_last_one() -> None:
    found = days_long(400, a_day=1)

    old = left(found)[:-DAYS_KEPT]

    assert [(each.at.year, each.at.month) for each in old] == sorted({(each.at.year, each.at.month) for each in old})
    assert {(each.at.year, each.at.month) for each in left(found)} == {(each.at.year, each.at.month) for each in found}


def test_made_before_a_step_stays_for_the_days() -> None:
    found = days_long(20)
    before = name(2, found[1].at, BackupReason.DELETION)

    assert before in left([each if each.number != 2 else before for each in found])


def test_a_clock_that_jumps_costs_nothing_of_the_newest() -> None:
    today = [name(number, NOON + timedelta(minutes=number)) for number in range(1, 16)]
    wrong = [name(16, NOON.replace(year=2099)), name(17, NOON.replace(year=1970))]

    assert find_superfluous_backups([*today, *wrong]) == []


def test_doubtful_ones_never_push_a_good_one_out() -> None:
    good = name(1, NOON)
    doubtful = [name(number, NOON + timedelta(days=number), good=False) for number in range(2, 200)]

    assert good in left([good, *doubtful])


def test_too_many_bytes_cost_the_oldest_made_by_the_clock() -> None:
    today = [name(number, NOON + timedelta(minutes=number)) for number in range(1, 41)]
    today[0] = name(1, today[0].at, BackupReason.ROUND_CLOSED)

    gone = find_superfluous_backups(today, dict.fromkeys(today, MOST_BYTES // 30))

    assert sorted(each.number for each in gone) == list(range(2, 12))


@given(
    st.lists(
        st.tuples(
            st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)),  # noqa: DTZ001  # local, as in a file's name
            st.sampled_from(BackupReason),
            st.booleans(),
        ),
        max_size=80,
    ),
    st.integers(0, MOST_BYTES),
)
def test_the_newest_good_one_always_stays(times: list[tuple[datetime, BackupReason, bool]], size: int) -> None:
    found = [name(number, at, reason, good=good) for number, (at, reason, good) in enumerate(times, 1)]

    gone = set(find_superfluous_backups(found, dict.fromkeys(found, size)))

    newest_good = [each for each in reversed(found) if each.is_good][:NEWEST_KEPT]
    assert not gone & set(newest_good)
    assert not set(find_superfluous_backups(sorted(set(found) - gone))), "twice thins out no more than once"
