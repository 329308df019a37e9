"""The table: what each player's games add up to, who stands where, and what separates each row from the one above it.

The clauses, where each is, how it is read, and by which test:

    TSO 6.1       Ranking.criteria: those announced, then a, b, c as far as they are left
                  test_criteria_not_named_follow_in_the_order_of_the_rules
    TSO 6.1       _arrange_rows: a criterion is not looked at again when a later one parts a tie
                  test_head_to_head_is_looked_at_once_at_its_place
    TSO 6.1 a, b  count_games: credited spread and points are part of the sums
                  test_row_sums_up_every_round_that_brought_a_result
    TSO 6.1 c     _head_to_head_points: of exactly two; a game that never began is no meeting
                  test_head_to_head
    TSO 6.1       _highest_games: scores really reached; whoever has fewer of them is lower
                  test_highest_game
    TSO 6.1       Ranking.shared_ties: every criterion is applied, needed or not, unless those named are all
                  test_shared_ties_leave_it_to_the_criteria_named
    TSO 6.1.1     game_credits: what `scoring.awards` credits, from each side
                  test_table_is_that_of_a_second_program
    none          _rank_rows: who is level in all that is named shares the rank
                  test_who_is_still_level_shares_the_rank_and_the_next_is_skipped
    none          rank: whoever is disqualified from the event stands last, without a rank
                  test_disqualified_players_are_last_without_a_rank_and_the_others_move_up
    none          _lot_order: a lot that names others than those left settles nothing
                  test_lot_settles_a_tie_that_it_names_in_full
    none          Ranking.cap: a cap holds for credited spreads as well
                  test_spread_cap
    none          _count_keizer_points: what a win counts by Keizer
                  test_keizer_table
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import chain, groupby, pairwise, zip_longest
from operator import attrgetter
from typing import Any

from scoring import awards, keizer
from scoring.awards import AwardReason, Awards, Outcome

PlayerKey = int | str  # how callers name players: all by numbers or all by strings


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player who has a row in the table. By Keizer, `seeding` makes the order before the first round, the lowest
    first; who `joins_later` and is in no game yet has no value."""

    key: PlayerKey
    withdrawn: bool = False
    disqualified: bool = False  # from the whole event: last, without a rank
    seeding: tuple[int, ...] = ()
    joins_later: bool = False


@dataclass(frozen=True, slots=True)
class TableGame:
    """A pairing and what came out of it. Points are final scores; in a forfeit, the scores when the game stopped.
    `second` is None for a bye and an absence; `spread` is then credited instead of the rules' figure. `reason`: why the
    game was awarded, if anybody said so. Nothing is checked here: `problems` finds all faults of a tournament at
    once."""

    round: int
    first: PlayerKey
    second: PlayerKey | None
    outcome: Outcome
    first_points: int | None = None
    second_points: int | None = None
    spread: int | None = None
    reason: AwardReason | None = None

    @property
    def has_begun(self) -> bool:
        """Whether the two have played. A game with a no-show or a late player never began, and has no score."""
        # The scores alone do not say so: a latecomer's game may be entered as 0 : 0, and nobody has played it (2.4 d).
        return None not in (self.first_points, self.second_points) and self.reason not in awards.UNSTARTED_REASONS


class TableFault(StrEnum):
    """What can be wrong with the games of a table."""

    LISTED_TWICE = "listed_twice"
    UNKNOWN_PLAYER = "unknown_player"
    TWICE_IN_ROUND = "twice_in_round"
    ROUND_BELOW_ONE = "round_below_one"
    OPPONENT_MISSING = "opponent_missing"
    OPPONENT_TOO_MANY = "opponent_too_many"
    POINTS_MISSING = "points_missing"
    SPREAD_NOT_ALLOWED = "spread_not_allowed"


@dataclass(frozen=True, slots=True)
class TableProblem:
    """One fault: what it is, whose, and in which round."""

    fault: TableFault
    player: PlayerKey
    round: int | None = None

    def __str__(self) -> str:
        return f"{self.fault}: {self.player}" + ("" if self.round is None else f" in round {self.round}")


class NotRankable(ValueError):
    """The games contradict each other; `problems` holds every fault."""

    def __init__(self, faults: tuple[TableProblem, ...]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.problems = faults


def problems(contestants: Iterable[Contestant], games: Iterable[TableGame]) -> tuple[TableProblem, ...]:
    """Every fault of the input; none if it can be ranked."""
    faults: list[TableProblem] = []
    known_players: set[PlayerKey] = set()
    for contestant in contestants:
        if contestant.key in known_players:
            faults.append(TableProblem(TableFault.LISTED_TWICE, contestant.key))
        known_players.add(contestant.key)
    seated: set[tuple[int, PlayerKey]] = set()
    for game in games:
        for player in _game_players(game):
            if player not in known_players:
                faults.append(TableProblem(TableFault.UNKNOWN_PLAYER, player, game.round))
            if (game.round, player) in seated:
                faults.append(TableProblem(TableFault.TWICE_IN_ROUND, player, game.round))
            seated.add((game.round, player))
        faults += [TableProblem(fault, game.first, game.round) for fault in _game_faults(game)]
    return tuple(faults)


def _game_players(game: TableGame) -> tuple[PlayerKey, ...]:
    return (game.first,) if game.second is None else (game.first, game.second)


def _game_faults(game: TableGame) -> Iterator[TableFault]:
    """What is wrong with one game by itself."""
    alone = game.outcome in awards.OUTCOMES_WITHOUT_OPPONENT
    if game.round < 1:
        yield TableFault.ROUND_BELOW_ONE
    if alone and game.second is not None:
        yield TableFault.OPPONENT_TOO_MANY
    if not alone and game.outcome != Outcome.OPEN and game.second is None:
        yield TableFault.OPPONENT_MISSING
    if game.outcome == Outcome.PLAYED and (game.first_points is None or game.second_points is None):
        yield TableFault.POINTS_MISSING
    if game.spread is not None and not alone:
        yield TableFault.SPREAD_NOT_ALLOWED


class Criterion(StrEnum):
    """What can separate two rows."""

    KEIZER = "keizer"
    WINS = "wins"
    SPREAD = "spread"
    POINTS = "points"
    HEAD_TO_HEAD = "head_to_head"
    HIGHEST_GAME = "highest_game"
    LOT = "lot"


@dataclass(frozen=True, slots=True)
class ComparedFigures:
    """The two figures compared: the row's own and that of the row `above`; None if a list of games has run out. `nth`:
    of two lists of games, best first, the place that decided. `meetings`: how many games the figures add up."""

    own: int | None
    above: int | None
    nth: int = 1
    meetings: int = 1


# Not frozen: games are counted in the very rows that are returned. Copied into others at the end, the rows would double
# the time of a large table.
@dataclass(slots=True)
class Standing:
    """A row of the table, counted and placed by `rank`; nobody changes it afterwards. A draw is half a win and half a
    loss; `games` counts every round with a result. `decided_by` separates the row from the one above: None in the first
    row, if the rank is shared, and without a rank. `detail`: the two figures compared by a criterion that the columns
    do not show (head to head, highest game). `keizer`: points in sixths, and `value`, what a win against the player
    counts; both 0 where the table does not go by them."""

    rank: int | None
    player: PlayerKey
    half_wins: int = 0
    spread: int = 0
    points: int = 0
    games: int = 0
    highest_game: int | None = None
    decided_by: Criterion | None = None
    detail: ComparedFigures | None = None
    withdrawn: bool = False
    disqualified: bool = False
    keizer: int = 0
    value: int = 0
    last_round: int = field(default=0, repr=False, compare=False)
    """The last round counted so far: nobody plays twice in one."""

    @property
    def half_losses(self) -> int:
        return 2 * self.games - self.half_wins

    @property
    def wins(self) -> float:
        return self.half_wins / 2

    @property
    def losses(self) -> float:
        return self.half_losses / 2


class RankingBasis(StrEnum):
    """What the table is ranked by first."""

    WINS = Criterion.WINS.value
    POINTS = Criterion.POINTS.value
    KEIZER = Criterion.KEIZER.value


class WithdrawnPlacement(StrEnum):
    """Where players who withdrew stand: in their place, with a mark, or last, without a rank."""

    RANKED = "ranked"
    UNRANKED = "unranked"


class TieRule(StrEnum):
    """What decides if players are level by the named criteria: the others and the highest game, or nothing."""

    TSO = "tso"
    SHARED = "shared"


DEFAULT_CRITERIA = (Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD)  # TSO 6.1 a, b, c


@dataclass(frozen=True, slots=True)
class Ranking:
    """How a table is ranked, as announced.

    `order` names criteria of TSO 6.1 in the order announced; the others follow in the order a, b, c, then the highest
    game. With `shared_ties` only the named criteria decide, and players who are then level share the rank. With
    `losses_count`, of two players with equal wins the one with fewer losses is better; that matters if somebody missed
    rounds that did not count. (tsh does both.)
    `spread_cap`: the most that one game's spread counts, by round; the last one holds for all later rounds. Empty: no
    cap. Raises ValueError for an order that names a criterion twice, or one that it may not name.
    """

    basis: RankingBasis = RankingBasis.WINS
    order: tuple[Criterion, ...] = ()
    shared_ties: bool = False
    losses_count: bool = False
    withdrawn: WithdrawnPlacement = WithdrawnPlacement.RANKED
    spread_cap: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        # None of these has a place of its own in an announcement: Keizer is a basis only, the highest game follows all
        # other criteria (TSO 6.1), and a lot follows everything.
        unnamed = {Criterion.KEIZER, Criterion.HIGHEST_GAME, Criterion.LOT}
        if len(set(self.order)) != len(self.order) or unnamed & set(self.order):
            raise ValueError(f"not an order of criteria: {', '.join(self.order)}")
        if any(cap < 0 for cap in self.spread_cap):
            raise ValueError(f"a spread cap is not negative: {self.spread_cap}")

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """Everything that decides before lots do, in order: the basis, the named criteria, the others."""
        basis = Criterion(self.basis.value)
        named = (basis, *(criterion for criterion in self.order if criterion != basis))
        if self.shared_ties:
            return named
        # Ranked by points, wins decide nothing unless they are announced: they are none of the criteria a, b, c.
        rest = tuple(criterion for criterion in DEFAULT_CRITERIA if criterion not in named)
        return (*named, *rest, Criterion.HIGHEST_GAME)

    def cap(self, round: int) -> int | None:
        """The most that a game's spread counts in that round; None: no cap."""
        return self.spread_cap[min(round, len(self.spread_cap)) - 1] if self.spread_cap else None


Tie = Sequence[Standing]  # players who are level so far

TieComparison = Callable[[Tie], Sequence[Any]]
"""Gives the values that a criterion compares, the best highest; all are equal if it does not apply."""


@dataclass(slots=True)
class CriterionSources:
    """What criteria use besides the sums: single games, the figures for awards, lots, and whether losses count."""

    rounds: Collection[list[TableGame]]
    figures: Awards
    lots: Sequence[Sequence[PlayerKey]]
    losses_count: bool
    games_by_player: dict[PlayerKey | None, list[TableGame]] = field(default_factory=dict)

    def games_of(self, ties: Iterable[Tie]) -> Mapping[PlayerKey | None, list[TableGame]]:
        """The games of each player in these ties, and perhaps those of others."""
        # For level players only: a table whose rows differ in their sums never looks at a single game.
        new_players: dict[PlayerKey | None, list[TableGame]] = {
            row.player: [] for tie in ties for row in tie if row.player not in self.games_by_player
        }
        for game in chain.from_iterable(self.rounds) if new_players else ():
            if game.first in new_players:
                new_players[game.first].append(game)
            if game.second in new_players:
                new_players[game.second].append(game)
        self.games_by_player |= new_players
        return self.games_by_player


_SUMS: Mapping[Criterion, Callable[[Standing], int]] = {
    Criterion.KEIZER: attrgetter("keizer"),
    Criterion.WINS: attrgetter("half_wins"),
    Criterion.SPREAD: attrgetter("spread"),
    Criterion.POINTS: attrgetter("points"),
}


def comparison(criterion: Criterion, ties: Iterable[Tie], sources: CriterionSources) -> TieComparison:
    """How a criterion compares the players of these ties."""
    match criterion:
        case Criterion.WINS if sources.losses_count:
            # with equal wins, fewer losses mean fewer games
            return lambda tie: [(row.half_wins, -row.games) for row in tie]
        case Criterion.HEAD_TO_HEAD:
            # Of pairs alone: where three are level nobody's meetings count (TSO 6.1 c), and their games would be
            # gathered for nothing.
            games = sources.games_of(tie for tie in ties if len(tie) == 2)
            return partial(_head_to_head_points, games, sources.figures)
        case Criterion.HIGHEST_GAME:
            return partial(_highest_games, sources.games_of(ties), sources.figures)
        case Criterion.LOT:
            return partial(_lot_order, sources.lots)
        case _:
            column = _SUMS[criterion]
            return lambda tie: list(map(column, tie))


def first_difference(own: Sequence[int], above: Sequence[int]) -> ComparedFigures | None:
    """The first figures that differ in two lists, best first, and their place; None if the lists are the same."""
    pairs = enumerate(zip_longest(own, above), start=1)
    return next((ComparedFigures(*pair, nth=nth) for nth, pair in pairs if pair[0] != pair[1]), None)


COMPARED_FIGURES: Mapping[Criterion, Callable[[Any, Any], ComparedFigures | None]] = {
    Criterion.HEAD_TO_HEAD: lambda own, above: ComparedFigures(own[0], above[0], meetings=own[1]),
    Criterion.HIGHEST_GAME: first_difference,
}
"""For criteria that the columns do not show: the two figures to show for the two values compared."""


def _head_to_head_points(
    games: Mapping[PlayerKey | None, list[TableGame]], figures: Awards, tie: Tie
) -> list[tuple[int, int]]:
    """Points in the direct meetings, and how many there were, if exactly two players are level (TSO 6.1 c). Two who
    have not played each other have 0 : 0; a game that never began was not played. In an awarded game the credited
    points count."""
    keys = [row.player for row in tie]
    # The sums keep the order of the tie. Of three who are level no game is looked at: all have 0, nothing is parted.
    sums, count = meeting_points(keys, games[keys[0]] if len(keys) == 2 else (), figures)
    return [(points, count) for points in sums.values()]


def meeting_points(
    pair: Sequence[PlayerKey], games: Iterable[TableGame], figures: Awards
) -> tuple[dict[PlayerKey, int], int]:
    """Two players' points in their games against each other, and how many games there were; only games that began."""
    sums, count, both = dict.fromkeys(pair, 0), 0, set(pair)
    for game in games:
        # TSO 6.1.1 credits a game that never began under a and b only. Counted as a meeting, its 400 : 0 would part two
        # who have not played each other.
        if {game.first, game.second} == both and game.has_begun:
            count += 1
            for player, credit in game_credits(game, figures):
                sums[player] += credit.points if credit else 0
    return sums, count


def _highest_games(games: Mapping[PlayerKey | None, list[TableGame]], figures: Awards, tie: Tie) -> list[list[int]]:
    """The scores that each player really reached, highest first; a list that runs out is lower."""
    return [sorted(_reached_scores(row.player, games[row.player], figures), reverse=True) for row in tie]


def _reached_scores(key: PlayerKey, games: Iterable[TableGame], figures: Awards) -> Iterator[int]:
    for game in games:
        # By what is credited, not by what is written down: whoever is at fault may have led with 500 and has no score.
        for player, credit in game_credits(game, figures):
            if player == key and credit is not None and credit.score is not None:
                yield credit.score


def _lot_order(lots: Sequence[Sequence[PlayerKey]], tie: Tie) -> list[int]:
    """The order drawn by the last lot that names everybody in the tie."""
    keys = [row.player for row in tie]
    # The last one, and only if it names all: after a correction others may be level, and their lot is drawn anew.
    lot = next((lot for lot in reversed(lots) if set(keys) <= set(lot)), None)
    return [0 if lot is None else -lot.index(key) for key in keys]


def rank(
    contestants: Iterable[Contestant],
    games: Iterable[TableGame],
    ranking: Ranking,
    figures: Awards,
    *,
    after: int | None = None,
    lots: Sequence[Sequence[PlayerKey]] = (),
) -> tuple[Standing, ...]:
    """The table after round `after` (None: all games), first row first; level rows in the order of their keys. Each of
    `lots` is an order drawn among level players; a tie that is left is settled by the last lot that names all of its
    players. Whoever is disqualified stands last, without a rank. Raises `NotRankable` with every fault if the games up
    to that round contradict each other."""
    contestants = tuple(contestants)
    rounds = group_by_round(games, after)
    standings: dict[PlayerKey | None, Standing] = {
        contestant.key: Standing(
            None, contestant.key, withdrawn=contestant.withdrawn, disqualified=contestant.disqualified
        )
        for contestant in contestants
    }
    # The two faults that counting would not notice: whoever is listed twice has one row all the same. `problems` looks
    # at every game once more, so it is asked only when something is wrong.
    sound = len(standings) == len(contestants) and min(rounds, default=1) >= 1
    if not sound or not count_games(rounds, standings, ranking.cap, figures):
        raise NotRankable(problems(contestants, chain.from_iterable(rounds.values())))
    if ranking.basis is RankingBasis.KEIZER:
        _count_keizer_points(contestants, standings, rounds, ranking, figures)
    # By key before anything else: the sorts that follow are stable, so that level players stand in the same order on
    # every machine.
    rows = sorted(standings.values(), key=attrgetter("player"))
    is_apart = ranking.withdrawn is WithdrawnPlacement.UNRANKED
    unranked = [row for row in rows if is_apart and row.withdrawn and not row.disqualified]
    disqualified = [row for row in rows if row.disqualified]
    # Before any criterion is applied: as a third player who is level they would keep head to head, which is for exactly
    # two, from deciding between the others.
    if unranked or disqualified:
        rows = [row for row in rows if not row.disqualified and not (is_apart and row.withdrawn)]
    sources = CriterionSources(rounds.values(), figures, lots, ranking.losses_count)
    _arrange_rows(rows, ranking.criteria, sources)
    _rank_rows(rows)
    for apart in (unranked, disqualified):
        _arrange_rows(apart, ranking.criteria, sources)
        for row in apart:
            row.decided_by = row.detail = None
    return (*rows, *unranked, *disqualified)


def _count_keizer_points(
    contestants: Iterable[Contestant],
    rows: Mapping[PlayerKey | None, Standing],
    rounds: Mapping[int, Iterable[TableGame]],
    ranking: Ranking,
    figures: Awards,
) -> None:
    """Write points and values by Keizer into the rows. A win counts the opponent's value, also one that is awarded."""
    cards: dict[PlayerKey | None, keizer.KeizerCard] = {}
    games = list(chain.from_iterable(rounds.values()))
    seen = {player for game in games for player in _game_players(game)}
    for contestant in sorted(contestants, key=lambda one: (one.seeding, one.key)):
        # By Keizer each player lifts the values of all others: whoever joins later and has not played yet must not.
        if contestant.key in seen or not contestant.joins_later:
            is_unranked = contestant.withdrawn and ranking.withdrawn is WithdrawnPlacement.UNRANKED
            apart = 2 if contestant.disqualified else int(is_unranked)
            cards[contestant.key] = keizer.KeizerCard(apart=apart)
    places = {player: place for place, player in enumerate(cards)}
    half_wins: dict[PlayerKey | None, dict[int, int]] = {player: defaultdict(int) for player in cards}
    for game in games:
        if game.second is None:
            cards[game.first].byes += game.outcome is Outcome.BYE
            cards[game.first].missed += game.outcome is Outcome.ABSENT
            continue
        for player, credit in game_credits(game, figures):
            other = game.second if player == game.first else game.first
            half_wins[player][places[other]] += credit.half_wins if credit else 0
    for key, card in cards.items():
        card.half_wins = half_wins[key]
    for key, reckoned in zip(cards, keizer.reckon_points(tuple(cards.values())), strict=True):
        rows[key].keizer, rows[key].value = reckoned.sixths, reckoned.value


def _arrange_rows(rows: list[Standing], order: Iterable[Criterion], sources: CriterionSources) -> None:
    """Put the rows in order, best first, and note in each what separates it from the one above. Rows that one criterion
    has separated stay so; each criterion is applied once, at its place (TSO 6.1)."""
    ties = [(0, len(rows))]
    # Lots come last also where ties are shared: they part only players among whom somebody has drawn them.
    for criterion in (*order, Criterion.LOT):
        compare = comparison(criterion, [rows[start:end] for start, end in ties], sources)
        parted = [_split_tie(rows, criterion, start, compare(rows[start:end])) for start, end in ties]
        ties = list(chain.from_iterable(parted))


def _split_tie(
    rows: list[Standing], criterion: Criterion, start: int, values: Sequence[Any]
) -> Iterator[tuple[int, int]]:
    """Put the tie that begins at `start` in order by its values, and mark where they break it. Yields the ties left."""
    # Not ascending and then turned round, which would turn level players round as well: with `reverse` they keep the
    # order of their keys, and lists of games cannot be sorted by a minus.
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    end = start + len(order)
    if order and order[0] != 0:  # what separates the tie from the row above belongs to its new first row
        old, new = rows[start], rows[start + order[0]]
        new.decided_by, new.detail, old.decided_by, old.detail = old.decided_by, old.detail, None, None
    rows[start:end] = [rows[start + place] for place in order]
    detail = COMPARED_FIGURES.get(criterion)
    opened = start
    for place, (above, own) in enumerate(pairwise(order), start + 1):
        if values[above] != values[own]:
            row = rows[place]
            row.decided_by = criterion
            row.detail = None if detail is None else detail(values[own], values[above])
            if place - opened > 1:
                yield opened, place
            opened = place
    if end - opened > 1:
        yield opened, end


def _rank_rows(rows: Iterable[Standing]) -> None:
    """Number the rows; level players share the rank, and the next rank is skipped (1, 2, 2, 4)."""
    shared = 1
    for place, row in enumerate(rows, 1):
        if row.decided_by is not None:
            shared = place
        row.rank = shared


def group_by_round(games: Iterable[TableGame], after: int | None) -> dict[int, list[TableGame]]:
    """The games up to round `after` (None: all), by round."""
    rounds: dict[int, list[TableGame]] = defaultdict(list)
    # A round may come in several runs, since `groupby` joins neighbours only. Mostly the games come round by round, and
    # each round is then taken in one step.
    for number, run in groupby(games, attrgetter("round")):
        if after is None or number <= after:
            rounds[number].extend(run)
    return rounds


def count_games(
    rounds: Mapping[int, Iterable[TableGame]],
    rows: Mapping[PlayerKey | None, Standing],
    cap: Callable[[int], int | None],
    figures: Awards,
) -> bool:
    """Add the games to their players' sums; False if they contradict each other (`problems` says how). `cap`: for a
    round, the most that one game's spread counts."""
    try:
        return all(_count_round(number, games, rows, cap(number), figures) for number, games in rounds.items())
    except KeyError:  # somebody unknown, or no opponent in a game that was played
        return False


def _count_round(  # noqa: C901  # one loop without calls: it is most of the time that a table takes
    number: int, games: Iterable[TableGame], rows: Mapping[PlayerKey | None, Standing], cap: int | None, figures: Awards
) -> bool:
    """Count a round: played games are counted here, all others by what `credit` gives."""
    played = Outcome.PLAYED
    for game in games:
        # A played game with a spread of its own is a fault, which is looked for on the slow way only.
        if game.outcome is not played or game.spread is not None:
            if not _credit_game(game, rows, cap, figures):
                return False
            continue
        one, two = rows[game.first], rows[game.second]
        gain, loss = game.first_points, game.second_points
        if gain is None or loss is None:
            return False
        # Whoever sits at two tables of a round is found here, without a set for each round: a table is worked out
        # thousands of times in a search for turning points.
        if one is two or one.last_round == number or two.last_round == number:  # noqa: PLR1714  # a third sooner
            return False
        one.last_round = two.last_round = number
        margin = gain - loss
        if margin > 0:
            one.half_wins += 2
        elif margin < 0:
            two.half_wins += 2
        else:
            one.half_wins += 1
            two.half_wins += 1
        # After the win is counted, which even a cap of 0 leaves alone.
        if cap is not None and not -cap <= margin <= cap:
            margin = cap if margin > 0 else -cap
        one.spread += margin
        two.spread -= margin
        one.points += gain
        two.points += loss
        one.games += 1
        two.games += 1
        if (highest := one.highest_game) is None or gain > highest:
            one.highest_game = gain
        if (highest := two.highest_game) is None or loss > highest:
            two.highest_game = loss
    return True


def _credit_game(game: TableGame, rows: Mapping[PlayerKey | None, Standing], cap: int | None, figures: Awards) -> bool:
    """Add what a game credits; False if it contradicts itself or the round."""
    if any(_game_faults(game)):
        return False
    for player, credit in game_credits(game, figures):
        row = rows[player]
        if row.last_round == game.round:
            return False
        # Before the result is looked at: an open game seats its players too, and whoever sits at two tables of a round
        # is a fault whether or not anybody has won.
        row.last_round = game.round
        if credit is not None:
            row.half_wins += credit.half_wins
            # A cap for played games only would make a bye worth more than the best game: with a cap of 30 nobody could
            # win by the 50 that a bye is given.
            row.spread += credit.spread if cap is None else max(-cap, min(cap, credit.spread))
            row.points += credit.points
            row.games += 1
            scores = [score for score in (row.highest_game, credit.score) if score is not None]
            row.highest_game = max(scores, default=None)
    return True


def game_credits(game: TableGame, figures: Awards) -> Iterator[tuple[PlayerKey, awards.Credit | None]]:
    """Each player of a game, and what it credits to them; None while there is no result."""
    both_credits = awards.credit(game.outcome, game.first_points, game.second_points, figures, spread=game.spread)
    # Not strict: a bye has one player and two credits, the second of them None.
    return zip(_game_players(game), both_credits, strict=False)
