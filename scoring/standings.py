"""The table (TSO 6.1): who stands where, and what separates each row from the one above."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, pairwise
from operator import attrgetter
from typing import Any

from scoring import tally
from scoring.awards import Awards
from scoring.criteria import COMPARED_FIGURES, CriterionSources, comparison
from scoring.tally import ComparedFigures, Contestant, Criterion, NotRankable, PlayerKey, Standing, TableGame, problems

__all__ = [
    "ComparedFigures",
    "Contestant",
    "Criterion",
    "PlayerKey",
    "Ranking",
    "RankingBasis",
    "Standing",
    "TableGame",
    "TieRule",
    "WithdrawnPlacement",
    "problems",
    "rank",
]


class RankingBasis(StrEnum):
    """What the table is ranked by first."""

    WINS = Criterion.WINS.value
    POINTS = Criterion.POINTS.value


class WithdrawnPlacement(StrEnum):
    """Where players who withdrew stand: in their place, marked, or last without a rank."""

    RANKED = "ranked"
    UNRANKED = "unranked"


class TieRule(StrEnum):
    """What decides when the named criteria leave players level: the others and the highest game, or nothing."""

    TSO = "tso"
    SHARED = "shared"


DEFAULT_CRITERIA = (Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD)
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

    basis: RankingBasis = RankingBasis.WINS
    order: tuple[Criterion, ...] = ()
    shared_ties: bool = False
    losses_count: bool = False
    withdrawn: WithdrawnPlacement = WithdrawnPlacement.RANKED
    spread_cap: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.order)) != len(self.order) or {Criterion.HIGHEST_GAME, Criterion.LOT} & set(self.order):
            raise ValueError(f"not an order of criteria: {', '.join(self.order)}")
        if any(cap < 0 for cap in self.spread_cap):
            raise ValueError(f"a spread cap is not negative: {self.spread_cap}")

    @property
    def ties(self) -> TieRule:
        """What decides when the named criteria leave players level."""
        return TieRule.SHARED if self.shared_ties else TieRule.TSO

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """Everything that decides, in order: the basis, the named criteria, what follows them. Lots come after them."""
        basis = Criterion(self.basis.value)
        named = (basis, *(criterion for criterion in self.order if criterion != basis))
        if self.shared_ties:
            return named
        rest = tuple(criterion for criterion in DEFAULT_CRITERIA if criterion not in named)
        return (*named, *rest, Criterion.HIGHEST_GAME)

    def cap(self, round: int) -> int | None:
        """The most that a spread of that round counts; None: no cap."""
        return self.spread_cap[min(round, len(self.spread_cap)) - 1] if self.spread_cap else None


def rank(
    contestants: Iterable[Contestant],
    games: Iterable[TableGame],
    ranking: Ranking,
    figures: Awards,
    *,
    after: int | None = None,
    lots: Sequence[Sequence[PlayerKey]] = (),
) -> tuple[Standing, ...]:
    """The table after round `after` (None: all games), first row first; level rows in the order of their keys.

    Each of `lots` is an order drawn among players who were level; the last one that names everybody of a tie that is
    left settles it. Raises `NotRankable` with every fault when the games up to that round contradict themselves.
    """
    contestants = tuple(contestants)
    rounds = tally.group_by_round(games, after)
    standings: dict[PlayerKey | None, Standing] = {
        each.key: Standing(None, each.key, withdrawn=each.withdrawn) for each in contestants
    }
    sound = len(standings) == len(contestants) and min(rounds, default=1) >= 1
    if not sound or not tally.count_games(rounds, standings, ranking.cap, figures):
        raise NotRankable(problems(contestants, chain.from_iterable(rounds.values())))
    rows = sorted(standings.values(), key=attrgetter("player"))
    apart = [row for row in rows if row.withdrawn and ranking.withdrawn is WithdrawnPlacement.UNRANKED]
    if apart:
        rows = [row for row in rows if not row.withdrawn]
    sources = CriterionSources(rounds.values(), figures, lots, ranking.losses_count)
    _arrange_rows(rows, ranking.criteria, sources)
    _rank_rows(rows)
    _arrange_rows(apart, ranking.criteria, sources)
    for row in apart:
        row.decided_by = row.detail = None
    return (*rows, *apart)


def _arrange_rows(rows: list[Standing], order: Iterable[Criterion], sources: CriterionSources) -> None:
    """Put the rows in order, best first, and say in each what separates it from the one above.

    What one criterion has separated stays separated; each is applied once, at its place in the order (TSO 6.1).
    """
    ties = [(0, len(rows))]
    for criterion in (*order, Criterion.LOT):
        compare = comparison(criterion, [rows[start:end] for start, end in ties], sources)
        parted = [_split_tie(rows, criterion, start, compare(rows[start:end])) for start, end in ties]
        ties = list(chain.from_iterable(parted))


def _split_tie(
    rows: list[Standing], criterion: Criterion, start: int, values: Sequence[Any]
) -> Iterator[tuple[int, int]]:
    """Order the tie that begins at `start` by its values and mark where they break it. Yields the ties left."""
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    end = start + len(order)
    if order and order[0] != 0:  # what separates the tie from the row above it belongs to whoever is its first now
        old, new = rows[start], rows[start + order[0]]
        new.decided_by, new.detail, old.decided_by, old.detail = old.decided_by, old.detail, None, None
    rows[start:end] = [rows[start + place] for place in order]
    detail = COMPARED_FIGURES.get(criterion)
    opened = start
    for place, (above, own) in enumerate(pairwise(order), start + 1):
        if values[above] != values[own]:
            row = rows[place]
            row.decided_by = criterion
            row.detail = None if detail is None else detail(values[own], values[above])
            if place - opened > 1:
                yield opened, place
            opened = place
    if end - opened > 1:
        yield opened, end


def _rank_rows(rows: Iterable[Standing]) -> None:
    """Number the rows; level players share the rank, and the next rank is skipped (1, 2, 2, 4)."""
    shared = 1
    for place, row in enumerate(rows, 1):
        if row.decided_by is not None:
            shared = place
        row.rank = shared
