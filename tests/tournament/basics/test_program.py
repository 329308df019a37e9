"""Where the data lie and what one types, however the program came to the machine."""

import shlex
from pathlib import Path

import pytest

from tournament.basics import program

COMMON = [
    ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/TSO")),
    ("win32", {}, Path.home() / "AppData/Local/TSO"),
    ("darwin", {}, Path.home() / "Library/Application Support/TSO"),
    ("linux", {}, Path.home() / ".local/share/tso"),
    ("linux", {"XDG_DATA_HOME": "/elsewhere"}, Path("/elsewhere/tso")),
]


@pytest.fixture
def clicked(tmp_path: Path) -> dict[str, str]:
    """The environment that a start file makes; its path has blanks and umlauts."""
    folder = tmp_path / "Größe & Co"
    folder.mkdir()
    return {program.START_FILE: str(folder / "TSO starten.sh"), "XDG_DATA_HOME": str(tmp_path / "home")}


def folder_of(clicked: dict[str, str]) -> Path:
    return Path(clicked[program.START_FILE]).parent


@pytest.mark.parametrize(("system", "environ", "expected"), COMMON)
def test_users_own_folder_as_each_system_has_it(system: str, environ: dict[str, str], expected: Path) -> None:
    assert program.find_users_folder(environ, system) == expected


def test_data_beside_the_program_in_its_own_folder() -> None:
    assert program.find_data_folder({}) == program.PROGRAM_FOLDER / "data"


def test_data_of_an_installed_package_in_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "__main__.py").touch()
    monkeypatch.setattr(program, "PROGRAM_FOLDER", tmp_path)

    assert program.find_data_folder({}) == program.find_users_folder({}) / "data"
    assert program.find_folder_beside({}) is None


def test_data_beside_the_start_file(clicked: dict[str, str]) -> None:
    assert program.find_data_folder(clicked) == folder_of(clicked) / "data"


@pytest.mark.parametrize(("last", "beside"), [("here", True), ("home\n", False), ("HOME", True), ("", True)])
def test_last_word_of_the_file_beside_it_says_where(clicked: dict[str, str], last: str, *, beside: bool) -> None:
    text = f"DE „home“, „here“ …\r\n\r\n{last}"
    (folder_of(clicked) / program.PLACE_FILE).write_text(text, encoding="utf-8", newline="")

    found = program.find_data_folder(clicked)

    assert (found == folder_of(clicked) / "data") is beside
    assert beside or found == program.find_users_folder(clicked) / "data"


def test_data_in_the_users_folder_if_the_one_beside_cannot_be_written(clicked: dict[str, str]) -> None:
    (folder_of(clicked) / "data").touch()  # a file in its place: so nobody can write, not even an administrator

    assert program.find_data_folder(clicked) == program.find_users_folder(clicked) / "data"


def test_command_is_what_one_types(monkeypatch: pytest.MonkeyPatch, clicked: dict[str, str], tmp_path: Path) -> None:
    path = clicked[program.START_FILE]
    in_its_folder = program.format_command_line("restore", "a b")
    monkeypatch.setattr(program, "PROGRAM_FOLDER", tmp_path / "site-packages")
    (tmp_path / "site-packages").mkdir()
    (tmp_path / "site-packages/__main__.py").touch()
    installed = program.format_command_line("restore", "a b")
    monkeypatch.setenv(program.START_FILE, path)

    assert in_its_folder.endswith(" tso.py restore 'a b'")
    assert installed == "tso restore 'a b'"
    assert shlex.split(program.format_command_line("restore", "a b")) == [path, "restore", "a b"]
    assert "Größe" not in program.format_command_line("changepassword", in_folder=True)
    assert program.format_lan_command() == "TSO starten mit Telefonen.sh"
