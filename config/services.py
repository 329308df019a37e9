"""Database and cache that the environment names; by default a file, and this process."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from config import environment
from config.environment import BadSetting

# WAL lets readers read while one writes; FULL keeps the last result when the power fails.
# The program itself moves the WAL into the file (tournament.backup.health); only a very large one SQLite moves.
# What is deleted is overwritten: a name that was forgotten is in no copy of the file.
# Each of the server's 200 threads has a connection of its own. With Python's 128 statements and SQLite's 2 MB of pages
# each, the server grew for hours, by 2 MB a thread.
SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA wal_autocheckpoint=20000; "
    "PRAGMA secure_delete=ON; PRAGMA cache_size=-512;"
)
CACHED_STATEMENTS = 32  # a typed result takes 21
SQLITE_PATIENCE = 20  # seconds for which a writer waits for another one


STATEMENT_SECONDS = 30  # PostgreSQL gives a statement up after this time, or `TSO_STATEMENT_SECONDS` (0: never)
LOCK_SECONDS = 20
IDLE_SECONDS = 60  # seconds that a transaction waits for a lock, or may stay open and do nothing
CONNECTION_POOL = {"min_size": 1, "max_size": 16, "timeout": 10, "reconnect_timeout": 3}
"""Connections of one process, and seconds that a request waits for one. Attempts to reconnect grow rarer, but start
again after `reconnect_timeout` seconds, so that a database that is back is soon noticed."""
SHORTEST_TOKEN = 16
CACHE_VERSION = 2
"""Redis outlives an upgrade and keeps pickles, which name classes by module. Raise this whenever a cached class moves
or changes, so that no program reads an older one's pickles. 2: the house was cut by subject."""
CACHE_SECONDS = 0.5  # seconds that Redis may take to answer, or to be reached


def build_database_settings(data: Path) -> dict[str, Any]:
    """Django's settings for the database that `DATABASE_URL` names, or for the file in the data folder."""
    address = environment.read_url_setting("DATABASE_URL", ("postgres", "postgresql"))
    return _build_postgresql_settings(address) if address else _build_sqlite_settings(data)


def _build_sqlite_settings(data: Path) -> dict[str, Any]:
    return {
        "ENGINE": "config.sqlite",
        "NAME": data / "tso.sqlite3",
        "CONN_MAX_AGE": None,  # closing the last connection empties the WAL: that would slow the save of every result
        "OPTIONS": {
            # Take the write lock when the transaction begins: two that both read first would block each other.
            "transaction_mode": "IMMEDIATE",
            "timeout": SQLITE_PATIENCE,
            "init_command": SQLITE_PRAGMAS,
            "cached_statements": CACHED_STATEMENTS,
        },
        "TEST": {"NAME": data / "test.sqlite3"},  # a file, as in production: a database in memory locks differently
    }


def _build_postgresql_settings(address: str) -> dict[str, Any]:
    _require_packages("DATABASE_URL", address, "dj_database_url", "django_otp", "psycopg", "psycopg_pool")
    import dj_database_url  # noqa: PLC0415  # not installed on a laptop

    try:
        parsed: dict[str, Any] = dict(
            # Given back after each request: Django's pool refuses connections that last.
            dj_database_url.parse(address, engine="config.postgresql", conn_max_age=0, conn_health_checks=True)
        )
    except (ValueError, KeyError) as fault:
        raise BadSetting(f"DATABASE_URL={environment.hide_password(address)!r}: {fault}") from fault
    statement = environment.read_number_setting("TSO_STATEMENT_SECONDS", default=STATEMENT_SECONDS, most=86400)
    limits = {"statement": statement, "lock": LOCK_SECONDS, "idle_in_transaction_session": IDLE_SECONDS}
    options = " ".join(f"-c {name}_timeout={seconds}s" for name, seconds in limits.items())
    parsed["OPTIONS"] = {**parsed.get("OPTIONS", {}), "options": options, "pool": dict(CONNECTION_POOL)}
    return parsed


def build_cache_settings(name: str = "", *, counts: bool = False) -> dict[str, Any]:
    """Django's settings for the cache of this name in `CACHE_URL`, or in the process. One for `counts` goes on counting
    in each process while Redis is away."""
    address = environment.read_url_setting("CACHE_URL", ("redis", "rediss"))
    if not address:
        return {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": name,
            "OPTIONS": {"MAX_ENTRIES": 2000},
        }
    _require_packages("CACHE_URL", address, "redis")
    return {
        "BACKEND": f"config.cache.{'Counting' if counts else 'Forgiving'}RedisCache",
        "LOCATION": address,
        "KEY_PREFIX": name,
        "VERSION": CACHE_VERSION,
        "OPTIONS": {"socket_timeout": CACHE_SECONDS, "socket_connect_timeout": CACHE_SECONDS},
    }


def read_metrics_token() -> str:
    """The token that Prometheus must send to read `/metrics`; empty if the address is off."""
    token = environment.read_setting("TSO_METRICS")
    if not token:
        return ""
    if len(token) < SHORTEST_TOKEN:
        raise BadSetting(f"TSO_METRICS has {len(token)} characters: a token of at least {SHORTEST_TOKEN} is needed.")
    _require_packages("TSO_METRICS", "…", "prometheus_client")
    return token


def _require_packages(name: str, address: str, *packages: str) -> None:
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise BadSetting(
            f"{name}={environment.hide_password(address)!r} needs {' and '.join(missing)}: "
            "run “python -m pip install -r requirements-hosted.txt”."
        )
