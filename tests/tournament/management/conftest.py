"""A data folder in which commands have run before: making the database takes most of a first command's time."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class FirstCommand:
    """The first command on a machine: the data folder as it left it, to be copied, not used; and what it said."""

    folder: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def first_command(tmp_path_factory: pytest.TempPathFactory) -> FirstCommand:
    folder = tmp_path_factory.mktemp("used") / "data"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "", "CACHE_URL": ""}
    environment |= {"TSO_DATA": str(folder), "PYTHONUTF8": "1"}
    words = [sys.executable, str(ROOT / "manage.py"), "standings", "cup"]
    return FirstCommand(
        folder, subprocess.run(words, env=environment, capture_output=True, encoding="utf-8", check=False)
    )


@pytest.fixture(scope="session")
def made_once(first_command: FirstCommand) -> Path:
    """That folder."""
    assert (first_command.folder / "tso.sqlite3").exists()
    return first_command.folder


@pytest.fixture
def used_folder(made_once: Path, tmp_path: Path) -> Path:
    """A data folder of one's own with an empty database."""
    folder = tmp_path / "data"
    shutil.copytree(made_once, folder)
    return folder
