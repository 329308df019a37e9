"""All public games of a division, from each player's side."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring import awards, standings
from scoring.awards import Outcome
from tournament.core.public_view import build_results_filter, build_rounds_filter
from tournament.models import Division, Result, Round, Seat
from tournament.results.league_games import PairingPlayers, load_players_by_pairing

HALF_WINS_PER_WIN = 2  # half wins of a game won


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """What one player did in one round, seen from their side; `credit` is None while the game is open. `never_began`:
    the game was awarded before anybody had the first move."""

    round: int
    table: int | None
    entry: int
    opponent: int | None
    first: bool
    outcome: Outcome
    reason: str
    own: int | None
    other: int | None
    credit: awards.Credit | None
    never_began: bool = False

    @property
    def has_score(self) -> bool:
        """Whether there is a score to show: of a game played to its end, or stopped early."""
        return self.own is not None and self.other is not None

    @property
    def won(self) -> bool:
        return self.credit is not None and self.credit.half_wins == HALF_WINS_PER_WIN

    @property
    def is_draw(self) -> bool:
        """Whether nobody won a game between two."""
        is_half = self.credit is not None and 2 * self.credit.half_wins == HALF_WINS_PER_WIN
        return is_half and self.opponent is not None and self.own == self.other

    @property
    def at_fault(self) -> bool:
        """Whether this player lost the game by a breach of the rules."""
        return self.outcome.at_fault[0 if self.first else 1]


@dataclass(frozen=True, slots=True)
class PublishedGames:
    """Everything published of a division up to a round: the games to rank by, and each player's meetings by round."""

    games: tuple[standings.TableGame, ...]
    meetings: Mapping[standings.PlayerKey, Mapping[int, PlayerRound]]

    @property
    def rounds(self) -> list[int]:
        """The numbers of the rounds, in order."""
        return sorted({number for meetings in self.meetings.values() for number in meetings})


def load_published_games(division: Division, *, after: int | None = None) -> PublishedGames:
    """What was published of a division up to round `after` (None: all). Two queries."""
    seats = Seat.objects.filter(round__division=division, round__stage=None).exclude(round__state=Round.State.DRAFT)
    seats = seats.filter(build_rounds_filter("round"))
    if after is not None:
        seats = seats.filter(round__number__lte=after)
    seated = load_players_by_pairing(seats.order_by("round__number", "pairing_id"), "round__number", "pairing__table")
    official = Result.objects.filter(
        build_results_filter(), official=True, pairing__round__division=division, pairing__round__stage=None
    )
    # Without the longest columns, which nothing here shows: the moves of both players, and notes.
    results = {result.pairing_id: result for result in official.defer("first_moves", "second_moves", "note")}
    games = []
    meetings: dict[standings.PlayerKey, dict[int, PlayerRound]] = {}
    for pairing, at in seated.items():
        number, _table = at.about
        # Open games have a meeting for each player all the same: cards and cross table say against whom.
        if (result := results.get(pairing)) is not None:
            games.append(result.game(number, at.first, at.second))
        for meeting in _build_both_sides(at, result, division.tournament.awards):
            meetings.setdefault(meeting.entry, {})[number] = meeting
    return PublishedGames(tuple(games), meetings)


def _build_both_sides(at: PairingPlayers, result: Result | None, figures: awards.Awards) -> list[PlayerRound]:
    """The meeting as each of its players sees it."""
    first, second, (number, table) = at.first, at.second, at.about
    own, other = (result.first_points, result.second_points) if result else (None, None)
    outcome = Outcome(result.outcome) if result else Outcome.OPEN
    mine, theirs = credit_result(result, figures)
    # Where both lose, each may have a reason of their own; one that is noted alone holds for both.
    reasons = (result.reason, result.second_reason or result.reason) if result else ("", "")
    never_began = result is not None and not result.game(number, first, second).has_begun
    sides = [PlayerRound(number, table, first, second, True, outcome, reasons[0], own, other, mine, never_began)]
    if second is not None:
        sides.append(
            PlayerRound(number, table, second, first, False, outcome, reasons[1], other, own, theirs, never_began)
        )
    return sides


def credit_result(result: Result | None, figures: awards.Awards) -> tuple[awards.Credit | None, awards.Credit | None]:
    """What a result credits to both players; None while there is none."""
    if result is None:
        return None, None
    scores = result.first_points, result.second_points
    return awards.credit(Outcome(result.outcome), *scores, figures, spread=result.spread)
