"""How the program came to this machine (from its own folder, as an installed package, or by a start file), and what
follows from that: where its data lie, and what to type to run it."""

import os
import shlex
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

PROGRAM_FOLDER = Path(__file__).resolve().parents[2]
START_FILE = "TSO_START_FILE"
"""The environment's variable with the path of the start file that was clicked on; it sets this itself."""
PHONES_STEM = "TSO starten mit Telefonen"
"""The name, without its ending, of the start file beside it that lets phones in."""
PLACE_FILE = "data-place.txt"
"""Beside the start file: its last line is `here` or `home`."""
HOME_WORD = "home"


def is_installed() -> bool:
    """Whether this is the installed package `tso`."""
    return (PROGRAM_FOLDER / "__main__.py").exists()


def format_command_line(*words: object, in_folder: bool = False) -> str:
    """The command that runs the program with these words, as one types it; `in_folder`: in the program's folder, so
    that a page tells nobody where that is."""
    if start_file := os.environ.get(START_FILE):
        start_words = f".{os.sep}{Path(start_file).name}" if in_folder else start_file
        # Windows' command line knows double quotation marks alone; `shlex` would write single ones.
        command = f'"{start_words}"' if os.name == "nt" else shlex.quote(start_words)
    elif is_installed():
        command = "tso"
    else:
        command = f"{'py' if os.name == 'nt' else 'python3'} tso.py"
    return " ".join([command, *(shlex.quote(str(word)) for word in words)])


def format_lan_command() -> str:
    """What one clicks on or types, in the program's folder, to let phones and other machines in."""
    if start_file := os.environ.get(START_FILE):
        return f"{PHONES_STEM}{Path(start_file).suffix}"
    return format_command_line("--lan")


def find_data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where the data lie if nothing else is said: beside what was started, or in the user's own folder."""
    beside = find_folder_beside(environ)
    return beside if beside and may_lie_beside(beside) else find_users_folder(environ) / "data"


def find_folder_beside(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The folder `data` beside the start file or the program; None for an installed package, which has none."""
    if start_file := environ.get(START_FILE):
        return Path(start_file).parent / "data"
    return None if is_installed() else PROGRAM_FOLDER / "data"


def may_lie_beside(data: Path) -> bool:
    """Whether the data may lie in this folder: no other folder has been chosen, and it can be written to."""
    if data.parent == PROGRAM_FOLDER:
        return True  # whoever has a checkout is told when it cannot be written to
    return not is_home_chosen(data.parent) and can_be_written(data)


def is_home_chosen(folder: Path) -> bool:
    """Whether the file beside the start file says that the data lie in the user's own folder."""
    try:
        lines = (folder / PLACE_FILE).read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return False
    # The last word alone: the file explains itself above it.
    return lines[-1:] == [HOME_WORD]


def can_be_written(folder: Path) -> bool:
    """Whether files can be made in the folder, which is made if it is not there."""
    try:
        # By writing: what the rights of a folder say is not what a stick or a share of the network lets happen.
        folder.mkdir(mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def find_users_folder(environ: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """The folder in which the system lets a program keep its user's data."""
    home = Path.home()
    if system == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData/Local") / "TSO"
    if system == "darwin":
        return home / "Library/Application Support/TSO"
    return Path(environ.get("XDG_DATA_HOME") or home / ".local/share") / "tso"
