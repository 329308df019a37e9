"""The games of a division as `scoring.statistics` looks at them, with what names their players and rounds."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring import statistics
from scoring.awards import Outcome
from tournament.models import Division, Entry, Pairing, Result, Round, Seat
from tournament.queries import league


@dataclass(frozen=True, slots=True)
class Statistics:
    """Records and upsets of a division's public games, league and knock-out.

    `games` were played; `with_moves` and `with_bingos` say for how many of them somebody recorded single plays and
    seven-tile plays. Games are named by their pairing's id, players by their entry's.
    """

    records: tuple[statistics.Record, ...]
    upsets: tuple[statistics.Feat, ...]
    games: int
    with_moves: int
    with_bingos: int
    entries: Mapping[statistics.Key, Entry]
    rounds: Mapping[statistics.Key, Round]
    """Each game's round."""
    tables: Mapping[statistics.Key, int | None]
    """Each game's table; in the knock-out the match's position."""


def of(division: Division) -> Statistics:
    """What stands out in a division. Four queries."""
    rounds = {each.pk: each for each in Round.objects.public().filter(division=division)}
    for round in rounds.values():
        round.division = division
    entries: dict[statistics.Key, Entry] = {entry.pk: entry for entry in league.entries(division)}
    places, seated = _places(division)
    games = [
        _game(result, seated[result.pairing_id], entries)
        for result in _results(division)
        if len(seated.get(result.pairing_id, {})) == 2
    ]
    played = [game for game in games if game.is_played]
    return Statistics(
        records=statistics.records(games),
        upsets=statistics.upsets(games),
        games=len(played),
        with_moves=sum(any(half.moves for half in game.halves) for game in played),
        with_bingos=sum(any(half.bingos is not None for half in game.halves) for game in played),
        entries=entries,
        rounds={pairing: rounds[number] for pairing, (number, _table) in places.items()},
        tables={pairing: table for pairing, (_number, table) in places.items()},
    )


def _places(division: Division) -> tuple[dict[int, tuple[int, int | None]], dict[int, dict[int, int]]]:
    """Each public game's round and table, and its players by side."""
    places: dict[int, tuple[int, int | None]] = {}
    seated: dict[int, dict[int, int]] = {}
    seats = Seat.objects.filter(round__division=division, pairing__kind=Pairing.Kind.GAME)
    for pairing, round, table, side, entry in (
        seats.exclude(round__state=Round.State.DRAFT)
        .order_by()
        .values_list("pairing_id", "round_id", "pairing__table", "side", "entry_id")
    ):
        places[pairing] = (round, table)
        seated.setdefault(pairing, {})[side] = entry
    return places, seated


def _results(division: Division) -> list[Result]:
    """The official results of public rounds, in order of rounds and tables."""
    official = Result.objects.filter(official=True, pairing__round__division=division)
    public = official.exclude(pairing__round__state=Round.State.DRAFT).defer("note", "why")
    return list(public.order_by("pairing__round__number", "pairing__table", "pk"))


def _game(result: Result, sides: Mapping[int, int], entries: Mapping[statistics.Key, Entry]) -> statistics.Game:
    first, second = (
        statistics.Half(
            player=sides[side],
            points=getattr(result, f"{name}_points"),
            rating=entries[sides[side]].rating,
            moves=tuple(getattr(result, f"{name}_moves")),
            bingos=getattr(result, f"{name}_bingos"),
        )
        for side, name in ((Seat.FIRST, "first"), (Seat.SECOND, "second"))
    )
    return statistics.Game(result.pairing_id, Outcome(result.outcome), first, second)
