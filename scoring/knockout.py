"""The knock-out: who wins a match and what decides it, and the bracket as a value (TSO 6.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from scoring import awards, knockout_match
from scoring.awards import Outcome
from scoring.knockout_values import (
    LARGEST,
    LONGEST_SERIES,
    SMALLEST,
    Bracket,
    DecidedBy,
    InvalidKnockout,
    KnockoutFault,
    KnockoutGame,
    KnockoutProblem,
    KnockoutRules,
    LotsByMatch,
    Match,
    MatchCriterion,
    MatchFormat,
    MatchGames,
    MatchPlace,
    PlayerSource,
    SourceKind,
    UnrecordedFacts,
    WaitsFor,
)
from scoring.tally import PlayerKey

__all__ = [
    "LARGEST",
    "LONGEST_SERIES",
    "SMALLEST",
    "DecidedBy",
    "KnockoutFault",
    "KnockoutProblem",
    "MatchCriterion",
    "MatchFormat",
    "UnrecordedFacts",
    "WaitsFor",
    "bracket",
    "fit_bracket",
    "problems",
    "seed_order",
    "stage_count",
]


def stage_count(size: int) -> int:
    """How many stages a knock-out of `size` players has: 1 for two players, 2 for three or four …"""
    return (size - 1).bit_length()


def seed_order(size: int) -> tuple[int, ...]:
    """The seed numbers from the top of the first stage, two to a match: 1, 8, 4, 5, 2, 7, 3, 6 for five to eight.

    Numbers above `size` are places that nobody takes; whoever meets one has a bye.
    """
    order: tuple[int, ...] = (1,)
    for stage in range(1, stage_count(size) + 1):
        order = tuple(seed for better in order for seed in (better, 2**stage + 1 - better))
    return order


def bracket(
    seeds: Sequence[PlayerKey | None],
    rules: KnockoutRules,
    games: MatchGames | None = None,
    lots: LotsByMatch | None = None,
    not_recorded: UnrecordedFacts | None = None,
) -> Bracket:
    """The knock-out as it stands after these games; `seeds` from the first one on, None for one not confirmed yet.

    Games after a match's decision change nothing, nor does a lot where none is needed.
    Raises `InvalidKnockout` with everything that is wrong (`problems`).
    """
    found, wrong = fit_bracket(seeds, rules, games, lots, not_recorded)
    if wrong:
        raise InvalidKnockout(wrong)
    return found


def problems(
    seeds: Sequence[PlayerKey | None],
    rules: KnockoutRules,
    games: MatchGames | None = None,
    lots: LotsByMatch | None = None,
    not_recorded: UnrecordedFacts | None = None,
) -> tuple[KnockoutProblem, ...]:
    """Every fault of the input; none when `bracket` can be made."""
    try:
        return fit_bracket(seeds, rules, games, lots, not_recorded)[1]
    except InvalidKnockout as fault:
        return fault.problems


def fit_bracket(
    seeds: Sequence[PlayerKey | None],
    rules: KnockoutRules,
    games: MatchGames | None = None,
    lots: LotsByMatch | None = None,
    not_recorded: UnrecordedFacts | None = None,
) -> tuple[Bracket, tuple[KnockoutProblem, ...]]:
    """The bracket from the games that fit it, and what is wrong with the others, which are left out.

    This shows what a correction does: a problem names each later match whose games no longer fit.
    Raises `InvalidKnockout` where the seeds themselves are wrong.
    """
    if wrong := tuple(_seed_problems(seeds)):
        raise InvalidKnockout(wrong)
    builder = _BracketBuilder(tuple(seeds), rules, games or {}, lots or {}, not_recorded or {})
    builder.build_stages()
    return Bracket(rules, builder.seeds, tuple(map(tuple, builder.stages))), tuple(builder.problems)


def _seed_problems(seeds: Sequence[PlayerKey | None]) -> Iterator[KnockoutProblem]:
    if not SMALLEST <= len(seeds) <= LARGEST:
        yield KnockoutProblem(KnockoutFault.SIZE)
    for place, key in enumerate(seeds):
        if key is not None and key in seeds[:place]:
            yield KnockoutProblem(KnockoutFault.SEEDED_TWICE, player=key)


@dataclass(frozen=True, slots=True)
class _Slot:
    """One of the two places of a match: who is in it, and where from. Without a source nobody ever takes it."""

    player: PlayerKey | None = None
    source: PlayerSource | None = None
    nobody: bool = False


_NEVER = _Slot(nobody=True)


@dataclass(slots=True)
class _BracketBuilder:
    """Builds a bracket stage by stage."""

    seeds: tuple[PlayerKey | None, ...]
    rules: KnockoutRules
    games: MatchGames
    lots: LotsByMatch
    not_recorded: UnrecordedFacts
    stages: list[list[Match]] = field(default_factory=list)
    problems: list[KnockoutProblem] = field(default_factory=list)
    last_number: int = 0

    def build_stages(self) -> None:
        """Make every match, from the first stage to the final."""
        slots = [self._seed_slot(number) for number in seed_order(len(self.seeds))]
        for stage in range(1, stage_count(len(self.seeds)) + 1):
            places = list(zip(slots[::2], slots[1::2], strict=True))
            matches = [self._make_match((stage, position), pair) for position, pair in enumerate(places, start=1)]
            if self.rules.third_place and len(places) == 1 and stage > 1:
                losers = (self._loser_slot(self.stages[-1][0]), self._loser_slot(self.stages[-1][1]))
                matches.append(self._make_match((stage, 2), losers, is_third_place=True))
            self.stages.append(matches)
            slots = [self._winner_slot(match) for match in matches if not match.is_third_place]
        known = {match.place for stage_matches in self.stages for match in stage_matches}
        strangers = sorted((self.games.keys() | self.lots.keys() | self.not_recorded.keys()) - known)
        self.problems += [KnockoutProblem(KnockoutFault.NO_SUCH_MATCH, place) for place in strangers]

    def _seed_slot(self, number: int) -> _Slot:
        if number > len(self.seeds):
            return _NEVER
        return _Slot(self.seeds[number - 1], PlayerSource(SourceKind.SEED, number))

    def _winner_slot(self, match: Match) -> _Slot:
        """The place in the next stage that a match's winner takes."""
        if match.number is None:
            source = next(source for source in match.sources if source)
            return _Slot(match.winner, replace(source, match=match.place))
        nobody = match.is_over and match.winner is None
        return _Slot(match.winner, PlayerSource(SourceKind.WINNER, match.number, match.place), nobody)

    def _loser_slot(self, match: Match) -> _Slot:
        """The place in the match for third place that a semi-final's loser takes; a walkover has no loser."""
        if match.number is None:
            return _NEVER
        nobody = any(match.nobody) or (match.is_over and match.loser is None)
        return _Slot(match.loser, PlayerSource(SourceKind.LOSER, match.number, match.place), nobody)

    def _make_match(self, place: MatchPlace, pair: tuple[_Slot, _Slot], *, is_third_place: bool = False) -> Match:
        upper, lower = pair
        if upper.source and lower.source:
            self.last_number += 1
        match = Match(
            stage=place[0],
            position=place[1],
            number=self.last_number if upper.source and lower.source else None,
            players=(upper.player, lower.player),
            sources=(upper.source, lower.source),
            nobody=(upper.nobody, lower.nobody),
            is_third_place=is_third_place,
        )
        games = self._take_fitting_games(match)
        lot = self._take_fitting_lot(match)
        if None in match.players:
            return _decide_without_game(match, self.rules)
        seeds = (self.seeds.index(upper.player) + 1, self.seeds.index(lower.player) + 1)
        return knockout_match.settle_match(match, games, self.rules, seeds, lot, self.not_recorded.get(place, ()))

    def _take_fitting_games(self, match: Match) -> list[KnockoutGame]:
        """The games given for a match, without those that cannot be its games."""
        found = []
        for number, game in enumerate(self.games.get(match.place, ()), start=1):
            wrong = list(_game_problems(match, number, game, self.rules))
            self.problems += wrong
            if not wrong:
                found.append(game)
        return found

    def _take_fitting_lot(self, match: Match) -> PlayerKey | None:
        lot = self.lots.get(match.place)
        if lot is not None and lot not in match.players:
            self.problems.append(KnockoutProblem(KnockoutFault.LOT_OF_OTHERS, match.place, player=lot))
            return None
        return lot


def _decide_without_game(match: Match, rules: KnockoutRules) -> Match:
    """A match with an unknown player: a walkover if that place stays empty, else it waits."""
    if all(match.nobody):
        return match
    if not any(match.nobody) or match.players == (None, None):
        return replace(match, waits_for=WaitsFor.PLAYERS)
    winner = next(player for player in match.players if player is not None)
    return replace(match, winner=winner, decided_by=DecidedBy.WALKOVER, clause=rules.awards.clause)


def _game_problems(match: Match, number: int, game: KnockoutGame, rules: KnockoutRules) -> Iterator[KnockoutProblem]:
    """What is wrong with a game of a match, in itself or in its position."""
    if number > rules.most_games:
        yield KnockoutProblem(KnockoutFault.TOO_MANY_GAMES, match.place, number)
    if None in match.players:
        yield KnockoutProblem(KnockoutFault.NOT_READY, match.place, number)
    elif {game.first, game.second} != set(match.players):
        stranger = next((key for key in (game.first, game.second) if key not in match.players), game.first)
        yield KnockoutProblem(KnockoutFault.OTHER_PLAYERS, match.place, number, stranger)
    if game.outcome in awards.OUTCOMES_WITHOUT_OPPONENT:
        yield KnockoutProblem(KnockoutFault.NO_OPPONENT, match.place, number)
    if game.outcome == Outcome.PLAYED and None in (game.first_points, game.second_points):
        yield KnockoutProblem(KnockoutFault.POINTS_MISSING, match.place, number)
