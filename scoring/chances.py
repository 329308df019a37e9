"""What can still happen: the best and the worst rank that any completion of an event gives each player, and how many
own wins a rank takes.

A completion plays every open game, and pairs and plays the rounds that are not drawn yet: a game is won by either side
by any margin from 1 up, with any final scores that have it, or is drawn; those who have not withdrawn meet in any way,
one of them with a bye where their number is odd. Nobody is absent, nothing is forfeited.

What is looked for is how few players must end ahead of one. The worst rank is the same question with wins, spread and
points turned round, so that one search serves both (`_Side`). No clock and no count of steps ends it. What it does not
follow to the end (who meets whom in rounds to come, many open games that hang together) it takes to be as good as can
be, so that no completion is forgotten and nothing that comes in makes more possible.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, product, zip_longest
from math import prod
from typing import NamedTuple

from scoring import standings
from scoring.awards import Awards, Outcome
from scoring.linked_games import Flow, LinkedGames, count_given_up, get_players, link_games
from scoring.standings import Contestant, Criterion, PlayerKey, Ranking, RankingBasis, Standing, TableGame

BEYOND = 10**7  # more than any sum of a table: what a margin without limit can bring
NEVER = BEYOND**2  # more than any number of such margins
LINKED_GAMES = 10  # up to so many open games that hang together are played out in every way
LINKED_GAMES_BY_MEETING = 6  # where it matters first how many are level in wins
FOLLOWED_PLAYERS = 4  # of more, up to so many players are followed at once
WAYS = 250_000  # if there are no more to pair the rounds to come and to end their games, each pairing is tried

Level = tuple[int, bool | None]
NONE_LEVEL: Level = (0, None)
Room = tuple[int, int, list[int]]  # who is ahead in any case, how much can be taken then, and how much if more are
Seen = dict[PlayerKey, tuple[int, int]]
State = tuple[tuple[PlayerKey, tuple[int, int]], ...]


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it stands: `games` hold the open ones as well, `rounds` are the numbers of those not drawn yet."""

    contestants: tuple[Contestant, ...]
    games: tuple[TableGame, ...]
    rounds: tuple[int, ...]
    ranking: Ranking
    awards: Awards
    lots: tuple[tuple[PlayerKey, ...], ...] = ()

    @property
    def open_games(self) -> list[TableGame]:
        return [game for game in self.games if game.outcome is Outcome.OPEN and game.second is not None]

    def rank(self) -> tuple[Standing, ...]:
        """The table as it stands."""
        return standings.rank(self.contestants, self.games, self.ranking, self.awards, lots=self.lots)


@dataclass(frozen=True, slots=True)
class Prospect:
    """Where a player can still end. `best_with`, `worst_with`: the best and the worst rank by half wins from own games
    that are left (a bye is none). `is_exact`: one completion reaches `best`, and one `worst`."""

    rank: int
    best_with: Mapping[int, int]
    worst_with: Mapping[int, int]
    is_exact: bool = True

    @property
    def best(self) -> int:
        return min(self.best_with.values())

    @property
    def worst(self) -> int:
        return max(self.worst_with.values())

    def possible_with(self, place: int) -> int | None:
        """The fewest own half wins with which the place or a better one can be reached; None: with no number."""
        return min((own for own, rank in self.best_with.items() if rank <= place), default=None)

    def certain_with(self, place: int) -> int | None:
        """The fewest own half wins with which the place or a better one is certain; None: with no number."""
        return min((own for own, rank in self.worst_with.items() if rank <= place), default=None)


class Ahead(NamedTuple):
    """How few players must end ahead; whether some completion is known to leave no more."""

    least: int
    is_exact: bool

    @property
    def order(self) -> tuple[int, bool]:
        return self.least, not self.is_exact


def find_prospects(event: Event) -> dict[PlayerKey, Prospect]:
    """Where everybody with a rank can still end, in the order of the table."""
    table = event.rank()
    rows = [row for row in table if row.rank is not None]
    if not event.open_games and not event.rounds:
        return {row.player: Prospect(row.rank or 0, {0: row.rank or 0}, {0: row.rank or 0}) for row in rows}
    hope, fear = _Side(event, table, 1), _Side(event, table, -1)
    found = {}
    for row in rows:
        best, worst = hope.find_fewest_ahead(row.player), fear.find_fewest_ahead(row.player)
        found[row.player] = Prospect(
            row.rank or 0,
            {own: 1 + ahead.least for own, ahead in sorted(best.items())},
            {own: len(rows) - ahead.least for own, ahead in sorted(worst.items())},
            all(min(each.values(), key=lambda ahead: ahead.order).is_exact for each in (best, worst)),
        )
    return found


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


class _Side:
    """The event as it looks to those who hope for the best rank (sign 1) or fear the worst (sign -1). There everything
    is turned round: half wins lost count instead of those won, a spread of 30 is one of -30, and who is level counts as
    ahead. So "ahead" always means what is to be avoided."""

    def __init__(self, event: Event, table: Sequence[Standing], sign: int) -> None:
        self.event, self.sign = event, sign
        self.rows = {row.player: row for row in table}
        self.ranked = {row.player for row in table if row.rank is not None}
        by_wins = event.ranking.basis is RankingBasis.WINS
        self.unit = 1 if by_wins else 0  # what half a win counts
        self.criteria = event.ranking.criteria[1:] if by_wins else event.ranking.criteria
        self.meeting_first = self.criteria[:1] == (Criterion.HEAD_TO_HEAD,)
        self.active = [each.key for each in event.contestants if not each.withdrawn]
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
        self._counted: dict[PlayerKey, dict[int, Ahead]] = {}
        self._groups: dict[PlayerKey, list[LinkedGames]] = {}
        self.rooms: dict[tuple[int, int], Room] = {}
        self._paired: list[_Side] = []

    def _seat(self, event: Event) -> None:
        """Who has which games left. Games that hang together too much to be followed count as against anybody."""
        self.games: dict[PlayerKey, list[TableGame]] = {key: [] for key in self.rows}
        self.left = {key: len(event.rounds) * (key in self.active) for key in self.rows}  # games against anybody
        self.shared_groups: list[LinkedGames] = []
        rounds = list(event.rounds)
        for group in link_games(event.open_games):
            followed = len(group.games) <= LINKED_GAMES or group.count_followed() <= FOLLOWED_PLAYERS
            for game in group.games:
                for key in get_players(game):
                    self.left[key] += not followed
                    self.games[key] += (game,) if followed else ()
            self.shared_groups += (replace(group, is_shared=True),) if followed else ()
            rounds += () if followed else [game.round for game in group.games]
        self.shared_groups += [LinkedGames([], {key: 0}, True) for key, games in self.games.items() if not games]
        self.is_loose = len(rounds) > len(event.rounds)
        self.odd = len(self.active) % 2 if event.rounds else 0
        each_round = len(self.active) + self.sign * self.odd
        self.supply = self.unit * (len(event.rounds) * each_round + 2 * (len(rounds) - len(event.rounds)))
        self.cap = max(map(self.find_cap, rounds), default=0)
        self.bye = self.sign * max(-self.cap, min(self.cap, event.awards.bye_spread))

    def find_cap(self, round: int) -> int:
        """The most that a margin counts in a round."""
        cap = self.event.ranking.cap(round)
        return BEYOND if cap is None else cap

    def _turn_wins(self, row: Standing) -> int:
        games = len(self.games[row.player]) + self.left[row.player]
        return row.half_wins if self.sign > 0 else -row.half_wins - 2 * games

    def list_groups(self, player: PlayerKey) -> list[LinkedGames]:
        """The others by open games that link them, when those of the player are played."""
        if player not in self._groups:
            own = next(group for group in self.shared_groups if player in group.last)
            parts = link_games([game for game in own.games if player not in get_players(game)])
            linked = {player}.union(*(group.last for group in parts))
            alone = [LinkedGames([], {key: 0}) for key in own.last if key not in linked]
            self._groups[player] = [group for group in self.shared_groups if group is not own] + alone + parts
        return self._groups[player]

    def find_fewest_ahead(self, player: PlayerKey) -> Mapping[int, Ahead]:
        """How few must end ahead of the player, by half wins from own games."""
        found = self._count_by_own_wins(player)
        rounds, players = len(self.event.rounds), len(self.active)
        ways = prod(range(players - 1 + players % 2, 0, -2)) ** rounds
        if ways * 3 ** (len(self.event.open_games) + rounds * (players // 2)) > WAYS:
            return found
        paired = {own: self._pair_in_every_way(player, own, ahead) for own, ahead in found.items()}
        return {own: ahead for own, ahead in paired.items() if ahead is not None}

    def _count_by_own_wins(self, player: PlayerKey) -> Mapping[int, Ahead]:
        if player not in self._counted:
            found = self._counted[player] = {}
            for own, case in self._list_cases(player):
                ahead = case.count_ahead()
                found[own] = min(found.get(own, ahead), ahead, key=lambda ahead: ahead.order)
        return self._counted[player]

    def _list_cases(self, player: PlayerKey) -> Iterator[tuple[int, "_Case"]]:
        """Everything that the player's own games can bring, with the half wins won in it."""
        left = self.left[player]
        byes = len(self.event.rounds) if self.odd and player in self.active else 0
        for results in product((0, 1, 2), repeat=len(self.games[player])):
            for bye in range(0 if len(self.active) > 1 else byes, byes + 1):
                for half_wins in range(2 * (left - bye) + 1):
                    own = sum(results) + half_wins
                    if self.sign < 0:
                        own = 2 * (len(results) + left - bye) - own
                    yield own, _Case(self, player, results, half_wins, bye)

    def _pair_in_every_way(self, player: PlayerKey, own: int, hoped: Ahead) -> Ahead | None:
        """How few must end ahead if each pairing of the rounds to come is tried; None if none allows so many own wins.
        `hoped`: fewer it is not."""
        if hoped.is_exact or not self.event.rounds:
            return hoped
        fewest: Ahead | None = None
        for side in self._list_paired_sides():
            ahead = side._count_by_own_wins(player).get(own)
            if ahead is not None and (fewest is None or ahead.order < fewest.order):
                ahead = side._pair_in_every_way(player, own, ahead)
            if ahead is not None and (fewest is None or ahead.order < fewest.order):
                fewest = ahead
            if fewest is not None and fewest.order <= (hoped.least, False):
                break
        return fewest

    def _list_paired_sides(self) -> Iterator["_Side"]:
        """The event with its next round paired, in each way."""
        number, *later = self.event.rounds
        for place, pairs in enumerate(list_pairings(self.active)):
            if place == len(self._paired):
                drawn = [TableGame(number, *pair, Outcome.BYE if pair[1] is None else Outcome.OPEN) for pair in pairs]
                event = replace(self.event, games=(*self.event.games, *drawn), rounds=tuple(later))
                self._paired.append(_Side(event, event.rank(), self.sign))
            yield self._paired[place]


class _Case:
    """What a player's own games bring is given: half wins from open games (`results`), from games against anybody, and
    byes. Own margins are then as helpful as can be; what the others do is looked for."""

    def __init__(self, side: _Side, player: PlayerKey, results: Sequence[int], half_wins: int, byes: int) -> None:
        self.side, self.player = side, player
        self.wins, self.spread = dict(side.wins), dict(side.spread)
        self.lead: dict[PlayerKey | None, int] = defaultdict(int)  # points by which open games against each are won
        for game, result in zip(side.games[player], results, strict=True):
            opponent = next(key for key in get_players(game) if key != player)
            cap = side.find_cap(game.round)
            margin = (-min(1, cap), 0, cap)[result]
            self.lead[opponent] += (-1, 0, BEYOND)[result]
            self.wins[player] += side.unit * result
            self.wins[opponent] += side.unit * (2 - result)
            self.spread[player] += margin
            self.spread[opponent] -= margin
        games, won = side.left[player] - byes, half_wins // 2
        lost = games - won - half_wins % 2
        self.taken = side.unit * (half_wins + (2 * byes if side.sign > 0 else 0))
        self.target = self.wins[player] + self.taken
        self.own_spread = self.spread[player] + won * side.cap - lost * min(1, side.cap) + byes * side.bye
        self.has_win = won > 0 or 2 in results
        self.is_beyond = (  # whether nobody level in wins can be ahead
            self.own_spread > BEYOND // 2
            and side.criteria[:1] == (Criterion.SPREAD,)
            and not side.event.ranking.losses_count
        )
        self.is_free = games > 0  # has games against anybody
        self.is_sure = True
        self.is_cautious = False  # whether others win and lose by one point only, and who is level counts as ahead
        self._limits: dict[tuple[PlayerKey, bool | None], int] = {}

    def count_ahead(self) -> Ahead:
        """How few of the others must end ahead."""
        side = self.side
        if side.event.rounds or side.is_loose:
            count, is_exact = self._count_with_games_to_come(), False
            by_points, by_spread = (side.criteria[:1] == (each,) for each in (Criterion.POINTS, Criterion.SPREAD))
            if not side.is_loose and self.has_win and (by_points or self.is_beyond):
                is_exact = self.is_sure
            elif not side.is_loose and by_spread:
                self.is_cautious = True
                is_exact = self._count_with_games_to_come() == count
            return Ahead(count, is_exact)
        found = {NONE_LEVEL: 0}
        for group in side.list_groups(self.player):
            found = _join_counts(found, self._search(group))
        count = min(number for (level, meets), number in found.items() if level != 1 or meets)
        return Ahead(count, self.is_sure)

    # Who is level in wins.

    def _is_ahead_if_level(self, other: PlayerKey, spread: int, meets: bool | None, start: int = 0) -> bool:
        """Whether another player, level in wins and with that spread, is ahead whatever is done about it. `meets`: they
        are the only two who are level in wins; None: as may be."""
        side, own, their = self.side, self.side.rows[self.player], self.side.rows[other]
        for place, criterion in enumerate(side.criteria[start:], start):
            if criterion is Criterion.SPREAD:
                difference = spread - self.own_spread
            elif criterion is Criterion.HEAD_TO_HEAD:
                difference = self._compare_meetings(other)
                if self.is_free and side.left[other]:  # they may meet again
                    self.is_sure = False
                    return False
                alone = meets if place == 0 else self._are_alone(other, spread, place)
                if difference and alone is None:
                    without = self._is_ahead_if_level(other, spread, meets, place + 1)
                    self.is_sure &= without == (difference > 0)
                    return without and difference > 0
                difference *= alone is True
            elif self._can_be_passed(other, criterion):
                return False
            elif criterion is Criterion.POINTS:
                difference = side.sign * (their.points - own.points) - self.lead[other]
            elif criterion is Criterion.WINS:
                difference = side.sign * (their.half_wins - own.half_wins)
            else:
                theirs, owns = (sorted(side.scores[key], reverse=True) for key in (other, self.player))
                difference = side.sign * ((theirs > owns) - (theirs < owns))
            if difference:
                return difference > 0
        drawn = any({self.player, other} <= set(lot) for lot in side.event.lots)
        self.is_sure &= not drawn
        return side.sign < 0 and not drawn

    def _can_be_passed(self, other: PlayerKey, criterion: Criterion) -> bool:
        """Whether the scores of games that are left decide the criterion in favour of the player, or may."""
        side, free = self.side, self.is_free or self.side.left[other] > 0
        for one, two in ((self.player, other), (other, self.player)):
            free = free or any(two not in get_players(game) for game in side.games[one])
        if criterion is not Criterion.POINTS:
            free = free or self.lead[other] != 0  # a draw adds the same to both
            self.is_sure &= not free
        return free

    def _compare_meetings(self, other: PlayerKey) -> int:
        """The points of another player in their games against this one, less this one's."""
        side, pair = self.side, (self.player, other)
        sums, _ = standings.meeting_points(pair, side.met[frozenset(pair)], side.event.awards)
        return side.sign * (sums[other] - sums[self.player]) - self.lead[other]

    def _are_alone(self, other: PlayerKey, spread: int, place: int) -> bool | None:
        """Whether nobody else is level with the two by the criteria before that place; None: somebody may be."""
        side = self.side
        alone: bool | None = True
        own = {Criterion.SPREAD: spread, Criterion.POINTS: side.sign * side.rows[self.player].points}
        for key in side.ranked - {self.player, other}:
            row, games = side.rows[key], len(side.games[key]) + side.left[key]
            their = {Criterion.SPREAD: side.sign * row.spread, Criterion.POINTS: side.sign * row.points}
            if self.wins[key] <= self.target <= self.wins[key] + 2 * side.unit * games:
                if games or self.lead[other]:
                    alone = None
                elif all(own[each] == their[each] for each in side.criteria[:place] if each in own):
                    return False
        return alone

    def find_limit(self, other: PlayerKey, meets: bool | None) -> int:
        """The highest spread with which another player, level in wins, is not ahead."""
        if (other, meets) not in self._limits:
            own, was_sure = self.own_spread, self.is_sure
            limit = next((each for each in (NEVER, own, own - 1) if not self._is_ahead(other, each, meets)), -NEVER)
            self._limits[other, meets] = limit
            if self.spread[other] != own and not self.side.games[other] and not self.side.left[other]:
                self.is_sure = was_sure  # they are not level
        return self._limits[other, meets]

    def _is_ahead(self, other: PlayerKey, spread: int, meets: bool | None) -> bool:
        side, own, their = self.side, self.side.rows[self.player], self.side.rows[other]
        if side.event.ranking.losses_count and side.unit:
            games = [row.games + len(side.games[row.player]) + side.left[row.player] for row in (own, their)]
            if games[0] != games[1]:
                return (games[1] - games[0]) * side.sign < 0
        return self._is_ahead_if_level(other, spread, meets)

    def count_wins_to_come(self, group: LinkedGames, player: PlayerKey) -> int:
        """The most half wins that a player of a group can still get."""
        return 2 * self.side.unit * (group.count_games(player) + self.side.left[player])

    # The last round is drawn: the open games that hang together are played out in every way.

    def _search(self, group: LinkedGames) -> dict[Level, int]:
        """How few of a group must end ahead, by how many of it are level in wins."""
        reach = [(self.wins[key], self.count_wins_to_come(group, key)) for key in group.last]
        if all(low + more < self.target for low, more in reach):
            return {NONE_LEVEL: 0}
        if all(low > self.target for low, _ in reach):
            return {NONE_LEVEL: len(self.side.ranked & set(group.last))}
        is_long = len(group.games) > (LINKED_GAMES_BY_MEETING if self.side.meeting_first else LINKED_GAMES)
        fewest, was_sure = 0, self.is_sure
        if is_long or (self.is_beyond and group.games) or len(group.games) > 3:
            fewest = next(given_up for given_up, each in enumerate(self._follow(group)) if each >= 0)
            self.is_sure = was_sure and (self.is_beyond or not is_long)
            if is_long or self.is_beyond:
                return {NONE_LEVEL: fewest}
        found: dict[Level, int] = {}
        self._play_out(group, 0, 0, [], found, fewest)
        return found

    def _play_out(
        self, group: LinkedGames, place: int, above: int, flows: list[Flow], found: dict[Level, int], fewest: int
    ) -> None:
        """Play the games of a group from that place on; `above`: so many are ahead by wins and have no more games.
        `fewest`: there cannot be fewer."""
        spare = 2 if self.side.meeting_first else 0  # who is level elsewhere may make a difference of one
        if found and max(above, fewest) >= min(found.values()) + spare:
            return
        if place == len(group.games):
            level = [key for key in group.last if self.wins[key] == self.target and key in self.side.ranked]
            if not group.games:
                above += self._count_above(group.last)
            for kind in self._name_levels(len(level)):
                over = {key: self.spread[key] - self.find_limit(key, kind[1]) for key in level}
                given_up = count_given_up(over, flows)
                found[kind] = min(found.get(kind, NEVER), above + given_up)
            return
        game = group.games[place]
        first, second = get_players(game)
        cap, unit = self.side.find_cap(game.round), self.side.unit
        done = [key for key in (first, second) if group.last[key] == place]
        if self.wins[first] > self.wins[second]:
            first, second = second, first
        for winner, loser, gain in ((first, second, 2), (first, second, 1), (second, first, 2)):
            margin = min(1, cap) if gain == 2 else 0
            flow = [(loser, winner, cap - margin)] if gain == 2 else []
            self._add(winner, unit * gain, margin)
            self._add(loser, unit * (2 - gain), -margin)
            self._play_out(group, place + 1, above + self._count_above(done), [*flows, *flow], found, fewest)
            self._add(winner, -unit * gain, -margin)
            self._add(loser, -unit * (2 - gain), margin)

    def _add(self, player: PlayerKey, wins: int, spread: int) -> None:
        self.wins[player] += wins
        self.spread[player] += spread

    def _count_above(self, players: Iterable[PlayerKey]) -> int:
        return sum(self.wins[key] > self.target and key in self.side.ranked for key in players)

    def _name_levels(self, level: int) -> list[Level]:
        """How many of a group are level in wins, and whether one of them is compared with the player as the only two
        who are: only where that comes first among the criteria."""
        if level == 0 or not self.side.meeting_first:
            return [NONE_LEVEL]
        return [(1, True), (1, False)] if level == 1 else [(2, False)]

    # Rounds are still to come: half wins are dealt out, and it is counted how many players must take too many.

    def _count_with_games_to_come(self) -> int:
        side, needed, above = self.side, self.side.supply - self.taken, 0
        room, gains = [0], []
        for group in side.list_groups(self.player):
            ahead, first, more = self._find_room(group)
            above, needed, each = above + ahead, needed - first, [two - one for one, two in pairwise((first, *more))]
            if all(one >= two for one, two in pairwise(each)):
                gains += each
            else:
                room = _join_rooms(room, [0, *accumulate(each)])
        reached = [0, *accumulate(sorted(gains, reverse=True))]
        given_up = (place + bisect_left(reached, needed - each) for place, each in enumerate(room))
        return above + min(given_up)

    def _find_room(self, group: LinkedGames) -> Room:
        """As `_follow`, which is remembered where it depends on nothing but the wins to be reached."""
        key = id(group), self.target
        found = self.side.rooms.get(key) if self.is_beyond and group.is_shared else None
        if found is None:
            room = self._follow(group)
            ahead = sum(each < 0 for each in room)
            found = ahead, room[ahead], [] if room[ahead] == room[-1] else room[ahead + 1 :]
            if self.is_beyond and group.is_shared:
                self.side.rooms[key] = found
        return found

    def _follow(self, group: LinkedGames) -> list[int]:
        """The most half wins from games against anybody that a group can take, by how many of it are ahead then."""
        states: dict[State, list[int]] = {(): [0]}
        if not group.games:
            (key,) = group.last
            return self._take(key, self.wins[key], self.spread[key])
        reach = [(self.wins[key], self.count_wins_to_come(group, key)) for key in group.last]
        full = sum(2 * self.side.unit * self.side.left[key] for key in group.last)
        if all(low + more < self.target for low, more in reach):
            return [full] * (len(reach) + 1)
        if all(low > self.target for low, _ in reach) and self.side.ranked.issuperset(group.last):
            return [-NEVER] * len(reach) + [full]
        for place, game in enumerate(group.games):
            follow: dict[State, list[int]] = {}
            for state, room in states.items():
                for result in (0, 1, 2):
                    seen, left = self._play(dict(state), game, result), room
                    for key in get_players(game):
                        if group.last[key] == place:
                            left = _join_rooms(left, self._take(key, *seen.pop(key)))
                    kept = tuple(sorted(seen.items()))
                    before = follow.get(kept, [])
                    follow[kept] = [max(pair) for pair in zip_longest(before, left, fillvalue=-NEVER)]
            states = follow
        return states[()]

    def _play(self, seen: Seen, game: TableGame, result: int) -> Seen:
        """Wins and spread of those seen, after a game that brings its first player so many half wins."""
        cap = self.side.find_cap(game.round)
        for key, half_wins in zip(get_players(game), (result, 2 - result), strict=True):
            wins, spread = seen.get(key, (self.wins[key], self.spread[key]))
            lost = min(1, cap) if self.is_cautious else cap
            seen[key] = wins + self.side.unit * half_wins, spread + (-lost, 0, min(1, cap))[half_wins]
        return seen

    def _take(self, player: PlayerKey, wins: int, spread: int) -> list[int]:
        """The most half wins that a player can take from games against anybody: without being ahead, and at all."""
        side, games = self.side, self.side.left[player]
        full = 2 * side.unit * games
        calm = min(full, self.target - wins)
        if player not in side.ranked:
            return [full]
        if calm >= 0 and wins + calm == self.target and not self.is_beyond:
            won = calm // 2
            lost = games - won - calm % 2
            if self.is_cautious:
                most = max(1, side.bye) if side.odd else 1
                is_ahead = spread + won * most - lost * min(1, side.cap) >= self.own_spread
            else:
                least = min(1, side.cap, side.bye if side.odd else 1)
                is_ahead = spread + won * least - lost * side.cap > self.find_limit(player, None)
            calm -= is_ahead
        return [calm if calm >= 0 else -NEVER, full]


def _join_counts(one: Mapping[Level, int], two: Mapping[Level, int]) -> dict[Level, int]:
    """How few are ahead in two groups together, by how many of both are level in wins."""
    joined: dict[Level, int] = {}
    for (kind, count), (other, more) in product(one.items(), two.items()):
        if NONE_LEVEL in (kind, other):
            both = max(kind, other, key=lambda level: level[0])
        elif True in (kind[1], other[1]):
            continue
        else:
            both = (2, False)
        joined[both] = min(joined.get(both, NEVER), count + more)
    return joined


def _join_rooms(one: Sequence[int], two: Sequence[int]) -> list[int]:
    """The most that two groups can take, by how many of both are ahead."""
    joined = [-NEVER] * (len(one) + len(two) - 1)
    for place, room in enumerate(one):
        for further, more in enumerate(two, place):
            joined[further] = max(joined[further], room + more)
    return joined
