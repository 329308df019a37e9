"""What a laptop and a mirror say to each other: one signed message each way. A message is a line of JSON, then the
compressed public state where there is one; an answer is a line of JSON. Both are signed with the link's secret, so that
neither side believes what a line in between has made of it."""

import hashlib
import hmac
import json
import zlib
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from django.utils.crypto import salted_hmac

from tournament.basics import limits
from tournament.models import HandInLink, MirrorLink

PACK_LEVEL = 9  # a line out of a hall is slow; 80 players take 20 ms
SIGNATURE_HEADER = "X-TSO-Signature"
CONTENT_TYPE = "application/x-tso-mirror"


class MessageKind(StrEnum):
    """What a laptop says. `ALIVE`: nothing is new. `REST`: it will be silent for a while. `HIDE`: the director has
    hidden the event. `REMOVE`: nothing of it is to stay. `PHOTO`: a picture that the last state names and the mirror
    has asked for; it comes beside the others, in no order."""

    STATE = "state"
    ALIVE = "alive"
    REST = "rest"
    HIDE = "hide"
    REMOVE = "remove"
    PHOTO = "photo"


class AnswerStatus(StrEnum):
    """What the mirror has made of a message. `OLD`: it knows a later one. `OTHER`: another laptop sends the event.
    `AGAIN`: it has no state yet, or one of another laptop. `CLOSED`: the link was taken back. `UNREADABLE`: the state
    is none that it can store."""

    TAKEN = "taken"
    OLD = "old"
    OTHER = "other"
    AGAIN = "again"
    CLOSED = "closed"
    UNREADABLE = "unreadable"


class BadMessage(ValueError):
    """Bytes that are no message, or not from whom they say."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it is sent; `revision` only ever goes up, `sender` names the laptop's installation."""

    kind: MessageKind
    revision: int
    sender: str
    takes_over: bool = False
    payload: bytes = b""

    def pack(self) -> bytes:
        head = {**asdict(self), "payload": hashlib.sha256(self.payload).hexdigest()}
        return json.dumps(head).encode() + b"\n" + self.payload

    @classmethod
    def unpack(cls, content: bytes) -> "Message":
        """Raises `BadMessage`."""
        head, _end, payload = content.partition(b"\n")
        try:
            fields = json.loads(head)
            kind, revision, sender = MessageKind(fields["kind"]), fields["revision"], fields["sender"]
            takes_over, digest = fields["takes_over"], fields["payload"]
        except (ValueError, KeyError, TypeError, RecursionError) as fault:
            raise BadMessage("head") from fault
        # By type: True is an int to Python. The bound keeps it within the database's column.
        if type(revision) is not int or not 0 < revision < 1 << 62 or type(takes_over) is not bool:
            raise BadMessage("revision")
        if not isinstance(sender, str) or not 0 < len(sender) <= limits.MIRROR_NONCE or not sender.isalnum():
            raise BadMessage("sender")
        if digest != hashlib.sha256(payload).hexdigest():
            raise BadMessage("payload")
        return cls(kind, revision, sender, takes_over, payload)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the mirror answers to message `to`. `revision` is that of the last message it took, `rival` when another
    laptop last tried to send, as people in the hall say it, `path` where the event is shown, `fault` what it could not
    read, `wants` the photos (by SHA-256) that the state names and that have not come yet."""

    status: AnswerStatus
    to: int
    revision: int
    path: str = ""
    rival: str = ""
    fault: str = ""
    wants: tuple[str, ...] = ()

    def pack(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def unpack(cls, content: bytes) -> "Answer":
        """Raises `BadMessage`."""
        try:
            fields = json.loads(content)
            texts = {name: str(fields[name])[: limits.WHY] for name in ("path", "rival", "fault")}
            # An older mirror says nothing of photos.
            wants = tuple(str(photo) for photo in fields.get("wants", [])[: limits.MIRROR_PHOTOS])
            return cls(AnswerStatus(fields["status"]), int(fields["to"]), int(fields["revision"]), **texts, wants=wants)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
            raise BadMessage("answer") from fault


def make_secret(link: MirrorLink | HandInLink) -> str:
    """The secret of a link. It is stored nowhere on the side that made the link."""
    return salted_hmac(link.SECRET_SALT, link.nonce, algorithm="sha256").hexdigest()[: limits.MIRROR_SECRET]


def sign(secret: str, content: bytes) -> str:
    """The signature of a message or an answer."""
    return hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()


def is_signed(secret: str, content: bytes, signature: str) -> bool:
    """Whether the signature is that of the secret."""
    # Compared in constant time, so that nobody finds a signature byte by byte. As bytes: of text only ASCII can be
    # compared.
    return hmac.compare_digest(sign(secret, content).encode(), signature.encode("ascii", "replace"))


def pack_state(state: dict[str, Any]) -> bytes:
    """A public state, compressed."""
    return zlib.compress(json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode(), PACK_LEVEL)


def unpack_state(packed: bytes) -> dict[str, Any]:
    """Raises `BadMessage` for what is no such state, or more than an event can be."""
    unpacking = zlib.decompressobj()
    try:
        # A few kilobytes of zeros unpack to gigabytes: no more than the limit is ever unpacked, and what is left over
        # is refused.
        text = unpacking.decompress(packed, limits.FILE_BYTES)
        if unpacking.unconsumed_tail or not unpacking.eof:
            raise BadMessage("size")
        # Counted before they are objects: a megabyte of brackets becomes twenty megabytes of lists.
        if text.count(b"{") + text.count(b"[") > limits.CONTAINERS or text.count(b",") > limits.VALUES:
            raise BadMessage("values")
        state = json.loads(text)
    except (zlib.error, ValueError, RecursionError) as fault:
        raise BadMessage("state") from fault
    if not isinstance(state, dict):
        raise BadMessage("state")
    return state
