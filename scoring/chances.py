"""What can still happen: the best and the worst rank that any completion of an event gives each player, and how many
own wins a rank takes.

A completion plays every open game, and pairs and plays the rounds that are not drawn yet: a game is won by either side
by any margin from 1 up, with any final scores that have it, or is drawn; those who have not withdrawn meet in any way,
one of them with a bye where their number is odd. Nobody is absent, nothing is forfeited.

The search counts how few players must end ahead of a given one. The worst rank is the same question with wins, spread
and points turned round, so that one search serves both (`EventSide`). It is stopped by no clock and no count of steps,
so the same event gives the same answer on every machine. Some things it does not follow to the end: who meets whom in
the rounds to come of a large field, and many open games that are linked. There it assumes the best that can be, so that
no completion is overlooked, and a further result never makes more possible than was said before.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, combinations, islice, pairwise, product, repeat
from math import prod
from typing import Any, NamedTuple

from scoring.awards import Outcome
from scoring.completions import NEVER, SMALL_FIELD, Event, EventSide, list_pairings
from scoring.level_players import LevelPlayers
from scoring.linked_games import Bounds, Flow, LinkedGames, count_given_up, get_players
from scoring.single_games import count_ahead_of, play_own_games
from scoring.standings import Criterion, PlayerKey, RankingBasis, TableGame
from scoring.witnesses import find_completion

FEW_GAMES = 3  # in larger groups of linked games, wins alone first give a bound of how few must be ahead
ROUNDS_OF_SMALL_FIELD = 2  # in small fields every pairing is tried if no more rounds than these are to come;
TINY_FIELD = 6  # an open round counts among them in fields larger than this: with eight players it took ten seconds
WAYS = 250_000  # in other fields every pairing is tried if there are no more ways to pair the rounds and end the games
TRIED_GAMES = 12  # with no more games left, a bound that is not proven is counted anew, or a completion is looked for,
TRIES, TRIES_TO_COME = 1500, 400  # by so many tries (fewer with rounds to come): a few tenths of a second a player
TRIED_PAIRINGS = 80  # before that, so many pairings of the rounds to come are tried in small fields

Level = tuple[int, bool | None]
"""How many others are level with the player when the direct meeting is compared (2: two or more) and, if it is one,
whether nobody else is."""
NONE_LEVEL: Level = (0, None)
LEVELS: tuple[Level, ...] = (NONE_LEVEL, (1, True), (1, False), (2, False))
Case = tuple[tuple[int, ...], int, int]  # the results of own open games, half wins against anybody, and byes
Seen = dict[PlayerKey, tuple[int, int]]
State = tuple[tuple[PlayerKey, tuple[int, int]], ...]


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
        """The fewest own half wins with which the place or a better one can be reached; None if no number reaches
        it."""
        return min((own for own, rank in self.best_with.items() if rank <= place), default=None)

    def certain_with(self, place: int) -> int | None:
        """The fewest own half wins with which the place or a better one is certain; None if no number makes it so."""
        return min((own for own, rank in self.worst_with.items() if rank <= place), default=None)


class Ahead(NamedTuple):
    """The fewest players who end ahead of a player, and whether a completion is known that leaves no more."""

    least: int
    is_exact: bool

    @property
    def order(self) -> tuple[int, bool]:
        # Of two equal counts the proven one comes first, so that `min` does not choose one that was only assumed.
        return self.least, not self.is_exact


class Room(NamedTuple):
    """What a group of players can take from games against anybody. `ahead`: how many of them end ahead in any case;
    `first`: the half wins that the group can take then; `gains`: how many more with each further one ahead, and
    `is_falling`: whether these steps never get larger."""

    ahead: int
    first: int
    gains: Sequence[int]
    is_falling: bool


def find_prospects(event: Event, only: Collection[PlayerKey] = ()) -> dict[PlayerKey, Prospect]:
    """Where everybody with a rank can still end, in the order of the table. `only`: the players to look at; whether
    their bounds are exact is then not looked into. Nothing by Keizer until all is played: each result moves the values
    of everybody."""
    table = event.rank()
    rows = [row for row in table if row.rank is not None]
    if not event.open_games and not event.rounds:
        return {row.player: Prospect(row.rank or 0, {0: row.rank or 0}, {0: row.rank or 0}) for row in rows}
    if event.ranking.basis is RankingBasis.KEIZER:
        return {}
    hope, fear = (_Search(EventSide(event, table, sign)) for sign in (1, -1))
    prospects = {}
    for row in rows:
        if only and row.player not in only:
            continue
        best, worst = hope.find_fewest_ahead(row.player), fear.find_fewest_ahead(row.player)
        prospect = Prospect(
            row.rank or 0,
            {own: 1 + ahead.least for own, ahead in sorted(best.items())},
            # Seen from this side those are ahead who end below the player or level with them. All others can end above.
            {own: len(rows) - ahead.least for own, ahead in sorted(worst.items())},
        )
        proven = [min(case_bounds.values(), key=lambda ahead: ahead.order).is_exact for case_bounds in (best, worst)]
        is_exact = not only and _is_exact(event, row.player, prospect, proven)
        prospects[row.player] = replace(prospect, is_exact=is_exact)
    return prospects


def _is_exact(event: Event, player: PlayerKey, prospect: Prospect, proven: Sequence[bool]) -> bool:
    """Whether both bounds are reached by completions that are known. Where the search has not proven it and few enough
    games are left, some completions are tried."""
    games = len(event.open_games) + len(event.rounds) * (len(event.contestants) // 2)
    tries = TRIES_TO_COME if event.rounds else TRIES
    return all(
        is_proven or (games <= TRIED_GAMES and find_completion(event, player, bound, sign, tries) is not None)
        for bound, sign, is_proven in zip((prospect.best, prospect.worst), (1, -1), proven, strict=True)
    )


class _Search:
    """Searches for the fewest who end ahead of a player, seen from one side of the event."""

    def __init__(self, side: EventSide, first: int = 0) -> None:
        self.side = side
        self._first = first  # the pairing of the next round, of all there are, with which its ways to be paired begin
        self._counted: dict[tuple[PlayerKey, int], Ahead] = {}
        self._cases: dict[PlayerKey, Mapping[int, list[Case]]] = {}
        self._paired: list[_Search] = []
        rounds, players = len(side.event.rounds), len(side.active)
        self.is_tried = bool(rounds) and players <= SMALL_FIELD and rounds <= ROUNDS_OF_SMALL_FIELD
        games = len(side.event.open_games) + rounds * (players // 2)
        # Each of n players can have n − 1 opponents, the first of the others left n − 3, and so on. With an odd number
        # the bye counts as one more player. Each game ends in one of three ways.
        ways = prod(range(players - 1 + players % 2, 0, -2)) ** rounds * 3**games
        rounds_left = rounds + bool(side.event.open_games and players > TINY_FIELD)
        is_small = players <= SMALL_FIELD and rounds_left <= ROUNDS_OF_SMALL_FIELD and games <= side.linked_games
        self.is_small = bool(rounds) and (is_small or ways <= WAYS)

    def find_fewest_ahead(self, player: PlayerKey) -> Mapping[int, Ahead]:
        """The fewest players who end ahead of this one, by half wins from own games."""
        counts = {own: self._count_ahead(player, own) for own in self._list_cases(player)}
        if not self.is_small:
            return counts | self._try_pairings(player, counts) if self.is_tried else counts
        paired = {own: self._pair_until_exact(player, own, ahead) for own, ahead in counts.items()}
        return {own: ahead for own, ahead in paired.items() if ahead is not None}

    def _count_ahead(self, player: PlayerKey, own: int) -> Ahead:
        """The fewest ahead with so many own half wins, without pairing the rounds to come."""
        if (player, own) not in self._counted:
            cases = self._list_cases(player)[own]
            self._counted[player, own] = min(
                (self._count_case(player, case) for case in cases), key=lambda ahead: ahead.order
            )
        return self._counted[player, own]

    def _count_case(self, player: PlayerKey, case: Case) -> Ahead:
        """The fewest ahead in one case. Where the search has not proven them they are counted again, with all scores
        that matter."""
        side = self.side
        ahead = _Case(side, player, *case).count_ahead()
        event = side.event
        if ahead.is_exact or event.rounds or event.limits or len(event.open_games) > TRIED_GAMES:
            return ahead
        results = dict(zip(side.games[player], case[0], strict=True))
        best = count_ahead_of(play_own_games(event, player, results, side.sign), player, side.sign)
        if best is None:
            return ahead
        least = best if side.sign > 0 else len(side.ranked) - 1 - best
        return Ahead(least, True) if least == ahead.least or not results else ahead  # own scores may do better

    def _list_cases(self, player: PlayerKey) -> Mapping[int, list[Case]]:
        """Everything that the player's own games can bring, by the half wins in it. A case holds the results of the
        open games, the half wins from games against anybody, and the byes."""
        if player not in self._cases:
            side, cases = self.side, defaultdict(list)
            games_left = side.left[player]
            byes = len(side.event.rounds) if side.odd and player in side.active else 0
            for results in product(*(side.list_results(game, player) for game in side.games[player])):
                # Whoever is the only one left has a bye in every round to come.
                for bye in range(0 if len(side.active) > 1 else byes, byes + 1):
                    for half_wins in range(2 * (games_left - bye) + 1):
                        own, most = sum(results) + half_wins, 2 * (len(results) + games_left - bye)
                        cases[own if side.sign > 0 else most - own].append((results, half_wins, bye))
            self._cases[player] = cases
        return self._cases[player]

    def _pair_until_exact(self, player: PlayerKey, own: int, ahead: Ahead) -> Ahead | None:
        """The fewest players who end ahead, found by pairing the rounds to come in every way if need be; None if no
        pairing allows so many own wins."""
        if ahead.is_exact:
            return ahead
        # Without an end of tries: in a field that is small enough every pairing is looked at.
        counts = range(ahead.least, len(self.side.rows) + 1)
        return next(
            (case_bound for most in counts if (case_bound := self._find_way(player, own, most, repeat(0)))), None
        )

    def _try_pairings(self, player: PlayerKey, found: Mapping[int, Ahead]) -> dict[int, Ahead]:
        """The counts among `found` that some pairing of the rounds to come is known to reach."""
        least, is_inexact = min(ahead.order for ahead in found.values())
        tries = iter(range(TRIED_PAIRINGS))
        hopeful = [own for own, ahead in found.items() if is_inexact and ahead.least == least]
        for own in sorted(hopeful, key=lambda own: -own * self.side.sign):
            way = self._find_way(player, own, least, tries)
            if way is not None and way.is_exact:
                return {own: way}
        return {}

    def _find_way(self, player: PlayerKey, own: int, most: int, tries: Iterator[int]) -> Ahead | None:
        """The count of a way to pair the rounds to come that leaves at most `most` players ahead; None if none turns up
        in so many tries."""
        if own not in self._list_cases(player):
            return None
        ahead = self._count_ahead(player, own)
        if ahead.least > most:
            return None
        if ahead.is_exact or not self.side.event.rounds:
            return ahead
        first_way = None
        # The tries first, since `zip` takes one before it asks for a search: all searches within share one number.
        for _, search in zip(tries, self._list_paired(), strict=False):
            way = search._find_way(player, own, most, tries)
            if way is not None and (first_way is None or way.is_exact):
                first_way = way
            if way is not None and way.is_exact:
                break
        return first_way

    def _list_paired(self) -> Iterator["_Search"]:
        """The event with its next round paired, once for each way to pair it. Two rounds with the same cap are
        interchangeable, so only one order of their pairings is tried."""
        event = self.side.event
        number, *later = event.rounds
        same = bool(later) and event.ranking.cap(number) == event.ranking.cap(later[0])  # the order makes no difference
        ways = islice(list_pairings(self.side.active), self._first, None)
        for place, pairs in enumerate(ways):
            if place == len(self._paired):
                drawn = [TableGame(number, *pair, Outcome.BYE if pair[1] is None else Outcome.OPEN) for pair in pairs]
                paired = replace(event, games=(*event.games, *drawn), rounds=tuple(later))
                side = EventSide(paired, paired.rank(), self.side.sign)
                self._paired.append(_Search(side, self._first + place if same else 0))
            yield self._paired[place]


class _Case(LevelPlayers):
    """A case: the results of the player's own games are given, and what all other games bring is searched."""

    is_followed = True  # whether all open games that hang together were played out
    is_narrow = False  # whether others win and lose by one point only, and who is level counts as ahead
    is_parting = False  # whether it is tried who is level where the direct meeting is looked at, after other criteria

    def __init__(self, side: EventSide, player: PlayerKey, results: Sequence[int], half_wins: int, byes: int) -> None:
        super().__init__(side, player, results, half_wins, byes)
        self._level_spreads: list[int] = []  # of others who can be level in wins

    def count_wins_to_come(self, group: LinkedGames, player: PlayerKey) -> int:
        """The most half wins that a player of a group can still get."""
        return 2 * self.side.unit * (group.count_games(player) + self.side.left[player])

    def count_ahead(self) -> Ahead:
        """The fewest of the others who end ahead."""
        if self.side.event.rounds or self.side.is_loose:
            return self._count_ahead_with_games_to_come()
        count = self._count_with_all_drawn()
        if self.is_sure or not self.is_followed:
            return Ahead(count, self.is_followed)
        # What can end either way was taken to end well for the player. If nothing changes when it ends badly, nothing
        # hangs on it, and the count is exact.
        self.is_cautious = True
        if self._count_anew() == count:
            return Ahead(count, True)
        self.is_cautious = False
        self.is_parting = 0 < len(self.before_meeting) < len(self.side.criteria)
        return Ahead(self._count_anew(), self.is_sure)

    def _count_anew(self) -> int:
        self.is_sure = True
        self._limits.clear()
        return self._count_with_all_drawn()

    # The last round is drawn: the open games that hang together are played out in every way.

    def _count_with_all_drawn(self) -> int:
        counts = {NONE_LEVEL: 0}
        for group in self.side.list_groups(self.player):
            counts = _join_counts(counts, self._search(group))
        # (1, False) is no completion: somebody was taken to be level beside others, and nobody else is.
        return min(number for (level, meets), number in counts.items() if level != 1 or meets)

    def _search(self, group: LinkedGames) -> Mapping[Level, int]:
        """The fewest of a group who end ahead, by how many of it are level where the direct meeting is compared."""
        reach = [(self.wins[key], self.count_wins_to_come(group, key)) for key in group.last]
        if all(low + more < self.target for low, more in reach):
            return {NONE_LEVEL: 0}
        if all(low > self.target for low, _ in reach):
            return {NONE_LEVEL: len(self.side.ranked & set(group.last))}
        counts: dict[Level, int] = {}
        least: Mapping[Level, int] = {}
        kinds = LEVELS if self.side.meeting_first or self.is_parting else (NONE_LEVEL,)
        if group.games and (self.is_beyond or len(group.games) > FEW_GAMES):
            least = self._follow(group, COUNTS)
            if self.is_beyond or len(group.games) > self.side.linked_games:
                self.is_followed &= self.is_beyond
                return least
            if self.side.meeting_first:  # one who is level alone shares no margin with another
                kinds = LEVELS[-1:]
                counts = {kind: count for kind, count in least.items() if kind not in kinds}
        self._play_out(group, 0, 0, [], _Sought(kinds, least, counts))
        return counts

    def _play_out(self, group: LinkedGames, place: int, above: int, flows: list[Flow], sought: "_Sought") -> None:
        """Play the games of a group from that place on. `above` counts the players who are ahead by wins and have no
        games left."""
        if sought.is_found(above):
            return
        if place == len(group.games):
            level = [key for key in group.last if self.wins[key] == self.target and key in self.side.ranked]
            if not group.games:
                above += self._count_above(group.last)
            for kind, given_up in self._part(level, flows) if self.is_parting else self._settle(level, flows):
                sought.add(kind, above + given_up)
            return
        game = group.games[place]
        first, second = get_players(game)
        cap, unit = self.side.find_cap(game.round), self.side.unit
        finished = [key for key in (first, second) if group.last[key] == place]
        if self.wins[first] > self.wins[second]:
            first, second = second, first
        allowed = self.side.list_results(game, first)
        for winner, loser, gain in ((first, second, 2), (first, second, 1), (second, first, 2)):
            if (gain if winner == first else 0) not in allowed:
                continue
            # By the least margin for now: how much margins grow is settled at the end, for all games of the group.
            margin = min(1, cap) if gain == 2 else 0
            flow = [(loser, winner, cap - margin)] if gain == 2 else []
            self._add(winner, unit * gain, margin)
            self._add(loser, unit * (2 - gain), -margin)
            self._play_out(group, place + 1, above + self._count_above(finished), [*flows, *flow], sought)
            self._add(winner, -unit * gain, -margin)
            self._add(loser, -unit * (2 - gain), margin)

    def _add(self, player: PlayerKey, wins: int, spread: int) -> None:
        self.wins[player] += wins
        self.spread[player] += spread

    def _count_above(self, players: Iterable[PlayerKey]) -> int:
        return sum(self.wins[key] > self.target and key in self.side.ranked for key in players)

    def _settle(self, level: Sequence[PlayerKey], flows: Sequence[Flow]) -> Iterator[tuple[Level, int]]:
        """The fewest of the players level in wins who must end ahead, by how many are level in all. That number matters
        where the direct meeting comes right after wins, for it compares two players only."""
        met = self.side.meeting_first and sum(not self.compare_games(key) for key in level)
        for kind in LEVELS[1:3] if met == 1 else LEVELS[3:] if met else LEVELS[:1]:
            bounds = {key: (-NEVER, self.find_limit(key, kind[1]) - self.spread[key]) for key in level}
            yield kind, count_given_up(bounds, {}, flows)

    def _part(self, level: Sequence[PlayerKey], flows: Sequence[Flow]) -> Iterator[tuple[Level, int]]:
        """As `_settle`, where other criteria come before the direct meeting. Every choice of who is level by those is
        tried."""
        ties = {key: self.is_level_when_met(key) for key in level}
        forced = [] if Criterion.SPREAD in self.before_meeting else [key for key in level if ties[key]]
        others = [key for key in level if key not in forced and ties[key] is not False]
        self.is_sure &= sum(tie is None for tie in ties.values()) < 2
        for more in range(max(0, 2 - len(forced)) + 1):
            for chosen in combinations(others, more):
                met = {*forced, *chosen}
                for kind in LEVELS[1:3] if len(met) == 1 else LEVELS[3:] if met else LEVELS[:1]:
                    bounds = [self._bound_spread(key, ties[key], kind, key in met) for key in level]
                    named_level, given_up = (
                        {key: bound[side] for key, bound in zip(level, bounds, strict=True)} for side in (0, 1)
                    )
                    yield kind, count_given_up(named_level, given_up, flows)

    def _bound_spread(self, key: PlayerKey, tie: bool | None, kind: Level, is_met: bool) -> tuple[Bounds, Bounds]:
        """The bounds within which the spread of a player level in wins may change: first so that the player does not
        end ahead, then for one who does."""
        by_spread, own = Criterion.SPREAD in self.before_meeting, self.own_spread
        least, most, above = -NEVER, NEVER, -NEVER
        if is_met:
            limit = self.find_limit_when_met(key, kind[1] is True)
            least, most, above, top = (own, limit, own, own) if by_spread else (-NEVER, limit, -NEVER, NEVER)
        else:
            limit, top = (own - 1 if tie else self.find_limit(key, None)), NEVER
            if by_spread and tie is not False and kind[1] is False:
                limit = max(limit, self.find_limit_when_met(key, False))
            elif by_spread and tie:
                above = own + 1
            most = limit
        now = self.spread[key]
        return (least - now, most - now), (above - now, top - now)

    # Rounds are still to come: half wins are dealt out, and it is counted how many players must take too many.

    def _count_ahead_with_games_to_come(self) -> Ahead:
        side, count = self.side, self._count_with_games_to_come()
        if side.is_loose:
            return Ahead(count, False)
        if self.has_win and (side.criteria[:1] == (Criterion.POINTS,) or self.is_beyond):
            return Ahead(count, self.is_sure)
        self.is_narrow = side.criteria[:1] == (Criterion.SPREAD,)
        return Ahead(count, self.is_narrow and self._count_with_games_to_come() == count)

    def _count_with_games_to_come(self) -> int:
        side, needed, above = self.side, self.side.supply - self.taken, 0
        room: list[int] = [0]
        gains: list[int] = []
        for group in side.list_groups(self.player):
            room_found = self._find_room(group)
            above, needed = above + room_found.ahead, needed - room_found.first
            if room_found.is_falling:
                gains += room_found.gains
            else:
                room = _join_rooms(room, [0, *accumulate(room_found.gains)])
        reached = [0, *accumulate(sorted(gains, reverse=True))]
        given_up = (place + bisect_left(reached, needed - need) for place, need in enumerate(room))
        return above + min(given_up)

    def _find_room(self, group: LinkedGames) -> Room:
        """What a group can take. It is remembered by what it depends on: the wins to be reached, and which of the
        others who are level in wins have more spread."""
        # With games against anybody to come only wins and spread compare, and both are in the key. Without them points
        # and meetings do as well, which are the player's own.
        if not (self.is_free and group in self.side.steady_groups):
            return self._measure_room(group)
        spreads, rooms = self.side.rooms.setdefault((group, self.target, self.is_narrow), ([], {}))
        if not rooms:
            self._level_spreads = []
            room = self._measure_room(group)
            spreads += sorted(set(self._level_spreads))
        # As in `take_half_wins`: an equal spread counts as ahead where margins are narrow, and does not elsewhere.
        place = (bisect_left if self.is_narrow else bisect_right)(spreads, self.own_spread)
        if place not in rooms:
            rooms[place] = self._measure_room(group) if rooms else room
        known_room: Room = rooms[place]
        return known_room

    def _measure_room(self, group: LinkedGames) -> Room:
        """What a group can take, by how many of it end ahead."""
        reach = [(self.wins[key], self.count_wins_to_come(group, key)) for key in group.last]
        full = sum(2 * self.side.unit * self.side.left[key] for key in group.last)
        if all(low + more < self.target for low, more in reach):
            return Room(0, full, (), is_falling=True)
        if all(low > self.target for low, _ in reach) and self.side.ranked.issuperset(group.last):
            return Room(len(reach), full, (), is_falling=True)
        room = self._follow(group, ROOMS)
        ahead = sum(need < 0 for need in room)
        gains = [two - one for one, two in pairwise(room[ahead:])] if room[ahead] < room[-1] else []
        return Room(ahead, room[ahead], gains, all(one >= two for one, two in pairwise(gains)))

    def _follow(self, group: LinkedGames, tally: "_Tally") -> Any:
        """What linked open games can bring their players, followed game after game. Each player is given the margins
        that help most, as if no game were shared."""
        if not group.games:
            (key,) = group.last
            return tally.take(self, key, self.wins[key], self.spread[key])
        states: dict[State, Any] = {(): tally.nothing}
        for place, game in enumerate(group.games):
            follow: dict[State, Any] = {}
            for state, counts in states.items():
                for result in self.side.list_results(game, game.first):
                    seen, joined = self._play(dict(state), game, result), counts
                    for key in get_players(game):
                        if group.last[key] == place:
                            joined = tally.join(joined, tally.take(self, key, *seen.pop(key)))
                    # In order, so that two ways which leave the same figures are one state.
                    state_key = tuple(sorted(seen.items()))
                    follow[state_key] = tally.merge(follow[state_key], joined) if state_key in follow else joined
            states = follow
        return states[()]

    def _play(self, seen: Seen, game: TableGame, result: int) -> Seen:
        """The wins and spread of the players after a game that brings its first player so many half wins."""
        cap = self.side.find_cap(game.round)
        for key, half_wins in zip(get_players(game), (result, 2 - result), strict=True):
            wins, spread = seen.get(key, (self.wins[key], self.spread[key]))
            lost = min(1, cap) if self.is_narrow else cap
            seen[key] = wins + self.side.unit * half_wins, spread + (-lost, 0, min(1, cap))[half_wins]
        return seen

    def take_half_wins(self, player: PlayerKey, wins: int, spread: int) -> list[int]:
        """The most half wins that a player can take from games against anybody: first without getting ahead, then at
        all."""
        side, games = self.side, self.side.left[player]
        full = 2 * side.unit * games
        calm = min(full, self.target - wins)
        # Whoever has no rank is ahead of nobody, and may take all there is.
        if player not in side.ranked:
            return [full]
        if calm >= 0 and wins + calm == self.target and not self.is_beyond:
            won = calm // 2
            lost = games - won - calm % 2
            if self.is_narrow:
                most = max(1, side.bye) if side.odd else 1
                spread += won * most - lost * min(1, side.cap)
                is_ahead = spread >= self.own_spread
            else:
                least = min(1, side.cap, side.bye if side.odd else 1)
                spread += won * least - lost * side.cap
                is_ahead = spread > self.find_limit(player, None)
            self._level_spreads.append(spread)
            calm -= is_ahead
        return [calm if calm >= 0 else -NEVER, full]

    def count_end(self, player: PlayerKey, wins: int, spread: int) -> dict[Level, int]:
        """Whether a player who has no more games is ahead."""
        if wins != self.target or self.is_beyond or player not in self.side.ranked:
            return {NONE_LEVEL: int(wins > self.target and player in self.side.ranked)}
        kinds = LEVELS[1:3] if self.side.meeting_first and not self.compare_games(player) else LEVELS[:1]
        return {kind: int(spread > self.find_limit(player, kind[1])) for kind in kinds}


class _Sought:
    """What a search in one group of linked games is after: the fewest who end ahead, for each of the `kinds` of being
    level that matter. `least`: bounds of these counts; `found`: the best so far."""

    def __init__(self, kinds: Sequence[Level], least: Mapping[Level, int], found: dict[Level, int]) -> None:
        self.kinds, self.least, self.found = kinds, least, found

    def is_found(self, above: int) -> bool:
        """Whether nothing better can be found once so many are ahead."""
        return all(self.found.get(kind, NEVER) <= max(above, self.least.get(kind, 0)) for kind in self.kinds) or (
            above >= min(self.found.values(), default=NEVER) + 2  # who is level elsewhere makes a difference of one
        )

    def add(self, kind: Level, count: int) -> None:
        self.found[kind] = min(self.found.get(kind, NEVER), count)


class _Tally(NamedTuple):
    """How the counts of a group are made: `take` reads a player who has no more games, `join` adds two players, `merge`
    keeps the better of two ways to play, and `nothing` is the count of nobody."""

    nothing: Any
    take: Callable[[_Case, PlayerKey, int, int], Any]
    join: Callable[[Any, Any], Any]
    merge: Callable[[Any, Any], Any]


def _join_counts(one: Mapping[Level, int], two: Mapping[Level, int]) -> dict[Level, int]:
    """The fewest ahead in two groups together, by how many players of both are level in wins."""
    joined: dict[Level, int] = {}
    for (kind, count), (other, more) in product(one.items(), two.items()):
        if NONE_LEVEL in (kind, other):
            both = max(kind, other, key=lambda level: level[0])
        # One says that nobody else is level, and the other knows of somebody.
        elif True in (kind[1], other[1]):
            continue
        else:
            both = (2, False)
        joined[both] = min(joined.get(both, NEVER), count + more)
    return joined


def _merge_counts(one: Mapping[Level, int], two: Mapping[Level, int]) -> dict[Level, int]:
    return {kind: min(one.get(kind, NEVER), two.get(kind, NEVER)) for kind in {**one, **two}}


def _join_rooms(one: Sequence[int], two: Sequence[int]) -> list[int]:
    """The most that two groups can take, by how many players of both are ahead."""
    joined = [-NEVER] * (len(one) + len(two) - 1)
    for place, room in enumerate(one):
        for further, more in enumerate(two, place):
            joined[further] = max(joined[further], room + more)
    return joined


def _merge_rooms(one: Sequence[int], two: Sequence[int]) -> list[int]:
    return list(map(max, one, two))


COUNTS = _Tally({NONE_LEVEL: 0}, _Case.count_end, _join_counts, _merge_counts)
ROOMS = _Tally([0], _Case.take_half_wins, _join_rooms, _merge_rooms)
