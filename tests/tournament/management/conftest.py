"""A data folder in which commands have run before: making the database takes most of a first command's time."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder as the first command left it; to be copied, not used."""
    folder = tmp_path_factory.mktemp("used") / "data"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": "", "CACHE_URL": ""}
    words = [sys.executable, str(ROOT / "manage.py"), "standings", "cup"]
    subprocess.run(words, env={**environment, "TSO_DATA": str(folder)}, capture_output=True, check=False)
    assert (folder / "tso.sqlite3").exists()
    return folder


@pytest.fixture
def used_folder(made_once: Path, tmp_path: Path) -> Path:
    """A data folder of one's own with an empty database."""
    folder = tmp_path / "data"
    shutil.copytree(made_once, folder)
    return folder
