"""The tournament file: JSON in UTF-8 that holds a whole event. `read` and `write` are inverse to each other."""

from typing import Any

from tournament.basics import limits
from tournament.exchange.checks import find_event_data_problems
from tournament.exchange.faults import FaultCode, FileFaults, FilePlace, make_single_fault
from tournament.exchange.json_text import JsonObject, read_json
from tournament.exchange.reading import read_event_data
from tournament.exchange.shapes import OBJECT_KIND, FaultLog, Shape, describe_json_value
from tournament.exchange.values import EventData
from tournament.exchange.writing import TOURNAMENT_FORMAT, TOURNAMENT_VERSION, format_json, make_event_json


def read_tournament_file(content: str | bytes, *, slug: str | None = None, most_games: int | None = None) -> EventData:
    """The event that a file holds, under its own address or another one.

    Raises `Faults` with everything that is wrong, each with its line: unknown keys, values of the wrong kind or out of
    range, and what does not fit together; or at once, where there are more than `most_games`.
    """
    value, text = read_json(content, limit=limits.FILE_BYTES)
    if not isinstance(value, JsonObject):
        raise make_single_fault(
            FaultCode.WRONG_KIND, FilePlace(line=1), value=describe_json_value(value), kind=OBJECT_KIND
        )
    log = FaultLog()
    shape = Shape(value, (), log)
    if not _is_known_format(shape):
        raise FileFaults(log.faults(text))
    if most_games is not None:
        check_game_count(_count_listed_games(value), most_games)
    event = read_event_data(shape, slug=slug)
    log.add_unrelated(find_event_data_problems(event))
    if log.found:
        raise FileFaults(log.faults(text))
    return event


def _is_known_format(shape: Shape) -> bool:
    """Whether the file is one of ours, and of a version that we know; otherwise nothing else in it is checked."""
    shape.asked += ["format", "version"]
    kind, version = shape.value.get("format"), shape.value.get("version")
    if kind != TOURNAMENT_FORMAT:
        shape.log.add(FaultCode.NO_TOURNAMENT_FILE, ("format",), value=describe_json_value(kind))
        return False
    if type(version) is not int or version != TOURNAMENT_VERSION:
        shape.log.add(FaultCode.VERSION, ("version",), value=describe_json_value(version))
        return False
    return True


def _count_listed_games(value: JsonObject) -> int:
    """How many games a file lists."""
    return len(_list_elements(_list_elements(_list_elements([value], "divisions"), "rounds"), "pairings"))


def _list_elements(values: list[Any], key: str) -> list[Any]:
    """What lists under this key of these objects hold."""
    held = (value.get(key) for value in values if isinstance(value, JsonObject))
    return [each for listed in held if isinstance(listed, list) for each in listed]


def check_game_count(count: int, most: int) -> None:
    """Refuse an event with more games than may be stored while others wait."""
    if count > most:
        raise make_single_fault(FaultCode.TOO_MANY_GAMES_SENT, value=count, limit=most)


def format_tournament_file(event: EventData) -> str:
    """The file's text: the same event always gives the same text."""
    return format_json(make_event_json(event)) + "\n"
