"""Reads for the director's own pages. Each says how many queries it takes; none depends on the field's size."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet

from tournament.models import Absence, Division, Entry, KeptApart, Organiser, Player, Round, Tournament

MOST_OFFERED = 1000
"""How many known players the page offers while a name is typed."""


def listed(organiser: Organiser) -> QuerySet[Tournament]:
    """The tournaments of an organiser, newest first, with `entered` players and the last round `published`."""
    return (
        Tournament.objects.filter(organiser=organiser)
        .annotate(
            entered=Count("entries", filter=Q(entries__withdrawn_after=None), distinct=True),
            published=Max(
                "divisions__rounds__number",
                filter=Q(divisions__rounds__stage=None) & ~Q(divisions__rounds__state=Round.State.DRAFT),
            ),
        )
        .newest_first()
    )


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry as the director sees it, with the rounds that it will miss."""

    entry: Entry
    misses: tuple[int, ...]


def entry_rows(division: Division, entries: Iterable[Entry]) -> list[EntryRow]:
    """The given entries of a division with the rounds they will miss. One query."""
    misses: dict[int, list[int]] = defaultdict(list)
    said = Absence.objects.filter(entry__division=division).order_by("number", "pk")
    for entry, number in said.values_list("entry_id", "number"):
        misses[entry].append(number)
    return [EntryRow(entry, tuple(misses[entry.pk])) for entry in entries]


def offered(tournament: Tournament) -> list[Player]:
    """Players of the register who are not entered yet, by name; at most `MOST_OFFERED`. One query."""
    register = Player.objects.filter(organiser=tournament.organiser_id)
    known = register.exclude(entries__tournament=tournament).select_related("club").by_name()
    return list(known[:MOST_OFFERED])


def kept_apart(entry: Entry) -> list[tuple[KeptApart, Entry]]:
    """Whom an entry is kept apart from, by name. One query."""
    pairs = KeptApart.objects.filter(Q(one=entry) | Q(other=entry)).select_related("one__player", "other__player")
    found = [(pair, pair.other if pair.one_id == entry.pk else pair.one) for pair in pairs.order_by("pk")]
    return sorted(found, key=lambda item: item[1].player.sort_name)


def counted_divisions(tournament: Tournament) -> list[Division]:
    """The divisions in order, each with how many players are `entered`. One query."""
    return list(tournament.divisions.annotate(entered=Count("entries")).order_by("position", "pk"))
