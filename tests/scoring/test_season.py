"""Several events counted together: what each is worth, which of them count, who is ranked where and by what."""

from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import season
from scoring.season import (
    EventField,
    EventPerformance,
    QualifyingRules,
    SeasonCounting,
    SeasonRule,
    SeparatedBy,
    SharedPlaces,
)

PLACES = SeasonCounting(SeasonRule.PLACES, (20, 17, 15, 13))
SPLIT = SeasonCounting(SeasonRule.PLACES, (20, 17, 15, 13), SharedPlaces.SPLIT)
WINS, SPREAD = SeasonCounting(SeasonRule.WINS), SeasonCounting(SeasonRule.SPREAD)


def showing(event, player, place=None, wins=0.0, spread=0):
    return EventPerformance(event, player, place, int(2 * wins), spread)


@pytest.mark.parametrize(
    ("counting", "place", "sharing", "value"),
    [
        pytest.param(PLACES, 1, 1, 20, id="first of the table of points"),
        pytest.param(PLACES, 4, 1, 13, id="last of the table of points"),
        pytest.param(PLACES, 5, 1, 0, id="a place beyond it"),
        pytest.param(PLACES, None, 3, 0, id="no place"),
        pytest.param(PLACES, 2, 3, 17, id="each of three who share it"),
        pytest.param(SPLIT, 2, 1, 17, id="nobody to split with"),
        pytest.param(SPLIT, 2, 2, 16, id="17 and 15 in two parts"),
        pytest.param(SPLIT, 3, 3, Fraction(28, 3), id="15, 13 and nothing in three parts"),
        pytest.param(SPLIT, 7, 2, 0, id="shared beyond the table of points"),
        pytest.param(WINS, 1, 1, Fraction(11, 2), id="wins with a draw"),
        pytest.param(SPREAD, 1, 1, -120, id="spread below zero"),
    ],
)
def test_event_is_worth_what_the_rule_says(counting, place, sharing, value):
    assert season.event_worth(showing(1, "A", place, 5.5, -120), sharing, counting) == value


EVENTS = (
    showing(1, "A", 1, 6, 300),
    showing(1, "B", 2, 5, 200),
    showing(1, "C", 3, 4, 100),
    showing(2, "B", 1, 6, 310),
    showing(2, "A", 3, 4, -50),
    showing(3, "A", 2, 5, 60),
    showing(3, "C", 4, 1, -90),
    showing(3, "D", None, 1, -200),
)


def lines(counting, showings=EVENTS):
    found = season.table(showings, counting)
    return [(row.rank, row.player, row.total, row.decided_by) for row in found]


def test_points_by_place_are_added_up():
    assert lines(PLACES) == [
        (1, "A", 52, None),
        (2, "B", 37, SeparatedBy.TOTAL),
        (3, "C", 28, SeparatedBy.TOTAL),
        (4, "D", 0, SeparatedBy.TOTAL),
    ]


def test_best_two_of_three_level_in_points_and_wins_leave_it_to_the_spread():
    best_two = SeasonCounting(SeasonRule.PLACES, (20, 17, 15, 13), best=2)

    found = season.table(EVENTS, best_two)

    assert lines(best_two)[:2] == [(1, "B", 37, None), (2, "A", 37, SeparatedBy.SPREAD)]
    assert [(row.player, row.half_wins, row.spread) for row in found[:2]] == [("B", 22, 510), ("A", 22, 360)]
    assert [score.counts for score in found[1].scores] == [True, False, True]


@pytest.mark.parametrize(
    ("first", "second", "counting"),
    [
        pytest.param((4, 100), (5, -100), [False, True], id="more wins"),
        pytest.param((5, -100), (5, 100), [False, True], id="more spread"),
        pytest.param((5, 100), (5, 100), [True, False], id="the earlier event"),
    ],
)
def test_which_of_two_that_are_worth_the_same_counts(first, second, counting):
    best_one = SeasonCounting(SeasonRule.PLACES, (20, 17, 15, 13), best=1)
    events = [showing(event, "A", 1, *figures) for event, figures in enumerate((first, second), 1)]

    (row,) = season.table(events, best_one)

    assert [score.counts for score in row.scores] == counting


def test_wins_and_spread_are_added_up():
    assert [row[:3] for row in lines(WINS)] == [(1, "A", 15), (2, "B", 11), (3, "C", 5), (4, "D", 1)]
    assert [row[:3] for row in lines(SPREAD)] == [(1, "B", 510), (2, "A", 310), (3, "C", 10), (4, "D", -200)]


@pytest.mark.parametrize(
    ("counting", "first", "second", "decided"),
    [
        pytest.param(PLACES, [(1, 0, 0), (9, 0, 0)], [(4, 9, 9), (9, 9, 9)], SeparatedBy.TOTAL, id="total"),
        pytest.param(
            SeasonCounting(SeasonRule.PLACES, (6, 4, 3, 2)),
            [(1, 0, 0), (4, 0, 0)],
            [(2, 9, 9), (2, 9, 9)],
            SeparatedBy.EVENTS,
            id="better single event",
        ),
        pytest.param(PLACES, [(1, 5, 0)], [(1, 4, 9)], SeparatedBy.WINS, id="wins"),
        pytest.param(PLACES, [(1, 5, 9)], [(1, 5, 8)], SeparatedBy.SPREAD, id="spread"),
        pytest.param(WINS, [(1, 5, 9)], [(1, 5, 8)], SeparatedBy.SPREAD, id="spread after wins"),
        pytest.param(WINS, [(1, 5, 4), (1, 1, 4)], [(1, 3, 4), (1, 3, 4)], SeparatedBy.EVENTS, id="events after both"),
        pytest.param(SPREAD, [(1, 5, 9)], [(1, 4, 9)], SeparatedBy.WINS, id="wins after spread"),
        pytest.param(SPREAD, [(1, 5, 9), (1, 0, -9)], [(1, 5, 0)], SeparatedBy.EVENTS, id="best event after both"),
    ],
)  # fmt: skip
def test_level_totals_are_separated_in_the_stated_order(counting, first, second, decided):
    # Each has events of their own, so that nobody shares a place.
    showings = [showing(2 * number, "A", *figures) for number, figures in enumerate(first)]
    showings += [showing(2 * number + 1, "B", *figures) for number, figures in enumerate(second)]

    assert [(row[0], row[1], row[3]) for row in lines(counting, showings)] == [(1, "A", None), (2, "B", decided)]


def test_who_is_level_in_everything_shares_the_rank():
    level = [showing(1, "A", 1, 3, 10), showing(1, "B", 1, 3, 10), showing(1, "C", 3, 1, -20)]

    assert [row[:2] + row[3:] for row in lines(PLACES, level)] == [
        (1, "A", None),
        (1, "B", None),
        (3, "C", SeparatedBy.TOTAL),
    ]


def test_season_without_an_event_is_empty():
    assert season.table((), PLACES) == ()


def test_player_has_one_showing_an_event():
    with pytest.raises(ValueError, match=r"\(1, 'A'\)"):
        season.table([showing(1, "A", 1), showing(1, "A", 2)], PLACES)


def test_score_of_an_event_is_found_by_its_number():
    row = season.table(EVENTS, PLACES)[1]

    assert [score and score.value for score in map(row.score_in, (1, 2, 3))] == [17, 20, None]


figures = st.tuples(st.none() | st.integers(1, 6), st.integers(0, 8), st.integers(-300, 300))
seasons = st.dictionaries(st.tuples(st.integers(1, 5), st.sampled_from("ABCD")), figures, max_size=14).map(
    lambda found: [EventPerformance(event, player, *values) for (event, player), values in found.items()]
)
ADDED_UP = (SeasonRule.PLACES, SeasonRule.WINS, SeasonRule.SPREAD)
countings = st.builds(
    SeasonCounting,
    st.sampled_from(ADDED_UP),
    st.lists(st.integers(0, 20), max_size=6).map(lambda points: tuple(sorted(points, reverse=True))),
    st.sampled_from(SharedPlaces),
    st.none() | st.integers(1, 5),
)


@given(seasons, countings)
def test_no_other_choice_of_so_many_events_gives_more(showings, counting):
    for row in season.table(showings, counting):
        values = [score.value for score in row.scores]
        counted = [score.value for score in row.scores if score.counts]
        size = min(counting.best or len(values), len(values))

        assert len(counted) == size
        assert row.total == sum(counted) == max(sum(chosen) for chosen in combinations(values, size))


@given(seasons, countings)
def test_ranks_follow_the_totals_and_the_figure_named_is_what_separates(showings, counting):
    rows = season.table(showings, counting)

    assert {row.player for row in rows} == {each.player for each in showings}
    for above, row in pairwise(rows):
        here, there = ((each.total, each.half_wins, each.spread) for each in (row, above))
        assert row.total <= above.total
        assert (row.rank == above.rank) == (row.decided_by is None)
        assert (row.decided_by == SeparatedBy.TOTAL) == (row.total < above.total)
        if row.decided_by == SeparatedBy.WINS:
            assert (here[0], here[1] < there[1]) == (there[0], True)
        if row.decided_by == SeparatedBy.SPREAD:
            assert (here[0], here[2] < there[2]) == (there[0], True)
    assert [row.rank for row in rows[:1]] == [1][: len(rows)]


@given(seasons)
def test_split_places_give_away_what_the_places_filled_are_worth(showings):
    """As many as share a place fill as many places: nothing is won or lost by a tie."""
    tied = [EventPerformance(1, player, 2, 0, 0) for player in {each.player for each in showings}]

    given_away = sum(row.total for row in season.table(tied, SPLIT))

    assert given_away == sum(SPLIT.points[1 : 1 + len(tied)])


# Places that count, and points in per cent of the median.

LDC = QualifyingRules()
FIFTEEN, SIXTEEN, FORTY_EIGHT = EventField((15,)), EventField((16,)), EventField((48,))


@pytest.mark.parametrize(
    ("place", "field", "counts"),
    [
        pytest.param(1, FIFTEEN, False, id="3 a: first of 15"),
        pytest.param(1, SIXTEEN, True, id="3 a: first of 16"),
        pytest.param(2, SIXTEEN, True, id="3 a: second of 16"),
        pytest.param(3, EventField((47,)), False, id="3 b: third of 47"),
        pytest.param(3, FORTY_EIGHT, True, id="3 b: third of 48"),
        pytest.param(4, EventField((200,)), False, id="fourth of any number"),
        pytest.param(None, FORTY_EIGHT, False, id="no place"),
        pytest.param(2, EventField((11, 11)), True, id="3 c: second of the top division"),
        pytest.param(3, EventField((60, 50)), False, id="3 c: third of the top division"),
        pytest.param(1, EventField((20, 10)), False, id="3 c: a division of 10"),
        pytest.param(1, EventField((11, 11), division=1), True, id="3 d: first of the second division"),
        pytest.param(2, EventField((11, 11), division=1), False, id="3 d: second of the second division"),
        pytest.param(1, EventField((12, 11, 11), division=2), False, id="3 d: first of the third division"),
        pytest.param(3, EventField((60,), direct=3), False, id="1: direct, so not counted"),
        pytest.param(3, EventField((60,), direct=2), True, id="2: the third beside two who qualify directly"),
    ],
)
def test_place_counts_as_the_criteria_of_2024_say(place, field, counts):
    assert season.is_qualifying_place(place, field, LDC) == counts


def test_figures_below_zero_are_refused():
    with pytest.raises(ValueError, match="below zero"):
        QualifyingRules(size=-1)


def reached(event, player, place, field=FORTY_EIGHT, games=10):
    return EventPerformance(event, player, place, 0, 0, games=games, field=field)


def test_places_are_counted_then_compared_by_their_kind():
    """Criteria 4 a to d: all of them, then firsts, seconds, thirds."""
    places = {"A": (3, 3, 3), "B": (1, 3), "C": (1, 3, 9), "D": (2, 2), "E": (2, 3), "F": (3, 4), "G": (9, 9)}
    showings = [reached(10 * number + ord(player), player, place)
                for player, found in places.items() for number, place in enumerate(found)]  # fmt: skip

    found = season.table(showings, SeasonCounting(SeasonRule.QUALIFYING))

    assert [(row.rank, row.player, row.total, row.decided_by) for row in found] == [
        (1, "A", 3, None),
        (2, "B", 2, SeparatedBy.TOTAL),
        (2, "C", 2, None),
        (4, "D", 2, SeparatedBy.FIRSTS),
        (5, "E", 2, SeparatedBy.SECONDS),
        (6, "F", 1, SeparatedBy.TOTAL),
        (7, "G", 0, SeparatedBy.TOTAL),
    ]
    assert [score.counts for score in found[2].scores] == [True, True, False]


def test_thirds_separate_last():
    """Two players with as many places that count: seconds and thirds differ only where rules count a fourth place."""
    rules = QualifyingRules(tiers=(1, 1, 1, 1))
    showings = [reached(1, "A", 3), reached(2, "B", 4)]

    found = season.table(showings, SeasonCounting(SeasonRule.QUALIFYING, qualifying=rules))

    assert [(row.player, row.decided_by) for row in found] == [("A", None), ("B", SeparatedBy.THIRDS)]


def scored(event, player, points):
    return EventPerformance(event, player, None, 0, 0, points=points)


CLUB_YEAR = SeasonCounting(SeasonRule.MEDIAN, least=3, least_percent=33)


def test_points_are_measured_by_the_median_and_averaged():
    """Medians 800 of 1000, 800, 600, and 500 of 500, 600, 400, 0 without the player who scored nothing."""
    showings = [
        *(scored(1, player, points) for player, points in (("A", 1000), ("B", 800), ("C", 600))),
        *(scored(2, player, points) for player, points in (("A", 500), ("B", 600), ("C", 400), ("D", 0))),
    ]

    found = season.table(showings, SeasonCounting(SeasonRule.MEDIAN))

    assert [(row.player, row.total) for row in found] == [
        ("A", Fraction(225, 2)),
        ("B", 110),
        ("C", Fraction(155, 2)),
        ("D", 0),
    ]


def test_event_in_which_nobody_scored_is_worth_nothing():
    assert season.table([scored(1, "A", 0)], SeasonCounting(SeasonRule.MEDIAN))[0].total == 0


def test_level_averages_are_separated_by_the_better_event():
    showings = [scored(event, player, points) for event, player, points in
                ((1, "A", 120), (1, "B", 100), (1, "C", 80), (2, "A", 80), (2, "B", 100), (2, "C", 120))]  # fmt: skip

    found = season.table(showings, SeasonCounting(SeasonRule.MEDIAN))

    assert [(row.rank, row.player, row.decided_by) for row in found] == [
        (1, "A", None), (1, "C", None), (3, "B", SeparatedBy.EVENTS),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("events", "required"),
    [(1, 1), (2, 2), (3, 3), (9, 3), (10, 4), (12, 4), (13, 5), (14, 5)],
)
def test_club_year_asks_for_three_events_or_a_third_of_them(events, required):
    """NTSV, house rules 5.7: three games, and of more than ten events 33 %, rounded up."""
    assert CLUB_YEAR.count_required_events(events) == required


def test_who_has_played_too_few_events_is_not_listed():
    showings = [scored(event, "A", 100) for event in range(1, 5)] + [scored(event, "B", 200) for event in (1, 2)]

    assert [row.player for row in season.table(showings, CLUB_YEAR)] == ["A"]
