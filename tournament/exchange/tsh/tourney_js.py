"""Reading `tourney.js`, which tsh publishes for its web pages: `newt={…};`."""

import re
from typing import Any

from tournament import limits
from tournament.exchange import faults
from tournament.exchange.faults import Code, Place, quoted
from tournament.exchange.json_text import not_understood
from tournament.exchange.shapes import cleaned
from tournament.exchange.tsh import javascript
from tournament.exchange.tsh.cards import (
    NOT_DEFINED,
    DivisionFile,
    Folder,
    PlayerLine,
    Remarks,
    Setting,
    Settings,
    trimmed,
    whole,
)
from tournament.exchange.tsh.t_file import tidy_name

_START = re.compile(r"\bnewt\s*=\s*(?=\{)")


def read(text: str, file: str, title: str, remarks: Remarks) -> Folder:
    """The event that the file holds. Raises `Faults` if it cannot be understood at all."""
    found = _start(text, file)
    listed = found.get("divisions")
    fields = []
    for position, division in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(division, javascript.Object):
            name = division.get("name")
            name = cleaned(str(name)) if isinstance(name, str | int) else ""
            name = name or chr(ord("A") + position % 26)
            fields.append(DivisionFile(name, _cards(text, division, file, remarks)))
    if not fields:
        raise faults.one(Code.TSH_NO_DIVISION, Place(file=file))
    return Folder(title, Place(file=file), _settings(found, file), tuple(fields))


def _start(text: str, file: str) -> javascript.Object:
    """The object after `newt=`, or the whole file if it is one object."""
    values = text.count(",")
    if values > limits.SCRIPT_VALUES:
        raise faults.one(Code.TOO_MANY, Place(file=file), value=values, limit=limits.SCRIPT_VALUES)
    start = _START.search(text)
    position = start.end() if start else 0
    try:
        value = javascript.literal(text, position)
    except javascript.NotUnderstood as error:
        raise not_understood(text, error.position, _place(text, error.position, file)) from error
    if not isinstance(value, javascript.Object):
        raise faults.one(Code.TSH_NO_DIVISION, Place(file=file))
    return value


def _place(text: str, position: int, file: str) -> Place:
    return Place(file=file, line=text.count("\n", 0, position) + 1)


def _settings(found: javascript.Object, file: str) -> Settings:
    """The configuration; an object under a key holds its values by part."""
    settings = Settings()
    config = found.get("config")
    for key, value in config.items() if isinstance(config, dict) else ():
        parts = value.items() if isinstance(value, dict) else (("", value),)
        settings.all += [Setting(Place(file=file), key, str(part), each) for part, each in parts if each is not None]
    return settings


def _cards(text: str, division: javascript.Object, file: str, remarks: Remarks) -> tuple[PlayerLine, ...]:
    """The players of a division. The list's first element is empty, since players are numbered from 1."""
    players = division.get("players")
    listed = list(players) if isinstance(players, list) else []
    if listed and not isinstance(listed[0], javascript.Object):
        listed = listed[1:]
    return tuple(_card(text, player, number, file, remarks) for number, player in enumerate(listed, 1))


def _card(text: str, player: Any, number: int, file: str, remarks: Remarks) -> PlayerLine:
    if not isinstance(player, javascript.Object) or not isinstance(player.get("name"), str):
        place = _place(text, getattr(player, "position", 0), file)
        remarks.fault(Code.TSH_LINE, place, value=quoted(f"players[{number}]"))
        return PlayerLine(place=place, number=number, name="")
    place = _place(text, player.position, file)
    etc = player.get("etc")
    scores = _numbers(player.get("scores"), place, remarks)
    return PlayerLine(
        place=place,
        number=number,
        name=tidy_name(player["name"], place, remarks),
        rating=_word(player.get("rating")),
        opponents=trimmed(_numbers(player.get("pairings"), place, remarks)),
        scores=trimmed(None if score == NOT_DEFINED else score for score in scores),
        fields={key: _words(value) for key, value in etc.items() if value is not None} if isinstance(etc, dict) else {},
    )


def _numbers(value: Any, place: Place, remarks: Remarks) -> list[int | None]:
    """A list of whole numbers, None where nothing is defined."""
    found: list[int | None] = []
    for each in value if isinstance(value, list) else []:
        if each is None or each == "00":
            found.append(None)
        elif type(each) is int and abs(each) < 10**6:
            found.append(each)
        elif isinstance(each, str) and re.fullmatch(r"-?\d{1,6}", each.strip(), re.ASCII):
            found.append(whole(each.strip()))
        else:
            remarks.fault(Code.TSH_LINE, place, value=quoted(each))
            found.append(None)
    return found


def _words(value: Any) -> tuple[str, ...]:
    return tuple(_word(each) for each in value) if isinstance(value, list) else (_word(value),)


def _word(value: Any) -> str:
    return "00" if value is None else str(value)
