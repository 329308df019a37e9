"""A match of teams in one round, board by board, as it is entered, awarded and shown beside the pairings."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar

from scoring.awards import AwardReason, forfeit_outcome
from tournament.core.reports import Report
from tournament.core.words.figures import NO_FIGURE, format_half_wins
from tournament.models import Entry, Pairing, Round
from tournament.results.league_games import list_division_entries
from tournament.rounds.team_matches import group_by_match, name_teams_by_entry
from tournament.table.league import list_round_pairings
from tournament.table.published_games import credit_result

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class MatchBoard:
    """A board of a match in a round: its pairing, and who sits there for each team; None where a player has nobody
    opposite."""

    pairing: Pairing
    home: Entry | None
    away: Entry | None

    @property
    def is_open(self) -> bool:
        """Whether it is a game without a result."""
        return self.pairing.kind == Pairing.Kind.GAME and self.pairing.result is None

    @property
    def players(self) -> tuple[int, ...]:
        """The entries' ids in the order of the pairing."""
        return tuple(entry.pk for entry in (self.pairing.first, self.pairing.second) if entry is not None)

    @property
    def home_starts(self) -> bool:
        """Whether the home team's player is the first of the pairing."""
        return self.home is not None and self.pairing.first.pk == self.home.pk

    @property
    def half_wins(self) -> tuple[int, int]:
        """What the board has brought home and away so far."""
        credits = credit_result(self.pairing.result, self.pairing.round.division.tournament.awards)
        first, second = (credit.half_wins if credit else 0 for credit in credits)
        return self.order(first, second)

    def order(self, one: Value, other: Value) -> tuple[Value, Value]:
        """What belongs to first and second as home and away, and the other way round."""
        return (one, other) if self.home_starts else (other, one)


@dataclass(frozen=True, slots=True)
class RoundMatch:
    """Two teams that meet in a round, with their boards by table; `away` is None for a team with the bye."""

    round: Round
    home: str
    away: str | None
    boards: tuple[MatchBoard, ...]

    @property
    def open_games(self) -> list[MatchBoard]:
        return [board for board in self.boards if board.is_open]

    @property
    def entry_id(self) -> int:
        """One of its players, by whom its page is addressed."""
        return self.boards[0].players[0]

    @property
    def score(self) -> str:
        """The board points of both teams in this round so far, as far as the reader may see them."""
        # As long as no game is over there is no score: a bye of a board alone would stand there as 1 : 0 of a match
        # that has not begun.
        if len(self.open_games) == sum(board.pairing.kind == Pairing.Kind.GAME for board in self.boards):
            return NO_FIGURE
        return " : ".join(map(format_half_wins, self.half_wins))

    @property
    def half_wins(self) -> tuple[int, int]:
        """The half wins of both teams in this round so far, each half a board point."""
        return sum(board.half_wins[0] for board in self.boards), sum(board.half_wins[1] for board in self.boards)

    def award(self, board: MatchBoard, at_fault: Collection[str]) -> Report:
        """The result of a game if these teams did not show up."""
        outcome = forfeit_outcome(*board.order(self.home in at_fault, self.away in at_fault))
        return Report(outcome, reason=AwardReason.NO_SHOW)


def list_round_matches(round: Round) -> list[RoundMatch]:
    """The matches of a round in the order of its tables, byes last. Five queries."""
    teams = name_teams_by_entry(list_division_entries(round.division))
    pairings = [pairing for pairing in list_round_pairings(round) if pairing.kind != Pairing.Kind.ABSENT]
    matches = []
    for (home, away), of_match in group_by_match(pairings, teams).items():
        boards = []
        for pairing in of_match:
            seats = {teams.get(entry.pk): entry for entry in (pairing.first, pairing.second) if entry is not None}
            boards.append(MatchBoard(pairing, seats.get(home), seats.get(away) if away else None))
        matches.append(RoundMatch(round, home, away, tuple(boards)))
    return matches
