"""The knock-out of a file as `scoring.knockout` takes it: seeds, rules, games, lots, and the places before it."""

from collections.abc import Mapping
from types import MappingProxyType

from scoring import knockout
from scoring.awards import Awards, Outcome
from scoring.knockout_values import FactKind, GameFacts, KnockoutGame, KnockoutRules, MatchCriterion, MatchPlace
from scoring.standings import Contestant, NotRankable, PlayerKey, TableGame
from tournament.exchange.values import DivisionData, EventData, KnockoutData
from tournament.models import RoundState

BracketInput = tuple[
    list[PlayerKey | None],
    KnockoutRules,
    dict[MatchPlace, list[KnockoutGame]],
    dict[MatchPlace, PlayerKey],
    dict[MatchPlace, tuple[FactKind, ...]],
    set[MatchPlace],
    Mapping[PlayerKey, int],
]
"""Seeds, rules, games, lots, what was not recorded, which lots are none, and the places before the knock-out, as
`scoring.knockout` takes them."""


def rank_before_knockout(event: EventData, division: DivisionData) -> dict[PlayerKey, int]:
    """Where the players seeded in a file stand in its table; empty where no match asks for it, and where the rounds
    contradict each other, which is reported for themselves."""
    block = division.knockout
    if block is None or MatchCriterion.PRELIMINARY_RANK not in block.criteria:
        return {}
    played = [
        TableGame(
            round_data.number,
            pairing.first,
            pairing.second,
            pairing.outcome,
            pairing.first_points,
            pairing.second_points,
            pairing.spread,
            pairing.reason,
        )
        for round_data in division.rounds
        # The bye of a draft has its outcome already, but it is in no table before the round is published.
        if round_data.state != RoundState.DRAFT
        for pairing in round_data.pairings
        if pairing.outcome != Outcome.OPEN
    ]
    # By the games and not by the plan: the places before the knock-out are those after the last round that has been
    # played.
    last = max((game.round for game in played), default=0)
    seen = {key for game in played for key in (game.first, game.second)}
    field = [
        Contestant(
            player.id,
            withdrawn=player.withdrawn_after is not None,
            disqualified=player.disqualified and (player.withdrawn_after or 0) <= last,
            seeding=(-(player.rating or 0), position),
        )
        for position, player in enumerate(event.players)
        # Before anything is played `last` is 0, which is no round: those who begin in round 1 are the field then.
        if player.division == division.name and (player.first_round <= max(last, 1) or player.id in seen)
    ]
    lots = [lot.order for lot in division.lots if lot.after == last]
    try:
        return knockout.find_places_before(block.seeds, field, played, event.ranking, event.awards, lots)
    except NotRankable:
        return {}


def make_bracket_input(
    block: KnockoutData, figures: Awards, places: Mapping[PlayerKey, int] = MappingProxyType({})
) -> BracketInput:
    """The knock-out of a file as `scoring` takes it, with the `places` before it; every place is open while the seeds
    are not confirmed. Raises ValueError for a form and a `best_of` that do not go together."""
    seeds: list[PlayerKey | None] = list(block.seeds) or [None] * block.size
    rules = KnockoutRules(
        block.form,
        block.best_of,
        block.criteria,
        block.third_place,
        figures,
        own_criterion=block.own_criterion,
        system=block.system,
    )
    games: dict[MatchPlace, list[KnockoutGame]] = {}
    for match in block.matches:
        played = [
            KnockoutGame(
                first=game.first,
                second=game.second or "",
                outcome=game.outcome,
                first_points=game.first_points,
                second_points=game.second_points,
                first_facts=GameFacts(game.first_bingos, game.first_moves, game.first_seconds),
                second_facts=GameFacts(game.second_bingos, game.second_moves, game.second_seconds),
            )
            for game in match.games
        ]
        # A match that stands twice in the file is reported for itself; here the first counts.
        games.setdefault(match.place, played)
    lots: dict[MatchPlace, PlayerKey] = {lot.place: lot.winner for lot in block.lots}
    unrecorded = {match.place: match.not_recorded for match in block.matches if match.not_recorded}
    return seeds, rules, games, lots, unrecorded, {lot.place for lot in block.lots if lot.by_own_criterion}, places
