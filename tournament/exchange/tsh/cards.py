"""A player of a tsh division as in the file, before anything is checked against the other players."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournament.exchange.faults import Code, Fault, Place

_WHOLE = re.compile(r"-?[0-9]{1,9}(?![0-9])")

NOT_DEFINED = 9999
"""A score that tsh takes for none."""


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player's line: opponents and own scores by round, None where the file leaves one open."""

    place: Place
    number: int
    name: str
    rating: str = "0"
    opponents: tuple[int | None, ...] = ()
    scores: tuple[int | None, ...] = ()
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def opponent(self, round: int) -> int | None:
        """The opponent's number in a round (1 …): 0 for none, None where it is not stated."""
        return self.opponents[round - 1] if round <= len(self.opponents) else None

    def score(self, round: int) -> int | None:
        """The player's score in a round; None where it is not defined."""
        return self.scores[round - 1] if round <= len(self.scores) else None

    def figure(self, key: str, round: int) -> int:
        """The whole number that a field by round (board, penalty, p12) holds; 0 where there is none."""
        words = self.fields.get(key, ())
        return whole(words[round - 1]) if round <= len(words) else 0


@dataclass(slots=True)
class Remarks:
    """What was found while reading: faults, which stop the import, and warnings, which do not."""

    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)

    def fault(self, code: Code, place: Place, **figures: Any) -> None:
        self.faults.append(Fault(code, place, figures))

    def warn(self, code: Code, place: Place, **figures: Any) -> None:
        self.warnings.append(Fault(code, place, figures))


@dataclass(frozen=True, slots=True)
class Setting:
    """A line `config KEY = VALUE`, or a value of tourney.js; a key with a part (`KEY{A}`) keeps the part."""

    place: Place
    key: str
    part: str
    value: Any


@dataclass(slots=True)
class Settings:
    """The configuration as far as it is understood. A later line replaces an earlier one."""

    all: list[Setting] = field(default_factory=list)

    def get(self, key: str, part: str = "") -> Setting | None:
        """The last setting of that key (and part), or None."""
        found = [each for each in self.all if each.key == key and each.part.casefold() == part.casefold()]
        return found[-1] if found else None

    def value(self, key: str, part: str = "") -> Any:
        found = self.get(key, part)
        return found.value if found else None


@dataclass(frozen=True, slots=True)
class DivisionFile:
    """A division: its name and its players' cards."""

    name: str
    cards: tuple[PlayerLine, ...]


@dataclass(frozen=True, slots=True)
class Folder:
    """Everything that a tsh event's files say."""

    title: str
    place: Place
    settings: Settings
    divisions: tuple[DivisionFile, ...]


def whole(word: str) -> int:
    """The number at the start of a word (`1512.5` and `1512+1400` are 1512), 0 where there is none."""
    number = _WHOLE.match(word)
    return int(number.group()) if number else 0


def trimmed(values: Iterable[int | None]) -> tuple[int | None, ...]:
    """The values without those at the end that are not defined."""
    listed = list(values)
    while listed and listed[-1] is None:
        listed.pop()
    return tuple(listed)
