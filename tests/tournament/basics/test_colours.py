"""A club's colour: as dark as its letters need, and no darker."""

import pytest

from tournament.basics.colours import CLUB_INK, LEAST_CONTRAST, USUAL_CLUB_COLOUR, darken_colour, measure_contrast


def test_contrast_is_that_of_the_guidelines() -> None:
    assert measure_contrast("#000000", "#ffffff") == pytest.approx(21)
    assert measure_contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert measure_contrast(CLUB_INK, CLUB_INK) == 1


@pytest.mark.parametrize("colour", ["#ffffff", "#ff9900", "#00ff00", "#ffff00", "#87ceeb", "#777777"])
def test_light_colour_is_darkened_until_it_can_be_read_on_and_no_further(colour: str) -> None:
    darker = darken_colour(colour)

    assert LEAST_CONTRAST <= measure_contrast(darker) < LEAST_CONTRAST + 0.3
    assert darken_colour(darker) == darker


@pytest.mark.parametrize("colour", [USUAL_CLUB_COLOUR, "#7a1f3d", "#000000"])
def test_dark_colour_stays(colour: str) -> None:
    assert darken_colour(colour) == colour
