"""What a player does now: the game to be played, else the last thing published about them."""

from dataclasses import dataclass

from tournament.models import Entry, Pairing, Round


@dataclass(frozen=True, slots=True)
class Playing:
    """A player's place in a public round, seen from their side: the first game that is open, else the last one."""

    pairing: Pairing
    is_first: bool
    opponent: Entry | None

    @property
    def is_open(self) -> bool:
        """Whether the game is still to be played or its result is missing."""
        return self.pairing.kind == Pairing.Kind.GAME and self.pairing.result is None

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
    found = Pairing.objects.filter(seats__entry=entry).exclude(round__state=Round.State.DRAFT)
    found = found.select_related("round__division__tournament", "round__division__knockout")
    return [seen(pairing, entry) for pairing in found.with_players().with_results().order_by("round__number", "pk")]


def current(shown: list[Playing]) -> Playing | None:
    """The first game that is open, else the last round. No query."""
    return next((each for each in shown if each.is_open), shown[-1] if shown else None)


def seen(pairing: Pairing, entry: Entry) -> Playing:
    """A pairing from the side of one of its players (`with_players`, `with_results`). No query."""
    is_first = pairing.first.pk == entry.pk
    return Playing(pairing, is_first, pairing.second if is_first else pairing.first)
