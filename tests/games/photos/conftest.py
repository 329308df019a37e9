"""Each test has an uploads folder of its own."""

from pathlib import Path
from typing import Any

import pytest

from tests import factories
from tournament.models import Division, Round


@pytest.fixture(autouse=True)
def uploads(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "uploads"


@pytest.fixture
def division(db: None) -> Division:
    """As elsewhere, but a test's own: photos are deleted for good once that is committed."""
    return factories.event(players=4, ruleset="tso-2017")


@pytest.fixture
def round(division: Division) -> Round:
    return factories.published(division)
