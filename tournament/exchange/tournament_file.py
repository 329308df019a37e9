"""The tournament file: JSON in UTF-8 that holds a whole event. Reading and formatting are inverse to each other."""

from typing import Any

from tournament.basics import limits
from tournament.exchange.checks import find_event_data_problems
from tournament.exchange.faults import FaultCode, FileFaults, make_single_fault
from tournament.exchange.json_text import JsonObject
from tournament.exchange.reading import read_event_data
from tournament.exchange.shapes import open_file_shape
from tournament.exchange.values import EventData
from tournament.exchange.writing import TOURNAMENT_FORMAT, TOURNAMENT_VERSION, format_json, make_event_json


def read_tournament_file(content: str | bytes, *, slug: str | None = None, most_games: int | None = None) -> EventData:
    """The event that a file holds, under its own address or another one.

    Raises `FileFaults` with everything that is wrong, each with its line: unknown keys, values of the wrong kind or out
    of range, and what does not fit together; or at once, where there are more than `most_games`.
    """
    shape, text = open_file_shape(
        content,
        limit=limits.FILE_BYTES,
        file_format=TOURNAMENT_FORMAT,
        version=TOURNAMENT_VERSION,
        other=FaultCode.NO_TOURNAMENT_FILE,
    )
    if most_games is not None:
        check_game_count(_count_listed_games(shape.value), most_games)
    event = read_event_data(shape, slug=slug)
    shape.log.add_unrelated(find_event_data_problems(event))
    if shape.log.found:
        raise FileFaults(shape.log.faults(text))
    return event


def _count_listed_games(value: JsonObject) -> int:
    """How many games a file lists."""
    found: list[Any] = [value]
    for key in ("divisions", "rounds", "pairings"):
        held = (each.get(key) for each in found if isinstance(each, JsonObject))
        found = [each for listed in held if isinstance(listed, list) for each in listed]
    return len(found)


def check_game_count(count: int, most: int) -> None:
    """Refuse an event with more games than may be stored while others wait."""
    if count > most:
        raise make_single_fault(FaultCode.TOO_MANY_GAMES_SENT, value=count, limit=most)


def format_tournament_file(event: EventData) -> str:
    """The file's text: the same event always gives the same text."""
    return format_json(make_event_json(event)) + "\n"
