"""Duplicate sessions: the file of a sealed one that clubs are sent, and a division's part of the tournament file.

The rows of a session are kept by the app above.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring.letters import LETTER_SETS
from scoring.sealed import Envelope, SealedTurn
from tournament.basics import limits
from tournament.core.change import Change
from tournament.exchange.faults import FaultCode, FileFaults, quote_value
from tournament.exchange.json_text import format_json
from tournament.exchange.objects import make_object_json, read_object
from tournament.exchange.shapes import Shape, open_file_shape
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
    """The file of a sealed session."""
    return f"{format_json({'format': SEALED_FORMAT, 'version': SEALED_VERSION, **make_object_json(value)})}\n"


def read_envelope(shape: Shape) -> Envelope:
    """A sealed session out of a JSON object."""
    value = Envelope(
        name=shape.text("name", longest=limits.SEALED_NAME, required=True),
        ruleset=shape.text("ruleset", longest=limits.WORD, required=True),
        letters=_read_letters(shape),
        max_turns=shape.whole("max_turns", limits.DUPLICATE_TURNS, required=True) or 1,
        seconds=shape.whole("seconds", limits.TURN_SECONDS, required=True) or 1,
        words=shape.text("words", longest=limits.WORD_LIST),
        words_hash=shape.text("words_hash", longest=limits.HASH),
        masters=shape.flag("masters"),
        salt=shape.text("salt", longest=limits.HASH, required=True),
        turns=tuple(_read_sealed_turn(each) for each in shape.shapes("turns", most=limits.DUPLICATE_TURNS.high)),
    )
    shape.close()
    return value


def _read_sealed_turn(shape: Shape) -> SealedTurn:
    value = SealedTurn(
        hash=shape.text("hash", longest=limits.HASH, required=True),
        content=shape.text("content", longest=limits.SEALED_TURN, required=True),
    )
    shape.close()
    return value


def _read_letters(shape: Shape) -> str:
    letters = shape.text("letters", longest=limits.WORD, required=True)
    if letters and letters not in LETTER_SETS:
        shape.note(FaultCode.NOT_ALLOWED, "letters", value=quote_value(letters), allowed=", ".join(LETTER_SETS))
    return letters


@dataclass(frozen=True, slots=True)
class SessionStore:
    """How the app above keeps sessions: `store` within an open change, `load` all of a tournament by division."""

    store: Callable[[Change, Division, DuplicateData, Mapping[str, Entry]], None]
    load: Callable[[Tournament, Mapping[int, str]], dict[int, DuplicateData]]


SESSION_STORES: list[SessionStore] = []
"""Filled by the app above when it is ready (`games.registers`)."""


def store_duplicate_data(log: Change, division: Division, session: DuplicateData, entries: Mapping[str, Entry]) -> None:
    """Store a checked session."""
    for one in SESSION_STORES:
        one.store(log, division, session, entries)


def load_duplicate_data(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, DuplicateData]:
    """The sessions by division; `keys` maps the entries' keys to the players' ids in the file.

    Five queries, or none for a tournament in which players meet.
    """
    if tournament.rules.is_paired:
        return {}
    return {pk: session for one in SESSION_STORES for pk, session in one.load(tournament, keys).items()}


def read_duplicate_data(shape: Shape) -> DuplicateData:
    """The session of a division."""
    sealed = shape.shape("sealed")
    return read_object(
        shape, DuplicateData, letters=_read_letters(shape), sealed=read_envelope(sealed) if sealed else None
    )
