"""The tournament file: JSON in UTF-8 that holds a whole event. `read` and `write` are inverse to each other."""

from typing import Any

from tournament import limits
from tournament.exchange import checks, faults, file_reading, file_writing, json_text
from tournament.exchange.faults import Code, Place
from tournament.exchange.json_text import Object
from tournament.exchange.shapes import OBJECT, FaultLog, Shape, described
from tournament.exchange.values import EventData


def read(content: str | bytes, *, slug: str | None = None, most_games: int | None = None) -> EventData:
    """The event that a file holds, under its own address or another one.

    Raises `Faults` with everything that is wrong, each with its line: unknown keys, values of the wrong kind or out of
    range, and what does not fit together; or at once, where there are more than `most_games`.
    """
    value, text = json_text.load(content, limit=limits.FILE_BYTES)
    if not isinstance(value, Object):
        raise faults.one(Code.WRONG_KIND, Place(line=1), value=described(value), kind=OBJECT)
    log = FaultLog()
    shape = Shape(value, (), log)
    if not _knows_format(shape):
        raise faults.Faults(log.faults(text))
    if most_games is not None:
        check_games(_games(value), most_games)
    event = file_reading.event(shape, slug=slug)
    log.add_unrelated(checks.problems(event))
    if log.found:
        raise faults.Faults(log.faults(text))
    return event


def _knows_format(shape: Shape) -> bool:
    """Whether the file is one of ours, and of a version that we know; otherwise nothing else in it is checked."""
    shape.asked += ["format", "version"]
    kind, version = shape.value.get("format"), shape.value.get("version")
    if kind != file_writing.FORMAT:
        shape.log.add(Code.NO_TOURNAMENT_FILE, ("format",), value=described(kind))
        return False
    if type(version) is not int or version != file_writing.VERSION:
        shape.log.add(Code.VERSION, ("version",), value=described(version))
        return False
    return True


def _games(value: Object) -> int:
    """How many games a file lists."""
    return len(_inside(_inside(_inside([value], "divisions"), "rounds"), "pairings"))


def _inside(values: list[Any], key: str) -> list[Any]:
    """What lists under this key of these objects hold."""
    held = (value.get(key) for value in values if isinstance(value, Object))
    return [each for listed in held if isinstance(listed, list) for each in listed]


def check_games(count: int, most: int) -> None:
    """Refuse an event with more games than may be stored while others wait."""
    if count > most:
        raise faults.one(Code.TOO_MANY_GAMES_SENT, value=count, limit=most)


def write(event: EventData) -> str:
    """The file's text: the same event always gives the same text."""
    return file_writing.formatted(file_writing.event(event)) + "\n"
