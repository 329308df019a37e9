"""The names by which drawn letters are called out, so that everybody in the hall hears the same letter."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.letters import BLANK

DUTCH = (
    *("Amsterdam", "Brussel", "China", "Denemarken", "Egypte", "Frankrijk", "Griekenland", "Hongarije", "Italië"),
    *("Japan", "Kenia", "Luxemburg", "Marokko", "Nederland", "Oostenrijk", "Portugal", "Quebec", "Roemenië"),
    *("Spanje", "Tunesië", "Utrecht", "Venezuela", "Waterloo", "Xantippe", "Ypsilon", "Zweden"),
)
"""Duplicatescrabble, Codering 1."""

GERMAN = (
    *("Aachen", "Berlin", "Chemnitz", "Düsseldorf", "Essen", "Frankfurt", "Goslar", "Hamburg", "Ingelheim", "Jena"),
    *("Köln", "Leipzig", "München", "Nürnberg", "Offenbach", "Potsdam", "Quickborn", "Rostock", "Salzwedel"),
    *("Tübingen", "Unna", "Völklingen", "Wuppertal", "Xanten", "Ypsilon", "Zwickau"),
)
"""DIN 5009, table of towns."""

NAMES: Mapping[str, Mapping[str, str]] = {
    "nl": {name[0]: name for name in DUTCH} | {BLANK: "blanco"},
    "de": {name[0]: name for name in GERMAN}
    | {"Ä": "Umlaut Aachen", "Ö": "Umlaut Offenbach", "Ü": "Umlaut Unna", BLANK: "Blanko"},
}
"""By letter set and letter; other sets have none."""


@dataclass(frozen=True, slots=True)
class SpelledTile:
    """A tile, and the name that it is called out by; the letter itself where there is none."""

    tile: str
    name: str
    value: int = 0


def called(draw: str, letters: str, values: Mapping[str, int]) -> list[SpelledTile]:
    """The tiles of a draw with their names and what they are worth."""
    names = NAMES.get(letters, {})
    return [SpelledTile(tile, names.get(tile, tile), values.get(tile, 0)) for tile in draw]
