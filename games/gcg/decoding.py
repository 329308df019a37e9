"""From bytes to text: which characters a GCG file is written in.

The format's first line may say so; without it the specification means ISO 8859-1, yet many programs write UTF-8. Bytes
beyond ASCII that are valid UTF-8 are practically never anything else, so that is looked at first.
"""

import codecs
import re

from games.gcg.values import Code, Problem, Unreadable
from games.limits import GCG_BYTES
from tournament import names

_DECLARED = re.compile(rb"^[ \t]*#character-encoding[ \t]+([!-~]+)", re.IGNORECASE | re.MULTILINE)
_LATIN = frozenset({"iso8859-1", "latin-1", "cp1252", "iso8859-15", "ascii", "iso-8859-1"})
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def decode(content: bytes) -> tuple[str, str, list[Problem]]:
    """The text, the encoding it was read in, and what the file says wrongly of it. Raises `Unreadable` if not text."""
    if len(content) > GCG_BYTES:
        raise Unreadable(Problem(Code.TOO_LARGE, figures={"size": len(content), "limit": GCG_BYTES}))
    text, encoding, warnings = _decoded(content)
    if not text.strip():
        raise Unreadable(Problem(Code.EMPTY))
    if _CONTROLS.search(text):
        raise Unreadable(Problem(Code.BINARY))
    return names.composed(text), encoding, warnings


def _decoded(content: bytes) -> tuple[str, str, list[Problem]]:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            text = _tried(content.removeprefix(mark) if encoding == "utf-8" else content, encoding)
            if text is None:
                raise Unreadable(Problem(Code.BINARY))
            return text, encoding, []
    declared, line = _declared(content)
    text = _tried(content, "utf-8")
    if text is not None:
        return text, "utf-8", [] if text.isascii() else _remarks(declared, line, "utf-8")
    return _latin(content), "cp1252", _remarks(declared, line, "cp1252")


def _declared(content: bytes) -> tuple[str, int]:
    """What the file calls its encoding ("" if it does not say), and the number of that line."""
    found = _DECLARED.search(content)
    if found is None:
        return "", 0
    return found.group(1).decode("ascii"), len(re.findall(rb"\r\n|\r|\n", content[: found.start(1)])) + 1


def _remarks(declared: str, line: int, read_as: str) -> list[Problem]:
    """What to say if the encoding that the file names is not the one it is written in."""
    if not declared:
        return []
    try:
        name = codecs.lookup(declared).name
    except LookupError:
        return [Problem(Code.UNKNOWN_ENCODING, line, {"value": declared, "used": read_as})]
    if name == read_as or (read_as == "cp1252" and name in _LATIN):
        return []
    return [Problem(Code.WRONG_ENCODING, line, {"value": declared, "used": read_as})]


def _tried(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeError:
        return None


def _latin(content: bytes) -> str:
    """Latin-1 with the quotation marks and dashes that Windows puts into its gap."""
    return _tried(content, "cp1252") or content.decode("latin-1")
