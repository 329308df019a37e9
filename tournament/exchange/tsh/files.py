"""Finding and decoding tsh's files: a `.t` file, a folder with `config.tsh`, or a `tourney.js`."""

import codecs
from pathlib import Path

from tournament import limits
from tournament.exchange import faults
from tournament.exchange.faults import Code, Place, quoted
from tournament.exchange.json_text import too_large
from tournament.exchange.tsh import config, t_file, tourney_js
from tournament.exchange.tsh.cards import DivisionFile, Folder, Remarks, Settings

CONFIG_NAMES = ("config.tsh", "tsh.config")
SCRIPT_NAME = "tourney.js"

UNLESS_SAID = "iso-8859-1"

ENCODINGS = {
    "isolatin1": "iso-8859-1",
    "latin1": "iso-8859-1",
    "iso-8859-1": "iso-8859-1",
    "iso-8859-2": "iso-8859-2",
    "iso-8859-15": "iso-8859-15",
    "cp1250": "cp1250",
    "cp1252": "cp1252",
    "windows-1252": "cp1252",
    "utf8": "utf-8",
    "utf-8": "utf-8",
}
"""The encodings that a configuration may name, by the names that Perl knows them by."""


def find(path: Path, remarks: Remarks) -> Folder:
    """What the files at a path say. Raises `Faults` if there is nothing to read."""
    if path.is_dir():
        for name in CONFIG_NAMES:
            if (path / name).is_file():
                return _folder(path, path / name, remarks)
        if (path / SCRIPT_NAME).is_file():
            return _script(path / SCRIPT_NAME, path.resolve().name, remarks)
        raise faults.one(Code.TSH_NO_CONFIG, value=faults.named(str(path)))
    if not path.is_file():
        raise faults.one(Code.NO_SUCH_FILE, value=faults.named(str(path)))
    if path.suffix.casefold() in (".js", ".json"):
        return _script(path, path.stem, remarks)
    if path.name.casefold() in CONFIG_NAMES or path.suffix.casefold() == ".tsh":
        return _folder(path.parent, path, remarks)
    cards = t_file.read(decoded(content(path), path.name, None, remarks), path.name, remarks)
    return Folder(path.stem, Place(file=path.name), Settings(), (DivisionFile(shown_name(path.stem), cards),))


def content(path: Path) -> bytes:
    """A file's bytes. Raises `Faults` if it is too large or cannot be read; the size is looked at first."""
    try:
        size = path.stat().st_size
        if size > limits.TSH_BYTES:
            raise too_large(size, limits.TSH_BYTES)
        return path.read_bytes()
    except OSError as error:
        raise faults.one(Code.NOT_READABLE, value=faults.named(str(path)), why=error.strerror or "?") from error


def decoded(data: bytes, file: str, encoding: str | None, remarks: Remarks) -> str:
    """The text of a file: as the configuration says, else Latin-1, unless it shows that it is UTF-8."""
    if data.startswith(codecs.BOM_UTF8):
        data, encoding = data.removeprefix(codecs.BOM_UTF8), "utf-8"
    if encoding is None and not data.isascii():
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return _latin1(data)
        remarks.warn(Code.TSH_ENCODING, Place(file=file), encoding="UTF-8")
        return text
    try:
        return data.decode(encoding or UNLESS_SAID)
    except UnicodeDecodeError as error:
        place = Place(file=file, line=data.count(b"\n", 0, error.start) + 1)
        shown = f"{data[error.start]:#04x}"
        raise faults.one(Code.NOT_TEXT, place, encoding=encoding or UNLESS_SAID, value=shown) from error


def _latin1(data: bytes) -> str:
    """Latin-1, or what Windows writes in its place, with typographic marks where Latin-1 has control characters."""
    text = data.decode(UNLESS_SAID)
    if not any("\x80" <= letter < "\xa0" for letter in text):
        return text
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return text


def shown_name(name: str) -> str:
    """A division's name as tsh shows it: a single letter is a capital."""
    return name.upper() if len(name) == 1 else name


def _script(path: Path, title: str, remarks: Remarks) -> Folder:
    text = decoded(content(path), path.name, "utf-8", remarks)
    return tourney_js.read(text, path.name, title, remarks)


def _folder(folder: Path, path: Path, remarks: Remarks) -> Folder:
    """The event in a folder: its configuration, and the divisions that this declares."""
    found = config.read(decoded(content(path), path.name, None, remarks), path.name, remarks)
    if not found.divisions:
        raise faults.one(Code.TSH_NO_DIVISION, Place(file=path.name))
    encoding = _encoding(found.settings, remarks)
    fields = []
    for declared in found.divisions:
        text = _division_text(folder, declared, found, encoding, remarks)
        cards = t_file.read(text, declared.file, remarks) if text is not None else ()
        fields.append(DivisionFile(shown_name(declared.name), cards))
    return Folder(folder.resolve().name, Place(file=path.name), found.settings, tuple(fields))


def _encoding(settings: Settings, remarks: Remarks) -> str | None:
    """The encoding that the configuration names for `.t` files; None if it names none that we know."""
    setting = settings.get("tfile_encoding")
    if setting is None:
        return "utf-8" if settings.value("realm") == "pol" else None
    encoding = ENCODINGS.get(str(setting.value).casefold())
    if encoding is None:
        remarks.warn(Code.TSH_SETTING, setting.place, key=setting.key, value=quoted(setting.value))
    return encoding


def _division_text(
    folder: Path, declared: config.Declared, found: config.Config, encoding: str | None, remarks: Remarks
) -> str | None:
    """The text of a division's file, or None with a fault. Nothing outside the folder is read."""
    if declared.file.casefold() in found.attached:
        return found.attached[declared.file.casefold()]
    path = folder / declared.file.replace("\0", "")
    if not path.resolve().is_relative_to(folder.resolve()):
        remarks.fault(Code.TSH_OUTSIDE, declared.place, value=quoted(declared.file))
        return None
    if not path.is_file():
        same = [each for each in folder.iterdir() if each.name.casefold() == declared.file.casefold()]
        if not same:
            remarks.fault(Code.NO_SUCH_FILE, declared.place, value=quoted(declared.file))
            return None
        path = same[0]
    return decoded(content(path), declared.file, encoding, remarks)
