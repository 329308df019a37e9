"""What tells a player's page whether anything has changed for this player: one text, worked out for all at once.

Five hundred phones ask every few seconds. If each had to load its page again whenever anybody reports, two processors
could not keep up: so a phone is told of its own game, its own reports, and of what concerns everybody.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max
from django.utils import timezone

from games.models import GameReport
from tournament.models import Entry, Result, Round, Seat, Tournament
from tournament.queries import public_view

KEPT = 4
"""Tournaments whose players' states are remembered in a process."""


@dataclass(frozen=True, slots=True)
class States:
    """Each player's state by the key of their entry, and for what they hold: a revision, until the next of the moments
    comes at which more of a round is shown by itself."""

    revision: int
    moments: tuple[datetime, ...]
    come: int
    by_key: dict[str, str]

    def holds(self, revision: int) -> bool:
        """Whether they are still true."""
        return self.revision == revision and self.come == public_view.come(self.moments, timezone.now())


_LOCK = threading.Lock()
_STATES: OrderedDict[int, States] = OrderedDict()


def of(entry: Entry) -> str:
    """The state of a player (`tournament` fetched). No query while the tournament's revision stands; else seven."""
    return of_all(entry.tournament).get(str(entry.pk), "")


def of_all(tournament: Tournament) -> dict[str, str]:
    """The state of each player of a tournament as it was fetched, by the key of their entry."""
    with _LOCK:
        kept = _STATES.get(tournament.pk)
        if kept is None or not kept.holds(tournament.revision):
            kept = _found(tournament)
            _STATES[tournament.pk] = kept
            _STATES.move_to_end(tournament.pk)
            while len(_STATES) > KEPT:
                _STATES.popitem(last=False)
        return kept.by_key


def _found(tournament: Tournament) -> States:
    view = public_view.of(tournament)
    come = public_view.come(view.dated, view.at)
    states = _made(tournament.pk, ended=tournament.is_ended, come=come)
    return States(tournament.revision, view.dated, come, states)


def _made(tournament: int, *, ended: bool, come: int) -> dict[str, str]:
    """What concerns everybody, each player's games of the rounds that are being played, and themselves."""
    rounds = Round.objects.filter(division__tournament=tournament).public().aggregate(n=Count("pk"), last=Max("pk"))
    results = Result.objects.filter(pairing__round__division__tournament=tournament, official=True)
    before = results.filter(pairing__round__state=Round.State.CLOSED).aggregate(n=Count("pk"), last=Max("pk"))
    everybody = f"{come}.{int(ended)}.{rounds['n']}.{rounds['last'] or 0}.{before['n']}.{before['last'] or 0}"
    entries = Entry.objects.filter(tournament=tournament).values_list("pk", "present", "withdrawn_after")
    found = {pk: f"{everybody}.{int(present)}.{gone or 0}" for pk, present, gone in entries}
    open_results = dict(results.filter(pairing__round__state=Round.State.PUBLISHED).values_list("pairing_id", "pk"))
    reported: dict[int, int] = dict(
        GameReport.objects.filter(pairing__round__division__tournament=tournament)
        .filter(pairing__round__state=Round.State.PUBLISHED)
        .values_list("pairing_id")
        .annotate(last=Max("pk"))
    )
    seats = Seat.objects.filter(round__division__tournament=tournament, round__state=Round.State.PUBLISHED)
    for entry, pairing in seats.order_by("pk").values_list("entry_id", "pairing_id"):
        found[entry] += f".{pairing}.{open_results.get(pairing, 0)}.{reported.get(pairing, 0)}"
    return {str(pk): state for pk, state in found.items()}
