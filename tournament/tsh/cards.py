"""What tsh's files say before anything is checked against anything else, and reading a `.t` file: a player a line."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournament.basics import limits
from tournament.basics.names import normalise_text
from tournament.exchange.faults import FaultCode, FileFault, FilePlace, make_single_fault, quote_value
from tournament.exchange.shapes import clean_text

_WHOLE = re.compile(r"-?[0-9]{1,9}(?![0-9])")

UNDEFINED_SCORE = 9999  # A score that tsh takes for none

STARTED, REPLIED = 1, 2  # what `p12` says of a player who played; 0 is a bye, 3 and 4 are not known


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player's line: opponents and own scores by round, None where the file leaves one open."""

    place: FilePlace
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
        return parse_leading_number(words[round - 1]) if round <= len(words) else 0


@dataclass(slots=True)
class ImportRemarks:
    """What was found while reading: faults, which stop the import, and warnings, which do not."""

    faults: list[FileFault] = field(default_factory=list)
    warnings: list[FileFault] = field(default_factory=list)

    def fault(self, code: FaultCode, place: FilePlace, **figures: Any) -> None:
        self.faults.append(FileFault(code, place, figures))

    def warn(self, code: FaultCode, place: FilePlace, **figures: Any) -> None:
        self.warnings.append(FileFault(code, place, figures))


@dataclass(frozen=True, slots=True)
class TshSetting:
    """A line `config KEY = VALUE`, or a value of tourney.js; a key with a part (`KEY{A}`) keeps the part."""

    place: FilePlace
    key: str
    part: str
    value: Any


@dataclass(slots=True)
class TshSettings:
    """The configuration as far as it is understood. A later line replaces an earlier one."""

    all: list[TshSetting] = field(default_factory=list)

    def get(self, key: str, part: str = "") -> TshSetting | None:
        """The last setting of that key (and part), or None."""
        found = [each for each in self.all if each.key == key and each.part.casefold() == part.casefold()]
        return found[-1] if found else None

    def value(self, key: str, part: str = "") -> Any:
        found = self.get(key, part)
        return found.value if found else None


@dataclass(frozen=True, slots=True)
class DivisionFile:
    name: str
    cards: tuple[PlayerLine, ...]


@dataclass(frozen=True, slots=True)
class TshFolder:
    """Everything that a tsh event's files say."""

    title: str
    place: FilePlace
    settings: TshSettings
    divisions: tuple[DivisionFile, ...]


def parse_leading_number(word: str) -> int:
    """The number at the start of a word (`1512.5` and `1512+1400` are 1512), 0 where there is none."""
    number = _WHOLE.match(word)
    return int(number.group()) if number else 0


def strip_undefined(values: Iterable[int | None]) -> tuple[int | None, ...]:
    """The values without those at the end that are not defined."""
    listed = list(values)
    while listed and listed[-1] is None:
        listed.pop()
    return tuple(listed)


_LINE_END = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"[0-9]{1,6}")
_RATING = re.compile(r"\d+(?:[.+]\d+)*")
_REMARK_AT_END = re.compile(r"; # \d+\s*$")
_FIELD_END = re.compile(r"(?<!\\)(?:\\\\)*;")


def split_lines(text: str, file: str) -> list[str]:
    """The lines of a text, whatever system wrote it. Raises `FileFaults` if there are too many."""
    # Counted first: to split a text of millions of line ends takes long.
    is_long = text.count("\n") + text.count("\r") > 2 * limits.LINES
    found = [] if is_long else _LINE_END.split(text)
    if is_long or len(found) > limits.LINES:
        raise make_single_fault(FaultCode.TOO_MANY_ROWS, FilePlace(file=file), limit=limits.LINES)
    return found


def read_player_lines(text: str, file: str, remarks: ImportRemarks) -> tuple[PlayerLine, ...]:
    """The players of a division. Blank lines and comments do not count; any other line is a player's or a fault."""
    cards: list[PlayerLine] = []
    for number, raw in enumerate(split_lines(text, file), 1):
        line = raw.strip(" \t\x1a\x00")
        if not line or line.startswith("#"):
            continue
        place = FilePlace(file=file, line=number)
        card = read_player_line(line, place, len(cards) + 1, remarks)
        if card is None:
            remarks.fault(FaultCode.TSH_LINE, place, value=quote_value(line))
            card = PlayerLine(place=place, number=len(cards) + 1, name="")
        cards.append(card)
    return tuple(cards)


def read_player_line(line: str, place: FilePlace, number: int, remarks: ImportRemarks) -> PlayerLine | None:
    """The card of one line, or None if it is not a player's line."""
    head, _, tail = _REMARK_AT_END.sub(";", line[: limits.LINE]).partition(";")
    found = split_name_and_numbers(head)
    written, *rest = split_fields(tail)
    scores = parse_numbers(written, negative=True)
    if found is None or scores is None or len(line) > limits.LINE:
        return None
    name, rating, opponents = found
    return PlayerLine(
        place=place,
        number=number,
        name=tidy_name(name, place, remarks),
        rating=rating,
        opponents=strip_undefined(opponents),
        scores=strip_undefined(None if score == UNDEFINED_SCORE else score for score in scores),
        fields=read_named_fields(rest, place, remarks),
    )


def split_fields(line: str) -> list[str]:
    """The parts between semicolons; `\\;` and `\\\\` stand for the characters themselves."""
    parts, start = [], 0
    for match in _FIELD_END.finditer(line):
        parts.append(line[start : match.end() - 1])
        start = match.end()
    parts.append(line[start:])
    return [re.sub(r"\\([\\;])", r"\1", part).strip() for part in parts]


def split_name_and_numbers(head: str) -> tuple[str, str, list[int | None]] | None:
    """Name, rating and opponents: the numbers at the end are opponents, the first of them is the rating."""
    words = head.split()
    start = len(words)
    while start > 1 and _RATING.fullmatch(words[start - 1]):
        start -= 1
        if not words[start].isdigit():
            break
    opponents = parse_numbers(" ".join(words[start + 1 :]))
    name = " ".join(words[:start])
    if start == len(words) or opponents is None or not name or name.isdigit():
        return None
    return name, words[start], opponents


def parse_numbers(text: str, *, negative: bool = False) -> list[int | None] | None:
    """Numbers separated by blanks, `00` as None; None instead of a list if there is anything else."""
    found: list[int | None] = []
    for word in text.split():
        if not _NUMBER.fullmatch(word.removeprefix("-") if negative else word):
            return None
        found.append(None if word == "00" else int(word))
    return found


def read_named_fields(parts: list[str], place: FilePlace, remarks: ImportRemarks) -> dict[str, tuple[str, ...]]:
    """The fields `key value …`, in any order; for a key given twice there is a warning, and the last one counts."""
    found: dict[str, tuple[str, ...]] = {}
    for part in parts:
        key, *words = part.split() or [""]
        if key in found:
            remarks.warn(FaultCode.TSH_FIELD_TWICE, place, value=quote_value(key)[1:-1])
        if key:
            found[key] = tuple(words)
    return found


def tidy_name(name: str, place: FilePlace, remarks: ImportRemarks) -> str:
    """The player's name without the comma that tsh puts after a name ending in a digit."""
    tidy = re.sub(r"[,\s]+$", "", normalise_text(name))
    if clean_text(tidy) != tidy:
        remarks.fault(FaultCode.CONTROL_CHARACTER, place, value=quote_value(tidy))
    if not tidy:
        remarks.fault(FaultCode.EMPTY, place)
    if len(tidy) > limits.PLAYER_NAME:
        remarks.warn(FaultCode.TSH_SHORTENED, place, value=quote_value(tidy))
    return tidy[: limits.PLAYER_NAME].rstrip()
