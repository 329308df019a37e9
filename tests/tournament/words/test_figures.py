"""How figures are written."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from django.utils import translation

from tournament.words import figures


@pytest.mark.parametrize(
    ("write", "value", "german"),
    [
        (figures.points, 2101, "2.101"),
        (figures.points, -2101, "−2.101"),
        (figures.points, 999, "999"),
        (figures.points, 1000, "1.000"),
        (figures.points, -999, "−999"),
        (figures.points, -1000, "−1.000"),
        (figures.points, 0, "0"),
        (figures.points, None, "–"),
        (figures.signed, 310, "+310"),
        (figures.signed, 1310, "+1.310"),
        (figures.signed, -12, "−12"),
        (figures.signed, 0, "0"),
        (figures.signed, None, "–"),
        (figures.halves, 11, "5½"),
        (figures.halves, 1, "½"),
        (figures.halves, 8, "4"),
        (figures.halves, 0, "0"),
        (figures.halves, None, "–"),
        (figures.half, 5.5, "5½"),
        (figures.half, Fraction(1, 2), "½"),
        (figures.half, 4, "4"),
        (figures.half, None, "–"),
        (figures.clock, 72, "1:12"),
        (figures.clock, 600, "10:00"),
        (figures.clock, 5, "0:05"),
        (figures.clock, None, "–"),
    ],
)
def test_figure_in_german(write: Callable[[object], str], value: object, german: str) -> None:
    with translation.override("de"):
        assert write(value) == german


def test_figure_in_english() -> None:
    with translation.override("en"):
        assert (figures.points(2101), figures.signed(-2101)) == ("2,101", "−2,101")


def test_half_of_another_fraction_is_an_error() -> None:
    with pytest.raises(ValueError, match="no multiple of one half"):
        figures.half(0.25)


def test_score_has_both_sides() -> None:
    assert figures.score(431, -8) == "431 : −8"


def test_rating_is_never_grouped() -> None:
    assert [figures.rating(value) for value in (1512, 900, None)] == ["1512", "900", "–"]
