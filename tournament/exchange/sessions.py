"""Duplicate sessions: the file of a sealed one that clubs are sent, and a division's part of the tournament file. The
rows of a session are kept by the app above."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring.sealed import Envelope
from tournament.basics import limits
from tournament.core.change import Change
from tournament.exchange.faults import FaultCode, FileFaults
from tournament.exchange.json_text import format_json
from tournament.exchange.objects import make_object_json
from tournament.exchange.shapes import open_file_shape
from tournament.exchange.tournament_file import read_envelope
from tournament.exchange.values import DuplicateData
from tournament.models import Division, Entry, Tournament

SEALED_FORMAT, SEALED_VERSION = "tso-sealed-session", 1


def read_sealed_file(content: str | bytes) -> Envelope:
    """The sealed session that a file holds. Raises `FileFaults` with everything that is wrong, each with its line."""
    shape, text = open_file_shape(
        content,
        limit=limits.SEALED_BYTES,
        file_format=SEALED_FORMAT,
        version=SEALED_VERSION,
        other=FaultCode.NO_SEALED_FILE,
    )
    found = read_envelope(shape)
    if shape.log.found:
        raise FileFaults(shape.log.faults(text))
    return found


def format_sealed_file(value: Envelope) -> str:
    return f"{format_json({'format': SEALED_FORMAT, 'version': SEALED_VERSION, **make_object_json(value)})}\n"


@dataclass(frozen=True, slots=True)
class SessionStore:
    """How the app above keeps sessions: `store` within an open change, `load` all of a tournament by division."""

    store: Callable[[Change, Division, DuplicateData, Mapping[str, Entry]], None]
    load: Callable[[Tournament, Mapping[int, str]], dict[int, DuplicateData]]


SESSION_STORES: list[SessionStore] = []  # filled by the app above when it is ready (`games.registers`)


def store_duplicate_data(log: Change, division: Division, session: DuplicateData, entries: Mapping[str, Entry]) -> None:
    for one in SESSION_STORES:
        one.store(log, division, session, entries)


def load_duplicate_data(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, DuplicateData]:
    """The sessions by division, with the players' ids by entry. Five queries; none where players meet."""
    if tournament.rules.is_paired:
        return {}
    return {pk: session for one in SESSION_STORES for pk, session in one.load(tournament, keys).items()}
