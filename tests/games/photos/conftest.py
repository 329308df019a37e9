"""Each test has an uploads folder of its own."""

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def uploads(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "uploads"
