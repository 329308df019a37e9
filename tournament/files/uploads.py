"""A tournament from files that somebody sends through the browser: one file, several, or a zip of them."""

import io
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from tournament.basics import limits
from tournament.exchange.faults import FaultCode, make_single_fault, quote_value
from tournament.exchange.json_text import make_size_fault
from tournament.exchange.rows import ZIP_MARK, check_zip_entries
from tournament.exchange.tournament_file import read_tournament_file
from tournament.tsh.reading import TOURNEY_JS_NAME, TSH_CONFIG_NAMES, TSO_ORDER, ImportedEvent, read_tsh_event

MAX_NAME_LENGTH = 60  # characters; four times as many bytes are what every file system takes

_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
"""What zipfile raises on broken, encrypted or unknown archives."""


def read_uploaded_event(sent: Mapping[str, bytes], *, tso_order: bool = False) -> ImportedEvent:
    """The event in the files sent, by name: a tournament file, or files of tsh. With `tso_order` a tsh event is ranked
    by the TSO's criteria, else as tsh does it. Raises `FileFaults` with everything that is wrong, or if there are more
    games than can be stored while others wait."""
    found, title = dict(sent), "tsh"
    if len(found) == 1:
        ((name, content),) = found.items()
        if content.startswith(ZIP_MARK):
            found, title = unpack_zip(content, name), get_base_name(PurePosixPath(name).stem)
    names = {name.casefold(): name for name in found}
    if len(found) == 1:
        ((name, content),) = found.items()
        if name.casefold().endswith(".json") or content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return ImportedEvent(read_tournament_file(content, most_games=limits.GAMES_SENT), ())
    begin = next((names[name] for name in (*TSH_CONFIG_NAMES, TOURNEY_JS_NAME) if name in names), None)
    if begin is None and len(found) > 1:
        raise make_single_fault(FaultCode.TSH_NO_CONFIG, value=quote_value(", ".join(found)))
    if not found:
        raise make_single_fault(FaultCode.NO_PLAYERS)
    if (size := sum(map(len, found.values()))) > limits.TSH_BYTES:
        raise make_size_fault(size, limits.TSH_BYTES)
    # tsh's files are read where their reader expects them: side by side in a folder, which is deleted afterwards.
    with tempfile.TemporaryDirectory(prefix="tso-") as scratch:
        folder = Path(scratch) / title
        folder.mkdir()
        for name, content in found.items():
            (folder / name).write_bytes(content)
        order = TSO_ORDER if tso_order else None
        return read_tsh_event(folder / (begin or next(iter(found))), order=order, most_games=limits.GAMES_SENT)


def get_base_name(name: str) -> str:
    """The last part of a file's name, without dots before it, so that nothing is written anywhere else."""
    last = PurePosixPath(name.replace("\\", "/").replace("\0", "")).name.lstrip(".")
    return last[-MAX_NAME_LENGTH:] or "file"


def unpack_zip(content: bytes, name: str) -> dict[str, bytes]:
    """The files of a zip that belong together: those next to its configuration. Raises `FileFaults`."""
    try:
        check_zip_entries(content, limits.FILES)
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            found = {}
            for part in _select_event_files(parts.infolist()):
                with parts.open(part) as stream:
                    content = stream.read(limits.FILE_BYTES + 1)  # the size that it states is not trusted
                if len(content) > limits.FILE_BYTES:
                    raise make_size_fault(len(content), limits.FILE_BYTES)
                found[get_base_name(part.filename)] = content
            return found
    except _BROKEN_ZIP as error:
        raise make_single_fault(FaultCode.NOT_READABLE, value=quote_value(name), why=quote_value(str(error))) from error


def _select_event_files(parts: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    files = [part for part in parts if not part.is_dir() and not part.filename.startswith("__MACOSX/")]
    if (size := sum(part.file_size for part in files)) > limits.FILE_BYTES:
        raise make_size_fault(size, limits.FILE_BYTES, FaultCode.UNPACKED_TOO_LARGE)
    begins = [part for part in files if get_base_name(part.filename).casefold() in (*TSH_CONFIG_NAMES, TOURNEY_JS_NAME)]
    if not begins:
        return files
    # The one nearest the top; next to a configuration, a tourney.js is only what tsh made of it.
    begin = min(begins, key=lambda part: (part.filename.count("/"), TOURNEY_JS_NAME in part.filename.casefold()))
    folder = PurePosixPath(begin.filename).parent
    return [part for part in files if PurePosixPath(part.filename).parent == folder]
