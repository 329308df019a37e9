"""The table (TSO 6.1): who stands where, and what separates each row from the one above."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, pairwise
from operator import attrgetter
from typing import Any

from scoring import criteria, tally
from scoring.awards import Awards
from scoring.criteria import Criterion, Detail, Sources
from scoring.tally import Contestant, Fault, Game, Key, NotRankable, Problem, Tally, problems

__all__ = [
    "Basis",
    "Contestant",
    "Criterion",
    "Detail",
    "Fault",
    "Game",
    "Key",
    "NotRankable",
    "Problem",
    "Ranking",
    "Standing",
    "Ties",
    "Withdrawn",
    "problems",
    "rank",
]


class Basis(StrEnum):
    """What the table is ranked by first."""

    WINS = Criterion.WINS.value
    POINTS = Criterion.POINTS.value


class Withdrawn(StrEnum):
    """Where players who withdrew stand: in their place, marked, or last without a rank."""

    RANKED = "ranked"
    UNRANKED = "unranked"


class Ties(StrEnum):
    """What decides when the named criteria leave players level: the others and the highest game, or nothing."""

    TSO = "tso"
    SHARED = "shared"


DEFAULT_ORDER = (Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD)
"""TSO 6.1 a, b, c."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How a table is ranked, as the announcement says.

    `order` names criteria of TSO 6.1 in the order announced; the others follow in the order a, b, c, then the highest
    game. With `shared_ties` only the named criteria decide, and players who are then level share the rank. With
    `losses_count` wins are level only where the losses are too, and fewer losses are better; that matters where
    somebody missed rounds that did not count. (tsh does both.)
    `spread_cap` is the most that one game's spread counts, by round, the last one for all later rounds; empty: no cap.
    Raises ValueError on an order that names a criterion twice or one that the announcement may not place.
    """

    basis: Basis = Basis.WINS
    order: tuple[Criterion, ...] = ()
    shared_ties: bool = False
    losses_count: bool = False
    withdrawn: Withdrawn = Withdrawn.RANKED
    spread_cap: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.order)) != len(self.order) or {Criterion.HIGHEST_GAME, Criterion.LOT} & set(self.order):
            raise ValueError(f"not an order of criteria: {', '.join(self.order)}")
        if any(cap < 0 for cap in self.spread_cap):
            raise ValueError(f"a spread cap is not negative: {self.spread_cap}")

    @property
    def ties(self) -> Ties:
        """What decides when the named criteria leave players level."""
        return Ties.SHARED if self.shared_ties else Ties.TSO

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """Everything that decides, in order: the basis, the named criteria, what follows them. Lots come after them."""
        basis = Criterion(self.basis.value)
        named = (basis, *(criterion for criterion in self.order if criterion != basis))
        if self.shared_ties:
            return named
        rest = tuple(criterion for criterion in DEFAULT_ORDER if criterion not in named)
        return (*named, *rest, Criterion.HIGHEST_GAME)

    def cap(self, round: int) -> int | None:
        """The most that a spread of that round counts; None: no cap."""
        if not self.spread_cap:
            return None
        return self.spread_cap[min(round, len(self.spread_cap)) - 1]


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the table. A draw is half a win and half a loss; `games` counts every round that brought a result.

    `decided_by` separates the row from the one above: None in the first row, where the rank is shared, and without a
    rank. Where the columns do not show it (head to head, highest game) `detail` holds the two figures compared.
    """

    rank: int | None
    player: Key
    half_wins: int
    spread: int
    points: int
    games: int
    highest_game: int | None
    decided_by: Criterion | None = None
    detail: Detail | None = None
    withdrawn: bool = False

    @property
    def half_losses(self) -> int:
        return 2 * self.games - self.half_wins

    @property
    def wins(self) -> float:
        return self.half_wins / 2

    @property
    def losses(self) -> float:
        return self.half_losses / 2


def rank(
    contestants: Iterable[Contestant],
    games: Iterable[Game],
    ranking: Ranking,
    figures: Awards,
    *,
    after: int | None = None,
    lots: Sequence[Sequence[Key]] = (),
) -> tuple[Standing, ...]:
    """The table after round `after` (None: all games), first row first; level rows in the order of their keys.

    Each of `lots` is an order drawn among players who were level; the last one that names everybody of a tie that is
    left settles it. Raises `NotRankable` with every fault when the games up to that round contradict themselves.
    """
    contestants = tuple(contestants)
    rounds = tally.by_round(games, after)
    tallies: dict[Key | None, Tally] = {each.key: Tally(each.key, each.withdrawn) for each in contestants}
    sound = len(tallies) == len(contestants) and min(rounds, default=1) >= 1
    if not sound or not tally.count(rounds, tallies, ranking.cap, figures):
        raise NotRankable(problems(contestants, chain.from_iterable(rounds.values())))
    rows = sorted(tallies.values(), key=attrgetter("key"))
    apart = [row for row in rows if row.withdrawn and ranking.withdrawn is Withdrawn.UNRANKED]
    if apart:
        rows = [row for row in rows if not row.withdrawn]
    sources = Sources(rounds.values(), figures, lots, ranking.losses_count)
    marks = _arrange(rows, ranking.criteria, sources)
    _arrange(apart, ranking.criteria, sources)
    return (*_ranked(rows, marks), *(_standing(row, None) for row in apart))


@dataclass(frozen=True, slots=True)
class _Mark:
    """What separates a place from the one above."""

    decided_by: Criterion | None = None
    detail: Detail | None = None


_LEVEL = _Mark()


def _arrange(rows: list[Tally], order: Iterable[Criterion], sources: Sources) -> dict[int, _Mark]:
    """Put the rows in order, best first. Returns what separates each place from the one above, level ones left out.

    What one criterion has separated stays separated; each is applied once, at its place in the order (TSO 6.1).
    """
    marks: dict[int, _Mark] = {}
    ties = [(0, len(rows))]
    for criterion in (*order, Criterion.LOT):
        compare = criteria.comparison(criterion, [rows[start:end] for start, end in ties], sources)
        parted = [_part(rows, marks, criterion, start, compare(rows[start:end])) for start, end in ties]
        ties = list(chain.from_iterable(parted))
    return marks


def _part(
    rows: list[Tally], marks: dict[int, _Mark], criterion: Criterion, start: int, values: Sequence[Any]
) -> Iterator[tuple[int, int]]:
    """Order the tie that begins at `start` by its values and mark where they break it. Yields the ties left."""
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    end = start + len(order)
    rows[start:end] = [rows[start + place] for place in order]
    mark, detail = _Mark(criterion), criteria.DETAILS.get(criterion)
    opened = start
    for place, (above, own) in enumerate(pairwise(order), start + 1):
        if values[above] != values[own]:
            marks[place] = mark if detail is None else _Mark(criterion, detail(values[own], values[above]))
            if place - opened > 1:
                yield opened, place
            opened = place
    if end - opened > 1:
        yield opened, end


def _ranked(rows: list[Tally], marks: Mapping[int, _Mark]) -> Iterator[Standing]:
    """The rows of the table; level players share the rank, and the next rank is skipped (1, 2, 2, 4)."""
    shared = 1
    for place, row in enumerate(rows):
        mark = marks.get(place, _LEVEL)
        if mark is not _LEVEL:
            shared = place + 1
        yield _standing(row, shared, mark)


def _standing(row: Tally, rank: int | None, mark: _Mark = _LEVEL) -> Standing:
    return Standing(
        rank,
        row.key,
        row.half_wins,
        row.spread,
        row.points,
        row.games,
        None if row.highest_game == tally.NO_SCORE else row.highest_game,
        mark.decided_by,
        mark.detail,
        row.withdrawn,
    )
