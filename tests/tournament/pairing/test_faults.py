"""What a request can get wrong: everything is said at once."""

from dataclasses import replace

import pytest

from tests.tournament.pairing import events
from tournament.pairing.drafting import draw_round, find_draw_request_problems
from tournament.pairing.values import (
    ByePolicy,
    ChosenPair,
    Competitor,
    DrawRequest,
    DrawRule,
    Meeting,
    Method,
    Obstacle,
    RequestImpossible,
    ScheduledRounds,
)

FOUR = events.table(2, 2, 0, 0)

CASES = {
    "a key twice": (DrawRequest((*FOUR, Competitor(1, 9))), [Obstacle(DrawRule.DUPLICATE_KEY, (1,))]),
    "a player twice": (DrawRequest((*FOUR, FOUR[0])), [Obstacle(DrawRule.DUPLICATE_KEY, (1,))]),
    "a rank twice": (DrawRequest((*FOUR, Competitor(8, 2))), [Obstacle(DrawRule.DUPLICATE_RANK, (2, 8), 2)]),
    "a stranger in a given pair": (
        DrawRequest(FOUR, given=(ChosenPair(1, 77),)),
        [Obstacle(DrawRule.UNKNOWN_PLAYER, (77,))],
    ),
    "a stranger with a bye": (DrawRequest(FOUR, given=(ChosenPair(77),)), [Obstacle(DrawRule.UNKNOWN_PLAYER, (77,))]),
    "a pair and a bye for one": (
        DrawRequest(FOUR, given=(ChosenPair(1, 2), ChosenPair(2))),
        [Obstacle(DrawRule.PLAYER_TWICE, (2,))],
    ),
    "against oneself": (
        DrawRequest(FOUR, given=(ChosenPair(3, 3),)),
        [Obstacle(DrawRule.AGAINST_ONESELF, (3,)), Obstacle(DrawRule.PLAYER_TWICE, (3,))],
    ),
    "kept apart from oneself": (
        DrawRequest(FOUR, forbidden=frozenset({(2, 2)})),
        [Obstacle(DrawRule.AGAINST_ONESELF, (2,))],
    ),
    "one table for two given pairs": (
        DrawRequest(FOUR, given=(ChosenPair(1, 2, table=5), ChosenPair(3, 4, table=5))),
        [Obstacle(DrawRule.TABLE, (1, 3), 5)],
    ),
    "a game of this round in the past": (
        DrawRequest(FOUR, (Meeting(3, 1, 2),), round=3),
        [Obstacle(DrawRule.HISTORY_BEFORE, (1,), 3)],
    ),
    "two games in one round": (
        DrawRequest(FOUR, (Meeting(1, 1, 2), Meeting(1, 3, 1)), round=2),
        [Obstacle(DrawRule.HISTORY_TWICE, (1,), 1)],
    ),
    "a game against oneself": (
        DrawRequest(FOUR, (Meeting(1, 4, 4),), round=2),
        [Obstacle(DrawRule.AGAINST_ONESELF, (4,), 1), Obstacle(DrawRule.HISTORY_TWICE, (4,), 1)],
    ),
    "round 0": (DrawRequest(FOUR, round=0), [Obstacle(DrawRule.ROUND_NUMBER, (), 0)]),
    "factor 0": (DrawRequest(FOUR, method=Method.FACTOR, factor=0), [Obstacle(DrawRule.FACTOR, (), 0)]),
    "outside the segment": (
        DrawRequest(FOUR, method=Method.GROUPS, round=4, segment=ScheduledRounds(1, 3)),
        [Obstacle(DrawRule.SEGMENT, (), 4)],
    ),
    "in two groups": (
        DrawRequest(FOUR, method=Method.GROUPS, segment=ScheduledRounds(1, 3, groups=((1, 2), (2, 3)))),
        [Obstacle(DrawRule.PLAYER_TWICE, (2,))],
    ),
}


@pytest.mark.parametrize(("request_", "expected"), CASES.values(), ids=CASES)
def test_fault_is_named_and_refused(request_: DrawRequest, expected: list[Obstacle]) -> None:
    assert find_draw_request_problems(request_) == expected
    with pytest.raises(RequestImpossible) as refusal:
        draw_round(request_)
    assert refusal.value.obstacles == tuple(expected)


def test_all_faults_are_named_at_once() -> None:
    wrong = DrawRequest(FOUR, (Meeting(1, 1, 2),), round=0, given=(ChosenPair(1, 77),))

    found = {obstacle.rule for obstacle in find_draw_request_problems(wrong)}

    assert found == {DrawRule.HISTORY_BEFORE, DrawRule.ROUND_NUMBER, DrawRule.UNKNOWN_PLAYER}


def test_sound_request_has_no_fault() -> None:
    assert find_draw_request_problems(DrawRequest(FOUR, (Meeting(1, 1, 2), Meeting(1, 3, 4)), round=2)) == []


def test_odd_number_with_byes_by_hand_says_whom_the_table_would_choose() -> None:
    odd = DrawRequest(events.table(2, 2, 0, 0, 0), events.games((5, None)), round=2, bye_policy=ByePolicy.BY_HAND)

    with pytest.raises(RequestImpossible) as refusal:
        draw_round(odd)

    assert refusal.value.obstacles == (Obstacle(DrawRule.BYE_NOT_NAMED, (), 1, (4,)),)
    assert str(refusal.value) == "bye_not_named []"


def test_naming_the_bye_removes_the_obstacle() -> None:
    odd = DrawRequest(events.table(2, 2, 0, 0, 0), bye_policy=ByePolicy.BY_HAND)

    draft = draw_round(replace(odd, given=(ChosenPair(2),)))

    assert frozenset({2}) in events.opponents(draft.pairs)
    assert len(draft.pairs) == 3


@pytest.mark.parametrize("figures", [{"rank": 0}, {"half_wins": -1}, {"fixed_table": 0}], ids=str)
def test_competitor_refuses_figures_that_no_table_has(figures: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="not a competitor"):
        Competitor(**({"key": 1, "rank": 1} | figures))
