"""A tournament from files that somebody sends through the browser: one file, several, or a zip of them."""

import io
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from tournament import limits
from tournament.exchange import faults, tournament_file
from tournament.exchange.faults import Code, quoted
from tournament.exchange.json_text import too_large
from tournament.exchange.tsh import reading
from tournament.exchange.tsh.files import CONFIG_NAMES, SCRIPT_NAME
from tournament.exchange.tsh.reading import Read
from tournament.exchange.zip_files import ZIP_MARK, check_parts

LONGEST_NAME = 60
"""Characters; four times as many bytes are what every file system takes."""

_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What zipfile raises on broken, encrypted or unknown archives."""


def read(sent: Mapping[str, bytes], *, tso_order: bool = False) -> Read:
    """The event in the files sent, by name: a tournament file, or files of tsh.

    With `tso_order` a tsh event is ranked by the TSO's criteria, else as tsh does it. Raises `Faults` with everything
    that is wrong, or if there are more games than can be stored while others wait.
    """
    found, title = dict(sent), "tsh"
    if len(found) == 1:
        ((name, content),) = found.items()
        if content.startswith(ZIP_MARK):
            found, title = unpacked(content, name), base_name(PurePosixPath(name).stem)
    names = {name.casefold(): name for name in found}
    if len(found) == 1:
        ((name, content),) = found.items()
        if name.casefold().endswith(".json") or content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return Read(tournament_file.read(content, most_games=limits.GAMES_SENT), ())
    begin = next((names[name] for name in (*CONFIG_NAMES, SCRIPT_NAME) if name in names), None)
    if begin is None and len(found) > 1:
        raise faults.one(Code.TSH_NO_CONFIG, value=quoted(", ".join(found)))
    if not found:
        raise faults.one(Code.NO_PLAYERS)
    if (size := sum(map(len, found.values()))) > limits.TSH_BYTES:
        raise too_large(size, limits.TSH_BYTES)
    return _tsh(found, begin or next(iter(found)), title, tso_order=tso_order)


def _tsh(found: Mapping[str, bytes], begin: str, title: str, *, tso_order: bool) -> Read:
    """Read tsh's files where their reader expects them: side by side in a folder, which is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="tso-") as scratch:
        folder = Path(scratch) / title
        folder.mkdir()
        for name, content in found.items():
            (folder / name).write_bytes(content)
        order = reading.TSO_ORDER if tso_order else None
        return reading.read(folder / begin, order=order, most_games=limits.GAMES_SENT)


def base_name(name: str) -> str:
    """The last part of a file's name, without dots before it, so that nothing is written anywhere else."""
    last = PurePosixPath(name.replace("\\", "/").replace("\0", "")).name.lstrip(".")
    return last[-LONGEST_NAME:] or "file"


def unpacked(content: bytes, name: str) -> dict[str, bytes]:
    """The files of a zip that belong together: those next to its configuration. Raises `Faults`."""
    try:
        check_parts(content, limits.FILES)
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            wanted = _beside_the_configuration(parts.infolist())
            return {base_name(part.filename): _content(parts, part) for part in wanted}
    except _BROKEN_ZIP as error:
        raise faults.one(Code.NOT_READABLE, value=quoted(name), why=quoted(str(error))) from error


def _beside_the_configuration(parts: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    files = [part for part in parts if not part.is_dir() and not part.filename.startswith("__MACOSX/")]
    if sum(part.file_size for part in files) > limits.FILE_BYTES:
        raise too_large(sum(part.file_size for part in files), limits.FILE_BYTES, Code.UNPACKED_TOO_LARGE)
    begins = [part for part in files if base_name(part.filename).casefold() in (*CONFIG_NAMES, SCRIPT_NAME)]
    if not begins:
        return files
    # The one nearest the top; next to a configuration, a tourney.js is only what tsh made of it.
    begin = min(begins, key=lambda part: (part.filename.count("/"), SCRIPT_NAME in part.filename.casefold()))
    folder = PurePosixPath(begin.filename).parent
    return [part for part in files if PurePosixPath(part.filename).parent == folder]


def _content(parts: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """A part's bytes; the size that it states is not trusted."""
    with parts.open(part) as stream:
        content = stream.read(limits.FILE_BYTES + 1)
    if len(content) > limits.FILE_BYTES:
        raise too_large(len(content), limits.FILE_BYTES)
    return content
