"""A club plays duplicate by a small list: four players, a session that is prepared."""

from pathlib import Path
from typing import Any

import pytest

from games.duplicate.operations.sessions import SessionPlan, prepare_session
from games.models import DuplicateSession
from tests import factories
from tests.games.judge.conftest import load
from tournament.models import Division

WORDS = "ZES ZEST ZE ES EI TE TEST SE ZEE ET TET AAN NAT TAN NA AN ZAT ZEN EEN NEE TEEN"


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    """Each test has a folder of its own, as it has a database."""
    settings.DATA_DIR = tmp_path


@pytest.fixture
def division(db: None) -> Division:
    return factories.event("Duplicate-avond", players=4, rounds=0, ruleset="sbnl-duplicate", minutes=None)


@pytest.fixture
def session(division: Division) -> DuplicateSession:
    """By the list “lijst”, drawn from seed 7."""
    load("\n".join(WORDS.split()), letters="nl", title="lijst")
    return prepare_session(division, plan=SessionPlan(words="lijst", seed=7), actor=factories.director())
