"""Reading a division's `.t` file: a player a line."""

import re

from tournament import limits, names
from tournament.exchange import faults
from tournament.exchange.faults import Code, Place, quoted
from tournament.exchange.shapes import cleaned
from tournament.exchange.tsh.cards import NOT_DEFINED, PlayerLine, Remarks, trimmed

_LINE_END = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"[0-9]{1,6}")
_RATING = re.compile(r"\d+(?:[.+]\d+)*")
_REMARK_AT_END = re.compile(r"; # \d+\s*$")
_FIELD_END = re.compile(r"(?<!\\)(?:\\\\)*;")


def lines(text: str, file: str) -> list[str]:
    """The lines of a text, whatever system wrote it. Raises `Faults` if there are too many."""
    if text.count("\n") + text.count("\r") > 2 * limits.LINES:
        raise faults.one(Code.TOO_MANY_ROWS, Place(file=file), limit=limits.LINES)
    found = _LINE_END.split(text)
    if len(found) > limits.LINES:
        raise faults.one(Code.TOO_MANY_ROWS, Place(file=file), limit=limits.LINES)
    return found


def read(text: str, file: str, remarks: Remarks) -> tuple[PlayerLine, ...]:
    """The players of a division. Blank lines and comments do not count; any other line that is not a player's is a
    fault."""
    cards: list[PlayerLine] = []
    for number, raw in enumerate(lines(text, file), 1):
        line = raw.strip(" \t\x1a\x00")
        if not line or line.startswith("#"):
            continue
        place = Place(file=file, line=number)
        card = read_line(line, place, len(cards) + 1, remarks)
        if card is None:
            remarks.fault(Code.TSH_LINE, place, value=quoted(line))
            card = PlayerLine(place=place, number=len(cards) + 1, name="")
        cards.append(card)
    return tuple(cards)


def read_line(line: str, place: Place, number: int, remarks: Remarks) -> PlayerLine | None:
    """The card of one line, or None if it is not a player's line."""
    head, _, tail = _REMARK_AT_END.sub(";", line[: limits.LINE]).partition(";")
    found = name_and_numbers(head)
    written, *rest = fields(tail)
    scores = numbers(written, negative=True)
    if found is None or scores is None or len(line) > limits.LINE:
        return None
    name, rating, opponents = found
    return PlayerLine(
        place=place,
        number=number,
        name=tidy_name(name, place, remarks),
        rating=rating,
        opponents=trimmed(opponents),
        scores=trimmed(None if score == NOT_DEFINED else score for score in scores),
        fields=named_fields(rest, place, remarks),
    )


def fields(line: str) -> list[str]:
    """The parts between semicolons; `\\;` and `\\\\` stand for the characters themselves."""
    parts, start = [], 0
    for match in _FIELD_END.finditer(line):
        parts.append(line[start : match.end() - 1])
        start = match.end()
    parts.append(line[start:])
    return [re.sub(r"\\([\\;])", r"\1", part).strip() for part in parts]


def name_and_numbers(head: str) -> tuple[str, str, list[int | None]] | None:
    """Name, rating and opponents: the numbers at the end are opponents, the first of them is the rating."""
    words = head.split()
    start = len(words)
    while start > 1 and _RATING.fullmatch(words[start - 1]):
        start -= 1
        if not words[start].isdigit():
            break
    opponents = numbers(" ".join(words[start + 1 :]))
    name = " ".join(words[:start])
    if start == len(words) or opponents is None or not name or name.isdigit():
        return None
    return name, words[start], opponents


def numbers(text: str, *, negative: bool = False) -> list[int | None] | None:
    """Numbers separated by blanks, `00` as None; None instead of a list if there is anything else."""
    found: list[int | None] = []
    for word in text.split():
        if not _NUMBER.fullmatch(word.removeprefix("-") if negative else word):
            return None
        found.append(None if word == "00" else int(word))
    return found


def named_fields(parts: list[str], place: Place, remarks: Remarks) -> dict[str, tuple[str, ...]]:
    """The fields `key value …`, in any order; for a key given twice there is a warning, and the last one counts."""
    found: dict[str, tuple[str, ...]] = {}
    for part in parts:
        key, *words = part.split() or [""]
        if key in found:
            remarks.warn(Code.TSH_FIELD_TWICE, place, value=quoted(key)[1:-1])
        if key:
            found[key] = tuple(words)
    return found


def tidy_name(name: str, place: Place, remarks: Remarks) -> str:
    """The player's name without the comma that tsh puts after a name ending in a digit."""
    tidy = re.sub(r"[,\s]+$", "", names.tidy(name))
    if cleaned(tidy) != tidy:
        remarks.fault(Code.CONTROL_CHARACTER, place, value=quoted(tidy))
    if not tidy:
        remarks.fault(Code.EMPTY, place)
    if len(tidy) > limits.PLAYER_NAME:
        remarks.warn(Code.TSH_SHORTENED, place, value=quoted(tidy))
    return tidy[: limits.PLAYER_NAME].rstrip()
