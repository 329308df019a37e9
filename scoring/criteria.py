"""What can separate two rows of a table, and what each criterion compares (TSO 6.1)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, zip_longest
from operator import attrgetter
from typing import Any

from scoring import tally
from scoring.awards import Awards
from scoring.tally import ComparedFigures, Criterion, PlayerKey, Standing, TableGame

Tie = Sequence[Standing]
"""Players who are level by everything looked at so far."""

_PAIR = 2

TieComparison = Callable[[Tie], Sequence[Any]]
"""Gives what a criterion compares, one value a player, the best highest; all equal where it does not apply."""


@dataclass(slots=True)
class CriterionSources:
    """What criteria look at besides the sums: single games, the figures for awards, lots drawn, and whether fewer
    losses are better when the wins are equal."""

    rounds: Collection[list[TableGame]]
    figures: Awards
    lots: Sequence[Sequence[PlayerKey]]
    losses_count: bool
    found: dict[PlayerKey | None, list[TableGame]] = field(default_factory=dict)

    def games_of(self, ties: Iterable[Tie]) -> Mapping[PlayerKey | None, list[TableGame]]:
        """The games of each player of these ties; those of others may be among them."""
        wanted: dict[PlayerKey | None, list[TableGame]] = {
            row.player: [] for tie in ties for row in tie if row.player not in self.found
        }
        for game in chain.from_iterable(self.rounds) if wanted else ():
            if game.first in wanted:
                wanted[game.first].append(game)
            if game.second in wanted:
                wanted[game.second].append(game)
        self.found |= wanted
        return self.found


_SUMS: Mapping[Criterion, Callable[[Standing], int]] = {
    Criterion.WINS: attrgetter("half_wins"),
    Criterion.SPREAD: attrgetter("spread"),
    Criterion.POINTS: attrgetter("points"),
}


def comparison(criterion: Criterion, ties: Iterable[Tie], sources: CriterionSources) -> TieComparison:
    """How a criterion compares the players of these ties."""
    match criterion:
        case Criterion.WINS if sources.losses_count:
            # With equal wins fewer losses mean fewer games.
            return lambda tie: [(row.half_wins, -row.games) for row in tie]
        case Criterion.HEAD_TO_HEAD:
            games = sources.games_of(tie for tie in ties if len(tie) == _PAIR)
            return partial(_head_to_head_points, games, sources.figures)
        case Criterion.HIGHEST_GAME:
            return partial(_highest_games, sources.games_of(ties), sources.figures)
        case Criterion.LOT:
            return partial(_lot_order, sources.lots)
        case _:
            column = _SUMS[criterion]
            return lambda tie: list(map(column, tie))


def first_difference(own: Sequence[int], above: Sequence[int]) -> ComparedFigures | None:
    """Two lists, best first: their first figures that differ, and at which place; None where they are the same."""
    pairs = enumerate(zip_longest(own, above), start=1)
    return next((ComparedFigures(*pair, nth=nth) for nth, pair in pairs if pair[0] != pair[1]), None)


COMPARED_FIGURES: Mapping[Criterion, Callable[[Any, Any], ComparedFigures | None]] = {
    Criterion.HEAD_TO_HEAD: lambda own, above: ComparedFigures(own[0], above[0], meetings=own[1]),
    Criterion.HIGHEST_GAME: first_difference,
}
"""For criteria that a table's columns do not show: the two figures to show for the two values compared."""


def _head_to_head_points(
    games: Mapping[PlayerKey | None, list[TableGame]], figures: Awards, tie: Tie
) -> list[tuple[int, int]]:
    """Points in the direct meetings, and how many there were, where exactly two are level (TSO 6.1 c).

    Two who have not played each other have 0 : 0; a game that never began was not played. In a game that was awarded
    the credited points count.
    """
    keys = [row.player for row in tie]
    sums, count = meeting_points(keys, games[keys[0]] if len(keys) == _PAIR else (), figures)
    return [(points, count) for points in sums.values()]


def meeting_points(
    pair: Sequence[PlayerKey], games: Iterable[TableGame], figures: Awards
) -> tuple[dict[PlayerKey, int], int]:
    """The points of two players in their games against each other, as far as these began, and how many there were."""
    sums, count, both = dict.fromkeys(pair, 0), 0, set(pair)
    for game in games:
        if {game.first, game.second} == both and game.has_begun:
            count += 1
            for player, credit in tally.game_credits(game, figures):
                sums[player] += credit.points if credit else 0
    return sums, count


def _highest_games(games: Mapping[PlayerKey | None, list[TableGame]], figures: Awards, tie: Tie) -> list[list[int]]:
    """The scores that each player really reached, highest first; the list that runs out first is lower."""
    return [sorted(_reached_scores(row.player, games[row.player], figures), reverse=True) for row in tie]


def _reached_scores(key: PlayerKey, games: Iterable[TableGame], figures: Awards) -> Iterator[int]:
    for game in games:
        for player, credit in tally.game_credits(game, figures):
            if player == key and credit is not None and credit.score is not None:
                yield credit.score


def _lot_order(lots: Sequence[Sequence[PlayerKey]], tie: Tie) -> list[int]:
    """The order drawn by the last lot that names everybody of the tie."""
    keys = [row.player for row in tie]
    lot = next((lot for lot in reversed(lots) if set(keys) <= set(lot)), None)
    return [0 if lot is None else -lot.index(key) for key in keys]
