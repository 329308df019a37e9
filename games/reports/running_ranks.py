"""The running rank and spread of all players of a tournament, for the curves on their own pages.

Only rounds count that are closed, with all before them, and whose table is seen: the results of a round that is being
played change nothing here, so no phone has to load its page anew for those of other tables.
"""

from collections.abc import Iterable, Mapping
from itertools import takewhile

from scoring import standings
from tournament.models import Entry, Lot, Pairing, Round, Tournament
from tournament.queries import public, public_view

Running = Mapping[int, tuple[int | None, int]]
"""A player's rank, None without one, and spread after each round in which they are in the table."""


def of_all(
    tournament: Tournament, entries: Mapping[int, Entry], pairings: Iterable[Pairing]
) -> dict[standings.Key, Running]:
    """By entry, for the reader whose view is open, as the public card has it. One query.

    `pairings` are all that are public, with rounds, players and results.
    """
    lots = _lots(tournament)
    found: dict[standings.Key, dict[int, tuple[int | None, int]]] = {}
    for division, rounds in _closed(pairings).items():
        field = [entry for entry in entries.values() if entry.division_id == division]
        games = [game for of_round in rounds.values() for game in of_round]
        for number in rounds:
            drawn = lots.get((division, number), [])
            for standing in public.ranked_after(tournament, field, games, number, drawn):
                found.setdefault(standing.player, {})[number] = standing.rank, standing.spread
    return dict(found)


def _closed(pairings: Iterable[Pairing]) -> dict[int, dict[int, list[standings.Game]]]:
    """By division the games of the rounds of its league that count, in order."""
    rounds: dict[int, Round] = {}
    games: dict[int, list[standings.Game]] = {}
    for pairing in pairings:
        if not pairing.round.is_knockout:
            rounds[pairing.round_id] = pairing.round
            games.setdefault(pairing.round_id, []).extend(_game(pairing))
    divisions = {round.division_id for round in rounds.values()}
    in_order = sorted(rounds.values(), key=lambda round: round.number)
    return {
        division: {
            round.number: games[round.pk]
            for round in takewhile(_counts, [each for each in in_order if each.division_id == division])
        }
        for division in divisions
    }


def _counts(round: Round) -> bool:
    """Whether a round counts, if all before it do."""
    return round.state == Round.State.CLOSED and public_view.sight(round).table


def _game(pairing: Pairing) -> list[standings.Game]:
    """The game, bye or absence as it is ranked by; nothing without a result."""
    second = pairing.second
    result = pairing.result
    return (
        [] if result is None else [result.game(pairing.round.number, pairing.first.pk, second.pk if second else None)]
    )


def _lots(tournament: Tournament) -> dict[tuple[int, int], list[tuple[int, ...]]]:
    """The lots drawn after each round of each division, in order."""
    found: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for lot in Lot.objects.filter(division__tournament=tournament).order_by("pk"):
        found.setdefault((lot.division_id, lot.after), []).append(tuple(lot.order))
    return found
