"""A federation that prepares a session for clubs, and clubs that play it by the same small list."""

from pathlib import Path
from typing import Any

import pytest

from scoring import sealed
from tests import factories
from tests.games.duplicate.conftest import WORDS
from tests.games.judge.conftest import load
from tournament.models import Division


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    """Each test has a folder of its own, as it has a database."""
    settings.DATA_DIR = tmp_path


@pytest.fixture(autouse=True)
def _quick_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes are stretched in no time, as passwords are hashed; tests/scoring holds the real cost."""
    monkeypatch.setattr(sealed, "SCRYPT_COST", 2)


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    """The federation's event."""
    return factories.event("Simultaan", players=0, rounds=0, ruleset="sbnl-duplicate", minutes=None)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def listed(division: Division) -> None:
    """The list “lijst” is loaded."""
    load("\n".join(WORDS.split()), letters="nl", title="lijst")
