"""The exact number of players who must end ahead of one, for events whose rounds are all drawn and in which no two open
games of the others share a player. Few scores can then matter in each game, and in each case it is known who is
level."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from scoring import standings
from scoring.awards import Outcome
from scoring.completions import BEYOND, Event
from scoring.standings import Criterion, PlayerKey, TableGame

HIGH = 10 * BEYOND  # own points that nobody else has
Member = tuple[bool, bool]
"""A player who is level when the direct meeting is compared: whether they end ahead if nobody else is level, and if
others are."""
State = tuple[Member, ...]
"""The players who are level so far. Of two or more only their number matters, since the direct meeting then compares
nobody."""
MANY: State = ((False, False), (False, False))


@dataclass(frozen=True, slots=True)
class Figures:
    """What the games of a player add up to; `scores`: highest first."""

    half_wins: int
    games: int
    spread: int
    points: int
    scores: tuple[int, ...]

    def play(self, own: int, other: int, cap: int) -> "Figures":
        """The figures after one more game."""
        return Figures(
            self.half_wins + (own >= other) + (own > other),
            self.games + 1,
            self.spread + max(-cap, min(cap, own - other)),
            self.points + own,
            tuple(sorted((*self.scores, own), reverse=True)),
        )


def play_own_games(event: Event, player: PlayerKey, results: Mapping[TableGame, int], sign: int) -> Event:
    """The event with the player's open games played as well (`sign` 1) or as badly (-1) as these results allow.
    `results`: half wins, 2 for a game won by the better side, 1 for a draw, 0. Other scores can bring more only where
    the opponent stays level in points too: a third player may then be level with both."""
    played = {}
    for game, result in results.items():
        own = sign * HIGH
        # By as much as can be where that helps this side, and by one point where it does not.
        other = own - sign * (-1, 0, BEYOND)[result]
        first, second = (own, other) if game.first == player else (other, own)
        played[game] = replace(game, outcome=Outcome.PLAYED, first_points=first, second_points=second)
    return replace(event, games=tuple(played.get(game, game) for game in event.games))


def count_ahead_of(event: Event, player: PlayerKey, sign: int) -> int | None:
    """The fewest (`sign` 1) or the most (-1) who can end ahead of a player without open games; None if open games have
    a player in common, or a lot is drawn that may count."""
    seated = [key for game in event.open_games for key in (game.first, game.second)]
    if len(set(seated)) < len(seated) or any(player in lot for lot in event.lots):
        return None
    return _Table(event, player, sign).count_ahead()


class _Table:
    """The table as the others may still change it."""

    def __init__(self, event: Event, player: PlayerKey, sign: int) -> None:
        self.event, self.player, self.sign = event, player, sign
        scores: dict[PlayerKey, list[int]] = {contestant.key: [] for contestant in event.contestants}
        for game in event.games:
            for key, credit in standings.game_credits(game, event.awards):
                if credit is not None and credit.score is not None:
                    scores[key].append(credit.score)
        table = event.rank()
        self.figures = {
            row.player: Figures(
                row.half_wins, row.games, row.spread, row.points, tuple(sorted(scores[row.player], reverse=True))
            )
            for row in table
        }
        self.ranked = {row.player for row in table if row.rank is not None} - {player}
        criteria = event.ranking.criteria
        self.place = criteria.index(Criterion.HEAD_TO_HEAD) if Criterion.HEAD_TO_HEAD in criteria else len(criteria)

    def count_ahead(self) -> int:
        """The fewest or the most who can end ahead."""
        counts: dict[State, int] = {(): 0}
        playing = {key for game in self.event.open_games for key in (game.first, game.second)}
        for key in self.ranked - playing:
            counts = self._join(counts, {self._tell([(key, self.figures[key])])})
        for game in self.event.open_games:
            counts = self._join(counts, {self._tell(ends) for ends in self._list_ends(game)})
        return self.sign * min(
            self.sign * (count + (state[0][0] if len(state) == 1 else 0)) for state, count in counts.items()
        )

    def _join(self, found: dict[State, int], ends: Iterable[tuple[int, State]]) -> dict[State, int]:
        """The best counts, extended by what further players can do, by who is level then."""
        joined: dict[State, int] = {}
        for (state, count), (ahead, members) in product(found.items(), ends):
            level = (*state, *members)
            total = count + ahead
            # With a second one the direct meeting compares nobody any more: now the criteria after it count, also for
            # whoever was alone so far.
            if len(level) > 1:
                total += sum(together for _, together in level)
                level = MANY
            if level not in joined or self.sign * total < self.sign * joined[level]:
                joined[level] = total
        return joined

    def _tell(self, ends: Iterable[tuple[PlayerKey, Figures]]) -> tuple[int, State]:
        """How many of these players are ahead, and which of them are level where the direct meeting is compared."""
        criteria, ahead, level = self.event.ranking.criteria, 0, list[Member]()
        for key, figures in ends:
            before = self._compare(criteria[: self.place], figures)
            ahead += before > 0
            if not before:
                after = self._compare(criteria[self.place + 1 :], figures)
                level.append(((self._compare_meetings(key) or after) > 0, after > 0))
        return ahead, tuple(level)

    def _compare(self, criteria: Sequence[Criterion], figures: Figures) -> int:
        """Above 0 if these figures are better than the player's, 0 if they are as good."""
        own = self.figures[self.player]
        for criterion in criteria:
            theirs, mine = (self._read(criterion, player_figures) for player_figures in (figures, own))
            if theirs != mine:
                return 1 if theirs > mine else -1
        return 0

    def _read(self, criterion: Criterion, figures: Figures) -> tuple[int, ...]:
        match criterion:
            case Criterion.WINS:
                return figures.half_wins, -figures.games * self.event.ranking.losses_count
            case Criterion.SPREAD:
                return (figures.spread,)
            case Criterion.POINTS:
                return (figures.points,)
            case _:
                # The highest game. Direct meetings never come here: `_tell` compares what stands before and after them.
                return figures.scores

    def _compare_meetings(self, other: PlayerKey) -> int:
        if self.place == len(self.event.ranking.criteria):
            return 0
        pair = (other, self.player)
        sums, _ = standings.meeting_points(pair, self.event.games, self.event.awards)
        return sums[other] - sums[self.player]

    def _list_ends(self, game: TableGame) -> Iterator[list[tuple[PlayerKey, Figures]]]:
        """The ways a game can end for those of its players who are ranked, with all scores that can matter. The figures
        of others set bounds to both scores and to their difference, and whatever is possible is possible at a corner of
        these bounds. So it is enough to try the corners, one point beside them, and far away."""
        limit = self.event.ranking.cap(game.round)
        cap = BEYOND**2 if limit is None else limit
        own, one, two = (self.figures[key] for key in (self.player, game.first, game.second))  # type: ignore[index]
        levels = [own.points - one.points], [own.points - two.points]
        margins = [0, cap, -cap, own.spread - one.spread, two.spread - own.spread]
        ones, twos, apart = (
            {-HIGH * 10, HIGH * 10, *(value + beside for value in values for beside in (-1, 0, 1))}
            for values in (*levels, margins)
        )
        scores = {*product(ones, twos), *((a, a - by) for a, by in product(ones, apart))}
        for a, b in scores | {(b + by, b) for b, by in product(twos, apart)}:
            ends = ((game.first, one.play(a, b, cap)), (game.second, two.play(b, a, cap)))
            yield [(key, figures) for key, figures in ends if key in self.ranked]
