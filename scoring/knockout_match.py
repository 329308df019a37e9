"""One match of a knock-out: who wins it and what decides it, what it waits for, and which games it needs (TSO 6.2)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from scoring import awards, criteria
from scoring.awards import Awards, Credit, Outcome
from scoring.knockout_values import (
    DecidedBy,
    DueGame,
    Fact,
    Figure,
    Form,
    Game,
    GameFacts,
    Match,
    MatchCriterion,
    MissingFact,
    Rules,
    WaitsFor,
)
from scoring.tally import Key

Pair = tuple[Figure, Figure]
Players = tuple[Key, Key]


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game as the match sees it, the upper player's figures first; no credits while it is open."""

    outcome: Outcome
    credits: tuple[Credit, Credit] | None
    facts: tuple[GameFacts, GameFacts]

    @property
    def half_wins(self) -> tuple[int, int]:
        return (self.credits[0].half_wins, self.credits[1].half_wins) if self.credits else (0, 0)

    @property
    def points(self) -> tuple[int, int]:
        return (self.credits[0].points, self.credits[1].points) if self.credits else (0, 0)

    @property
    def innocent(self) -> tuple[int, ...] | None:
        """Who is not at fault (0 upper, 1 lower) in a game that was awarded; None in any other."""
        if self.outcome not in awards.AWARDED:
            return None
        return tuple(side for side in (0, 1) if self.half_wins[side])


def oriented(game: Game, upper: Key, figures: Awards) -> MatchGame:
    """A game seen from the upper player, credited as an award where it was one (TSO 6.2.5)."""
    first, second = awards.credit(game.outcome, game.first_points, game.second_points, figures)
    credits = (first, second) if first and second else None
    facts = (game.first_facts, game.second_facts)
    if game.first != upper:
        credits, facts = credits and credits[::-1], facts[::-1]
    return MatchGame(game.outcome, credits, facts)


@dataclass(frozen=True, slots=True)
class MatchDecision:
    """What came of a match: the winner's side (0 upper, 1 lower; None: nobody yet, or never), why, or what it lacks.

    `games` is how many games it took, or, while the match waits, how many there must be.
    """

    games: int
    winner: int | None = None
    by: DecidedBy | None = None
    compared: tuple[Figure | None, Figure | None] | None = None
    clause: str = ""
    waits_for: WaitsFor | None = None
    missing: tuple[MissingFact, ...] = ()
    unrecorded: tuple[Fact, ...] = ()
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Contest:
    """A match between two players who are known, with everything that can decide it."""

    rules: Rules
    players: Players
    seeds: tuple[int, int]
    games: tuple[MatchGame, ...]
    lot: Key | None = None
    not_recorded: frozenset[Fact] = frozenset()

    @property
    def regular(self) -> tuple[MatchGame, ...]:
        """The games up to the decision by wins; all that were scheduled in the other forms."""
        games = self.games[: self.rules.scheduled]
        if self.rules.form == Form.BEST_OF:
            for count in range(len(games)):
                if beyond_reach(games[: count + 1], self.rules.scheduled):
                    return games[: count + 1]
        return games

    @property
    def decider(self) -> MatchGame | None:
        """The deciding game, if it is there with a result."""
        found = self.games[self.rules.scheduled : self.rules.most_games]
        return found[0] if found and found[0].credits else None


def settled(
    match: Match,
    games: Sequence[Game],
    rules: Rules,
    seeds: tuple[int, int],
    lot: Key | None,
    not_recorded: Collection[Fact] = (),
) -> Match:
    """A match whose two players are known, with everything that follows from these games, which must be theirs."""
    upper, lower = match.players
    if upper is None or lower is None:
        raise ValueError(f"a match without two players cannot be decided: {match.place}")
    halves = tuple(oriented(game, upper, rules.awards) for game in games)
    contest = Contest(rules, (upper, lower), seeds, halves, lot, frozenset(not_recorded))
    verdict = decide(contest)
    played = max((number for number, half in enumerate(halves, start=1) if half.credits), default=0)
    counted, needed = verdict.games, verdict.games
    if verdict.waits_for:
        counted, needed = len(games), max(verdict.games, played)
    winner = verdict.winner
    return replace(
        match,
        games=tuple(games[:counted]),
        surplus=len(games) - counted,
        score=score(contest.regular, rules.form),
        winner=None if winner is None else contest.players[winner],
        loser=None if winner is None else contest.players[1 - winner],
        decided_by=verdict.by,
        compared=verdict.compared,
        nth=verdict.nth,
        clause=verdict.clause,
        waits_for=verdict.waits_for,
        missing=verdict.missing,
        unrecorded=verdict.unrecorded,
        needed=due(games, contest.players, needed),
    )


def score(games: Sequence[MatchGame], form: Form) -> Pair | None:
    """The total points, or the wins in best of N; None before the first result. A deciding game is left out."""
    if not any(game.credits for game in games):
        return None
    if form == Form.BEST_OF:
        upper, lower = _sums(game.half_wins for game in games)
        return _wins(upper), _wins(lower)
    return _sums(game.points for game in games)


def _wins(half_wins: int) -> Figure:
    return half_wins / 2 if half_wins % 2 else half_wins // 2


def _sums(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    upper = lower = 0
    for one, other in pairs:
        upper, lower = upper + one, lower + other
    return upper, lower


def beyond_reach(games: Sequence[MatchGame], scheduled: int) -> bool:
    """Whether the lead in wins cannot be caught within the games that are left (TSO 6.2.3)."""
    upper, lower = _sums(game.half_wins for game in games)
    return abs(upper - lower) > 2 * (scheduled - _played(games))


def _played(games: Iterable[MatchGame]) -> int:
    return sum(game.credits is not None for game in games)


def decide(contest: Contest) -> MatchDecision:
    """Who wins a match, and by what (TSO 6.2)."""
    games, rules = contest.regular, contest.rules
    if len(games) == rules.scheduled and (verdict := _forfeited(games[-1], rules.scheduled, rules)):
        return verdict
    if rules.form == Form.BEST_OF:
        by, over = DecidedBy.WINS, _played(games) == rules.scheduled or beyond_reach(games, rules.scheduled)
    else:
        by, over = DecidedBy.POINTS, _played(games) == rules.scheduled
    if not over:
        return MatchDecision(certain_games(games, rules), waits_for=WaitsFor.GAMES)
    reached = score(games, rules.form)
    assert reached is not None, games
    if reached[0] != reached[1]:
        return _won(by, reached, games=len(games), clause=rules.clauses.of(rules.form))
    return _level(contest)


def _forfeited(last: MatchGame, number: int, rules: Rules) -> MatchDecision | None:
    """Whoever forfeits the last scheduled game loses the match; if both do, neither advances (TSO 6.2.5)."""
    if last.innocent is None:
        return None
    winner = last.innocent[0] if last.innocent else None
    return MatchDecision(number, winner, DecidedBy.FORFEIT, clause=rules.clauses.forfeit)


def _won(by: DecidedBy, figures: Pair, *, games: int, clause: str, low: bool = False) -> MatchDecision:
    """The verdict for the better of two figures that differ: the higher one, or the lower one with `low`."""
    winner = int((figures[0] < figures[1]) != low)
    return MatchDecision(games, winner, by, figures, clause)


def _level(contest: Contest) -> MatchDecision:
    """Who wins a level match: by the criteria announced, the highest game, the highest move, or the lot.

    If the deciding game is level too, the criteria that follow count it among the match's games.
    """
    unrecorded: list[Fact] = []
    games = contest.regular
    for criterion in contest.rules.criteria:
        verdict = _criterion(criterion, contest, games, unrecorded)
        if verdict is not None:
            return replace(verdict, unrecorded=tuple(unrecorded))
        if criterion == MatchCriterion.DECIDER_GAME:
            games = contest.games[: contest.rules.most_games]
    clause = contest.rules.clauses.level
    verdict = _best_first(DecidedBy.HIGHEST_GAME, _scores(games), len(games), clause)
    if verdict is None:
        verdict = _highest_move(contest, games, unrecorded) or _lot(contest, len(games))
    return replace(verdict, unrecorded=tuple(unrecorded))


def _criterion(
    criterion: MatchCriterion, contest: Contest, games: tuple[MatchGame, ...], unrecorded: list[Fact]
) -> MatchDecision | None:
    """What an announced criterion says; None where it leaves the players level or has nothing to compare."""
    if criterion == MatchCriterion.PRELIMINARY_RANK:
        clause = contest.rules.clauses.level
        return _won(DecidedBy.PRELIMINARY_RANK, contest.seeds, games=len(games), clause=clause, low=True)
    if criterion == MatchCriterion.DECIDER_GAME:
        return _decider(contest)
    return _by_facts(Fact(criterion.value), contest, games, unrecorded)


def _decider(contest: Contest) -> MatchDecision | None:
    """What one more game says. It then counts as the last scheduled one: whoever forfeits it loses the match."""
    game, rules = contest.decider, contest.rules
    number = rules.most_games
    if game is None:
        return MatchDecision(number, waits_for=WaitsFor.GAMES)
    if verdict := _forfeited(game, number, rules):
        return verdict
    if game.points[0] == game.points[1]:
        return None
    return _won(DecidedBy.DECIDER_GAME, game.points, games=number, clause=rules.clauses.level)


FACTS: Mapping[Fact, Callable[[GameFacts], int | tuple[int, ...] | None]] = {
    Fact.MOST_BINGOS: attrgetter("bingos"),
    Fact.PLAYING_TIME: attrgetter("seconds"),
    Fact.HIGHEST_MOVE: lambda facts: facts.moves or None,
}
"""What was written down for a criterion; None where nothing was."""


def _missing(criterion: Fact, contest: Contest, games: Sequence[MatchGame]) -> tuple[MissingFact, ...]:
    """What still has to be written down: of the games that were played, not of those awarded."""
    return tuple(
        MissingFact(criterion, number, contest.players[side])
        for number, game in enumerate(games, start=1)
        for side in (0, 1)
        if game.outcome == Outcome.PLAYED and FACTS[criterion](game.facts[side]) is None
    )


def _by_facts(
    criterion: Fact, contest: Contest, games: tuple[MatchGame, ...], unrecorded: list[Fact]
) -> MatchDecision | None:
    """What the facts say, added up over the games; what is recorded of an awarded game counts.

    While some are missing the match waits for them, unless the director has said that nobody wrote them down.
    """
    if missing := _missing(criterion, contest, games):
        if criterion not in contest.not_recorded:
            return MatchDecision(len(games), waits_for=WaitsFor.FACTS, missing=missing)
        unrecorded.append(criterion)
        return None
    sums = _sums((_figure(criterion, game, 0), _figure(criterion, game, 1)) for game in games)
    if sums[0] == sums[1]:
        return None
    low = criterion == Fact.PLAYING_TIME
    return _won(DecidedBy(criterion.value), sums, games=len(games), clause=contest.rules.clauses.level, low=low)


def _figure(criterion: Fact, game: MatchGame, side: int) -> int:
    facts = game.facts[side]
    return (facts.seconds if criterion == Fact.PLAYING_TIME else facts.bingos) or 0


def _scores(games: Iterable[MatchGame]) -> tuple[list[int], list[int]]:
    """The scores that each player really reached; credited points are not scores (TSO 6.1.1)."""
    reached: tuple[list[int], list[int]] = ([], [])
    for game in games:
        for side, credit in enumerate(game.credits or ()):
            if credit.score is not None:
                reached[side].append(credit.score)
    return reached


def _highest_move(contest: Contest, games: Sequence[MatchGame], unrecorded: list[Fact]) -> MatchDecision | None:
    """What the best single plays say. While they are not written down the match waits for them, unless the director
    has said that nobody did, or has drawn lots.

    Only full lists decide: where one is the beginning of the other, somebody has written down fewer plays.
    """
    if missing := _missing(Fact.HIGHEST_MOVE, contest, games):
        if Fact.HIGHEST_MOVE not in contest.not_recorded and contest.lot not in contest.players:
            return MatchDecision(len(games), waits_for=WaitsFor.FACTS, missing=missing)
        unrecorded.append(Fact.HIGHEST_MOVE)
        return None
    moves = tuple([move for game in games for move in game.facts[side].moves] for side in (0, 1))
    verdict = _best_first(DecidedBy.HIGHEST_MOVE, (moves[0], moves[1]), len(games), contest.rules.clauses.level)
    return None if verdict is None or None in (verdict.compared or ()) else verdict


def _best_first(by: DecidedBy, figures: tuple[list[int], list[int]], games: int, clause: str) -> MatchDecision | None:
    """Both players' best compared, then their second best …; whoever runs out first is lower."""
    upper, lower = (sorted(each, reverse=True) for each in figures)
    differ = criteria.first_that_differ(upper, lower)
    if differ is None:
        return None
    return MatchDecision(games, int(upper < lower), by, (differ.own, differ.above), clause, nth=differ.nth)


def _lot(contest: Contest, games: int) -> MatchDecision:
    if contest.lot not in contest.players:
        return MatchDecision(games, waits_for=WaitsFor.LOT)
    winner = contest.players.index(contest.lot)
    return MatchDecision(games, winner, DecidedBy.LOT)  # the director's way out, no clause of the TSO


def certain_games(games: Sequence[MatchGame], rules: Rules) -> int:
    """How many games there will certainly be before a match can be over by points or wins.

    In best of N they are the games that the leader needs to win, taking every one of them.
    """
    if rules.form != Form.BEST_OF:
        return rules.scheduled
    upper, lower = _sums(game.half_wins for game in games)
    left = rules.scheduled - _played(games)
    return _played(games) + (2 * left - abs(upper - lower)) // 4 + 1


def due(games: Sequence[Game], players: Players, needed: int) -> tuple[DueGame, ...]:
    """The games that must exist. A game that exists keeps its order; in a new one, whoever started last time replies.

    The upper player starts the first game, so that starts are even (TSO 2.2 a).
    """
    found: list[DueGame] = []
    starts, replies = players
    for number in range(1, needed + 1):
        if number <= len(games):
            game = games[number - 1]
            starts, replies = game.first, game.second
            found.append(DueGame(number, starts, replies, game.is_open))
        else:
            found.append(DueGame(number, starts, replies))
        starts, replies = replies, starts
    return tuple(found)
