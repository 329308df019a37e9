"""What the folder of the backups remembers: which installation this is, and the second place for its backups."""

import json
import secrets
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tournament.laptop.backup import files
from tournament.laptop.backup.places import Installation


@dataclass(frozen=True, slots=True)
class Remembered:
    """`installation` tells the backups of several machines in one folder apart."""

    installation: str
    second_place: str = ""

    @property
    def place(self) -> Path | None:
        """The second place, if one is named."""
        return Path(self.second_place) if self.second_place else None


def load(home: Installation) -> Remembered:
    """What is remembered; a new installation's if there is nothing or it cannot be read. Raises `OSError`."""
    try:
        read = json.loads(_file(home).read_text(encoding="utf-8"))
        return Remembered(str(read["installation"]), str(read["second_place"]))
    except FileNotFoundError:
        pass
    except (ValueError, KeyError, TypeError):
        _file(home).replace(_file(home).with_suffix(".damaged"))
    return _save(home, Remembered(secrets.token_hex(3)))


def name_second_place(home: Installation, place: Path | None) -> Remembered:
    """Remember another second place, or none. Raises `OSError`."""
    return _save(home, replace(load(home), second_place=str(place) if place else ""))


def _save(home: Installation, state: Remembered) -> Remembered:
    files.make_private(home.backups)
    files.write_json(_file(home), asdict(state))
    return state


def _file(home: Installation) -> Path:
    return home.backups / "state.json"
