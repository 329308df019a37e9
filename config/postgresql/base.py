"""Django's PostgreSQL, but while it does not answer only one request at a time waits for it; others fail at once.
Otherwise every thread of the process would wait, and even health checks would not be answered."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError
from django.db.backends.postgresql import base
from psycopg import OperationalError as Unreachable


class DatabaseReach:
    """Whether PostgreSQL answered last, as one process knows."""

    def __init__(self) -> None:
        self._is_away = False
        self._waits = threading.Lock()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Ask for a connection inside. Raises `OperationalError` at once if another request waits already."""
        if self._is_away:
            # Every thread waited ten seconds for a database that was away, and forty visitors kept even the address
            # that says “alive” from answering: hosts then end the process. One waits, the others are told at once.
            if not self._waits.acquire(blocking=False):
                raise OperationalError("PostgreSQL does not answer")
            try:
                yield
                self._is_away = False
            finally:
                self._waits.release()
            return
        try:
            yield
        except Unreachable:
            self._is_away = True
            raise


DATABASE_REACH = DatabaseReach()


class DatabaseWrapper(base.DatabaseWrapper):
    """As Django's; `get_new_connection` raises `OperationalError` while others wait for a database that is away."""

    def get_new_connection(self, conn_params: Any) -> Any:
        """A connection, from the pool."""
        with DATABASE_REACH.asking():
            return super().get_new_connection(conn_params)
