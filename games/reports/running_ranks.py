"""Where a player stands by the games that are over, while others of the round are still being played."""

from collections.abc import Iterable, Mapping

from scoring import standings
from tournament.core.public_view import get_sight
from tournament.models import Entry, Lot, Pairing, Round, Tournament
from tournament.table.player_page import rank_after_round

RunningRanks = Mapping[int, tuple[int | None, int]]
"""A player's rank, None without one, and spread after each round in which they are in the table."""


def compute_running_ranks(
    tournament: Tournament, entries: Mapping[int, Entry], pairings: Iterable[Pairing]
) -> dict[standings.PlayerKey, RunningRanks]:
    """Each player's ranks, by entry, as the reader of this view may see them; `pairings` are all public ones. A round
    counts once it and all before it are closed and its table is shown; so phones need not load anew while a round is
    played. One query."""
    lots: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for lot in Lot.objects.filter(division__tournament=tournament).order_by("pk"):
        lots.setdefault((lot.division_id, lot.after), []).append(tuple(lot.order))
    ranks: dict[standings.PlayerKey, dict[int, tuple[int | None, int]]] = {}
    for division, rounds in _group_closed_games(pairings).items():
        field = [entry for entry in entries.values() if entry.division_id == division]
        games = [game for of_round in rounds.values() for game in of_round]
        for number in rounds:
            drawn = lots.get((division, number), [])
            for standing in rank_after_round(tournament, field, games, number, drawn):
                ranks.setdefault(standing.player, {})[number] = standing.rank, standing.spread
    return dict(ranks)


def _group_closed_games(pairings: Iterable[Pairing]) -> dict[int, dict[int, list[standings.TableGame]]]:
    """The games, byes and absences of each division's league, by those of its rounds that count, in order."""
    rounds: dict[int, Round] = {}
    games: dict[int, list[standings.TableGame]] = {}
    for pairing in pairings:
        if pairing.round.is_knockout:
            continue
        rounds[pairing.round_id] = pairing.round
        listed, second = games.setdefault(pairing.round_id, []), pairing.second
        if pairing.result is not None:
            listed.append(pairing.result.game(pairing.round.number, pairing.first.pk, second.pk if second else None))
    counted: dict[int, dict[int, list[standings.TableGame]]] = {}
    stopped: set[int] = set()
    for round in sorted(rounds.values(), key=lambda round: round.number):
        # A round that is closed before an earlier one waits for it: its ranks would be those of a table in which games
        # are missing.
        if round.state != Round.State.CLOSED or not get_sight(round).table:
            stopped.add(round.division_id)
        if round.division_id not in stopped:
            counted.setdefault(round.division_id, {})[round.number] = games[round.pk]
    return counted
