"""Open games that are linked by the players they share, and how their margins can move those players' spreads: what the
loser gives, the winner takes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from scoring.standings import PlayerKey, TableGame

Flow = tuple[PlayerKey, PlayerKey, int]  # from the loser of a game to its winner: by how much the margin may grow
Bounds = tuple[int, int]  # by how much a spread may change, at least and at most


# Equal only to itself: groups are keys of dictionaries, and a list of games has no hash.
@dataclass(frozen=True, slots=True, eq=False)
class LinkedGames:
    """Open games linked by shared players, each beside one that it shares a player with. `last`: for each player the
    place of the last game."""

    games: list[TableGame]
    last: Mapping[PlayerKey, int]

    def count_games(self, player: PlayerKey) -> int:
        return sum(player in get_players(game) for game in self.games)

    def count_followed(self) -> int:
        """The most players who have games both before and after one place."""
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
    """The games in groups that share no player."""
    games_left, groups = list(games), []
    while games_left:
        linked = [games_left.pop(0)]
        seen = set(get_players(linked[0]))
        # Always one that shares a player with those before it: players come to their last game early, and few have to
        # be followed at once (`count_followed`).
        while linked_game := next((game for game in games_left if not seen.isdisjoint(get_players(game))), None):
            games_left.remove(linked_game)
            linked.append(linked_game)
            seen.update(get_players(linked_game))
        last = {key: place for place, game in enumerate(linked) for key in get_players(game)}
        groups.append(LinkedGames(linked, last))
    return groups


def count_given_up(
    bounds: Mapping[PlayerKey, Bounds], given_up: Mapping[PlayerKey, Bounds], flows: Sequence[Flow]
) -> int:
    """The fewest players of a group who have to be given up, so that all others stay within their bounds; one more than
    the group has if even that is not enough. `bounds` and `given_up` limit how a spread may change beyond the least
    margins: for players who are kept, and for those given up. Whoever is given up and not named in the second is
    unbounded."""
    if all(least <= 0 <= most for least, most in bounds.values()):
        return 0
    for count in range(len(bounds) + 1):
        for named in combinations(bounds, count):
            others = {key: given_up[key] for key in named if key in given_up}
            if can_settle({key: limit for key, limit in bounds.items() if key not in named} | others, flows):
                return count
    return len(bounds) + 1


def can_settle(bounds: Mapping[PlayerKey, Bounds], flows: Sequence[Flow]) -> bool:
    """Whether margins can grow so that everybody's spread changes within these bounds. Spread flows from losers to
    winners, as in any flow network: one player after the other is brought within the bounds, along paths that push
    nobody out."""
    if any(least > most for least, most in bounds.values()):
        return False
    change = dict.fromkeys(bounds, 0)
    room: dict[PlayerKey, dict[PlayerKey, int]] = defaultdict(lambda: defaultdict(int))
    for loser, winner, more in flows:
        room[loser][winner] += more
        # Named with nothing in it: the way back, on which later steps may undo a part of this one.
        room[winner][loser] += 0
    for start, (least, most) in bounds.items():
        while not least <= change[start] <= most:
            sign = 1 if change[start] > most else -1  # whether it gives to others, or takes from them
            path = _find_way(start, sign, bounds, change, room)
            if path is None:
                return False
            steps = list(pairwise(path if sign > 0 else path[::-1]))
            amount = min(change[start] - most if sign > 0 else least - change[start], *(room[a][b] for a, b in steps))
            if path[-1] in bounds:
                amount = min(amount, _count_spare(path[-1], sign, bounds, change))
                change[path[-1]] += sign * amount
            change[start] -= sign * amount
            for one, two in steps:
                room[one][two] -= amount
                room[two][one] += amount
    return True


def _count_spare(key: PlayerKey, sign: int, bounds: Mapping[PlayerKey, Bounds], change: Mapping[PlayerKey, int]) -> int:
    """How much more a player can take, or give."""
    return bounds[key][1] - change[key] if sign > 0 else change[key] - bounds[key][0]


def _find_way(
    start: PlayerKey,
    sign: int,
    bounds: Mapping[PlayerKey, Bounds],
    change: Mapping[PlayerKey, int],
    room: Mapping[PlayerKey, Mapping[PlayerKey, int]],
) -> list[PlayerKey] | None:
    """The shortest path from a player to somebody who can take more spread (`sign` 1), or against the flow to somebody
    who can give some (-1); None if there is none."""
    paths = [[start]]
    seen = {start}
    # The list grows while it is walked: a search in breadth, so that the first path that ends is the shortest.
    for path in paths:
        here = path[-1]
        if here != start and (here not in bounds or _count_spare(here, sign, bounds, change) > 0):
            return path
        for key in room[here]:
            if key not in seen and (room[here][key] if sign > 0 else room[key][here]) > 0:
                seen.add(key)
                paths.append([*path, key])
    return None
