"""Overtime and lateness at every border."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import awards, clock, rulesets
from scoring.awards import Outcome
from scoring.clock import Lateness, Overtime
from tests.laws import tried_on

TSO_2010, TSO_2017, WEDSTRIJD = rulesets.TSO_2010, rulesets.TSO_2017, rulesets.SBNL_WEDSTRIJD


@pytest.mark.parametrize(
    ("ruleset", "seconds", "points", "lost", "clause"),
    [
        pytest.param(TSO_2010, 0, 0, False, "TSO 5.2 b", id="TSO 5.2 a: 0 s"),
        pytest.param(TSO_2010, 1, 10, False, "TSO 5.2 b", id="TSO 5.2 a: 1 s"),
        pytest.param(TSO_2010, 60, 10, False, "TSO 5.2 b", id="TSO 5.2 b: 60 s"),
        pytest.param(TSO_2010, 61, 20, False, "TSO 5.2 b", id="TSO 5.2 b: 61 s"),
        pytest.param(TSO_2010, 600, 100, False, "TSO 5.2 b", id="TSO 5.2 c: 600 s"),
        pytest.param(TSO_2010, 601, 0, True, "TSO 5.2 c", id="TSO 5.2 c: 601 s"),
        pytest.param(TSO_2017, 300, 50, False, "TSO 5.2 b", id="TSO 2017 5.2 c: 300 s"),
        pytest.param(TSO_2017, 301, 0, True, "TSO 5.2 c", id="TSO 2017 5.2 c: 301 s"),
        pytest.param(WEDSTRIJD, 3601, 610, False, WEDSTRIJD.clauses.overtime, id="Wedstrijdscrabble: 3601 s"),
        pytest.param(rulesets.GENERAL_DE, 3601, 0, False, "", id="General rules: no clock"),
    ],
)
def test_overtime(ruleset, seconds, points, lost, clause):
    verdict = clock.overtime(seconds, ruleset)

    assert verdict == Overtime(seconds, points, lost, clause)
    assert clock.overtime(seconds, ruleset).points == points
    assert (clock.overtime_outcome(0, seconds, ruleset) == Outcome.SECOND_FORFEITS) is lost


@pytest.mark.parametrize(
    ("ruleset", "seconds", "left", "lost"),
    [
        pytest.param(TSO_2010, 0, 1800, False, id="TSO 2.4 a: in time"),
        pytest.param(TSO_2010, 72, 1728, False, id="TSO 2.4 c: 1:12"),
        pytest.param(TSO_2010, 900, 900, False, id="TSO 2.4 d: 15:00"),
        pytest.param(TSO_2010, 901, 0, True, id="TSO 2.4 d: 15:01"),
        pytest.param(rulesets.GENERAL_DE, 901, 899, False, id="General rules: no limit"),
        pytest.param(rulesets.GENERAL_DE, 1801, 0, False, id="General rules: later than the clock is long"),
    ],
)
def test_lateness(ruleset, seconds, left, lost):
    assert clock.lateness(seconds, 1800, ruleset) == Lateness(seconds, left, lost, ruleset.clauses.lateness)


@pytest.mark.parametrize(
    ("first", "second", "clocks", "outcome"),
    [
        pytest.param(300, 60, (1500, 1740), Outcome.OPEN, id="TSO 2.4 e: each loses their own time"),
        pytest.param(901, 900, (0, 900), Outcome.FIRST_FORFEITS, id="TSO 2.4 d: first over 15 minutes"),
        pytest.param(0, 901, (1800, 0), Outcome.SECOND_FORFEITS, id="TSO 2.4 d: second over 15 minutes"),
        pytest.param(901, 1200, (0, 0), Outcome.BOTH_FORFEIT, id="TSO 2.4 d, e: both over 15 minutes"),
    ],
)
def test_lateness_of_both(first, second, clocks, outcome):
    one, two = (clock.lateness(seconds, 1800, TSO_2010) for seconds in (first, second))

    assert (one.clock, two.clock) == clocks
    assert awards.forfeit_outcome(one.lost, two.lost) == outcome


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        pytest.param(300, 60, Outcome.OPEN, id="TSO 5.2 c: 300 s"),
        pytest.param(301, 60, Outcome.FIRST_FORFEITS, id="TSO 5.3 c: first"),
        pytest.param(0, 301, Outcome.SECOND_FORFEITS, id="TSO 5.3 c: second"),
        pytest.param(301, 999, Outcome.BOTH_FORFEIT, id="TSO 5.3 c: both"),
    ],
)
def test_forfeit_by_overtime(first, second, outcome):
    assert clock.overtime_outcome(first, second, TSO_2017) == outcome


@pytest.mark.parametrize(("seconds", "points"), [(0, 0), (1, 7), (30, 7), (31, 14), (240, 56)])
def test_overtime_by_steps_of_half_a_minute(seconds, points):
    ruleset = replace(TSO_2017, overtime_points=7, overtime_step=30, overtime_limit=240)

    assert clock.overtime(seconds, ruleset).points == points


@pytest.mark.parametrize(
    ("ruleset", "points", "seconds"),
    [
        pytest.param(TSO_2017, 20, 120, id="TSO 5.2 b: 20 points"),
        pytest.param(TSO_2017, 15, 60, id="TSO 5.2 b: between two steps"),
        pytest.param(TSO_2017, -5, 0, id="points added"),
        pytest.param(replace(TSO_2017, overtime_points=7, overtime_step=30), 14, 60, id="half a minute each"),
        pytest.param(rulesets.GENERAL_DE, 20, None, id="General rules: no clock"),
    ],
)
def test_overtime_that_costs_so_many_points(ruleset, points, seconds):
    assert clock.largest_overtime(points, ruleset) == seconds


def test_times_below_zero_are_refused():
    for call in (
        lambda: clock.overtime(-1, TSO_2010),
        lambda: clock.lateness(-1, 1800, TSO_2010),
        lambda: clock.lateness(1, -1, TSO_2010),
        lambda: clock.format_time(-1),
    ):
        with pytest.raises(ValueError, match="a time is not negative: -1"):
            call()


@pytest.mark.parametrize(
    ("text", "seconds"), [("1:12", 72), ("01:12", 72), ("0:00", 0), (" 10:01 ", 601), ("75:30", 4530), ("0:59", 59)]
)
def test_parse_time(text, seconds):
    assert clock.parse_time(text) == seconds


@pytest.mark.parametrize("text", ["", "72", "1:60", "1:2", "-1:12", "1:12:00", "1.12", "a:bc", "12345:00", "١:١٢"])
def test_parse_time_refuses(text):
    with pytest.raises(clock.BadTime) as caught:
        clock.parse_time(text)

    assert caught.value.text == text


@tried_on(25)
@given(st.integers(0, 599_999))
def test_format_time_and_parse_time_are_each_others_reverse(seconds):
    assert clock.parse_time(clock.format_time(seconds)) == seconds


@tried_on(25)
@given(st.integers(0, 600))
def test_penalty_grows_by_ten_with_every_minute_begun(seconds):
    assert clock.overtime(seconds, TSO_2010).points == 10 * len(range(0, seconds, 60))
