"""Reading `tourney.js`, which tsh publishes for its web pages: `newt={…};`. It is read as data and never run. The
JavaScript literal is rewritten as JSON, line by line the same, and read as such. More is allowed than in JSON:
`undefined`, holes in lists, commas at the end, keys without quotation marks, single quotes, comments."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from tournament.basics import limits
from tournament.basics.names import clean_text
from tournament.exchange.faults import FaultCode, FilePlace, make_single_fault, quote_value
from tournament.exchange.json_text import find_json_places, make_syntax_fault
from tournament.tsh.cards import (
    UNDEFINED_SCORE,
    DivisionFile,
    ImportRemarks,
    PlayerLine,
    TshConfig,
    TshFolder,
    TshSetting,
    parse_leading_number,
    strip_undefined,
    tidy_card_name,
)

MAX_SCRIPT_DEPTH = 40
OPENING, CLOSING = ("[", "{"), ("]", "}")

# Bounded and possessive: whatever the text is made of, each letter of it is looked at a few times at most.
_TOKEN = re.compile(
    r"""(?P<space>\s++|//[^\n]*+|/\*.*?\*/)
    |(?P<text>"(?:[^"\\\n]|\\.){0,20000}+"|'(?:[^'\\\n]|\\.){0,20000}+')
    |(?P<key>[A-Za-z_$][\w$]*+|\d{1,18})(?=\s*+:)
    |(?P<constant>true|false|null|undefined|NaN)(?![\w$])
    |(?P<number>[-+]?(?:Infinity|(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][-+]?\d{1,4})?))(?![\w.])
    |(?P<mark>[][{},:])
    |(?P<unknown>.)""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_ESCAPED_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_CONSTANTS = {"undefined": "null", "NaN": "null"}


class ScriptNotUnderstood(Exception):
    """The text is not a literal that we can read; `position` says where."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def parse_script_literal(text: str, position: int = 0) -> tuple[Any, str]:
    """The value that begins at a position, and the text as JSON, in which each value stands in the same line. Anything
    after the value is ignored. Raises `ScriptNotUnderstood`."""
    # Rewritten and not parsed by json5: that takes 15 to 90 times as long, knows no holes in lists, and does not say in
    # which line a value stands.
    tokens = [("\n" * text.count("\n", 0, position), position), *_convert_tokens(text, position)]
    converted = "".join(part for part, _start in tokens)
    try:
        return json.loads(converted), converted
    except json.JSONDecodeError as error:
        token_index = bisect_right([*accumulate(len(part) for part, _start in tokens)], error.pos)
        raise ScriptNotUnderstood(tokens[token_index][1] if token_index < len(tokens) else len(text)) from None


def _convert_tokens(text: str, position: int) -> Iterator[tuple[str, int]]:
    """The value's tokens as JSON, each with where it began. A comma is held back until something follows it."""
    depth, last = 0, ""
    for token in _TOKEN.finditer(text, position):
        part, start = _convert_token(token), token.start()
        if token.lastgroup == "space":
            yield part, start
            continue
        depth += (part in OPENING) - (part in CLOSING)
        if depth > MAX_SCRIPT_DEPTH or last + part == "{,":
            raise ScriptNotUnderstood(start)
        # JavaScript allows a comma before the bracket that closes, JSON does not: it is written only now that
        # something else follows.
        if last == "," and part not in CLOSING:
            yield ",", start
        if part != ",":
            yield part, start
        elif last in ("[", ","):  # [,1] has a hole at the start
            yield "null", start
        last = part
        if depth <= 0:
            return


def _convert_token(token: re.Match[str]) -> str:
    """A token as JSON. Line ends inside of it stay line ends."""
    kind, word = token.lastgroup, token.group()
    if kind == "unknown":
        raise ScriptNotUnderstood(token.start())
    if kind == "space":
        return "\n" * word.count("\n") or " "
    if kind == "key":
        return f'"{word}"'
    if kind == "number":
        # The blank keeps 1+2, which is no literal, from becoming 12.
        return f" {int(word) if word.lstrip('+-').isdigit() else json.dumps(float(word))}"
    if kind == "text":
        try:
            return json.dumps(_unescape(word[1:-1])) + "\n" * word.count("\n")
        except ValueError:
            raise ScriptNotUnderstood(token.start()) from None
    return _CONSTANTS.get(word, word)


def _unescape(text: str) -> str:
    """A string's text; two halves of a character beyond the first 65,536 become one. Raises ValueError."""
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(_read_escape, text)
    # JavaScript writes 😀 as two halves, \ud83d\ude00. Python keeps them apart, as letters that no file or database
    # takes; by way of UTF-16 they become one, and a half without its other becomes �.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _read_escape(escape: re.Match[str]) -> str:
    *codes, letter = escape.groups()
    code = next(filter(None, codes), None)
    return chr(int(code, 16)) if code else _ESCAPED_LETTERS.get(letter, letter)


_START = re.compile(r"\bnewt\s*=\s*(?=\{)")


def read_tourney_js(text: str, file: str, title: str, remarks: ImportRemarks) -> TshFolder:
    """The event that the file holds. Raises `FileFaults` if it cannot be understood at all."""
    event_object, converted = _find_event_object(text, file)
    listed = event_object.get("divisions")
    divisions = {
        ("divisions", position, "players"): division
        for position, division in enumerate(listed if isinstance(listed, list) else [])
        if isinstance(division, dict)
    }
    if not divisions:
        raise make_single_fault(FaultCode.TSH_NO_DIVISION, FilePlace(file=file))
    paths = [(*path, place) for path, division in divisions.items() for place in range(len(_list_players(division)))]
    places = {path: FilePlace(file=file, line=at.line) for path, at in find_json_places(converted, paths).items()}
    fields = []
    for path, division in divisions.items():
        name = division.get("name")
        name = clean_text(str(name)) if isinstance(name, str | int) else ""
        cards = [(places[*path, place], player) for place, player in enumerate(_list_players(division))]
        # The list's first element is empty, since players are numbered from 1.
        if cards and not isinstance(cards[0][1], dict):
            cards = cards[1:]
        lines = (_read_card(player, number, place, remarks) for number, (place, player) in enumerate(cards, 1))
        fields.append(DivisionFile(name or chr(ord("A") + path[1] % 26), tuple(lines)))
    return TshFolder(title, FilePlace(file=file), _read_config(event_object, file), tuple(fields))


def _list_players(division: dict[str, Any]) -> list[Any]:
    players = division.get("players")
    return players if isinstance(players, list) else []


def _find_event_object(text: str, file: str) -> tuple[dict[str, Any], str]:
    """The object after `newt=`, or the whole file if it is one object; and the file as JSON."""
    values = text.count(",")
    if values > limits.SCRIPT_VALUES:
        raise make_single_fault(FaultCode.TOO_MANY, FilePlace(file=file), value=values, limit=limits.SCRIPT_VALUES)
    start = _START.search(text)
    try:
        value, converted = parse_script_literal(text, start.end() if start else 0)
    except ScriptNotUnderstood as error:
        place = FilePlace(file=file, line=text.count("\n", 0, error.position) + 1)
        raise make_syntax_fault(text, error.position, place) from error
    if not isinstance(value, dict):
        raise make_single_fault(FaultCode.TSH_NO_DIVISION, FilePlace(file=file))
    return value, converted


def _read_config(event_object: dict[str, Any], file: str) -> TshConfig:
    """The configuration; an object under a key holds its values by part."""
    config = TshConfig()
    stated = event_object.get("config")
    for key, value in stated.items() if isinstance(stated, dict) else ():
        parts = value.items() if isinstance(value, dict) else (("", value),)
        config.settings += [
            TshSetting(FilePlace(file=file), key, str(part), part_value)
            for part, part_value in parts
            if part_value is not None
        ]
    return config


def _read_card(player: Any, number: int, place: FilePlace, remarks: ImportRemarks) -> PlayerLine:
    name = player.get("name") if isinstance(player, dict) else None
    if type(name) not in (str, int):
        remarks.fault(FaultCode.TSH_LINE, place, value=quote_value(f"players[{number}]"))
        return PlayerLine(place=place, number=number, name="")
    etc = player.get("etc")
    scores = _read_numbers(player.get("scores"), place, remarks)
    return PlayerLine(
        place=place,
        number=number,
        name=tidy_card_name(str(name), place, remarks),
        rating=_read_word(player.get("rating")),
        opponents=strip_undefined(_read_numbers(player.get("pairings"), place, remarks)),
        scores=strip_undefined(None if score == UNDEFINED_SCORE else score for score in scores),
        fields={
            key: (tuple(_read_word(word) for word in value) if isinstance(value, list) else (_read_word(value),))
            for key, value in etc.items()
            if value is not None
        }
        if isinstance(etc, dict)
        else {},
    )


def _read_numbers(value: Any, place: FilePlace, remarks: ImportRemarks) -> list[int | None]:
    """A list of whole numbers, None where nothing is defined."""
    numbers: list[int | None] = []
    if value is not None and not isinstance(value, list):
        remarks.fault(FaultCode.TSH_LINE, place, value=quote_value(value))
    for number in value if isinstance(value, list) else []:
        if number is None or number == "00":
            numbers.append(None)
        # By its type, since True is an int; and looked at for its size first: int() refuses infinity.
        elif type(number) in (int, float) and abs(number) < 10**6 and number == int(number):
            numbers.append(int(number))
        elif isinstance(number, str) and re.fullmatch(r"-?\d{1,6}(?:\.0*)?", number.strip(), re.ASCII):
            numbers.append(parse_leading_number(number.strip()))
        else:
            remarks.fault(FaultCode.TSH_LINE, place, value=quote_value(number))
            numbers.append(None)
    return numbers


def _read_word(value: Any) -> str:
    return "00" if value is None else str(value)
