"""Seats and results of games that were read from a file."""

from collections.abc import Iterable, Mapping

from scoring.awards import Outcome
from tournament import reports
from tournament.exchange.values import GameData
from tournament.models import Entry, Pairing, Result, Round, Seat
from tournament.models.play import SIDES
from tournament.operations.change import Actor, Change


def write(log: Change, games: Iterable[tuple[Pairing, GameData]], entries: Mapping[str, Entry], actor: Actor) -> None:
    """Seat the players (`entries` by the file's ids) at stored pairings, and write the results."""
    listed = list(games)
    log.create_all(
        Seat(pairing=pairing, round=pairing.round, entry=entries[key], side=side)
        for pairing, game in listed
        for side, key in enumerate(game.players, Seat.FIRST)
    )
    log.create_all(
        Result(
            pairing=pairing,
            version=1,
            how=Result.How.IMPORT,
            by=actor.user,
            by_name=actor.shown_name,
            at=log.now,
            **report(game).fields(),
        )
        for pairing, game in listed
        if game.outcome != Outcome.OPEN and pairing.round.state != Round.State.DRAFT
    )


def report(game: GameData) -> reports.Report:
    """What the file says about a game, as a report."""
    first, second = (
        reports.PlayerReport(**{name: getattr(game, f"{side}_{name}") for name in reports.SIDE_FIELDS})
        for side in SIDES
    )
    return reports.Report(
        outcome=game.outcome,
        first=first,
        second=second,
        reason=game.reason,
        second_reason=game.second_reason,
        spread=getattr(game, "spread", None),
        penalty_reason=game.penalty_reason,
        note=game.note,
    )
