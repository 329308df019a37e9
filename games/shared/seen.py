"""What a page showed of a table when it was made, sent back with what is posted."""

import hashlib

from tournament.forms import fields
from tournament.models import Pairing


def seen(pairing: Pairing) -> str:
    """What the page shows of a table, for the post to send back: the official version (0: none) and who sits there."""
    version = pairing.result.version if pairing.result else 0
    return "-".join(str(part) for part in (version, *(seat.entry_id for seat in pairing.seats.all())))


def was_seen(text: str) -> tuple[int, tuple[int, ...]]:
    """The version and the entries that `seen` wrote; no entries if the text is not from `seen`."""
    numbers = [number for number in map(fields.key, text.split("-")) if number is not None]
    if len(numbers) <= text.count("-"):
        return 0, ()
    return numbers[0], tuple(numbers[1:])


def fingerprint(stated: object, seen: str) -> str:
    """A short text that stands for what was asked about: if values or version change, the page asks again."""
    return hashlib.sha256(repr((stated, seen)).encode()).hexdigest()[:16]
