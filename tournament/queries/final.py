"""The final ranking of a division with the players behind it, and who wins its prizes."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring import final_ranking, prizes, standings
from scoring import statistics as feats
from scoring.final_ranking import FinalPlace
from scoring.prizes import PrizeKind, Winner
from tournament.models import Division, Entry, Prize
from tournament.queries import league, public_view, statistics
from tournament.queries.knockout import KnockoutState, knockout_state


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A row of the final ranking with its player.

    `standing` is their row of the table, None if they have none; `above` the row above it there, if that player stands
    right above them here, too.
    """

    ranked: FinalPlace
    entry: Entry
    standing: standings.Standing | None = None
    above: standings.Standing | None = None


@dataclass(frozen=True, slots=True)
class FinalRanking:
    """The final ranking of a division as it stands, with the knock-out and the table that it comes from.

    `rounds` is the number of public rounds. `is_complete`: all planned rounds and the knock-out are played. `is_held`:
    the reader may not see all of it yet.
    """

    division: Division
    rows: tuple[FinalRow, ...]
    table: league.Table
    knockout: KnockoutState | None
    rounds: int
    is_complete: bool
    is_held: bool = False

    @property
    def is_final(self) -> bool:
        """Whether nothing more is to come: everything is played, or the director has ended the event after a round."""
        begun = self.rounds > 0 or (self.knockout is not None and bool(self.knockout.entries))
        return not self.is_held and (self.is_complete or (begun and self.division.tournament.is_ended))


def may_be_final(division: Division, progress: list[league.RoundProgress]) -> bool:
    """Whether it is worth looking if a division's event is over: its rounds are, or the director says so. No query."""
    return division.tournament.is_ended or _rounds_are_over(division, progress)


def ranking(division: Division) -> FinalRanking:
    """The final ranking of a division from its public results. Seven queries, five more with a knock-out."""
    progress = league.rounds(division)
    table = league.table(division)
    state = knockout_state(division)
    entries = {row.entry.pk: row.entry for row in table.rows} | dict(state.entries if state else {})
    placed = final_ranking.rank([row.standing for row in table.rows], state.bracket if state else None)
    return FinalRanking(
        division=division,
        rows=tuple(_rows(placed, table, entries)),
        table=table,
        knockout=state,
        rounds=len(progress),
        is_complete=_is_complete(division, progress, state),
        is_held=bool(public_view.hidden(division.pk)),
    )


def _rows(placed: Iterable[FinalPlace], table: league.Table, entries: dict[standings.Key, Entry]) -> Iterable[FinalRow]:
    standing = {row.standing.player: row.standing for row in table.rows}
    before = dict(zip(list(standing)[1:], list(standing), strict=False))
    previous: standings.Key | None = None
    for row in placed:
        above = before.get(row.player)
        shown = standing[above] if above is not None and above == previous else None
        yield FinalRow(row, entries[row.player], standing.get(row.player), shown)
        previous = row.player


def _is_complete(division: Division, progress: list[league.RoundProgress], state: KnockoutState | None) -> bool:
    if not _rounds_are_over(division, progress):
        return False
    return league.planned_rounds(division) > 0 if state is None else state.bracket.is_over


def _rounds_are_over(division: Division, progress: list[league.RoundProgress]) -> bool:
    """Whether all planned rounds have all their results."""
    last = progress[-1].round.number if progress else 0
    return last >= league.planned_rounds(division) and not any(item.missing for item in progress)


Won = tuple[tuple[Entry, Winner], ...]
"""Who wins a prize, and by what: nobody yet, or several who are level."""


@dataclass(frozen=True, slots=True)
class AwardedPrize:
    """A prize and who wins it by the results so far."""

    prize: Prize
    winners: Won


@dataclass(frozen=True, slots=True)
class AwardedPrizes:
    """The prizes of a division in their order. `statistics` has the games behind the feats.

    `newcomers_unknown`: lifetime games or a rating are stated of nobody, so that nobody can be told to be new.
    """

    prizes: tuple[AwardedPrize, ...]
    statistics: statistics.Statistics
    newcomers_unknown: bool = False

    def opponent(self, winner: Winner) -> Entry | None:
        """Against whom somebody did what wins the prize; None where it was not in one game."""
        if winner.feat is None or winner.feat.game is None:
            return None
        first, second = winner.feat.game.halves
        return self.statistics.entries[second.player if first.player == winner.player else first.player]


def announced(division: Division) -> list[Prize]:
    """The prizes of a division in their order, with the clubs and winners they name. One query."""
    found = Prize.objects.filter(division=division).select_related("club", "winner__player")
    return list(found.in_order())


def awarded(found: FinalRanking) -> AwardedPrizes:
    """The prizes of a division and who wins them. Five queries."""
    stood_out = statistics.of(found.division)
    field = list(stood_out.entries.values())
    new = newcomers(field)
    results = prizes.Results([row.ranked for row in found.rows], stood_out.records, stood_out.upsets)
    return AwardedPrizes(
        prizes=tuple(_awarded(prize, results, field, new) for prize in announced(found.division)),
        statistics=stood_out,
        newcomers_unknown=bool(field) and new is None,
    )


def newcomers(field: Iterable[Entry]) -> set[int] | None:
    """Who plays their first tournament: no lifetime games and no rating. None if that is so for everybody, since then
    nobody has written these figures down."""
    everybody = list(field)
    found = {entry.pk for entry in everybody if not entry.games and entry.rating is None}
    return None if len(found) == len(everybody) else found


def competing(prize: Prize, field: Iterable[Entry]) -> list[int]:
    """Of whom a prize for the best of some players is."""
    everybody = list(field)
    new = newcomers(everybody)
    return [entry.pk for entry in everybody if _competes(entry, prize, new)]


def _awarded(prize: Prize, results: prizes.Results, field: list[Entry], new: set[int] | None) -> AwardedPrize:
    kind = PrizeKind(prize.kind)
    among = {entry.pk for entry in field if _competes(entry, prize, new)} if kind in prizes.BEST_OF else set()
    found = prizes.winners(kind, results, place=prize.place, among=among, named=prize.winner_id)
    entries: dict[feats.Key, Entry] = {entry.pk: entry for entry in field}
    return AwardedPrize(prize, tuple((entries[winner.player], winner) for winner in found))


def _competes(entry: Entry, prize: Prize, new: set[int] | None) -> bool:
    """Whether an entry is one of those for the best of whom the prize is."""
    if prize.kind == PrizeKind.NEWCOMER:
        return entry.pk in (new or ())
    if prize.kind == PrizeKind.CLUB:
        return entry.club_id == prize.club_id
    lowest, highest = prize.lowest_rating, prize.highest_rating
    rated = entry.rating
    return rated is not None and (lowest is None or rated >= lowest) and (highest is None or rated <= highest)
