"""The charts of the statistics as plain figures."""

from hypothesis import given
from hypothesis import strategies as st

from scoring.awards import Outcome
from scoring.statistics import GameHalf, StatisticsGame
from tournament.table.charts import BIN_WIDTHS, MOST_BINS, WIDTH, build_score_chart, build_start_chart

SCORES = st.lists(st.integers(-200, 1500), min_size=2, max_size=300)


def game(key: int, first: int, second: int) -> StatisticsGame:
    return StatisticsGame(key, Outcome.PLAYED, GameHalf(1, first), GameHalf(2, second))


@given(SCORES)
def test_every_score_is_in_one_bar_and_taller_bars_have_more(scores: list[int]) -> None:
    chart = build_score_chart(scores)

    assert chart
    assert sum(bar["count"] for bar in chart["bars"]) == len(scores)
    assert all(bar["count"] == sum(bar["low"] <= score <= bar["high"] for score in scores) for bar in chart["bars"])
    assert len(chart["bars"]) <= MOST_BINS
    assert {bar["high"] - bar["low"] + 1 for bar in chart["bars"]} <= set(BIN_WIDTHS)
    heights = sorted((bar["count"], bar["height"]) for bar in chart["bars"])
    assert [height for _count, height in heights] == sorted(height for _count, height in heights)
    assert all(
        bar["y"] + bar["height"] == chart["bottom"] or abs(bar["y"] + bar["height"] - chart["bottom"]) < 0.2
        for bar in chart["bars"]
    )
    assert max(bar["count"] for bar in chart["bars"]) == chart["most"]


@given(SCORES)
def test_at_least_half_of_the_scores_reach_the_median(scores: list[int]) -> None:
    chart = build_score_chart(scores)

    assert chart
    assert 2 * sum(score >= chart["median"] for score in scores) >= len(scores)
    assert 2 * sum(score <= chart["median"] for score in scores) >= len(scores)


def test_one_score_makes_no_chart() -> None:
    assert build_score_chart([400]) is None
    assert build_score_chart([]) is None


def test_starts_are_counted_from_the_starter_s_side() -> None:
    chart = build_start_chart([game(1, 400, 300), game(2, 350, 350), game(3, 300, 420), game(4, 410, 400)])

    assert chart
    assert (chart["won"], chart["drawn"], chart["lost"], chart["games"]) == (2, 1, 1, 4)
    assert chart["margin"] == (1460 - 1470) / 4
    assert chart["parts"] == [
        ("won", 0.0, WIDTH / 2),
        ("drawn", WIDTH / 2, WIDTH / 4),
        ("lost", 3 * WIDTH / 4, WIDTH / 4),
    ]


def test_games_that_were_not_played_tell_nothing_of_starts() -> None:
    forfeit = StatisticsGame(1, Outcome.SECOND_FORFEITS, GameHalf(1, None), GameHalf(2, None))

    assert build_start_chart([forfeit]) is None
