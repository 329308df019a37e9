"""The records of a division's public games, and the players who hold them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring import standings, statistics
from scoring.awards import Outcome
from tournament.core.public_view import build_results_filter, build_rounds_filter
from tournament.models import Division, Entry, Pairing, Result, Round, Seat
from tournament.models.play import SIDES
from tournament.results.league_games import list_division_entries, load_players_by_pairing


@dataclass(frozen=True, slots=True)
class Statistics:
    """Records and upsets of a division's public games, league and knock-out. `games` were played, `with_moves` and
    `with_bingos` of them with single plays and seven-tile plays recorded. Games are named by their pairing's id,
    players by their entry's; `positions` are those of their matches in the knock-out. `listed` are all games, by rounds
    and tables."""

    records: tuple[statistics.Record, ...]
    upsets: tuple[statistics.Feat, ...]
    games: int
    with_moves: int
    with_bingos: int
    entries: Mapping[standings.PlayerKey, Entry]
    rounds: Mapping[int | str, Round]
    positions: Mapping[int | str, int | None]
    listed: tuple[statistics.StatisticsGame, ...] = ()


def load_statistics(division: Division, entries: Sequence[Entry] | None = None) -> Statistics:
    """What stands out in a division. Four queries, one less with the division's `entries` at hand."""
    rounds = {round.pk: round for round in Round.objects.public().filter(build_rounds_filter(), division=division)}
    for round in rounds.values():
        round.division = division
    everybody = list_division_entries(division) if entries is None else entries
    entries_by_key: dict[standings.PlayerKey, Entry] = {entry.pk: entry for entry in everybody}
    seats = Seat.objects.filter(round__division=division, pairing__kind=Pairing.Kind.GAME)
    seats = seats.filter(build_rounds_filter("round")).exclude(round__state=Round.State.DRAFT)
    seated = load_players_by_pairing(seats.order_by(), "round_id", "pairing__position", "pairing__table")
    official = Result.objects.filter(build_results_filter(), official=True, pairing__round__division=division)
    public = official.exclude(pairing__round__state=Round.State.DRAFT)
    rows = public.order_by("pairing__round__number", "pairing__table", "pk").values_list(
        "pairing_id", "outcome", *(f"{side}_{figure}" for side in SIDES for figure in ("points", "moves", "bingos"))
    )
    games = [
        statistics.StatisticsGame(
            pairing,
            Outcome(outcome),
            _build_half(entries_by_key[at.first], *figures[:3]),
            _build_half(entries_by_key[at.second], *figures[3:]),
        )
        for pairing, outcome, *figures in rows
        # Seats and results come by two queries: a game that was laid out between them has a result here and no players.
        if (at := seated.get(pairing)) is not None and at.second is not None
    ]
    played = [game for game in games if game.is_played]
    return Statistics(
        records=statistics.records(games),
        upsets=statistics.upsets(games),
        games=len(played),
        with_moves=sum(any(half.moves for half in game.halves) for game in played),
        with_bingos=sum(any(half.bingos is not None for half in game.halves) for game in played),
        entries=entries_by_key,
        rounds={pairing: rounds[at.about[0]] for pairing, at in seated.items()},
        # Without a position of its own a game of the knock-out has it as its table (`Pairing.match_position`).
        positions={pairing: at.about[1] or at.about[2] for pairing, at in seated.items()},
        listed=tuple(games),
    )


def _build_half(entry: Entry, points: int | None, moves: list[int], bingos: int | None) -> statistics.GameHalf:
    return statistics.GameHalf(player=entry.pk, points=points, rating=entry.rating, moves=tuple(moves), bingos=bingos)
