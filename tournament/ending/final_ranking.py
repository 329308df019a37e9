"""The final ranking of a division: how it came about, and whether it is final."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.cache import cache

from scoring import final_ranking, standings
from scoring.final_ranking import FinalPlace
from tournament.core.public_view import is_public_view_open, list_hidden_rounds
from tournament.ending.words import describe_event_form, describe_place_order
from tournament.models import Division, Entry
from tournament.results.knockout_state import KnockoutState, load_knockout_state
from tournament.results.league_games import list_division_entries
from tournament.table.league import LeagueTable, RoundProgress, count_planned_rounds, list_league_rounds, load_table
from tournament.table.words import describe_criteria_order


@dataclass(frozen=True, slots=True)
class FinalRow:
    """A row of the final ranking with its player."""

    ranked: FinalPlace
    entry: Entry
    standing: standings.Standing | None = None  # the player's row of the table, if there is one
    above: standings.Standing | None = None  # the row above it in the table, if it is also the one above in the ranking

    @property
    def is_disqualified(self) -> bool:
        """Whether the player is out of the whole event: without a place, a prize or a slide."""
        return self.standing is not None and self.standing.disqualified


@dataclass(frozen=True, slots=True)
class FinalRanking:
    """The final ranking of a division as it stands, with the knock-out and the table that it comes from."""

    division: Division
    entries: Sequence[Entry]  # everybody entered, whether in the ranking or not yet
    rows: tuple[FinalRow, ...]
    table: LeagueTable
    knockout: KnockoutState | None
    rounds: int  # how many are public
    is_complete: bool  # all planned rounds and the knock-out are played
    is_held: bool = False  # the reader may not see all of it yet

    @property
    def announced(self) -> tuple[str, str]:
        """In which form the event is played, and how the places come about, as sentences."""
        knockout, rules = self.knockout.knockout if self.knockout else None, self.division.tournament.rules
        criteria = describe_criteria_order(self.table.ranking, rules)
        return describe_event_form(self.rounds, knockout, rules), describe_place_order(knockout, criteria)

    @property
    def certified_count(self) -> int:
        """How many players a place is out of: those who get a certificate."""
        return sum(row.entry.is_certified for row in self.rows)

    @property
    def is_final(self) -> bool:
        """Whether nothing more is to come: everything is played, or the director has ended an event that had begun."""
        begun = self.rounds > 0 or (self.knockout is not None and bool(self.knockout.entries))
        return not self.is_held and (self.is_complete or (begun and self.division.tournament.is_ended))


KEPT_SECONDS = 86400


def find_winners(divisions: Iterable[Division]) -> dict[int, list[str]]:
    """Who won each of these divisions, by its primary key; nobody where the ranking is not final, or the reader may not
    see it yet. Kept until the tournament's next change: seven queries for a division not kept, twelve with a
    knock-out."""
    winners = {}
    reader = "public" if is_public_view_open() else "director"
    for division in divisions:
        # By who reads it: with one key for both, the front page had the winners before their time as soon as a director
        # had opened the list of events.
        key = f"winners:{reader}:{division.pk}:{division.tournament.revision}"
        names: list[str] | None = cache.get(key)
        if names is None:
            ranking = load_final_ranking(division)
            names = [row.entry.name for row in ranking.rows if row.ranked.place == 1] if ranking.is_final else []
            # Only then: what is held back becomes final by the clock alone, and the revision stays the same.
            if ranking.is_final:
                cache.set(key, names, KEPT_SECONDS)
        winners[division.pk] = names
    return winners


def may_be_final(division: Division, progress: list[RoundProgress]) -> bool:
    """Whether the final ranking is worth loading: the rounds are over, or the director says so. No query."""
    return division.tournament.is_ended or _are_rounds_over(division, progress)


def load_final_ranking(division: Division, entries: Sequence[Entry] | None = None) -> FinalRanking:
    """The final ranking of a division from its public results. Seven queries, five more with a knock-out, one less with
    the division's `entries` at hand."""
    everybody = list_division_entries(division) if entries is None else entries
    progress = list_league_rounds(division)
    table = load_table(division, entries=everybody)
    state = load_knockout_state(division)
    ranked_entries = {row.entry.pk: row.entry for row in table.rows} | dict(state.entries if state else {})
    placed = final_ranking.rank([row.standing for row in table.rows], state.bracket if state else None)
    # Without a plan and without a knock-out no result says that no round follows: then the director does.
    is_complete = _are_rounds_over(division, progress) and (
        count_planned_rounds(division) > 0 if state is None else state.bracket.is_over
    )
    return FinalRanking(
        division=division,
        entries=everybody,
        rows=tuple(_build_final_rows(placed, table, ranked_entries)),
        table=table,
        knockout=state,
        rounds=len(progress),
        is_complete=is_complete,
        is_held=bool(list_hidden_rounds(division.pk)),
    )


def _build_final_rows(
    placed: Iterable[FinalPlace], table: LeagueTable, entries: dict[standings.PlayerKey, Entry]
) -> Iterable[FinalRow]:
    standing = {row.standing.player: row.standing for row in table.rows}
    # Whose row is above in the table. That is said only where both stand together here, too: a player whom the
    # knock-out has placed may stand between them, and nothing separated those two.
    before = dict(zip(list(standing)[1:], list(standing), strict=False))
    previous: standings.PlayerKey | None = None
    for row in placed:
        above = before.get(row.player)
        rank_shown = standing[above] if above is not None and above == previous else None
        yield FinalRow(row, entries[row.player], standing.get(row.player), rank_shown)
        previous = row.player


def _are_rounds_over(division: Division, progress: list[RoundProgress]) -> bool:
    """Whether all planned rounds have all their results."""
    last = progress[-1].round.number if progress else 0
    return last >= count_planned_rounds(division) and not any(item.missing for item in progress)
