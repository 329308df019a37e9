"""A match of the knock-out: who wins it and by what, what it waits for, which games it needs.

The clauses, where each is, how it is read, and by which test:

    TSO 2.2 a         due_games: the upper player starts, then whoever replied last time
                      test_game_that_is_there_keeps_who_starts_and_the_next_one_alternates
    TSO 6.1.1         decide_without_game: against a place that stays empty there is a walkover
                      test_opponent_of_nobody_has_a_walkover
    TSO 6.2.1, 6.2.2  match_score: the points of all games, which an award credits like any other
                      test_match_is_decided
    TSO 6.2.3         is_beyond_reach: by the lead in wins, not by more than half of N: draws happen
                      test_only_games_that_are_certain_are_needed
    TSO 6.2.4         _decide_level_match: what was announced, in its order; then the highest game, the highest move
                      test_level_match_is_decided
    TSO 6.2.4         _decide_by_places: places of the table, not seeds, and none where two share one
                      test_places_before_the_knockout_are_those_of_the_table
    TSO 6.2.4         _decide_by_facts: facts of awarded games count if they were written down
                      test_level_match_is_decided
    TSO 6.2.4         _decide_by_facts: figures that were announced and not written down: the match waits
                      test_none_recorded_waits_and_is_not_passed_over
    TSO 6.2.4, 6.1.1  _reached_scores: credited points are not scores that somebody reached
                      test_credited_points_are_no_highest_game
    TSO 6.2.5         _decide_by_forfeit: the last scheduled game; a deciding game stands in for it
                      test_nobody_advances_when_both_forfeit_the_last_game
    none              _decide_by_entry: the lot, when every criterion leaves the match level
                      test_the_announcements_own_criterion_decides_in_its_place
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from scoring import awards, standings
from scoring.awards import Awards, Credit, Outcome
from scoring.knockout_values import (
    DecidedBy,
    DueGame,
    FactKind,
    GameFacts,
    KnockoutGame,
    KnockoutRules,
    Match,
    MatchCriterion,
    MatchFigure,
    MatchFormat,
    MissingFact,
    WaitsFor,
)
from scoring.standings import PlayerKey

FigurePair = tuple[MatchFigure, MatchFigure]
PlayerPair = tuple[PlayerKey, PlayerKey]
PlacePair = tuple[int | None, int | None]  # the places in the table before the knock-out; None: not in it


@dataclass(frozen=True, slots=True)
class OrientedGame:
    """A game as the match sees it, the upper player's figures first. It has no credits while it is open."""

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
        if self.outcome not in awards.AWARDED_OUTCOMES:
            return None
        return tuple(side for side in (0, 1) if self.half_wins[side])


def orient_game(game: KnockoutGame, upper: PlayerKey, figures: Awards) -> OrientedGame:
    """A game seen from the upper player, credited as an award where it was one (TSO 6.2.5)."""
    first, second = awards.credit(game.outcome, game.first_points, game.second_points, figures)
    credits = (first, second) if first and second else None
    facts = (game.first_facts, game.second_facts)
    if game.first != upper:
        credits, facts = credits and credits[::-1], facts[::-1]
    return OrientedGame(game.outcome, credits, facts)


@dataclass(frozen=True, slots=True)
class MatchDecision:
    """What came of a match: the winner's side (0 upper, 1 lower; None: nobody yet, or nobody at all), and why. `games`:
    how many games it took or, while the match waits, how many there must be."""

    games: int
    winner: int | None = None
    by: DecidedBy | None = None
    compared: tuple[MatchFigure | None, MatchFigure | None] | None = None
    clause: str = ""
    waits_for: WaitsFor | None = None
    missing: tuple[MissingFact, ...] = ()
    unrecorded: tuple[FactKind, ...] = ()
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Contest:
    """A match of two known players, with everything that can decide it."""

    rules: KnockoutRules
    players: PlayerPair
    places: PlacePair
    games: tuple[OrientedGame, ...]
    lot: PlayerKey | None = None
    not_recorded: frozenset[FactKind] = frozenset()
    by_own_criterion: bool = False  # whether the lot is no lot but the winner by the announcement's own criterion

    def winner_by(self, by: DecidedBy) -> PlayerKey | None:
        """Whom the director entered as the winner by lot, or by the own criterion."""
        return self.lot if self.by_own_criterion == (by == DecidedBy.OWN) else None

    @property
    def regular(self) -> tuple[OrientedGame, ...]:
        """In best of N, the games up to the decision by wins; in the other forms, all that were scheduled."""
        games = self.games[: self.rules.scheduled]
        if self.rules.form == MatchFormat.BEST_OF:
            # Game by game: 2 : 0 in best of three stays decided although a third game was played and lost.
            for count in range(len(games)):
                if is_beyond_reach(games[: count + 1], self.rules.scheduled):
                    return games[: count + 1]
        return games


def settle_match(
    match: Match,
    games: Sequence[KnockoutGame],
    rules: KnockoutRules,
    places: PlacePair,
    lot: PlayerKey | None,
    not_recorded: Collection[FactKind] = (),
    *,
    by_own_criterion: bool = False,
) -> Match:
    """The match with everything that follows from these games, which must be those of its two players. `places`: where
    they stood before the knock-out. `by_own_criterion`: the `lot` is the winner that the director entered by the
    announcement's own criterion."""
    upper, lower = match.players
    if upper is None or lower is None:
        raise ValueError(f"a match without two players cannot be decided: {match.place}")
    halves = tuple(orient_game(game, upper, rules.awards) for game in games)
    contest = Contest(rules, (upper, lower), places, halves, lot, frozenset(not_recorded), by_own_criterion)
    verdict = decide_match(contest)
    played = max((number for number, half in enumerate(halves, start=1) if half.credits), default=0)
    counted, needed = verdict.games, verdict.games
    if verdict.waits_for:
        # Game 1 may be open again, its result withdrawn, while game 4 is played: all four are needed then.
        counted, needed = len(games), max(verdict.games, played)
    winner = verdict.winner
    return replace(
        match,
        games=tuple(games[:counted]),
        surplus=len(games) - counted,
        score=match_score(contest.regular, rules.form),
        winner=None if winner is None else contest.players[winner],
        loser=None if winner is None else contest.players[1 - winner],
        decided_by=verdict.by,
        compared=verdict.compared,
        nth=verdict.nth,
        clause=verdict.clause,
        waits_for=verdict.waits_for,
        missing=verdict.missing,
        unrecorded=verdict.unrecorded,
        own_criterion=rules.own_criterion,
        needed=due_games(games, contest.players, needed),
    )


def match_score(games: Sequence[OrientedGame], form: MatchFormat) -> FigurePair | None:
    """The total points, or in best of N the wins, without a deciding game; None before the first result."""
    if not any(game.credits for game in games):
        return None
    if form != MatchFormat.BEST_OF:
        return _sum_pairs(game.points for game in games)
    # Whole wins stay whole numbers: a score of 2 : 0 must not come out as 2.0 : 0.0.
    upper, lower = (wins / 2 if wins % 2 else wins // 2 for wins in _sum_pairs(game.half_wins for game in games))
    return upper, lower


def _sum_pairs(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    listed = list(pairs)
    return sum(upper for upper, _lower in listed), sum(lower for _upper, lower in listed)


def is_beyond_reach(games: Sequence[OrientedGame], scheduled: int) -> bool:
    """Whether the lead in wins cannot be made up in the games that are left (TSO 6.2.3)."""
    upper, lower = _sum_pairs(game.half_wins for game in games)
    # Not “more than half of N wins”: with a draw in between nobody may ever have those, and 2½ : ½ of five is still
    # open where 3 : 0 is not.
    return abs(upper - lower) > 2 * (scheduled - _count_played(games))


def _count_played(games: Iterable[OrientedGame]) -> int:
    return sum(game.credits is not None for game in games)


def decide_match(contest: Contest) -> MatchDecision:
    """Who wins a match, and by what (TSO 6.2)."""
    games, rules = contest.regular, contest.rules
    # First of all: whoever forfeits the last scheduled game loses the match whatever its score was (TSO 6.2.5).
    if len(games) == rules.scheduled and (verdict := _decide_by_forfeit(games[-1], rules.scheduled, rules)):
        return verdict
    is_series = rules.form == MatchFormat.BEST_OF
    if _count_played(games) != rules.scheduled and not (is_series and is_beyond_reach(games, rules.scheduled)):
        return MatchDecision(count_certain_games(games, rules), waits_for=WaitsFor.GAMES)
    reached = match_score(games, rules.form)
    assert reached is not None, games
    if reached[0] != reached[1]:
        by = DecidedBy.WINS if is_series else DecidedBy.POINTS
        return _decide_by_figures(by, reached, games=len(games), clause=rules.clauses.of(rules.form))
    return _decide_level_match(contest)


def _decide_by_forfeit(last: OrientedGame, number: int, rules: KnockoutRules) -> MatchDecision | None:
    """Whoever forfeits the last scheduled game loses the match; if both do, neither advances (TSO 6.2.5)."""
    # Not by its truth: a game that both forfeit has nobody innocent in it, and is an award all the same.
    if last.innocent is None:
        return None
    winner = last.innocent[0] if last.innocent else None
    return MatchDecision(number, winner, DecidedBy.FORFEIT, clause=rules.clauses.forfeit)


def _decide_by_figures(
    by: DecidedBy, figures: FigurePair, *, games: int, clause: str, low: bool = False
) -> MatchDecision:
    """The verdict for the better of two figures that differ: the higher one, or the lower one with `low`."""
    return MatchDecision(games, int((figures[0] < figures[1]) != low), by, figures, clause)


def _decide_level_match(contest: Contest) -> MatchDecision:
    """Who wins a level match: by the criteria announced, the highest game, the highest move, or the lot. If the
    deciding game is level too, the criteria that follow count it among the match's games."""
    unrecorded: list[FactKind] = []
    games, clause = contest.regular, contest.rules.clauses.level
    verdict: MatchDecision | None
    for criterion in contest.rules.criteria:
        if criterion == MatchCriterion.PRELIMINARY_RANK:
            verdict = _decide_by_places(contest.places, len(games), clause)
        elif criterion == MatchCriterion.DECIDER_GAME:
            verdict = _decide_by_decider_game(contest)
        elif criterion == MatchCriterion.OWN:
            verdict = _decide_by_own_criterion(contest, len(games), unrecorded)
        else:
            verdict = _decide_by_facts(FactKind(criterion.value), contest, games, unrecorded)
        if verdict is not None:
            return replace(verdict, unrecorded=tuple(unrecorded))
        if criterion == MatchCriterion.DECIDER_GAME:
            # Level in the deciding game as well: its scores and plays count among the match's from here on.
            games = contest.games[: contest.rules.most_games]
    verdict = _compare_best_first(DecidedBy.HIGHEST_GAME, _reached_scores(games), len(games), clause)
    verdict = verdict or _decide_by_facts(FactKind.HIGHEST_MOVE, contest, games, unrecorded)
    verdict = verdict or _decide_by_entry(DecidedBy.LOT, contest, len(games))  # the last resort, no clause of the TSO
    return replace(verdict, unrecorded=tuple(unrecorded))


def _decide_by_places(places: PlacePair, games: int, clause: str) -> MatchDecision | None:
    """Who stood higher in the table before the knock-out; None if both shared a place, or one was not in it. Seeds are
    no places: whoever shares a place has a seed of their own, and the director may seed in another order."""
    upper, lower = places
    # The numbers of the seeding stood here once: a second of the league whom the director had seeded first won a level
    # match, and two who shared a place were told 1 : 2.
    if upper is None or lower is None or upper == lower:
        return None
    return _decide_by_figures(DecidedBy.PRELIMINARY_RANK, (upper, lower), games=games, clause=clause, low=True)


def _decide_by_own_criterion(contest: Contest, games: int, unrecorded: list[FactKind]) -> MatchDecision | None:
    """Who wins by the announcement's own criterion, as entered; None if the director said that it does not decide."""
    if FactKind.OWN in contest.not_recorded:
        unrecorded.append(FactKind.OWN)
        return None
    return _decide_by_entry(DecidedBy.OWN, contest, games, contest.rules.clauses.level)


def _decide_by_entry(by: DecidedBy, contest: Contest, games: int, clause: str = "") -> MatchDecision:
    """The winner whom the director entered; the match waits for one."""
    winner = contest.winner_by(by)
    if winner not in contest.players:
        return MatchDecision(games, waits_for=WaitsFor(by.value))
    return MatchDecision(games, contest.players.index(winner), by, clause=clause)


def _decide_by_decider_game(contest: Contest) -> MatchDecision | None:
    """What one more game decides. It counts as the last scheduled one: whoever forfeits it loses the match."""
    rules = contest.rules
    number = rules.most_games
    if len(contest.games) < number or contest.games[number - 1].credits is None:
        return MatchDecision(number, waits_for=WaitsFor.GAMES)
    game = contest.games[number - 1]
    if verdict := _decide_by_forfeit(game, number, rules):
        return verdict
    if game.points[0] == game.points[1]:
        return None
    return _decide_by_figures(DecidedBy.DECIDER_GAME, game.points, games=number, clause=rules.clauses.level)


def _read_fact(criterion: FactKind, facts: GameFacts) -> int | None:
    """What was written down for a criterion (the highest of the moves); None if nothing was."""
    if criterion == FactKind.HIGHEST_MOVE:
        return max(facts.moves, default=None)
    return facts.seconds if criterion == FactKind.PLAYING_TIME else facts.bingos


def _decide_by_facts(
    criterion: FactKind, contest: Contest, games: Sequence[OrientedGame], unrecorded: list[FactKind]
) -> MatchDecision | None:
    """What the facts say: bingos and times added up over the games, moves compared one by one, the best first. What is
    recorded of an awarded game counts. While facts of games that were played are missing, the match waits for them,
    unless the director has said that nobody wrote them down or, with the moves, has drawn lots."""
    missing = tuple(
        MissingFact(criterion, number, contest.players[side])
        for number, game in enumerate(games, start=1)
        for side in (0, 1)
        # An awarded game may never have begun: nobody has anything to write down of it.
        if game.outcome == Outcome.PLAYED and _read_fact(criterion, game.facts[side]) is None
    )
    is_by_move = criterion == FactKind.HIGHEST_MOVE
    # Who has drawn lots has looked at the sheets and found no moves. Without this a match whose lot is drawn would wait
    # for moves for ever.
    is_by_lot = is_by_move and contest.winner_by(DecidedBy.LOT) in contest.players
    # “Not recorded” holds only while something is missing: figures that are found after all decide.
    if missing and not (criterion in contest.not_recorded or is_by_lot):
        return MatchDecision(len(games), waits_for=WaitsFor.FACTS, missing=missing)
    if missing:
        unrecorded.append(criterion)
        return None
    by, clause = DecidedBy(criterion.value), contest.rules.clauses.level
    if is_by_move:
        moves = tuple([move for game in games for move in game.facts[side].moves] for side in (0, 1))
        verdict = _compare_best_first(by, (moves[0], moves[1]), len(games), clause)
        # only full lists decide: where one is the beginning of the other, somebody has written down fewer plays
        return None if verdict is None or None in (verdict.compared or ()) else verdict
    # Only awarded games have nothing written down here: they add nothing, while what was written down of one counts.
    upper, lower = (sum(_read_fact(criterion, game.facts[side]) or 0 for game in games) for side in (0, 1))
    if upper == lower:
        return None
    is_low = criterion == FactKind.PLAYING_TIME
    return _decide_by_figures(by, (upper, lower), games=len(games), clause=clause, low=is_low)


def _reached_scores(games: Iterable[OrientedGame]) -> tuple[list[int], list[int]]:
    """The scores that each player really reached; credited points are not scores (TSO 6.1.1)."""
    reached: tuple[list[int], list[int]] = ([], [])
    for game in games:
        for side, credit in enumerate(game.credits or ()):
            if credit.score is not None:
                reached[side].append(credit.score)
    return reached


def _compare_best_first(
    by: DecidedBy, figures: tuple[list[int], list[int]], games: int, clause: str
) -> MatchDecision | None:
    """Compare both players' best, then their second best, and so on; whoever runs out first is lower."""
    # A player with one game fewer (an award before it began) runs out first and is lower, also where all their scores
    # are level with the other's best.
    upper, lower = (sorted(figure, reverse=True) for figure in figures)
    differ = standings.first_difference(upper, lower)
    if differ is None:
        return None
    return MatchDecision(games, int(upper < lower), by, (differ.own, differ.above), clause, nth=differ.nth)


def count_certain_games(games: Sequence[OrientedGame], rules: KnockoutRules) -> int:
    """The fewest games after which the match can be over by points or wins. In best of N, the leader wins every further
    game until the lead cannot be made up."""
    if rules.form != MatchFormat.BEST_OF:
        return rules.scheduled
    upper, lower = _sum_pairs(game.half_wins for game in games)
    games_left = rules.scheduled - _count_played(games)
    # With a lead of L half wins, k more wins are beyond reach when L + 2k > 2 (left − k): k = (2 left − L) // 4 + 1.
    return _count_played(games) + (2 * games_left - abs(upper - lower)) // 4 + 1


def due_games(games: Sequence[KnockoutGame], players: PlayerPair, needed: int) -> tuple[DueGame, ...]:
    """The games that must exist. A game that exists keeps its order; in a new one, whoever replied last time starts.
    The upper player starts the first game. So everybody starts equally often (TSO 2.2 a)."""
    due: list[DueGame] = []
    starts, replies = players
    for number in range(1, needed + 1):
        game = games[number - 1] if number <= len(games) else None
        if game is not None:
            starts, replies = game.first, game.second
        due.append(DueGame(number, starts, replies, game is None or game.is_open))
        starts, replies = replies, starts
    return tuple(due)


def decide_without_game(match: Match, rules: KnockoutRules) -> Match:
    """A match with a player who is not known: a walkover if that place stays empty; else it waits (TSO 6.1.1)."""
    if all(match.nobody):
        return match
    # One place stays empty and the player of the other is not known yet: the walkover waits for whoever it is for.
    if not any(match.nobody) or match.players == (None, None):
        return replace(match, waits_for=WaitsFor.PLAYERS)
    winner = next(player for player in match.players if player is not None)
    return replace(match, winner=winner, decided_by=DecidedBy.WALKOVER, clause=rules.awards.clause)
