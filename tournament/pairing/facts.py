"""What is true of a round when it is drawn: everything that a reason may speak of, in plain values.

`predicates` says of a reason and these facts whether it holds; `explaining` proposes reasons and keeps those that do.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tournament.pairing.values import ByePolicy, Method, Unless

Both = frozenset[int]


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody who takes part in the round, before it.

    `order`: the place in which the method sees the player, 1 the best, no two alike. `rank`: as the table shows it;
    None where it does not, or there is no table. `seeding`: place before the first round. `course`: for each game with
    a known starter, in order, whether the player started.
    """

    order: int
    half_wins: int = 0
    rank: int | None = None
    seeding: int | None = None
    rated: bool = False
    club: Hashable | None = None
    byes: int = 0
    course: tuple[bool, ...] = ()

    @property
    def starts(self) -> int:
        return sum(self.course)

    @property
    def replies(self) -> int:
        return len(self.course) - sum(self.course)


@dataclass(frozen=True)
class Seating:
    """A pair of the round, or a bye, and whose work it is.

    `by_hand`: the director has put these two together. `locked`: the director has told the draw to keep the pair.
    `group`: the schedule's group whose game it is. `starter_set`: the director has said who starts.
    """

    first: int
    second: int | None = None
    by_hand: bool = False
    locked: bool = False
    group: int | None = None
    starter_set: bool = False

    @cached_property
    def keys(self) -> Both:
        return frozenset(key for key in (self.first, self.second) if key is not None)

    @property
    def fixed(self) -> bool:
        """Whether the director is behind the pair."""
        return self.by_hand or self.locked

    @property
    def free(self) -> bool:
        """Whether the program had a choice."""
        return not self.fixed and self.group is None


@dataclass(frozen=True, slots=True)
class Cost:
    """What stands first when pairings are compared, as sums over the free pairs.

    `forbidden`: pairs who are kept apart. `byes`: squares of the byes had by those who get one. `repeats`: for each
    pair twice the square of their games, one more if the last was in the round before. `score`: squares of the
    differences in half wins; 0 where the method does not look at the score.
    """

    forbidden: int
    byes: int
    repeats: int
    score: int


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of the pairings that were not chosen, the pairs that are not free staying as they are.

    `best`: the least cost of any complete pairing, compared from the left. `least_score`: the least `score` among those
    of that cost with the byes that were given. `unless`: if any one of these were given up, nobody would meet again;
    None: not known. `apart_unless`: the same, and no two who are kept apart would meet. `left_over`: of those with at
    least so many half wins (True), or fewer (False), how many are left over when as many as possible are paired among
    themselves without a repeat; the second figure without kept-apart pairs as well. `repeat_with_bye`: if any one of
    these players had the bye, somebody would meet again.
    """

    best: Cost | None = None
    least_score: int | None = None
    unless: frozenset[Unless] | None = None
    apart_unless: frozenset[Unless] | None = None
    left_over: Mapping[tuple[int, bool], tuple[int, int]] = field(default_factory=dict)
    repeat_with_bye: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Facts:
    """A round as it is drawn. What every pair asks for is worked out once: a thousand players ask often.

    `players`: everybody who takes part, by key. `games`: the rounds in which two have played each other, ascending.
    `last_starter`: who started the last of those games that is known to have a starter. `by_score`: whether the free
    pairs were chosen by the score. `repeats`: whether these cost nothing. `looked_ahead`: the players who are paired
    otherwise for the rounds to come.
    """

    players: Mapping[int, Participant]
    pairs: tuple[Seating, ...]
    games: Mapping[Both, tuple[int, ...]] = field(default_factory=dict)
    last_starter: Mapping[Both, int] = field(default_factory=dict)
    apart: frozenset[Both] = frozenset()
    groups: tuple[tuple[int, ...], ...] = ()
    method: Method = Method.SWISS
    by_score: bool = True
    round: int = 1
    rounds: int = 1
    repeats: bool = False
    clubs_apart: bool = False
    drawn_at_table: bool = False
    factor: int = 2
    bye_policy: ByePolicy = ByePolicy.LOWEST
    looked_ahead: frozenset[int] = frozenset()
    proof: Proof = field(default_factory=Proof)

    def pair_of(self, key: int) -> Seating | None:
        """The pair that the player belongs to."""
        return self._pairs_by_key.get(key)

    @cached_property
    def _pairs_by_key(self) -> dict[int, Seating]:
        return {key: pair for pair in self.pairs for key in pair.keys}

    @cached_property
    def in_order(self) -> list[int]:
        """Everybody, the best first."""
        return sorted(self.players, key=lambda key: self.players[key].order)

    @cached_property
    def is_ranked(self) -> bool:
        """Whether there is a table that shows ranks."""
        return any(player.rank is not None for player in self.players.values())

    @cached_property
    def playing(self) -> list[int]:
        """Everybody with a game, the best first."""
        busy = {key for pair in self.pairs if pair.second is not None for key in pair.keys}
        return [key for key in self.in_order if key in busy]

    def score_group(self, half_wins: int) -> list[int]:
        """Everybody with this score, the best first."""
        return self._score_groups.get(half_wins, [])

    @cached_property
    def _score_groups(self) -> dict[int, list[int]]:
        groups: dict[int, list[int]] = {}
        for key in self.in_order:
            groups.setdefault(self.players[key].half_wins, []).append(key)
        return groups

    @cached_property
    def unfixed(self) -> list[int]:
        """Everybody in a game that the program chose, the best first."""
        chosen = {key for pair in self.pairs if pair.free and pair.second is not None for key in pair.keys}
        return [key for key in self.in_order if key in chosen]

    @cached_property
    def level(self) -> frozenset[int]:
        """Everybody in a game that the program chose inside a score group."""
        inside = (pair for pair in self.pairs if pair.free and pair.second is not None and self.gap(pair) == 0)
        return frozenset(key for pair in inside for key in pair.keys)

    def crossing(self, half_wins: int) -> list[Seating]:
        """The games of somebody with at least so many half wins against somebody with fewer."""
        return [
            pair
            for pair in self.pairs
            if pair.second is not None
            and (self.players[pair.first].half_wins >= half_wins) != (self.players[pair.second].half_wins >= half_wins)
        ]

    def met(self, one: int, other: int) -> tuple[int, ...]:
        """The rounds in which the two have played each other."""
        return self.games.get(frozenset((one, other)), ())

    def cost(self) -> Cost:
        """What the free pairs of the round cost."""
        free = [pair for pair in self.pairs if pair.free]
        games = [pair for pair in free if pair.second is not None]
        return Cost(
            forbidden=sum(pair.keys in self.apart for pair in games),
            byes=sum(self.players[pair.first].byes ** 2 for pair in free if pair.second is None),
            repeats=0 if self.repeats else sum(self._again(pair) for pair in games),
            score=sum(self.gap(pair) ** 2 for pair in games) if self.by_score else 0,
        )

    def gap(self, pair: Seating) -> int:
        """How many half wins lie between the two; 0 for a bye."""
        if pair.second is None:
            return 0
        return abs(self.players[pair.first].half_wins - self.players[pair.second].half_wins)

    def _again(self, pair: Seating) -> int:
        rounds = self.games.get(pair.keys, ())
        return 2 * len(rounds) ** 2 + (rounds[-1] == self.round - 1) if rounds else 0
