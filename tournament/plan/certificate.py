"""What a director wants certificates to say: texts with places that are filled in for each player."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from tournament import limits


class Placeholder(StrEnum):
    """What can be filled in."""

    NAME = "name"
    RANK = "rank"
    PLAYERS = "players"
    CLUB = "club"
    WINS = "wins"
    SPREAD = "spread"
    EVENT = "event"
    DIVISION = "division"
    TOWN = "town"
    DATE = "date"


CALLED: Mapping[str, Mapping[Placeholder, str]] = {
    "de": dict(
        zip(
            Placeholder,
            ("Name", "Platz", "Spieler", "Verein", "Siege", "Differenz", "Turnier", "Gruppe", "Ort", "Datum"),
            strict=True,
        )
    ),
    "en": dict(
        zip(
            Placeholder,
            ("Name", "Rank", "Players", "Club", "Wins", "Spread", "Tournament", "Division", "Town", "Date"),
            strict=True,
        )
    ),
    "nl": dict(
        zip(
            Placeholder,
            ("Naam", "Plaats", "Spelers", "Club", "Zeges", "Saldo", "Toernooi", "Groep", "Stad", "Datum"),
            strict=True,
        )
    ),
}
"""What the places are called in a text: those of every language are known everywhere, since an event's language may
change; no word means two things."""

MEANT: Mapping[str, Placeholder] = {
    word.casefold(): place for called in CALLED.values() for place, word in called.items()
}

WRITTEN = re.compile(r"\{([^{}]*)\}")
LONE = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True)
class CertificateText:
    """The texts of a certificate; an empty one is the usual one.

    `line` stands in the place of the rank; `signed` above the left line to sign on, `left` and `right` below the two.
    """

    heading: str = ""
    line: str = ""
    signed: str = ""
    left: str = ""
    right: str = ""

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "CertificateText":
        """What a tournament has stored."""
        return cls(**{field.name: str(stored.get(field.name, "")) for field in fields(cls)})

    def stored(self) -> dict[str, str]:
        """The texts that are not empty."""
        return {field.name: text for field in fields(self) if (text := getattr(self, field.name))}


USUAL = CertificateText()
"""Nothing of the director's own."""

LONGEST: Mapping[str, int] = {
    "heading": limits.CERTIFICATE_HEADING,
    "line": limits.CERTIFICATE_LINE,
    "signed": limits.CERTIFICATE_SIGNED,
    "left": limits.CERTIFICATE_SIGNED,
    "right": limits.CERTIFICATE_SIGNED,
}
"""Characters of each text."""


def unknown(text: str) -> list[str]:
    """What stands in braces and means nothing, and braces that are not closed."""
    named = [found[0] for found in WRITTEN.finditer(text) if found[1].strip().casefold() not in MEANT]
    return named + LONE.findall(WRITTEN.sub("", text))


def filled(text: str, figures: Mapping[Placeholder, str]) -> str:
    """The text with what belongs there in each of its places."""
    return WRITTEN.sub(lambda found: figures[MEANT[found[1].strip().casefold()]], text)
