"""The knock-out: the bracket as a value, from its form, seeds and games (TSO 6.2). `knockout_matches` says who wins a
match, `knockout_forms` who meets whom."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring import awards, standings
from scoring.awards import Awards, Outcome
from scoring.knockout_forms import SYSTEM_SIZES, make_form
from scoring.knockout_matches import decide_without_game, settle_match
from scoring.knockout_values import (
    Bracket,
    Feed,
    FormMatch,
    InvalidKnockout,
    KnockoutFault,
    KnockoutForm,
    KnockoutGame,
    KnockoutProblem,
    KnockoutRules,
    LotsByMatch,
    Match,
    MatchGames,
    MatchPlace,
    PlayerSource,
    SourceKind,
    UnrecordedFacts,
)
from scoring.standings import PlayerKey


def find_places_before(
    seeds: Collection[PlayerKey | None],
    contestants: Iterable[standings.Contestant],
    games: Iterable[standings.TableGame],
    ranking: standings.Ranking,
    figures: Awards,
    lots: Sequence[Sequence[PlayerKey]],
) -> dict[PlayerKey, int]:
    """Where seeded players stand in the table before the knock-out; players who are level share a place. Whoever was
    seeded had not withdrawn then, and keeps the place if they do so later. Raises `NotRankable`."""
    field = [
        replace(contestant, withdrawn=False, disqualified=False) if contestant.key in seeds else contestant
        for contestant in contestants
    ]
    ranked = standings.rank(field, games, ranking, figures, lots=lots)
    return {row.player: row.rank for row in ranked if row.player in seeds and row.rank is not None}


def bracket(
    seeds: Sequence[PlayerKey | None],
    rules: KnockoutRules,
    games: MatchGames | None = None,
    lots: LotsByMatch | None = None,
    not_recorded: UnrecordedFacts | None = None,
    by_own_criterion: Collection[MatchPlace] = (),
    places: Mapping[PlayerKey, int] | None = None,
) -> Bracket:
    """The knock-out as it stands after these games; `seeds` from the first one on, None for one not confirmed yet.
    `by_own_criterion`: the matches whose lot is no lot but the winner by the announcement's own criterion. `places`:
    where players stood in the table before the knock-out. Games played after a match was decided change nothing, nor
    does a lot that is not needed. Raises `InvalidKnockout` with
    everything that is wrong."""
    fitted, wrong = fit_bracket(seeds, rules, games, lots, not_recorded, by_own_criterion, places)
    if wrong:
        raise InvalidKnockout(wrong)
    return fitted


def fit_bracket(
    seeds: Sequence[PlayerKey | None],
    rules: KnockoutRules,
    games: MatchGames | None = None,
    lots: LotsByMatch | None = None,
    not_recorded: UnrecordedFacts | None = None,
    by_own_criterion: Collection[MatchPlace] = (),
    places: Mapping[PlayerKey, int] | None = None,
) -> tuple[Bracket, tuple[KnockoutProblem, ...]]:
    """The bracket from the games that fit it, and what is wrong with the others, which are left out. This shows what a
    correction does: a problem names each later match whose games no longer fit. Raises `InvalidKnockout` if the seeds
    themselves are wrong."""
    if wrong := tuple(_seed_problems(seeds, rules)):
        raise InvalidKnockout(wrong)
    unrecorded = not_recorded or {}
    form = make_form(rules.system, len(seeds), third_place=rules.third_place)
    builder = _BracketBuilder(
        tuple(seeds), rules, form, games or {}, lots or {}, unrecorded, by_own_criterion, places or {}
    )
    stages = tuple(tuple(builder.make_match(slot) for slot in stage) for stage in form.stages)
    # What is stored for places that this form does not have, as after a larger field.
    strangers = sorted(
        (builder.games.keys() | builder.lots.keys() | builder.not_recorded.keys()) - builder.matches.keys()
    )
    builder.problems += [KnockoutProblem(KnockoutFault.NO_SUCH_MATCH, place) for place in strangers]
    return Bracket(rules, form, builder.seeds, stages), tuple(builder.problems)


def _seed_problems(seeds: Sequence[PlayerKey | None], rules: KnockoutRules) -> Iterator[KnockoutProblem]:
    if len(seeds) not in SYSTEM_SIZES[rules.system]:
        yield KnockoutProblem(KnockoutFault.SIZE)
    for place, key in enumerate(seeds):
        if key is not None and key in seeds[:place]:
            yield KnockoutProblem(KnockoutFault.SEEDED_TWICE, player=key)


@dataclass(frozen=True, slots=True)
class _Slot:
    """One of the two places of a match: the player, and where they come from. Without a source it stays empty."""

    player: PlayerKey | None = None
    source: PlayerSource | None = None
    nobody: bool = False


_NEVER = _Slot(nobody=True)


@dataclass(slots=True)
class _BracketBuilder:
    """Makes the matches of a form one after the other, each after those that feed it."""

    seeds: tuple[PlayerKey | None, ...]
    rules: KnockoutRules
    form: KnockoutForm
    games: MatchGames
    lots: LotsByMatch
    not_recorded: UnrecordedFacts
    by_own_criterion: Collection[MatchPlace]
    places: Mapping[PlayerKey, int]
    matches: dict[MatchPlace, Match] = field(default_factory=dict)
    problems: list[KnockoutProblem] = field(default_factory=list)
    last_number: int = 0

    def make_match(self, slot: FormMatch) -> Match:
        """The next match as it stands; what does not fit it goes into `problems`."""
        upper, lower = (self._fill_slot(feed) for feed in slot.feeds)
        if slot.repeats is not None and _is_decided(self.matches[slot.repeats]):
            upper, lower = replace(upper, player=None, nobody=True), replace(lower, player=None, nobody=True)
        # By where players come from, not by who has come: a match has its number before its players are known.
        if upper.source and lower.source:
            self.last_number += 1
        match = Match(
            slot=slot,
            number=self.last_number if upper.source and lower.source else None,
            players=(upper.player, lower.player),
            sources=(upper.source, lower.source),
            nobody=(upper.nobody, lower.nobody),
        )
        self.matches[slot.place] = match = self._settle(match)
        return match

    def _fill_slot(self, feed: Feed | None) -> _Slot:
        if feed is None:
            return _NEVER
        if feed.origin == SourceKind.SEED:
            return _Slot(self.seeds[feed.seed - 1], PlayerSource(SourceKind.SEED, feed.seed))
        match = self.matches[feed.match]
        return _get_winner_slot(match) if feed.origin == SourceKind.WINNER else _get_loser_slot(match)

    def _settle(self, match: Match) -> Match:
        games = []
        for number, game in enumerate(self.games.get(match.place, ()), start=1):
            wrong = list(_game_problems(match, number, game, self.rules))
            self.problems += wrong
            if not wrong:
                games.append(game)
        # Also for a match that waits: a lot for somebody whose place another has taken since is a fault even while
        # nothing can be decided.
        lot = self._take_fitting_lot(match)
        upper, lower = match.players
        if upper is None or lower is None:
            return decide_without_game(match, self.rules)
        stood = (self.places.get(upper), self.places.get(lower))
        unrecorded, own = self.not_recorded.get(match.place, ()), match.place in self.by_own_criterion
        return settle_match(match, games, self.rules, stood, lot, unrecorded, by_own_criterion=own)

    def _take_fitting_lot(self, match: Match) -> PlayerKey | None:
        lot = self.lots.get(match.place)
        if lot is not None and lot not in match.players:
            self.problems.append(KnockoutProblem(KnockoutFault.LOT_OF_OTHERS, match.place, player=lot))
            return None
        return lot


def _get_winner_slot(match: Match) -> _Slot:
    """The place that a match's winner takes."""
    nobody = match.is_over and match.winner is None
    if match.number is None:
        # There is one: forms lead from no match in which nobody can play.
        source = next(source for source in match.sources if source)
        # A seed who had a bye comes from that match; who came from a match before, and had one, still comes from there.
        return _Slot(match.winner, source if source.match else replace(source, match=match.place), nobody)
    return _Slot(match.winner, PlayerSource(SourceKind.WINNER, match.number, match.place), nobody)


def _get_loser_slot(match: Match) -> _Slot:
    """The place that a match's loser takes; a walkover has no loser."""
    assert match.number is not None  # a form has no loser of a bye
    nobody = any(match.nobody) or (match.is_over and match.loser is None)
    return _Slot(match.loser, PlayerSource(SourceKind.LOSER, match.number, match.place), nobody)


def _is_decided(final: Match) -> bool:
    """Whether a final decides by itself: it is over, and not lost by the upper player, who came without a loss."""
    # A walkover of the lower player is no loss of anybody: the place above them stays empty.
    return final.is_over and (final.loser is None or final.loser != final.players[0])


def _game_problems(match: Match, number: int, game: KnockoutGame, rules: KnockoutRules) -> Iterator[KnockoutProblem]:
    """What is wrong with a game by itself, or as a game of this match."""
    if number > rules.most_games:
        yield KnockoutProblem(KnockoutFault.TOO_MANY_GAMES, match.place, number)
    if None in match.players:
        yield KnockoutProblem(KnockoutFault.NOT_READY, match.place, number)
    elif {game.first, game.second} != set(match.players):
        # A game of somebody against themselves has no stranger in it, and is of other players all the same.
        stranger = next((key for key in (game.first, game.second) if key not in match.players), game.first)
        yield KnockoutProblem(KnockoutFault.OTHER_PLAYERS, match.place, number, stranger)
    if game.outcome in awards.OUTCOMES_WITHOUT_OPPONENT:
        yield KnockoutProblem(KnockoutFault.NO_OPPONENT, match.place, number)
    if game.outcome == Outcome.PLAYED and None in (game.first_points, game.second_points):
        yield KnockoutProblem(KnockoutFault.POINTS_MISSING, match.place, number)
