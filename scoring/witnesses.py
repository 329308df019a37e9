"""Completions of an event that end a player at a given rank, looked for step by step: they prove that a bound of
`chances` is exact. One thing is changed at a time, the scores of a game or who meets whom, and kept if it brings the
player nearer to the rank. Finding none proves nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from scoring.awards import Outcome
from scoring.completions import Event
from scoring.standings import PlayerKey, Standing, TableGame

FAR = 50_000  # more points than any real game brings
LEVELS = (-FAR, 400, FAR)  # what the loser of a game can have
Scores = tuple[int, int]
Nearness = tuple[int, int]
"""The rank, and by how many half wins others are ahead, both turned round where the worst rank is looked for."""


def find_completion(event: Event, player: PlayerKey, rank: int, sign: int, tries: int) -> Event | None:
    """The event with everything played and the player at `rank`, which is the best (`sign` 1) or the worst (-1) that is
    possible; None if `tries` steps find no such completion."""
    completion = _Completion(event, player, sign * rank, sign, tries)
    before = None
    # Until a whole pass brings nothing: the next one would try the same changes.
    while completion.nearest[0] > completion.goal and completion.nearest != before and completion.tries:
        before = completion.nearest
        for place in range(len(completion.games)):
            completion.change_scores(place)
        for one, other in combinations(range(len(completion.games)), 2):
            completion.change_opponents(one, other)
    return completion.build_event() if completion.nearest[0] == completion.goal else None


@dataclass
class _Completion:
    """An event played to its end, and how near the player is to the rank that is the goal."""

    event: Event
    player: PlayerKey
    goal: int
    sign: int
    tries: int  # that are left
    games: list[TableGame] = field(default_factory=list)  # those that can be changed
    given: list[TableGame] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.given = [game for game in self.event.games if game.outcome is not Outcome.OPEN or game.second is None]
        self.games = self.event.open_games
        order = [contestant.key for contestant in self.event.contestants if not contestant.withdrawn]
        for number in self.event.rounds:
            # The first meets the last, and so on; the one in the middle of an odd number has a bye.
            half = len(order) // 2
            self.games += [
                TableGame(number, *pair, Outcome.OPEN) for pair in zip(order[:half], order[::-1], strict=False)
            ]
            self.given += [TableGame(number, order[half], None, Outcome.BYE)] if len(order) % 2 else []
            # As in a round robin the first stays and the others move on by one, so that opponents change from round to
            # round.
            order = [order[0], order[-1], *order[1:-1]] if len(order) > 1 else order
        # The player's own games as clear as can be, all others by a single point: from there one change after the other
        # is tried.
        ours, theirs = (FAR, -FAR) if self.sign > 0 else (-FAR, FAR)
        for place, game in enumerate(self.games):
            points = (ours, theirs) if game.first == self.player else (1, 0)
            self._play(place, (theirs, ours) if game.second == self.player else points)
        self.rows: dict[PlayerKey, Standing] = {}
        self.nearest = self._measure()

    def _play(self, place: int, points: Scores) -> None:
        first, second = points
        game = self.games[place]
        self.games[place] = replace(game, outcome=Outcome.PLAYED, first_points=first, second_points=second)

    def build_event(self) -> Event:
        return replace(self.event, games=(*self.given, *self.games), rounds=())

    def _measure(self) -> Nearness:
        self.tries -= 1
        self.rows = {row.player: row for row in self.build_event().rank()}
        mine = self.rows[self.player]
        ahead = sum(max(0, self.sign * (row.half_wins - mine.half_wins)) for row in self.rows.values())
        return self.sign * (mine.rank or 0), ahead

    def _keep_if_nearer(self) -> bool:
        distance = self._measure()
        if is_nearer := distance < self.nearest:
            self.nearest = distance
        return is_nearer

    @property
    def _is_over(self) -> bool:
        return self.nearest[0] <= self.goal or not self.tries

    def change_scores(self, place: int) -> None:
        """Try other scores of a game, and keep those that bring the player nearest."""
        game = self.games[place]
        # The rows may still be those of a change that was taken back.
        self._measure()
        for points in list(self._list_scores(game)):
            if self._is_over:
                break
            self._play(place, points)
            if self._keep_if_nearer():
                game = self.games[place]
        self.games[place] = game

    def _list_scores(self, game: TableGame) -> Iterator[Scores]:
        """Scores that can matter: close and clear ones, and those that bring one of the two level with somebody in
        spread or in points, or just past them."""
        mine, theirs = game.first_points or 0, game.second_points or 0
        margins, points = {0, 1, -1, FAR, -FAR}, list[Scores]()
        for own, key, turn in ((mine, game.first, 1), (theirs, game.second, -1)):
            row = self.rows[key]  # type: ignore[index]  # a game that is open has two players
            for other, past in product(self.rows.values(), (-1, 0, 1)):
                margins.add(turn * (other.spread - row.spread + past) + mine - theirs)
                level = other.points - row.points + own + past
                for by in (1, -1, FAR, -FAR):
                    points.append((level, level - by) if turn > 0 else (level - by, level))
        # In order, since tries are few and what is tried first decides what is found: a set promises no order.
        yield from ((level + margin, level) for margin, level in product(sorted(margins), LEVELS))
        yield from points

    def change_opponents(self, one: int, other: int) -> None:
        """Swap opponents between two games of a round to come, and keep what brings the player nearer."""
        here, there = self.games[one], self.games[other]
        if here.round != there.round or here.round not in self.event.rounds:
            return
        for ends, others in (
            ((here.first, there.first), (here.second, there.second)),
            ((here.first, there.second), (there.first, here.second)),
        ):
            if self._is_over:
                return
            self.games[one] = replace(here, first=ends[0], second=ends[1])
            self.games[other] = replace(there, first=others[0], second=others[1])  # type: ignore[arg-type]  # no byes
            if self._keep_if_nearer():
                return
            self.games[one], self.games[other] = here, there
