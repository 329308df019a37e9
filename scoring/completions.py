"""What a completion of an event is, and how the event looks to those who hope for the best rank or fear the worst."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoring import standings
from scoring.awards import Awards, Outcome
from scoring.linked_games import LinkedGames, get_players, link_games
from scoring.standings import Contestant, Criterion, PlayerKey, Ranking, RankingBasis, Standing, TableGame

BEYOND = 10**7  # more than any sum of a table: what a margin without limit can bring
NEVER = BEYOND**2  # more than any number of such margins
LINKED_GAMES = 10  # so many linked open games, and no more, are played out in every way;
SMALL_FIELD = 8  # in a field of no more players than this
LINKED_GAMES_OF_SMALL_FIELD = 12  # so many are
ANY_RESULT = (0, 1, 2)  # of a game, as half wins of a player
FOLLOWED_PLAYERS = 4  # a larger group is followed too if no more players than this are in the middle of it at once


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it stands: `games` hold the open ones as well, `rounds` are the numbers of those not drawn yet.
    `limits`: open games of which only some results are looked at, as half wins of the first player."""

    contestants: tuple[Contestant, ...]
    games: tuple[TableGame, ...]
    rounds: tuple[int, ...]
    ranking: Ranking
    awards: Awards
    lots: tuple[tuple[PlayerKey, ...], ...] = ()
    limits: tuple[tuple[TableGame, tuple[int, ...]], ...] = ()

    @property
    def open_games(self) -> list[TableGame]:
        return [game for game in self.games if game.outcome is Outcome.OPEN and game.second is not None]

    def rank(self) -> tuple[Standing, ...]:
        """The table as it stands."""
        return standings.rank(self.contestants, self.games, self.ranking, self.awards, lots=self.lots)


def list_pairings(players: Sequence[PlayerKey]) -> Iterator[list[tuple[PlayerKey, PlayerKey | None]]]:
    """Every way to pair the players; where their number is odd one has no opponent."""
    if len(players) % 2:
        for alone in players:
            for pairs in list_pairings([player for player in players if player != alone]):
                yield [*pairs, (alone, None)]
    elif not players:
        yield []
    else:
        first, *others = players
        for second in others:
            for pairs in list_pairings([player for player in others if player != second]):
                yield [(first, second), *pairs]


class EventSide:
    """The event as it looks to those who hope for the best rank (sign 1) or fear the worst (sign -1). On the second
    side everything is turned round: half wins lost count instead of those won, a spread of 30 is one of -30, and a
    player who is level counts as ahead. So "ahead" always means what is to be avoided."""

    def __init__(self, event: Event, table: Sequence[Standing], sign: int) -> None:
        self.event, self.sign = event, sign
        self.rows = {row.player: row for row in table}
        self.ranked = {row.player for row in table if row.rank is not None}
        by_wins = event.ranking.basis is RankingBasis.WINS
        self.unit = 1 if by_wins else 0  # what half a win counts
        self.criteria = event.ranking.criteria[1:] if by_wins else event.ranking.criteria
        self.meeting_first = self.criteria[:1] == (Criterion.HEAD_TO_HEAD,)
        self.active = [contestant.key for contestant in event.contestants if not contestant.withdrawn]
        self.linked_games = LINKED_GAMES_OF_SMALL_FIELD if len(self.active) <= SMALL_FIELD else LINKED_GAMES
        self._seat(event)
        self.wins = {key: self.unit * self._turn_wins(row) for key, row in self.rows.items()}
        self.spread = {key: sign * row.spread for key, row in self.rows.items()}
        self.met: dict[frozenset[PlayerKey | None], list[TableGame]] = defaultdict(list)
        self.scores: dict[PlayerKey, list[int]] = defaultdict(list)
        for game in event.games:
            self.met[frozenset((game.first, game.second))].append(game)
            for key, credit in standings.game_credits(game, event.awards):
                if credit is not None and credit.score is not None:
                    self.scores[key].append(credit.score)
        self._groups: dict[PlayerKey, list[LinkedGames]] = {}
        self.rooms: dict[tuple[LinkedGames, int, bool], tuple[list[int], dict[int, Any]]] = {}
        # Where losses count, who is ahead hangs on the number of games of the very player who is asked about, so that
        # no two players can share what was measured.
        self.steady_groups = {  # those whose players all have games against anybody
            group
            for group in self.shared_groups
            if all(map(self.left.get, group.last)) and not event.ranking.losses_count
        }

    def _seat(self, event: Event) -> None:
        """Note which games everybody has left. Linked games with too many players to be followed count as games against
        anybody."""
        self.games: dict[PlayerKey, list[TableGame]] = {key: [] for key in self.rows}
        self.left = {key: len(event.rounds) * (key in self.active) for key in self.rows}  # games against anybody
        self.shared_groups: list[LinkedGames] = []
        rounds = list(event.rounds)
        for group in link_games(event.open_games):
            followed = len(group.games) <= self.linked_games or group.count_followed() <= FOLLOWED_PLAYERS
            for game in group.games:
                for key in get_players(game):
                    self.left[key] += not followed
                    self.games[key] += (game,) if followed else ()
            self.shared_groups += (group,) if followed else ()
            rounds += () if followed else [game.round for game in group.games]
        # Whoever has no open game is a group alone, so that everybody is in one: `list_groups` looks for it.
        self.shared_groups += [LinkedGames([], {key: 0}) for key, games in self.games.items() if not games]
        self.is_loose = len(rounds) > len(event.rounds)
        self.odd = len(self.active) % 2 if event.rounds else 0
        # Two half wins a game. The bye of an odd number brings two more; of half wins lost it brings none.
        each_round = len(self.active) + self.sign * self.odd
        self.supply = self.unit * (len(event.rounds) * each_round + 2 * (len(rounds) - len(event.rounds)))
        # The largest of all rounds: with a smaller one something possible might be overlooked.
        self.cap = max(map(self.find_cap, rounds), default=0)
        self.bye = self.sign * max(-self.cap, min(self.cap, event.awards.bye_spread))

    def list_results(self, game: TableGame, player: PlayerKey) -> tuple[int, ...]:
        """The results of an open game that are looked at, as half wins of one of its players on this side."""
        results = next((results for limited, results in self.event.limits if limited == game), ANY_RESULT)
        # Limits are half wins of the first player. They are turned for the second player and turned for the other side;
        # both together leave them as they are.
        is_turned = (player == game.first) == (self.sign < 0)
        return tuple(2 - result for result in results) if is_turned else results

    def find_cap(self, round: int) -> int:
        """The most that a margin counts in a round."""
        cap = self.event.ranking.cap(round)
        return BEYOND if cap is None else cap

    def _turn_wins(self, row: Standing) -> int:
        games = len(self.games[row.player]) + self.left[row.player]
        # Each game that is left adds the half wins lost in it, so that the end is the number of half wins, below zero.
        return row.half_wins if self.sign > 0 else -row.half_wins - 2 * games

    def list_groups(self, player: PlayerKey) -> list[LinkedGames]:
        """The other players, grouped by the open games that link them, once the player's own are played."""
        if player not in self._groups:
            # Without the player's own games their group may fall apart, and some in it may have no open game left.
            own = next(group for group in self.shared_groups if player in group.last)
            parts = link_games([game for game in own.games if player not in get_players(game)])
            linked = {player}.union(*(group.last for group in parts))
            alone = [LinkedGames([], {key: 0}) for key in own.last if key not in linked]
            self._groups[player] = [group for group in self.shared_groups if group is not own] + alone + parts
        return self._groups[player]
