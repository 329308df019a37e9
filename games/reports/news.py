"""What tells a player's page whether anything has changed for this player: one text, worked out for all at once.

Five hundred phones ask every few seconds. If each had to load its page again whenever anybody reports, two processors
could not keep up: so a phone is told of its own game, its own reports, and of what concerns everybody.
"""

import threading
from collections import OrderedDict

from django.db.models import Count, Max

from games.models import GameReport
from tournament.models import Entry, Result, Round, Seat

KEPT = 4
"""Tournaments whose players' states are remembered in a process."""

_LOCK = threading.Lock()
_STATES: OrderedDict[int, tuple[int, dict[int, str], str]] = OrderedDict()
"""By tournament: the revision for which they hold, each player's state, and that of everybody else."""


def of(entry: Entry) -> str:
    """The state of a player (`tournament` fetched). No query while the tournament's revision stands; else five."""
    tournament = entry.tournament
    with _LOCK:
        kept = _STATES.get(tournament.pk)
        if kept is None or kept[0] != tournament.revision:
            kept = (tournament.revision, *_made(tournament.pk, ended=tournament.is_ended))
            _STATES[tournament.pk] = kept
            _STATES.move_to_end(tournament.pk)
            while len(_STATES) > KEPT:
                _STATES.popitem(last=False)
    own = f"{int(entry.present)}.{entry.withdrawn_after or 0}"
    return f"{kept[1].get(entry.pk, kept[2])}.{own}"


def _made(tournament: int, *, ended: bool) -> tuple[dict[int, str], str]:
    """Each player's state in the rounds that are being played, and the text for all others."""
    rounds = Round.objects.filter(division__tournament=tournament).public().aggregate(n=Count("pk"), last=Max("pk"))
    results = Result.objects.filter(pairing__round__division__tournament=tournament, official=True)
    before = results.filter(pairing__round__state=Round.State.CLOSED).aggregate(n=Count("pk"), last=Max("pk"))
    everybody = f"{int(ended)}.{rounds['n']}.{rounds['last'] or 0}.{before['n']}.{before['last'] or 0}"
    open_results = dict(results.filter(pairing__round__state=Round.State.PUBLISHED).values_list("pairing_id", "pk"))
    reported: dict[int, int] = dict(
        GameReport.objects.filter(pairing__round__division__tournament=tournament)
        .filter(pairing__round__state=Round.State.PUBLISHED)
        .values_list("pairing_id")
        .annotate(last=Max("pk"))
    )
    seats = Seat.objects.filter(round__division__tournament=tournament, round__state=Round.State.PUBLISHED)
    found: dict[int, str] = {}
    for entry, pairing in seats.order_by("pk").values_list("entry_id", "pairing_id"):
        own = f"{pairing}.{open_results.get(pairing, 0)}.{reported.get(pairing, 0)}"
        found[entry] = f"{found.get(entry, everybody)}.{own}"
    return found, everybody
