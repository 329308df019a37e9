"""What a club and a federation say to each other about an event: a message that hands it in or asks how it stands, and
the answer. Both are signed with the secret of the club's link, as those of a mirror are."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from tournament.basics import limits
from tournament.entries.operations.numbers import FederationNumber
from tournament.exchange.tournament_file import make_event_json, read_tournament_file
from tournament.exchange.values import EventData
from tournament.federation.files import build_report_json
from tournament.federation.report import FederationReport
from tournament.mirror.messages import BadMessage, pack_state, unpack_state

CONTENT_TYPE = "application/x-tso-hand-in"
MESSAGE_FORMAT, MESSAGE_VERSION = "tso-hand-in", 1


class HandInKind(StrEnum):
    """What a club says: here is an event; how does it stand?"""

    HAND_IN = "hand_in"
    ASK = "ask"


class HandInStatus(StrEnum):
    """What the federation has made of a message. `OLD`: it knows a later one about the event. `CLOSED`: the link was
    taken back. `UNREADABLE`: it can store nothing of it. `UNKNOWN`: asked about an event that it does not have."""

    TAKEN = "taken"
    OLD = "old"
    CLOSED = "closed"
    UNREADABLE = "unreadable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class HandInMessage:
    """A message. `number` only goes up for one event, `key` tells the club's events apart, `sender` names the
    installation. `body` is what is handed in (`build_hand_in`); {} where the club only asks."""

    kind: HandInKind
    number: int
    key: str
    sender: str
    body: Mapping[str, Any]

    def pack(self) -> bytes:
        return pack_state({"format": MESSAGE_FORMAT, "version": MESSAGE_VERSION, **asdict(self)})

    @classmethod
    def unpack(cls, content: bytes) -> "HandInMessage":
        """Raises `BadMessage`."""
        fields = unpack_state(content)
        if (fields.get("format"), fields.get("version")) != (MESSAGE_FORMAT, MESSAGE_VERSION):
            raise BadMessage("format")
        try:
            kind, number = HandInKind(fields["kind"]), fields["number"]
            key, sender, body = fields["key"], fields["sender"], fields["body"]
        except (ValueError, KeyError, TypeError) as fault:
            raise BadMessage("head") from fault
        # By type: True is an int to Python. The bound keeps it within the database's column.
        if type(number) is not int or not 0 < number < 1 << 62:
            raise BadMessage("number")
        if not isinstance(sender, str) or not 0 < len(sender) <= limits.MIRROR_NONCE or not sender.isalnum():
            raise BadMessage("sender")
        if not isinstance(key, str) or not 0 < len(key) <= limits.HAND_IN_KEY or not isinstance(body, dict):
            raise BadMessage("key")
        return cls(kind, number, key, sender, body)


@dataclass(frozen=True, slots=True)
class HandInAnswer:
    """What the federation answers to message `to`: how the event stands, the officer's `question`, what could not be
    read (`fault`), and the `number` of the last message about the event that it took."""

    status: HandInStatus
    to: int
    number: int = 0
    federation: str = ""
    state: str = ""
    question: str = ""
    fault: str = ""

    def pack(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def unpack(cls, content: bytes) -> "HandInAnswer":
        """Raises `BadMessage`."""
        try:
            fields = json.loads(content)
            longest = {"federation": limits.NAME, "state": limits.WORD, "fault": limits.WHY}
            # Cut to what the columns take: a longer text is an error of the database, by which an event that has
            # arrived would count as not handed in.
            texts = {name: str(fields[name])[:most] for name, most in longest.items()}
            question = str(fields["question"])[: limits.HAND_IN_QUESTION]
            status, to, number = HandInStatus(fields["status"]), int(fields["to"]), int(fields["number"])
        # Whatever answers may be nested so deep that reading it ends in a RecursionError, which is no ValueError.
        except (ValueError, KeyError, TypeError, RecursionError) as fault:
            raise BadMessage("answer") from fault
        return cls(status, to, number, question=question, **texts)


# What is handed in.


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What a message holds that hands an event in: the event, the numbers by which federations know its players, by
    their keys in it; and as sentences what the report to the federation says beside its tables: what is missing, what
    is to be looked at, what deviates from the rules and why, exceptions, incidents with what was decided, questions."""

    event: EventData
    numbers: Mapping[str, tuple[FederationNumber, ...]]
    missing: tuple[str, ...]
    to_look_at: tuple[str, ...]
    deviations: tuple[str, ...]
    reasons: str
    exceptions: tuple[str, ...]
    incidents: tuple[str, ...]
    questions: tuple[str, ...]


def build_hand_in(report: FederationReport) -> dict[str, Any]:
    """What is handed in of an event: the tournament file and the report that everybody may save as files, and every
    number of a player. E-mail addresses, phone numbers, fees and who has checked in are not in it."""
    # By the keys of the file: the club's own primary keys say nothing to the federation.
    entries = {entry.player_id: entry.key for entry in report.entries}
    numbers = [
        {
            "player": entries[number.player_id],
            "system": number.system,
            "number": number.number,
            "is_provisional": number.is_provisional,
        }
        for numbers in report.numbers.values()
        for number in numbers
        if number.player_id in entries
    ]
    return {"event": make_event_json(report.event), "report": build_report_json(report), "numbers": numbers}


def read_hand_in(body: Mapping[str, Any]) -> HandedIn:
    """What is handed in. Raises `FileFaults` for an event that is none, `BadMessage` for anything else."""
    sent_event, report, sent_numbers = (body.get(name) for name in ("event", "report", "numbers"))
    if not isinstance(sent_event, dict) or not isinstance(report, dict) or not isinstance(sent_numbers, list):
        raise BadMessage("body")
    # Written down again, so that an event that came over the net is checked by the one reader of tournament files.
    event = read_tournament_file(json.dumps(sent_event), most_games=limits.GAMES_SENT)
    numbers: dict[str, tuple[FederationNumber, ...]] = {}
    keys = {player.id for player in event.players}
    for player, number in (_read_number(sent_number, keys) for sent_number in _read_list(sent_numbers)):
        numbers[player] = (*numbers.get(player, ()), number)
    return HandedIn(
        event,
        numbers,
        missing=_read_texts(report.get("missing")),
        to_look_at=_read_texts(report.get("to_look_at")),
        deviations=_join_texts(report.get("deviations"), ("about", "announced"), ": "),
        reasons=_read_text(report.get("deviation_reasons")),
        exceptions=_join_texts(report.get("exceptions"), ("player", "exception"), ": "),
        incidents=_join_texts(report.get("incidents"), ("players", "what", "clause", "decision", "note"), " – "),
        questions=_read_texts(report.get("questions")),
    )


def _read_list(value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) > limits.HAND_IN_LINES:
        raise BadMessage("list")
    return value


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise BadMessage("text")
    return value[: limits.HAND_IN_LINE]


def _read_texts(value: Any) -> tuple[str, ...]:
    return tuple(map(_read_text, _read_list(value)))


def _join_texts(value: Any, names: Sequence[str], between: str) -> tuple[str, ...]:
    """Each object of a list as one text."""
    lines = []
    for part in _read_list(value):
        if not isinstance(part, dict):
            raise BadMessage("object")
        lines.append(between.join(filter(None, (_read_text(part.get(name)) for name in names))))
    return tuple(lines)


def _read_number(value: Any, keys: set[str]) -> tuple[str, FederationNumber]:
    """A number, and the key of the player whose it is, which must be among these."""
    if not isinstance(value, dict):
        raise BadMessage("number")
    player, system, number, is_provisional = (
        value.get(name) for name in ("player", "system", "number", "is_provisional")
    )
    texts = all(isinstance(text, str) for text in (player, system, number))
    if not texts or player not in keys or type(is_provisional) is not bool:
        raise BadMessage("number")
    assert isinstance(system, str)
    assert isinstance(number, str)
    if not 0 < len(system) <= limits.NUMBER_SYSTEM or not 0 < len(number) <= limits.PLAYER_NUMBER:
        raise BadMessage("number")
    return str(player), FederationNumber(system, number, is_provisional).tidied()
