"""An event written down a second time: what is true of a round, worked out from its games without the product's code.

Every complete pairing of a small field is looked at, so that claims about pairings not chosen can be checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import networkx as nx

from scoring.simulation import Situation, simulate_endings
from tournament.pairing.contention import Hopes
from tournament.pairing.facts import PairingCost, PairingProof, Participant, RoundFacts
from tournament.pairing.values import (
    ChosenPair,
    ClaimCondition,
    Competitor,
    Draft,
    DraftPair,
    DrawRequest,
    Meeting,
    PairFlag,
    StarterReason,
)

Both = frozenset[int]


@dataclass(slots=True)
class Game:
    """A line of the ledger: who met whom when, and how it went. Without an opponent it is a bye."""

    round: int
    first: int
    second: int | None
    margin: int = 50
    begun: bool = True
    start_known: bool = True


@dataclass(slots=True)
class Ledger:
    """Who takes part, with rating and club, and every game so far."""

    ratings: dict[int, int | None]
    clubs: dict[int, int | None]
    games: list[Game] = field(default_factory=list)

    def half_wins(self, key: int) -> int:
        return sum(1 + (margin > 0) - (margin < 0) for margin in self._margins(key))

    def spread(self, key: int) -> int:
        return sum(self._margins(key))

    def _margins(self, key: int) -> Iterator[int]:
        for game in self.games:
            if key == game.first:
                yield game.margin
            elif key == game.second:
                yield -game.margin

    def byes(self, key: int) -> int:
        return [game.first for game in self.games if game.second is None].count(key)

    def course(self, key: int) -> tuple[bool, ...]:
        played = [game for game in sorted(self.games, key=lambda game: game.round) if game.second is not None]
        mine = [game for game in played if key in (game.first, game.second) and game.begun and game.start_known]
        return tuple(game.first == key for game in mine)

    def met(self) -> dict[Both, tuple[int, ...]]:
        found: dict[Both, list[int]] = {}
        for game in sorted(self.games, key=lambda game: game.round):
            if game.second is not None and game.begun:
                found.setdefault(frozenset((game.first, game.second)), []).append(game.round)
        return {both: tuple(rounds) for both, rounds in found.items()}

    def last_starter(self) -> dict[Both, int]:
        played = [game for game in sorted(self.games, key=lambda game: game.round) if game.second is not None]
        return {frozenset((g.first, g.second or 0)): g.first for g in played if g.begun and g.start_known}

    def table(self) -> list[int]:
        """Everybody, the best first."""
        return sorted(self.ratings, key=lambda key: (-self.half_wins(key), -self.spread(key), key))

    def ranks(self) -> dict[int, int | None]:
        """The ranks that a table shows: level players share one, and whoever has not been there has none."""
        if not self.games:
            return {}
        seen = {key for game in self.games for key in (game.first, game.second)}
        there = [key for key in self.table() if key in seen]
        figures = [(self.half_wins(key), self.spread(key)) for key in there]
        return {key: figures.index(figure) + 1 for key, figure in zip(there, figures, strict=True)}

    def seeding(self) -> dict[int, int]:
        rated = sorted(self.ratings, key=lambda key: (-(self.ratings[key] or 0), key))
        return {key: place for place, key in enumerate(rated, 1)}

    def request(self, present: set[int], **wishes: Any) -> DrawRequest:
        """What the product is asked."""
        ranks, seeding = self.ranks(), self.seeding()
        order = [key for key in self.table() if key in present]
        return DrawRequest(
            competitors=tuple(
                Competitor(
                    key,
                    place,
                    self.half_wins(key),
                    self.ratings[key],
                    seeding[key],
                    self.clubs[key],
                    listed=ranks.get(key),
                )
                for place, key in enumerate(order, 1)
            ),
            meetings=tuple(
                Meeting(game.round, game.first, game.second, game.start_known and game.begun, played=game.begun)
                for game in self.games
            ),
            **wishes,
        )

    def facts(self, request: DrawRequest, draft: Draft, given: Mapping[Both, ChosenPair]) -> RoundFacts:
        """What is true of the round that the product has drafted; `given` are the pairs that the director has set."""
        ranks, seeding = self.ranks(), self.seeding()
        present = [one.key for one in request.competitors]
        order = [key for key in self.table() if key in present]
        facts = RoundFacts(
            request,
            players={
                key: Participant(
                    order=place,
                    half_wins=self.half_wins(key),
                    rank=ranks.get(key),
                    seeding=seeding[key],
                    rated=self.ratings[key] is not None,
                    club=self.clubs[key],
                    byes=self.byes(key),
                    course=self.course(key),
                )
                for place, key in enumerate(order, 1)
            },
            pairs=tuple(_pair(pair, given) for pair in draft.pairs),
            games=self.met(),
            last_starter=self.last_starter(),
            by_score=request.method not in ("australian", "factor", "random", "manual"),
            groups=draft.groups,
            looked_ahead=frozenset(draft.ahead.keys if draft.ahead else ()),
            hopes=self.hopes(request),
        )
        return _proven(facts)

    def hopes(self, request: DrawRequest) -> Hopes | None:
        """Who still hopes, of 4,000 endings, counted one by one."""
        contest = request.contest
        if contest is None or request.method != "contention":
            return None
        keys, present = [row.key for row in contest.table], {one.key for one in request.competitors}
        balance = {key: 2 * self.course(key).count(True) - len(self.course(key)) for key in keys}
        rest = Situation(
            tuple(self.half_wins(key) for key in keys),
            tuple(self.spread(key) for key in keys),
            caps=tuple(min(cap or 250, 250) for cap in contest.caps),
            playing=tuple(key in present for key in keys),
            byes=tuple(self.byes(key) for key in keys),
            starts=tuple(balance[key] for key in keys),
            balanced=request.starts == "balanced",
        )
        ended = simulate_endings(rest, 4000, request.seed)
        scores = [
            list(zip(*row, strict=True)) for row in zip(ended.half_wins.tolist(), ended.spread.tolist(), strict=True)
        ]
        ahead = [[sum(other > mine for other in run) for mine in run] for run in scores]
        shares = {
            key: tuple(sum(run[at] < place for run in ahead) / 4000 for place in range(1, contest.places + 1))
            for at, key in enumerate(keys)
        }
        return Hopes(shares, 4000, 0.1 if len(contest.caps) < 3 else 0.05 if len(contest.caps) == 3 else 0.02)


def _pair(drawn: DraftPair, given: Mapping[Both, ChosenPair]) -> DraftPair:
    first, second, group = drawn.first, drawn.second, drawn.group
    said = given.get(frozenset(key for key in (first, second) if key is not None))
    flags: tuple[PairFlag, ...] = (
        (said.flag,) if said is not None and said.flag in (PairFlag.MANUAL, PairFlag.LOCKED) else ()
    )
    flags += (PairFlag.CONTENDER,) if PairFlag.CONTENDER in drawn.flags else ()
    by_hand = said is not None and said.starter_by == "hand" and said.first == first
    return DraftPair(None, first, second, flags, StarterReason.HAND if by_hand else None, group=group)


def _proven(facts: RoundFacts) -> RoundFacts:
    free = sorted(key for pair in facts.pairs if pair.free for key in pair.keys)
    fixed = [key for pair in facts.pairs if pair.fixed for key in pair.keys]
    if any(pair.group is not None for pair in facts.pairs):
        return replace(facts, proof=PairingProof(left_over=_left_over(facts)))
    alone = Field(facts, free)
    resting = [pair.first for pair in facts.pairs if pair.free and pair.second is None]
    best = alone.least("forbidden", "byes", "repeats")
    same = [each for each in alone.pairings() if each.costs(*FIRST) == best and each.resting == resting]
    same = [each for each in same if each.cost("starts") == min(other.cost("starts") for other in same)]
    everybody = Field(facts, sorted(free + fixed))
    proof = PairingProof(
        best=PairingCost(best[0], best[1], best[2], 0, 0),
        least_score=min((each.cost("score") for each in same), default=None),
        unless=_unless(alone, everybody) if best[2] else None,
        apart_unless=frozenset(x for x in [ClaimCondition.LOCKED] if fixed and not everybody.least("forbidden")[0]),
        left_over=_left_over(facts),
        repeat_with_bye=frozenset(key for key in free if not _without_repeat(everybody, key)),
    )
    return replace(facts, proof=proof)


FIRST = ("forbidden", "byes", "repeats")


def _unless(alone: Field, everybody: Field) -> frozenset[ClaimCondition] | None:
    ways = {
        ClaimCondition.KEPT_APART: alone.least("byes", "repeats")[-1],
        ClaimCondition.SECOND_BYE: alone.least("forbidden", "repeats")[-1],
        ClaimCondition.LOCKED: everybody.least(*FIRST)[-1],
    }
    helping = frozenset(way for way, repeats in ways.items() if not repeats)
    return None if not helping and not everybody.least("repeats")[0] else helping


def _without_repeat(everybody: Field, key: int) -> bool:
    """Whether nobody need meet again if the player has the bye."""
    return any(each.resting == [key] and not each.meets_again() for each in everybody.pairings())


def _left_over(facts: RoundFacts) -> dict[tuple[int, bool], tuple[int, int]]:
    playing = {key for pair in facts.pairs if pair.second is not None for key in pair.keys}
    bound = {key for pair in facts.pairs if not pair.free for key in pair.keys}
    found = {}
    for boundary in {facts.players[key].half_wins for key in playing}:
        above = {key for key in playing if facts.players[key].half_wins >= boundary}
        for side, keys in ((True, above), (False, playing - above)):
            if keys and not keys & bound:
                found[boundary, side] = _unmatched(keys, facts, ()), _unmatched(keys, facts, facts.apart)
    return found


def _unmatched(keys: set[int], facts: RoundFacts, apart: Any) -> int:
    graph = nx.Graph()
    graph.add_nodes_from(keys)
    pairs = (frozenset((one, other)) for one in keys for other in keys if one < other)
    graph.add_edges_from(tuple(both) for both in pairs if both not in facts.games and both not in apart)
    return len(keys) - 2 * len(nx.max_weight_matching(graph, maxcardinality=True))


@dataclass(frozen=True, slots=True)
class Complete:
    """One complete pairing of a field."""

    facts: RoundFacts
    pairs: tuple[tuple[int, int | None], ...]

    @property
    def resting(self) -> list[int]:
        return [one for one, other in self.pairs if other is None]

    def costs(self, *names: str) -> tuple[int, ...]:
        return tuple(self.cost(name) for name in names)

    def cost(self, name: str) -> int:
        players = self.facts.players
        if name == "byes":
            return sum(players[key].byes ** 2 for key in self.resting)
        games = [(one, other) for one, other in self.pairs if other is not None]
        if name == "forbidden":
            return sum(frozenset(both) in self.facts.apart for both in games)
        if name == "starts":
            free = sum(1 + (other is not None) for _one, other in self.pairs)
            weighs = free >= 10 and self.facts.request.method in ("swiss", "groups", "random", "contention", "teams")
            return sum(self._uneven(*both) for both in games) if weighs else 0
        if name == "score":
            return sum((players[one].half_wins - players[other].half_wins) ** 2 for one, other in games)
        return 0 if self.facts.request.repeats else sum(self._again(frozenset(both)) for both in games)

    def _uneven(self, one: int, other: int) -> int:
        """What is beyond one start more or less, if the one starts for whom that is better."""
        first, second = (
            sum(1 if started else -1 for started in self.facts.players[key].course) for key in (one, other)
        )
        ways = [(abs(first + turn), abs(second - turn)) for turn in (1, -1)]
        return min(sum(max(0, each - 1) for each in way) for way in ways)

    def _again(self, both: Both) -> int:
        request = self.facts.request
        rounds = [
            each
            for each in self.facts.games.get(both, ())
            if not request.within or request.round - each <= request.within
        ]
        return 2 * len(rounds) ** 2 + int(request.round - 1 in rounds)

    def meets_again(self) -> bool:
        """Whether anybody does, however long ago it was."""
        return not self.facts.request.repeats and any(frozenset(both) in self.facts.games for both in self.pairs)


@dataclass(slots=True)
class Field:
    """Players of whom every complete pairing is looked at."""

    facts: RoundFacts
    keys: list[int]
    _all: list[Complete] = field(default_factory=list)

    def pairings(self) -> list[Complete]:
        if not self._all:
            self._all = [Complete(self.facts, pairs) for pairs in _every(tuple(self.keys), len(self.keys) % 2 == 1)]
        return self._all

    def least(self, *names: str) -> tuple[int, ...]:
        return min((each.costs(*names) for each in self.pairings()), default=(0,) * len(names))


def _every(keys: tuple[int, ...], bye: bool) -> Iterator[tuple[tuple[int, int | None], ...]]:
    if not keys:
        yield ()
        return
    one, rest = keys[0], keys[1:]
    for place, other in enumerate(rest):
        for pairs in _every(rest[:place] + rest[place + 1 :], bye):
            yield ((one, other), *pairs)
    if bye:
        for pairs in _every(rest, False):
            yield ((one, None), *pairs)
