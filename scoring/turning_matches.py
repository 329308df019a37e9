"""What a knock-out hung on: the fewest extra points, in one game, with which a match would have gone to the other.

Nobody knows how the matches after it would have gone. So only the final and the match for third place change a place
for certain; of an earlier match it is certain who would have gone on instead. A game that would not have been played is
left out of the count, as in `scoring.knockout`; one that would also have had to be played decides nothing. Lots
are not drawn again: what would have come to lots is not reported.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring import final_ranking, knockout, turning_points
from scoring.awards import Outcome
from scoring.knockout_values import (
    Bracket,
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
    """All that a bracket follows from, and the table before it; games that do not fit are left out."""

    seeds: tuple[PlayerKey | None, ...]
    rules: KnockoutRules
    games: Mapping[MatchPlace, tuple[KnockoutGame, ...]]
    lots: Mapping[MatchPlace, PlayerKey]
    not_recorded: Mapping[MatchPlace, frozenset[FactKind]]
    table: tuple[Standing, ...]

    @cached_property
    def _fitted(self) -> tuple[Bracket, tuple[KnockoutProblem, ...]]:
        return knockout.fit_bracket(self.seeds, self.rules, self.games, self.lots, self.not_recorded)

    @property
    def bracket(self) -> Bracket:
        """The bracket as it was played."""
        return self._fitted[0]

    @cached_property
    def _unfitting(self) -> frozenset[MatchPlace | None]:
        """The matches in which something is stored that does not fit."""
        return frozenset(each.place for each in self._fitted[1])

    @property
    def sorted(self) -> tuple[object, ...]:
        """All of it in a fixed order, however it was read."""
        not_recorded = [(place, sorted(facts)) for place, facts in sorted(self.not_recorded.items())]
        return self.seeds, self.rules, sorted(self.games.items()), sorted(self.lots.items()), not_recorded, self.table

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
        """Whether the seeds stand in the order of the table; somebody among them may have been passed over."""
        ranks = {row.player: row.rank for row in self.table}
        order = [rank for seed in self.seeds if seed is not None and (rank := ranks.get(seed)) is not None]
        return len(order) == len(self.seeds) and order == sorted(order)

    def keeps_seeds(self, table: Sequence[Standing]) -> bool:
        """Whether the same players would have qualified by another table, in the same order, as far as one can know."""
        return self.follows_table and self._first_of(table) == self._first_of(self.table)

    def behind(self, table: Sequence[Standing]) -> PlacesByPlayer | None:
        """The ranking of those whom the table alone places; None for a table by which others would have been seeded."""
        if not self.keeps_seeds(table):
            return None
        placed = final_ranking.rank(table, self.bracket)
        return {row.player: row.place for row in placed if row.player not in self.seeded}

    def places(self, bracket: Bracket) -> tuple[PlacesByPlayer, frozenset[PlayerKey]]:
        """Everybody's place by a bracket, and who would still play on."""
        placed = final_ranking.rank(self.table, bracket)
        return {row.player: row.place for row in placed}, frozenset(row.player for row in placed if row.by is None)

    def with_change(self, change: MorePoints) -> Bracket:
        """The bracket if one game had come out differently; no lot is drawn in its match."""
        assert change.spot.place is not None
        stage, position, number = change.spot.place
        games = self._raised((stage, position), number, change.player, change.points)
        lots = {place: lot for place, lot in self.lots.items() if place != (stage, position)}
        played = {**self.games, (stage, position): games}
        return knockout.fit_bracket(self.seeds, self.rules, played, lots, self.not_recorded)[0]

    def keeps_games(self, change: MorePoints) -> bool:
        """Whether the same games would have been played after a change in one of them, by the same players."""
        assert change.spot.place is not None
        if change.spot.place[:2] in self._unfitting:
            return False
        return _bracket_course(self.with_change(change)) == _bracket_course(self.bracket)

    def _raised(self, place: MatchPlace, number: int, player: PlayerKey, points: int) -> list[KnockoutGame]:
        return [
            add_points(game, player, points) if at == number else game
            for at, game in enumerate(self.games[place], start=1)
        ]

    @cached_property
    def matches(self) -> tuple[Match, ...]:
        """The matches that were decided by games, in order."""
        found = self.bracket.matches
        return tuple(each for each in found if each.is_over and each.games and each.place not in self._unfitting)

    def otherwise(self, match: Match, most: int = MAX_MORE_POINTS) -> list["MatchTurningPoint"]:
        """Every other way a match could have ended, the smallest change first."""
        found = [
            MatchTurningPoint(change, match, after)
            for change in self._changes(match, most)
            if _match_outcome(after := self._after(match, change)) != _match_outcome(match)
        ]
        return sorted(found, key=lambda each: each.change.points)

    def _changes(self, match: Match, most: int) -> Iterator[MorePoints]:
        for number, game in enumerate(match.games, start=1):
            if game.outcome == Outcome.PLAYED:
                for player, other in ((game.first, game.second), (game.second, game.first)):
                    spot, score = GamePlace(place=(*match.place, number)), turning_points.player_scores(game, player)
                    for points in self.steps(spot, player, most):
                        yield MorePoints(spot, player, other, score, points)

    def steps(self, spot: GamePlace, player: PlayerKey, most: int = MAX_MORE_POINTS) -> list[int]:
        """The extra points for a player in a game of a match at which it may end differently."""
        assert spot.place is not None
        *place, number = spot.place
        games = [knockout.orient_game(game, player, self.rules.awards) for game in self.games[(place[0], place[1])]]
        behind = sum(each.points[1] - each.points[0] for each in games[: self.rules.scheduled])
        others = [each.credits[1].score for each in games if each.credits]
        own = games[number - 1].points[0]
        return turning_points.match_steps(own, behind, [score for score in others if score is not None], most)

    def _after(self, match: Match, change: MorePoints) -> Match:
        """A match with one game changed, by itself; what would need a lot waits for it."""
        assert change.spot.place is not None
        games = self._raised(match.place, change.spot.place[2], change.player, change.points)
        upper, lower = (self.seeds.index(player) + 1 for player in match.players)
        not_recorded = self.not_recorded.get(match.place, ())
        return knockout.settle_match(match, games, self.rules, (upper, lower), None, not_recorded)


@dataclass(frozen=True, slots=True)
class MatchTurningPoint:
    """A change in a game of a match, which came out as `before` and would have come out as `after`."""

    change: MorePoints
    before: Match
    after: Match

    @property
    def goes_to_the_other(self) -> bool:
        """Whether somebody would have won it who did not."""
        return self.after.winner not in (None, self.before.winner)

    @property
    def goes_on(self) -> bool:
        """Whether one more game would have had to be played."""
        return self.after.waits_for == WaitsFor.GAMES

    @property
    def by(self) -> tuple[DecidedBy | None, int]:
        """What would have decided it, and which place of its figures (from 1)."""
        return self.after.decided_by, self.after.nth


def _bracket_course(bracket: Bracket) -> list[tuple[object, ...]]:
    """Who plays whom, how often, and what is still missing."""
    return [(each.players, len(each.games), each.surplus, each.waits_for) for each in bracket.matches]


def _match_outcome(match: Match) -> tuple[PlayerKey | None, WaitsFor | None]:
    return match.winner, match.waits_for


def find_final_change(played: PlayedKnockout, most: int = MAX_MORE_POINTS) -> MatchTurningPoint | None:
    """The smallest change that would have given the final to the other, or, where one change does not, the smallest by
    which it would not have been over; None where nobody can say."""
    found = list(_find_match_changes(played, [played.bracket.final], most))
    other = next((each for each in found if each.goes_to_the_other), None)
    return other or next((each for each in found if each.goes_on), None)


def find_third_place_change(played: PlayedKnockout, most: int = MAX_MORE_POINTS) -> MatchTurningPoint | None:
    """The smallest change that would have given the match for third place to the other; None without one."""
    third = played.bracket.third_place
    found = _find_match_changes(played, [third] if third is not None and third.winner is not None else [], most)
    return next((each for each in found if each.goes_to_the_other), None)


def find_change_before_final(played: PlayedKnockout, most: int = MAX_MORE_POINTS) -> MatchTurningPoint | None:
    """The smallest change by which the champion would not have come to the final; of several as small the earliest."""
    champion = played.bracket.champion
    final = played.bracket.final.place
    way = [each for each in played.bracket.matches if champion is not None and each.winner == champion]
    found = _find_match_changes(played, [each for each in way if each.place != final and not each.is_third_place], most)
    return next((each for each in found if each.goes_to_the_other), None)


def _find_match_changes(played: PlayedKnockout, matches: Iterable[Match], most: int) -> list[MatchTurningPoint]:
    """What these matches could have come to, the smallest change first."""
    known = {each.place for each in played.matches}
    found = [other for each in matches if each.place in known for other in played.otherwise(each, most)]
    return sorted(found, key=lambda each: each.change.points)


def find_knockout_turning_point(
    played: PlayedKnockout, question: BestPlacedQuestion, most: int = MAX_MORE_POINTS
) -> TurningPoint | None:
    """The smallest change in a game of the knock-out that gives others who are placed best of some players. None where
    none does for certain: not while one of these players would still have played on.
    """
    places, playing = played.places(played.bracket)
    won = frozenset() if question.among & playing else question.winners(places)
    if not won:
        return None
    tried: set[tuple[object, ...]] = set()
    for each in _find_match_changes(played, played.matches, most):
        came_to = (each.before.place, *_match_outcome(each.after))
        if came_to in tried:  # places hang on who has won, not by how much
            continue
        tried.add(came_to)
        then, still = played.places(played.with_change(each.change))
        if not question.among & still and (point := make_turning_point(question, each.change, won, then)):
            return point
    return None
