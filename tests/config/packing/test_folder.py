"""The folder that starts by a double click: its files as they lie there, and the start file with a stand-in for uv."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="comes with requirements-dev.txt")

from config.packing import folder  # needs hatchling
from tournament.basics.program import PHONES_STEM, PLACE_FILE, is_home_chosen

UV = """#!/bin/sh
# Does as much of uv as the start file asks for; writes down what it was asked.
echo "$@" >> "$STAND_INS/asked"
case "$1" in
    --version) echo 0 ;;
    venv) sleep "${SECONDS_TAKEN:-0}"
        [ -n "$NO_PYTHON" ] && { echo "no Python" >&2; exit 2; }
        for place; do :; done
        mkdir -p "$place/bin"; cp "$STAND_INS/python" "$place/bin/python" ;;
    pip) [ -n "$NO_WHEELS" ] && { echo "no wheels" >&2; exit 1; }
        mkdir -p "$UV_CACHE_DIR" ;;
esac
"""
PYTHON = """#!/bin/sh
[ "$1" = -c ] && exit 0
printf '%s|' "$TSO_START_FILE" "$@"
"""
VARIABLE = re.compile(r"%[A-Z_]+%|%~\w+")
needs_sh = pytest.mark.skipif(os.name == "nt", reason="needs a shell")


def make(key: str, target: Path, pythons: tuple[str, ...] = ("3.11", "3.14")) -> Path:
    """The folder of a system with its start files, but no packages."""
    target.mkdir(parents=True)
    folder.write_start_files(folder.SYSTEMS[key], pythons, target)
    return target


def read(path: Path) -> str:
    return path.read_bytes().decode()


@pytest.mark.parametrize("key", folder.SYSTEMS)
def test_each_system_has_its_start_files(key: str, tmp_path: Path) -> None:
    made, ending = make(key, tmp_path / "made"), folder.SYSTEMS[key].ending

    names = {path.name for path in made.iterdir()}
    everything = "".join(read(path) for path in made.iterdir())

    assert names == {f"TSO starten.{ending}", f"{PHONES_STEM}.{ending}", folder.GUIDE, PLACE_FILE}
    assert not re.search("@[A-Z]+@", everything)
    assert f"TSO starten.{ending}" in read(made / folder.GUIDE)
    assert ">=3.11,<3.15" in read(made / f"TSO starten.{ending}")
    assert read(made / f"TSO starten.{ending}").count("Python 3.14 ") == 3
    assert not is_home_chosen(made)
    assert everything.count("\r\n") == (everything.count("\n") if ending == "cmd" else 0)


@pytest.mark.parametrize(("key", "has_name"), [("macos-x64", False), ("macos-arm64", True), ("windows-x64", True)])
def test_what_a_system_needs_is_decided_by_that_system(key: str, has_name: bool) -> None:  # not by the one that packs
    needed = [name.partition("==")[0] for name in folder.list_needed(folder.SYSTEMS[key], "3.13")]

    assert {"Django", "numpy", "tzdata"} <= set(needed)
    assert ("zeroconf" in needed) == has_name
    assert "pytest" not in needed


def test_start_file_of_windows_holds_what_its_shell_trips_over_nowhere(tmp_path: Path) -> None:
    made = make("windows-x64", tmp_path / "made")

    for path in made.glob("*.cmd"):
        lines = path.read_bytes().decode("ascii").splitlines()
        commands = [line for line in lines if not line.startswith(("rem ", "echo ", "@echo"))]

        assert lines[0] == "@echo off"
        for line in commands:
            outside = "".join(line.split('"')[::2])
            assert line.count('"') % 2 == 0, line
            assert not VARIABLE.search(outside.replace("%STATUS%", "")), f"not in quotation marks: {line}"
            assert not re.search(r"[()|]", outside), f"a path with brackets ends a block: {line}"
            assert not re.search(r'\\"', line), f"what follows belongs to the path: {line}"
        assert not [line for line in lines if line.startswith("echo ") and re.search(r"[<>&|^%!]", line)]
        labels = {line for line in commands if line.startswith(":")}
        assert {f":{line.split()[-1]}" for line in commands if "goto " in line} <= labels
        assert {line.split()[1] for line in commands if line.startswith("call :")} <= labels
        assert not re.search("errorlevel", "".join(commands)), "what crashed ends with a number below 0"


def test_every_failure_on_windows_is_told_in_three_languages_and_read_before_the_window_closes() -> None:
    text = read(folder.BESIDE / "TSO starten.cmd")

    blocks = text.split("\n:")[5:]

    assert [block.split("\n")[0] for block in blocks] == ["not_unpacked", "no_python", "no_packages"]
    for block in blocks:
        assert len(re.findall(r"^echo ", block, re.MULTILINE)) == 3
        assert block.rstrip().endswith("pause\nexit /b 1")


class Stick:
    """A folder on a stick, at a path with blanks and umlauts, with stand-ins for uv and Python."""

    def __init__(self, tmp_path: Path, key: str) -> None:
        self.folder = make(key, tmp_path / "Größe & Co/der Stick")
        self.home = tmp_path / "Zuhause ü"
        self.home.mkdir()
        program = self.folder / "program"
        program.mkdir()
        for path, text in [(program / "uv", UV), (self.home / "python", PYTHON)]:
            path.write_text(text)
            path.chmod(0o755)
        self.file = self.folder / f"TSO starten.{folder.SYSTEMS[key].ending}"

    def begin(self, *words: str, file: str = "", **variables: str) -> subprocess.Popen[str]:
        command = ["/bin/sh", str(self.folder / (file or self.file)), *words]
        environment = {"HOME": str(self.home), "STAND_INS": str(self.home), "PATH": os.defpath, **variables}
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True)

    def start(self, *words: str, file: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        with self.begin(*words, file=file, **variables) as process:
            said, complained = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, said, complained)

    def asked(self) -> list[str]:
        """What uv was asked for, the first words of each time."""
        return [line.split()[0] for line in (self.home / "asked").read_text().splitlines()]

    def forget(self) -> None:
        (self.home / "asked").unlink()
        (self.home / "asked").touch()


@pytest.fixture(params=["linux-x64", "macos-arm64"])
def stick(request: pytest.FixtureRequest, tmp_path: Path) -> Stick:
    return Stick(tmp_path, request.param)


@needs_sh
def test_first_start_sets_up_and_the_second_only_starts(stick: Stick) -> None:
    first = stick.start("--lan")
    asked = stick.asked()
    stick.forget()
    second = stick.start("--lan")

    assert (first.returncode, first.stderr) == (0, "")
    assert asked == ["--version", "venv", "pip"]
    assert first.stdout.splitlines()[-1] == second.stdout == f"{stick.file}|-P|-m|tso|--lan|"
    assert stick.asked() == []
    assert not list(stick.home.rglob("cache/*"))


@needs_sh
def test_start_file_for_phones_starts_for_phones(stick: Stick) -> None:
    said = stick.start("--port", "80", file=f"{PHONES_STEM}{stick.file.suffix}")

    assert said.stdout.splitlines()[-1] == f"{stick.file}|-P|-m|tso|--lan|--port|80|"


@needs_sh
def test_environment_made_anew_if_its_python_is_gone_or_setting_it_up_was_cut_short(stick: Stick) -> None:
    stick.start()
    (python,) = stick.home.rglob("bin/python")
    python.unlink()
    stick.forget()
    without_python = stick.start()
    (ready,) = stick.home.rglob("ready")
    ready.unlink()
    cut_short = stick.start()

    assert without_python.returncode == cut_short.returncode == 0
    assert stick.asked() == 2 * ["--version", "venv", "pip"]


@needs_sh
def test_two_starts_at_once_set_up_once(stick: Stick) -> None:
    with stick.begin("a", SECONDS_TAKEN="2") as one, stick.begin("b", SECONDS_TAKEN="2") as other:
        said = [each.communicate()[0].splitlines()[-1] for each in (one, other)]

    assert said == [f"{stick.file}|-P|-m|tso|{word}|" for word in "ab"]
    assert stick.asked() == ["--version", "venv", "pip"]
    assert not list(stick.home.rglob("lock"))


@needs_sh
def test_start_that_was_cut_short_keeps_no_other_waiting(stick: Stick) -> None:
    stick.start()
    (ready,) = stick.home.rglob("ready")
    ended = subprocess.Popen(["/bin/true"])
    ended.wait()
    ready.with_name("lock").write_text(f"{ended.pid}\n")
    ready.unlink()

    assert stick.start().returncode == 0
    assert ready.exists()
    assert not ready.with_name("lock").exists()


@needs_sh
@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("NO_PYTHON", ("Python fehlt und ließ", "Python is missing", "Python ontbreekt")),
        ("NO_WHEELS", ("Das Programm ließ sich nicht", "The program could not", "Het programma kon niet")),
    ],
)
def test_failure_told_in_three_languages_and_mended_by_the_next_start(
    stick: Stick, fault: str, told: tuple[str, str, str]
) -> None:
    failed = stick.start(**{fault: "1"})
    again = stick.start()

    assert failed.returncode == 1
    assert [line.startswith(begin) for line, begin in zip(failed.stderr.splitlines()[-3:], told, strict=True)] == [
        True
    ] * 3
    assert again.returncode == 0


@needs_sh
def test_zip_that_was_opened_and_not_unpacked_is_told(stick: Stick) -> None:
    shutil.rmtree(stick.folder / "program")

    failed = stick.start()

    assert failed.returncode == 1
    assert failed.stderr.count("\n") == 4
    assert "die ganze Zip-Datei auspacken" in failed.stderr


@needs_sh
def test_environment_in_the_folder_where_the_user_has_none(stick: Stick) -> None:
    (stick.home / "blocked").touch()

    said = stick.start(HOME=str(stick.home / "blocked"), XDG_CACHE_HOME="")

    assert said.returncode == 0, said.stderr
    assert list(stick.folder.glob("program/*/env/bin/python"))


@needs_sh
def test_python_of_the_whole_folder_is_taken_and_copied_where_sticks_run_nothing(stick: Stick) -> None:
    python = stick.folder / "program/python/bin/python3"
    python.parent.mkdir(parents=True)
    shutil.copy(stick.home / "python", python)
    python.chmod(0o644)

    said = stick.start()

    (copy,) = stick.home.rglob("python/bin/python3")
    assert said.returncode == 0, said.stderr
    assert f"--python {copy} " in (stick.home / "asked").read_text()


def make_archive(tmp_path: Path, top: str = "python/") -> Path:
    """A standalone Python as it is handed out: its program under several names, and pip."""
    for name in ("bin/python3.13", "lib/python3.13/os.py", "lib/python3.13/site-packages/pip/x.py"):
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    for link in ("python", "python3"):
        (tmp_path / "source/bin" / link).symlink_to("python3.13")
    archive = tmp_path / "cpython.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(tmp_path / "source", top)
    return archive


@pytest.mark.parametrize("top", ["python/", "./"])
def test_python_unpacked_with_one_name_and_no_links(tmp_path: Path, top: str) -> None:
    version = folder.unpack_python(make_archive(tmp_path, top), tmp_path / "made")

    files = {str(path.relative_to(tmp_path / "made")) for path in folder.list_files(tmp_path / "made")}
    assert version == "3.13"
    assert files == {"bin/python3", "lib/python3.13/os.py"}
    assert not (tmp_path / "made/bin/python3").is_symlink()


@pytest.mark.parametrize("name", ["bin/tool", "bin/python3"])
def test_archive_without_a_python_refused(tmp_path: Path, name: str) -> None:
    source = tmp_path / "source" / name
    source.parent.mkdir(parents=True)
    source.touch()
    with tarfile.open(tmp_path / "other.tar.gz", "w:gz") as packed:
        packed.add(tmp_path / "source", "other")

    with pytest.raises(folder.NotPacked, match=r"other\.tar\.gz holds"):
        folder.unpack_python(tmp_path / "other.tar.gz", tmp_path / "made")


@pytest.mark.parametrize("address", ['https://x/"', "https://x/%A%", "ftp://x/", "https://x/ y"])
def test_address_that_a_shell_would_trip_over_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(folder.NotPacked, match="only letters"):
        folder.make_folder("windows-x64", ("3.13",), None, tmp_path, address)


@pytest.mark.parametrize("key", ["windows-x64", "linux-x64"])
def test_folder_knows_where_newer_versions_are_announced(key: str, tmp_path: Path) -> None:
    folder.write_start_files(folder.SYSTEMS[key], ("3.13",), tmp_path, "https://example.org/tso.json")

    assert "https://example.org/tso.json" in read(tmp_path / f"TSO starten.{folder.SYSTEMS[key].ending}")


def test_what_pip_says_is_told() -> None:
    with pytest.raises(folder.NotPacked, match="unknown command"):
        folder.run_pip("no-such-command")


def test_zip_keeps_what_can_be_run(tmp_path: Path) -> None:
    made = make("linux-x64", tmp_path / "tso")

    folder.pack_folder(made, tmp_path / "tso.zip")

    with zipfile.ZipFile(tmp_path / "tso.zip") as opened:
        runnable = {entry.filename for entry in opened.infolist() if entry.external_attr >> 16 & 0o100}
    assert runnable == {"tso/TSO starten.sh", "tso/TSO starten mit Telefonen.sh"}


@pytest.mark.skipif(shutil.which("uv", path=Path(sys.executable).parent) is None, reason="requirements-dev.txt")
@pytest.mark.parametrize("key", folder.SYSTEMS)
def test_folder_that_lacks_a_package_is_not_made(key: str, tmp_path: Path) -> None:
    with pytest.raises(folder.NotPacked, match="tso"):
        folder.require_all_wheels(folder.SYSTEMS[key], "3.13", tmp_path)
