"""Matches of teams: the games of their boards add up to board points, and who has more of these wins the match. No rule
book has it; match points, what separates teams that are level, who starts at a board, and what becomes of the matches
of a team that leaves are defined here alone."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.row_ranks import rank_rows
from scoring.standings import PlayerKey


class TeamFormat(StrEnum):
    """Who plays whom in a match."""

    BOARDS = "boards"  # each board against the same board, in one round
    ALL = "all"  # every player against every player of the other team, in as many rounds as there are boards


class TeamPairing(StrEnum):
    """Which teams meet."""

    SWISS = "swiss"  # those that stand alike
    ALL_PLAY_ALL = "all_play_all"  # all of them by a schedule, home and away by turns; each further leg the other way


class LeaverMatches(StrEnum):
    """What becomes of the matches of a team that leaves the event."""

    KEPT = "kept"  # they count for its opponents
    STRUCK = "struck"  # they count for nobody


class MatchTableCriterion(StrEnum):
    """What separates a team from the one above it; level teams share the rank."""

    MATCH_POINTS = "match_points"
    BOARD_POINTS = "board_points"
    SPREAD = "spread"


POINTS_OF_A_WIN, POINTS_OF_A_DRAW = 2, 1


@dataclass(frozen=True, slots=True)
class BoardGame:
    """A game of a match: half wins and spread of both teams, None while it is open. Somebody without an opponent, since
    a team has too few players, has a bye."""

    round: int
    table: int | None
    home: PlayerKey | None
    away: PlayerKey | None
    home_half_wins: int | None = None
    away_half_wins: int | None = None
    home_spread: int = 0
    away_spread: int = 0

    @property
    def is_open(self) -> bool:
        return self.home_half_wins is None and self.away_half_wins is None


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """The match `number` of two teams; `away` is None for a team that has the bye. `games` are those of all its rounds;
    it `counts` once it has them all and each has a result, unless it `is_struck` since one of the teams has left, or
    counts for nobody as a bye."""

    number: int
    home: str
    away: str | None
    games: tuple[BoardGame, ...]
    counts: bool
    is_struck: bool = False

    @property
    def teams(self) -> tuple[str, ...]:
        """Both teams, or the one that has the bye."""
        return (self.home,) if self.away is None else (self.home, self.away)

    @property
    def half_wins(self) -> tuple[int, int]:
        """The half wins of both teams so far, each half a board point."""
        return sum(game.home_half_wins or 0 for game in self.games), sum(
            game.away_half_wins or 0 for game in self.games
        )

    @property
    def spreads(self) -> tuple[int, int]:
        return sum(game.home_spread for game in self.games), sum(game.away_spread for game in self.games)

    @property
    def match_points(self) -> tuple[int, int]:
        """What the match brings both teams, if it ended so."""
        home, away = self.half_wins
        if self.away is None or home > away:
            return POINTS_OF_A_WIN, 0
        return (0, POINTS_OF_A_WIN) if home < away else (POINTS_OF_A_DRAW, POINTS_OF_A_DRAW)


@dataclass(frozen=True, slots=True)
class MatchTableRow:
    """A team in the table of matches. `rank` is None for one that has left. `decided_by`: what separates the row from
    the one above; None for the first, for one that is level with it, and for one without a rank."""

    rank: int | None
    team: str
    played: int
    match_points: int
    half_wins: int
    spread: int
    decided_by: MatchTableCriterion | None = None

    @property
    def figures(self) -> tuple[int, int, int]:
        """What is compared, in the order of `MatchTableCriterion`."""
        return self.match_points, self.half_wins, self.spread


def strike_matches(
    matches: Iterable[TeamMatch], left: Collection[str], rule: LeaverMatches, pairing: TeamPairing = TeamPairing.SWISS
) -> tuple[TeamMatch, ...]:
    """The matches as they count by the rule that is announced for teams that have `left`."""
    if rule == LeaverMatches.KEPT:
        return tuple(matches)
    # All play all: whoever was to meet the team later has a bye instead. Counted as won, it would bring them what those
    # who have met the team already have lost.
    strikes_byes = pairing == TeamPairing.ALL_PLAY_ALL
    return tuple(
        replace(match, counts=False, is_struck=True)
        if not set(left).isdisjoint(match.teams) or (strikes_byes and match.away is None)
        else match
        for match in matches
    )


def rank_matches(
    teams: Iterable[str], matches: Sequence[TeamMatch], left: Collection[str] = ()
) -> tuple[MatchTableRow, ...]:
    """The teams by match points, board points and spread of the matches that count; level teams in their order. Those
    that have `left` come last, without a rank."""
    rows = [_add_up(team, [match for match in matches if match.counts]) for team in teams]
    ranked = rank_rows(
        [row for row in rows if row.team not in left], lambda row: row.figures, list(MatchTableCriterion)
    )
    return (*ranked, *sorted((row for row in rows if row.team in left), key=lambda row: row.figures, reverse=True))


def _add_up(team: str, matches: Iterable[TeamMatch]) -> MatchTableRow:
    """What a team has from matches that count, not yet ranked."""
    played = points = half_wins = spread = 0
    for match in matches:
        if team in match.teams:
            side = 0 if team == match.home else 1
            played += 1
            points += match.match_points[side]
            half_wins += match.half_wins[side]
            spread += match.spreads[side]
    return MatchTableRow(None, team, played, points, half_wins, spread)


def list_boards(boards: int, form: TeamFormat, game: int) -> list[tuple[int, int, bool]]:
    """Which boards of two teams meet in the round `game` (from 0) of a match, and whether the home team starts there:
    by turns, and over all rounds of a match as often as not for everybody."""
    if form == TeamFormat.BOARDS:
        return [(board, board, board % 2 == 0) for board in range(boards)]
    # Round by round each board meets the next one of the other team: after as many rounds as boards everybody has met
    # all.
    pairs = ((board, (board + game) % boards) for board in range(boards))
    return [(home, away, (home + away) % 2 == 0) for home, away in pairs]
