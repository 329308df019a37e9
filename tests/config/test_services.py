"""Which database and cache the environment names."""

import gc
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from config import services
from config.environment import BadSetting


@pytest.fixture(autouse=True)
def _no_services(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("CACHE_URL", raising=False)


def test_database_default(tmp_path: Path) -> None:
    found = services.build_database_settings(tmp_path)

    assert (found["ENGINE"], found["NAME"]) == ("config.sqlite", tmp_path / "tso.sqlite3")
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="these are SQLite's own")
@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 20_000)]
)
def test_database_pragma(pragma: str, value: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")

        assert cursor.fetchone() == (value,)


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="these are SQLite's own")
def test_connection_keeps_few_statements_and_pages() -> None:
    before = sum(type(each).__name__ == "Statement" for each in gc.get_objects())
    alone = connection.copy()
    alone.settings_dict["OPTIONS"] = services.build_database_settings(Path())["OPTIONS"]  # as the program has it
    with closing(alone), alone.cursor() as cursor:
        for number in range(200):
            cursor.execute(f"SELECT {number}")
        cursor.execute("PRAGMA cache_size")

        assert cursor.fetchone() == (-512,)
        kept = sum(type(each).__name__ == "Statement" for each in gc.get_objects()) - before
    assert kept <= services.CACHED_STATEMENTS


def test_database_postgresql(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("dj_database_url", reason="comes with requirements-hosted.txt")
    pytest.importorskip("psycopg", reason="comes with requirements-hosted.txt")
    monkeypatch.setenv("DATABASE_URL", "postgres://user:word@db.example.org:5433/events")

    found = services.build_database_settings(tmp_path)

    assert found["ENGINE"] == "config.postgresql"
    assert found["OPTIONS"]["pool"]["reconnect_timeout"] < found["OPTIONS"]["pool"]["timeout"]
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example.org", 5433, "events")
    assert found["OPTIONS"]["pool"]["max_size"] == services.CONNECTION_POOL["max_size"]
    assert "-c statement_timeout=30s" in found["OPTIONS"]["options"]


@pytest.mark.parametrize(("given", "limit"), [("0", "0s"), ("120", "120s")])
def test_database_postgresql_patience(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: str, limit: str) -> None:
    pytest.importorskip("dj_database_url", reason="comes with requirements-hosted.txt")
    monkeypatch.setenv("DATABASE_URL", "postgres://user:word@db.example.org:5433/events")
    monkeypatch.setenv("TSO_STATEMENT_SECONDS", given)
    assert f"statement_timeout={limit}" in services.build_database_settings(tmp_path)["OPTIONS"]["options"]


@pytest.mark.parametrize("given", ["-1", "1.5", "soon", "86401"])
def test_database_postgresql_patience_misspelt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, given: str) -> None:
    pytest.importorskip("dj_database_url", reason="comes with requirements-hosted.txt")
    monkeypatch.setenv("DATABASE_URL", "postgres://user:word@db.example.org:5433/events")
    monkeypatch.setenv("TSO_STATEMENT_SECONDS", given)
    with pytest.raises(BadSetting, match="TSO_STATEMENT_SECONDS"):
        services.build_database_settings(tmp_path)


def test_cache_default() -> None:
    assert services.build_cache_settings()["BACKEND"] == "django.core.cache.backends.locmem.LocMemCache"


def test_cache_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("redis", reason="comes with requirements-hosted.txt")
    monkeypatch.setenv("CACHE_URL", "redis://cache.example.org:6380/1")

    found = services.build_cache_settings()

    assert (found["BACKEND"], found["LOCATION"]) == (
        "config.cache.ForgivingRedisCache",
        "redis://cache.example.org:6380/1",
    )
    assert found["VERSION"] > 1, "what an older program has pickled is not read"


def test_package_missing() -> None:
    with pytest.raises(BadSetting) as refusal:
        services._require_packages("CACHE_URL", "redis://x:word@cache/1", "redis_of_another_name")

    assert str(refusal.value) == (
        "CACHE_URL='redis://x:***@cache/1' needs redis_of_another_name: "
        "run “python -m pip install -r requirements-hosted.txt”."
    )
