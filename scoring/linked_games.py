"""Open games that hang together, since they have players in common, and what their margins can do for the spreads of
those players: what a loser gives, the winner takes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from scoring.standings import PlayerKey, TableGame

Flow = tuple[PlayerKey, PlayerKey, int]  # from the loser of a game to its winner: by how much the margin may grow


@dataclass(frozen=True, slots=True, eq=False)
class LinkedGames:
    """Open games that hang together, neighbours first; `last`: the place of each player's last one. `is_shared`: they
    are the same whoever is looked at."""

    games: list[TableGame]
    last: Mapping[PlayerKey, int]
    is_shared: bool = False

    def count_games(self, player: PlayerKey) -> int:
        return sum(player in get_players(game) for game in self.games)

    def count_followed(self) -> int:
        """How many players have games both before and after some place, at most."""
        seen: set[PlayerKey] = set()
        most = 0
        for place, game in enumerate(self.games):
            seen = {key for key in seen.union(get_players(game)) if self.last[key] > place}
            most = max(most, len(seen))
        return most


def get_players(game: TableGame) -> tuple[PlayerKey, PlayerKey]:
    assert game.second is not None
    return game.first, game.second


def link_games(games: Sequence[TableGame]) -> list[LinkedGames]:
    """The games in groups that have no player in common."""
    left, groups = list(games), []
    while left:
        linked = [left.pop(0)]
        seen = set(get_players(linked[0]))
        while found := next((game for game in left if not seen.isdisjoint(get_players(game))), None):
            left.remove(found)
            linked.append(found)
            seen.update(get_players(found))
        last = {key: place for place, game in enumerate(linked) for key in get_players(game)}
        groups.append(LinkedGames(linked, last))
    return groups


def count_given_up(over: Mapping[PlayerKey, int], flows: Sequence[Flow]) -> int:
    """How few of the players must stay over their limit; `over`: by how much each is with the least margins."""
    if all(excess <= 0 for excess in over.values()):
        return 0
    for count in range(len(over)):
        for given_up in combinations(over, count):
            if _can_drain({key: excess for key, excess in over.items() if key not in given_up}, flows):
                return count
    return len(over)


def _can_drain(over: Mapping[PlayerKey, int], flows: Sequence[Flow]) -> bool:
    """Whether margins can grow so that nobody stays over: what a loser gives, the winner takes. Everybody else, and who
    is below their limit, takes it (a flow of the network's usual kind)."""
    excess = dict(over)
    room: dict[PlayerKey, dict[PlayerKey, int]] = defaultdict(lambda: defaultdict(int))
    for loser, winner, more in flows:
        room[loser][winner] += more
    for start in over:
        while excess[start] > 0:
            path = _find_way_out(start, excess, room)
            if path is None:
                return False
            amount = min(excess[start], *(room[one][two] for one, two in pairwise(path)))
            if path[-1] in excess:
                amount = min(amount, -excess[path[-1]])
                excess[path[-1]] += amount
            excess[start] -= amount
            for one, two in pairwise(path):
                room[one][two] -= amount
                room[two][one] += amount
    return True


def _find_way_out(
    start: PlayerKey, excess: Mapping[PlayerKey, int], room: Mapping[PlayerKey, Mapping[PlayerKey, int]]
) -> list[PlayerKey] | None:
    """A way from a player to somebody who can take more."""
    paths = [[start]]
    seen = {start}
    for path in paths:
        if excess.get(path[-1], -1) < 0:
            return path
        for key, more in room[path[-1]].items():
            if more > 0 and key not in seen:
                seen.add(key)
                paths.append([*path, key])
    return None
