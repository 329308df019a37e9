"""A club plays duplicate by a small list: four players, a session that is prepared."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from games.duplicate.operations.sessions import SessionPlan, prepare_session
from games.models import DuplicateSession
from tests import factories
from tests.games.judge.conftest import load
from tournament.models import Division

WORDS = "ZES ZEST ZE ES EI TE TEST SE ZEE ET TET AAN NAT TAN NA AN ZAT ZEN EEN NEE TEEN"


def add_event() -> Division:
    """An event of four players without a session."""
    return factories.event("Duplicate-avond", players=4, rounds=0, ruleset="sbnl-duplicate", minutes=None)


def prepare_evening() -> DuplicateSession:
    """By the list “lijst”, drawn from seed 7."""
    division = add_event()
    load("\n".join(WORDS.split()), letters="nl", title="lijst")
    return prepare_session(division, plan=SessionPlan(words="lijst", seed=7), actor=factories.director())


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    """Each test has a folder of its own, as it has a database."""
    settings.DATA_DIR = tmp_path


@pytest.fixture(scope="module")
def session_of_module(
    *, shares_rows: bool, tmp_path_factory: pytest.TempPathFactory
) -> tuple[DuplicateSession, Path] | None:
    """The session, and the folder of its list, to be copied, not used; None where each test makes its own."""
    if not shares_rows:
        return None
    folder = tmp_path_factory.mktemp("evening")
    with override_settings(DATA_DIR=folder):
        return prepare_evening(), folder


@pytest.fixture
def session(
    session_of_module: tuple[DuplicateSession, Path] | None, db: None, _own_folder: None, tmp_path: Path
) -> DuplicateSession:
    if session_of_module is None:
        return prepare_evening()
    session, folder = session_of_module
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return DuplicateSession.objects.select_related("division__tournament").get(pk=session.pk)


@pytest.fixture
def division(session: DuplicateSession) -> Division:
    return session.division


@pytest.fixture
def unprepared(db: None) -> Division:
    """Another event, whose session is still to be prepared."""
    return add_event()
