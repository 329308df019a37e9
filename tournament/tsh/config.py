"""Reading `config.tsh`: which divisions there are, and the settings. Their values are Perl text, which is never run.
Understood are numbers, strings in single or double quotes, `q()`, `qq()`, `qw()`, `undef`, and lists and hashes of
these."""

import re
import sys
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from tournament.basics import limits
from tournament.exchange.faults import FaultCode, FilePlace, quote_value
from tournament.tsh.cards import ImportRemarks, TshSetting, TshSettings, split_lines

MAX_PERL_DEPTH = 10

_SPACE = re.compile(r"(?:\s++|#[^\n]*+)*+")
_NUMBER = re.compile(r"[-+]?(?:\d[\d_]{0,17}(?:\.\d{0,17})?|\.\d{1,17})(?![\w.])")
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUOTE = re.compile(r"(qq?|qw)\s*([^\w\s])|(['\"])")
_CODE = re.compile(r"x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{1,2}))")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
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
    if number := _NUMBER.match(text, position):
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
    found = "".join(letters)
    return (found.split() if kind == "qw" else found), position + 1


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
    """A list `[…]` or `(…)`, or a hash `{…}`; a comma and an arrow are the same."""
    closing = _CLOSING[text[position]]
    found: list[Any] = []
    position = _skip_space(text, position + 1)
    while position < len(text) and text[position] != closing:
        word = _WORD.match(text, position)
        if closing == "}" and word and text[_skip_space(text, word.end()) :].startswith("=>"):
            value, position = word.group(), word.end()
        else:
            value, position = _parse_value(text, position, depth + 1)
        found.append(value)
        position = _skip_space(text, position)
        arrow = "=>" if text.startswith("=>", position) else ","
        if text.startswith(arrow, position):
            position = _skip_space(text, position + len(arrow))
        elif text[position : position + 1] != closing:
            raise PerlNotUnderstood
    if position >= len(text):
        raise PerlNotUnderstood
    return (_make_hash(found) if closing == "}" else found), position + 1


def _make_hash(found: list[Any]) -> dict[str, Any]:
    if len(found) % 2 or not all(isinstance(key, str | int) for key in found[::2]):
        raise PerlNotUnderstood
    return {str(key): value for key, value in zip(found[::2], found[1::2], strict=True)}


_DIVISION = re.compile(r"division\s+(\S+)\s+(.+)", re.IGNORECASE)
_CONFIG = re.compile(r"config\s++(\w++)\s*+((?:\[[^\]]*+\]|\{[^}]*+\})*+)\s*+=\s*+(.*)", re.IGNORECASE | re.DOTALL)
_ATTACHMENT = re.compile(r"#begin_file\s+(.*)")
_ATTACHED_NAME = re.compile(r"""\bname=(?:'([^']*)'|"([^"]*)"|(\S+))""")
_HARMLESS = re.compile(r"(?:encoding|autopair|classes|prize|begin)\b", re.IGNORECASE)
_PERL = re.compile(r"perl\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DeclaredDivision:
    """A line `division NAME FILE`."""

    place: FilePlace
    name: str
    file: str


@dataclass(slots=True)
class TshConfig:
    """What a `config.tsh` says; `attached` holds the files inside it."""

    divisions: list[DeclaredDivision] = field(default_factory=list)
    settings: TshSettings = field(default_factory=TshSettings)
    attached: dict[str, str] = field(default_factory=dict)


def read_tsh_config(text: str, file: str, remarks: ImportRemarks) -> TshConfig:
    """The configuration. What is not understood is left out with a warning; Perl is never run."""
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


def _read_attachment(begin: re.Match[str], rest: deque[tuple[int, str]], config: TshConfig) -> None:
    """Take in a file between `#begin_file` and `#end_file`."""
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
    """Take in a line `config KEY = VALUE` or `config KEY{PART} = VALUE`."""
    key, part, text = setting.groups()
    try:
        value = parse_perl_literal(text)
    except PerlNotUnderstood:
        remarks.warn(FaultCode.TSH_SETTING, place, key=key, value=quote_value(text))
        return
    config.settings.all.append(TshSetting(place, key, part.strip("[]{}'\" "), value))


def _strip_quotes(text: str) -> str:
    """A file's name, with or without quotation marks; a comment after it is not part of it."""
    text = text.split(" #", maxsplit=1)[0].strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text
