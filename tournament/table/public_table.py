"""The table and how far a division has come, from published and closed rounds only, in a fixed number of queries."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.timezone import localdate

from scoring import standings
from tournament.basics.names import fold_text
from tournament.models import Division, Entry, Tournament
from tournament.results.league_games import (
    OpenRound,
    list_division_entries,
    list_notable_open_rounds,
    select_table_entries,
)
from tournament.table.league import (
    RoundProgress,
    TableRow,
    count_planned_rounds,
    find_round_of_day,
    load_table,
    rank_entries,
)
from tournament.table.published_games import PlayerRound, load_published_games


def search_entries(found: Iterable[Entry], text: str) -> list[Entry]:
    """The entries whose name or club contains each word of `text`; umlauts and case do not matter. No query."""
    # Each word by itself, since names are stored as “Muster, Anna” and typed as “Anna Muster”.
    words = fold_text(text).split()
    return [
        entry
        for entry in found
        if all(word in entry.player.search_name or (entry.club and word in entry.club.search_name) for word in words)
    ]


@dataclass(frozen=True, slots=True)
class PublicTable:
    """The table after a public round: `done` of its `games` have a result, `earlier` games are open. `open_rounds` are
    to be told of: those before, and this one if it is open again."""

    ranking: standings.Ranking
    after: int
    lines: tuple[TableRow, ...]
    games: int
    done: int
    earlier: int
    open_rounds: tuple[OpenRound, ...] = ()

    @property
    def is_provisional(self) -> bool:
        return self.done < self.games or self.earlier > 0


def find_current_round_number(progress: Iterable[RoundProgress]) -> int:
    """The last round with a result whose table the reader may see, shown if none is asked for; 0: none."""
    # A round without a game, in which all have a bye or are away, has begun when it is published: no result will ever
    # come.
    begun = [item.round.number for item in progress if item.sight.table and (item.done or not item.games)]
    return max(begun, default=0)


def load_public_table(
    division: Division,
    progress: Iterable[RoundProgress],
    *,
    after: int,
    moves: bool = False,
    entries: Sequence[Entry] | None = None,
) -> PublicTable:
    """The table after public round `after` (0: before the first), with `moves` beside the one before. Five queries, one
    more with those and one while a result is missing, one less with the division's `entries` at hand."""
    table = load_table(division, after=after, moves=moves and after > 1, entries=entries)
    rounds_by_number = {item.round.number: item for item in progress if item.round.number <= after}
    last = rounds_by_number.get(after)
    # Known from the rounds already: while nothing is missing, which is nearly always, the query below is spared.
    complete = not any(item.missing for item in rounds_by_number.values())
    return PublicTable(
        ranking=table.ranking,
        after=after,
        lines=table.rows,
        games=last.games if last else 0,
        done=last.done if last else 0,
        earlier=sum(item.missing for number, item in rounds_by_number.items() if number != after),
        open_rounds=() if complete else tuple(list_notable_open_rounds(division, current=after, upto=after)),
    )


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A row of the table with its player's meetings by round; `missed` are the rounds without game, bye or absence."""

    line: TableRow
    meetings: Mapping[int, PlayerRound]
    missed: tuple[int, ...]


def list_cross_rows(division: Division, *, after: int) -> list[CrossRow]:
    """The table after public round `after`, each row with its player's meetings. Four queries."""
    everybody: dict[standings.PlayerKey, Entry] = {entry.pk: entry for entry in list_division_entries(division)}
    played = load_published_games(division, after=after)
    # By those who have a row: somebody who joins later has no meetings yet, and every round would be one that they
    # missed.
    field, numbers = select_table_entries(everybody.values(), played.games, after), played.rounds
    rows = []
    for standing in rank_entries(division, field, played.games, after=after):
        meetings = played.meetings.get(standing.player, {})
        missed = tuple(number for number in numbers if number not in meetings)
        rows.append(CrossRow(TableRow(standing, everybody[standing.player]), meetings, missed))
    return rows


@dataclass(frozen=True, slots=True)
class DivisionProgress:
    """Where a division stands for the public: the round that is played now, of how many (0: not planned), and its
    results, if they are seen; `earlier` games of the rounds before are open. In a league over weeks `due_on` is its
    last day."""

    number: int
    planned: int
    games: int
    done: int
    earlier: int = 0
    results_seen: bool = True
    due_on: date | None = None

    @property
    def is_played(self) -> bool:
        """That round is played, as far as anybody may see."""
        return self.results_seen and self.done == self.games

    @property
    def is_over(self) -> bool:
        """All planned rounds are played."""
        return 0 < self.planned <= self.number and self.done == self.games and not self.earlier


def get_division_progress(division: Division, progress: list[RoundProgress]) -> DivisionProgress:
    """The stage of a division from its public rounds. No query."""
    planned = count_planned_rounds(division)
    now = find_round_of_day(progress, localdate())
    if now is None:
        return DivisionProgress(0, planned, 0, 0)
    number = now.round.number
    # A round beyond the plan counts as planned: nobody is to read “round 8 of 7”.
    planned_rounds = max(planned, progress[-1].round.number) if planned else 0
    earlier = sum(item.missing for item in progress if item.round.number < number)
    return DivisionProgress(
        number, planned_rounds, now.games, now.done, earlier, now.sight.results, due_on=now.round.due_on
    )


def list_exceptions(tournament: Tournament) -> list[Entry]:
    """The entries with an approved exception, which is told to all before the start. One query."""
    return list(tournament.entries.exclude(exception="").with_names().by_name())
