"""One player whose own games have given results, and which of those who are level in wins then end ahead."""

from collections import defaultdict
from collections.abc import Sequence

from scoring import standings
from scoring.completions import BEYOND, NEVER, EventSide
from scoring.linked_games import get_players
from scoring.standings import Criterion, PlayerKey


class LevelPlayers:
    """A player with given results of the own games: half wins from open games (`results`) and from games against
    anybody, and byes. Own margins are then taken to be as helpful as can be. `is_sure`: nothing was assumed that a
    completion may fail to bring."""

    def __init__(self, side: EventSide, player: PlayerKey, results: Sequence[int], half_wins: int, byes: int) -> None:
        self.side, self.player = side, player
        self.wins, self.spread = dict(side.wins), dict(side.spread)
        self.lead: dict[PlayerKey | None, int] = defaultdict(int)  # points by which open games against each are won
        for game, result in zip(side.games[player], results, strict=True):
            opponent = next(key for key in get_players(game) if key != player)
            cap = side.find_cap(game.round)
            # As helpful as can be: a win by the cap, a loss by one point. Under a cap of 0 neither moves the spread.
            margin = (-min(1, cap), 0, cap)[result]
            self.lead[opponent] += (-1, 0, BEYOND)[result]
            self.wins[player] += side.unit * result
            self.wins[opponent] += side.unit * (2 - result)
            self.spread[player] += margin
            self.spread[opponent] -= margin
        games, won = side.left[player] - byes, half_wins // 2
        lost = games - won - half_wins % 2
        # A bye brings two half wins. The side that fears the worst counts half wins lost, and of those it brings none.
        self.taken = side.unit * (half_wins + (2 * byes if side.sign > 0 else 0))
        self.target = self.wins[player] + self.taken
        self.own_spread = self.spread[player] + won * side.cap - lost * min(1, side.cap) + byes * side.bye
        self.has_win = won > 0 or 2 in results
        # Half of it and not all: one win without a cap brings BEYOND, and what the player had before may be below zero.
        self.is_beyond = (  # whether nobody level in wins can be ahead
            self.own_spread > BEYOND // 2
            and side.criteria[:1] == (Criterion.SPREAD,)
            and not side.event.ranking.losses_count
        )
        self.is_free = games > 0  # has games against anybody
        self.is_sure = True
        self.is_cautious = False  # whether what may end either way is taken to end against the player
        self._limits: dict[tuple[PlayerKey, bool | None], int] = {}

    @property
    def before_meeting(self) -> Sequence[Criterion]:
        """The criteria before the direct meeting."""
        criteria = self.side.criteria
        return criteria[: criteria.index(Criterion.HEAD_TO_HEAD)] if Criterion.HEAD_TO_HEAD in criteria else criteria

    def find_limit(self, other: PlayerKey, meets: bool | None) -> int:
        """The highest spread with which another player who is level in wins is not ahead. `meets`: whether these two
        are the only ones level where the direct meeting is compared; None if either may be."""
        if (other, meets) not in self._limits:
            own, was_sure = self.own_spread, self.is_sure
            # It can only be one of these: any spread, an equal one, or a lower one leaves the other player behind.
            limit = next((limit for limit in (NEVER, own, own - 1) if not self._is_ahead(other, limit, meets)), -NEVER)
            self._limits[other, meets] = limit
            if self.spread[other] != own and not self.side.games[other] and not self.side.left[other]:
                # Their spread is final and another one: whatever was assumed further down is never compared.
                self.is_sure = was_sure  # they are not level
        return self._limits[other, meets]

    def find_limit_when_met(self, other: PlayerKey, meets: bool) -> int:
        """As `find_limit`, for a player who is level in every criterion before the direct meeting."""
        own, place = self.own_spread, len(self.before_meeting)
        if Criterion.SPREAD in self.before_meeting:
            return -NEVER if self._is_ahead_if_level(other, own, meets, place) else own
        limits = (limit for limit in (NEVER, own, own - 1) if not self._is_ahead_if_level(other, limit, meets, place))
        return next(limits, -NEVER)

    def is_level_when_met(self, other: PlayerKey) -> bool | None:
        """Whether another player who is level in wins is also level in every other criterion before the direct meeting
        except spread; None if the scores of a game to come can be chosen so."""
        is_level: bool | None = not self.compare_games(other)
        for criterion in self.before_meeting:
            if criterion is not Criterion.SPREAD and is_level:
                is_level = None if self._has_free_scores(other) else not self._compare_sums(other, criterion)
        if is_level is None and (Criterion.WINS in self.before_meeting or not self._has_games_elsewhere(other)):
            self.is_sure = False
        return is_level

    def compare_games(self, other: PlayerKey) -> int:
        """Above 0 if another player who is level in wins ends ahead by having fewer games, which counts only where
        losses do."""
        side = self.side
        if not (side.event.ranking.losses_count and side.unit):
            return 0
        own, their = (side.rows[key].games + len(side.games[key]) + side.left[key] for key in (self.player, other))
        return (own - their) * side.sign

    def _is_ahead(self, other: PlayerKey, spread: int, meets: bool | None) -> bool:
        return self.compare_games(other) > 0 or (
            not self.compare_games(other) and self._is_ahead_if_level(other, spread, meets)
        )

    def _is_ahead_if_level(self, other: PlayerKey, spread: int, meets: bool | None, start: int = 0) -> bool:
        """Whether another player who is level in wins and has that spread is ahead, however the games that are left
        end."""
        side = self.side
        for place, criterion in enumerate(side.criteria[start:], start):
            if criterion is Criterion.SPREAD:
                difference = spread - self.own_spread
            elif criterion is Criterion.HEAD_TO_HEAD:
                difference = self._compare_meetings(other)
                if self.is_free and side.left[other]:  # they may meet again
                    self.is_sure = False
                    return self.is_cautious
                # Whether a third player is level as well is not known here. If the later criteria decide as the meeting
                # does, it makes no difference.
                if difference and meets is None:
                    without = self._is_ahead_if_level(other, spread, meets, place + 1)
                    self.is_sure &= without == (difference > 0)
                    return (without or difference > 0) if self.is_cautious else (without and difference > 0)
                difference *= meets is True
            elif self._has_free_scores(other):
                return False  # points stand before the highest game
            elif criterion is Criterion.HIGHEST_GAME:
                self.is_sure &= self.lead[other] == 0  # a draw adds the same to both
                theirs, owns = (sorted(side.scores[key], reverse=True) for key in (other, self.player))
                difference = side.sign * ((theirs > owns) - (theirs < owns)) if self.lead[other] == 0 else -1
            else:
                difference = self._compare_sums(other, criterion)
            if difference:
                return difference > 0
        # A lot holds if it names all who are level, and whether others are is not known here.
        drawn = any({self.player, other} <= set(lot) for lot in side.event.lots)
        self.is_sure &= not drawn
        return self.is_cautious if drawn else side.sign < 0

    def _compare_sums(self, other: PlayerKey, criterion: Criterion) -> int:
        """The other player's points, or wins, minus this one's."""
        side, own, their = self.side, self.side.rows[self.player], self.side.rows[other]
        if criterion is Criterion.WINS:
            return side.sign * (their.half_wins - own.half_wins)
        return side.sign * (their.points - own.points) - self.lead[other]

    def _has_free_scores(self, other: PlayerKey) -> bool:
        """Whether one of the two still has a game against somebody else, so that its scores can decide."""
        side = self.side
        return (
            self.is_free
            or side.left[other] > 0
            or any(two not in get_players(game) for one, two in self._both_ways(other) for game in side.games[one])
        )

    def _has_games_elsewhere(self, other: PlayerKey) -> bool:
        return any(self.player not in get_players(game) for game in self.side.games[other])

    def _both_ways(self, other: PlayerKey) -> tuple[tuple[PlayerKey, PlayerKey], ...]:
        return (self.player, other), (other, self.player)

    def _compare_meetings(self, other: PlayerKey) -> int:
        """The other player's points in the games between the two, minus this one's."""
        side, pair = self.side, (self.player, other)
        sums, _ = standings.meeting_points(pair, side.met[frozenset(pair)], side.event.awards)
        return side.sign * (sums[other] - sums[self.player]) - self.lead[other]
