"""The games that a table is made of: what can be wrong with them, and what they add up to for each player."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from operator import attrgetter

from scoring import awards
from scoring.awards import AwardReason, Awards, Outcome

PlayerKey = int | str
"""How callers name a player: all by numbers or all by strings."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player who has a row in the table."""

    key: PlayerKey
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class TableGame:
    """A pairing and what came out of it.

    Points are final scores; in a forfeit, the score when the game stopped. `second` is None for a bye and an
    absence; `spread` is credited there instead of the rule's figure. `reason`: why it was awarded, if anybody said so.
    Not checked here but by `problems`, which finds all faults of a tournament at once.
    """

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
        """Whether the two have played: a no-show or a late player's game has no score, and never began."""
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
    """The games contradict themselves; `problems` holds every fault."""

    def __init__(self, found: tuple[TableProblem, ...]) -> None:
        super().__init__("; ".join(map(str, found)))
        self.problems = found


def problems(contestants: Iterable[Contestant], games: Iterable[TableGame]) -> tuple[TableProblem, ...]:
    """Every fault of the input; none when it can be ranked."""
    found: list[TableProblem] = []
    known: set[PlayerKey] = set()
    for contestant in contestants:
        if contestant.key in known:
            found.append(TableProblem(TableFault.LISTED_TWICE, contestant.key))
        known.add(contestant.key)
    seated: set[tuple[int, PlayerKey]] = set()
    for game in games:
        for player in _game_players(game):
            if player not in known:
                found.append(TableProblem(TableFault.UNKNOWN_PLAYER, player, game.round))
            if (game.round, player) in seated:
                found.append(TableProblem(TableFault.TWICE_IN_ROUND, player, game.round))
            seated.add((game.round, player))
        found += [TableProblem(fault, game.first, game.round) for fault in _game_faults(game)]
    return tuple(found)


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

    WINS = "wins"
    SPREAD = "spread"
    POINTS = "points"
    HEAD_TO_HEAD = "head_to_head"
    HIGHEST_GAME = "highest_game"
    LOT = "lot"


@dataclass(frozen=True, slots=True)
class ComparedFigures:
    """The two figures compared: the row's own and that of the row `above`; None where a list of games has run out.

    `nth`: of two lists of games, best first, which place decided. `meetings`: how many games the figures add up.
    """

    own: int | None
    above: int | None
    nth: int = 1
    meetings: int = 1


@dataclass(slots=True)
class Standing:
    """A row of the table, counted and placed by `standings.rank`; nobody changes it afterwards.

    A draw is half a win and half a loss; `games` counts every round that brought a result. `decided_by` separates the
    row from the one above: None in the first row, where the rank is shared, and without a rank. Where the columns do
    not show it (head to head, highest game) `detail` holds the two figures compared.
    """

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
    last_round: int = field(default=0, repr=False, compare=False)
    """The last round counted, while games are counted: nobody plays twice in one."""

    @property
    def half_losses(self) -> int:
        return 2 * self.games - self.half_wins

    @property
    def wins(self) -> float:
        return self.half_wins / 2

    @property
    def losses(self) -> float:
        return self.half_losses / 2


def group_by_round(games: Iterable[TableGame], after: int | None) -> dict[int, list[TableGame]]:
    """The games up to round `after` (None: all), by their rounds."""
    rounds: dict[int, list[TableGame]] = defaultdict(list)
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
    """Add the games to their players' sums; False when they contradict themselves (`problems` then says how).

    `cap` gives, for a round, the most that one game's spread counts.
    """
    try:
        return all(_count_round(number, games, rows, cap(number), figures) for number, games in rounds.items())
    except KeyError:  # somebody unknown, or no opponent in a game that was played
        return False


def _count_round(  # noqa: C901  # one loop without calls: it is most of the time that a table takes
    number: int, games: Iterable[TableGame], rows: Mapping[PlayerKey | None, Standing], cap: int | None, figures: Awards
) -> bool:
    """Count a round: games that were played are counted here, all others by what `credit` says."""
    for game in games:
        if game.outcome is not Outcome.PLAYED or game.spread is not None:
            if not _credit_game(game, rows, cap, figures):
                return False
            continue
        one, two = rows[game.first], rows[game.second]
        gain, loss = game.first_points, game.second_points
        if gain is None or loss is None:
            return False
        if one is two or number in (one.last_round, two.last_round):
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
        if cap is not None and not -cap <= margin <= cap:
            margin = cap if margin > 0 else -cap
        one.spread += margin
        two.spread -= margin
        one.points += gain
        two.points += loss
        one.games += 1
        two.games += 1
        if one.highest_game is None or gain > one.highest_game:
            one.highest_game = gain
        if two.highest_game is None or loss > two.highest_game:
            two.highest_game = loss
    return True


def _credit_game(game: TableGame, rows: Mapping[PlayerKey | None, Standing], cap: int | None, figures: Awards) -> bool:
    """Add what any game credits; False when it contradicts itself or the round."""
    if any(_game_faults(game)):
        return False
    for player, credit in game_credits(game, figures):
        row = rows[player]
        if row.last_round == game.round:
            return False
        row.last_round = game.round
        if credit is not None:
            row.half_wins += credit.half_wins
            row.spread += credit.spread if cap is None else max(-cap, min(cap, credit.spread))
            row.points += credit.points
            row.games += 1
            scores = [score for score in (row.highest_game, credit.score) if score is not None]
            row.highest_game = max(scores, default=None)
    return True


def game_credits(game: TableGame, figures: Awards) -> Iterator[tuple[PlayerKey, awards.Credit | None]]:
    """Each player of a game and what it credits to them; None while there is no result."""
    given = awards.credit(game.outcome, game.first_points, game.second_points, figures, spread=game.spread)
    return zip(_game_players(game), given, strict=False)
