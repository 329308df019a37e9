"""Finding and decoding tsh's files: a `.t` file, a folder with `config.tsh`, or a `tourney.js`."""

import codecs
from pathlib import Path

from tournament.basics import limits
from tournament.exchange.faults import FaultCode, FilePlace, make_single_fault, quote_path, quote_value
from tournament.exchange.json_text import make_size_fault
from tournament.tsh.cards import DivisionFile, ImportRemarks, TshFolder, TshSettings, read_player_lines
from tournament.tsh.config import DeclaredDivision, TshConfig, read_tsh_config
from tournament.tsh.tourney_js import read_tourney_js

TSH_CONFIG_NAMES = ("config.tsh", "tsh.config")
TOURNEY_JS_NAME = "tourney.js"

DEFAULT_TSH_ENCODING = "iso-8859-1"

TSH_ENCODINGS = {
    **{name: name for name in ("iso-8859-1", "iso-8859-2", "iso-8859-15", "cp1250", "cp1252", "utf-8")},
    "isolatin1": "iso-8859-1",
    "latin1": "iso-8859-1",
    "windows-1252": "cp1252",
    "utf8": "utf-8",
}
"""The encodings that a configuration may name, by the names that Perl knows them by."""


def read_tsh_files(path: Path, remarks: ImportRemarks) -> TshFolder:
    """What the files at a path say. Raises `FileFaults` if there is nothing to read."""
    if path.is_dir():
        for name in TSH_CONFIG_NAMES:
            if (path / name).is_file():
                return _read_folder(path, path / name, remarks)
        if (path / TOURNEY_JS_NAME).is_file():
            return _read_script(path / TOURNEY_JS_NAME, path.resolve().name, remarks)
        raise make_single_fault(FaultCode.TSH_NO_CONFIG, value=quote_path(str(path)))
    if not path.is_file():
        raise make_single_fault(FaultCode.NO_SUCH_FILE, value=quote_path(str(path)))
    if path.suffix.casefold() in (".js", ".json"):
        return _read_script(path, path.stem, remarks)
    if path.name.casefold() in TSH_CONFIG_NAMES or path.suffix.casefold() == ".tsh":
        return _read_folder(path.parent, path, remarks)
    cards = read_player_lines(decode_tsh_text(read_file_bytes(path), path.name, None, remarks), path.name, remarks)
    division = DivisionFile(format_division_name(path.stem), cards)
    return TshFolder(path.stem, FilePlace(file=path.name), TshSettings(), (division,))


def read_file_bytes(path: Path) -> bytes:
    """A file's bytes. Raises `FileFaults` if it is too large or cannot be read; the size is looked at first."""
    try:
        size = path.stat().st_size
        if size > limits.TSH_BYTES:
            raise make_size_fault(size, limits.TSH_BYTES)
        return path.read_bytes()
    except OSError as error:
        raise make_single_fault(
            FaultCode.NOT_READABLE, value=quote_path(str(path)), why=error.strerror or "?"
        ) from error


def decode_tsh_text(data: bytes, file: str, encoding: str | None, remarks: ImportRemarks) -> str:
    """The text of a file: as the configuration says, else Latin-1, unless it shows that it is UTF-8."""
    if data.startswith(codecs.BOM_UTF8):
        data, encoding = data.removeprefix(codecs.BOM_UTF8), "utf-8"
    if encoding is None and not data.isascii():
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return _decode_latin1(data)
        remarks.warn(FaultCode.TSH_ENCODING, FilePlace(file=file), encoding="UTF-8")
        return text
    try:
        return data.decode(encoding or DEFAULT_TSH_ENCODING)
    except UnicodeDecodeError as error:
        place = FilePlace(file=file, line=data.count(b"\n", 0, error.start) + 1)
        shown = {"encoding": encoding or DEFAULT_TSH_ENCODING, "value": f"{data[error.start]:#04x}"}
        raise make_single_fault(FaultCode.NOT_TEXT, place, **shown) from error


def _decode_latin1(data: bytes) -> str:
    """Latin-1, or what Windows writes in its place, with typographic marks where Latin-1 has control characters."""
    text = data.decode(DEFAULT_TSH_ENCODING)
    if not any("\x80" <= letter < "\xa0" for letter in text):
        return text
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return text


def format_division_name(name: str) -> str:
    """A division's name as tsh shows it: a single letter is a capital."""
    return name.upper() if len(name) == 1 else name


def _read_script(path: Path, title: str, remarks: ImportRemarks) -> TshFolder:
    text = decode_tsh_text(read_file_bytes(path), path.name, "utf-8", remarks)
    return read_tourney_js(text, path.name, title, remarks)


def _read_folder(folder: Path, path: Path, remarks: ImportRemarks) -> TshFolder:
    """The event in a folder: its configuration, and the divisions that this declares."""
    found = read_tsh_config(decode_tsh_text(read_file_bytes(path), path.name, None, remarks), path.name, remarks)
    if not found.divisions:
        raise make_single_fault(FaultCode.TSH_NO_DIVISION, FilePlace(file=path.name))
    encoding = _find_encoding(found.settings, remarks)
    fields = []
    for declared in found.divisions:
        text = _read_division_text(folder, declared, found, encoding, remarks)
        cards = read_player_lines(text, declared.file, remarks) if text is not None else ()
        fields.append(DivisionFile(format_division_name(declared.name), cards))
    return TshFolder(folder.resolve().name, FilePlace(file=path.name), found.settings, tuple(fields))


def _find_encoding(settings: TshSettings, remarks: ImportRemarks) -> str | None:
    """The encoding that the configuration names for `.t` files; None if it names none that we know."""
    setting = settings.get("tfile_encoding")
    if setting is None:
        return "utf-8" if settings.value("realm") == "pol" else None
    encoding = TSH_ENCODINGS.get(str(setting.value).casefold())
    if encoding is None:
        remarks.warn(FaultCode.TSH_SETTING, setting.place, key=setting.key, value=quote_value(setting.value))
    return encoding


def _read_division_text(
    folder: Path, declared: DeclaredDivision, found: TshConfig, encoding: str | None, remarks: ImportRemarks
) -> str | None:
    """The text of a division's file, or None with a fault. Nothing outside the folder is read."""
    if declared.file.casefold() in found.attached:
        return found.attached[declared.file.casefold()]
    path = folder / declared.file.replace("\0", "")
    if not path.resolve().is_relative_to(folder.resolve()):
        remarks.fault(FaultCode.TSH_OUTSIDE, declared.place, value=quote_value(declared.file))
        return None
    if not path.is_file():
        same = [each for each in folder.iterdir() if each.name.casefold() == declared.file.casefold()]
        if not same:
            remarks.fault(FaultCode.NO_SUCH_FILE, declared.place, value=quote_value(declared.file))
            return None
        path = same[0]
    return decode_tsh_text(read_file_bytes(path), declared.file, encoding, remarks)
