"""Typed values from the environment; a bad one is quoted in one line."""

import os
import stat
import threading
from pathlib import Path

import pytest

from config import environment
from config.environment import BadSetting


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", True),
        ("on", True),
        ("Ja", True),
        (" TRUE ", True),
        ("0", False),
        ("nein", False),
        ("", False),
        (" ", False),
    ],
)
def test_switch_known_word(text: str, expected: bool) -> None:
    assert environment.read_switch_setting("TSO_DEBUG", {"TSO_DEBUG": text}) is expected


def test_switch_not_set() -> None:
    assert environment.read_switch_setting("TSO_DEBUG", {}) is False


@pytest.mark.parametrize("text", ["2", "maybe", "truee", "on off"])
def test_switch_other_word(text: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        environment.read_switch_setting("TSO_DEBUG", {"TSO_DEBUG": text})

    assert str(refusal.value) == f"TSO_DEBUG={text!r}: write 1 (on) or 0 (off)."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tso.example.org", ["tso.example.org"]),
        ("TSO.example.org,192.168.1.5", ["tso.example.org", "192.168.1.5"]),
        ("localhost  [::1]", ["localhost", "[::1]"]),
        (".example.org", [".example.org"]),
        ("*", ["*"]),
        ("laptop-3", ["laptop-3"]),
        ("", ["fallback"]),
    ],
)
def test_hosts_accepted(text: str, expected: list[str]) -> None:
    assert environment.read_hosts_setting("TSO_HOSTS", ["fallback"], {"TSO_HOSTS": text}) == expected


@pytest.mark.parametrize(
    "host",
    [
        "http://tso.example.org",
        "tso.example.org:8000",
        "tso.example.org/x",
        "300.1.1.1",
        "::1",
        "[192.168.1.5]",
        "a..b",
        "-a",
    ],
)
def test_hosts_refused(host: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        environment.read_hosts_setting("TSO_HOSTS", [], {"TSO_HOSTS": f"good.example.org {host}"})

    assert f"TSO_HOSTS: {host!r}" in str(refusal.value)


@pytest.mark.parametrize(
    "address", ["postgres://user:word@db.example.org:5432/tso", "postgresql://db/tso", "postgres:///tso?host=/run/pg"]
)
def test_url_accepted(address: str) -> None:
    found = environment.read_url_setting("DATABASE_URL", ("postgres", "postgresql"), {"DATABASE_URL": address})

    assert found == address


@pytest.mark.parametrize(
    "address", ["mysql://db/tso", "nonsense", "postgres://", "postgres://db:port/tso", "postgres://[/x"]
)
def test_url_refused(address: str) -> None:
    with pytest.raises(BadSetting) as refusal:
        environment.read_url_setting("DATABASE_URL", ("postgres", "postgresql"), {"DATABASE_URL": address})

    assert str(refusal.value) == f"DATABASE_URL={address!r}: write an address that begins with postgres://"


def test_url_refused_without_its_password() -> None:
    with pytest.raises(BadSetting) as refusal:
        environment.read_url_setting("DATABASE_URL", ("postgres",), {"DATABASE_URL": "mysql://user:secret@db/tso"})

    assert str(refusal.value).startswith("DATABASE_URL='mysql://user:***@db/tso'")


def test_folder_made(tmp_path: Path) -> None:
    found = environment.read_folder_setting("TSO_DATA", tmp_path, tmp_path, {"TSO_DATA": "events/2026"})

    assert found == tmp_path / "events" / "2026"
    assert found.is_dir()


def test_folder_default(tmp_path: Path) -> None:
    found = environment.read_folder_setting("TSO_DATA", tmp_path / "data", tmp_path, {})

    assert found == tmp_path / "data"
    assert found.is_dir()


def test_folder_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()

    with pytest.raises(BadSetting) as refusal:
        environment.read_folder_setting("TSO_DATA", tmp_path, tmp_path, {"TSO_DATA": str(file)})

    assert str(refusal.value).startswith(f"TSO_DATA={str(file)!r}: ")
    assert "\n" not in str(refusal.value)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that even root cannot write to")
def test_folder_not_writable(tmp_path: Path) -> None:
    with pytest.raises(BadSetting) as refusal:
        environment.read_folder_setting("TSO_DATA", tmp_path, tmp_path, {"TSO_DATA": "/proc/tso"})

    assert str(refusal.value).startswith("TSO_DATA='/proc/tso': In diesen Ordner lässt sich nicht schreiben.")


def test_secret_key_made_once(tmp_path: Path) -> None:
    first = environment.get_or_create_secret_key(tmp_path / "key")
    second = environment.get_or_create_secret_key(tmp_path / "key")

    assert first == second
    assert len(first) >= environment.KEY_LENGTH
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


def test_secret_key_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync, steps = os.fsync, []

    def note_sync(file: int) -> None:
        sync(file)
        steps.append((os.fstat(file).st_size > environment.KEY_LENGTH, (tmp_path / "key").exists()))

    monkeypatch.setattr(os, "fsync", note_sync)
    environment.get_or_create_secret_key(tmp_path / "key")

    assert steps == [(True, False)]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_secret_key_for_its_owner_only(tmp_path: Path) -> None:
    environment.get_or_create_secret_key(tmp_path / "key")

    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_secret_key_asked_for_by_many_at_once(tmp_path: Path) -> None:
    start = threading.Barrier(8)
    keys = set()

    def ask() -> None:
        start.wait()
        keys.add(environment.get_or_create_secret_key(tmp_path / "key"))

    threads = [threading.Thread(target=ask) for _number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert keys == {(tmp_path / "key").read_text().strip()}


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff\xfe" * 40])
def test_secret_key_damaged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)

    with pytest.raises(BadSetting) as refusal:
        environment.get_or_create_secret_key(tmp_path / "key")

    assert repr(str(tmp_path / "key")) in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "address", "hosts"),
    [
        ("", "", []),
        ("https://TSO.example.org/", "https://tso.example.org", ["tso.example.org"]),
        ("http://127.0.0.1:8431", "http://127.0.0.1:8431", ["127.0.0.1"]),
        ("http://[::1]:8431", "http://[::1]:8431", ["[::1]"]),
    ],
)
def test_address_of_the_service(text: str, address: str, hosts: list[str]) -> None:
    assert environment.read_address_setting("TSO_ADDRESS", {"TSO_ADDRESS": text}) == address
    assert environment.list_hosts(address) == hosts


@pytest.mark.parametrize(
    "text",
    [
        "tso.example.org",
        "ftp://x.org",
        "https://x.org/tso",
        "https://x.org?a=b",
        "https://me@x.org",
        "https://x.org:y",
        "https:///x",
    ],
)
def test_what_is_no_address_of_a_service_is_quoted(text: str) -> None:
    with pytest.raises(BadSetting, match="TSO_ADDRESS="):
        environment.read_address_setting("TSO_ADDRESS", {"TSO_ADDRESS": text})
