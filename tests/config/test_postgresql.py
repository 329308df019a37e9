"""A database that is away keeps one request waiting, not all of them."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.db import OperationalError

pytest.importorskip("psycopg")
pytest.importorskip("psycopg_pool")

from psycopg import OperationalError as Unreachable

from config.postgresql.base import DATABASE_REACH, DatabaseReach, DatabaseWrapper


@pytest.fixture
def away() -> DatabaseReach:
    """A database that did not answer when it was asked last."""
    reach = DatabaseReach()
    with pytest.raises(Unreachable), reach.asking():
        raise Unreachable
    return reach


def test_one_waits_and_the_others_are_told(away: DatabaseReach) -> None:
    begun, answers, told = threading.Event(), threading.Event(), []

    def wait() -> None:
        with suppress(Unreachable), away.asking():
            begun.set()
            answers.wait()
            raise Unreachable

    waiting = threading.Thread(target=wait)
    waiting.start()
    begun.wait()
    for _time in range(3):
        with pytest.raises(OperationalError) as refused, away.asking():
            told.append("asked")
    answers.set()
    waiting.join()

    assert told == []
    assert "does not answer" in str(refused.value)
    with away.asking():  # whoever comes next waits in their place
        told.append("asked")
    assert told == ["asked"]


def test_database_that_is_back_is_there_for_all(away: DatabaseReach) -> None:
    with away.asking():
        pass

    with away.asking(), away.asking():
        pass


def test_other_faults_say_nothing_about_it() -> None:
    reach = DatabaseReach()
    with pytest.raises(ValueError, match="mine"), reach.asking():
        raise ValueError("mine")

    with reach.asking(), reach.asking():
        pass


@pytest.fixture
def unreachable() -> Iterator[DatabaseWrapper]:
    """A database on a port where nobody listens."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        settings: dict[str, Any] = {
            "NAME": "tso",
            "USER": "tso",
            "PASSWORD": "",
            "HOST": "127.0.0.1",
            "PORT": str(nobody.getsockname()[1]),
            "OPTIONS": {"pool": {"min_size": 1, "timeout": 0.1}},
            "CONN_MAX_AGE": 0,
            "CONN_HEALTH_CHECKS": True,
            "AUTOCOMMIT": True,
            "ATOMIC_REQUESTS": False,
            "TIME_ZONE": None,
        }
        made = DatabaseWrapper(settings, "unreachable")
        yield made
        made.close_pool()
    with DATABASE_REACH.asking():  # from now on it answers again
        pass


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_database_that_cannot_be_reached_is_asked_by_one_at_a_time(unreachable: DatabaseWrapper) -> None:
    for _turn in range(2):
        with pytest.raises(Unreachable, match="couldn't get a connection"):
            unreachable.connect()

    with DATABASE_REACH._waits, pytest.raises(OperationalError, match="PostgreSQL does not answer"):
        unreachable.connect()
