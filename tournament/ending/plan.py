"""What a director announces for the end: the prizes, and what certificates say, with places that are filled in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from scoring.prizes import PrizeKind
from tournament.basics import limits
from tournament.models import Entry, Prize


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


PLACEHOLDER_NAMES: Mapping[str, Mapping[Placeholder, str]] = {
    language: dict(zip(Placeholder, words.split(), strict=True))
    for language, words in {
        "de": "Name Platz Spieler Verein Siege Differenz Turnier Gruppe Ort Datum",
        "en": "Name Rank Players Club Wins Spread Tournament Division Town Date",
        "nl": "Naam Plaats Spelers Club Zeges Saldo Toernooi Groep Stad Datum",
    }.items()
}
"""What the places are called in a text. Those of every language are known everywhere, since an event's language may
change; no word means two things."""

# Folded, as texts are typed: “{name}” and “{NAME}” are the same place.
PLACEHOLDERS_BY_NAME: Mapping[str, Placeholder] = {
    word.casefold(): place for called in PLACEHOLDER_NAMES.values() for place, word in called.items()
}

PLACEHOLDER_PATTERN = re.compile(r"\{([^{}]*)\}")
LONE_BRACE_PATTERN = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True)
class CertificateText:
    """The texts of a certificate; where one is empty, the usual text is printed."""

    heading: str = ""
    line: str = ""  # instead of the rank
    signed: str = ""  # above the left line to sign on
    left: str = ""  # below the left line
    right: str = ""  # below the right line

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "CertificateText":
        """What a tournament has stored."""
        return cls(**{field.name: str(stored.get(field.name, "")) for field in fields(cls)})

    def stored(self) -> dict[str, str]:
        """The texts that are not empty."""
        return {field.name: text for field in fields(self) if (text := getattr(self, field.name))}


USUAL_CERTIFICATE_TEXT = CertificateText()

LONGEST_CERTIFICATE_TEXTS: Mapping[str, int] = {
    "heading": limits.CERTIFICATE_HEADING,
    "line": limits.CERTIFICATE_LINE,
    "signed": limits.CERTIFICATE_SIGNED,
    "left": limits.CERTIFICATE_SIGNED,
    "right": limits.CERTIFICATE_SIGNED,
}
"""How many characters each text may have."""


def find_unknown_placeholders(text: str) -> list[str]:
    """What stands in braces and means nothing, and braces that are not closed."""
    unknown = [
        match[0]
        for match in PLACEHOLDER_PATTERN.finditer(text)
        if match[1].strip().casefold() not in PLACEHOLDERS_BY_NAME
    ]
    # Looked for in what is left without the pairs: “{Name” is a place that somebody began, and would be printed as it
    # stands.
    return unknown + LONE_BRACE_PATTERN.findall(PLACEHOLDER_PATTERN.sub("", text))


def fill_in_placeholders(text: str, figures: Mapping[Placeholder, str]) -> str:
    """The text with each of its places filled in."""
    # Not `str.format`, for which “{0}” and “{Name.x}” have meanings of their own.
    return PLACEHOLDER_PATTERN.sub(lambda found: figures[PLACEHOLDERS_BY_NAME[found[1].strip().casefold()]], text)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizePlan:
    """What a prize is for, and what there is to win."""

    kind: str
    place: int | None = None  # of a prize for a place in the final ranking
    club: str = ""  # of a prize for the best of a club
    lowest_rating: int | None = None  # of a rating class, which needs one of the two at least
    highest_rating: int | None = None
    title: str = ""  # a prize of the organiser's own needs one
    award: str = ""
    winner: Entry | None = None  # of a prize of the organiser's own

    @classmethod
    def of(cls, prize: Prize) -> "PrizePlan":
        """The plan that a stored prize holds. Reads its club and its winner."""
        values: dict[str, Any] = {field.name: getattr(prize, field.name) for field in fields(cls)}
        return cls(**{**values, "club": prize.club.name if prize.club else ""})


USUAL_PRIZES = (
    *(PrizePlan(kind=PrizeKind.PLACE, place=place) for place in (1, 2, 3)),
    PrizePlan(kind=PrizeKind.NEWCOMER),
    PrizePlan(kind=PrizeKind.HIGHEST_GAME),
    PrizePlan(kind=PrizeKind.HIGHEST_LOSING_SCORE),
)
