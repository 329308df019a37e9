"""Database and cache, as the environment names them: a file and this process by default, services if hosted."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from config import environment
from config.environment import BadSetting

# WAL lets readers read while one writes; FULL keeps the last result when the power fails.
SQLITE_PRAGMAS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
SQLITE_PATIENCE = 20
"""Seconds for which a writer waits for another one."""


def database(data: Path) -> dict[str, Any]:
    """Django's settings for the database that `DATABASE_URL` names, or for the file in the data folder."""
    address = environment.url("DATABASE_URL", ("postgres", "postgresql"))
    return _postgresql(address) if address else _sqlite(data)


def _sqlite(data: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": data / "tso.sqlite3",
        "CONN_MAX_AGE": None,  # closing the last connection empties the WAL: that would slow the save of every result
        "OPTIONS": {
            # Take the write lock when the transaction begins: two that both read first would block each other.
            "transaction_mode": "IMMEDIATE",
            "timeout": SQLITE_PATIENCE,
            "init_command": SQLITE_PRAGMAS,
        },
        "TEST": {"NAME": data / "test.sqlite3"},  # a file, as in production: a database in memory locks differently
    }


def _postgresql(address: str) -> dict[str, Any]:
    _require("DATABASE_URL", address, "dj_database_url", "psycopg")
    import dj_database_url  # noqa: PLC0415  # not installed on a laptop

    try:
        parsed = dj_database_url.parse(address, conn_max_age=600, conn_health_checks=True)
    except (ValueError, KeyError) as fault:
        raise BadSetting(f"DATABASE_URL={environment.shown(address)!r}: {fault}") from fault
    return dict(parsed)


def cache() -> dict[str, Any]:
    """Django's settings for the cache that `CACHE_URL` names, or for one inside the process."""
    address = environment.url("CACHE_URL", ("redis", "rediss"))
    if not address:
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 2000},
        }
    _require("CACHE_URL", address, "redis")
    return {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": address}


def _require(name: str, address: str, *packages: str) -> None:
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise BadSetting(
            f"{name}={environment.shown(address)!r} needs {' and '.join(missing)}: "
            "run “python -m pip install -r requirements-hosted.txt”."
        )
