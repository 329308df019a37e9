"""What a knock-out hung on: the fewest extra points, in one game, with which the other player would have won a match.
Nobody knows how the matches after it would have gone. So only the final and the match for third place change a place
for certain; of an earlier match it is certain who would have advanced instead. A game that would not have been played
is left out of the count, as in `scoring.knockout`; one more that would have had to be played decides nothing. Lots are
not drawn again: a match that would have come to lots is not reported."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scoring import final_ranking, knockout, knockout_matches, turning_points
from scoring.awards import Outcome
from scoring.knockout_values import (
    Bracket,
    BracketPart,
    DecidedBy,
    FactKind,
    KnockoutGame,
    KnockoutProblem,
    KnockoutRules,
    Match,
    MatchPlace,
    WaitsFor,
)
from scoring.standings import PlayerKey, Standing
from scoring.turning_points import (
    MAX_MORE_POINTS,
    BestPlacedQuestion,
    GamePlace,
    MorePoints,
    PlacesByPlayer,
    TurningPoint,
    add_points,
    make_turning_point,
)


@dataclass(frozen=True)
class PlayedKnockout:
    """Everything that a bracket follows from, and the table before it; games that do not fit are left out."""

    seeds: tuple[PlayerKey | None, ...]
    rules: KnockoutRules
    games: Mapping[MatchPlace, tuple[KnockoutGame, ...]]
    lots: Mapping[MatchPlace, PlayerKey]
    not_recorded: Mapping[MatchPlace, frozenset[FactKind]]
    table: tuple[Standing, ...]
    by_own_criterion: frozenset[MatchPlace] = frozenset()
    places_before: Mapping[PlayerKey, int] = field(default_factory=dict)  # what level matches compare

    @cached_property
    def _fitted(self) -> tuple[Bracket, tuple[KnockoutProblem, ...]]:
        own = self.by_own_criterion
        return knockout.fit_bracket(
            self.seeds, self.rules, self.games, self.lots, self.not_recorded, own, self.places_before
        )

    @property
    def bracket(self) -> Bracket:
        """The bracket as it was played."""
        return self._fitted[0]

    @cached_property
    def _unfitting(self) -> frozenset[MatchPlace | None]:
        """The matches in which something is stored that does not fit."""
        return frozenset(match.place for match in self._fitted[1])

    @property
    def sorted(self) -> tuple[object, ...]:
        """The same values in a fixed order, in whatever order they were read."""
        not_recorded = [(place, sorted(facts)) for place, facts in sorted(self.not_recorded.items())]
        lots = [(*lot, lot[0] in self.by_own_criterion) for lot in sorted(self.lots.items())]
        places = sorted(self.places_before.items(), key=lambda pair: str(pair[0]))
        return self.seeds, self.rules, sorted(self.games.items()), lots, not_recorded, self.table, places

    @property
    def seeded(self) -> frozenset[PlayerKey]:
        """Who played in it."""
        return frozenset(seed for seed in self.seeds if seed is not None)

    def _first_of(self, table: Sequence[Standing]) -> tuple[tuple[PlayerKey, int], ...]:
        """Everybody whose rank is as good as that of the last seeded player; all seeded players have one."""
        ranks = {row.player: row.rank for row in table if row.rank is not None}
        last = max(ranks[player] for player in self.seeded)
        return tuple((player, rank) for player, rank in ranks.items() if rank <= last)

    @cached_property
    def follows_table(self) -> bool:
        """Whether the seeds are in the order of the table; somebody between them may have been left out."""
        # Where one of the first had not wanted to play the knock-out, nothing was told of the table and of records.
        ranks = {row.player: row.rank for row in self.table}
        order = [rank for seed in self.seeds if seed is not None and (rank := ranks.get(seed)) is not None]
        # Two who share a rank may be seeded either way.
        return len(order) == len(self.seeds) and order == sorted(order)

    def keeps_seeds(self, table: Sequence[Standing]) -> bool:
        """Whether the same players would have qualified in the same order by another table, as far as can be known."""
        return self.follows_table and self._first_of(table) == self._first_of(self.table)

    def behind(self, table: Sequence[Standing]) -> PlacesByPlayer | None:
        """The places of those who were not seeded; None for a table by which others would have been."""
        if not self.keeps_seeds(table):
            return None
        placed = final_ranking.rank(table, self.bracket)
        return {row.player: row.place for row in placed if row.player not in self.seeded}

    def places(self, bracket: Bracket) -> tuple[PlacesByPlayer, frozenset[PlayerKey]]:
        """Everybody's place by a bracket, and who still has a match to play."""
        placed = final_ranking.rank(self.table, bracket)
        return {row.player: row.place for row in placed}, frozenset(row.player for row in placed if row.by is None)

    def with_change(self, change: MorePoints) -> Bracket:
        """The bracket if one game had come out differently. No lot is drawn in its match."""
        changed, games = self._raise_points(change)
        # The lot was drawn for the match as it came out, and says nothing of one that came out differently.
        lots = {place: lot for place, lot in self.lots.items() if place != changed}
        played = {**self.games, changed: games}
        own = self.by_own_criterion
        return knockout.fit_bracket(self.seeds, self.rules, played, lots, self.not_recorded, own, self.places_before)[0]

    def keeps_games(self, change: MorePoints) -> bool:
        """Whether the same players would have played the same games after a change in one of them."""
        # Something stored for that match was left out, and nobody can say what else would have come of it.
        if self._raise_points(change)[0] in self._unfitting:
            return False
        return _bracket_course(self.with_change(change)) == _bracket_course(self.bracket)

    def _raise_points(self, change: MorePoints) -> tuple[MatchPlace, list[KnockoutGame]]:
        """The match that a change is in, and its games with it."""
        assert change.spot.place is not None
        stage, position, number = change.spot.place
        games = list(self.games[stage, position])
        games[number - 1] = add_points(games[number - 1], change.player, change.points)
        return (stage, position), games

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The matches that were decided by games, in order."""
        bracket_matches = self.bracket.matches
        return tuple(
            match for match in bracket_matches if match.is_over and match.games and match.place not in self._unfitting
        )

    def find_other_outcomes(self, matches: Iterable[Match], most: int) -> list["MatchTurningPoint"]:
        """Every other way in which these matches could have ended, the smallest change first."""
        decided = {match.place for match in self.matches}
        outcomes = [
            MatchTurningPoint(change, match, after)
            for match in matches
            if match.place in decided
            for change in self._changes(match, most)
            if _match_outcome(after := self._settle_changed(match, change)) != _match_outcome(match)
        ]
        return sorted(outcomes, key=lambda outcome: outcome.change.points)

    def _changes(self, match: Match, most: int) -> Iterator[MorePoints]:
        for number, game in enumerate(match.games, start=1):
            if game.outcome == Outcome.PLAYED:
                for player, other in ((game.first, game.second), (game.second, game.first)):
                    spot, score = GamePlace(place=(*match.place, number)), turning_points.player_scores(game, player)
                    for points in self.steps(spot, player, most):
                        yield MorePoints(spot, player, other, score, points)

    def steps(self, spot: GamePlace, player: PlayerKey, most: int = MAX_MORE_POINTS) -> list[int]:
        """The extra points for a player in a game at which its match may end differently."""
        assert spot.place is not None
        *place, number = spot.place
        games = [
            knockout_matches.orient_game(game, player, self.rules.awards) for game in self.games[(place[0], place[1])]
        ]
        # Without a deciding game: it is no part of what the match adds up.
        behind = sum(game.points[1] - game.points[0] for game in games[: self.rules.scheduled])
        others = [game.credits[1].score for game in games if game.credits]
        own = games[number - 1].points[0]
        return turning_points.match_steps(own, behind, [score for score in others if score is not None], most)

    def _settle_changed(self, match: Match, change: MorePoints) -> Match:
        """The match with one game changed. If it would need a lot, it waits for that."""
        _place, games = self._raise_points(change)
        upper, lower = (None if player is None else self.places_before.get(player) for player in match.players)
        not_recorded = self.not_recorded.get(match.place, ())
        return knockout_matches.settle_match(match, games, self.rules, (upper, lower), None, not_recorded)


@dataclass(frozen=True, slots=True)
class MatchTurningPoint:
    """A change in a game of a match: the match `before` it, and as it would have come out `after` it."""

    change: MorePoints
    before: Match
    after: Match

    @property
    def goes_to_the_other(self) -> bool:
        """Whether the other player would have won."""
        return self.after.winner not in (None, self.before.winner)

    @property
    def leads_to_second_final(self) -> bool:
        """Whether the final would have been lost by the player without a loss, so that another one would follow."""
        return self.goes_to_the_other and self.before.slot.part == BracketPart.FINAL

    @property
    def goes_on(self) -> bool:
        """Whether another game would have had to be played."""
        return self.after.waits_for == WaitsFor.GAMES

    @property
    def by(self) -> tuple[DecidedBy | None, int]:
        """What would have decided it, and which place of its figures (from 1)."""
        return self.after.decided_by, self.after.nth


def _bracket_course(bracket: Bracket) -> list[tuple[object, ...]]:
    """Who plays whom, how often, and what is still missing."""
    return [(match.players, len(match.games), match.surplus, match.waits_for) for match in bracket.matches]


def _match_outcome(match: Match) -> tuple[PlayerKey | None, WaitsFor | None]:
    return match.winner, match.waits_for


def find_final_change(played: PlayedKnockout, most: int = MAX_MORE_POINTS) -> MatchTurningPoint | None:
    """The smallest change by which the other player would have won the final or, if there is none, by which it would
    not have been over; None if nobody can say."""
    changes = played.find_other_outcomes([played.bracket.final], most)
    other = next((change for change in changes if change.goes_to_the_other), None)
    return other or next((change for change in changes if change.goes_on), None)


def find_third_place_change(played: PlayedKnockout, most: int = MAX_MORE_POINTS) -> MatchTurningPoint | None:
    """The smallest change by which the other player would have won the match for third place; None if there is none."""
    third = played.bracket.third_place
    changes = played.find_other_outcomes([third] if third is not None and third.winner is not None else [], most)
    return next((change for change in changes if change.goes_to_the_other), None)


def find_change_before_final(played: PlayedKnockout, most: int = MAX_MORE_POINTS) -> MatchTurningPoint | None:
    """The smallest change by which the champion would not have reached the final; of equal ones the earliest. A match
    whose loser may still win the knock-out has not kept anybody from it."""
    champion, form = played.bracket.champion, played.bracket.form
    way = [match for match in played.bracket.matches if champion is not None and match.winner == champion]
    changes = played.find_other_outcomes(
        [match for match in way if match.slot.winner_place is None and not form.keeps_loser_in(match.slot)], most
    )
    return next((change for change in changes if change.goes_to_the_other), None)


def find_knockout_turning_point(
    played: PlayedKnockout, question: BestPlacedQuestion, most: int = MAX_MORE_POINTS
) -> TurningPoint | None:
    """The smallest change in a game of the knock-out by which others among some players would be placed best. None if
    no change is certain to do that: nothing is while one of these players would still have a match to play."""
    places, playing = played.places(played.bracket)
    won = frozenset() if question.among & playing else question.winners(places)
    if not won:
        return None
    tried: set[tuple[object, ...]] = set()
    for outcome in played.find_other_outcomes(played.matches, most):
        came_to = (outcome.before.place, *_match_outcome(outcome.after))
        if came_to in tried:  # places depend on who has won, not by how much
            continue
        tried.add(came_to)
        then, still = played.places(played.with_change(outcome.change))
        if not question.among & still and (point := make_turning_point(question, outcome.change, won, then)):
            return point
    return None
