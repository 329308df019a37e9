"""A sealed duplicate session: the file that clubs are sent, and its part of a tournament file."""

from scoring.letters import LETTER_SETS
from scoring.sealed import Envelope, Seal
from tournament import limits
from tournament.exchange import faults, file_writing, json_text
from tournament.exchange.faults import Code, Place, quoted
from tournament.exchange.json_text import Object
from tournament.exchange.shapes import OBJECT, FaultLog, Shape, described

FORMAT, VERSION = "tso-sealed-session", 1


def read(content: str | bytes) -> Envelope:
    """The sealed session that a file holds. Raises `Faults` with everything that is wrong, each with its line."""
    value, text = json_text.load(content, limit=limits.SEALED_BYTES)
    if not isinstance(value, Object):
        raise faults.one(Code.WRONG_KIND, Place(line=1), value=described(value), kind=OBJECT)
    log = FaultLog()
    shape = Shape(value, (), log)
    shape.asked += ["format", "version"]
    if value.get("format") != FORMAT:
        log.add(Code.NO_SEALED_FILE, ("format",), value=described(value.get("format")))
    elif value.get("version") != VERSION:
        log.add(Code.VERSION, ("version",), value=described(value.get("version")))
    if log.found:
        raise faults.Faults(log.faults(text))
    found = envelope(shape)
    if log.found:
        raise faults.Faults(log.faults(text))
    return found


def write(value: Envelope) -> str:
    """The file of a sealed session."""
    return f"{file_writing.formatted({'format': FORMAT, 'version': VERSION, **file_writing.sealed(value)})}\n"


def envelope(shape: Shape) -> Envelope:
    """A sealed session out of a JSON object."""
    letters = shape.text("letters", longest=limits.WORD, required=True)
    if letters and letters not in LETTER_SETS:
        shape.note(Code.NOT_ALLOWED, "letters", value=quoted(letters), allowed=", ".join(LETTER_SETS))
    found = Envelope(
        name=shape.text("name", longest=limits.SEALED_NAME, required=True),
        ruleset=shape.text("ruleset", longest=limits.WORD, required=True),
        letters=letters,
        max_turns=shape.whole("max_turns", limits.DUPLICATE_TURNS, required=True) or 1,
        seconds=shape.whole("seconds", limits.TURN_SECONDS, required=True) or 1,
        words=shape.text("words", longest=limits.WORD_LIST),
        words_hash=shape.text("words_hash", longest=limits.HASH),
        masters=shape.flag("masters"),
        salt=shape.text("salt", longest=limits.HASH, required=True),
        turns=tuple(_seal(each) for each in shape.shapes("turns", most=limits.DUPLICATE_TURNS.high)),
    )
    shape.close()
    return found


def _seal(shape: Shape) -> Seal:
    found = Seal(
        hash=shape.text("hash", longest=limits.HASH, required=True),
        content=shape.text("content", longest=limits.SEALED_TURN, required=True),
    )
    shape.close()
    return found
