"""How the rest of an event may go: a model of results, fitted to 16,900 real games (5,664 of 20 events kept with tsh,
with the starter known, and 11,236 of a federation of clubs). Given the strengths, the starter's margin is normal. Each
run plays the open games, and pairs the rounds to come 1–2, 3–4 by its own table. The same seed gives the same figures
on every machine: chance comes as integers of PCG64, in batches of a fixed size, and a table turns them into margins."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

MARGIN_DEVIATION = 97.5
"""The standard deviation of a game's margin, given the strengths: of the real games, skew 0.00 and kurtosis 3.09."""
START_ADVANTAGE = 11.3
"""The points that the starter is ahead by, ± 1.4: in the real games, where strengths differ, 53.7 ± 0.7 % of wins."""
POINTS_PER_RATING = 0.15
"""The points of margin that a rating point is worth, ± 0.005: a gap of 484 wins 77 %."""
RATING_SHRINKAGE = 0.8
"""The share of a gap between ratings that is taken to be one of strength."""
STRENGTH_DEVIATION = 42.0
"""The standard deviation of strength within a division, in points of margin."""
RATING_NOISE = 27.0
"""By how many points of margin a rating misses the strength: the two agree with r ≈ 0.84."""

BATCH_RUNS = 1000
"""The runs of one stream of chance: a run is the same however many are asked for, and by however many cores."""

_LOTS = 1 << 16  # the values of one lot

# One key holds half wins, spread, a lot and a column: 24 + 16 + 13 bits leave ten for half wins (1,023) and a sign,
# room for 8,192 players, and eight million points of spread.
_SPREAD_BITS = 24
_LOT_BITS = 16
_PLAYER_BITS = 13
_SPREAD_OFFSET = 1 << (_SPREAD_BITS - 1)


class OpenGame(NamedTuple):
    """A published game without a result: who starts, who replies (as columns), and the most its spread counts."""

    first: int
    second: int
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """Where an event stands, player by player in the order that the caller chose. `half_wins`, `spread`: what the games
    with a result have brought. `open_games`: what the published rounds still owe. `caps`: for each round to come the
    most that one game's spread counts, None for no limit. `playing`: who takes part in those rounds; nobody named:
    everybody. `byes`: how many each has had, and `starts`: how many more games each has started than replied in; nobody
    named: none. `balanced`: in rounds to come who has started less starts, else a lot decides. `strengths`: in points
    of margin; nobody named: all are equally strong. `bye_spread`: what a bye credits beside its win."""

    half_wins: tuple[int, ...]
    spread: tuple[int, ...]
    open_games: tuple[OpenGame, ...] = ()
    caps: tuple[int | None, ...] = ()
    playing: tuple[bool, ...] = ()
    byes: tuple[int, ...] = ()
    starts: tuple[int, ...] = ()
    balanced: bool = True
    strengths: tuple[float, ...] = ()
    bye_spread: int = 50


class Endings(NamedTuple):
    """How the runs ended, a row for each run and a column for each player."""

    half_wins: Ints
    spread: Ints


def estimate_strengths(ratings: Sequence[int | None]) -> tuple[float, ...]:
    """Strengths in points of margin from ratings, 0 for their mean; players without a rating are taken for average."""
    known_ratings = [rating for rating in ratings if rating is not None]
    mean = sum(known_ratings) / len(known_ratings) if known_ratings else 0
    worth = POINTS_PER_RATING * RATING_SHRINKAGE
    return tuple(0.0 if rating is None else round((rating - mean) * worth, 3) for rating in ratings)


def simulate_endings(situation: Situation, runs: int, seed: int, skip: int = 0) -> Endings:
    """The runs `skip` + 1 to `skip` + `runs` of the event's rest. `skip` is whole batches, so that an answer can be
    made better step by step: what is added continues what was there."""
    if skip % BATCH_RUNS:
        raise ValueError(f"only whole batches are skipped, and {skip} runs are none")
    # In whole batches, cut at the end: run 7 is the same one out of ten as out of a thousand.
    numbers = range(skip // BATCH_RUNS, -(-(skip + runs) // BATCH_RUNS))
    batches = [_BatchOfRuns(situation, open_stream(seed, number)).play_out() for number in numbers]
    columns = len(situation.half_wins)
    half_wins = [batch.half_wins for batch in batches] or [np.zeros((0, columns), np.int64)]
    spread = [batch.spread for batch in batches] or [np.zeros((0, columns), np.int64)]
    return Endings(np.concatenate(half_wins)[:runs], np.concatenate(spread)[:runs])


def rank_endings(endings: Endings, seed: int) -> Ints:
    """The ranks in each run, by wins and spread. Lots separate players who are level: they stand for the criteria that
    no run knows (points, the game between the two)."""
    runs, players = endings.half_wins.shape
    lots = draw_lots(open_stream(seed, -1), (runs, players))
    ordered = np.sort(_pack_keys(_pack_figures(endings.half_wins, endings.spread), lots), axis=1)[:, ::-1]
    places = np.broadcast_to(np.arange(1, players + 1), (runs, players))
    ranks = np.empty((runs, players), np.int64)
    np.put_along_axis(ranks, ordered & ((1 << _PLAYER_BITS) - 1), places, axis=1)
    return ranks


def count_places(endings: Endings, places: int) -> Ints:
    """In how many runs each player (a row) ends at each of the first places or better, by wins and spread; whoever is
    level is at the better place."""
    figures = _pack_figures(endings.half_wins, endings.spread)
    last = [figures.shape[1] - place for place in range(1, places + 1)]
    # Nobody has to be ranked: it is enough to know the figure at each of these places.
    ordered = np.partition(figures, last, axis=1)
    return np.stack([(figures >= ordered[:, [place]]).sum(axis=0) for place in last], axis=1)


def open_stream(*numbers: int) -> np.random.PCG64:
    """The random stream that these numbers name: a seed, and which part of the whole it serves."""
    # Wrapped round, since PCG64 takes no number below zero, and the lots of rankings are stream −1.
    return np.random.PCG64([number % (1 << 64) for number in numbers])


def draw_lots(stream: np.random.PCG64, shape: tuple[int, ...]) -> npt.NDArray[np.uint16]:
    """Lots of 16 bits, in the order in which the stream gives them."""
    count = int(np.prod(shape))
    drawn = np.atleast_1d(stream.random_raw(-(-count // 4)))
    # The order of bytes by name: without it machines of the other order would draw other lots.
    return drawn.astype("<u8").view("<u2")[:count].reshape(shape)


@cache
def compute_normal_scores() -> Floats:
    """What each lot of 16 bits stands for: a value of the normal distribution with mean 0 and deviation 1. Rounded,
    since machines differ in the last bits of a logarithm. Worked out once, when first asked for."""
    normal = NormalDist()
    return np.array([normal.inv_cdf((lot + 0.5) / _LOTS) for lot in range(_LOTS)]).round(9)


def score_games(gaps: Floats | float, lots: npt.NDArray[np.uint16]) -> Ints:
    """Margins, seen from the starter. `gaps`: by how many points of margin the starter is stronger."""
    expected = compute_normal_scores()[lots] * MARGIN_DEVIATION + (gaps + START_ADVANTAGE)
    return np.rint(expected).astype(np.int64)


def _pack_figures(half_wins: Ints, spread: Ints) -> Ints:
    """Half-wins and spread in one number, half-wins first."""
    packed: Ints = (half_wins << _SPREAD_BITS) + spread
    return packed


def _pack_keys(figures: Ints, lots: npt.NDArray[np.uint16]) -> Ints:
    """The two, a lot and the player's column in one number, so that a plain sort gives the table."""
    keys = figures + _SPREAD_OFFSET
    keys <<= _LOT_BITS
    keys += lots
    keys <<= _PLAYER_BITS
    # The column stands last, where it is read back once the keys are sorted, and parts two with the same lot.
    keys += np.arange(figures.shape[1])
    return keys


def _weigh_results(margins: Ints, cap: int | None) -> Ints:
    """What games of these margins bring the starter: half-wins and spread in one number."""
    spread = margins if cap is None else margins.clip(-cap, cap)
    return _pack_figures(1 + np.sign(margins), spread)


@lru_cache(maxsize=8)
def _weigh_even_lots(cap: int | None) -> Ints:
    """The same of a game between equally strong players, for every lot."""
    return _weigh_results(score_games(0.0, np.arange(_LOTS).astype(np.uint16)), cap)


class _BatchOfRuns:
    """The runs of one stream, played side by side. What a player of a run has is a cell, named by its number: a row of
    cells for each run, one after the other. `figures`: see `_pack_figures`."""

    def __init__(self, situation: Situation, stream: np.random.PCG64) -> None:
        self.situation = situation
        self.stream = stream
        self.players = len(situation.half_wins)
        nothing = (0,) * self.players
        figures = np.array(situation.half_wins, np.int64), np.array(situation.spread, np.int64)
        self.figures = np.tile(_pack_figures(*figures), BATCH_RUNS)
        self.byes = np.tile(np.array(situation.byes or nothing, np.int64), BATCH_RUNS)
        self.starts = np.tile(np.array(situation.starts or nothing, np.int64), BATCH_RUNS)
        self.strengths = np.tile(np.array(situation.strengths), BATCH_RUNS) if situation.strengths else None
        self.playing = np.flatnonzero(situation.playing or (True,) * self.players)
        self.row_starts = np.arange(BATCH_RUNS)[:, np.newaxis] * self.players

    def play_out(self) -> Endings:
        """Play what is open and what is to come."""
        for game in self.situation.open_games:
            self._play_games(self.row_starts + game.first, self.row_starts + game.second, game.cap)
        for cap in self.situation.caps:
            self._play_round(cap)
        # The offset goes on first: a spread below zero has borrowed one from the half wins.
        rows = self.figures.reshape(BATCH_RUNS, self.players) + _SPREAD_OFFSET
        return Endings(rows >> _SPREAD_BITS, (rows & ((1 << _SPREAD_BITS) - 1)) - _SPREAD_OFFSET)

    def _play_round(self, cap: int | None) -> None:
        """Pair first with second, third with fourth and so on by the table of each run, and play."""
        # For those who do not play as well: a player who leaves must not give all others other lots.
        lots = draw_lots(self.stream, (BATCH_RUNS, self.players))
        keys = _pack_keys(self.figures.reshape(BATCH_RUNS, self.players), lots)
        if len(self.playing) < self.players:
            keys = keys[:, self.playing]
        keys.sort(axis=1)
        table = (keys[:, ::-1] & ((1 << _PLAYER_BITS) - 1)) + self.row_starts
        if len(self.playing) % 2:
            # Give a bye to the last of those with the fewest; the tables without them.
            had = self.byes[table]
            fewest = had == had.min(axis=1, keepdims=True)
            last = table.shape[1] - 1 - np.argmax(fewest[:, ::-1], axis=1)[:, np.newaxis]
            resting = np.take_along_axis(table, last, axis=1)
            self.figures[resting] += (2 << _SPREAD_BITS) + self.situation.bye_spread
            self.byes[resting] += 1
            rest: Ints = table[table != resting].reshape(BATCH_RUNS, -1)
            table = rest
        ones, others = table[:, 0::2], table[:, 1::2]
        swapped = draw_lots(self.stream, ones.shape) >= _LOTS // 2
        if self.situation.balanced:
            mine, theirs = self.starts[ones], self.starts[others]
            swapped = (mine > theirs) | (swapped & (mine == theirs))
            turn = 1 - 2 * swapped
            self.starts[ones], self.starts[others] = mine + turn, theirs - turn
        self._play_games(np.where(swapped, others, ones), np.where(swapped, ones, others), cap)

    def _play_games(self, firsts: Ints, seconds: Ints, cap: int | None) -> None:
        """Play games of each run, no player twice."""
        lots = draw_lots(self.stream, firsts.shape)
        if self.strengths is None:
            won = _weigh_even_lots(cap)[lots]
        else:
            won = _weigh_results(score_games(self.strengths[firsts] - self.strengths[seconds], lots), cap)
        # Nobody may stand here twice: numpy would then add one of the two results only. The other player gets what is
        # left of two half wins, and the spread with the other sign, by one subtraction.
        self.figures[firsts] += won
        self.figures[seconds] += (2 << _SPREAD_BITS) - won
