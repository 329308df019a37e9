"""Django's SQLite, which never plays a foreign `-wal` into the file and does not open a newer version's data. Every
process that uses the settings comes through here."""

from pathlib import Path
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from tournament.backup.health import require_data_not_newer, require_safe_to_open
from tournament.backup.places import DATABASE_FILE, Installation
from tournament.basics.refusals import Refusal


class DatabaseWrapper(base.DatabaseWrapper):
    """As Django's; `get_new_connection` raises `OperationalError` while the file must not be opened."""

    def get_new_connection(self, conn_params: Any) -> Any:
        """Open a connection, if it does no harm."""
        path = Path(str(conn_params["database"]))
        if path.name == DATABASE_FILE:
            try:
                # Before the first byte is read: SQLite plays a -wal that lies beside the file, also one of another
                # state, and the damage is done.
                require_safe_to_open(Installation(path.parent))
                require_data_not_newer(Installation(path.parent))
            except Refusal as refusal:
                raise OperationalError(str(refusal)) from refusal
        return super().get_new_connection(conn_params)
