"""What a player does now: the game to be played, else the last thing published about them."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Prefetch

from tournament.models import Entry, Pairing, Round, Seat, Tournament
from tournament.queries import public_view


@dataclass(frozen=True, slots=True)
class Playing:
    """A player's place in a public round, seen from their side: the first game that is open, else the last one.

    `is_held`: whether there is a result is not seen yet.
    """

    pairing: Pairing
    is_first: bool
    opponent: Entry | None
    is_held: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the game is still to be played or its result is missing."""
        return self.pairing.kind == Pairing.Kind.GAME and self.pairing.result is None and not self.is_held

    @property
    def own(self) -> int | None:
        """The player's score, if there is one."""
        result = self.pairing.result
        return None if result is None else result.first_points if self.is_first else result.second_points

    @property
    def other(self) -> int | None:
        """The opponent's score, if there is one."""
        result = self.pairing.result
        return None if result is None else result.second_points if self.is_first else result.first_points


def playing(entry: Entry) -> Playing | None:
    """Where the player sits, knock-out included; None before their first round is public. Four queries."""
    return current(rounds_of(entry))


def rounds_of(entry: Entry) -> list[Playing]:
    """All that was published of a player, knock-out included, in order. Four queries."""
    found = Pairing.objects.filter(public_view.rounds("round"), seats__entry=entry)
    found = found.exclude(round__state=Round.State.DRAFT)
    found = found.select_related("round__division__tournament", "round__division__knockout").with_players()
    found = found.with_results(public_view.results())
    return [seen(pairing, entry) for pairing in found.order_by("round__number", "pk")]


def rounds_of_all(tournament: Tournament, entries: Mapping[int, Entry]) -> dict[int, list[Playing]]:
    """All that was published of each of a tournament's players, by entry. Five queries.

    Each of them reads it, and knows what came of their own games whatever others may see of these. The pairings come
    without the reasons for them.
    """
    rounds = {round.pk: round for round in _public_rounds(tournament)}
    found = Pairing.objects.filter(round__in=rounds.keys()).defer("why", "flags").with_results()
    found = found.prefetch_related(Prefetch("seats", queryset=Seat.objects.order_by("side")))
    shown: dict[int, list[Playing]] = {}
    for pairing in found.order_by("round__number", "pk"):
        pairing.round = rounds[pairing.round_id]
        seats = list(pairing.seats.all())
        for seat in seats:
            seat.entry = entries[seat.entry_id]
        for seat in seats:
            shown.setdefault(seat.entry_id, []).append(seen(pairing, seat.entry, own=True))
    return shown


def _public_rounds(tournament: Tournament) -> list[Round]:
    rounds = Round.objects.filter(public_view.rounds(), division__tournament=tournament).public()
    return list(rounds.select_related("division__tournament", "division__knockout"))


def current(shown: list[Playing]) -> Playing | None:
    """The first game that is open, else the last round. No query."""
    return next((each for each in shown if each.is_open), shown[-1] if shown else None)


def seen(pairing: Pairing, entry: Entry, *, own: bool = False) -> Playing:
    """A pairing from the side of one of its players (`with_players`, `with_results`). No query."""
    is_first = pairing.first.pk == entry.pk
    is_held = not own and pairing.kind == Pairing.Kind.GAME and not public_view.sight(pairing.round).results
    return Playing(pairing, is_first, pairing.second if is_first else pairing.first, is_held)
