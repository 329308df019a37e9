"""Who sits where when all play alone: seats numbered from 1, in rows of so many. Two sit beside each other if their
numbers follow one another within a row. Chance comes in as `rng`: the same one seats the same players alike."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

SWAPS = 400  # swaps that the search by chance tries; 150 players of which a third are of one club need some 30
TRIED_WHOLE = 8  # seats up to which every seating is tried where chance has found none


@dataclass(frozen=True, slots=True)
class SeatingWishes:
    """How many seats a `row` has, and who is not to sit beside whom: the pairs `apart` (a set of two keys each), and
    players of the same club, whose clubs are in `clubs` by player."""

    row: int
    apart: frozenset[frozenset[str]] = frozenset()
    clubs: Mapping[str, str] = field(default_factory=dict)

    def get_club_of_both(self, one: str, other: str) -> str:
        """The club that keeps two players apart; "" if none does."""
        club = self.clubs.get(one, "")
        # Two without a club both have "" here: that is no club in common.
        return club if club == self.clubs.get(other, "") else ""

    def keeps_apart(self, one: str, other: str) -> bool:
        """Whether two players are not to sit beside each other."""
        return frozenset((one, other)) in self.apart or bool(self.get_club_of_both(one, other))

    def list_neighbours(self, seat: int) -> list[int]:
        """The numbers of the seats beside a seat, whether or not there are so many."""
        return [near for near in (seat - 1, seat + 1) if near and (near - 1) // self.row == (seat - 1) // self.row]


@dataclass(frozen=True, slots=True)
class BrokenWish:
    """Two who sit beside each other and should not: at `seat` and the one after it. `club`: of both, "" if it is a
    wish for these two."""

    seat: int
    one: str
    other: str
    club: str = ""


def list_broken_wishes(seats: Mapping[str, int], wishes: SeatingWishes) -> list[BrokenWish]:
    """Which wishes a seating (player to seat) breaks, in the order of the seats."""
    players = {seat: player for player, seat in seats.items()}
    broken = []
    for seat in sorted(players):
        if seat + 1 in players and seat + 1 in wishes.list_neighbours(seat):
            one, other = players[seat], players[seat + 1]
            if wishes.keeps_apart(one, other):
                club = "" if frozenset((one, other)) in wishes.apart else wishes.get_club_of_both(one, other)
                broken.append(BrokenWish(seat, one, other, club))
    return broken


def choose_seat(player: str, taken: Mapping[str, int], seat_count: int, wishes: SeatingWishes) -> int | None:
    """The seat of somebody who comes while others sit (`taken`: player to seat): the lowest free one beside nobody
    whom they are not to sit beside, else the lowest free one; None if all are taken."""
    players = {seat: other for other, seat in taken.items()}
    free = [seat for seat in range(1, seat_count + 1) if seat not in players]
    return next((seat for seat in free if not _count_broken(seat, player, players, wishes)), free[0] if free else None)


def draw_seats(
    players: Sequence[str], taken: Mapping[str, int], seat_count: int, wishes: SeatingWishes, rng: Random
) -> dict[str, int]:
    """Seat `players` beside those who have a seat already (`taken`: player to seat), who keep it; return the new ones'
    seats. The lowest free seats are used; where the wishes cannot be kept there, all of them. Of up to `TRIED_WHOLE`
    seats the seating breaks as few wishes as any. Raises ValueError if there are fewer free seats than players."""
    occupied = set(taken.values())
    free = [seat for seat in range(1, seat_count + 1) if seat not in occupied]
    if len(free) < len(players):
        raise ValueError(f"{len(players)} players for {len(free)} seats")
    seating = _draw_among(players, free[: len(players)], taken, wishes, rng)
    broken = len(list_broken_wishes({**taken, **seating}, wishes))
    if broken and len(free) > len(players):
        wider = _draw_among(players, free, taken, wishes, rng)
        if len(list_broken_wishes({**taken, **wider}, wishes)) < broken:
            return wider
    return seating


def _draw_among(
    players: Sequence[str], seats: Sequence[int], taken: Mapping[str, int], wishes: SeatingWishes, rng: Random
) -> dict[str, int]:
    """Seat everybody among these seats by chance, then swap while that breaks fewer wishes."""
    occupants: list[str | None] = [*players, *[None] * (len(seats) - len(players))]
    rng.shuffle(occupants)
    at: dict[int, str | None] = {seat: player for player, seat in taken.items()}
    at |= zip(seats, occupants, strict=True)
    for _swap in range(SWAPS):
        ill = [seat for seat in seats if _count_broken(seat, at[seat], at, wishes)]
        if not ill:
            break
        one = rng.choice(ill)
        # Of equal swaps one by chance: always the nearest would be taken back by the next.
        gains = [(_weigh_swap(one, other, at, wishes), rng.random(), other) for other in seats if other != one]
        # A swap that gains nothing is made as well: it leads out of a seating that no single swap makes better.
        if not gains or min(gains)[0] > 0:
            continue
        other = min(gains)[2]
        at[one], at[other] = at[other], at[one]
    else:
        # Reached by `for … else` only, once all swaps are spent: among few seats chance may miss the only seating that
        # breaks nothing.
        if len(seats) <= TRIED_WHOLE:
            at |= _try_all(occupants, seats, at, wishes)
    return {player: seat for seat in seats if (player := at[seat]) is not None}


def _count_broken(seat: int, player: str | None, at: Mapping[int, str | None], wishes: SeatingWishes) -> int:
    """How many of those beside a seat are not to sit beside this player."""
    if player is None:
        return 0
    beside = (at.get(near) for near in wishes.list_neighbours(seat))
    return sum(near is not None and wishes.keeps_apart(player, near) for near in beside)


def _weigh_swap(one: int, other: int, at: dict[int, str | None], wishes: SeatingWishes) -> int:
    """How many wishes more are broken if the occupants of two seats change places; below 0 for fewer. Two who sit
    beside each other are counted twice before and after, which comes to nothing."""
    before = sum(_count_broken(seat, at[seat], at, wishes) for seat in (one, other))
    at[one], at[other] = at[other], at[one]
    after = sum(_count_broken(seat, at[seat], at, wishes) for seat in (one, other))
    at[one], at[other] = at[other], at[one]
    return after - before


def _try_all(
    occupants: Iterable[str | None], seats: Sequence[int], at: Mapping[int, str | None], wishes: SeatingWishes
) -> dict[int, str | None]:
    """Of all seatings of these occupants the first that breaks the fewest wishes."""
    fixed = {seat: player for seat, player in at.items() if seat not in seats}
    best: dict[int, str | None] = {}
    fewest: int | None = None
    for broken, seating in _iterate_seatings(list(occupants), list(seats), fixed, wishes):
        if fewest is None or broken < fewest:
            best, fewest = seating, broken
    return best


def _iterate_seatings(
    occupants: list[str | None], seats: list[int], at: dict[int, str | None], wishes: SeatingWishes
) -> Iterator[tuple[int, dict[int, str | None]]]:
    """Every seating of the occupants, with how many wishes it breaks; an empty seat is like any other."""
    if not seats:
        yield 0, {}
        return
    seat, *others = seats
    for player in dict.fromkeys(occupants):
        rest = occupants.copy()
        rest.remove(player)
        broken = _count_broken(seat, player, at, wishes)
        for more, seating in _iterate_seatings(rest, others, {**at, seat: player}, wishes):
            yield broken + more, {seat: player, **seating}
