"""A duplicate session that is fixed beforehand and played by several clubs. Each turn is sealed, and opened by a code.
Each turn is encrypted under a code of its own, and the file commits to its content by a hash. So nobody can read a turn
without its code, and everybody can check afterwards that none was changed. The codes of the turns are derived from one
opening code; a turn's code gives away neither the opening code nor another turn's."""

import base64
import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any

from scoring.board import RACK_SIZE
from scoring.duplicate import lacking_kind
from scoring.letters import LetterSet
from scoring.plays import Play

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without I, O, 0 and 1: codes are read out and typed

OPENING_LENGTH, TURN_LENGTH = 16, 12  # the letters of a code, five bits each

PADDED_BYTES = 768  # every sealed content has so many bytes, so that its length gives nothing away

SALT_BYTES = 16
TAG_BYTES = 32


class WrongCode(Exception):
    """The code does not open this, or what it opens is not what was sealed."""


@dataclass(frozen=True, slots=True)
class FixedTurn:
    """What is fixed for a turn: the draw, the draws put back before it, and the master word; None: clubs lay their own.
    `reserve`: the order in which the other tiles of the set replace those of the draw that lie on a club's board."""

    draw: str
    redrawn: tuple[str, ...] = ()
    master: Play | None = None
    reserve: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.draw, str(self.master) if self.master else "")))


@dataclass(frozen=True, slots=True)
class SealedTurn:
    """A sealed turn: the hash of what was fixed, and its encrypted text."""

    hash: str
    content: str


@dataclass(frozen=True, slots=True)
class Envelope:
    """A sealed session as it is sent to the clubs. `words`: the title of its word list; `words_hash`: of the file."""

    name: str
    ruleset: str
    letters: str
    max_turns: int
    seconds: int
    words: str
    words_hash: str
    masters: bool
    salt: str
    turns: tuple[SealedTurn, ...]

    @property
    def fingerprint(self) -> str:
        """A hash that is different for every sealed session."""
        # Keys in order, so that the fingerprint hangs on what is sealed and not on the order of the fields.
        text = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def mark(self) -> str:
        """The beginning of the fingerprint, for people to compare."""
        return self.fingerprint[:8].upper()


def add_reserve(turn: FixedTurn, letters: LetterSet, seed: int, number: int) -> FixedTurn:
    """The turn with its reserve, the rest of the set in an order that follows from the seed."""
    held = Counter({tile.letter: tile.count for tile in letters.tiles})
    held.subtract(turn.draw)
    rest = list((+held).elements())
    # Seeded by a text, which gives the same order in every process; with the number in it, another one for each turn.
    Random(f"{seed}/{number}/reserve").shuffle(rest)
    return replace(turn, reserve="".join(rest))


def due_draw(turn: FixedTurn, bag: str) -> tuple[str, tuple[str, ...]]:
    """What is drawn in a club whose bag holds these tiles, and the draws that are put back before it. The same bag
    gives the same draw everywhere. Tiles of the draw that the bag does not hold are replaced from the reserve. Raises
    ValueError if the bag cannot give seven tiles with a vowel and a consonant."""
    order = "".join(_keep_held_tiles(turn.draw + turn.reserve, bag))
    # Only where the bag still holds the whole draw do the draws that were put back before it belong to it.
    if len(order) >= RACK_SIZE and order[:RACK_SIZE] == turn.draw:
        return turn.draw, turn.redrawn
    # Whole hands only: fewer than seven tiles are no draw.
    hands = [order[at : at + RACK_SIZE] for at in range(0, len(order) - RACK_SIZE + 1, RACK_SIZE)]
    good = next((place for place, hand in enumerate(hands) if not lacking_kind(hand)), None)
    if good is not None:
        return hands[good], tuple(hands[:good])
    # No seven in a row have both kinds: six are drawn, and the first tile after them that supplies what is missing.
    first = order[: RACK_SIZE - 1]
    fitting = next((first + tile for tile in order[RACK_SIZE:] if not lacking_kind(first + tile)), None)
    if fitting is None:
        raise ValueError(f"no draw out of {bag!r}")
    return fitting, tuple(hands)


def _keep_held_tiles(order: str, bag: str) -> Iterator[str]:
    bag_left = Counter(bag)
    for tile in order:
        if bag_left[tile]:
            bag_left[tile] -= 1
            yield tile


def make_opening_code(random: Random) -> str:
    """An opening code; `random` should be unpredictable (`secrets.SystemRandom`)."""
    return _group_code("".join(random.choices(CODE_LETTERS, k=OPENING_LENGTH)))


def tidy_code(code: str) -> str:
    """The code in capitals, without spaces and hyphens."""
    return "".join(mark for mark in code.upper() if mark.isalnum())


def _group_code(code: str) -> str:
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def is_opening_code(code: str) -> bool:
    """Whether the code is as long as one that opens every turn."""
    return len(tidy_code(code)) == OPENING_LENGTH


def derive_turn_code(salt: str, code: str, number: int) -> str:
    """The code of one turn, from the opening code."""
    digest = hmac.digest(_stretch_code(tidy_code(code), salt), f"turn {number}".encode(), "sha256")
    # The 32 letters divide 256, so that none is likelier than another.
    return _group_code("".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in digest[:TURN_LENGTH]))


SCRYPT_COST = 2**14
"""The work that trying one code takes: a twentieth of a second, and 16 MB."""


@lru_cache(maxsize=256)
def _stretch_code(code: str, salt: str) -> bytes:
    """A key from a code, slow to make so that codes cannot be tried by the million."""
    return hashlib.scrypt(code.encode(), salt=salt.encode(), n=SCRYPT_COST, r=8, p=1, dklen=32)


def seal_turns(head: Envelope, turns: tuple[FixedTurn, ...], code: str, random: Random) -> Envelope:
    """The session with these turns sealed under an opening code; the turns and the salt of `head` are replaced."""
    salt = random.randbytes(SALT_BYTES).hex()
    seals = tuple(
        _seal_turn(turn, number, salt, derive_turn_code(salt, code, number), random)
        for number, turn in enumerate(turns, 1)
    )
    return replace(head, salt=salt, turns=seals)


def _seal_turn(turn: FixedTurn, number: int, salt: str, code: str, random: Random) -> SealedTurn:
    master = [turn.master.position, turn.master.word] if turn.master else None
    fixed: dict[str, Any] = {"draw": turn.draw, "redrawn": turn.redrawn, "master": master, "reserve": turn.reserve}
    # Without a salt whoever guesses a draw could check the guess against the hash, which everybody has.
    fixed |= {"turn": number, "salt": random.randbytes(SALT_BYTES).hex()}
    # Filled up with spaces, which `json.loads` passes over.
    content = json.dumps(fixed, ensure_ascii=False).encode().ljust(PADDED_BYTES)
    key = _stretch_code(tidy_code(code), f"{salt}/{number}")
    hidden = _apply_key_stream(content, key)
    tag = hmac.digest(key, b"tag" + hidden, "sha256")
    return SealedTurn(hashlib.sha256(content).hexdigest(), base64.b64encode(tag + hidden).decode())


def _apply_key_stream(content: bytes, key: bytes) -> bytes:
    """The content XORed with a stream from the key; doing so twice restores it. A key is used for one content only."""
    stream = hashlib.shake_256(b"stream" + key).digest(len(content))
    return bytes(one ^ other for one, other in zip(content, stream, strict=True))


@lru_cache(maxsize=1024)
def open_sealed_turn(envelope: Envelope, number: int, code: str) -> FixedTurn:
    """Open turn `number` by its own code or the opening code. Raises `WrongCode`, also if the content was changed."""
    # Turns count from 1: for a turn 0 the index −1 would open the last one.
    if not 1 <= number <= len(envelope.turns):
        raise WrongCode
    own = derive_turn_code(envelope.salt, code, number) if is_opening_code(code) else code
    key = _stretch_code(tidy_code(own), f"{envelope.salt}/{number}")
    sealed = envelope.turns[number - 1]
    try:
        # Strictly: otherwise a text with signs of no meaning in between would open as well.
        raw = base64.b64decode(sealed.content, validate=True)
    except ValueError as fault:
        raise WrongCode from fault
    tag, hidden = raw[:TAG_BYTES], raw[TAG_BYTES:]
    if not hmac.compare_digest(tag, hmac.digest(key, b"tag" + hidden, "sha256")):
        raise WrongCode
    content = _apply_key_stream(hidden, key)
    # The tag proves the code; only the hash proves the content, since whoever has the code could seal something else.
    if hashlib.sha256(content).hexdigest() != sealed.hash:
        raise WrongCode
    return _turn_from_json(json.loads(content))


def _turn_from_json(fixed: dict[str, Any]) -> FixedTurn:
    """What was fixed. Raises `WrongCode` if another program sealed something else."""
    try:
        master = Play.parse(*fixed["master"]) if fixed["master"] else None
        return FixedTurn(str(fixed["draw"]), tuple(map(str, fixed["redrawn"])), master, str(fixed["reserve"]))
    except (KeyError, TypeError, ValueError) as fault:
        raise WrongCode from fault
