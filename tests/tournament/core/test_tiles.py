"""A surname in letter tiles: the letters' values, smaller tiles for long names, plain letters for the longest."""

import pytest

from tournament.core.words.tiles import lay_name


def laid(name: str, letters: str = "de") -> str:
    return "".join(
        f"{letter}{'' if value is None else value}" for letter, value, _is_gap in lay_name(name, letters).tiles
    )


@pytest.mark.parametrize(
    ("name", "tiles"),
    [
        ("Zwölfer, Édith", "Z3W3Ö8L2F4E1R1"),
        ("Strauß, Jördis", "S1T1R1A1U1S1S1"),
        ("Dvořák, Jana", "D1V6O2ŘÁK4"),
        ("von der Heide, Eva", "V6O2N1 D1E1R1 H2E1I1D1E1"),
        ("Ott-Ey, Jo", "O2T1T1-E1Y10"),
    ],
)
def test_letters_have_their_values_and_those_outside_the_set_none(name: str, tiles: str) -> None:
    assert laid(name) == tiles


def test_given_name_stands_above_and_values_are_those_of_the_rules() -> None:
    assert (lay_name("Zwölfer, Édith", "de").given, lay_name("Madonna", "de").given) == ("Édith", "")
    assert (laid("Quak, Jo", "nl"), laid("Quak, Jo", "de")) == ("Q10U4A1K3", "Q10U1A1K4")


@pytest.mark.parametrize(("letters", "step"), [(7, 7), (8, 9), (9, 9), (10, 12), (16, 16), (17, 0)])
def test_longer_names_have_smaller_tiles_and_the_longest_none(letters: int, step: int) -> None:
    found = lay_name(f"{'A' * letters}, Bo", "de")

    assert (found.step, len(found.tiles)) == (step, letters if step else 0)
