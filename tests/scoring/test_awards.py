"""What byes, no-shows and forfeits credit, at every border of TSO 6.1.1."""

import pytest

from scoring import awards
from scoring.awards import Awards, Credit, Outcome
from scoring.rulesets.tso import TSO_AWARDS

PLAYED, BYE, ABSENT = Outcome.PLAYED, Outcome.BYE, Outcome.ABSENT
FIRST, SECOND, BOTH = Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS, Outcome.BOTH_FORFEIT


def award(half_wins, spread, points, score, clause="TSO 6.1.1"):
    return Credit(half_wins, spread, points, score, clause)


@pytest.mark.parametrize(
    ("first", "second", "innocent", "at_fault"),
    [
        pytest.param(430, 340, (90, 430), -140, id="TSO 6.1.1: 430 : 340, disqualified"),
        pytest.param(451, 401, (50, 451), -100, id="TSO 6.1.1: 451 : 401"),
        pytest.param(452, 401, (51, 452), -101, id="TSO 6.1.1: 452 : 401"),
        pytest.param(420, 380, (50, 420), -100, id="TSO 6.1.1: 420 : 380"),
        pytest.param(350, 420, (50, 400), -100, id="TSO 6.1.1: 350 : 420"),
        pytest.param(380, 300, (80, 400), -130, id="TSO 6.1.1: 380 : 300"),
        pytest.param(400, 350, (50, 400), -100, id="TSO 6.1.1: 400 : 350, neither over"),
        pytest.param(401, 350, (51, 401), -101, id="TSO 6.1.1: 401 : 350, both over"),
        pytest.param(0, 0, (50, 400), -100, id="TSO 6.1.1: 0 : 0, stopped before the first play"),
    ],
)
def test_forfeit_with_the_score_when_it_stopped(first, second, innocent, at_fault):
    expected = award(2, *innocent, first), award(0, at_fault, 0, None)

    assert awards.credit(SECOND, first, second, TSO_AWARDS) == expected
    assert awards.credit(FIRST, second, first, TSO_AWARDS) == expected[::-1]


@pytest.mark.parametrize(
    "score",
    [
        pytest.param((None, None), id="TSO 6.1.1: no-show"),
        pytest.param((420, None), id="TSO 6.1.1: half a score says nothing"),
    ],
)
def test_forfeit_of_a_game_that_never_began(score):
    expected = award(2, 50, 400, None), award(0, -100, 0, None)

    assert awards.credit(SECOND, *score, TSO_AWARDS) == expected
    assert awards.credit(FIRST, *score, TSO_AWARDS) == expected[::-1]


@pytest.mark.parametrize(
    ("first", "second", "spreads"),
    [
        pytest.param(300, 400, (-150, -100), id="TSO 6.1.1: both at fault at 300 : 400"),
        pytest.param(None, None, (-100, -100), id="TSO 6.1.1: both absent"),
        pytest.param(350, 400, (-100, -100), id="TSO 6.1.1: both at fault, 50 behind"),
        pytest.param(349, 400, (-101, -100), id="TSO 6.1.1: both at fault, 51 behind"),
    ],
)
def test_both_forfeit(first, second, spreads):
    expected = tuple(award(0, spread, 0, None) for spread in spreads)

    assert awards.credit(BOTH, first, second, TSO_AWARDS) == expected


@pytest.mark.parametrize(
    ("outcome", "spread", "expected"),
    [
        pytest.param(BYE, None, award(2, 50, 400, None), id="TSO 6.1.1: bye"),
        pytest.param(BYE, 100, award(2, 100, 400, None, clause=""), id="bye of 100"),
        pytest.param(BYE, 0, award(2, 0, 400, None, clause=""), id="bye of 0 is a win"),
        pytest.param(BYE, -30, award(2, -30, 400, None, clause=""), id="bye below 0 is a win"),
        pytest.param(ABSENT, None, award(0, -100, 0, None), id="TSO 6.1.1: absent"),
        pytest.param(ABSENT, -50, award(0, -50, 0, None, clause=""), id="absence of -50"),
        pytest.param(ABSENT, 0, award(0, 0, 0, None, clause=""), id="absence of 0 is a loss"),
    ],
)
def test_alone(outcome, spread, expected):
    assert awards.credit(outcome, None, None, TSO_AWARDS, spread=spread) == (expected, None)


@pytest.mark.parametrize(
    ("first", "second", "half_wins"),
    [
        pytest.param(410, 390, (2, 0), id="TSO 6.1: win"),
        pytest.param(390, 410, (0, 2), id="TSO 6.1: loss"),
        pytest.param(400, 400, (1, 1), id="TSO 6.1: a draw is half a win"),
        pytest.param(-10, -30, (2, 0), id="scores below zero"),
    ],
)
def test_played(first, second, half_wins):
    expected = (
        Credit(half_wins[0], first - second, first, first, "TSO 6.1"),
        Credit(half_wins[1], second - first, second, second, "TSO 6.1"),
    )

    assert awards.credit(PLAYED, first, second, TSO_AWARDS) == expected


@pytest.mark.parametrize("score", [(400, None), (None, 400), (None, None)])
def test_played_without_both_scores_is_refused(score):
    with pytest.raises(ValueError, match="a played game needs both scores"):
        awards.credit(PLAYED, *score, TSO_AWARDS)


def test_open_game_credits_nothing():
    assert awards.credit(Outcome.OPEN, None, None, TSO_AWARDS) == (None, None)


@pytest.mark.parametrize(
    ("figures", "first", "second", "innocent", "at_fault"),
    [
        pytest.param(Awards(bye_spread=100), 460, 400, (100, 460), -110, id="never less than a bye: spread"),
        pytest.param(Awards(bye_points=450), 420, 400, (50, 450), -100, id="never less than a bye: points"),
        pytest.param(Awards(bye_spread=0, bye_points=0), 380, 370, (10, 380), -100, id="always the score reached"),
        pytest.param(Awards(loss_spread=-50), 420, 400, (50, 420), -50, id="absence of -50, 20 behind"),
        pytest.param(Awards(loss_spread=-50), 451, 400, (51, 451), -101, id="absence of -50, 51 behind"),
        pytest.param(Awards(loss_spread=-200), 460, 400, (60, 460), -200, id="never less than an absence"),
        pytest.param(Awards(deficit_over=20, deficit_extra=90), 421, 400, (50, 421), -111, id="other deficits"),
        pytest.param(Awards(deficit_over=20, deficit_extra=90), 420, 400, (50, 420), -100, id="no deficit over 20"),
    ],
)
def test_forfeit_by_other_figures(figures, first, second, innocent, at_fault):
    winner, loser = awards.credit(SECOND, first, second, figures)

    assert (winner.spread, winner.points, winner.score) == (*innocent, first)
    assert (loser.spread, loser.points, loser.score) == (at_fault, 0, None)


@pytest.mark.parametrize(
    ("outcome", "scores", "reached"),
    [
        pytest.param(PLAYED, (430, 340), (430, 340), id="TSO 6.1: played"),
        pytest.param(FIRST, (430, 340), (None, 340), id="TSO 6.1.1: the innocent player's"),
        pytest.param(SECOND, (430, 340), (430, None), id="TSO 6.1.1: the innocent player's, first"),
        pytest.param(BOTH, (430, 340), (None, None), id="TSO 6.1.1: both at fault"),
        pytest.param(SECOND, (430, None), (None, None), id="TSO 6.1.1: half a score"),
        pytest.param(BYE, (None, None), (None, None), id="TSO 6.1.1: bye"),
    ],
)
def test_score_that_was_reached(outcome, scores, reached):
    assert tuple(each and each.score for each in awards.credit(outcome, *scores, TSO_AWARDS)) == reached


def test_organiser_announces_figures_of_bye_and_absence():
    made = Awards(33, 333, -77, 44, 66, "XYZ 6").announced(bye_points=350)

    assert made == Awards(33, 350, -77, 44, 66, "XYZ 6", own_bye=True)
    assert TSO_AWARDS.announced() == TSO_AWARDS
    other = TSO_AWARDS.announced(bye_spread=0, loss_spread=0)
    assert other == Awards(0, 400, 0, 50, 50, TSO_AWARDS.clause, TSO_AWARDS.played_clause, own_bye=True, own_loss=True)


def test_no_clause_stands_behind_the_organisers_own_figures():
    bye, _ = awards.credit(BYE, None, None, TSO_AWARDS.announced(bye_points=380))
    absent, _ = awards.credit(ABSENT, None, None, TSO_AWARDS.announced(bye_points=380))
    winner, loser = awards.credit(FIRST, 300, 400, TSO_AWARDS.announced(loss_spread=-50))

    assert (bye.clause, absent.clause) == ("", "TSO 6.1.1")
    assert (winner.clause, loser.clause) == ("", "TSO 6.1.1")


def test_credit_names_the_clause_of_its_figures():
    bye, _ = awards.credit(BYE, None, None, Awards(clause="House rules 3"))

    assert bye.clause == "House rules 3"


@pytest.mark.parametrize("figure", ["bye_points", "deficit_over", "deficit_extra"])
def test_awards_refuse_figures_below_zero(figure):
    with pytest.raises(ValueError, match="not below zero"):
        Awards(**{figure: -1})


def test_outcome_says_who_is_at_fault():
    assert {outcome: awards.forfeit_outcome(*outcome.at_fault) for outcome in awards.AWARDED_OUTCOMES} == {
        outcome: outcome for outcome in (FIRST, SECOND, awards.Outcome.BOTH_FORFEIT)
    }
    assert awards.forfeit_outcome(first=False, second=False) == awards.Outcome.OPEN
    assert set(awards.Outcome) == {awards.Outcome.OPEN, *awards.OUTCOMES_WITHOUT_OPPONENT, *awards.TWO_PLAYER_OUTCOMES}
