"""What tsh's files say before anything is checked against anything else: a `.t` file, with a player a line, and
`config.tsh`."""

import re
import sys
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tournament.basics import limits
from tournament.basics.names import clean_text, normalise_text
from tournament.exchange.faults import FaultCode, FileFault, FilePlace, make_single_fault, quote_value
from tournament.exchange.values import DivisionData

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


@dataclass(frozen=True, slots=True)
class DeclaredDivision:
    """A line `division NAME FILE`."""

    place: FilePlace
    name: str
    file: str


@dataclass(slots=True)
class TshConfig:
    """What a configuration says, as far as it is understood. A later setting replaces an earlier one; `attached` holds
    the files inside a `config.tsh`."""

    divisions: list[DeclaredDivision] = field(default_factory=list)
    settings: list[TshSetting] = field(default_factory=list)
    attached: dict[str, str] = field(default_factory=dict)

    def get(self, key: str, part: str = "") -> TshSetting | None:
        """The last setting of that key (and part), or None."""
        # Divisions are named in either case (`max_div_rounds` of b for B), keys of settings in one.
        matching_settings = [
            setting for setting in self.settings if setting.key == key and setting.part.casefold() == part.casefold()
        ]
        return matching_settings[-1] if matching_settings else None

    def value(self, key: str, part: str = "") -> Any:
        setting = self.get(key, part)
        return setting.value if setting else None


@dataclass(frozen=True, slots=True)
class DivisionFile:
    name: str
    cards: tuple[PlayerLine, ...]


@dataclass(frozen=True, slots=True)
class TshFolder:
    """Everything that a tsh event's files say."""

    title: str
    place: FilePlace
    config: TshConfig
    divisions: tuple[DivisionFile, ...]


def parse_leading_number(word: str) -> int:
    """The number at the start of a word (`1512.5` and `1512+1400` are 1512), 0 where there is none."""
    number = _WHOLE.match(word)
    return int(number.group()) if number else 0


def strip_undefined(values: Iterable[int | None]) -> tuple[int | None, ...]:
    """The values without those at the end that are not defined."""
    # Only from the end: a None between two figures keeps its place, else the scores behind it would move up a round.
    listed = list(values)
    while listed and listed[-1] is None:
        listed.pop()
    return tuple(listed)


_LINE_END = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"[0-9]{1,6}")
_RATING = re.compile(r"\d+(?:[.+]\d+)*")
_REMARK_AT_END = re.compile(r"; # \d+\s*$")
_FIELD_END = re.compile(r"(?<!\\)(?:\\\\)*;")


def renumber_tables(division: DivisionData, numbers: Mapping[int, int]) -> DivisionData:
    """The division with other numbers for the tables of its rounds."""
    rounds = []
    for round in division.rounds:
        pairings = [replace(pairing, table=numbers.get(pairing.table or 0)) for pairing in round.pairings]
        rounds.append(replace(round, pairings=tuple(pairings)))
    return replace(division, rounds=tuple(rounds))


def split_lines(text: str, file: str) -> list[str]:
    """The lines of a text, whatever system wrote it. Raises `FileFaults` if there are too many."""
    # Counted first: to split a text of millions of line ends takes long.
    is_long = text.count("\n") + text.count("\r") > 2 * limits.LINES
    lines = [] if is_long else _LINE_END.split(text)
    if is_long or len(lines) > limits.LINES:
        raise make_single_fault(FaultCode.TOO_MANY_ROWS, FilePlace(file=file), limit=limits.LINES)
    return lines


_JOINED_DIVISION = re.compile(r"#division\s+(\S.*)", re.IGNORECASE)


def read_player_lines(text: str, file: str, remarks: ImportRemarks) -> tuple[PlayerLine, ...]:
    """The players of a division. Blank lines and comments do not count; any other line is a player's or a fault."""
    return _read_numbered_lines(enumerate(split_lines(text, file), 1), file, remarks)


def read_joined_lines(text: str, file: str, remarks: ImportRemarks) -> list[tuple[str, tuple[PlayerLine, ...]]]:
    """Each division of a file that may join several, by name: a line `#division NAME` begins one, in which players are
    numbered from 1. The name is "" for players before the first such line."""
    parts: list[tuple[str, list[tuple[int, str]]]] = [("", [])]
    for number, line in enumerate(split_lines(text, file), 1):
        if begins := _JOINED_DIVISION.fullmatch(line.strip()):
            parts.append((begins[1], []))
        else:
            parts[-1][1].append((number, line))
    read = [(name, _read_numbered_lines(lines, file, remarks)) for name, lines in parts]
    # Usually nobody stands before the first `#division`, and there is no division without a name.
    return read if read[0][1] or len(read) == 1 else read[1:]


def _read_numbered_lines(lines: Iterable[tuple[int, str]], file: str, remarks: ImportRemarks) -> tuple[PlayerLine, ...]:
    cards: list[PlayerLine] = []
    for number, raw in lines:
        # Files from DOS end with ^Z, which would be a line that is no player's.
        line = raw.strip(" \t\x1a\x00")
        if not line or line.startswith("#"):
            continue
        place = FilePlace(file=file, line=number)
        card = read_player_line(line, place, len(cards) + 1, remarks)
        if card is None:
            # tsh numbers players by their lines, and opponents are named by number: a line left out would shift
            # everybody below it, and each of their games would contradict another card.
            remarks.fault(FaultCode.TSH_LINE, place, value=quote_value(line))
            card = PlayerLine(place=place, number=len(cards) + 1, name="")
        cards.append(card)
    return tuple(cards)


def read_player_line(line: str, place: FilePlace, number: int, remarks: ImportRemarks) -> PlayerLine | None:
    """The card of one line, or None if it is not a player's line."""
    head, _, tail = _REMARK_AT_END.sub(";", line[: limits.LINE]).partition(";")
    parts = split_name_and_numbers(head)
    written, *rest = split_fields(tail)
    scores = parse_numbers(written, negative=True)
    if parts is None or scores is None or len(line) > limits.LINE:
        return None
    name, rating, opponents = parts
    # The fields `key value …`, in any order; for a key given twice there is a warning, and the last one counts.
    fields: dict[str, tuple[str, ...]] = {}
    for part in rest:
        key, *words = part.split() or [""]
        if key in fields:
            remarks.warn(FaultCode.TSH_FIELD_TWICE, place, value=quote_value(key)[1:-1])
        if key:
            fields[key] = tuple(words)
    return PlayerLine(
        place=place,
        number=number,
        name=tidy_card_name(name, place, remarks),
        rating=rating,
        opponents=strip_undefined(opponents),
        scores=strip_undefined(None if score == UNDEFINED_SCORE else score for score in scores),
        fields=fields,
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
    # From the end, since names hold numbers as well (Haus 7 Köln). A rating may have a fraction or two values in one
    # (1512+1400), an opponent may not: what is not plain digits is the rating, and nothing before it is asked.
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
    numbers: list[int | None] = []
    for word in text.split():
        if not _NUMBER.fullmatch(word.removeprefix("-") if negative else word):
            return None
        numbers.append(None if word == "00" else int(word))
    return numbers


def tidy_card_name(name: str, place: FilePlace, remarks: ImportRemarks) -> str:
    """The player's name without the comma that tsh puts after a name ending in a digit."""
    tidy = re.sub(r"[,\s]+$", "", normalise_text(name))
    if clean_text(tidy) != tidy:
        remarks.fault(FaultCode.CONTROL_CHARACTER, place, value=quote_value(tidy))
    if not tidy:
        remarks.fault(FaultCode.EMPTY, place)
    if len(tidy) > limits.PLAYER_NAME:
        remarks.warn(FaultCode.TSH_SHORTENED, place, value=quote_value(tidy))
    return tidy[: limits.PLAYER_NAME].rstrip()


# `config.tsh`: which divisions there are, and the settings. Their values are Perl text, which is never run. Understood
# are numbers, strings in single or double quotes, `q()`, `qq()`, `qw()`, `undef`, and lists and hashes of these.

MAX_PERL_DEPTH = 10

# Possessive throughout (`++`, `*+`), here and in the patterns below: in a file of somebody else's, megabytes of blanks
# that do not fit in the end would be tried in every division.
_SPACE = re.compile(r"(?:\s++|#[^\n]*+)*+")
_PERL_NUMBER = re.compile(r"[-+]?(?:\d[\d_]{0,17}(?:\.\d{0,17})?|\.\d{1,17})(?![\w.])")
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTE = re.compile(r"(qq?|qw)\s*([^\w\s])|(['\"])")
_CODE = re.compile(r"x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{1,2}))")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_SPAN = re.compile(r"(\d{1,4})\s*\.\.\s*(\d{1,4})", re.ASCII)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "a": "\x07", "f": "\x0c", "0": "\0"}


class PerlNotUnderstood(Exception):
    """The text is not a literal that we can read."""


def parse_perl_literal(text: str) -> Any:
    """The value that a Perl text writes down: int, float, str, None, list or dict. Raises `PerlNotUnderstood`."""
    value, position = _parse_value(text, _skip_space(text, 0), 0)
    position = _skip_space(text, position)
    if text[position : position + 1] == ";":
        position = _skip_space(text, position + 1)
    if position != len(text):
        raise PerlNotUnderstood
    return value


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _parse_value(text: str, position: int, depth: int) -> tuple[Any, int]:
    if depth > MAX_PERL_DEPTH or position >= len(text):
        raise PerlNotUnderstood
    if text[position] in "[({":
        return _parse_collection(text, position, depth)
    if quote := _QUOTE.match(text, position):
        return _parse_string(text, quote)
    if number := _PERL_NUMBER.match(text, position):
        digits = number.group().replace("_", "")
        return (float(digits) if "." in digits else int(digits)), number.end()
    word = _WORD.match(text, position)
    if word and word.group() == "undef":
        return None, word.end()
    raise PerlNotUnderstood


def _parse_string(text: str, quote: re.Match[str]) -> tuple[Any, int]:
    """A quoted string, or the words of `qw()`."""
    kind, opening = quote.group(1) or "", quote.group(2) or quote.group(3)
    closing = _CLOSING.get(opening, opening)
    # As in Perl: '…' and q() know no escapes but those of the backslash and of the closing mark, "…" and qq() all.
    double = opening == '"' if not kind else kind == "qq"
    letters: list[str] = []
    position = quote.end()
    while position < len(text) and text[position] != closing:
        if text[position] == "\\" and position + 1 < len(text):
            letter, position = _parse_escape(text, position + 1, closing, double)
            letters.append(letter)
        else:
            letters.append(text[position])
            position += 1
    if position >= len(text):
        raise PerlNotUnderstood
    literal = "".join(letters)
    return (literal.split() if kind == "qw" else literal), position + 1


def _parse_escape(text: str, position: int, closing: str, double: bool) -> tuple[str, int]:
    """The character that an escape stands for, and where the text goes on."""
    letter = text[position]
    if not double:
        return (letter if letter in ("\\", closing) else "\\" + letter), position + 1
    if letter == "x":
        code = _CODE.match(text, position)
        number = int(code.group(1) or code.group(2), 16) if code else -1
        if code is None or number > sys.maxunicode:
            raise PerlNotUnderstood
        return chr(number), code.end()
    return _ESCAPES.get(letter, letter), position + 1


def _parse_collection(text: str, position: int, depth: int) -> tuple[Any, int]:
    """A list `[…]` or `(…)`, in which `1..8` are eight numbers, or a hash `{…}`; a comma and an arrow are the same."""
    closing = _CLOSING[text[position]]
    elements: list[Any] = []
    position = _skip_space(text, position + 1)
    while position < len(text) and text[position] != closing:
        word = _WORD.match(text, position)
        value: Any
        if span := _SPAN.match(text, position):
            first, last = map(int, span.groups())
            # The last number comes in below, as any other element does.
            elements += range(first, last)
            value, position = last, span.end()
        elif closing == "}" and word and text.startswith("=>", _skip_space(text, word.end())):
            value, position = word.group(), word.end()
        else:
            value, position = _parse_value(text, position, depth + 1)
        # Perl puts the words of qw() and the elements of (…) flat into the list around them; […] stays a list in it.
        is_words = closing != "}" and text[position - 1] != "]" and isinstance(value, list)
        elements += value if is_words else [value]
        position = _skip_space(text, position)
        arrow = "=>" if text.startswith("=>", position) else ","
        if text.startswith(arrow, position):
            position = _skip_space(text, position + len(arrow))
        elif text[position : position + 1] != closing:
            raise PerlNotUnderstood
    if position >= len(text):
        raise PerlNotUnderstood
    if closing != "}":
        return elements, position + 1
    keys = elements[::2]
    if len(elements) % 2 or not all(isinstance(key, str | int) for key in keys):
        raise PerlNotUnderstood
    return dict(zip(map(str, keys), elements[1::2], strict=True)), position + 1


_DIVISION = re.compile(r"division\s+(\S+)\s+(.+)", re.IGNORECASE)
_CONFIG = re.compile(r"config\s++(\w++)\s*+((?:\[[^\]]*+\]|\{[^}]*+\})*+)\s*+=\s*+(.*)", re.IGNORECASE | re.DOTALL)
_ATTACHMENT = re.compile(r"#begin_file\s+(.*)")
_ATTACHED_NAME = re.compile(r"""\bname=(?:'([^']*)'|"([^"]*)"|(\S+))""")
_HARMLESS = re.compile(r"(?:encoding|autopair|classes|prize|begin)\b", re.IGNORECASE)
_PERL = re.compile(r"perl\b", re.IGNORECASE)


def read_tsh_config(text: str, file: str, remarks: ImportRemarks) -> TshConfig:
    """The configuration. What is not understood is left out with a warning; Perl is never run. Raises `FileFaults` if
    it writes too many values."""
    _check_value_count(text, file)
    config = TshConfig()
    rest = deque(enumerate(split_lines(text, file), 1))
    while rest:
        number, line = rest.popleft()
        place = FilePlace(file=file, line=number)
        if begin := _ATTACHMENT.match(line):
            _read_attachment(begin, rest, config)
            continue
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if division := _DIVISION.fullmatch(line):
            config.divisions.append(DeclaredDivision(place, division.group(1), _strip_quotes(division.group(2))))
        elif len(line) > limits.LINE:
            remarks.warn(FaultCode.TSH_IGNORED, place, value=quote_value(line))
        elif setting := _CONFIG.fullmatch(line):
            _read_setting(setting, place, config, remarks)
        elif _PERL.match(line):
            remarks.warn(FaultCode.TSH_PERL, place, value=quote_value(line))
        elif not _HARMLESS.match(line):
            remarks.warn(FaultCode.TSH_IGNORED, place, value=quote_value(line))
    return config


def _check_value_count(text: str, file: str) -> None:
    """Refuse a configuration whose values would fill the memory, before any of them is read."""
    # A span is seven characters and up to ten thousand numbers: 4 MB of `1..9999,` are four thousand million of them.
    spans = (int(last) - int(first) for first, last in _SPAN.findall(text))
    values = text.count(",") + sum(length for length in spans if length > 0)
    if values > limits.SCRIPT_VALUES:
        raise make_single_fault(FaultCode.TOO_MANY, FilePlace(file=file), value=values, limit=limits.SCRIPT_VALUES)


def _read_attachment(begin: re.Match[str], rest: deque[tuple[int, str]], config: TshConfig) -> None:
    """Take in a file between `#begin_file` and `#end_file`."""
    # The line that ends it repeats what stands behind `#begin_file`; the end of another file inside of it ends nothing.
    end = begin.group().replace("begin", "end", 1)
    content: list[str] = []
    while rest:
        line = rest.popleft()[1]
        if line.strip() == end.strip():
            break
        content.append(line)
    if name := _ATTACHED_NAME.search(begin.group(1)):
        config.attached[next(filter(None, name.groups()), "").casefold()] = "\n".join(content)


def _read_setting(setting: re.Match[str], place: FilePlace, config: TshConfig, remarks: ImportRemarks) -> None:
    """Take in a line `config KEY = VALUE` or `config KEY{PART} = VALUE`; a hash of tables a part by division."""
    key, part, text = setting.groups()
    try:
        value = parse_perl_literal(text)
    except PerlNotUnderstood:
        remarks.warn(FaultCode.TSH_SETTING, place, key=key, value=quote_value(text))
        return
    parts = value if key == "tables" and isinstance(value, dict) else {part.strip("[]{}'\" "): value}
    config.settings += [TshSetting(place, key, name, part_value) for name, part_value in parts.items()]


def _strip_quotes(text: str) -> str:
    """A file's name, with or without quotation marks; a comment after it is not part of it."""
    text = text.split(" #", maxsplit=1)[0].strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text
