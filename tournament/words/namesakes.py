"""How a list calls two of one name, so that each finds the right table, and a director chooses the right one."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from django.db.models import Model
from django.utils.formats import date_format

from tournament.models import Division, Entry, Pairing, Player

Row = TypeVar("Row", bound=Model)


def called(entries: Iterable[Entry]) -> Mapping[int, str]:
    """What a list calls each of its entries, by id: the name, and where others share it the club besides, or the number
    where the club tells nobody apart. Entries come with names and clubs; no query.
    """
    return _told_apart(entries, lambda entry: entry.name, _club, lambda entry: entry.key)


def of_round(pairings: Iterable[Pairing]) -> Mapping[int, str]:
    """The same for everybody in these pairings, which come with their players."""
    return called(entry for pairing in pairings for entry in (pairing.first, pairing.second) if entry is not None)


def both(pairing: Pairing) -> tuple[str, str]:
    """The same for the two who meet at one table, the starter first; the empty text where nobody else is.

    Their clubs are read only where the two share a name.
    """
    names = of_round([pairing])
    return names[pairing.first.pk], names[pairing.second.pk] if pairing.second else ""


def meeting(pairing: Pairing) -> str:
    """Both names as the heading of their table has them; one name where nobody else is."""
    return " – ".join(filter(None, both(pairing)))


def choices(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """The entries to choose from, in their order: the key, and what each is called."""
    listed = list(entries)
    names = called(listed)
    return [(entry.key, names[entry.pk]) for entry in listed]


def of_register(players: Iterable[Player]) -> Mapping[int, str]:
    """The same for players of the register, who come with their clubs: the register's number where these are alike."""
    return _told_apart(players, lambda player: player.name, _club, lambda player: str(player.pk))


def of_events(divisions: Iterable[Division]) -> Mapping[int, str]:
    """The same for events, which come with their tournaments and the count of their `divisions`: the tournament's name,
    the division's where it is one of several; the day besides, or the address."""
    return _told_apart(divisions, _event, _day, lambda division: division.tournament.slug)


def _told_apart(rows: Iterable[Row], name: Callable[[Row], str], *marks: Callable[[Row], str]) -> Mapping[int, str]:
    """Each row's name, by id; where it is shared, the first of its marks besides that no namesake has, or the last."""
    everybody = {row.pk: row for row in rows}
    names = Counter(map(name, everybody.values()))
    shared = [row for row in everybody.values() if names[name(row)] > 1]
    marked = Counter((name(row), at, mark(row)) for row in shared for at, mark in enumerate(marks))

    def full(row: Row) -> str:
        if names[name(row)] == 1:
            return name(row)
        alone = (mark(row) for at, mark in enumerate(marks) if mark(row) and marked[name(row), at, mark(row)] == 1)
        return f"{name(row)} ({next(alone, marks[-1](row))})"

    return {pk: full(row) for pk, row in everybody.items()}


def _club(known: Entry | Player) -> str:
    return known.club.name if known.club else ""


def _event(division: Division) -> str:
    several = division.divisions > 1  # type: ignore[attr-defined]  # counted by the query
    return f"{division.tournament.name}, {division.name}" if several else division.tournament.name


def _day(division: Division) -> str:
    day = division.tournament.starts_on
    return date_format(day, "SHORT_DATE_FORMAT") if day else ""
