"""How a list calls two players of one name, so that each finds the right table."""

from collections import Counter
from collections.abc import Iterable, Mapping

from tournament.models import Entry, Pairing


def called(entries: Iterable[Entry]) -> Mapping[int, str]:
    """What a list calls each of its entries, by id: the name, and where others share it the club besides, or the number
    where the club tells nobody apart. Entries come with names and clubs; no query.
    """
    everybody = {entry.pk: entry for entry in entries}
    names = Counter(entry.name for entry in everybody.values())
    clubs = Counter((entry.name, _club(entry)) for entry in everybody.values() if names[entry.name] > 1)
    return {pk: _called(entry, names, clubs) for pk, entry in everybody.items()}


def of_round(pairings: Iterable[Pairing]) -> Mapping[int, str]:
    """The same for everybody in these pairings, which come with their players."""
    return called(entry for pairing in pairings for entry in (pairing.first, pairing.second) if entry is not None)


def _called(entry: Entry, names: Counter[str], clubs: Counter[tuple[str, str]]) -> str:
    if names[entry.name] == 1:
        return entry.name
    club = _club(entry)
    return f"{entry.name} ({club if club and clubs[entry.name, club] == 1 else entry.key})"


def _club(entry: Entry) -> str:
    return entry.club.name if entry.club else ""
