"""The games of a division as `scoring.statistics` takes them, with the names of their players and rounds."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring import statistics
from scoring.awards import Outcome
from tournament.models import Division, Entry, Pairing, Result, Round, Seat
from tournament.models.play import SIDES
from tournament.queries import league, public_view
from tournament.queries.seats import Players, by_pairing


@dataclass(frozen=True, slots=True)
class Statistics:
    """Records and upsets of a division's public games, league and knock-out.

    `games` were played; `with_moves` and `with_bingos` say for how many of them somebody recorded single plays and
    seven-tile plays. Games are named by their pairing's id, players by their entry's. `rounds` and
    `tables` have each game's round and table; in the knock-out the table is the match's position. `listed` are all
    games, in order of rounds and tables.
    """

    records: tuple[statistics.Record, ...]
    upsets: tuple[statistics.Feat, ...]
    games: int
    with_moves: int
    with_bingos: int
    entries: Mapping[statistics.Key, Entry]
    rounds: Mapping[statistics.Key, Round]
    tables: Mapping[statistics.Key, int | None]
    listed: tuple[statistics.Game, ...] = ()


def of(division: Division) -> Statistics:
    """What stands out in a division. Four queries."""
    rounds = {each.pk: each for each in Round.objects.public().filter(public_view.rounds(), division=division)}
    for round in rounds.values():
        round.division = division
    entries: dict[statistics.Key, Entry] = {entry.pk: entry for entry in league.entries(division)}
    seated = _seated(division)
    games = [
        _game(result, (at.first, at.second), entries)
        for result in _results(division)
        if (at := seated.get(result.pairing_id)) is not None and at.second is not None
    ]
    played = [game for game in games if game.is_played]
    return Statistics(
        records=statistics.records(games),
        upsets=statistics.upsets(games),
        games=len(played),
        with_moves=sum(any(half.moves for half in game.halves) for game in played),
        with_bingos=sum(any(half.bingos is not None for half in game.halves) for game in played),
        entries=entries,
        rounds={pairing: rounds[at.about[0]] for pairing, at in seated.items()},
        tables={pairing: at.about[1] for pairing, at in seated.items()},
        listed=tuple(games),
    )


def _seated(division: Division) -> dict[int, Players]:
    """The players of each public game, with its round's id and its table."""
    seats = Seat.objects.filter(round__division=division, pairing__kind=Pairing.Kind.GAME)
    seats = seats.filter(public_view.rounds("round"))
    return by_pairing(seats.exclude(round__state=Round.State.DRAFT).order_by(), "round_id", "pairing__table")


def _results(division: Division) -> list[Result]:
    """The official results of public rounds, in order of rounds and tables."""
    official = Result.objects.filter(official=True, pairing__round__division=division)
    official = official.filter(public_view.results())
    public = official.exclude(pairing__round__state=Round.State.DRAFT).defer("note", "why")
    return list(public.order_by("pairing__round__number", "pairing__table", "pk"))


def _game(result: Result, players: tuple[int, int], entries: Mapping[statistics.Key, Entry]) -> statistics.Game:
    first, second = (
        statistics.Half(
            player=player,
            points=getattr(result, f"{name}_points"),
            rating=entries[player].rating,
            moves=tuple(getattr(result, f"{name}_moves")),
            bingos=getattr(result, f"{name}_bingos"),
        )
        for player, name in zip(players, SIDES, strict=True)
    )
    return statistics.Game(result.pairing_id, Outcome(result.outcome), first, second)
