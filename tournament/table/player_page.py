"""What a player's page shows of the event, and the ranks that somebody has had round by round."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from scoring import standings
from tournament.core.public_view import build_rounds_filter, find_last_seen_table
from tournament.models import Division, Entry, Pairing, Round, Tournament
from tournament.results.league_games import list_division_entries, select_table_entries
from tournament.table.league import list_league_rounds
from tournament.table.public_table import find_current_round_number
from tournament.table.published_games import PlayerRound, PublishedGames, load_published_games


def list_entry_pairings(entry: Entry) -> list[Pairing]:
    """A player's games and byes of public rounds, with rounds and players, in order. Three queries."""
    pairings = Pairing.objects.filter(build_rounds_filter("round"), seats__entry=entry, round__stage=None)
    # Drafts by themselves: where nothing is held back, or a director reads, the filter above lets them through.
    pairings = pairings.exclude(round__state=Round.State.DRAFT)
    return list(pairings.select_related("round").with_players().order_by("round__number", "pk"))


@dataclass(frozen=True, slots=True)
class CardRow:
    """A player's card after one round. `meeting` is None in a round in which they had neither game nor bye nor absence,
    `standing` before they are in the table, or while the reader may not see it."""

    entry: Entry
    round: int
    meeting: PlayerRound | None
    opponent: Entry | None
    standing: standings.Standing | None


def load_player_page(entry: Entry) -> dict[str, Any]:
    """Every public round of a player's division with what they did in it and their running rank (`steps`), how many
    were in the last table among them (`field`), and where the player stands in it (`last`; None before they are in
    one). Four queries."""
    division = entry.division
    everybody: dict[standings.PlayerKey, Entry] = {entry.pk: entry for entry in list_division_entries(division)}
    played = load_published_games(division)
    tables = _rank_seen_rounds(division, everybody.values(), played)
    steps, field = [], 0
    meetings = played.meetings.get(entry.pk, {})
    for number in played.rounds:
        # Of the last table that may be seen: rounds whose table is held back are listed as well, without a rank.
        field = len(tables[number]) if number in tables else field
        mine = next((standing for standing in tables.get(number, ()) if standing.player == entry.pk), None)
        meeting = meetings.get(number)
        opponent = everybody[meeting.opponent] if meeting and meeting.opponent else None
        steps.append(CardRow(entry, number, meeting, opponent, mine))
    last = next((step.standing for step in reversed(steps) if step.standing), None)
    return {"steps": steps, "field": field, "last": last}


def _rank_seen_rounds(
    division: Division, everybody: Iterable[Entry], played: PublishedGames
) -> dict[int, tuple[standings.Standing, ...]]:
    """The tables after public rounds, as far as the reader may see them. One query."""
    lots: dict[int, list[tuple[int, ...]]] = {}
    for lot in division.lots.order_by("pk"):
        lots.setdefault(lot.after, []).append(tuple(lot.order))
    last = find_last_seen_table(division.pk)
    return {
        number: rank_after_round(division.tournament, everybody, played.games, number, lots.get(number, []))
        for number in played.rounds
        if last is None or number <= last
    }


def load_rank_histories(division: Division) -> dict[str, list[int | None]]:
    """The rank of each player after the first round, the second …, up to the current table, by the player's key; None
    where they had none. Five queries."""
    everybody = list_division_entries(division)
    tables = _rank_seen_rounds(division, everybody, load_published_games(division))
    current = find_current_round_number(list_league_rounds(division))
    ranks = [{row.player: row.rank for row in tables.get(number, ())} for number in range(1, current + 1)]
    return {entry.key: [after.get(entry.pk) for after in ranks] for entry in everybody}


def rank_after_round(
    tournament: Tournament,
    everybody: Iterable[Entry],
    played: Collection[standings.TableGame],
    after: int,
    lots: list[tuple[int, ...]],
) -> tuple[standings.Standing, ...]:
    """The table of a division after a round from play in memory, as `load_table` has it. No query."""
    field = select_table_entries(everybody, played, after)
    contestants = [entry.as_contestant(after) for entry in field]
    return standings.rank(contestants, played, tournament.ranking, tournament.awards, after=after, lots=lots)
