"""How figures are written."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from django.utils import translation

from tournament.core.words.figures import (
    format_clock,
    format_half_wins,
    format_points,
    format_rating,
    format_score,
    format_signed,
    format_wins,
)


@pytest.mark.parametrize(
    ("write", "value", "german"),
    [
        (format_points, 2101, "2.101"),
        (format_points, -2101, "−2.101"),
        (format_points, 999, "999"),
        (format_points, 1000, "1.000"),
        (format_points, -999, "−999"),
        (format_points, -1000, "−1.000"),
        (format_points, 0, "0"),
        (format_points, None, "–"),
        (format_signed, 310, "+310"),
        (format_signed, 1310, "+1.310"),
        (format_signed, -12, "−12"),
        (format_signed, 0, "0"),
        (format_signed, None, "–"),
        (format_half_wins, 11, "5½"),
        (format_half_wins, 1, "½"),
        (format_half_wins, 8, "4"),
        (format_half_wins, 0, "0"),
        (format_half_wins, None, "–"),
        (format_wins, 5.5, "5½"),
        (format_wins, Fraction(1, 2), "½"),
        (format_wins, 4, "4"),
        (format_wins, None, "–"),
        (format_clock, 72, "1:12"),
        (format_clock, 600, "10:00"),
        (format_clock, 5, "0:05"),
        (format_clock, None, "–"),
    ],
)
def test_figure_in_german(write: Callable[[object], str], value: object, german: str) -> None:
    with translation.override("de"):
        assert write(value) == german


def test_figure_in_english() -> None:
    with translation.override("en"):
        assert (format_points(2101), format_signed(-2101)) == ("2,101", "−2,101")


def test_half_of_another_fraction_is_an_error() -> None:
    with pytest.raises(ValueError, match="no multiple of one half"):
        format_wins(0.25)


def test_score_has_both_sides() -> None:
    assert format_score(431, -8) == "431 : −8"


def test_rating_is_never_grouped() -> None:
    assert [format_rating(value) for value in (1512, 900, None)] == ["1512", "900", "–"]
