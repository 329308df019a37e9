"""What a game credits to its players: a played game, a bye, a no-show, a forfeit.

The clauses, where each is, how it is read, and by which test:

    TSO 5.3              forfeit_outcome: each player alone is at fault or not; both can be
                         test_outcome_says_who_is_at_fault
    TSO 6.1              _credit_played: a draw is half a win, so wins are counted in halves
                         test_played
    TSO 6.1.1 par. 1     credit: a bye is a win by 50 with 400 points, an absence a loss by 100
                         test_alone
    TSO 6.1.1 par. 1     _credit_forfeit: half a score is none: it does not say who led
                         test_forfeit_of_a_game_that_never_began
    TSO 6.1.1 par. 2, 3  _credit_forfeit: spread and points are looked at one by one; “over 50” begins at 51
                         test_forfeit_with_the_score_when_it_stopped
    TSO 6.1.1 par. 4     _credit_forfeit: both as the one at fault: nobody gets the 50 and 400
                         test_both_forfeit
    none                 Awards.announced: an organiser's own figures stand without a clause
                         test_organiser_announces_figures_of_bye_and_absence
"""

from dataclasses import dataclass, replace
from enum import StrEnum


class Outcome(StrEnum):
    """How a pairing came out."""

    OPEN = "open"
    PLAYED = "played"
    BYE = "bye"
    FIRST_FORFEITS = "first_forfeits"
    SECOND_FORFEITS = "second_forfeits"
    BOTH_FORFEIT = "both_forfeit"
    ABSENT = "absent"

    @property
    def at_fault(self) -> tuple[bool, bool]:
        """Whether the first and the second player lose by a breach of the rules."""
        both = self is Outcome.BOTH_FORFEIT
        return both or self is Outcome.FIRST_FORFEITS, both or self is Outcome.SECOND_FORFEITS


class AwardReason(StrEnum):
    """Why a game is awarded to the opponent."""

    NO_SHOW = "no_show"
    LATE = "late"
    OVERTIME = "overtime"
    DISQUALIFIED = "disqualified"
    OTHER = "other"


OUTCOMES_WITHOUT_OPPONENT = frozenset({Outcome.BYE, Outcome.ABSENT})
"""Outcomes of a player who has no opponent in the round."""

AWARDED_OUTCOMES = frozenset(outcome for outcome in Outcome if any(outcome.at_fault))
"""Outcomes of a game in which somebody is at fault."""

TWO_PLAYER_OUTCOMES = tuple(outcome for outcome in Outcome if outcome not in OUTCOMES_WITHOUT_OPPONENT | {Outcome.OPEN})
"""Outcomes that a game between two players can have."""

UNSTARTED_REASONS = frozenset({AwardReason.NO_SHOW, AwardReason.LATE})
"""Reasons of an award for a game that nobody started."""


def forfeit_outcome(first: bool, second: bool) -> Outcome:
    """The outcome when the first, the second or both players are at fault; open when neither is."""
    return next(outcome for outcome in Outcome if outcome.at_fault == (first, second))


@dataclass(frozen=True, slots=True)
class Awards:
    """What is credited for a game that was not played, or not finished. Other federations have figures of their own.

    `clause`: where the rules name these figures; "" if they do not, and the figures are the organiser's.
    `own_bye`, `own_loss`: the organiser has announced figures other than the rules', so no clause is cited.
    `played_clause`: where the rules say what a played game counts.
    `bye_spread` and `bye_points` are credited for a bye, and are the least that an innocent player gets.
    `loss_spread` is credited to a player who is absent or at fault; one who was behind by more than `deficit_over`
    loses the deficit and `deficit_extra`, and never less than `loss_spread`.
    Raises ValueError if points or deficits are below zero.
    """

    bye_spread: int = 50
    bye_points: int = 400
    loss_spread: int = -100
    deficit_over: int = 50
    deficit_extra: int = 50
    clause: str = ""
    played_clause: str = ""
    own_bye: bool = False
    own_loss: bool = False

    @property
    def bye_clause(self) -> str:
        """The clause for the figures of a bye; "" if they are the organiser's."""
        return "" if self.own_bye else self.clause

    @property
    def loss_clause(self) -> str:
        """The clause for the figures of a loss by absence; "" if they are the organiser's."""
        return "" if self.own_loss else self.clause

    def announced(
        self, *, bye_spread: int | None = None, bye_points: int | None = None, loss_spread: int | None = None
    ) -> "Awards":
        """These figures with those that an organiser announced instead; None: unchanged."""
        spread = self.bye_spread if bye_spread is None else bye_spread
        points = self.bye_points if bye_points is None else bye_points
        loss = self.loss_spread if loss_spread is None else loss_spread
        # Compared, not taken from the arguments: whoever announces the very figures of the rules still plays by their
        # clause.
        is_own_bye, is_own_loss = (spread, points) != (self.bye_spread, self.bye_points), loss != self.loss_spread
        figures = replace(self, bye_spread=spread, bye_points=points, loss_spread=loss)
        return replace(figures, own_bye=is_own_bye, own_loss=is_own_loss)

    def __post_init__(self) -> None:
        if min(self.bye_points, self.deficit_over, self.deficit_extra) < 0:
            raise ValueError(f"an award's points and deficits are not below zero: {self}")


DEFAULT_AWARDS = Awards()
"""The figures if the rules name none: the organiser announces them, by default those of the TSO."""


@dataclass(frozen=True, slots=True)
class Credit:
    """What one player gets from one game. `half_wins`: 0, 1 (a draw) or 2. `score`: the score that may count as a
    highest game: of a played game, or an innocent player's when the game stopped; None if there is none."""

    half_wins: int
    spread: int
    points: int
    score: int | None
    clause: str


def credit(
    outcome: Outcome, first_points: int | None, second_points: int | None, awards: Awards, *, spread: int | None = None
) -> tuple[Credit | None, Credit | None]:
    """What the first and the second player get; None for an open game and for a missing opponent. Points are final
    scores; in a forfeit, the scores when the game stopped. A forfeit with one score missing counts as a game that never
    began: half a score does not say who led. `spread` replaces the rules' spread for a bye or an absence, and is
    ignored otherwise; its sign does not matter, since the outcome says who wins. Raises ValueError for a played game
    without both scores."""
    if outcome == Outcome.OPEN:
        return None, None
    if outcome == Outcome.PLAYED:
        return _credit_played(first_points, second_points, awards)
    if outcome == Outcome.BYE:
        # a spread of its own is no figure of the rules, so no clause stands behind it
        clause = awards.bye_clause if spread in (None, awards.bye_spread) else ""
        return Credit(2, awards.bye_spread if spread is None else spread, awards.bye_points, None, clause), None
    if outcome == Outcome.ABSENT:
        clause = awards.loss_clause if spread in (None, awards.loss_spread) else ""
        return Credit(0, awards.loss_spread if spread is None else spread, 0, None, clause), None
    # Half a score does not say who led: taken as 420 : 0 it would give the innocent player a spread of 420.
    stopped_at = None if first_points is None or second_points is None else (first_points, second_points)
    return (
        _credit_forfeit(not outcome.at_fault[0], stopped_at, awards),
        _credit_forfeit(not outcome.at_fault[1], stopped_at and stopped_at[::-1], awards),
    )


def _credit_played(first: int | None, second: int | None, awards: Awards) -> tuple[Credit, Credit]:
    if first is None or second is None:
        raise ValueError(f"a played game needs both scores: {first} : {second}")
    half_wins = 1 if first == second else 2 if first > second else 0
    return (
        Credit(half_wins, first - second, first, first, awards.played_clause),
        Credit(2 - half_wins, second - first, second, second, awards.played_clause),
    )


def _credit_forfeit(innocent: bool, stopped_at: tuple[int, int] | None, awards: Awards) -> Credit:
    """One player's half of a forfeit; `stopped_at` is their own score and the other's, None if the game never began."""
    if innocent:
        if stopped_at is None:
            return Credit(2, awards.bye_spread, awards.bye_points, None, awards.bye_clause)
        own, other = stopped_at
        # TSO 6.1.1 has a threshold for each figure: 420 : 380 credits a spread of 50 and yet 420 points. The score
        # stays the one really reached: the 400 is nobody's highest game.
        return Credit(2, max(own - other, awards.bye_spread), max(own, awards.bye_points), own, awards.bye_clause)
    # Where both are at fault each is measured by their own deficit: at 300 : 400 one loses by 150 and the other by 100.
    own, other = stopped_at or (0, 0)
    deficit, spread = other - own, awards.loss_spread
    if deficit > awards.deficit_over:
        # With a loss announced as −200 a deficit of 60 would otherwise cost 110, less than staying at home does.
        spread = min(spread, -(deficit + awards.deficit_extra))
    return Credit(0, spread, 0, None, awards.loss_clause)
